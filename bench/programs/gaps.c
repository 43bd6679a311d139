/* gaps - what is taken from a program that only looks at a clock.
 *
 *	gaps [SECONDS [wall|cpu]]
 *
 * Reads the wall clock, or the CPU clock of its thread, without pause until that
 * has advanced by SECONDS (1).  Between two readings lie some ten or some hundred
 * nanoseconds; what is longer than 1 us was taken: by an interrupt, a stop,
 * another program; or, by the CPU clock, is what the kernel did at the thread's
 * expense.  Gaps from 1 ms on are another program's turn on this CPU and are
 * counted apart: no look at a program takes so long.  Prints
 *
 *	gaps N
 *	gap_seconds S	of gaps from 1 us to 1 ms
 *	away N		gaps from 1 ms on
 *	away_seconds S
 *	cpu_seconds S */
#include "work.h"

#include <string.h>

#define SHORTEST_NS 1000u
#define LONGEST_NS 1000000u

/* The CPU clock is read without libc: what a profiler does to learn a library's
 * names is no part of the question. */
static uint64_t
read_clock(clockid_t clock)
{
#ifdef __x86_64__
	if (clock == CLOCK_THREAD_CPUTIME_ID) {
		struct timespec now;
		long result;

		__asm__ volatile("syscall"
				 : "=a"(result)
				 : "0"((long)SYS_clock_gettime),
				   "D"((long)clock), "S"(&now)
				 : "rcx", "r11", "memory");
		if (result)
			die("clock_gettime");
		return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
	}
#endif
	return clock_ns(clock);
}

struct gaps {
	uint64_t n, ns;
};

static void
add(struct gaps *gaps, uint64_t ns)
{
	gaps->n++;
	gaps->ns += ns;
}

int
main(int argc, char **argv)
{
	int by_cpu = !strcmp(word(argc, argv, 2, "wall"), "cpu");
	clockid_t clock = by_cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
	uint64_t now = read_clock(clock);
	uint64_t end = now + number_ns(argc, argv, 1, 1.0);
	struct gaps taken = {0}, away = {0};

	while (now < end) {
		uint64_t then = now;

		now = read_clock(clock);
		if (now - then >= SHORTEST_NS)
			add(now - then < LONGEST_NS ? &taken : &away,
			    now - then);
	}
	printf("gaps %llu\n", (unsigned long long)taken.n);
	printf("gap_seconds %.9f\n", seconds(taken.ns));
	printf("away %llu\n", (unsigned long long)away.n);
	printf("away_seconds %.9f\n", seconds(away.ns));
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
