/* begin.h - what has to be done before a thread, or a program image, runs its
 * first instruction. */
#ifndef PRF_LIVE_BEGIN_H
#define PRF_LIVE_BEGIN_H

#include "core/attr.h"
#include "core/error.h"
#include "live/tasks.h"
#include "live/tracer.h"

/* Gives TASK to the first trigger that can have it; BY as for its arm().  0; if
 * none can, that is counted, and the last one's reason returned.  (-ESRCH: it is
 * dying, and will not run.) */
int prf_begin_arm(struct prf_tracer *tracer, struct prf_task *task,
		  const struct prf_stopped *by);
/* The same for TASK, which is stopped itself. */
void prf_begin_task(struct prf_tracer *tracer, struct prf_task *task);
/* The same for one that its trigger can no longer stop, but once more has: it
 * is given to another. */
void prf_begin_hand_over(struct prf_tracer *tracer, struct prf_task *task);

/* TASK has just become a new image: tells the sink of it and of what is
 * mapped, and begins to watch the mappings. */
int prf_begin_image(struct prf_tracer *tracer,
		    const struct prf_task *task) PRF_MUST_CHECK;

/* The same for a process that has run for a while, and runs. */
int prf_begin_attached(struct prf_tracer *tracer,
		       struct prf_process *process) PRF_MUST_CHECK;

/* STOPPED is stopped, at last: threads of its process are given to the triggers
 * that needed this, some at each stop. */
void prf_begin_improve(struct prf_tracer *tracer, struct prf_task *stopped);

/* Remembers the first reason why a thread was not given to the first
 * trigger. */
void prf_begin_note_fallback(struct prf_sampler_stats *stats,
			     const struct prf_error *why);

#endif
