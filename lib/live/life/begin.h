/* begin.h - what has to be done before a thread, or a program image, runs its
 * first instruction. */
#ifndef PRF_LIVE_LIFE_BEGIN_H
#define PRF_LIVE_LIFE_BEGIN_H

#include "core/attr.h"
#include "core/error.h"
#include "live/tasks.h"
#include "live/watch.h"

/* Gives TASK to the first trigger that can have it; BY as for its arm().  If
 * none can, that is counted, and the last one's reason is returned. (-ESRCH:
 * TASK is dying, and will not run.) */
int prf_begin_arm(struct prf_watch *watch, struct prf_task *task,
		  const struct prf_stopped *by);
/* The same, when TASK itself is stopped. */
void prf_begin_task(struct prf_watch *watch, struct prf_task *task);
/* The same, when TASK has just become a new program, which has the signal mask
 * of the one before. */
void prf_begin_program(struct prf_watch *watch, struct prf_task *task);
/* TASK has just become a new program: tells the sink of the program and of
 * what is mapped, and begins to watch the mappings. */
int prf_begin_image(struct prf_watch *watch,
		    const struct prf_task *task) PRF_MUST_CHECK;

/* The same for a process that has run for a while, and runs. */
int prf_begin_attached(struct prf_watch *watch,
		       struct prf_process *process) PRF_MUST_CHECK;

/* Says, once for each process, whose mappings are too many to be read. */
void prf_begin_mention_maps(struct prf_watch *watch);

/* STOPPED is stopped: gives threads of its process to triggers that waited
 * for such a stop, some at each. */
void prf_begin_improve(struct prf_watch *watch, struct prf_task *stopped);

/* Remembers the first reason why a thread was not given to the first
 * trigger. */
void prf_begin_note_fallback(struct prf_sampler_stats *stats,
			     const struct prf_error *why);

#endif
