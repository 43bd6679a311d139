/* target.h - what a command writes: a file that appears whole, or standard
 * output. */
#ifndef PRF_SRC_OUTPUT_TARGET_H
#define PRF_SRC_OUTPUT_TARGET_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/output/insist.h"
#include "src/output/outfile.h"

/* All zero: nothing. */
struct prf_target {
	struct prf_outdir *dir;
	struct prf_outfile *file; /* NULL: standard output */
	FILE *stream;
	char *buffer;             /* the file's */
	struct prf_insist insist; /* while there is a file */
};

/* The file at PATH, whose older one is kept; NULL or "-": standard output.
 * OLD_IS_BEFORE: see struct prf_export_format. */
int prf_target_open(struct prf_target *target, const char *path,
		    bool old_is_before, struct prf_error *err) PRF_MUST_CHECK;
/* All was written: the file gets its name. */
int prf_target_commit(struct prf_target *target,
		      struct prf_error *err) PRF_MUST_CHECK;
/* What was not committed leaves nothing behind, also if a signal ends this process. */
void prf_target_close(struct prf_target *target);

#endif
