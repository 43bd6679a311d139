/* spawn - what it takes to make a thread, or a process, that does nothing.
 *
 *	spawn [N [thread|process]]
 *
 * Makes N (1000) of them, one after another, and waits for the end of each.
 * Prints
 *
 *	spawned N
 *	wall_seconds S
 *	cpu_seconds S	of the process, with its children */
#include "work.h"

#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void *
do_nothing(void *arg)
{
	return arg;
}

static void
spawn_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, do_nothing, NULL))
		die("pthread_create");
	pthread_join(thread, NULL);
}

static void
spawn_process(void)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		die("fork");
	if (pid == 0)
		_exit(0);
	if (waitpid(pid, &status, 0) != pid || status)
		die("waitpid");
}

static double
children_seconds(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_CHILDREN, &used))
		die("getrusage");
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int
main(int argc, char **argv)
{
	uint64_t n = (uint64_t)number(argc, argv, 1, 1000), start;
	int fork_them = !strcmp(word(argc, argv, 2, "thread"), "process");

	start = wall_ns();
	for (uint64_t i = 0; i < n; i++)
		(fork_them ? spawn_process : spawn_thread)();
	printf("spawned %llu\n", (unsigned long long)n);
	printf("wall_seconds %.6f\n", seconds(wall_ns() - start));
	printf("cpu_seconds %.6f\n",
	       seconds(process_ns()) + children_seconds());
	return 0;
}
