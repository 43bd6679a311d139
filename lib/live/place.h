/* place.h - /proc/PID/task/TID/syscall: does a thread run, and where is it if
 * not?  The parser is pure. */
#ifndef PRF_LIVE_PLACE_H
#define PRF_LIVE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

int prf_thread_syscall_open(pid_t pid, pid_t tid);
/* What the file says: "running", or the number of a call first. */
int prf_thread_syscall_read(pid_t pid, pid_t tid, char *text,
			    size_t size) PRF_MUST_CHECK;

/* Does the thread run, or could it if it had a processor?  By FD, the open
 * file; what may not be read so (-1 will do), by the longer stat. */
bool prf_thread_is_running(pid_t pid, pid_t tid, int fd);

/* Where a thread is that does not run. */
struct prf_thread_place {
	uint64_t pc, sp; /* 0: it has ended */
	int32_t syscall; /* or PRF_NO_SYSCALL: it was in user mode */
};

/* -EAGAIN: it runs, or could run.  -EINVAL. */
int prf_thread_place_parse(const char *text,
			   struct prf_thread_place *place) PRF_MUST_CHECK;
int prf_thread_place_pread(int fd,
			   struct prf_thread_place *place) PRF_MUST_CHECK;

#endif
