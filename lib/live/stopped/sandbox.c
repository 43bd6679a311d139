#include "live/stopped/sandbox.h"

#include <unistd.h>

#include "live/proc/status.h"

bool
prf_sandbox_is_own(pid_t pid, pid_t tid)
{
	struct prf_thread_status own, status;

	if (prf_status_read_thread(pid, tid, &status) || !status.seccomp_mode)
		return false;
	return prf_status_read_thread(getpid(), getpid(), &own) ||
	       own.seccomp_mode != status.seccomp_mode ||
	       own.seccomp_filters != status.seccomp_filters;
}
