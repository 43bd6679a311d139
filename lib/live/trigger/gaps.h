/* gaps.h - when a thread is sampled, and how many ticks a sample is worth.
 * Pure.
 *
 * A thread's CPU time is divided into strata of equal length, and each has
 * one sample, at a random moment of it: so nothing can run in step with the
 * samples.  A function that runs for many strata has as many samples, or one
 * more or less; with independent moments the error would be the square root
 * of that number.
 *
 * But then a sample seldom comes soon after another, and that must not
 * matter.  Where threads wait for a processor, it does matter: a stop costs
 * a thread its turn, and when it runs again it may have to catch up with
 * what it missed.  Samples would show that too rarely.  Such a thread has
 * gaps with an exponential distribution instead: whatever has happened, the
 * chance of a sample is the same at every moment. */
#ifndef PRF_LIVE_TRIGGER_GAPS_H
#define PRF_LIVE_TRIGGER_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "live/trigger/taskclock.h"

enum {
	/* Samples are no closer together. */
	PRF_GAPS_FLOOR_NS = 2 * PRF_TASKCLOCK_MIN_NS,
	/* When samples become rarer to keep pace, strata become no longer. */
	PRF_GAPS_LONGEST_NS = 20000000,
};

struct prf_gaps {
	uint64_t period_ns; /* of a tick */
	uint32_t worth;     /* of a sample, in ticks; a stratum is as many */
	uint32_t least_worth;
	uint64_t random;
	uint64_t wall_ns, own_cpu_ns; /* at the last prf_gaps_keep_pace() */
};

/* One thread's time up to its next sample, by its own CPU clock. */
struct prf_gap {
	uint64_t due_ns;  /* the moment of the sample */
	uint64_t paid_ns; /* up to here the ticks will stand for all its time */
	uint32_t worth;   /* of that sample */
	bool memoryless;  /* the gap is exponential: the moment is not one of
			   * a stratum */
	bool crowded;     /* the gaps after this one are to be such */
	uint64_t waited_ns; /* for a processor, at the last
			     * prf_gaps_note_waits() */
};

void prf_gaps_init(struct prf_gaps *gaps, uint64_t period_ns, uint64_t seed);

/* The first gap of a thread, from zero on. */
struct prf_gap prf_gaps_begin(struct prf_gaps *gaps);

/* The thread is sampled when its clock says NOW_NS.  Returns how many ticks
 * that is worth: those of all samples that were due by now. *GAP becomes the
 * next gap. */
uint32_t prf_gaps_take(struct prf_gaps *gaps, struct prf_gap *gap,
		       uint64_t now_ns);

/* For how long a thread that is stopped at NOW_NS is to run. */
uint64_t prf_gaps_wait_ns(const struct prf_gap *gap, uint64_t now_ns);

/* The thread has waited for a processor for WAITED_NS in its life, and has
 * had N_SAMPLES since the last call.  That decides how its gaps are drawn
 * from now on. */
void prf_gaps_note_waits(const struct prf_gaps *gaps, struct prf_gap *gap,
			 uint64_t waited_ns, unsigned n_samples);

/* It is WALL_NS, and the tracer has run for OWN_CPU_NS.  While it runs for
 * more than half of the time, samples become rarer, and worth more, or the
 * tracer would leave the threads no time; later they become more frequent
 * again. */
void prf_gaps_keep_pace(struct prf_gaps *gaps, uint64_t wall_ns,
			uint64_t own_cpu_ns);

#endif
