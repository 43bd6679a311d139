/* work.h - what the workloads share: work whose time lies in the caller,
 * clocks that say how much of it there was, and the arguments.
 *
 * A workload tells its own truth: it measures itself by the CPU clock of its
 * threads, or counts its work (turns of spend(), which all take the same time)
 * where a look at that clock would disturb what is measured.  It prints lines of `name value`
 * or `what name value` on stdout.  Exit status: 0; 2 for bad arguments; 77 if
 * the machine refuses what it is made of; 99 if it could not set itself up.
 *
 * It needs nothing but libc, so that a test can also build a workload with
 * another compiler, statically, or against another libc. */
#ifndef PRF_WORKLOADS_WORK_H
#define PRF_WORKLOADS_WORK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A function whose share is measured: one symbol, one body, no copies. */
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif

#define NS_PER_S UINT64_C(1000000000)

/* Turns of spend() that take about a microsecond on a machine of today.  Only
 * sizes of slices rest on it, never a truth. */
#define TURNS_PER_US 700u

/* Takes CPU time in the code of the caller, and nowhere else.  Callers with
 * different SEEDs differ, so that no linker folds them into one. */
static inline __attribute__((always_inline)) void
spend(uint64_t turns, uint64_t seed)
{
	for (uint64_t value = seed; turns > 0; turns--) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(value));
	}
}

/* The next of a sequence of random numbers; *STATE starts at any but 0. */
static inline uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* How many turns the next slice has: 10 to 100 us, even odds.  Random, so that
 * no clock can be in step with it. */
static inline uint64_t
draw_slice(uint64_t *state)
{
	return TURNS_PER_US * (10 + draw(state) % 90);
}

static inline __attribute__((noreturn)) void
die(const char *what)
{
	perror(what);
	exit(99);
}

static inline uint64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now))
		die("clock_gettime");
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* CPU time of the calling thread. */
static inline uint64_t
thread_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* CPU time of the process. */
static inline uint64_t
process_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static inline uint64_t
wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* CPU time that is to be spent.
 *
 * To read a CPU clock makes the scheduler look at the time slice of the thread,
 * and end it there if others wait.  A thread that keeps reading its clock is
 * therefore never on the processor at the kernel's tick, and that is where the
 * kernel looks at timers on CPU clocks: they see next to nothing of it.  So
 * what is left is looked at only once so much time has passed by the wall
 * clock, which CPU time is never ahead of (of one thread). */
struct budget {
	clockid_t clock;
	uint64_t end_ns;  /* by that clock */
	uint64_t look_ns; /* by the wall clock: no need to look before */
};

/* TIME_NS of the calling thread, from now on. */
static inline struct budget
budget(uint64_t time_ns)
{
	return (struct budget){
		.clock = CLOCK_THREAD_CPUTIME_ID,
		.end_ns = thread_ns() + time_ns,
		.look_ns = wall_ns() + time_ns,
	};
}

/* Is there something left of it?  It ends late by what the caller does between
 * two questions. */
static inline bool
is_left(struct budget *budget)
{
	uint64_t now_ns = wall_ns(), spent_ns;

	if (now_ns < budget->look_ns)
		return true;
	spent_ns = clock_ns(budget->clock);
	if (spent_ns >= budget->end_ns)
		return false;
	budget->look_ns = now_ns + budget->end_ns - spent_ns;
	return true;
}

static inline double
seconds(uint64_t ns)
{
	return (double)ns / NS_PER_S;
}

static inline double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* The word argv[i], or FALLBACK if there are not so many. */
static inline const char *
word(int argc, char **argv, int i, const char *fallback)
{
	return i < argc ? argv[i] : fallback;
}

/* The number argv[i], from 0 to a million, or FALLBACK. */
static inline double
number(int argc, char **argv, int i, double fallback)
{
	char *end;
	double value;

	if (i >= argc)
		return fallback;
	value = strtod(argv[i], &end);
	if (end == argv[i] || *end != '\0' || !(value >= 0 && value <= 1e6)) {
		fprintf(stderr, "%s: not a number: %s\n", argv[0], argv[i]);
		exit(2);
	}
	return value;
}

/* The same for a time in seconds, as nanoseconds. */
static inline uint64_t
number_ns(int argc, char **argv, int i, double fallback)
{
	return (uint64_t)(number(argc, argv, i, fallback) * NS_PER_S);
}

static inline __attribute__((noreturn)) void
usage(const char *name, const char *arguments)
{
	fprintf(stderr, "usage: %s %s\n", name, arguments);
	exit(2);
}

#endif
