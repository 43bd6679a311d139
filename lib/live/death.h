/* death.h - threads and processes that end, or that are let go: accounted for,
 * told to the sink, and forgotten. */
#ifndef PRF_LIVE_DEATH_H
#define PRF_LIVE_DEATH_H

#include "live/stop.h"
#include "live/tasks.h"
#include "live/tracer.h"

/* TID is dead, but has not been reaped: what is known of it is read now. */
void prf_death_account(struct prf_tracer *tracer, pid_t tid);
/* It has been reaped. */
void prf_death_on_end(struct prf_tracer *tracer, struct prf_task *task,
		      const struct prf_stop *stop);

/* TASK, which is stopped, runs on without us; nothing of us is left in it.
 * Without its last task its process is left. */
void prf_death_let_go(struct prf_tracer *tracer, struct prf_task *task);
/* PROCESS is no longer watched: forgets it and its tasks.  (What is traced of
 * it is let go by the kernel when this thread ends.) */
void prf_death_leave(struct prf_tracer *tracer, struct prf_process *process);

/* Its trigger is told, and TASK is gone from all tables. */
void prf_death_forget(struct prf_tracer *tracer, struct prf_task *task);

#endif
