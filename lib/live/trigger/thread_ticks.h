/* thread_ticks.h - the ticks of a thread that has a timer, beside what the
 * kernel knows of its time: they follow that (weigh.h), and whether they show
 * all of its work alike is found (in_step.h).  Those two think; this reads. */
#ifndef PRF_LIVE_TRIGGER_THREAD_TICKS_H
#define PRF_LIVE_TRIGGER_THREAD_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "live/tasks.h"
#include "live/trigger/in_step.h"
#include "live/trigger/weigh.h"

/* What is the same for all threads of a run. */
struct prf_ticks_run {
	uint64_t period_ns, tick_ns; /* a timer's, and the kernel's */
	bool user_only; /* user mode alone is sampled, whose time no clock
			 * tells exactly */
	struct prf_weigh_pace pace;
};

struct prf_thread_ticks {
	bool weighs; /* its ticks follow its CPU time */
	struct prf_weigh weigh;
	uint64_t since_ns; /* when that began, by the monotonic clock */
	uint64_t sleeps;   /* by then */
	struct prf_in_step in_step;
};

/* Begins with TASK, which has slept SLEEPS times. */
void prf_thread_ticks_begin(struct prf_thread_ticks *ticks,
			    const struct prf_ticks_run *run,
			    const struct prf_task *task, uint64_t sleeps);

/* The ticks of a sample that has come with PERIODS, in a system call or not;
 * perhaps none.  U uniform in [0, 1). */
uint32_t prf_thread_ticks_take(struct prf_thread_ticks *ticks,
			       const struct prf_ticks_run *run,
			       const struct prf_task *task, bool in_call,
			       uint32_t periods, double u);

/* TASK ends: RUN's pace learns of it.  How much of its CPU time was in step with
 * the kernel's tick, all or nothing. */
uint64_t prf_thread_ticks_end(const struct prf_thread_ticks *ticks,
			      struct prf_ticks_run *run,
			      const struct prf_task *task);

#endif
