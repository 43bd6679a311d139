/* record_gmon.h - writes a profile as gmon.out and gmon.syms, or with --split as a
 * pair of these for each binary. */
#ifndef PRF_SRC_OUTPUT_RECORD_GMON_H
#define PRF_SRC_OUTPUT_RECORD_GMON_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "src/options/options.h"
#include "src/output/output.h"

/* NAME is that of the gmon.out.  Commands that read the files go to COMMANDS, which
 * is NULL where nobody reads them. */
int prf_record_gmon_write(const struct prf_options *options,
			  struct prf_output *output,
			  const struct prf_profile *profile, const char *name,
			  FILE *commands, struct prf_error *err) PRF_MUST_CHECK;

#endif
