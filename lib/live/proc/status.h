/* status.h - /proc/PID/task/TID/status: the signals of a thread, and the
 * process that it belongs to.  The parsers are pure. */
#ifndef PRF_LIVE_PROC_STATUS_H
#define PRF_LIVE_PROC_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

struct prf_thread_status {
	char state;               /* as in proc(5): R, S, t, ...; 0: not told */
	unsigned seccomp_mode;    /* 0 none, 1 strict, 2 filter */
	unsigned seccomp_filters; /* how many; 0 where the kernel does not
				   * tell */
	uint64_t signals_blocked, signals_ignored, signals_caught; /* bit n-1 */
	uint64_t signals_pending; /* for this thread alone */
	pid_t own_tid;   /* its id in its own PID namespace; where the kernel
		        * does not tell (before Linux 4.1), its id in ours */
	uint64_t sleeps; /* how often it gave up its processor, to wait; a
			  * stop is that, too */
};

/* -EINVAL: a field is missing. */
int prf_status_parse_thread(const char *text,
			    struct prf_thread_status *status) PRF_MUST_CHECK;
int prf_status_read_thread(pid_t pid, pid_t tid,
			   struct prf_thread_status *status) PRF_MUST_CHECK;
/* The same file, to be read often: a descriptor, or a negative errno value. */
int prf_status_open_thread(pid_t pid, pid_t tid);
/* The same by FD, such a descriptor of TID's. -ESRCH: the thread has ended. */
int prf_status_pread_thread(int fd, pid_t tid,
			    struct prf_thread_status *status) PRF_MUST_CHECK;

/* Of /proc/TID/status: the process that thread TID belongs to, its parent,
 * its tracer and its owner. */
struct prf_process_status {
	pid_t pid, parent;
	pid_t tracer; /* 0: it is not traced */
	uid_t uid;    /* real */
	int n_threads;
	bool is_zombie;
	bool is_stopped;          /* by job control or its tracer */
	bool is_kernel;           /* it has no memory of its own */
	uint64_t signals_pending; /* for the process, bit n-1 */
	uint64_t capabilities;    /* effective, bit n */
};

int prf_status_parse_process(const char *text,
			     struct prf_process_status *status) PRF_MUST_CHECK;
int prf_status_read_process(pid_t tid,
			    struct prf_process_status *status) PRF_MUST_CHECK;
/* Is thread TID gone, or a zombie?  What cannot be read for another reason tells
 * of no end. */
bool prf_status_has_ended(pid_t tid);
/* The first thread of PID that has not ended; 0: all have. (/proc shows one that
 * has ended as if it had no memory.) */
pid_t prf_status_find_living(pid_t pid);
/* A process that has not ended, and that thread TRACER traces; 0: there is none.
 * (All of /proc is read for that.) */
pid_t prf_status_find_traced(pid_t tracer);

#endif
