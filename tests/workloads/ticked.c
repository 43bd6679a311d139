/* ticked - has a timer of its own on its CPU clock, as profilers inside a program
 * do.
 *
 *	ticked [SECONDS]
 *
 * For SECONDS (1) of CPU time it works in work(), and at each of the kernel's
 * ticks the signal of its timer comes, whose handler, handle(), does next to
 * nothing.  Any other timer on the same clock fires at the same moments.  Prints
 * the shares of the CPU time of the process in percent, as far as the handler's is
 * no more than that of a few system calls,
 *
 *	work 100
 *	signals N */
#include "work.h"

#include <signal.h>

/* glibc has no name for it. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { PERIOD_NS = 1000000 };

static volatile sig_atomic_t n_signals;

static APART void
handle(int signal)
{
	(void)signal;
	n_signals++;
}

static APART void
work(uint64_t quota_ns)
{
	struct budget time = budget(quota_ns);

	while (is_left(&time))
		spend(1000 * TURNS_PER_US, 1);
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);
	struct sigaction action = {.sa_handler = handle};
	/* To the thread itself, as ours is sent. */
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGUSR1,
	};
	const struct itimerspec period = {{0, PERIOD_NS}, {0, PERIOD_NS}};
	timer_t timer;

	event.sigev_notify_thread_id = gettid();
	sigfillset(&action.sa_mask);
	if (sigaction(SIGUSR1, &action, NULL) ||
	    timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) ||
	    timer_settime(timer, 0, &period, NULL))
		die("a timer");
	work(quota_ns);
	timer_delete(timer);
	printf("work 100\nsignals %d\n", (int)n_signals);
	return 0;
}
