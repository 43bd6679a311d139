#include "live/trigger/check.h"

#include <errno.h>

#include "live/life/begin.h"
#include "live/proc/clock.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"

/* So many ticks must be missing. */
enum { MANY = 10 };

/* How often to check, in ticks.  (To wake for it costs a little, even where
 * no thread runs.) */
enum { EVERY = 25, LEAST_MS = 20, MOST_MS = 1000 };

int
prf_check_every_ms(uint64_t period_ns)
{
	uint64_t ms = EVERY * period_ns / 1000000;

	return ms < LEAST_MS ? LEAST_MS : ms > MOST_MS ? MOST_MS : (int)ms;
}

static bool
cannot_stop(const struct prf_task *task)
{
	struct prf_thread_status status;

	return !prf_status_read_thread(task->process->pid, task->tid,
				       &status) &&
	       task->trigger->ops->cannot_stop(task->trigger, &status);
}

/* Has TASK run for long without a tick, because it blocks the signal?
 * (In a long system call it has none either, but will.)  What is not long yet
 * adds up until the next time. */
static void
check_task(void *arg, struct prf_task *task)
{
	struct prf_watch *watch = arg;
	const uint64_t long_ns = MANY * watch->config->period_ns;
	uint64_t cpu_ns, since_ns = task->checked_cpu_ns;

	struct prf_trigger *last = watch->triggers[watch->n_triggers - 1];

	if (!task->trigger || task->trigger == last ||
	    prf_schedstat_read_cpu(task->process->pid, task->tid, &cpu_ns))
		return;
	bool seen = task->ticks != task->checked_ticks;

	if (!seen && cpu_ns - since_ns < long_ns)
		return;
	task->checked_cpu_ns = cpu_ns;
	task->checked_ticks = task->ticks;
	if (seen || !cannot_stop(task))
		return;
	const struct prf_trigger_ops *ops = task->trigger->ops;
	if (ops->stop_once_more && !ops->stop_once_more(task->trigger, task))
		return;
	ops->forget(task->trigger, task);
	task->trigger = NULL;
	/* A program that asks which signals are pending would see ours. */
	task->process->untidy = true;
	task->owed_from_ns = since_ns;
	/* TASK runs: a trigger that needs a stopped thread cannot have it. */
	if (last->ops->arm(last, task, NULL, NULL)) {
		watch->stats->unarmed++;
		return;
	}
	task->trigger = last;
	watch->stats->trigger[watch->n_triggers - 1].threads++;
	struct prf_error why;
	prf_error_set(&why, -EPERM, "it blocks every signal");
	prf_begin_note_fallback(watch->stats, &why);
}

/* Missing ticks add up, even where they are few of many: one thread of many
 * may block the signal.  Ticks in excess do not make up for them. */
static void
check_process(struct prf_watch *watch, struct prf_process *process)
{
	uint64_t cpu_ns;

	if (prf_clock_of_process(process->pid, &cpu_ns) ||
	    cpu_ns < process->stops_ns)
		return;
	cpu_ns -= process->stops_ns;
	uint64_t ticks = process->ticks - process->checked_ticks;
	uint64_t expected =
		(cpu_ns - process->checked_cpu_ns) / watch->config->period_ns;

	if (expected >= ticks && expected - ticks < MANY)
		return;
	process->checked_cpu_ns = cpu_ns;
	process->checked_ticks = process->ticks;
	if (expected > ticks)
		prf_tasks_each_of(process, check_task, watch);
}

void
prf_check_threads(struct prf_watch *watch)
{
	for (struct prf_process *process = watch->processes.first; process;
	     process = process->next)
		check_process(watch, process);
}
