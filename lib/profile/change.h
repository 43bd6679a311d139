/* change.h - what has changed from old runs to new ones, and whether that is
 * more than chance: of functions, or of anything else that ticks are counted
 * by.
 *
 * Shares of the runs are compared, so that a machine that is slower as a whole
 * changes nothing.  The statistics are in variation.h (how much runs vary),
 * two_shares.h (the test, the interval) and discoveries.h (many tests). */
#ifndef PRF_PROFILE_CHANGE_H
#define PRF_PROFILE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "profile/count.h"
#include "profile/course.h"
#include "profile/variation.h"

/* Of the changes that are called so, no more than this part is chance. */
#define PRF_CHANGE_LEVEL 0.05

/* What is compared; a "key" is a function or the like. */
struct prf_change_runs {
	size_t n_old, n_new;            /* runs, at least one each; the old ones
					 * come first */
	const struct prf_count *totals; /* of each run */
	const double *tick_s;           /* seconds that a tick of it is */
	size_t n_keys;
	const struct prf_count *counts; /* [key * runs + run] */
	/* Of each run, when its keys had their ticks; NULL: not known.  It is of
	 * use with one run on each side. */
	const struct prf_course *courses;
	/* Of each run what did not change, by an earlier comparison: then keys
	 * may hold one another, as functions with all that they call do.  NULL:
	 * every tick is of one key at most. */
	const struct prf_count *rest;
};

enum prf_change_verdict {
	PRF_CHANGE_NONE, /* none that is more than chance */
	PRF_CHANGE_SLOWER,
	PRF_CHANGE_FASTER,
	/* Its share is another because others have changed, or the whole run
	 * has: beside what did not change it is as it was, or its time went the
	 * other way. */
	PRF_CHANGE_SHARE,
	PRF_N_CHANGE_VERDICTS,
};

struct prf_change {
	double old_share, new_share; /* parts of 1 */
	double old_s, new_s;         /* seconds of one run, in the mean */
	struct prf_interval change;  /* of the share, with 95 % confidence */
	/* By itself: the chance of such a difference, or a larger one, between
	 * runs of the same program; its logarithm. */
	double log_p;
	double rate; /* see struct prf_question; 1 where it was not asked */
	bool asked;  /* has it samples enough to tell any change? */
	enum prf_change_verdict verdict;
};

/* All zero: nothing was compared. */
struct prf_changes {
	struct prf_change *all; /* by their keys */
	size_t n;
	size_t n_asked, n_certain; /* certain: slower or faster */
	struct prf_variation variation;
	struct prf_varying typical; /* of those that were asked: the medians */
	double asked_share;         /* of those, in the mean of both sides */
	/* Of each run: what is in no key that is slower or faster. */
	struct prf_count *rest;
	double old_n, new_n; /* samples of each side, and of one of its runs */
	double old_run_n, new_run_n;
};

/* Compares RUNS.  -ENOMEM. */
int prf_changes_find(const struct prf_change_runs *runs,
		     struct prf_changes *changes) PRF_MUST_CHECK;
void prf_changes_clear(struct prf_changes *changes);

/* The least change, as a part of 1, that 8 of 10 such comparisons would have
 * found of a key with SHARE. */
double prf_changes_visible(const struct prf_changes *changes, double share);

#endif
