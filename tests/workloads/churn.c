/* churn - many threads or processes with short lives.
 *
 *	churn [SECONDS [LIFE_MS [AT_ONCE [thread|process]]]]
 *
 * Makes threads (or processes) one after another, AT_ONCE (1) at a time, each of
 * which takes LIFE_MS (2) of CPU time in live() and ends, until they have taken
 * SECONDS (1) together.  `churn 2 40 50` is fifty busy threads.  Prints
 *
 *	lives N
 *	life_seconds S	CPU time in live(), by the clock of each
 *	cpu_seconds S	CPU time of the process, with its children
 *	timers N	that the kernel holds for the process; 0 */
#include "task.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MOST 1000

/* Lies in memory that a process shares with its parent. */
struct life {
	pthread_t thread;
	pid_t pid;
	uint64_t quota_ns;
	uint64_t ns; /* of CPU time used */
};

static APART void
live(struct life *life)
{
	uint64_t start = thread_ns();

	struct budget time = budget(life->quota_ns);
	do
		spend(10 * TURNS_PER_US, 1);
	while (is_left(&time));
	life->ns = thread_ns() - start;
}

static void *
live_as_thread(void *life)
{
	live(life);
	return NULL;
}

static void
begin_thread(struct life *life)
{
	if (pthread_create(&life->thread, NULL, live_as_thread, life))
		die("pthread_create");
}

static void
end_thread(struct life *life)
{
	pthread_join(life->thread, NULL);
}

static void
begin_process(struct life *life)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		live(life);
		_exit(0);
	}
	life->pid = pid;
}

static void
end_process(struct life *life)
{
	int status;

	if (waitpid(life->pid, &status, 0) != life->pid || status)
		die("waitpid");
}

/* CPU time of the children that have ended. */
static uint64_t
children_ns(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_CHILDREN, &used))
		die("getrusage");
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) *
		       NS_PER_S +
	       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0), used_ns = 0, n = 0;
	uint64_t life_ns = (uint64_t)(number(argc, argv, 2, 2.0) * 1e6);
	size_t at_once = (size_t)number(argc, argv, 3, 1);
	int fork_them = !strcmp(word(argc, argv, 4, "thread"), "process");
	struct life *lives =
		mmap(NULL, MOST * sizeof *lives, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (at_once < 1 || at_once > MOST)
		usage(argv[0],
		      "[SECONDS [LIFE_MS [AT_ONCE [thread|process]]]]");
	if (lives == MAP_FAILED)
		die("mmap");
	while (used_ns < quota_ns) {
		for (size_t i = 0; i < at_once; i++) {
			lives[i] = (struct life){.quota_ns = life_ns};
			(fork_them ? begin_process : begin_thread)(&lives[i]);
		}
		for (size_t i = 0; i < at_once; i++) {
			(fork_them ? end_process : end_thread)(&lives[i]);
			used_ns += lives[i].ns;
		}
		n += at_once;
	}
	printf("lives %llu\n", (unsigned long long)n);
	printf("life_seconds %.6f\n", seconds(used_ns));
	printf("cpu_seconds %.6f\n", seconds(process_ns() + children_ns()));
	printf("timers %d\n", task_count_timers());
	return 0;
}
