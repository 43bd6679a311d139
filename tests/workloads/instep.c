/* instep - works in bursts that begin at one place in the kernel's tick.
 *
 *	instep [SECONDS [PERIOD [WORK [OFFSET]]]]
 *
 * For SECONDS (1) of CPU time it wakes by the clock, at OFFSET (0.05) of the
 * kernel's tick in each PERIOD (1) of them, and works for about WORK (0.5) ticks:
 * 60 % in head(), then in tail().  What looks at it at the kernel's ticks sees
 * always the same part.  Prints the parts in percent, by count of the work:
 *
 *	head 60
 *	tail 40
 *	bursts N
 *	cpu_seconds S */
#include "work.h"

enum { HEAD_PERCENT = 60, US_OF_MS = 1000 };

static APART void
head(uint64_t turns)
{
	spend(turns, 1);
}

static APART void
tail(uint64_t turns)
{
	spend(turns, 2);
}

static double
tick_ns(void)
{
	struct timespec tick;

	/* The coarse clock moves with the kernel's tick. */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick))
		die("clock_getres");
	return (double)tick.tv_nsec;
}

static double
last_tick_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now))
		die("clock_gettime");
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void
sleep_until(double time_ns)
{
	const struct timespec until = {
		(time_t)(time_ns / 1e9),
		(long)((uint64_t)time_ns % 1000000000),
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);
	double tick = tick_ns(), period = number(argc, argv, 2, 1) * tick;
	double work = number(argc, argv, 3, 0.5) * tick / 1e6 * US_OF_MS;
	double begin = last_tick_ns() + number(argc, argv, 4, 0.05) * tick;
	uint64_t turns = (uint64_t)(work * TURNS_PER_US), n = 0;

	while (process_ns() < quota_ns) {
		/* What was missed is not caught up with. */
		do
			begin += period;
		while (begin < (double)wall_ns());
		sleep_until(begin);
		head(turns * HEAD_PERCENT / 100);
		tail(turns * (100 - HEAD_PERCENT) / 100);
		n++;
	}
	printf("head %d\ntail %d\nbursts %llu\ncpu_seconds %.3f\n",
	       HEAD_PERCENT, 100 - HEAD_PERCENT, (unsigned long long)n,
	       seconds(process_ns()));
	return 0;
}
