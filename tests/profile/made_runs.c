#include "profile/made_runs.h"

#include <math.h>

double
made_uniform(struct random *random)
{
	return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
}

double
made_normal(struct random *random)
{
	return sqrt(-2 * log(made_uniform(random))) *
	       cos(2 * acos(-1) * made_uniform(random));
}

struct prf_count
made_run(struct random *random, const double *shares, size_t n, double spread,
	 size_t samples, unsigned weight, struct prf_count *counts)
{
	enum { MOST = 200 };
	double ends[MOST], sum = 0;
	struct prf_count all = {0};

	for (size_t i = 0; i < n && i < MOST; i++) {
		counts[i] = (struct prf_count){0};
		sum += shares[i] * exp(spread * made_normal(random));
		ends[i] = sum;
	}
	while (samples--) {
		double at = made_uniform(random) * sum;
		size_t i = 0;

		while (ends[i] < at && i + 1 < n)
			i++;
		prf_count_add(&counts[i], weight, 0);
		prf_count_add(&all, weight, 0);
	}
	return all;
}
