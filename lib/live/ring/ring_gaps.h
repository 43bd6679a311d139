/* ring_gaps.h - when the kernel is to sample a thread, and how many ticks each
 * sample is worth.  Pure.
 *
 * A thread's first sample is taken once, after a time that is drawn: so threads that
 * live for less than a tick have their part.  Beside that the kernel repeats a period
 * until it is told another, and tells of samples several at a time.
 *
 * In the beginning a tick falls due at the first sample, and whenever another tick's
 * time has passed; the kernel is told periods that have a sample come then.  Later it
 * is told another whenever it has told of samples, up to a half longer or shorter than
 * that of ticks: so the next sample can be anywhere, and nothing can run in step with
 * them for long.  Each is worth one tick; what ticks and time are apart makes the next
 * period shorter or longer, so that they stay together. */
#ifndef PRF_LIVE_RING_RING_GAPS_H
#define PRF_LIVE_RING_RING_GAPS_H

#include <stdbool.h>
#include <stdint.h>

struct prf_ring_gaps {
	uint64_t mean_ns; /* between two samples */
	uint32_t worth;   /* of a sample, in ticks */
	uint32_t
		n_at_once; /* samples of which the kernel is to tell together */
	/* Only some time has samples, and the clock counts all of it: each
	 * stands for itself. */
	bool is_partial;
	uint64_t late_ns; /* usually, samples of periods that have been told */
	uint64_t random;
};

/* One thread's, by the clock that its events count. */
struct prf_ring_gap {
	uint64_t first_ns;  /* until the first sample */
	uint64_t period_ns; /* that the kernel repeats, from the beginning on */
	uint64_t due_ns;  /* when it is to be told another, in the beginning */
	uint64_t last_ns; /* when the last sample was taken; 0: none was */
	uint64_t paid_ns; /* the time that its samples stand for */
	uint64_t late_ns; /* usually, from the last sample that the kernel has
			     * told of until it is told the period */
	bool is_steady;   /* the period has been drawn for what comes */
	bool is_drawn;    /* no sample has come since */
	/* When the next tick falls of the time that can have no samples. */
	uint64_t next_unsampled_ns;
};

/* PERIOD_NS: that of ticks; the samples of TOGETHER_NS are told together, where
 * that is a number that makes sense. */
void prf_ring_gaps_init(struct prf_ring_gaps *gaps, uint64_t period_ns,
			uint64_t together_ns, uint64_t seed);

/* A thread whose clock says NOW_NS, which counts from 0: when are the first sample
 * and the second, from now on? */
void prf_ring_gaps_begin(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
			 uint64_t now_ns);

/* The kernel has sampled the thread when its clock said NOW_NS.  Returns how
 * many ticks that is worth: more than those of one sample if some have not come,
 * 0 if it comes too soon. */
uint32_t prf_ring_gaps_take(struct prf_ring_gaps *gaps,
			    struct prf_ring_gap *gap, uint64_t now_ns);

/* The thread has ended at NOW_NS: how many ticks have had no sample? */
uint32_t prf_ring_gaps_owed(const struct prf_ring_gaps *gaps,
			    const struct prf_ring_gap *gap, uint64_t now_ns);

/* So far the thread has run for TIME_NS in all that the event has not counted, and
 * of which there can be no samples.  Returns how many ticks of it are new.  The
 * first falls by chance, so that all threads together have all of theirs, however
 * short each lives and however often this is asked. */
uint32_t prf_ring_gaps_unsampled(const struct prf_ring_gaps *gaps,
				 struct prf_ring_gap *gap, uint64_t time_ns);

/* Has the sample come after which the kernel is to be told another period? */
bool prf_ring_gaps_is_due(const struct prf_ring_gap *gap);

/* The period from now on, where the thread's clock says NOW_NS; 0: as before. */
uint64_t prf_ring_gaps_redraw(struct prf_ring_gaps *gaps,
			      struct prf_ring_gap *gap, uint64_t now_ns);

#endif
