/* monitored - a program that leaves a profile of itself, and ends as it is
 * told: monitored PATH HOW.  PATH of "NULL" is NULL.  Exits with 2 or 3 where
 * prf_monitor has failed. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <profrun/dialect.h>
#include <profrun/monitor.h>
#include <profrun/profil.h>

extern char __executable_start[], etext[];

static volatile unsigned long sink;

static int64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t
cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* 0.2 s of the calling thread.  It asks for its CPU time only when it may be at
 * the end: on a busy machine that ends its turn, before the kernel's tick comes
 * that looks at timers. */
#define SPIN(name)                                                             \
	__attribute__((noinline)) static void name(void)                       \
	{                                                                      \
		int64_t end_ns = cpu_ns() + 200000000, left_ns;                \
		while ((left_ns = end_ns - cpu_ns()) > 0)                      \
			for (int64_t until_ns =                                \
				     clock_ns(CLOCK_MONOTONIC) + left_ns;      \
			     clock_ns(CLOCK_MONOTONIC) < until_ns;)            \
				for (unsigned i = 0; i < 100000; i++)          \
					sink += i;                             \
	}

SPIN(in_parent)
SPIN(in_child)
SPIN(in_grandchild)
SPIN(in_thread)
SPIN(in_second)

/* --- How it ends. */

static void
by_return(void)
{
}

static void
by_exit_now(void)
{
	_exit(0);
}

/* A file of the process may have so many bytes; or SIGXFSZ. */
static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = {bytes, RLIM_INFINITY};

	setrlimit(RLIMIT_FSIZE, &limit);
}

static void
by_limit(void)
{
	limit_files(0);
}

static void
report_call(int rc)
{
	if (rc < 0)
		perror("prf_monitor");
	_exit(rc < 0 ? 3 : 0);
}

static void
by_call(void)
{
	report_call(prf_monitor(NULL, NULL, NULL));
}

static void
by_call_at_limit(void)
{
	limit_files(0);
	int rc = prf_monitor(NULL, NULL, NULL);
	limit_files(RLIM_INFINITY);
	report_call(rc);
}

static void
by_fork(void)
{
	if (fork() == 0) {
		in_child();
		exit(0);
	}
	wait(NULL);
}

static void
by_grandchild(void)
{
	if (fork() == 0) {
		if (fork() == 0) {
			in_grandchild();
			exit(0);
		}
		wait(NULL);
		in_child();
		exit(0);
	}
	wait(NULL);
}

static void
by_idle_child(void)
{
	if (fork() == 0)
		exit(0);
	wait(NULL);
}

/* All of the program's streams, whoever has made them. */
static void
by_flush(void)
{
	fflush(NULL);
	by_exit_now();
}

static void
by_fault(void)
{
	*(volatile int *)8 = 1;
}

static void
by_int(void)
{
	kill(getpid(), SIGINT);
}

static void
by_term(void)
{
	kill(getpid(), SIGTERM);
}

/* To process 1 the kernel gives no signal that would end it. */
static void
by_surviving(void)
{
	kill(getpid(), SIGPIPE);
	kill(getpid(), SIGTERM);
	in_second();
}

static void *
fault_in_thread(void *nothing)
{
	in_thread();
	by_fault();
	return nothing;
}

static void
by_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fault_in_thread, NULL) == 0)
		pthread_join(thread, NULL);
}

/* Another thread has asked that this one ends, which it does when it calls open
 * or write: but the process ends first. */
static void *
fault_in_cancelled_thread(void *nothing)
{
	pthread_cancel(pthread_self());
	by_fault();
	return nothing;
}

static void
by_cancelled(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fault_in_cancelled_thread, NULL) == 0)
		pthread_join(thread, NULL);
}

/* An alternate stack with room for the kernel's frame of AVX-512, and not for
 * our work; nothing is below it. */
static void
by_small_stack(void)
{
	char *pages = mmap(NULL, 12288, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const stack_t stack = {.ss_sp = pages + 4096, .ss_size = 6144};

	mprotect(pages, 4096, PROT_NONE);
	sigaltstack(&stack, NULL);
	kill(getpid(), SIGTERM);
}

/* A child that has the memory of its parent. */
static void
by_vfork(void)
{
	pid_t child = vfork();

	if (child == 0) {
		kill(getpid(), SIGTERM);
		_exit(0);
	}
	int status = 0;
	waitpid(child, &status, 0);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM)
		exit(4);
	in_second();
}

static void
by_second(void)
{
	if (prf_monitor(__executable_start, etext, "second") < 0)
		exit(3);
	in_second();
}

static void
by_replacement(void)
{
	static uint16_t counter;

	if (prf_profil(prf_dialect_svr4(), &counter, sizeof counter, 0, 2) < 0)
		exit(3);
	in_second();
}

static const struct {
	const char *name;
	void (*end)(void);
} ends[] = {
	{"return", by_return},
	{"_exit", by_exit_now},
	{"now", by_call},
	{"limit", by_limit},
	{"now_at_limit", by_call_at_limit},
	{"fork", by_fork},
	{"grandchild", by_grandchild},
	{"idle_child", by_idle_child},
	{"flush", by_flush},
	{"segv", by_fault},
	{"abort", abort},
	{"int", by_int},
	{"term", by_term},
	{"survives", by_surviving},
	{"thread", by_thread},
	{"cancelled", by_cancelled},
	{"vfork", by_vfork},
	{"small_stack", by_small_stack},
	{"second", by_second},
	{"replaced", by_replacement},
};

int
main(int argc, char **argv)
{
	const char *path = strcmp(argv[1], "NULL") == 0 ? NULL : argv[1];

	(void)argc;
	/* Whoever runs tests may ignore them. */
	signal(SIGINT, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (prf_monitor(__executable_start, etext, path) < 0) {
		perror("prf_monitor");
		return 2;
	}
	/* Where the file is to be does not change with it. */
	if (chdir("elsewhere") < 0)
		return 3;
	in_parent();
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (strcmp(argv[2], ends[i].name) == 0)
			ends[i].end();
	return 0;
}
