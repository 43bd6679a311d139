/* callgrind.h - a profile as callgrind writes them, for callgrind_annotate and
 * kcachegrind.
 *
 * The number of a call's samples stands for the number of calls, which nobody
 * has counted.  Both readers take what a function has with all that it called to
 * be the sum of the calls to it: a call is told with the samples in whose stack
 * its function comes up for the first time, so that recursion is counted right,
 * and outermost functions are called by [all]. */
#ifndef PRF_VIEW_EXPORT_CALLGRIND_H
#define PRF_VIEW_EXPORT_CALLGRIND_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

/* A row of the table of formats. */
int prf_callgrind_write(const struct prf_profile *profile,
			const struct prf_export_way *way, FILE *out,
			struct prf_error *err) PRF_MUST_CHECK;

#endif
