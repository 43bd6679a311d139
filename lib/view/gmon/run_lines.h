/* run_lines.h - the lines of a list of symbols that tell of the run, for people:
 * see "Lines about the run" in gmon.syms(5). */
#ifndef PRF_VIEW_GMON_RUN_LINES_H
#define PRF_VIEW_GMON_RUN_LINES_H

#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "profile/origin.h"
#include "profile/profile.h"

/* What is known of PROFILE. */
void prf_run_lines_write(const struct prf_profile *profile, FILE *out);
/* ORIGIN, all zero, is told what TEXT, which need not be a list, has of it; a
 * line that makes no sense is none.  -ENOMEM. */
int prf_run_lines_read(const char *text, size_t n_bytes,
		       struct prf_origin *origin) PRF_MUST_CHECK;
/* Where the first line of another kind begins, the first line of all aside. */
size_t prf_run_lines_end(const char *text, size_t n_bytes);

#endif
