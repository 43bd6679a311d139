/* filter.h - a sink before another, which hands on what it is given.
 *
 * A sink that changes or leaves out some events has a struct that begins with
 * struct prf_filter, and its own functions in place of some of these.  Not
 * installed. */
#ifndef PRF_CORE_SINK_FILTER_H
#define PRF_CORE_SINK_FILTER_H

#include "core/sample.h"

struct prf_filter {
	struct prf_sink base;
	struct prf_sink *next; /* owned */
};

/* For struct prf_sink_ops; SINK is that of a filter. */
int prf_filter_exec(struct prf_sink *sink, const struct prf_exec *exec);
int prf_filter_mapping(struct prf_sink *sink, const struct prf_mapping *map);
int prf_filter_sample(struct prf_sink *sink, const struct prf_sample *sample);
int prf_filter_life(struct prf_sink *sink, const struct prf_life *life);
int prf_filter_figure(struct prf_sink *sink, const struct prf_figure *figure);
int prf_filter_finish(struct prf_sink *sink, struct prf_error *err);
/* Frees the next sink, and SINK with free(). */
void prf_filter_free(struct prf_sink *sink);

#endif
