/* gaps.h - what is taken from a thread that reads a clock without pause.
 *
 * Between two readings lie some ten or some hundred nanoseconds; what is longer
 * than 1 us was taken: by an interrupt, a stop, another program; or, by a CPU
 * clock, is what the kernel did at the thread's expense. */
#ifndef PRF_BENCH_GAPS_H
#define PRF_BENCH_GAPS_H

#include <string.h>

#include "work.h"

#define SHORTEST_GAP_NS 1000u
#define MOST_GAPS 131072u

struct gap {
	uint64_t start_ns, end_ns; /* the readings before and after */
};

/* Large: static, or shared. */
struct gaps {
	uint64_t began_ns, ended_ns; /* the first reading and the last */
	size_t n;
	struct gap list[MOST_GAPS];
};

/* The CPU clock is read without libc: what a profiler does to learn a library's
 * names is no part of the question. */
static inline uint64_t
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

static inline void
add_gap(struct gaps *gaps, uint64_t start_ns, uint64_t end_ns)
{
	if (gaps->n == MOST_GAPS) {
		fputs("too many gaps: this clock is slow to read\n", stderr);
		exit(99);
	}
	gaps->list[gaps->n++] = (struct gap){start_ns, end_ns};
}

/* Reads CLOCK until that has advanced by TIME_NS. */
static inline void
find_gaps(struct gaps *gaps, clockid_t clock, uint64_t time_ns)
{
	uint64_t now, end;

	memset(gaps, 1, sizeof *gaps); /* no page of it is missing later */
	gaps->n = 0;
	now = read_clock(clock);
	end = now + time_ns;
	gaps->began_ns = now;
	while (now < end) {
		uint64_t then = now;

		now = read_clock(clock);
		if (now - then >= SHORTEST_GAP_NS)
			add_gap(gaps, then, now);
	}
	gaps->ended_ns = now;
}

/* Prints, in ns of the clock,
 *
 *	began T
 *	ended T
 *	gap START END	each */
static inline void
print_gaps(const struct gaps *gaps)
{
	printf("began %llu\n", (unsigned long long)gaps->began_ns);
	printf("ended %llu\n", (unsigned long long)gaps->ended_ns);
	for (size_t i = 0; i < gaps->n; i++)
		printf("gap %llu %llu\n",
		       (unsigned long long)gaps->list[i].start_ns,
		       (unsigned long long)gaps->list[i].end_ns);
}

#endif
