/* summary.h - what is said on stderr at the end of a run. */
#ifndef PRF_SRC_SUMMARY_H
#define PRF_SRC_SUMMARY_H

#include <stddef.h>
#include <stdio.h>

#include "live/sampler.h"
#include "options.h"
#include "view/family.h"

/* The run, its processes, its threads if they are wanted, and its hottest
 * functions; with -v, also what was not counted and why.  -ENOMEM. */
int prf_summary_print(const struct prf_options *options,
		      const struct prf_family *family,
		      const struct prf_run *run, FILE *out) PRF_MUST_CHECK;

/* How to read the files: commands to be pasted into a shell.  PROGRAM is the
 * image that gprof is to be given.  SYMS is NULL where there is no list; WHAT is
 * shown with it. */
void prf_summary_print_commands(const struct prf_object *program,
				const char *gmon, const char *syms,
				const char *what, FILE *out);

#endif
