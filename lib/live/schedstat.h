/* schedstat.h - /proc/PID/task/TID/schedstat: the time that a thread has run.
 * The parser is pure. */
#ifndef PRF_LIVE_SCHEDSTAT_H
#define PRF_LIVE_SCHEDSTAT_H

#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* Nanoseconds that the thread has run, and that it could have run but had no
 * processor; and how often it was given one.  Exact while it is not running, and
 * of a zombie. */
struct prf_thread_times {
	uint64_t cpu_ns, waited_ns;
	uint64_t n_slices;
};

int prf_thread_times_parse(const char *text,
			   struct prf_thread_times *times) PRF_MUST_CHECK;
/* -ENOENT: it has gone. */
int prf_thread_times_read(pid_t pid, pid_t tid,
			  struct prf_thread_times *times) PRF_MUST_CHECK;
/* The same by FD, the open file.  -ESRCH: the thread has gone. */
int prf_thread_times_open(pid_t pid, pid_t tid);
int prf_thread_times_pread(int fd,
			   struct prf_thread_times *times) PRF_MUST_CHECK;
/* The first of them alone. */
int prf_thread_cpu_read(pid_t pid, pid_t tid, uint64_t *cpu_ns) PRF_MUST_CHECK;

#endif
