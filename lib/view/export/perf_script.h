/* perf_script.h - a profile, or the timeline of a recording, as perf script prints
 * one: a block of lines for each sample, the innermost frame first.  What reads
 * such text are the scripts for flame graphs, profiler.firefox.com and
 * speedscope. */
#ifndef PRF_VIEW_EXPORT_PERF_SCRIPT_H
#define PRF_VIEW_EXPORT_PERF_SCRIPT_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

struct prf_stack_table;

/* A row of the table of formats: a sample is all that was counted at a stack, of
 * process 0 at time 0. */
int prf_perf_script_write(const struct prf_profile *profile,
			  const struct prf_export_way *way, FILE *out,
			  struct prf_error *err) PRF_MUST_CHECK;
/* Its timeline: samples by time. */
int prf_perf_script_write_stacks(const struct prf_stack_table *stacks,
				 const struct prf_export_way *way, FILE *out,
				 struct prf_error *err) PRF_MUST_CHECK;

#endif
