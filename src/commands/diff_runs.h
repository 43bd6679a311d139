/* diff_runs.h - profiles that are to be compared, read. */
#ifndef PRF_SRC_COMMANDS_DIFF_RUNS_H
#define PRF_SRC_COMMANDS_DIFF_RUNS_H

#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/commands/figures.h"
#include "src/commands/reading.h"
#include "src/commands/report_file.h"
#include "view/table/diff.h"

/* A file, and what the run that is made of it lends. */
struct prf_diff_file {
	struct prf_report_file file;
	struct prf_figures figures;
	char *program; /* its name; NULL: not known */
	char *command; /* that was run; NULL: not known */
};

/* Reads the profile at PATH to FILE and to RUN, with rows as DIFF has them.
 * -ENOENT: there are no ticks, or no stacks where they are needed; -EINVAL: it
 * does not tell of what is wanted; -ENOMEM; ERR names the file. */
int prf_diff_file_read(struct prf_diff_file *file, const char *path,
		       struct prf_reading *reading, const struct prf_diff *diff,
		       struct prf_diff_run *run,
		       struct prf_error *err) PRF_MUST_CHECK;
void prf_diff_file_clear(struct prf_diff_file *file);

/* Do all runs of DIFF count the same time?  -EINVAL. */
int prf_diff_runs_check(const struct prf_diff *diff,
			struct prf_error *err) PRF_MUST_CHECK;

#endif
