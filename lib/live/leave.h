/* leave.h - the programs run on without us, and nothing of us stays in them.
 *
 * Of a process that was attached to one thread is stopped, once, to remove the
 * timers, and none where none was made; that our own thread ends then lets all
 * threads go as they are.  The same goes for one that was launched for a while.
 * Another that was launched would be killed by that: there each thread is
 * stopped once.  A thread with a seccomp filter of its own is not made to call;
 * if all have one, an attached process keeps its timers, whose signal is ignored
 * by default, and one that was launched is not let go: a timer would kill it. */
#ifndef PRF_LIVE_LEAVE_H
#define PRF_LIVE_LEAVE_H

#include <stdbool.h>

#include "live/stop.h"
#include "live/tasks.h"
#include "live/tracer.h"

/* Begins; what remains to be done is done as threads stop.  tracer->ended says
 * that all of it is. */
void prf_leave_begin(struct prf_tracer *tracer);

/* To be called now and then meanwhile: a stop that was asked for is forgotten
 * at any other stop, and threads end. */
void prf_leave_remind(struct prf_tracer *tracer);

/* While leaving: was TASK's stop all that was wanted of it? */
bool prf_leave_claimed(struct prf_tracer *tracer, struct prf_task *task,
		       const struct prf_stop *stop);

/* Is nothing left to be done?  An attached process that cannot be stopped in
 * time keeps its timers, whose signal it ignores. */
bool prf_leave_is_done(const struct prf_tracer *tracer);

#endif
