/* stop_cost.h - what a stop takes of the CPU time of the thread that is stopped:
 * the kernel charges the thread with its way into the stop and with the way
 * back.  A profile is to show a program as it is when nobody watches, so this
 * time is left out of it.
 *
 * The way in is seen where a clock of the thread's is to stop it at a moment
 * that is known: what that clock says in the stop is later by the way in.  The
 * way back is a part of it.  What neither shows, such as caches that are cold
 * after a stop, stays with the program. */
#ifndef PRF_LIVE_TRIGGER_STOP_COST_H
#define PRF_LIVE_TRIGGER_STOP_COST_H

#include <stdbool.h>
#include <stdint.h>

/* What a stop takes here, tried on a child in about a millisecond; 0: it cannot be
 * tried. */
uint64_t prf_stop_cost_try(void);

/* Of one thread, as it turns out.  Pure. */
struct prf_stop_cost {
	double in_ns;      /* the mean way in */
	double most_in_ns; /* what takes longer was no way in */
	unsigned n;        /* of what IN_NS is the mean */
};

/* A thread of which nothing is known but what a stop USUALLY_NS takes. */
struct prf_stop_cost prf_stop_cost_new(uint64_t usually_ns);
/* What the way back takes. */
uint64_t prf_stop_cost_back_ns(const struct prf_stop_cost *cost);
/* The thread has stopped LATE_NS after its clock was to stop it: that was the way
 * in, unless it was in the kernel then.  Returns what the stop takes as a whole. */
uint64_t prf_stop_cost_note(struct prf_stop_cost *cost, uint64_t late_ns,
			    bool in_user_mode);
/* The same of a stop of which nothing is known. */
uint64_t prf_stop_cost_usual_ns(const struct prf_stop_cost *cost);

/* The CPU time of a thread without that of its stops, since it got a clock.
 * Pure. */
struct prf_own_time {
	uint64_t born_cpu_ns; /* CPU time that it had when it got that, and that
			       * its stops have taken since */
};

/* What it is when the kernel says that the thread has used CPU_NS in its life. */
uint64_t prf_own_time_ns(const struct prf_own_time *own, uint64_t cpu_ns);
/* Leaves a stop out of it that has taken STOP_NS.  Returns how much that was: a
 * clock that has just begun has not run for as long, and time does not become
 * less than zero. */
uint64_t prf_own_time_leave_out(struct prf_own_time *own, uint64_t cpu_ns,
				uint64_t stop_ns);

#endif
