/* record_exports.h - writes a profile in the formats of other tools, in which it was
 * asked for. */
#ifndef PRF_SRC_OUTPUT_RECORD_EXPORTS_H
#define PRF_SRC_OUTPUT_RECORD_EXPORTS_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "src/options/options.h"
#include "src/output/output.h"

/* Of OWNER; *NAME is that of the last file, or as it was, and the caller's to
 * free().  Where the files are goes to COMMANDS, which is NULL where nobody reads
 * it. */
int prf_record_exports_write(const struct prf_options *options,
			     struct prf_output *output,
			     const struct prf_profile *profile,
			     const struct prf_output_owner *owner,
			     FILE *commands, char **name,
			     struct prf_error *err) PRF_MUST_CHECK;

#endif
