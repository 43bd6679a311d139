/* begin.h - what has to be done before a thread, or a program image, runs its
 * first instruction. */
#ifndef PRF_LIVE_BEGIN_H
#define PRF_LIVE_BEGIN_H

#include "core/attr.h"
#include "core/error.h"
#include "live/tasks.h"
#include "live/tracer.h"

/* Gives the stopped TASK to the first trigger that can have it; if none can, it
 * is counted as unarmed.  (A task that is dying is not: it will not run.) */
void prf_begin_task(struct prf_tracer *tracer, struct prf_task *task);
/* The same for one that its trigger can no longer stop, but once more has: it
 * is given to another. */
void prf_begin_hand_over(struct prf_tracer *tracer, struct prf_task *task);

/* TASK has just become a new image: tells the sink of it and of what is
 * mapped, and begins to watch the mappings. */
int prf_begin_image(struct prf_tracer *tracer,
		    const struct prf_task *task) PRF_MUST_CHECK;

/* Remembers the first reason why a thread was not given to the first
 * trigger. */
void prf_begin_note_fallback(struct prf_sampler_stats *stats,
			     const struct prf_error *why);

#endif
