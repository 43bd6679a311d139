/* birth.h - threads, processes and programs that begin, each told to the sink
 * and given to a trigger. */
#ifndef PRF_LIVE_LIFE_BIRTH_H
#define PRF_LIVE_LIFE_BIRTH_H

#include "core/attr.h"
#include "live/stop.h"
#include "live/tasks.h"
#include "live/watch.h"

/* TID, a thread that no event has announced, has stopped: finds out its
 * process and adds it.  NULL: out of memory. */
struct prf_task *prf_birth_find(struct prf_watch *watch, pid_t tid);

/* Tells the sink of TASK, which is not its process's first. */
void prf_birth_tell_thread(struct prf_watch *watch,
			   const struct prf_task *task);

/* TASK has stopped for the first time. */
void prf_birth_on_first_stop(struct prf_watch *watch, struct prf_task *task);
/* TASK has made a thread or a process. */
void prf_birth_on_event(struct prf_watch *watch, struct prf_task *task,
			const struct prf_stop *stop);
/* TASK is about to be another program. */
void prf_birth_on_exec(struct prf_watch *watch, struct prf_task *task,
		       const struct prf_stop *stop);
/* TASK is the other program now, which has not run yet. */
void prf_birth_on_exec_done(struct prf_watch *watch, struct prf_task *task,
			    const struct prf_stop *stop);

#endif
