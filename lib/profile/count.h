/* count.h - ticks, and how far to trust them. */
#ifndef PRF_PROFILE_COUNT_H
#define PRF_PROFILE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* A profile has no more ticks: most formats have 63 bits for them, and what is
 * larger than all of them can still be told. */
#define PRF_TICKS_MAX INT64_MAX

/* Has a profile with TICKS room for so many MORE? */
static inline bool
prf_ticks_fit(uint64_t ticks, uint64_t more)
{
	return more <= PRF_TICKS_MAX && ticks <= PRF_TICKS_MAX - more;
}

/* How often something was seen.  A sample can stand for several ticks; the sum
 * of their squares, divided by the ticks, is the weight of a sample in the
 * mean.  Ticks that are certain count as a sample each. */
struct prf_count {
	uint64_t ticks;
	double squares;
};

static inline void
prf_count_add(struct prf_count *count, uint32_t ticks, uint32_t certain)
{
	double likely = (double)ticks - certain;

	count->ticks += ticks;
	count->squares += likely * likely + certain;
}

static inline void
prf_count_merge(struct prf_count *count, const struct prf_count *other)
{
	count->ticks += other->ticks;
	count->squares += other->squares;
}

static inline void
prf_count_subtract(struct prf_count *count, const struct prf_count *part)
{
	count->ticks -= part->ticks;
	count->squares -= part->squares;
}

/* How many samples COUNT is worth: as many of equal weight would have the same
 * statistical error.  Ticks that came late with a sample add none. */
double prf_count_samples(const struct prf_count *count);

/* From LO to HI, as parts of 1: 0 <= LO <= HI <= 1. */
struct prf_interval {
	double lo, hi;
};

/* K of N samples, which are as many of equal weight. */
struct prf_sampled {
	double k, n;
};

/* COUNT among TOTAL, of which it is a part: the total is worth as many samples
 * as there would be if all had the weight of the part's, or of the rest's,
 * whichever is heavier. */
struct prf_sampled prf_count_sampled(const struct prf_count *count,
				     const struct prf_count *total);

/* Beyond it, to both sides, the normal distribution has 5 %. */
#define PRF_Z_95 1.959964

/* Where the true share is: see prf_count_interval(), for the confidence that
 * the normal distribution has between -Z and Z. */
struct prf_interval prf_sampled_interval(const struct prf_sampled *sampled,
					 double z);

/* Where the true share of COUNT in TOTAL, of which it is a part, is with a
 * confidence of 95 %: Wilson's score interval with a correction for continuity.
 * It holds for any number of samples and for shares of 0 and of 1, too. */
struct prf_interval prf_count_interval(const struct prf_count *count,
				       const struct prf_count *total);

/* PART of WHOLE as a number from 0 to 1. */
double prf_doubt_of(uint64_t part, uint64_t whole);
/* INTERVAL, where besides the part DOUBT of the whole (0 to 1) was sampled in a
 * way that may show any of it as anything. */
struct prf_interval prf_interval_widen(struct prf_interval interval,
				       double doubt);

#endif
