#include "profile/two_shares.h"

#include <math.h>

struct prf_two_shares
prf_two_shares_of(const struct prf_sampled *old, const struct prf_sampled *new)
{
	return (struct prf_two_shares){
		.old_k = round(old->k),
		.old_n = round(old->n),
		.new_k = round(new->k),
		.new_n = round(new->n),
	};
}

/* --- Fisher's exact test */

static double
log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* That of all samples in question so many are the new side's. */
static double
log_chance(const struct prf_two_shares *shares, double new_k)
{
	double k = shares->old_k + shares->new_k;

	return log_choose(shares->new_n, new_k) +
	       log_choose(shares->old_n, k - new_k) -
	       log_choose(shares->old_n + shares->new_n, k);
}

/* How much likelier one more of the new side's is than NEW_K of them, or, with
 * STEP -1, one less. */
static double
odds_of_step(const struct prf_two_shares *shares, double new_k, double step)
{
	double old_k = shares->old_k + shares->new_k - new_k;

	return step > 0 ? (shares->new_n - new_k) / (new_k + 1) * old_k /
				  (shares->old_n - old_k + 1)
			: new_k / (shares->new_n - new_k + 1) *
				  (shares->old_n - old_k) / (old_k + 1);
}

double
prf_two_shares_log_p(const struct prf_two_shares *shares)
{
	double k = shares->old_k + shares->new_k;
	double n = shares->old_n + shares->new_n;
	double x = shares->new_k;
	double step = x * n >= k * shares->new_n ? 1 : -1;
	double term = 1, sum = 1;

	/* The chances from here outwards, this one being 1. */
	while (term > sum * 1e-17) {
		term *= odds_of_step(shares, x, step);
		sum += term;
		x += step;
	}
	return fmin(0, log(2) + log_chance(shares, shares->new_k) + log(sum));
}

double
prf_two_shares_least_log_p(const struct prf_two_shares *shares)
{
	double k = shares->old_k + shares->new_k;
	double most = fmin(k, shares->new_n);
	double least = fmax(0, k - shares->old_n);

	return fmin(0, log(2) + fmin(log_chance(shares, most),
				     log_chance(shares, least)));
}

/* --- The interval of the difference */

struct prf_interval
prf_two_shares_newcombe(const double share[2],
			const struct prf_interval interval[2])
{
	double change = share[1] - share[0];

	return (struct prf_interval){
		.lo = change - hypot(share[1] - interval[1].lo,
				     interval[0].hi - share[0]),
		.hi = change + hypot(interval[1].hi - share[1],
				     share[0] - interval[0].lo),
	};
}

struct prf_interval
prf_two_shares_change(const struct prf_sampled *old,
		      const struct prf_sampled *new, double z)
{
	const double share[2] = {
		old->n > 0 ? old->k / old->n : 0,
		new->n > 0 ? new->k / new->n : 0,
	};
	const struct prf_interval interval[2] = {
		prf_sampled_interval(old, z),
		prf_sampled_interval(new, z),
	};

	return prf_two_shares_newcombe(share, interval);
}
