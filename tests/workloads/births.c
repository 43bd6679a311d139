/* births - the ways in which a process comes to be, or becomes another program.
 *
 *	births WAY [SECONDS]
 *
 * A child takes SECONDS (0.2) of CPU time and ends with status 3; the parent
 * waits for it, and ends with 7 if that is how it ended.  WAY is what makes the
 * child: fork, clone, clone3, clone_silent (its end is told by no signal); vfork
 * or posix_spawn, which run this program again; tree, which forks a child that
 * forks one; daemon, which nobody waits for, in a session of its own.  Without
 * child, main or another thread becomes this program again: exec, thread_exec;
 * that ends with 3.  Prints
 *
 *	child PID
 *	burnt S		CPU time, from each that has taken some */
#include "work.h"

#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;
static char *self, *time_word;

static APART void
burn(void)
{
	uint64_t time_ns = (uint64_t)(atof(time_word) * NS_PER_S);
	uint64_t random = 1, begin_ns = process_ns();
	struct budget time = budget(time_ns);

	while (is_left(&time))
		spend(draw_slice(&random), 1);
	/* One write: others may be writing. */
	printf("burnt %f\n", seconds(process_ns() - begin_ns));
	fflush(stdout);
	_exit(3);
}

static void
become(void)
{
	execl(self, self, "burn", time_word, (char *)NULL);
	_exit(99);
}

static void *
become_in_thread(void *arg)
{
	become();
	return arg;
}

static void *
sleep_on(void *arg)
{
	pause();
	return arg;
}

static int
end_like(pid_t child)
{
	int status;

	printf("child %d\n", child);
	fflush(stdout);
	if (child < 0 || waitpid(child, &status, __WALL) != child)
		return 99;
	return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 7 : 98;
}

static pid_t
by_fork(void)
{
	pid_t child = fork();

	if (child == 0)
		burn();
	return child;
}

static pid_t
by_clone(void)
{
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (child == 0)
		burn();
	return child;
}

static pid_t
by_silent_clone(void)
{
	pid_t child = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);

	if (child == 0)
		burn();
	return child;
}

static pid_t
by_clone3(void)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	pid_t child = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (child == 0)
		burn();
	return child;
}

static pid_t
by_vfork(void)
{
	pid_t child = vfork();

	if (child == 0)
		become();
	return child;
}

static pid_t
by_posix_spawn(void)
{
	char *argv[] = {self, (char *)"burn", time_word, NULL};
	pid_t child;

	return posix_spawn(&child, self, NULL, NULL, argv, environ) ? -1
								    : child;
}

static pid_t
by_tree(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(end_like(by_fork()) == 7 ? 3 : 97);
	return child;
}

/* Twice forked, so that it is nobody's child; told through a pipe. */
static int
leave_daemon(void)
{
	int ends[2];
	pid_t daemon = 0;

	if (pipe(ends))
		die("pipe");
	pid_t child = fork();
	if (child == 0) {
		setsid();
		daemon = fork();
		if (daemon == 0)
			burn();
		_exit(write(ends[1], &daemon, sizeof daemon) < 0);
	}
	waitpid(child, NULL, 0);
	if (read(ends[0], &daemon, sizeof daemon) != sizeof daemon)
		die("daemon");
	printf("child %d\n", daemon);
	return 7;
}

static int
leave_to_thread(void)
{
	pthread_t thread, other;
	uint64_t random = 1;

	if (pthread_create(&other, NULL, sleep_on, NULL) ||
	    pthread_create(&thread, NULL, become_in_thread, NULL))
		die("pthread_create");
	for (;;)
		spend(draw_slice(&random), 1);
}

static const struct {
	const char *name;
	pid_t (*make)(void);
} ways[] = {
	{"fork", by_fork},     {"clone", by_clone},
	{"clone3", by_clone3}, {"clone_silent", by_silent_clone},
	{"vfork", by_vfork},   {"posix_spawn", by_posix_spawn},
	{"tree", by_tree},
};

int
main(int argc, char **argv)
{
	const char *way = word(argc, argv, 1, "");

	self = argv[0];
	time_word = (char *)word(argc, argv, 2, "0.2");
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(way, ways[i].name))
			return end_like(ways[i].make());
	if (!strcmp(way, "burn"))
		burn();
	if (!strcmp(way, "exec"))
		become();
	if (!strcmp(way, "thread_exec"))
		return leave_to_thread();
	if (!strcmp(way, "daemon"))
		return leave_daemon();
	usage("births", "WAY [SECONDS]");
}
