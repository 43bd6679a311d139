/* counters.h - the counters of a run, which are one table: a row has what the
 * end of a trace, the summary and -v need to know of it. */
#ifndef PRF_SRC_OUTPUT_COUNTERS_H
#define PRF_SRC_OUTPUT_COUNTERS_H

#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/sample.h"
#include "live/sampler.h"
#include "view/table/report.h"

/* What is known only when the samples have been counted. */
struct prf_profile_counters {
	uint64_t outside;   /* of ticks: outside of all binaries */
	uint64_t saturated; /* ticks that their counter had no room for */
	uint64_t idle;      /* processes without ticks */
	uint64_t programs;  /* with ticks */
};

/* More than there are rows of lost ticks, and a row that ends them. */
enum { PRF_MAX_LOSSES = 8 };

/* Gives SINK a figure for each counter of RUN; pctrace(5) has their names.
 * Returns what SINK answers first that is not 0. */
int prf_counters_give(const struct prf_run *run,
		      struct prf_sink *sink) PRF_MUST_CHECK;
/* Fills LOSSES with the ticks that are not in the profile, by reason. */
void prf_counters_losses(const struct prf_run *run,
			 const struct prf_profile_counters *profile,
			 struct prf_loss losses[PRF_MAX_LOSSES]);
/* The sum of those that are known before the samples have been counted. */
uint64_t prf_counters_lost(const struct prf_run *run);
/* Prints a line for each counter that is not 0, and for ticks and samples. */
void prf_counters_print(const struct prf_run *run,
			const struct prf_profile_counters *profile, FILE *out);

#endif
