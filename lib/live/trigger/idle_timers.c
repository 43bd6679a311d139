#include "live/trigger/idle_timers.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "live/trigger/cpu_timer.h"

/* A part of the pending signals that the user may have, and a number. */
enum { IDLE_PART = 16, MOST_IDLE = 4096, MOST_IDLE_ATTACHED = 64 };

size_t
prf_idle_timers_most(bool attached)
{
	rlim_t most = attached ? MOST_IDLE_ATTACHED : MOST_IDLE;
	struct rlimit pending;

	if (getrlimit(RLIMIT_SIGPENDING, &pending))
		return MOST_IDLE_ATTACHED;
	/* RLIM_INFINITY is the greatest of all. */
	return pending.rlim_cur / IDLE_PART < most
		       ? pending.rlim_cur / IDLE_PART
		       : most;
}

void
prf_idle_timers_add(struct prf_idle_timers *idle, int id)
{
	if (idle->n == idle->room) {
		size_t room = 2 * idle->room + 16;
		int *grown = reallocarray(idle->ids, room, sizeof *grown);

		if (!grown)
			return;
		idle->ids = grown;
		idle->room = room;
	}
	idle->ids[idle->n++] = id;
}

int
prf_idle_timers_delete(struct prf_idle_timers *idle,
		       struct prf_injection *injection, size_t kept,
		       size_t at_once)
{
	int rc = 0;

	for (size_t i = 0; i < at_once && idle->n > kept; i++) {
		rc = prf_cpu_timer_delete(injection, idle->ids[idle->n - 1]);
		if (rc)
			break;
		idle->n--;
	}
	return rc;
}

void
prf_idle_timers_clear(struct prf_idle_timers *idle)
{
	free(idle->ids);
	*idle = (struct prf_idle_timers){0};
}
