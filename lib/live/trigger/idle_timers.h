/* idle_timers.h - the timers of threads that have ended, or that another trigger
 * has.  A timer is its process's, not its thread's: it stays until the process
 * deletes it. */
#ifndef PRF_LIVE_TRIGGER_IDLE_TIMERS_H
#define PRF_LIVE_TRIGGER_IDLE_TIMERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "live/stopped/inject.h"

/* Of one process.  All 0: none. */
struct prf_idle_timers {
	int *ids; /* the process's names for them */
	size_t n, room;
};

/* How many a process may keep: to delete one takes two stops, but the kernel
 * counts them against the pending signals that the user may have.  Where the
 * program lives on if we die (ATTACHED), it is fewer: they may stay there for
 * good. */
size_t prf_idle_timers_most(bool attached);

/* Adds ID.  (Without memory to remember it, it stays for good.) */
void prf_idle_timers_add(struct prf_idle_timers *idle, int id);
/* Deletes the latest, until KEPT are left or AT_ONCE are deleted.  The return
 * value is that of prf_inject_call; what it was not made for is left. */
int prf_idle_timers_delete(struct prf_idle_timers *idle,
			   struct prf_injection *injection, size_t kept,
			   size_t at_once) PRF_MUST_CHECK;
void prf_idle_timers_clear(struct prf_idle_timers *idle);

#endif
