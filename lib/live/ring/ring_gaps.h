/* ring_gaps.h - when the kernel is to sample a thread, and how many ticks each
 * sample is worth.  Pure.
 *
 * The kernel repeats a period until it is told another, and tells of samples
 * several at a time.  A thread's CPU time is divided into strata of equal
 * length, the first of which begins at a random moment, and each has one
 * sample.  Where in its stratum the sample lies moves a little from each to the
 * next, toward a place that is drawn at random whenever the kernel has told of
 * samples: so nothing can run in step with them for long. */
#ifndef PRF_LIVE_RING_RING_GAPS_H
#define PRF_LIVE_RING_RING_GAPS_H

#include <stdbool.h>
#include <stdint.h>

struct prf_ring_gaps {
	uint64_t mean_ns; /* between two samples: a stratum */
	uint32_t worth;   /* of a sample, in ticks */
	uint32_t
		n_at_once; /* samples of which the kernel is to tell together */
	uint64_t random;
};

/* One thread's, by the clock that its event counts. */
struct prf_ring_gap {
	uint64_t due_ns;  /* when the next stratum begins */
	uint64_t last_ns; /* when the last sample was taken */
};

void prf_ring_gaps_init(struct prf_ring_gaps *gaps, uint64_t period_ns,
			uint64_t seed);

/* The strata of a thread whose clock is at zero.  Returns the first period. */
uint64_t prf_ring_gaps_begin(struct prf_ring_gaps *gaps,
			     struct prf_ring_gap *gap);

/* The kernel has sampled the thread when its clock said NOW_NS.  Returns how
 * many ticks that is worth: those of all strata that have begun since the last
 * one.  0: that one was in the same stratum. */
uint32_t prf_ring_gaps_take(const struct prf_ring_gaps *gaps,
			    struct prf_ring_gap *gap, uint64_t now_ns);

/* How many ticks would a sample at NOW_NS be worth? */
uint32_t prf_ring_gaps_owed(const struct prf_ring_gaps *gaps,
			    const struct prf_ring_gap *gap, uint64_t now_ns);

/* The period from now on. */
uint64_t prf_ring_gaps_redraw(struct prf_ring_gaps *gaps,
			      const struct prf_ring_gap *gap);

#endif
