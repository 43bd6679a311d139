/* overdue.h - an injection that cannot be ended yet, since its thread does not stop:
 * the program has taken away memory that the call needs, so that the kernel waits for
 * it; or others have all processors.  It is kept, and at the thread's next stop all is
 * put back before anything else is done with the thread. */
#ifndef PRF_LIVE_STOPPED_OVERDUE_H
#define PRF_LIVE_STOPPED_OVERDUE_H

#include <stdbool.h>

#include "core/attr.h"
#include "live/stop.h"
#include "live/tasks.h"

struct prf_injection;

/* Ends INJECTION; or it is kept in *OVERDUE: -EINPROGRESS.  OVERDUE may be NULL, where
 * the thread is not to run any more.  Without memory to keep it, it is lost: the thread
 * goes on with the registers of the call. */
int prf_overdue_or_end(struct prf_injection *injection,
		       struct prf_injection **overdue) PRF_MUST_CHECK;
/* TASK has an injection that is overdue, and has come to STOP.  True: the stop was the
 * injection's alone, and TASK runs again. */
bool prf_overdue_answer(struct prf_task *task, const struct prf_stop *stop);

#endif
