/* two_shares.h - is a share another than it was?  Of two samples, each K of
 * N. */
#ifndef PRF_PROFILE_TWO_SHARES_H
#define PRF_PROFILE_TWO_SHARES_H

#include "profile/count.h"

/* Whole samples of both sides: K of each is in question. */
struct prf_two_shares {
	double old_k, old_n, new_k, new_n;
};

/* OLD and NEW, rounded to whole samples. */
struct prf_two_shares prf_two_shares_of(const struct prf_sampled *old,
					const struct prf_sampled *new);

/* The logarithm of Fisher's exact p-value, to both sides: twice the chance of a
 * difference like this or a larger one in this direction, were both shares
 * the same.  It holds for any number of samples. */
double prf_two_shares_log_p(const struct prf_two_shares *shares);
/* The least that it can be with as many samples in question, however they are
 * divided between both sides. */
double prf_two_shares_least_log_p(const struct prf_two_shares *shares);

/* Where the true change of the share, new - old, is: Newcombe's hybrid of the
 * score intervals of both, for the confidence that the normal distribution has
 * between -Z and Z. */
struct prf_interval prf_two_shares_change(const struct prf_sampled *old,
					  const struct prf_sampled *new,
					  double z);
/* The same of intervals that are known: [0] is the old one. */
struct prf_interval
prf_two_shares_newcombe(const double share[2],
			const struct prf_interval interval[2]);

#endif
