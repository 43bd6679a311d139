/* gaps - what is taken from a program that only looks at a clock.
 *
 *	gaps [SECONDS [wall|cpu]]
 *
 * Reads the wall clock, or the CPU clock of its thread, without pause until that
 * has advanced by SECONDS (1), and finds the gaps in it (gaps.h).  Before, it
 * spends a quarter of that time in libc and as much with its clock, so that a
 * profiler has read the names of what it finds later.  Prints what watch_clock()
 * does. */
#include "gaps.h"

static void
settle(struct gaps *gaps, clockid_t clock, uint64_t time_ns)
{
	uint64_t end_ns = process_ns() + time_ns / 4;

	while (process_ns() < end_ns)
		memset(gaps, 1, sizeof *gaps);
	find_gaps(gaps, clock, time_ns / 4);
}

int
main(int argc, char **argv)
{
	static struct gaps gaps;
	clockid_t clock = clock_of_name(word(argc, argv, 2, "wall"));
	uint64_t time_ns = number_ns(argc, argv, 1, 1.0);

	settle(&gaps, clock, time_ns);
	watch_clock(&gaps, clock, time_ns);
	return 0;
}
