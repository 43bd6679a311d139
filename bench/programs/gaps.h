/* gaps.h - what is taken from a thread that reads a clock without pause.
 *
 * Between two readings lie some ten or some hundred nanoseconds; what is longer
 * than 1 us was taken: by an interrupt, a stop, another program; or, by a CPU
 * clock, is what the kernel did at the thread's expense. */
#ifndef PRF_BENCH_GAPS_H
#define PRF_BENCH_GAPS_H

#include <string.h>
#include <unistd.h>

#include "work.h"

#define SHORTEST_GAP_NS 1000u
#define MOST_GAPS 131072u

struct gap {
	uint64_t start_ns, end_ns; /* the wall clock before and after */
	uint64_t taken_ns;         /* by the clock that was asked for */
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

struct moment {
	uint64_t wall_ns, clock_ns;
};

static inline struct moment
read_moment(clockid_t clock)
{
	uint64_t wall_ns = read_clock(CLOCK_MONOTONIC);

	return (struct moment){wall_ns, clock == CLOCK_MONOTONIC
						? wall_ns
						: read_clock(clock)};
}

/* Of what is taken between two moments, the wall clock tells when it was over
 * if it is read once more.  An interrupt and the stop that follows it can lie in
 * two gaps: those that touch are one. */
static inline void
add_gap(struct gaps *gaps, struct moment start, struct moment end)
{
	struct gap *last = &gaps->list[gaps->n - 1];
	uint64_t end_ns = read_clock(CLOCK_MONOTONIC);
	uint64_t taken_ns = end.clock_ns - start.clock_ns;

	if (gaps->n > 0 && last->end_ns >= start.wall_ns) {
		last->end_ns = end_ns;
		last->taken_ns += taken_ns;
		return;
	}
	if (gaps->n == MOST_GAPS) {
		fputs("too many gaps: this clock is slow to read\n", stderr);
		exit(99);
	}
	gaps->list[gaps->n++] = (struct gap){start.wall_ns, end_ns, taken_ns};
}

/* Reads CLOCK until that has advanced by TIME_NS. */
static inline void
find_gaps(struct gaps *gaps, clockid_t clock, uint64_t time_ns)
{
	struct moment now;
	uint64_t end_ns;

	memset(gaps, 1, sizeof *gaps); /* no page of it is missing later */
	gaps->n = 0;
	now = read_moment(clock);
	end_ns = now.clock_ns + time_ns;
	gaps->began_ns = now.wall_ns;
	while (now.clock_ns < end_ns) {
		struct moment then = now;

		now = read_moment(clock);
		if (now.clock_ns - then.clock_ns >= SHORTEST_GAP_NS)
			add_gap(gaps, then, now);
	}
	gaps->ended_ns = now.wall_ns;
}

/* Prints, in ns: the times are the wall clock's, TAKEN is the other one's,
 *
 *	began T
 *	ended T
 *	gap START END TAKEN	each */
static inline void
print_gaps(const struct gaps *gaps)
{
	printf("began %llu\n", (unsigned long long)gaps->began_ns);
	printf("ended %llu\n", (unsigned long long)gaps->ended_ns);
	for (size_t i = 0; i < gaps->n; i++)
		printf("gap %llu %llu %llu\n",
		       (unsigned long long)gaps->list[i].start_ns,
		       (unsigned long long)gaps->list[i].end_ns,
		       (unsigned long long)gaps->list[i].taken_ns);
}

/* WALL or CPU: the wall clock, or that of this thread. */
static inline clockid_t
clock_of_name(const char *name)
{
	return strcmp(name, "cpu") ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
}

/* Finds the gaps of TIME_NS and prints them, after
 *
 *	cpu_seconds S		its CPU time meanwhile
 *	parent_cpu_seconds S	that of the process that has started it, which
 *				may be a profiler */
static inline void
watch_clock(struct gaps *gaps, clockid_t clock, uint64_t time_ns)
{
	uint64_t cpu, parents_cpu;
	clockid_t parents;

	if (clock_getcpuclockid(getppid(), &parents))
		die("the parent's clock");
	cpu = process_ns();
	parents_cpu = clock_ns(parents);
	find_gaps(gaps, clock, time_ns);
	parents_cpu = clock_ns(parents) - parents_cpu;
	printf("cpu_seconds %.6f\n", seconds(process_ns() - cpu));
	printf("parent_cpu_seconds %.6f\n", seconds(parents_cpu));
	print_gaps(gaps);
}

#endif
