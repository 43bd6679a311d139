#include "live/trigger/thread_ticks.h"

#include <time.h>

#include "live/proc/clock.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"

/* What TASK has run, without its stops. */
static int
read_times(const struct prf_task *task, struct prf_schedstat *times)
{
	int rc = prf_schedstat_read(task->process->pid, task->tid, times);

	if (!rc)
		times->cpu_ns -= task->stops_ns < times->cpu_ns ? task->stops_ns
								: times->cpu_ns;
	return rc;
}

void
prf_thread_ticks_begin(struct prf_thread_ticks *ticks,
		       const struct prf_ticks_run *run,
		       const struct prf_task *task, uint64_t sleeps)
{
	struct prf_schedstat from = {0};

	/* A thread that was just made has not run yet. */
	ticks->weighs =
		!run->user_only && (task->creator || !read_times(task, &from));
	ticks->weigh = prf_weigh_begin(&from, &run->pace);
	ticks->sleeps = task->creator ? 0 : sleeps;
	ticks->since_ns = prf_clock_ns(CLOCK_MONOTONIC);
}

/* TASK has woken of its own accord so often, since it is weighed: but for our
 * stops. */
static int
read_wakes(const struct prf_task *task, const struct prf_thread_ticks *ticks,
	   uint64_t *wakes)
{
	uint64_t ours = ticks->sleeps + prf_weigh_samples(&ticks->weigh);
	struct prf_thread_status status;
	int rc = prf_status_read_thread(task->process->pid, task->tid, &status);

	if (!rc)
		*wakes = status.sleeps > ours ? status.sleeps - ours : 0;
	return rc;
}

/* A thread that by NOW has had few times to wake for a sample has no bursts that
 * could be in step. */
static void
mark_wakes(struct prf_thread_ticks *ticks, const struct prf_task *task,
	   const struct prf_schedstat *now)
{
	uint64_t slices = now->n_slices - ticks->weigh.from.n_slices;
	struct prf_in_step_mark mark;

	if (2 * slices < 3 * prf_weigh_samples(&ticks->weigh) ||
	    read_wakes(task, ticks, &mark.wakes))
		return;
	mark.time_ns = prf_clock_ns(CLOCK_MONOTONIC);
	prf_in_step_mark(&ticks->in_step, &mark);
}

uint32_t
prf_thread_ticks_take(struct prf_thread_ticks *ticks,
		      const struct prf_ticks_run *run,
		      const struct prf_task *task, bool in_call,
		      uint32_t periods, double u)
{
	struct prf_schedstat now;

	if (!ticks->weighs)
		return periods;
	uint32_t taken = prf_weigh_take(&ticks->weigh, in_call, periods, u);
	if (prf_weigh_is_to_be_told(&ticks->weigh) && !read_times(task, &now)) {
		prf_weigh_tell(&ticks->weigh, &now, run->period_ns,
			       run->tick_ns, &run->pace);
		mark_wakes(ticks, task, &now);
	}
	return taken;
}

/* How much of TASK's CPU time, which is all that NOW says, was in step. */
static uint64_t
in_step_of(const struct prf_thread_ticks *ticks,
	   const struct prf_ticks_run *run, const struct prf_task *task,
	   const struct prf_schedstat *now)
{
	double tick = (double)run->tick_ns, period = (double)run->period_ns;
	const struct prf_schedstat *from = &ticks->weigh.from;
	uint64_t cpu_ns = now->cpu_ns - from->cpu_ns;
	uint64_t wakes;

	if (read_wakes(task, ticks, &wakes))
		return 0;
	const struct prf_in_step_totals totals = {
		.ticks_due = (double)cpu_ns / tick,
		.ticks_met = (double)prf_weigh_periods(&ticks->weigh) * period /
			     tick,
		.ticks_waited =
			(double)(now->waited_ns - from->waited_ns) / tick,
		.error = 1 + period / tick,
		.wakes = (double)wakes,
	};

	return prf_in_step_is(&ticks->in_step, &totals, run->tick_ns) ? cpu_ns
								      : 0;
}

/* Of what is shorter than a period nothing is asked, since that takes time, and
 * little is to be learned. */
uint64_t
prf_thread_ticks_end(const struct prf_thread_ticks *ticks,
		     struct prf_ticks_run *run, const struct prf_task *task)
{
	enum { LEAST_TICKS = 40 }; /* fewer show no rhythm */
	struct prf_schedstat now;

	if (!ticks->weighs)
		return 0;
	uint64_t lived_ns = prf_clock_ns(CLOCK_MONOTONIC) - ticks->since_ns;
	if (lived_ns < run->period_ns || read_times(task, &now))
		return 0;
	prf_weigh_end(&ticks->weigh, &now, lived_ns, run->period_ns,
		      &run->pace);
	return lived_ns < LEAST_TICKS * run->tick_ns
		       ? 0
		       : in_step_of(ticks, run, task, &now);
}
