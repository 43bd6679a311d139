/* creator.h - what a new thread has from the one that made it.
 *
 * It begins with its creator's seccomp filters and in its PID namespace.  The
 * creator's status stays open, and to read that takes half as long as to open
 * and to read the new thread's own. */
#ifndef PRF_LIVE_CREATOR_H
#define PRF_LIVE_CREATOR_H

#include <sys/types.h>

#include "core/attr.h"

struct prf_task;
struct prf_thread_status;

/* The latest thread of a process that has made another.  All zero: none has. */
struct prf_creator {
	pid_t tid;     /* 0: its file is not open */
	int status_fd; /* of that */
};

/* TASK, new, was made by TID of its process. */
void prf_creator_note(struct prf_task *task, pid_t tid);
/* Of the status of TASK, which has not run since it was made: its own id, and its
 * filters; or more of them, if its creator has got some since.  -ENOENT and
 * others: TASK has to be asked itself. */
int prf_creator_status_read(const struct prf_task *task,
			    struct prf_thread_status *status) PRF_MUST_CHECK;
void prf_creator_clear(struct prf_creator *creator);

#endif
