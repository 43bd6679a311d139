/* count.h - ticks, and how far to trust them. */
#ifndef PRF_VIEW_COUNT_H
#define PRF_VIEW_COUNT_H

#include <stdint.h>

/* How often something was seen.  A look can stand for several ticks; the sum
 * of their squares is what the statistical error comes from.  Those that are
 * certain count as a look each. */
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

/* The statistical error of COUNT's share of TOTAL: half the width of its 95 %
 * confidence interval, as a part of 1.  Looks that stand for several ticks
 * count as what they are, one look. */
double prf_count_error(const struct prf_count *count,
		       const struct prf_count *total);

#endif
