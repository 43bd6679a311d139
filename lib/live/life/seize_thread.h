/* seize_thread.h - a thread that runs already becomes ours, unless that takes too
 * long.
 *
 * While a thread of a process executes a program, the kernel lets nobody seize any
 * of them, and such an exec may have no end: the program's file may be on a file
 * system that does not answer any more, or a thread that has to end before may be
 * another tracer's, who does not wait for it. */
#ifndef PRF_LIVE_LIFE_SEIZE_THREAD_H
#define PRF_LIVE_LIFE_SEIZE_THREAD_H

#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* Seizes TID, with OPTIONS of ptrace; or a negative value of ptrace's errno.
 * -ETIMEDOUT: it could not be had within half of *PATIENCE_NS, or the least time that
 * has a meaning; what was waited for in vain leaves the other half to later ones.
 * (SIGURG tells this thread so; one that is sent meanwhile may be lost.) */
int prf_seize_thread(pid_t tid, long options,
		     uint64_t *patience_ns) PRF_MUST_CHECK;

#endif
