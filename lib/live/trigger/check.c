#include "live/trigger/check.h"

#include <errno.h>

#include "live/life/begin.h"
#include "live/proc/clock.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "live/trigger/take_back.h"

/* So many ticks must be missing. */
enum { MANY = 10 };

/* How often to check, in ticks: what a thread that accepts its trigger's signal
 * gets of them depends on it.  (To wake for it costs a little, even where no
 * thread runs.) */
enum { EVERY = 5, LEAST_MS = 20, MOST_MS = 1000 };

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

/* TASK, which runs, cannot be stopped by its trigger: the last one gets it, and
 * counts it from FROM_NS (0: now) of its CPU time on. */
static void
give_away(struct prf_watch *watch, struct prf_task *task, uint64_t from_ns,
	  const char *reason)
{
	struct prf_trigger *last = watch->triggers[watch->n_triggers - 1];
	struct prf_error why;

	/* A program that asks which signals are pending would see ours. */
	task->holds_ours = PRF_TAKE_BACK_TRIES;
	task->trigger->ops->forget(task->trigger, task);
	task->trigger = NULL;
	task->owed_from_ns = from_ns;
	/* TASK runs: a trigger that needs a stopped thread cannot have it. */
	if (last->ops->arm(last, task, NULL, NULL)) {
		watch->stats->unarmed++;
		return;
	}
	task->trigger = last;
	watch->stats->trigger[watch->n_triggers - 1].threads++;
	prf_error_set(&why, -EPERM, "%s", reason);
	prf_begin_note_fallback(watch->stats, &why);
}

static bool
has_lost(struct prf_task *task)
{
	return task->trigger->ops->has_lost &&
	       task->trigger->ops->has_lost(task->trigger, task);
}

/* What stopped TASK is not there any more: the last trigger has it until its
 * first stop, where it is made again. */
static void
lend(struct prf_watch *watch, struct prf_task *task, uint64_t from_ns)
{
	give_away(watch, task, from_ns, "it has deleted its timer");
	task->waits_for_stop = task->process->waits_for_stop = true;
}

static bool
can_be_given_away(const struct prf_watch *watch, const struct prf_task *task)
{
	return task->trigger &&
	       task->trigger != watch->triggers[watch->n_triggers - 1];
}

/* Has TASK run for long without a tick, because it blocks the signal?
 * (In a long system call it has none either, but will.)  What is not long yet
 * adds up until the next time. */
static void
check_ticks(void *arg, struct prf_task *task)
{
	struct prf_watch *watch = arg;
	const uint64_t long_ns = MANY * watch->config->period_ns;
	uint64_t cpu_ns, since_ns = task->checked_cpu_ns;

	if (!can_be_given_away(watch, task) ||
	    prf_schedstat_read_cpu(task->process->pid, task->tid, &cpu_ns))
		return;
	bool seen = task->ticks != task->checked_ticks;

	if (!seen && cpu_ns - since_ns < long_ns)
		return;
	task->checked_cpu_ns = cpu_ns;
	task->checked_ticks = task->ticks;
	if (seen)
		return;
	if (!cannot_stop(task)) {
		if (has_lost(task))
			lend(watch, task, since_ns);
	} else {
		give_away(watch, task, since_ns, "it blocks every signal");
	}
}

/* Does TRIGGER stop by a signal that C libraries let programs block? */
static bool
can_be_blocked(const struct prf_trigger *trigger)
{
	const uint64_t kept_by_libc = 1ULL << (32 - 1) | 1ULL << (33 - 1);
	const struct prf_thread_status blocks = {.signals_blocked =
							 ~kept_by_libc};

	return trigger->ops->cannot_stop(trigger, &blocks);
}

/* A thread that waits for all signals is not to get ours: if TASK has run, its
 * mask is looked at before ticks are missing.  A C library blocks all signals
 * for a moment now and then, as while it makes a thread: several looks in turn
 * must show it, without a tick between them, of one that sleeps two.  One that
 * has waited for a processor, or for us, since the last look, perhaps in such a
 * moment, shows nothing new. */
static void
check_mask(void *arg, struct prf_task *task)
{
	enum { LOOKS = 4, LOOKS_ASLEEP = 2 };
	struct prf_watch *watch = arg;
	struct prf_thread_status status;
	uint64_t cpu_ns;

	if (!can_be_given_away(watch, task) || !can_be_blocked(task->trigger) ||
	    prf_schedstat_read_cpu(task->process->pid, task->tid, &cpu_ns) ||
	    cpu_ns == task->mask_cpu_ns ||
	    prf_status_read_thread(task->process->pid, task->tid, &status) ||
	    status.state == 't')
		return;
	bool seen = task->ticks != task->mask_ticks;
	bool blocked = task->trigger->ops->cannot_stop(task->trigger, &status);
	if (!blocked || seen)
		task->n_blocked = 0;
	if (blocked && task->n_blocked++ == 0)
		task->blocked_from_ns = task->ticks == task->checked_ticks
						? task->checked_cpu_ns
					: seen ? cpu_ns
					       : task->mask_cpu_ns;
	task->mask_cpu_ns = cpu_ns;
	task->mask_ticks = task->ticks;
	if (task->n_blocked >= (status.state == 'S' ? LOOKS_ASLEEP : LOOKS))
		give_away(watch, task, task->blocked_from_ns,
			  "it blocks every signal");
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
		prf_tasks_each_of(process, check_ticks, watch);
}

void
prf_check_threads(struct prf_watch *watch, bool masks)
{
	for (struct prf_process *process = watch->processes.first; process;
	     process = process->next) {
		if (masks)
			prf_tasks_each_of(process, check_mask, watch);
		check_process(watch, process);
	}
}
