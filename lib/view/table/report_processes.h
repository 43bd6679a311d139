/* report_processes.h - the parts of the summary that tell of programs, processes
 * and threads. */
#ifndef PRF_VIEW_TABLE_REPORT_PROCESSES_H
#define PRF_VIEW_TABLE_REPORT_PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "profile/programs.h"
#include "profile/thread_rows.h"
#include "profile/tree.h"
#include "view/table/style.h"

/* The MAX first of PROGRAMS, which are sorted; then how much is in others, and
 * that N_IDLE processes had no ticks.  Of a single process there is nothing to
 * tell, or if none had ticks. */
void prf_report_programs(const struct prf_programs *programs, uint64_t n_idle,
			 size_t max, const struct prf_style *style, FILE *out);

/* The MAX processes with the most ticks, children below their parents and
 * indented; then how much is in others.  Of a single process there is nothing to
 * tell, or if none had ticks.  -ENOMEM. */
int prf_report_tree(const struct prf_tree *tree, uint64_t n_idle, size_t max,
		    const struct prf_style *style, FILE *out) PRF_MUST_CHECK;

/* The MAX threads with the most ticks, of THREADS, which are sorted. */
void prf_report_threads(const struct prf_thread_rows *threads, size_t max,
			const struct prf_style *style, FILE *out);

#endif
