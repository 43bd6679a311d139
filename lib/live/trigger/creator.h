/* creator.h - what a new thread has from the one that made it.
 *
 * It begins with its creator's seccomp filters and in its PID namespace.
 * The creator's status file stays open: to read that takes half as long as
 * to open and read the new thread's own. */
#ifndef PRF_LIVE_TRIGGER_CREATOR_H
#define PRF_LIVE_TRIGGER_CREATOR_H

#include <sys/types.h>

#include "core/attr.h"

struct prf_thread_status;

/* The latest thread of a process that is known to have made another.  All zero:
 * none is. */
struct prf_creator {
	pid_t tid;     /* 0: its file is not open */
	int status_fd; /* of that */
};

/* Thread TID of process PID has not run since thread CREATOR_TID made it (0:
 * it is not known which did).  Sets of its STATUS its own id and its
 * filters; more than it has, if its creator has added some since. -ENOENT
 * and others: its own status has to be read. */
int prf_creator_status_read(struct prf_creator *creator, pid_t pid,
			    pid_t creator_tid, pid_t tid,
			    struct prf_thread_status *status) PRF_MUST_CHECK;
void prf_creator_clear(struct prf_creator *creator);

#endif
