#include "live/creator.h"

#include <errno.h>
#include <unistd.h>

#include "live/descriptor.h"
#include "live/status.h"
#include "live/tasks.h"

void
prf_creator_clear(struct prf_creator *creator)
{
	if (creator->tid)
		close(creator->status_fd);
	creator->tid = 0;
}

void
prf_creator_note(struct prf_task *task, pid_t tid)
{
	struct prf_creator *creator = &task->process->creator;

	task->creator = tid;
	if (creator->tid == tid)
		return;
	prf_creator_clear(creator);
	creator->status_fd = prf_thread_status_open(task->process->pid, tid);
	if (creator->status_fd < 0)
		return;
	creator->tid = tid;
	if (prf_descriptor_is_one_too_many(creator->status_fd))
		prf_creator_clear(creator);
}

int
prf_creator_status_read(const struct prf_task *task,
			struct prf_thread_status *status)
{
	const struct prf_creator *creator = &task->process->creator;
	struct prf_thread_status its;

	if (!task->creator || task->creator != creator->tid)
		return -ENOENT;
	int rc =
		prf_thread_status_pread(creator->status_fd, creator->tid, &its);
	if (rc)
		return rc;
	/* In a PID namespace of its own TASK's own id is not to be guessed. */
	if (its.own_tid != creator->tid)
		return -ENOENT;
	*status = (struct prf_thread_status){
		.own_tid = task->tid,
		.seccomp_mode = its.seccomp_mode,
		.seccomp_filters = its.seccomp_filters,
	};
	return 0;
}
