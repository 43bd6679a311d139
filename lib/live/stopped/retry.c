#include "live/stopped/retry.h"

#include "live/proc/clock.h"
#include "live/proc/status.h"
#include "live/stopped/repair.h"
#include "live/stopped/sandbox.h"

/* Must TASK's call be made again by us, because the kernel will not?  (The kernel
 * may do so by restart_syscall, for which TASK's own filter could kill it.) */
static bool
must_retry(struct prf_task *task, const struct prf_regs *regs)
{
	if (prf_repair_is_excused(&task->excuse, regs,
				  prf_clock_ns(CLOCK_MONOTONIC)))
		return false;
	return prf_repair_is_due(regs) ||
	       (prf_repair_needs_restart_call(regs) &&
		prf_sandbox_is_own(task->process->pid, task->tid));
}

/* Not only a stop from outside interrupts a call: a thread does what a clock has
 * left for it to do on its way out of the kernel, but in io_uring_enter(2) also
 * before it sleeps; and older kernels send a clock's signal at once. */
void
prf_retry_call_of(struct prf_watch *watch, struct prf_task *task,
		  const struct prf_regs *regs)
{
	struct prf_regs rewound = *regs;

	if (!must_retry(task, regs))
		return;
	uint64_t pc = prf_repair_rewind(task->tid, &rewound);

	if (!pc) {
		watch->stats->eintr_left += prf_repair_is_due(regs);
		return;
	}
	bool again = prf_repair_chain_goes_on(&task->repairs, pc,
					      prf_clock_ns(CLOCK_MONOTONIC));
	if (!again)
		prf_arch.undo_rewind(&rewound);
	if (prf_arch_write(task->tid, &rewound) || !again)
		return;
	task->rewound_pc = pc;
	task->rewound_eintr = prf_repair_is_due(regs);
	watch->stats->eintr_repaired++;
}

void
prf_retry_call(struct prf_watch *watch, struct prf_task *task)
{
	struct prf_regs regs;

	if (!prf_arch.read(task->tid, &regs))
		prf_retry_call_of(watch, task, &regs);
}

/* TASK, which was made to call again and has not run since, is not any more: the
 * call fails with EINTR after all. */
static void
undo_retry(struct prf_watch *watch, struct prf_task *task,
	   struct prf_regs *regs)
{
	prf_arch.undo_rewind(regs);
	if (!prf_arch_write(task->tid, regs))
		watch->stats->eintr_repaired--;
	task->rewound_pc = 0;
}

void
prf_retry_none(struct prf_watch *watch, struct prf_task *task)
{
	struct prf_regs regs;

	if (prf_arch.read(task->tid, &regs))
		return;
	if (task->rewound_eintr &&
	    prf_repair_is_pending(&regs, task->rewound_pc)) {
		undo_retry(watch, task, &regs);
		if (prf_arch.read(task->tid, &regs))
			return;
	}
	prf_repair_excuse(&task->excuse, &regs, prf_clock_ns(CLOCK_MONOTONIC));
}

/* Either SIGNAL does nothing, but has woken a thread that would have slept on; or
 * a handler is about to run in a thread that was made to call again. */
void
prf_retry_before_signal(struct prf_watch *watch, struct prf_task *task,
			int signal)
{
	struct prf_thread_status status;
	struct prf_regs regs;

	if (prf_arch.read(task->tid, &regs))
		return;
	bool pending = prf_repair_is_pending(&regs, task->rewound_pc);
	if (!pending)
		task->rewound_pc = 0;
	if (!pending && !must_retry(task, &regs))
		return;
	if (prf_status_read_thread(task->process->pid, task->tid, &status))
		return;
	if (!pending) {
		if (prf_repair_signal_is_ignored(signal, &status))
			prf_retry_call_of(watch, task, &regs);
	} else if (prf_repair_signal_is_caught(signal, &status)) {
		undo_retry(watch, task, &regs);
	}
}
