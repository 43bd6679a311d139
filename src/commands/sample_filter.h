/* sample_filter.h - a sink that passes on the samples whose function, binary or
 * system call is wanted, and all other events. */
#ifndef PRF_SRC_COMMANDS_SAMPLE_FILTER_H
#define PRF_SRC_COMMANDS_SAMPLE_FILTER_H

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "src/commands/matching.h"
#include "view/table/lookup.h"

/* A sink before INNER, which becomes its own and tells LOOKUP of mappings; both
 * MATCHING and LOOKUP must outlive it.  Where it passes none of the samples, its
 * end is -ENOENT.  -ENOMEM. */
int prf_sample_filter_new(const struct prf_matching *matching,
			  struct prf_lookup *lookup, struct prf_sink *inner,
			  struct prf_sink **out,
			  struct prf_error *err) PRF_MUST_CHECK;

#endif
