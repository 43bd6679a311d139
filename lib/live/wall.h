/* wall.h - the wall clock: what threads do while they do not run.
 *
 * The triggers tell where threads run; what is left of the time of each thread is
 * read here from /proc/PID/task/TID, without stopping it: where it is blocked,
 * and how long it has waited for a processor.  Ticks of all these together are
 * the time that the threads have lived. */
#ifndef PRF_LIVE_WALL_H
#define PRF_LIVE_WALL_H

#include "core/attr.h"
#include "core/error.h"
#include "live/tasks.h"
#include "live/tracer.h"

struct prf_wall;

/* For the tasks of TRACER (lent).  -ENOTSUP: this kernel does not count what
 * is needed; -ENOMEM. */
int prf_wall_new(struct prf_tracer *tracer, uint64_t seed,
		 struct prf_wall **out, struct prf_error *err) PRF_MUST_CHECK;
/* What has not been charged by now is counted as lost. */
void prf_wall_free(struct prf_wall *wall); /* takes NULL */

/* TASK, which is stopped, is looked at from now on.  Without WALL (NULL), as
 * with the other clocks, nothing happens. */
void prf_wall_begin(struct prf_wall *wall, struct prf_task *task);
/* TASK has ended (and is best not reaped yet), or is no longer watched: charges
 * what is left.  It need not have begun. */
void prf_wall_end(struct prf_wall *wall, struct prf_task *task);
/* The same of a thread that has gone without a word, while another has taken
 * its id: what /proc says there is the other's. */
void prf_wall_lose(struct prf_wall *wall, struct prf_task *task);

/* All threads are charged for what was until now, and for nothing from now on; or
 * (not PAUSED) they begin anew. */
void prf_wall_pause(struct prf_wall *wall, bool paused);

/* A descriptor to poll, or -1; and what to do when it is readable. */
int prf_wall_fd(const struct prf_wall *wall);
void prf_wall_due(struct prf_wall *wall);

#endif
