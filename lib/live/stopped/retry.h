/* retry.h - a stopped thread makes a system call again that failed with EINTR
 * because it is traced.  (repair.h decides when; this touches the thread.) */
#ifndef PRF_LIVE_STOPPED_RETRY_H
#define PRF_LIVE_STOPPED_RETRY_H

#include "live/arch.h"
#include "live/tasks.h"
#include "live/watch.h"

/* We have stopped TASK: if that interrupted a call, TASK will make the call again
 * unless the kernel sees to that. */
void prf_retry_call(struct prf_watch *watch, struct prf_task *task);
/* The same, when REGS are known to be TASK's registers. */
void prf_retry_call_of(struct prf_watch *watch, struct prf_task *task,
		       const struct prf_regs *regs);

/* TASK is stopped by job control, or leaves such a stop: that has interrupted its
 * call without us, which is not made again. */
void prf_retry_none(struct prf_watch *watch, struct prf_task *task);

/* SIGNAL is about to be passed on to TASK: the call that it interrupted ends as
 * it would end without us. */
void prf_retry_before_signal(struct prf_watch *watch, struct prf_task *task,
			     int signal);

#endif
