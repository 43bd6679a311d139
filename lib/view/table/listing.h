/* listing.h - sinks that print every sample: lines for people, JSON for
 * programs. */
#ifndef PRF_VIEW_TABLE_LISTING_H
#define PRF_VIEW_TABLE_LISTING_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/pctrace.h"
#include "core/sample.h"
#include "view/table/lookup.h"

/* A line for each sample: seconds since INFO's monotonic_ns, process, thread,
 * ticks, "user" or "call:NAME", symbol and offset (or the address), object.
 * OUT, INFO and LOOKUP stay the caller's.  The sinks refuse nothing that can be
 * told; finish() fails if OUT could not be written.  -ENOMEM. */
int prf_listing_text_new(FILE *out, const struct prf_pctrace_info *info,
			 struct prf_lookup *lookup, struct prf_sink **sink,
			 struct prf_error *err) PRF_MUST_CHECK;
/* One object, as data/schema/samples.schema.json describes it.  -EINVAL: a sample
 * after a figure. */
int prf_listing_json_new(FILE *out, const struct prf_pctrace_info *info,
			 struct prf_lookup *lookup, struct prf_sink **sink,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
