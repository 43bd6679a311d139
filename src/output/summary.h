/* summary.h - what is said on stderr at the end of a run. */
#ifndef PRF_SRC_OUTPUT_SUMMARY_H
#define PRF_SRC_OUTPUT_SUMMARY_H

#include <stddef.h>
#include <stdio.h>

#include "live/sampler.h"
#include "src/options/options.h"
#include "profile/collector.h"
#include "view/gmon/gmon_layout.h"

/* The run, its programs, its processes and threads if they are wanted, and its
 * hottest functions; with -v, also what was not counted and why.  -ENOMEM. */
int prf_summary_print(const struct prf_options *options,
		      const struct prf_profile *profile,
		      const struct prf_run *run, FILE *out) PRF_MUST_CHECK;

/* What comes next: the report of FILE; NULL: of the newest. */
void prf_summary_print_report(const char *file, FILE *out);
/* Behind it, if FILE has stacks: the tree of calls. */
void prf_summary_print_tree(const char *file, FILE *out);
/* How gprof reads the files of LAYOUT: commands to be pasted into a shell, the
 * whole first; the program alone where it has a share worth looking at.  SYMS is
 * NULL where there is no list. */
void prf_summary_print_commands(const struct prf_gmon_layout *layout,
				const char *gmon, const char *syms, FILE *out);

#endif
