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
#include "live/trigger/take_back.h"

/* What was seen of a thread while it was stopped. */
struct seen {
	struct prf_regs regs;
	struct prf_mapwatch_note note;
	const struct prf_stack_copy *stack; /* NULL: not asked for */
	size_t stack_bytes;
};

/* Tells the sink of the code that a sample of PROCESS speaks of. */
static int
tell_mappings(struct prf_watch *watch, struct prf_process *process,
	      const struct seen *seen, bool *verified)
{
	int rc = prf_mapwatch_tell(process->maps, &seen->note, watch->sink,
				   verified);

	return rc || !seen->stack
		       ? rc
		       : prf_mapwatch_tell_rest(process->maps, watch->sink);
}

static void
send_sample(struct prf_watch *watch, const struct prf_task *task,
	    const struct seen *seen, uint32_t ticks)
{
	const struct prf_regs *regs = &seen->regs;
	struct prf_sampler_stats *stats = watch->stats;
	struct prf_frame frame = {regs->pc, PRF_FRAME_PC};
	bool verified;

	struct prf_sample sample = {
		.pid = task->process->pid,
		.tid = task->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.ticks = ticks,
		.syscall = regs->syscall,
		.n_frames = 1,
		.frames = &frame,
		.stack_copy = seen->stack,
		.stack_copy_bytes = seen->stack_bytes,
	};
	if (tell_mappings(watch, task->process, seen, &verified) ||
	    prf_watch_send(watch, &sample)) {
		stats->refused += ticks;
		return;
	}
	if (!verified)
		stats->stale_map += ticks;
	stats->ticks += ticks;
	stats->samples++;
	stats->late += ticks - 1;
	if (regs->syscall != PRF_NO_SYSCALL)
		stats->in_calls += ticks;
}

/* Thread TID removes what triggers left in PROCESS for threads that they no longer
 * have. */
static void
tidy(struct prf_watch *watch, struct prf_process *process, pid_t tid)
{
	struct prf_stopped by = {.tid = tid};

	if (prf_arch.read(tid, &by.regs))
		return;
	process->untidy = false;
	for (size_t i = 0; i < watch->n_triggers; i++) {
		struct prf_trigger *trigger = watch->triggers[i];

		if (trigger->ops->tidy)
			trigger->ops->tidy(trigger, process, &by);
	}
}

/* Are the TICKS of a thread with REGS for the profile? */
static bool
is_wanted(const struct prf_watch *watch, const struct prf_regs *regs,
	  uint32_t ticks)
{
	bool in_kernel = regs->syscall != PRF_NO_SYSCALL;

	return ticks && !watch->paused &&
	       !(in_kernel && watch->config->clock == PRF_CLOCK_USER);
}

static void
count_unwanted(struct prf_watch *watch, uint32_t ticks)
{
	struct prf_sampler_stats *stats = watch->stats;

	if (!ticks)
		stats->early++;
	else
		*(watch->paused ? &stats->paused : &stats->in_kernel) += ticks;
}

/* The trigger numbered I has stopped TASK because TICKS are due.  What can wait
 * is done after TASK runs again. */
static void
sample(struct prf_watch *watch, struct prf_task *task, size_t i, uint32_t ticks,
       bool brief)
{
	struct prf_sampler_stats *stats = watch->stats;
	struct prf_trigger *trigger = watch->triggers[i];
	struct seen seen = {.stack = NULL};
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
		stats->gone += ticks;
		prf_resume(task, 0);
		return;
	}
	if (trigger->ops->repairs_eintr)
		prf_retry_call_of(watch, task, &now);
	if (task->process->waits_for_stop && !watch->leaving)
		prf_begin_improve(watch, task);
	if (task->holds_ours)
		prf_take_back(watch, task);
	if (task->process->untidy)
		tidy(watch, task->process, task->tid);
	prf_mapwatch_ask(task->process->maps, task->tid, regs->pc, &seen.note);
	bool wanted = is_wanted(watch, regs, ticks);
	if (wanted && watch->copier)
		seen.stack = prf_copier_copy(watch->copier, task, regs,
					     &seen.stack_bytes);
	prf_resume(task, 0);

	task->ticks += ticks;
	task->process->ticks += ticks;
	if (wanted) {
		stats->brief += brief ? ticks : 0;
		send_sample(watch, task, &seen, ticks);
	} else {
		count_unwanted(watch, ticks);
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
			prf_resume(task, 0);
			return true;
		}
		leave_out_stop(watch, task, &claim);
		if (claim.hand_over)
			prf_begin_hand_over(watch, task);
		sample(watch, task, i, claim.ticks, claim.brief);
		return true;
	}
	return false;
}
