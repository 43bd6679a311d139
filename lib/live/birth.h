/* birth.h - threads, processes and programs that begin, each told to the sink
 * and given to a trigger. */
#ifndef PRF_LIVE_BIRTH_H
#define PRF_LIVE_BIRTH_H

#include "core/attr.h"
#include "live/stop.h"
#include "live/tasks.h"
#include "live/tracer.h"

/* A task that nobody has announced, TID, has stopped: whose it is is found out.
 * NULL: out of memory. */
struct prf_task *prf_birth_find(struct prf_tracer *tracer, pid_t tid);

/* Tells the sink of TASK, which is not its process's first. */
void prf_birth_tell_thread(struct prf_tracer *tracer,
			   const struct prf_task *task);

/* TASK has stopped for the first time. */
void prf_birth_on_first_stop(struct prf_tracer *tracer, struct prf_task *task);
/* TASK has made a thread or a process. */
void prf_birth_on_event(struct prf_tracer *tracer, struct prf_task *task,
			const struct prf_stop *stop);
/* TASK is about to be another program. */
void prf_birth_on_exec(struct prf_tracer *tracer, struct prf_task *task,
		       const struct prf_stop *stop);
/* It is the other program, which has not run yet. */
void prf_birth_on_exec_done(struct prf_tracer *tracer, struct prf_task *task,
			    const struct prf_stop *stop);

#endif
