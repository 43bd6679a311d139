/* report_family.h - the parts of the summary that tell of processes and
 * threads. */
#ifndef PRF_VIEW_REPORT_FAMILY_H
#define PRF_VIEW_REPORT_FAMILY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/threads.h"
#include "view/tree.h"

/* The MAX programs with the most ticks, children below their parents and
 * indented, in lines of WIDTH characters (>= 60); then how much is in others,
 * and that N_IDLE processes had none.  Of a single program there is nothing to
 * tell, or if none had ticks.  -ENOMEM. */
int prf_report_tree(const struct prf_tree *tree, uint64_t n_idle, size_t max,
		    size_t width, FILE *out) PRF_MUST_CHECK;

/* The MAX threads with the most ticks, of THREADS, which are sorted. */
void prf_report_threads(const struct prf_threads *threads, size_t max,
			FILE *out);

#endif
