/* pprof_owner.h - whose a sample of a pprof file is, as its labels tell. */
#ifndef PRF_VIEW_PPROF_PPROF_OWNER_H
#define PRF_VIEW_PPROF_PPROF_OWNER_H

#include <stdint.h>

#include "core/attr.h"
#include "profile/owners.h"
#include "view/pprof/pprof_message.h"

/* What is written, and read again. */
#define PRF_PPROF_PROGRAM "program"
#define PRF_PPROF_PID "pid"
#define PRF_PPROF_TID "tid"
#define PRF_PPROF_THREAD "thread"
#define PRF_PPROF_RANK "rank"
#define PRF_PPROF_STATE "state"

/* As that label has it; NULL: a thread that runs has none. */
const char *prf_pprof_owner_state(enum prf_sample_state state);

/* *OWNER: its number in OWNERS; PRF_OWNERS_NOBODY.  -ENOMEM. */
int prf_pprof_owner_of(const struct prf_pprof_message *message,
		       const struct prf_pprof_sample *sample,
		       struct prf_owners *owners,
		       uint32_t *owner) PRF_MUST_CHECK;

#endif
