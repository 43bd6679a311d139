/* threadlist.h - the threads that this process has, as the kernel lists them.
 *
 * All functions are to be called with the lock, and are async-signal-safe.
 * Their buffers are not on the stack, which may be an alternate signal
 * stack. */
#ifndef PRF_INPROC_THREADLIST_H
#define PRF_INPROC_THREADLIST_H

#include <stdbool.h>
#include <sys/types.h>

/* Calls VISIT, which must not call this, for each thread.  0, or a negative
 * errno value if the list cannot be read (without /proc, or without a free file
 * descriptor). */
int prf_threadlist_visit(void (*visit)(pid_t tid, void *context),
			 void *context);

/* Does TID block SIGNO?  False if that cannot be found out. */
bool prf_threadlist_blocks(pid_t tid, int signo);
/* The same of the thread whose status FD is read from, from its beginning. */
bool prf_threadlist_status_blocks(int fd, int signo);

#endif
