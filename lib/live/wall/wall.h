/* wall.h - the wall clock: what threads do while they do not run.
 *
 * The triggers sample threads that run.  The rest of each thread's time is
 * read here from /proc/PID/task/TID, without stopping the thread: where it
 * is blocked, and how long it has waited for a processor.  The ticks of both
 * together are the time that the threads have lived. */
#ifndef PRF_LIVE_WALL_WALL_H
#define PRF_LIVE_WALL_WALL_H

#include "core/attr.h"
#include "core/error.h"
#include "live/tasks.h"
#include "live/watch.h"

struct prf_wall;

/* A wall clock for the threads of WATCH (lent). -ENOTSUP: this kernel does
 * not count what is needed; -ENOMEM. */
int prf_wall_new(struct prf_watch *watch, uint64_t seed, struct prf_wall **out,
		 struct prf_error *err) PRF_MUST_CHECK;
/* What has not been charged by now is counted as lost. */
void prf_wall_free(struct prf_wall *wall); /* takes NULL */

/* Samples TASK, which is stopped, from now on.  If WALL is NULL, as with the
 * other clocks, this does nothing. */
void prf_wall_begin(struct prf_wall *wall, struct prf_task *task);
/* TASK has ended (and should not be reaped yet), or is no longer watched:
 * charges what is left. prf_wall_begin() need not have been called. */
void prf_wall_end(struct prf_wall *wall, struct prf_task *task);
/* The same when another thread has taken TASK's id by exec: what /proc says
 * is the other's. */
void prf_wall_lose(struct prf_wall *wall, struct prf_task *task);

/* PAUSED: all threads are charged for the time until now, and for none from
 * now on; else they begin anew. */
void prf_wall_pause(struct prf_wall *wall, bool paused);

/* A descriptor to poll, or -1; and what to do when it is readable. */
int prf_wall_fd(const struct prf_wall *wall);
void prf_wall_due(struct prf_wall *wall);

#endif
