/* position.h - /proc/PID/task/TID/syscall: does a thread run, and if not, at
 * which PC and in which system call is it?  The parser is pure. */
#ifndef PRF_LIVE_PROC_POSITION_H
#define PRF_LIVE_PROC_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* The file, to be read often: a descriptor, or a negative errno value. */
int prf_position_open(pid_t pid, pid_t tid);

/* Does the thread run, or could it if it had a processor?  FD is the open
 * file; where that cannot be read (-1 will do), the longer stat is. */
bool prf_position_is_running(pid_t pid, pid_t tid, int fd);

/* Of a thread that does not run. */
struct prf_position {
	uint64_t pc, sp; /* 0: it has ended, or is a worker of the kernel's */
	int32_t syscall; /* or PRF_NO_SYSCALL: it was in user mode */
};

/* -EAGAIN: it runs, or could run.  -EINVAL; or why it may not be read. */
int prf_position_parse(const char *text,
		       struct prf_position *position) PRF_MUST_CHECK;
int prf_position_read(pid_t pid, pid_t tid,
		      struct prf_position *position) PRF_MUST_CHECK;
/* The same, with the arguments of its system call; all 0: it is in none. */
int prf_position_parse_call(const char *text, struct prf_position *position,
			    uint64_t args[6]) PRF_MUST_CHECK;
int prf_position_read_call(pid_t pid, pid_t tid, struct prf_position *position,
			   uint64_t args[6]) PRF_MUST_CHECK;
/* By FD, the open file. */
int prf_position_pread(int fd, struct prf_position *position) PRF_MUST_CHECK;

#endif
