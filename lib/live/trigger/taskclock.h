/* taskclock.h - perf's task clock of one thread: an event of the kernel that
 * counts the thread's CPU time and gives it a SIGTRAP when some has passed.
 *
 * The signal is raised by the thread itself on its way back to user mode, so
 * that no system call notices (Linux 5.13).  The clock does not wait for the
 * kernel's tick. */
#ifndef PRF_LIVE_TRIGGER_TASKCLOCK_H
#define PRF_LIVE_TRIGGER_TASKCLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"

/* The kernel has no shorter period of such a clock. */
#define PRF_TASKCLOCK_MIN_NS 10000
/* The shortest period for a clock that waits until its thread is in user
 * mode.  If it finds the thread in the kernel, it begins the next period
 * there, and where an interrupt costs as much as that period, as in a
 * virtual machine inside another, the thread makes no way between two: 10 us
 * leave it a twentieth of its speed. */
#define PRF_TASKCLOCK_USER_NS 200000

struct prf_taskclock_config {
	uint64_t period_ns;
	uint64_t cookie; /* comes with the signal */
	bool user_only;  /* time in the kernel raises no signal; it is counted
			  * all the same */
	bool silent;     /* no SIGTRAP at all */
	bool disabled;   /* does not run yet */
	bool once;       /* after its signal it stands still until it is
			  * restarted: a thread that blocks the signal, and
			  * accepts it, gets no other */
};

/* *FD is the clock of thread TID (0: the calling one), from zero on.  It goes
 * when the thread calls exec.  -ESRCH: there is no such thread any more;
 * -EACCES, -EPERM and others: refused, with the reason in ERR. */
int prf_taskclock_open(pid_t tid, const struct prf_taskclock_config *config,
		       int *fd, struct prf_error *err) PRF_MUST_CHECK;
/* perf_event_open() has failed with CODE, an errno value, for user time alone or
 * for all: says why in ERR, and returns -CODE. */
int prf_taskclock_refused(int code, bool user_only, struct prf_error *err);
/* What it has counted; exact while the thread does not run.  Also of one that
 * has ended. */
int prf_taskclock_read(int fd, uint64_t *cpu_ns) PRF_MUST_CHECK;
/* Its signal is to come when the thread has run for PERIOD_NS from now on; ONCE
 * as it was opened. */
int prf_taskclock_restart(int fd, uint64_t period_ns, bool once);
/* Thread TID is sent SIGNAL once, with FD in its siginfo, when the silent and
 * disabled clock has expired. */
int prf_taskclock_send_once(int fd, pid_t tid, int signal) PRF_MUST_CHECK;

/* Does its signal interrupt a system call?  Before Linux 6.11 it came at once, so
 * that a read could end early. */
bool prf_taskclock_interrupts(void);

/* The kernel's setting perf_event_paranoid; false: it has none. */
bool prf_taskclock_paranoid(int *level);

/* What comes of such a signal where a thread blocks it. */
enum prf_taskclock_blocked {
	PRF_TASKCLOCK_KILLS,   /* before Linux 5.18 */
	PRF_TASKCLOCK_REPEATS, /* it waits; a clock cannot signal but once,
				* before Linux 6.1 */
	PRF_TASKCLOCK_WAITS,   /* it waits */
};

/* Tried in a child. */
enum prf_taskclock_blocked prf_taskclock_try_blocked(void);

#endif
