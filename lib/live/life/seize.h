/* seize.h - the threads of a process that runs already become ours. */
#ifndef PRF_LIVE_LIFE_SEIZE_H
#define PRF_LIVE_LIFE_SEIZE_H

#include "core/attr.h"
#include "live/watch.h"

/* Seizes all threads of PROCESS, which has none yet, and adds them to WATCH's, but
 * for those that are the kernel's.
 * Meanwhile one of them may become another program; if that takes longer than WATCH
 * has patience for, those are had that were seized before.  -ESRCH: they have ended;
 * -ENOMEM; -ETIMEDOUT: in such an exec none was; else why the first that has not
 * ended cannot be seized. */
int prf_seize_all(struct prf_watch *watch,
		  struct prf_process *process) PRF_MUST_CHECK;

#endif
