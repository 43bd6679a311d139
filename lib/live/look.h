/* look.h - a stopped thread is looked at, and let go. */
#ifndef PRF_LIVE_LOOK_H
#define PRF_LIVE_LOOK_H

#include <stdbool.h>

#include "live/stop.h"
#include "live/tasks.h"
#include "live/tracer.h"

/* Lets TASK run on, with SIGNAL delivered to it (0: none).  If it has been
 * killed meanwhile this does nothing: its end will be waited for. */
void prf_task_resume(const struct prf_task *task, int signal);

/* Did a trigger make TASK stop?  Then it has been looked at and runs again. */
bool prf_look_claimed(struct prf_tracer *tracer, struct prf_task *task,
		      const struct prf_stop *stop);

/* We have stopped TASK: a call that has ended by that is made again. */
void prf_look_repair(struct prf_tracer *tracer, struct prf_task *task);

/* SIGNAL is about to be passed on to TASK: sees to it that the call which it
 * has interrupted ends as it would without us. */
void prf_look_settle_call(struct prf_tracer *tracer, struct prf_task *task,
			  int signal);

#endif
