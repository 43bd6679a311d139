/* ring_gaps.h - when the kernel is to sample a thread, and how many ticks each
 * sample is worth.  Pure.
 *
 * A thread's CPU time is divided into strata of equal length, and each has one
 * sample, somewhere in it.  The kernel repeats a period until it is told
 * another, and tells of samples several at a time: from each to the next the
 * place in the stratum moves a little, toward one that is drawn at random
 * whenever the kernel has told of samples.  So nothing can run in step with them
 * for long. */
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
	uint64_t paid_ns; /* up to here all strata have had their samples */
	uint64_t due_ns;  /* a sample before that is worth nothing */
	uint64_t last_ns; /* when the last sample was taken */
	bool is_steady;   /* the period has been drawn for what comes */
};

void prf_ring_gaps_init(struct prf_ring_gaps *gaps, uint64_t period_ns,
			uint64_t seed);

/* The strata of a thread whose clock says NOW_NS: the first began at 0.
 * Returns the first period. */
uint64_t prf_ring_gaps_begin(struct prf_ring_gaps *gaps,
			     struct prf_ring_gap *gap, uint64_t now_ns);

/* The kernel has sampled the thread when its clock said NOW_NS.  Returns how
 * many ticks that is worth: those of its stratum, and of any before that have
 * had no sample.  0: its stratum has had one. */
uint32_t prf_ring_gaps_take(struct prf_ring_gaps *gaps,
			    struct prf_ring_gap *gap, uint64_t now_ns);

/* The thread has ended at NOW_NS: how many ticks of whole strata have had no
 * sample? */
uint32_t prf_ring_gaps_owed(const struct prf_ring_gaps *gaps,
			    const struct prf_ring_gap *gap, uint64_t now_ns);

/* The period from now on. */
uint64_t prf_ring_gaps_redraw(struct prf_ring_gaps *gaps,
			      struct prf_ring_gap *gap);

#endif
