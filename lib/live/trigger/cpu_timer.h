/* cpu_timer.h - a timer on a thread's own CPU clock, made inside its process by
 * the system calls of a thread that is stopped.
 *
 * The kernel looks at such timers in its own tick only.  If the clock were the
 * scheduler's, which is exact, the tick that finds the timer expired would be
 * the likelier one the more the thread has run since the last: the ends of short
 * bursts of work would have most of the samples.  So it is the one that counts
 * the kernel's ticks: each that meets the thread stands for the same time, and
 * where they meet it is up to chance alone. */
#ifndef PRF_LIVE_TRIGGER_CPU_TIMER_H
#define PRF_LIVE_TRIGGER_CPU_TIMER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/stopped/inject.h"

struct prf_cpu_timer {
	pid_t tid;      /* whose clock it is, and which gets the signal: its
			 * id in its own PID namespace */
	bool user_only; /* the clock is of user time alone */
	int signal;
	int cookie; /* comes back as the signal's si_int */
	uint64_t first_ns, period_ns;
};

/* What the calls point to, as the kernel lays it out. */
struct prf_cpu_timer_data {
	struct {
		uint64_t value;
		int32_t signo, notify, tid;
		int32_t padding[11];
	} event;
	struct {
		int64_t interval_s, interval_ns, value_s, value_ns;
	} spec;
	int32_t id;
	int32_t padding;
};

struct prf_cpu_timer_data prf_cpu_timer_data(const struct prf_cpu_timer *timer);

/* Makes TIMER and starts it, by INJECTION, which was begun with its data.
 * *RESULT: 0, with its *ID, or the -errno of the call that failed.  The return
 * value is that of prf_inject_call. */
int prf_cpu_timer_make(struct prf_injection *injection,
		       const struct prf_cpu_timer *timer, int *id,
		       int64_t *result) PRF_MUST_CHECK;
/* The result of the call does not matter: the timer is gone in any case. */
int prf_cpu_timer_delete(struct prf_injection *injection,
			 int id) PRF_MUST_CHECK;

#endif
