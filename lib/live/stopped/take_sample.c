#include "live/stopped/take_sample.h"

#include <sys/ptrace.h>
#include <unistd.h>

#include "live/life/begin.h"
#include "live/proc/clock.h"
#include "live/stopped/copy_stack.h"
#include "live/stopped/mapwatch.h"
#include "live/stopped/pending.h"
#include "live/stopped/resume.h"
#include "live/stopped/retry.h"
#include "live/stopped/send_sample.h"
#include "live/trigger/take_back.h"

/* TASK removes what triggers left in its process for threads that they no longer
 * have. */
static void
tidy(struct prf_watch *watch, struct prf_task *task)
{
	struct prf_process *process = task->process;
	struct prf_stopped by = prf_stopped_of(task);

	if (prf_arch.read(task->tid, &by.regs))
		return;
	process->untidy = false;
	for (size_t i = 0; i < watch->n_triggers; i++) {
		struct prf_trigger *trigger = watch->triggers[i];

		if (trigger->ops->tidy &&
		    trigger->ops->tidy(trigger, process, &by))
			process->untidy = true;
	}
}

/* The trigger numbered I has stopped TASK because of CLAIM.  What can wait is done
 * after TASK runs again. */
static void
sample(struct prf_watch *watch, struct prf_task *task, size_t i,
       const struct prf_claim *claim)
{
	uint32_t ticks = claim->ticks;
	struct prf_sampler_stats *stats = watch->stats;
	struct prf_trigger *trigger = watch->triggers[i];
	struct prf_seen seen = {.stack = NULL};
	struct prf_regs *regs = &seen.regs;
	struct prf_regs now = {0};
	bool gone = prf_arch.read(task->tid, &now);

	*regs = now;
	prf_pending_take(task, regs);
	if (!gone && trigger->ops->weigh)
		ticks = trigger->ops->weigh(
			trigger, task, regs->syscall != PRF_NO_SYSCALL, ticks);
	stats->trigger[i].ticks += ticks;
	stats->trigger[i].samples += ticks > 0;
	if (gone) {
		prf_watch_lose(watch, &stats->gone, ticks);
		prf_resume(task, claim->pass_on);
		return;
	}
	if (trigger->ops->repairs_eintr)
		prf_retry_call_of(watch, task, &now);
	if (task->process->waits_for_stop && !watch->leaving)
		prf_begin_improve(watch, task);
	if (task->process->untidy)
		tidy(watch, task);
	/* A timer that is still there would send the next at once. */
	if (task->holds_ours && !task->process->untidy)
		prf_take_back(watch, task);
	prf_mapwatch_ask(task->process->maps, task->tid, regs->pc, &seen.note);
	bool wanted = prf_send_sample_is_wanted(watch, regs, ticks);
	if (wanted && watch->copier)
		seen.stack = prf_copier_copy(watch->copier, task, regs,
					     &seen.stack_bytes);
	prf_resume(task, claim->pass_on);

	task->ticks += ticks;
	task->process->ticks += ticks;
	if (wanted) {
		stats->brief += claim->brief ? ticks : 0;
		seen.time_ns = prf_clock_ns(CLOCK_MONOTONIC);
		prf_send_sample(watch, task, &seen, ticks);
	} else {
		prf_send_sample_leave_out(watch, ticks);
	}
}

/* CLAIM says what the stop of TASK has taken of its time. */
static void
leave_out_stop(struct prf_watch *watch, struct prf_task *task,
	       const struct prf_claim *claim)
{
	task->stops_ns += claim->stop_ns;
	task->process->stops_ns += claim->stop_ns;
	if (!watch->paused)
		watch->stats->stops_ns += claim->stop_ns;
}

/* All triggers are asked, not only the one that has TASK: the timer of a thread
 * that was given to another trigger goes on ticking. */
bool
prf_take_sample(struct prf_watch *watch, struct prf_task *task,
		const struct prf_stop *stop)
{
	for (size_t i = 0; i < watch->n_triggers; i++) {
		struct prf_trigger *trigger = watch->triggers[i];
		struct prf_claim claim =
			trigger->ops->claim(trigger, task, stop);

		if (!claim.ours)
			continue;
		if (trigger != task->trigger) {
			watch->stats->early++;
			prf_retry_call(watch, task);
			prf_resume(task, claim.pass_on);
			return true;
		}
		leave_out_stop(watch, task, &claim);
		sample(watch, task, i, &claim);
		return true;
	}
	return false;
}
