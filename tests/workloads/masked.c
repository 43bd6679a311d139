/* masked - blocks every signal and looks for those nobody sent.
 *
 *	masked [SECONDS [libc|raw|kept [OTHERS]]]
 *
 * Blocks all signals, as libc lets a program (libc: all but those it keeps for
 * itself), or by the system call, all 64 (raw); takes SECONDS (1) of CPU time in
 * burn_masked(), and asks every 100 us or so with sigtimedwait() whether one is
 * pending (kept: as libc, but accepts none).  Nobody sends any.  OTHERS (0) threads beside it block nothing, and
 * take SECONDS each in burn_open().  Prints
 *
 *	polls N
 *	received N		0
 *	received_signal NUMBER	the last of them, if any
 *	pending N		at the end; 0
 *	cpu_seconds S */
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#define MOST 64

static APART void
burn_masked(uint64_t turns)
{
	spend(turns, 1);
}

static APART void
burn_open(uint64_t quota_ns)
{
	struct budget time = budget(quota_ns);

	while (is_left(&time))
		spend(100 * TURNS_PER_US, 2);
}

static void *
work_openly(void *quota_ns)
{
	burn_open(*(const uint64_t *)quota_ns);
	return NULL;
}

/* By the system calls, with 64 bits: libc leaves out what it keeps. */
static void
block_raw(void)
{
	uint64_t all = ~UINT64_C(0);

	if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all))
		die("rt_sigprocmask");
}

static int
poll_raw(void)
{
	const struct timespec none = {0};
	uint64_t all = ~UINT64_C(0);

	return (int)syscall(SYS_rt_sigtimedwait, &all, NULL, &none, sizeof all);
}

static void
block_by_libc(void)
{
	sigset_t all;

	sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, NULL))
		die("sigprocmask");
}

static int
poll_by_libc(void)
{
	const struct timespec none = {0};
	sigset_t all;

	sigfillset(&all);
	return sigtimedwait(&all, NULL, &none);
}

static int
poll_none(void)
{
	return 0;
}

static unsigned
count_pending(void)
{
	unsigned n = 0;
	sigset_t set;

	sigpending(&set);
	for (int number = 1; number < NSIG; number++)
		n += sigismember(&set, number) == 1;
	return n;
}

static const struct way {
	const char *name;
	void (*block)(void);
	int (*poll)(void);
} ways[] = {
	{"libc", block_by_libc, poll_by_libc},
	{"raw", block_raw, poll_raw},
	{"kept", block_by_libc, poll_none},
};

static const struct way *
find_way(const char *name)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(name, ways[i].name))
			return &ways[i];
	return NULL;
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0), random = 88172645463;
	const struct way *way = find_way(word(argc, argv, 2, "libc"));
	int last = 0;
	unsigned polls = 0, received = 0;
	size_t n_others = (size_t)number(argc, argv, 3, 0);
	pthread_t others[MOST];

	if (!way || n_others > MOST)
		usage(argv[0], "[SECONDS [libc|raw|kept [OTHERS]]]");
	for (size_t i = 0; i < n_others; i++)
		if (pthread_create(&others[i], NULL, work_openly, &quota_ns))
			die("pthread_create");
	way->block();
	struct budget time = budget(quota_ns);
	do {
		int number;

		burn_masked(draw_slice(&random));
		number = way->poll();
		polls++;
		if (number <= 0)
			continue;
		received++;
		last = number;
	} while (is_left(&time));
	for (size_t i = 0; i < n_others; i++)
		pthread_join(others[i], NULL);
	printf("polls %u\nreceived %u\n", polls, received);
	if (last)
		printf("received_signal %d\n", last);
	printf("pending %u\n", count_pending());
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
