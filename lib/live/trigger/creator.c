#include "live/trigger/creator.h"

#include <errno.h>
#include <unistd.h>

#include "live/proc/descriptor.h"
#include "live/proc/status.h"

void
prf_creator_clear(struct prf_creator *creator)
{
	if (creator->tid)
		close(creator->status_fd);
	creator->tid = 0;
}

/* From now on CREATOR is thread TID of process PID, if its file can stay open. */
static int
change(struct prf_creator *creator, pid_t pid, pid_t tid)
{
	prf_creator_clear(creator);
	creator->status_fd = prf_status_open_thread(pid, tid);
	if (creator->status_fd < 0)
		return creator->status_fd;
	creator->tid = tid;
	if (!prf_descriptor_is_one_too_many(creator->status_fd))
		return 0;
	prf_creator_clear(creator);
	return -EMFILE;
}

int
prf_creator_status_read(struct prf_creator *creator, pid_t pid,
			pid_t creator_tid, pid_t tid,
			struct prf_thread_status *status)
{
	struct prf_thread_status its;
	int rc = 0;

	if (!creator_tid)
		return -ENOENT;
	if (creator->tid != creator_tid)
		rc = change(creator, pid, creator_tid);
	if (!rc)
		rc = prf_status_pread_thread(creator->status_fd, creator_tid,
					     &its);
	if (rc)
		return rc;
	/* In another PID namespace TID's own id cannot be known from this. */
	if (its.own_tid != creator_tid)
		return -ENOENT;
	*status = (struct prf_thread_status){
		.own_tid = tid,
		.seccomp_mode = its.seccomp_mode,
		.seccomp_filters = its.seccomp_filters,
	};
	return 0;
}
