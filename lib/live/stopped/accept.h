/* accept.h - a stopped thread accepts a signal that waits for it, since it
 * blocks the signal, and that is not to come to it any more: it calls
 * rt_sigtimedwait, and is none the wiser. */
#ifndef PRF_LIVE_STOPPED_ACCEPT_H
#define PRF_LIVE_STOPPED_ACCEPT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prf_injection;

/* INFO is of the signal numbered SIGNAL that thread TID, which is stopped, would
 * accept next of those that wait for it alone; false: there is none. */
bool prf_accept_next(pid_t tid, int signal, siginfo_t *info);
/* TID accepts it, by a call at INSN_ADDR; OVERDUE is as in overdue.h. */
int prf_accept(pid_t tid, uint64_t insn_addr, int signal,
	       struct prf_injection **overdue);

#endif
