/* leave.h - the programs run on without us, and nothing of us stays in them.
 *
 * In a process that was attached to, one thread is stopped, once, to remove
 * the timers; none is where no timer was made.  Then our own thread ends,
 * and the kernel lets all threads go as they are.  The same is done for a
 * program that was launched for a while.  Any other that was launched would
 * be killed when our thread ends: there each thread is stopped once and let
 * go.  A thread with a seccomp filter of its own is not made to call.  If
 * all have one, an attached process keeps its timers, whose signal is
 * ignored by default, and a launched one is not let go: a timer would kill
 * it. */
#ifndef PRF_LIVE_LIFE_LEAVE_H
#define PRF_LIVE_LIFE_LEAVE_H

#include <stdbool.h>

#include "live/stop.h"
#include "live/tasks.h"
#include "live/watch.h"

/* Begins to leave; the rest is done as threads stop, until
 * prf_leave_is_done(). */
void prf_leave_begin(struct prf_watch *watch);

/* A signal has asked for it: begins to leave; if it is not the first, what is
 * still to be waited for is not. */
void prf_leave_asked(struct prf_watch *watch);

/* What was launched is to end, but does not: it is killed, and if it does not
 * even end by that, no longer waited for. */
void prf_leave_demanded(struct prf_watch *watch);

/* To be called now and then until it is done: a stop that was asked for is
 * cancelled by any other stop, and threads end. */
void prf_leave_remind(struct prf_watch *watch);

/* While leaving: answers TASK's stop, if it is one that was asked for. */
bool prf_leave_claimed(struct prf_watch *watch, struct prf_task *task,
		       const struct prf_stop *stop);

/* Is all done?  An attached process that cannot be stopped in time, or made to
 * call, keeps its timers, whose signal it ignores unless it asks for it; that is
 * said. */
bool prf_leave_is_done(const struct prf_watch *watch);

#endif
