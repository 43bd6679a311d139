/* gaps.h - when a thread is looked at, and what a look is worth.  Pure.
 *
 * A thread's CPU time is divided into strata of equal length, and each has one
 * look, at a random moment: any with the same chance, so that nothing can be in
 * step with the looks.  A function that runs for many strata has as many looks,
 * or one more or less; with moments that know nothing of each other it would be
 * off by the square root of that.
 *
 * But then a look seldom comes soon after another, and that must not matter.
 * Where threads wait for a processor, it does: a stop costs a thread its turn,
 * and when it runs again it may have to catch up with what it missed.  That would
 * be seen too rarely.  Such a thread has gaps with an exponential distribution
 * instead: whatever has happened, the chance of a look is the same at every
 * moment. */
#ifndef PRF_LIVE_GAPS_H
#define PRF_LIVE_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "live/taskclock.h"

enum {
	/* Looks are no closer together. */
	PRF_GAPS_FLOOR_NS = 2 * PRF_TASKCLOCK_MIN_NS,
	/* Strata become no longer than that to keep pace. */
	PRF_GAPS_LONGEST_NS = 20000000,
};

struct prf_gaps {
	uint64_t period_ns; /* of a tick */
	uint32_t worth;     /* of a look, in ticks; a stratum has as many */
	uint32_t least_worth;
	uint64_t random;
	uint64_t wall_ns, own_cpu_ns; /* when the pace was last looked into */
};

/* One thread's time up to its next look, by its own CPU clock. */
struct prf_gap {
	uint64_t due_ns;  /* the moment for the look */
	uint64_t paid_ns; /* so far the ticks will stand for all its time */
	uint32_t worth;   /* of that look */
	bool memoryless;  /* the moment is one of any time, not of a stratum */
	bool crowded;     /* those after this one are to be such */
	uint64_t waited_ns; /* for a processor, when that was last told */
};

void prf_gaps_init(struct prf_gaps *gaps, uint64_t period_ns, uint64_t seed);

/* The first gap of a thread, from zero on. */
struct prf_gap prf_gaps_begin(struct prf_gaps *gaps);

/* The thread is looked at when its clock says NOW_NS: how many ticks that is
 * worth, those of all looks that were due by now.  *GAP becomes the next. */
uint32_t prf_gaps_take(struct prf_gaps *gaps, struct prf_gap *gap,
		       uint64_t now_ns);

/* For how long a thread that is stopped at NOW_NS is to run. */
uint64_t prf_gaps_wait_ns(const struct prf_gap *gap, uint64_t now_ns);

/* The thread has waited for a processor for WAITED_NS in its life, and since
 * that was last told it had N_LOOKS.  Says how its gaps are drawn from now on. */
void prf_gaps_note_waits(const struct prf_gaps *gaps, struct prf_gap *gap,
			 uint64_t waited_ns, unsigned n_looks);

/* It is WALL_NS, and the tracer has run for OWN_CPU_NS.  Looks become rarer, and
 * worth more, while that is more than half of the time, or the tracer would let
 * no thread come on; and they become more again. */
void prf_gaps_keep_pace(struct prf_gaps *gaps, uint64_t wall_ns,
			uint64_t own_cpu_ns);

#endif
