/* made_runs.h - runs of a program whose functions have known shares. */
#ifndef PRF_TESTS_PROFILE_MADE_RUNS_H
#define PRF_TESTS_PROFILE_MADE_RUNS_H

#include <stddef.h>

#include "core/random.h"
#include "profile/count.h"

double made_uniform(struct random *random);
double made_normal(struct random *random);

/* Fills COUNTS[i], of N functions of SHARES that vary from run to run, as
 * log-odds, by SPREAD: SAMPLES of WEIGHT ticks each, of a sampler that takes
 * them by chance.  Returns their sum. */
struct prf_count made_run(struct random *random, const double *shares, size_t n,
			  double spread, size_t samples, unsigned weight,
			  struct prf_count *counts);

#endif
