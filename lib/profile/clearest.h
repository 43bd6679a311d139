/* clearest.h - which of many keys differ most between old runs and new ones, one
 * after the other, each in what the runs are without those before it.
 *
 * What is taken out changes by how much all others differ, but each by little, and
 * how much that can be is known: so few of them must be looked at again. */
#ifndef PRF_PROFILE_CLEAREST_H
#define PRF_PROFILE_CLEAREST_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/count.h"
#include "profile/sides.h"

#define PRF_CLEAREST_NONE ((size_t)-1)

/* All keys; they are the caller's. */
struct prf_clearest_keys {
	size_t n_old, n_runs;
	const struct prf_count *counts; /* [key * runs + run] */
	const struct prf_sides *sides;  /* by key; their times count */
	/* Of two that are as clear, as the only two of a program are, it is the
	 * one that has more of this, and then the first. */
	const double *seconds;
};

/* A deviation is no more than AT_0 and SLOPE for each drift of 1. */
struct prf_clearest_bound {
	double at_0, slope;
};

/* All zero: no candidate. */
struct prf_clearest {
	const struct prf_clearest_keys *keys;
	size_t n, *numbers;     /* of the candidates */
	struct prf_count *rest; /* of each run, as it was given last */
	double drift;           /* how far that has come since bounds[]
					 * were made */
	struct prf_clearest_bound *bounds; /* a tree: [1, n) have those of 2 i
					    * and 2 i + 1, [n, 2 n) are those of
					    * the candidates */
	size_t found;                      /* one of these; or NONE */
	double deviation;                  /* its own */
	uint64_t n_measured;               /* deviations, so far */
};

/* CANDIDATES are the numbers of N keys.  -ENOMEM. */
int prf_clearest_init(struct prf_clearest *clearest,
		      const struct prf_clearest_keys *keys,
		      const size_t *candidates, size_t n) PRF_MUST_CHECK;
/* The number of the candidate that differs most in REST of each run, which it is no
 * more from then on; NONE: there is no candidate.  REST has all of them, and
 * less from call to call. */
size_t prf_clearest_take(struct prf_clearest *clearest,
			 const struct prf_count *rest);
void prf_clearest_clear(struct prf_clearest *clearest);

#endif
