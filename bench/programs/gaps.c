/* gaps - what is taken from a program that only looks at a clock.
 *
 *	gaps [SECONDS [wall|cpu]]
 *
 * Reads the wall clock, or the CPU clock of its thread, without pause until that
 * has advanced by SECONDS (1), and finds the gaps in it (gaps.h).  Before, it
 * spends a quarter of that time in libc and as much with its clock, so that a
 * profiler has read the names of what it finds later.  Prints
 *
 *	cpu_seconds S		its CPU time meanwhile
 *	parent_cpu_seconds S	that of the process that has started it, which
 *				may be a profiler
 *
 * and the gaps. */
#include "gaps.h"

#include <unistd.h>

static clockid_t
parents_clock(void)
{
	clockid_t clock;

	if (clock_getcpuclockid(getppid(), &clock))
		die("the parent's clock");
	return clock;
}

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
	int by_cpu = !strcmp(word(argc, argv, 2, "wall"), "cpu");
	clockid_t clock = by_cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
	clockid_t parents = parents_clock();
	uint64_t time_ns = number_ns(argc, argv, 1, 1.0), cpu, parents_cpu;

	settle(&gaps, clock, time_ns);
	cpu = process_ns();
	parents_cpu = clock_ns(parents);
	find_gaps(&gaps, clock, time_ns);
	parents_cpu = clock_ns(parents) - parents_cpu;
	printf("cpu_seconds %.6f\n", seconds(process_ns() - cpu));
	printf("parent_cpu_seconds %.6f\n", seconds(parents_cpu));
	print_gaps(&gaps);
	return 0;
}
