/* periodic - does different work in the two halves of the kernel's tick.
 *
 *	periodic [SECONDS [OFFSET]]
 *
 * For SECONDS (1) of CPU time it looks at the clock again and again: in one half
 * of each of the kernel's ticks it works in first_half(), in the other one in
 * second_half().  OFFSET (0), from 0 to 1, is where in a tick the first half
 * begins.  Who looks at it at every tick, or at any number of them, sees but one
 * half.  Prints their shares of the CPU time of the process in percent:
 *
 *	first_half P
 *	second_half P
 *	cpu_seconds S */
#include "work.h"

#include <stdbool.h>

/* Long enough for the clock to be little of it, short for a half of a tick. */
enum { SLICE_US = 5 };

static APART void
first_half(void)
{
	spend(SLICE_US * TURNS_PER_US, 1);
}

static APART void
second_half(void)
{
	spend(SLICE_US * TURNS_PER_US, 2);
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 1.0);
	double offset = number(argc, argv, 2, 0);
	uint64_t n_first = 0, n_second = 0, all_ns;
	struct timespec tick;

	/* The coarse clock moves with the kernel's tick. */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick))
		die("clock_getres");
	uint64_t tick_ns = (uint64_t)tick.tv_nsec;
	uint64_t shift_ns = (uint64_t)((1 - offset) * (double)tick_ns);

	struct budget time = budget(quota_ns);
	while (is_left(&time)) {
		if ((wall_ns() + shift_ns) % tick_ns < tick_ns / 2) {
			first_half();
			n_first++;
		} else {
			second_half();
			n_second++;
		}
	}
	all_ns = process_ns();
	printf("first_half %.3f\nsecond_half %.3f\n",
	       percent(n_first, n_first + n_second),
	       percent(n_second, n_first + n_second));
	printf("cpu_seconds %.6f\n", seconds(all_ns));
	return 0;
}
