/* masked - blocks every signal and looks for those nobody sent.
 *
 *	masked [SECONDS [libc|raw]]
 *
 * Blocks all signals, as libc lets a program (libc: all but those it keeps for
 * itself), or by the system call, all 64 (raw); takes SECONDS (1) of CPU time in
 * burn_masked(), and asks every 100 us or so with sigtimedwait() whether one is
 * pending.  Nobody sends any.  Prints
 *
 *	polls N
 *	received N		0
 *	received_signal NUMBER	the last of them, if any
 *	cpu_seconds S */
#include "work.h"

#include <signal.h>
#include <string.h>

static APART void
burn_masked(uint64_t turns)
{
	spend(turns, 1);
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

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0), random = 88172645463;
	const char *way = word(argc, argv, 2, "libc");
	int raw = !strcmp(way, "raw"), last = 0;
	unsigned polls = 0, received = 0;

	if (!raw && strcmp(way, "libc"))
		usage(argv[0], "[SECONDS [libc|raw]]");
	(raw ? block_raw : block_by_libc)();
	do {
		int number;

		burn_masked(draw_slice(&random));
		number = (raw ? poll_raw : poll_by_libc)();
		polls++;
		if (number <= 0)
			continue;
		received++;
		last = number;
	} while (thread_ns() < quota_ns);
	printf("polls %u\nreceived %u\n", polls, received);
	if (last)
		printf("received_signal %d\n", last);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
