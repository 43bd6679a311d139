/* pprof_write.h - a profile as a pprof file, for go tool pprof and all that read
 * such files.
 *
 * Each stack is a sample with the ticks and the time that it had: the sums are
 * the profile's.  What pprof has no place for is in comments. */
#ifndef PRF_VIEW_PPROF_PPROF_WRITE_H
#define PRF_VIEW_PPROF_PPROF_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"

/* What a profile does not know of its run.  All zero: nothing is known. */
struct prf_pprof_info {
	bool is_wall;         /* ticks are of the wall clock */
	uint64_t begin_ns;    /* since 1970; 0: not known */
	uint64_t duration_ns; /* 0: not known */
	uint64_t lost_ticks;
};

/* What such a file is called. */
#define PRF_PPROF_USUAL_NAME "profrun.pb.gz"
/* The first comment of those that are written here begins with it. */
#define PRF_PPROF_MARK "profrun "

/* Writes PROFILE, compressed, to OUT.  INFO may be NULL.  -ENOMEM, or what
 * writing failed with. */
int prf_pprof_write(const struct prf_profile *profile,
		    const struct prf_pprof_info *info, FILE *out,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
