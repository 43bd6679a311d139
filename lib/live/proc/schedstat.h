/* schedstat.h - /proc/PID/task/TID/schedstat: the time that a thread has run.
 * The parser is pure. */
#ifndef PRF_LIVE_PROC_SCHEDSTAT_H
#define PRF_LIVE_PROC_SCHEDSTAT_H

#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* Nanoseconds that the thread has run, and that it could have run but had no
 * processor; and how often it was given one.  Exact while it is not running, and
 * of a zombie. */
struct prf_schedstat {
	uint64_t cpu_ns, waited_ns;
	uint64_t n_slices;
};

int prf_schedstat_parse(const char *text,
			struct prf_schedstat *times) PRF_MUST_CHECK;
/* -ENOENT: the thread has ended. */
int prf_schedstat_read(pid_t pid, pid_t tid,
		       struct prf_schedstat *times) PRF_MUST_CHECK;
/* The same by FD, the open file. -ESRCH: the thread has ended. */
int prf_schedstat_open(pid_t pid, pid_t tid);
int prf_schedstat_pread(int fd, struct prf_schedstat *times) PRF_MUST_CHECK;
/* cpu_ns alone. */
int prf_schedstat_read_cpu(pid_t pid, pid_t tid,
			   uint64_t *cpu_ns) PRF_MUST_CHECK;

#endif
