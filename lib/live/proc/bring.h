/* bring.h - a piece of another process's memory is made to be there, so that it
 * can be read and written at once.
 *
 * Who would have to bring a page (pagemap.h) may never do so.  A thread of its
 * own tries, and is left behind if that takes too long. */
#ifndef PRF_LIVE_PROC_BRING_H
#define PRF_LIVE_PROC_BRING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* The most that is asked for. */
enum { PRF_BRING_MOST_BYTES = 4096 };

/* The N_BYTES at ADDR of the process of TID.  0: they are there; -ETIMEDOUT:
 * they do not come within a second; -EFAULT: they cannot be read, or to write
 * them would be waited for; -ESRCH: the process has ended; -EPERM: it may not
 * be read; -EAGAIN, -ENOMEM: no thread could be made. */
int prf_bring(pid_t tid, uint64_t addr, size_t n_bytes) PRF_MUST_CHECK;

/* The same of one of several pieces, for which END_NS is once asked for: what is to
 * be waited for comes until then, or does not. */
int prf_bring_until(pid_t tid, uint64_t addr, size_t n_bytes,
		    uint64_t end_ns) PRF_MUST_CHECK;
/* A second from now. */
uint64_t prf_bring_end_ns(void);

#endif
