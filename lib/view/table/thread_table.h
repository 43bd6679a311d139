/* thread_table.h - what each thread did, as a table: its share of all time, how
 * much of its own time it ran, waited for a processor and was blocked, and in
 * which calls it was blocked, from where. */
#ifndef PRF_VIEW_TABLE_THREAD_TABLE_H
#define PRF_VIEW_TABLE_THREAD_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "profile/thread_states.h"
#include "view/table/style.h"

/* The threads of STATES, those of one process one after the other, and their
 * states, where any differ; N_MORE were left out.  -ENOMEM: perhaps a part. */
int prf_thread_table_print(const struct prf_thread_states *states,
			   uint64_t period_ns, size_t n_more,
			   const struct prf_style *style,
			   FILE *out) PRF_MUST_CHECK;

/* What THREAD is called; Linux calls one without a name as its program. */
const char *prf_thread_table_name(const struct prf_thread_doing *thread);

#endif
