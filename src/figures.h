/* figures.h - what became of all ticks, and the times of a run, as figures of a
 * trace. */
#ifndef PRF_SRC_FIGURES_H
#define PRF_SRC_FIGURES_H

#include "core/sample.h"
#include "live/sampler.h"

/* Gives SINK a figure for each counter of RUN; pctrace(5) has their names.
 * What it answers first that is not 0. */
int prf_figures_give(const struct prf_run *run, struct prf_sink *sink);

#endif
