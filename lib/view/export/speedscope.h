/* speedscope.h - a profile, or the timeline of a recording, as speedscope reads
 * it: a "sampled" profile of each thread, valid by the schema that speedscope
 * has published.  Where several threads have no times, one of all comes first. */
#ifndef PRF_VIEW_EXPORT_SPEEDSCOPE_H
#define PRF_VIEW_EXPORT_SPEEDSCOPE_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

struct prf_stack_table;

/* A row of the table of formats. */
int prf_speedscope_write(const struct prf_profile *profile,
			 const struct prf_export_way *way, FILE *out,
			 struct prf_error *err) PRF_MUST_CHECK;
/* Its timeline: the time that a thread did not run is a sample without frames.
 * Values are of the run; speedscope itself counts from the first on. */
int prf_speedscope_write_stacks(const struct prf_stack_table *stacks,
				const struct prf_export_way *way, FILE *out,
				struct prf_error *err) PRF_MUST_CHECK;

#endif
