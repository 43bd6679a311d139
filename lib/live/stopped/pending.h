/* pending.h - where a thread was when a sample of it became due that has to wait
 * for a signal of the program's own.
 *
 * The kernel hands over signals with small numbers first, and a handler mostly
 * blocks all others.  When it has returned the thread may be elsewhere: Go's
 * handler makes a call of its thread's function, others jump out. */
#ifndef PRF_LIVE_STOPPED_PENDING_H
#define PRF_LIVE_STOPPED_PENDING_H

#include <stdbool.h>

#include "live/arch.h"
#include "live/tasks.h"

/* TASK has stopped for a signal of the program's own: where it is is kept, if
 * its trigger's signal comes next. */
void prf_pending_note(struct prf_task *task);
/* A sample of TASK has come: REGS become those that were kept for it, if there
 * are any. */
void prf_pending_take(struct prf_task *task, struct prf_regs *regs);

#endif
