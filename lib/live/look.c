#include "live/look.h"

#include <sys/ptrace.h>
#include <unistd.h>

#include "live/begin.h"
#include "live/clock.h"
#include "live/mapwatch.h"
#include "live/repair.h"
#include "live/sandbox.h"
#include "live/status.h"

void
prf_task_resume(const struct prf_task *task, int signal)
{
	ptrace(PTRACE_CONT, task->tid, NULL, (void *)(intptr_t)signal);
}

static void
send_sample(struct prf_tracer *tracer, const struct prf_task *task,
	    const struct prf_regs *regs, uint32_t ticks)
{
	struct prf_sampler_stats *stats = tracer->stats;
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
	};
	if (prf_mapwatch_tell(task->process->maps, regs->pc, tracer->sink,
			      &verified) ||
	    tracer->sink->ops->sample(tracer->sink, &sample)) {
		stats->refused += ticks;
		return;
	}
	if (!verified)
		stats->stale_map += ticks;
	stats->ticks += ticks;
	stats->samples++;
	stats->late += ticks - 1;
}

/* Is TASK's call to be made again, as the kernel will not?  (It may do so by
 * restart_syscall, for which a filter of TASK's own could kill it.) */
static bool
is_to_repair(const struct prf_task *task, const struct prf_regs *regs)
{
	return prf_repair_is_due(regs) ||
	       (prf_repair_needs_restart_call(regs) &&
		prf_sandbox_is_own(task->process->pid, task->tid));
}

/* An interrupted call is made again, if the kernel does not see to that.  Not
 * only a stop from outside interrupts one: a thread runs what a clock has left
 * for it to do on its way out of the kernel, but in io_uring_enter(2) also before
 * it sleeps; and older kernels send a clock's signal at once. */
static void
repair_interrupted(struct prf_tracer *tracer, struct prf_task *task,
		   const struct prf_regs *regs)
{
	struct prf_regs rewound = *regs;

	if (!is_to_repair(task, regs))
		return;
	uint64_t pc = prf_repair_rewind(&rewound);

	if (!pc)
		return;
	bool again = prf_repair_chain_goes_on(&task->repairs, pc,
					      prf_clock_ns(CLOCK_MONOTONIC));
	if (!again)
		prf_arch.undo_rewind(&rewound);
	if (prf_regs_write(task->tid, &rewound) || !again)
		return;
	task->rewound_pc = pc;
	tracer->stats->eintr_repaired++;
}

void
prf_look_repair(struct prf_tracer *tracer, struct prf_task *task)
{
	struct prf_regs regs;

	if (!prf_arch.read(task->tid, &regs))
		repair_interrupted(tracer, task, &regs);
}

/* What is left in PROCESS of triggers that are done with some thread goes, by
 * thread TID. */
static void
tidy(struct prf_tracer *tracer, struct prf_process *process, pid_t tid)
{
	struct prf_stopped by = {.tid = tid};

	if (prf_arch.read(tid, &by.regs))
		return;
	process->untidy = false;
	for (size_t i = 0; i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];

		if (trigger->ops->tidy)
			trigger->ops->tidy(trigger, process, &by);
	}
}

/* TASK has stopped by TRIGGER because TICKS are due.  What can wait is done
 * after it has been let go. */
static void
look(struct prf_tracer *tracer, struct prf_task *task,
     const struct prf_trigger_ops *trigger, uint32_t ticks)
{
	struct prf_sampler_stats *stats = tracer->stats;
	struct prf_regs regs;

	if (prf_arch.read(task->tid, &regs)) {
		stats->gone += ticks;
		prf_task_resume(task, 0);
		return;
	}
	if (trigger->repairs_eintr)
		repair_interrupted(tracer, task, &regs);
	if (task->process->waits_for_stop && !tracer->leaving)
		prf_begin_improve(tracer, task);
	if (task->process->untidy)
		tidy(tracer, task->process, task->tid);
	prf_mapwatch_note(task->process->maps, task->tid, regs.pc);
	prf_task_resume(task, 0);

	task->ticks += ticks;
	task->process->ticks += ticks;
	if (!ticks) {
		stats->early++;
	} else if (tracer->paused) {
		stats->paused += ticks;
	} else if (tracer->config->clock == PRF_CLOCK_USER &&
		   regs.syscall != PRF_NO_SYSCALL) {
		stats->in_kernel += ticks;
	} else {
		send_sample(tracer, task, &regs, ticks);
	}
}

/* A signal that will do nothing has woken a thread that would have slept on;
 * or a handler is about to run in a thread that was set back. */
void
prf_look_settle_call(struct prf_tracer *tracer, struct prf_task *task,
		     int signal)
{
	struct prf_thread_status status;
	struct prf_regs regs;

	if (prf_arch.read(task->tid, &regs))
		return;
	bool pending = prf_repair_is_pending(&regs, task->rewound_pc);
	if (!pending)
		task->rewound_pc = 0;
	if (!pending && !is_to_repair(task, &regs))
		return;
	if (prf_thread_status_read(task->process->pid, task->tid, &status))
		return;
	if (!pending) {
		if (prf_repair_signal_is_ignored(signal, &status))
			repair_interrupted(tracer, task, &regs);
	} else if (prf_repair_signal_is_caught(signal, &status)) {
		prf_arch.undo_rewind(&regs);
		if (!prf_regs_write(task->tid, &regs))
			tracer->stats->eintr_repaired--;
		task->rewound_pc = 0;
	}
}

/* All triggers are asked: a timer goes on ticking in a thread that has been
 * given to another one. */
bool
prf_look_claimed(struct prf_tracer *tracer, struct prf_task *task,
		 const struct prf_stop *stop)
{
	for (size_t i = 0; i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];
		struct prf_claim claim =
			trigger->ops->claim(trigger, task, stop);

		if (!claim.ours)
			continue;
		if (trigger != task->trigger) {
			tracer->stats->early++;
			prf_look_repair(tracer, task);
			prf_task_resume(task, 0);
			return true;
		}
		tracer->stats->trigger[i].ticks += claim.ticks;
		tracer->stats->trigger[i].samples += claim.ticks > 0;
		if (claim.hand_over)
			prf_begin_hand_over(tracer, task);
		look(tracer, task, trigger->ops, claim.ticks);
		return true;
	}
	return false;
}
