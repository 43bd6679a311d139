#include "live/stopped/retry.h"

#include "core/sample.h"
#include "live/proc/clock.h"
#include "live/proc/status.h"
#include "live/stopped/repair.h"
#include "live/stopped/sandbox.h"

/* Must TASK's call be made again by us, because the kernel will not?  (The kernel
 * may do so by restart_syscall, for which TASK's own filter could kill it.) */
static bool
must_retry(const struct prf_task *task, const struct prf_regs *regs)
{
	return prf_repair_is_due(regs) ||
	       (prf_repair_needs_restart_call(regs) &&
		prf_sandbox_is_own(task->process->pid, task->tid));
}

/* Where it is only inferred that a call has failed with EINTR, a handler may have
 * interrupted the call and returned just now; then EINTR is what the thread
 * waits for. */
static bool
may_have_been_handled(const struct prf_task *task, const struct prf_regs *regs)
{
	return regs->call_is_inferred && regs->pc == task->handled_at;
}

/* Not only a stop from outside interrupts a call: a thread does what a clock has
 * left for it to do on its way out of the kernel, but in io_uring_enter(2) also
 * before it sleeps; and older kernels send a clock's signal at once. */
void
prf_retry_call_of(struct prf_watch *watch, struct prf_task *task,
		  const struct prf_regs *regs)
{
	struct prf_regs rewound = *regs;

	if (!must_retry(task, regs) || may_have_been_handled(task, regs))
		return;
	uint64_t pc = prf_repair_rewind(task->tid, &rewound);

	if (!pc)
		return;
	bool again = prf_repair_chain_goes_on(&task->repairs, pc,
					      prf_clock_ns(CLOCK_MONOTONIC));
	if (!again)
		prf_arch.undo_rewind(&rewound);
	if (prf_arch_write(task->tid, &rewound) || !again)
		return;
	task->rewound_pc = pc;
	watch->stats->eintr_repaired++;
}

void
prf_retry_call(struct prf_watch *watch, struct prf_task *task)
{
	struct prf_regs regs;

	if (!prf_arch.read(task->tid, &regs))
		prf_retry_call_of(watch, task, &regs);
}

/* A handler is about to interrupt TASK's call. */
static void
note_handled(struct prf_task *task, const struct prf_regs *regs)
{
	bool is_made_again = regs->result == regs->syscall ||
			     prf_repair_needs_restart_call(regs);

	if (regs->call_is_inferred && regs->syscall != PRF_NO_SYSCALL)
		task->handled_at =
			regs->pc +
			(is_made_again ? prf_arch.syscall_insn_bytes : 0);
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
	if (!pending && !must_retry(task, &regs) && !regs.call_is_inferred)
		return;
	if (prf_status_read_thread(task->process->pid, task->tid, &status))
		return;
	bool caught = prf_repair_signal_is_caught(signal, &status);
	if (caught)
		note_handled(task, &regs);
	if (!pending) {
		if (prf_repair_signal_is_ignored(signal, &status))
			prf_retry_call_of(watch, task, &regs);
	} else if (caught) {
		prf_arch.undo_rewind(&regs);
		if (!prf_arch_write(task->tid, &regs))
			watch->stats->eintr_repaired--;
		task->rewound_pc = 0;
	}
}
