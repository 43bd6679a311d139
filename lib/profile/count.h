/* count.h - ticks, and how far to trust them. */
#ifndef PRF_PROFILE_COUNT_H
#define PRF_PROFILE_COUNT_H

#include <stdint.h>

/* How often something was seen.  A sample can stand for several ticks; the sum
 * of their squares is what the statistical error comes from.  Ticks that are
 * certain count as a sample each. */
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

/* The statistical error of COUNT's share of TOTAL: half the width of its 95 %
 * confidence interval, as a part of 1.  Samples that stand for several ticks
 * count as what they are, one sample. */
double prf_count_error(const struct prf_count *count,
		       const struct prf_count *total);

#endif
