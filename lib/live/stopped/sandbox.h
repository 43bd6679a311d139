/* sandbox.h - what a program has put over itself, and system calls that are not
 * its own may not pass: seccomp filters, and dispatch to itself. */
#ifndef PRF_LIVE_STOPPED_SANDBOX_H
#define PRF_LIVE_STOPPED_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

/* Could thread TID be killed for a system call that is not its own?  True if
 * it runs under filters that this process does not run under.  (Filters that
 * both share are a container's, and let common calls pass.)  False if it has
 * ended. */
bool prf_sandbox_is_own(pid_t pid, pid_t tid);

/* Would a call of thread TID, which is stopped, become a SIGSYS, since it has
 * asked for that with PR_SET_SYSCALL_USER_DISPATCH, as Wine does?  False where
 * the kernel does not tell (before Linux 6.4). */
bool prf_sandbox_dispatches(pid_t tid);

#endif
