/* sandbox.h - seccomp filters that a program has put over itself. */
#ifndef PRF_LIVE_STOPPED_SANDBOX_H
#define PRF_LIVE_STOPPED_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

/* Could thread TID be killed for a system call that is not its own?  True if
 * it runs under filters that this process does not run under.  (Filters that
 * both share are a container's, and let common calls pass.)  False if it has
 * ended. */
bool prf_sandbox_is_own(pid_t pid, pid_t tid);

#endif
