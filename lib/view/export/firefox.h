/* firefox.h - a profile, or the timeline of a recording, as the Firefox Profiler
 * reads it: its processed format, version 61.  Of a profile the samples come one
 * after the other, for nobody knows when they were. */
#ifndef PRF_VIEW_EXPORT_FIREFOX_H
#define PRF_VIEW_EXPORT_FIREFOX_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

struct prf_stack_table;

/* A row of the table of formats. */
int prf_firefox_write(const struct prf_profile *profile,
		      const struct prf_export_way *way, FILE *out,
		      struct prf_error *err) PRF_MUST_CHECK;
/* Its timeline: a track for each thread, with marks where a program began or a
 * thread ended. */
int prf_firefox_write_stacks(const struct prf_stack_table *stacks,
			     const struct prf_export_way *way, FILE *out,
			     struct prf_error *err) PRF_MUST_CHECK;

#endif
