/* gaps - what is taken from a program that only looks at a clock.
 *
 *	gaps [SECONDS [wall|cpu [each]]]
 *
 * Reads the wall clock, or the CPU clock of its thread, without pause until that
 * has advanced by SECONDS (1), and finds the gaps in it (gaps.h).  Gaps from 1 ms
 * on are another program's turn on this CPU and are counted apart: no look at a
 * program takes so long.  Prints
 *
 *	gaps N
 *	gap_seconds S	of gaps from 1 us to 1 ms
 *	away N		gaps from 1 ms on
 *	away_seconds S
 *	cpu_seconds S
 *
 * and with "each" the gaps themselves. */
#include "gaps.h"

#define AWAY_NS 1000000u

struct sum {
	uint64_t n, ns;
};

static void
add(struct sum *sum, uint64_t ns)
{
	sum->n++;
	sum->ns += ns;
}

static void
print_sums(const struct gaps *gaps)
{
	struct sum taken = {0}, away = {0};

	for (size_t i = 0; i < gaps->n; i++) {
		uint64_t ns = gaps->list[i].end_ns - gaps->list[i].start_ns;

		add(ns < AWAY_NS ? &taken : &away, ns);
	}
	printf("gaps %llu\n", (unsigned long long)taken.n);
	printf("gap_seconds %.9f\n", seconds(taken.ns));
	printf("away %llu\n", (unsigned long long)away.n);
	printf("away_seconds %.9f\n", seconds(away.ns));
}

int
main(int argc, char **argv)
{
	static struct gaps gaps;
	int by_cpu = !strcmp(word(argc, argv, 2, "wall"), "cpu");

	find_gaps(&gaps, by_cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC,
		  number_ns(argc, argv, 1, 1.0));
	print_sums(&gaps);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	if (!strcmp(word(argc, argv, 3, ""), "each"))
		print_gaps(&gaps);
	return 0;
}
