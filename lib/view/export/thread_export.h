/* thread_export.h - what each thread did, for programs to read: in JSON, as
 * data/schema/report.schema.json describes it, and as comma-separated values. */
#ifndef PRF_VIEW_EXPORT_THREAD_EXPORT_H
#define PRF_VIEW_EXPORT_THREAD_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "profile/thread_states.h"
#include "view/export/json.h"

/* The members "rows" and "more" of the object that is open: N_MORE threads were
 * left out.  -ENOMEM: perhaps a part. */
int prf_thread_export_json(const struct prf_thread_states *states,
			   uint64_t period_ns, size_t n_more,
			   struct prf_json *json) PRF_MUST_CHECK;
/* RFC 4180, but lines end in a newline alone.  Lines of all threads, then those of
 * the calls in which they were blocked, of another kind: the time there is a part of
 * the thread's.  -ENOMEM: perhaps a part. */
int prf_thread_export_csv(const struct prf_thread_states *states,
			  uint64_t period_ns, FILE *out) PRF_MUST_CHECK;

#endif
