#include "live/check.h"

#include <errno.h>

#include "live/begin.h"
#include "live/clock.h"
#include "live/schedstat.h"
#include "live/status.h"

/* So many ticks have to be missing. */
enum { MANY = 10 };

/* How often to look, in ticks: to be waked for it costs a little, also where
 * nobody runs. */
enum { EVERY = 25, LEAST_MS = 20, MOST_MS = 1000 };

int
prf_check_every_ms(uint64_t period_ns)
{
	uint64_t ms = EVERY * period_ns / 1000000;

	return ms < LEAST_MS ? LEAST_MS : ms > MOST_MS ? MOST_MS : (int)ms;
}

static bool
is_deaf(const struct prf_task *task)
{
	struct prf_thread_status status;

	return !prf_thread_status_read(task->process->pid, task->tid,
				       &status) &&
	       task->trigger->ops->is_deaf(task->trigger, &status);
}

/* Has TASK run for long without a tick, because it blocks the signal?
 * (In a long system call it has none either, but will.)  What is not long yet
 * adds up until the next time. */
static void
check_task(void *arg, struct prf_task *task)
{
	struct prf_tracer *tracer = arg;
	const uint64_t long_ns = MANY * tracer->config->period_ns;
	uint64_t cpu_ns, since_ns = task->checked_cpu_ns;

	struct prf_trigger *last = tracer->triggers[tracer->n_triggers - 1];

	if (!task->trigger || task->trigger == last ||
	    prf_thread_cpu_read(task->process->pid, task->tid, &cpu_ns))
		return;
	bool seen = task->ticks != task->checked_ticks;

	if (!seen && cpu_ns - since_ns < long_ns)
		return;
	task->checked_cpu_ns = cpu_ns;
	task->checked_ticks = task->ticks;
	if (seen || !is_deaf(task))
		return;
	const struct prf_trigger_ops *ops = task->trigger->ops;
	if (ops->call_in && !ops->call_in(task->trigger, task))
		return;
	ops->forget(task->trigger, task);
	task->trigger = NULL;
	/* A program that asks which signals are pending would find ours. */
	task->process->untidy = true;
	task->charged_ns = since_ns;
	/* It runs: a trigger that needs it stopped cannot have it. */
	if (last->ops->arm(last, task, NULL, NULL)) {
		tracer->stats->unarmed++;
		return;
	}
	task->trigger = last;
	tracer->stats->trigger[tracer->n_triggers - 1].threads++;
	struct prf_error why;
	prf_error_set(&why, -EPERM, "it blocks every signal");
	prf_begin_note_fallback(tracer->stats, &why);
}

/* Ticks that are missing add up, whatever part of all they are: a deaf thread
 * can be one of many.  Ticks that are too many make up for none. */
static void
check_process(struct prf_tracer *tracer, struct prf_process *process)
{
	uint64_t cpu_ns;

	if (prf_clock_of_process(process->pid, &cpu_ns))
		return;
	uint64_t ticks = process->ticks - process->checked_ticks;
	uint64_t expected =
		(cpu_ns - process->checked_cpu_ns) / tracer->config->period_ns;

	if (expected >= ticks && expected - ticks < MANY)
		return;
	process->checked_cpu_ns = cpu_ns;
	process->checked_ticks = process->ticks;
	if (expected > ticks)
		prf_tasks_each_of(process, check_task, tracer);
}

void
prf_check_deaf(struct prf_tracer *tracer)
{
	for (struct prf_process *process = tracer->processes.first; process;
	     process = process->next)
		check_process(tracer, process);
}
