#include "profile/count.h"

#include <math.h>

double
prf_count_error(const struct prf_count *count, const struct prf_count *total)
{
	const double z95 = 1.959964;
	double n = (double)total->ticks;

	if (!total->ticks)
		return 0;
	/* Each sample adds w ticks to the total and, with chance p, to the
	 * part: the variance of a ratio of two such sums. */
	double p = (double)count->ticks / n, q = 1 - p;
	double variance = (q * q * count->squares +
			   p * p * (total->squares - count->squares)) /
			  (n * n);

	return z95 * sqrt(variance);
}
