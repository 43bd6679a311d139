#include "profile/count.h"

#include <math.h>

/* The squares of a tick's sample, which the samples of one tick have, too. */
static double
weight_of(uint64_t ticks, double squares)
{
	return ticks ? fmax(squares / (double)ticks, 1) : 1;
}

/* One end of Wilson's score interval: the shares below which (SIGN < 0), or
 * above which, K of N samples or more extreme would be less likely than the
 * normal distribution is beyond Z. */
static double
end_of(double k, double n, double z, double sign)
{
	const double z2 = z * z;
	double spread = z * sqrt(k * (n - k) / n + z2 / 4);

	return (k + z2 / 2 + sign * spread) / (n + z2);
}

double
prf_count_samples(const struct prf_count *count)
{
	return (double)count->ticks / weight_of(count->ticks, count->squares);
}

struct prf_sampled
prf_count_sampled(const struct prf_count *count, const struct prf_count *total)
{
	double weight = fmax(weight_of(count->ticks, count->squares),
			     weight_of(total->ticks - count->ticks,
				       total->squares - count->squares));

	return (struct prf_sampled){
		.k = (double)count->ticks / weight,
		.n = (double)total->ticks / weight,
	};
}

struct prf_interval
prf_sampled_interval(const struct prf_sampled *sampled, double z)
{
	double k = sampled->k, n = sampled->n;

	if (!(n > 0))
		return (struct prf_interval){0, 1};
	/* Without half a sample more on either side, shares of which 0 or 1
	 * samples are expected would be inside of too few intervals. */
	return (struct prf_interval){
		.lo = k > 0.5 ? end_of(k - 0.5, n, z, -1) : 0,
		.hi = k + 0.5 < n ? end_of(k + 0.5, n, z, 1) : 1,
	};
}

struct prf_interval
prf_count_interval(const struct prf_count *count, const struct prf_count *total)
{
	const struct prf_sampled sampled = prf_count_sampled(count, total);

	return prf_sampled_interval(&sampled, PRF_Z_95);
}

struct prf_interval
prf_interval_widen(struct prf_interval interval, double doubt)
{
	return (struct prf_interval){
		.lo = fmax(interval.lo - doubt, 0),
		.hi = fmin(interval.hi + doubt, 1),
	};
}

double
prf_doubt_of(uint64_t part, uint64_t whole)
{
	return part < whole ? (double)part / (double)whole : part > 0;
}
