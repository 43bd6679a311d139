/* pprof_write.h - a profile as a pprof file, for go tool pprof and all that read
 * such files.
 *
 * Each stack is a sample with the ticks and the time that it had: the sums are
 * the profile's.  What pprof has no place for is in comments. */
#ifndef PRF_VIEW_PPROF_PPROF_WRITE_H
#define PRF_VIEW_PPROF_PPROF_WRITE_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

/* The first comment of those that are written here begins with it. */
#define PRF_PPROF_MARK "profrun "

/* A row of the table of formats: writes PROFILE, compressed, to OUT. */
int prf_pprof_write(const struct prf_profile *profile,
		    const struct prf_export_way *way, FILE *out,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
