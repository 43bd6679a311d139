/* variation.h - how much shares vary from run to run of one program.
 *
 * No two runs do quite the same: memory lies elsewhere, caches are shared with
 * others, hashes have other seeds.  So the share of a function varies by more
 * than the chance of samples. */
#ifndef PRF_PROFILE_VARIATION_H
#define PRF_PROFILE_VARIATION_H

#include <stddef.h>

#include "core/attr.h"
#include "profile/count.h"

/* All zero: by the chance of samples alone. */
struct prf_variation {
	/* The variance, from run to run, of the log-odds of a share,
	 * log(share / (1 - share)), which is about the same for all functions
	 * of a program; its root is, for small shares, the part by which a share
	 * varies. */
	double square;
	/* No run is worth more than 1/LUMP samples, however many there are:
	 * time comes in lumps, and small functions vary by more. */
	double lump;
};

/* How many of the samples' own variance a share of P has, measured by N samples
 * of one run. */
double prf_variation_times(const struct prf_variation *variation, double p,
			   double n);

/* What is known of one function. */
struct prf_varying {
	/* Its variance is so many of what the others tell; with one run on each
	 * side, of what its samples do. */
	double times;
	double df; /* for how many degrees of freedom; may be INFINITY */
};

/* Of one run on each side: PAIRS[2 * i] is what function I has in the old run,
 * PAIRS[2 * i + 1] in the new one, and VARYING[i] what is known of it already.
 * Most functions are taken to be as they were, and to tell by their differences
 * how much the runs vary besides, within what programs usually do.  -ENOMEM. */
int prf_variation_of_pair(const struct prf_sampled *pairs,
			  const struct prf_varying *varying, size_t n_functions,
			  struct prf_variation *variation) PRF_MUST_CHECK;

/* Several runs, of which at least one side has two. */
struct prf_variation_runs {
	size_t n_old, n_new; /* the old ones come first */
	size_t n_functions;
	const struct prf_sampled *sampled; /* [function * runs + run] */
};

/* VARIATION by RUNS, and VARYING of each of their functions: its own variance,
 * as far as so few runs tell it, and for the rest that of all others (Smyth's
 * moderated variance). */
void prf_variation_of_runs(const struct prf_variation_runs *runs,
			   struct prf_variation *variation,
			   struct prf_varying *varying);

#endif
