#include "live/stopped/sandbox.h"

#include <stdint.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/proc/memory.h"
#include "live/proc/status.h"

PRF_DEFINE_AUTO(prf_memory, prf_memory_free);

/* As the kernel has them; older headers lack them. */
#define GET_DISPATCH 0x4211 /* PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG */
enum { DISPATCH_OFF, SELECTOR_ALLOW = 0 };
struct dispatch {
	uint64_t mode, selector, offset, len;
};

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

/* The selector is a byte of the thread's: while it says so, calls pass. */
bool
prf_sandbox_dispatches(pid_t tid)
{
	struct dispatch dispatch = {.mode = DISPATCH_OFF};
	uint8_t selector;

	if (ptrace(GET_DISPATCH, tid, (void *)sizeof dispatch, &dispatch) ||
	    dispatch.mode == DISPATCH_OFF)
		return false;
	PRF_AUTO(prf_memory_auto) struct prf_memory *memory = prf_memory_new();
	return !memory ||
	       prf_memory_read(memory, tid, dispatch.selector, &selector,
			       sizeof selector, 0) != sizeof selector ||
	       selector != SELECTOR_ALLOW;
}
