/* sides.h - the samples of a key (a function or the like) in old runs and in new
 * ones, how far to trust them, and how far apart they are. */
#ifndef PRF_PROFILE_SIDES_H
#define PRF_PROFILE_SIDES_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/count.h"

struct prf_side {
	struct prf_sampled seen; /* the samples of all its runs */
	double times;            /* its variance is so many of theirs */
};

struct prf_sides {
	struct prf_side old, new;
	double df; /* degrees of freedom that their variance has */
};

/* Runs, of which the first N_OLD are old. */
struct prf_sides_runs {
	size_t n_old, n;
	const struct prf_count *totals; /* of each */
	bool is_beside; /* a key is not in the totals, but beside them */
};

/* One more run has SAMPLED of it. */
void prf_sides_add(struct prf_sides *sides, const struct prf_sampled *sampled,
		   bool is_new);
/* SIDES, of a key that has COUNTS in RUNS. */
struct prf_sides prf_sides_in(const struct prf_sides *sides,
			      const struct prf_count *counts,
			      const struct prf_sides_runs *runs);

/* As many samples as would vary by themselves as much as the runs do. */
struct prf_sampled prf_side_worth(const struct prf_side *side);
/* Parts of 1. */
double prf_side_share(const struct prf_side *side);
/* A side of which little is known is not less of it: its few samples may be the
 * ones that came in a lump. */
double prf_sides_share(const struct prf_sides *sides);
/* The standard deviation of the shares' difference, if they were the same. */
double prf_sides_spread(const struct prf_sides *sides);
/* The difference of the shares, new - old, by that; 0 where nothing is known. */
double prf_sides_deviation(const struct prf_sides *sides);

#endif
