#include "live/stopped/repair.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

#include "core/sample.h"
#include "live/proc/status.h"

static uint64_t
bit(int signal)
{
	return 1ULL << (signal - 1);
}

/* close() has freed its descriptor, even if it fails: by now that may be
 * another file's. */
static bool
is_close(const struct prf_regs *regs)
{
	enum { I386_CLOSE = 6 };

	return regs->syscall ==
	       (regs->addr_bytes == 4 ? I386_CLOSE : SYS_close);
}

bool
prf_repair_is_due(const struct prf_regs *regs)
{
	return regs->syscall != PRF_NO_SYSCALL && regs->result == -EINTR &&
	       !is_close(regs);
}

bool
prf_repair_needs_restart_call(const struct prf_regs *regs)
{
	/* Programs never see this code of the kernel. */
	enum { ERESTART_RESTARTBLOCK_ = 516 };

	return regs->syscall != PRF_NO_SYSCALL &&
	       regs->result == -ERESTART_RESTARTBLOCK_;
}

bool
prf_repair_signal_is_caught(int signal, const struct prf_thread_status *status)
{
	return status->signals_caught & bit(signal);
}

bool
prf_repair_signal_is_ignored(int signal, const struct prf_thread_status *status)
{
	const uint64_t ignored_by_default =
		bit(SIGCHLD) | bit(SIGCONT) | bit(SIGURG) | bit(SIGWINCH);

	if (status->signals_ignored & bit(signal))
		return true;
	return !prf_repair_signal_is_caught(signal, status) &&
	       (ignored_by_default & bit(signal));
}

uint64_t
prf_repair_rewind(pid_t tid, struct prf_regs *regs)
{
	return prf_arch.rewind_call(tid, regs) ? regs->pc : 0;
}

bool
prf_repair_is_pending(const struct prf_regs *regs, uint64_t rewound_pc)
{
	return rewound_pc && regs->pc == rewound_pc &&
	       prf_arch.is_rewound(regs);
}

bool
prf_repair_chain_goes_on(struct prf_repair_chain *chain, uint64_t pc,
			 uint64_t now_ns)
{
	bool same =
		chain->pc == pc && now_ns - chain->last_ns < PRF_REPAIR_MOST_NS;

	if (same && now_ns - chain->first_ns >= PRF_REPAIR_MOST_NS) {
		*chain = (struct prf_repair_chain){0};
		return false;
	}
	if (!same)
		chain->first_ns = now_ns;
	chain->pc = pc;
	chain->last_ns = now_ns;
	return true;
}

void
prf_repair_excuse(struct prf_repair_excuse *excuse, const struct prf_regs *regs,
		  uint64_t now_ns)
{
	*excuse = (struct prf_repair_excuse){0};
	if (prf_repair_is_due(regs))
		*excuse = (struct prf_repair_excuse){
			.pc = regs->pc,
			.sp = regs->sp,
			.until_ns = now_ns + PRF_REPAIR_EXCUSE_NS,
		};
}

bool
prf_repair_is_excused(struct prf_repair_excuse *excuse,
		      const struct prf_regs *regs, uint64_t now_ns)
{
	if (!excuse->until_ns)
		return false;
	if (prf_repair_is_due(regs) && regs->pc == excuse->pc &&
	    regs->sp == excuse->sp && now_ns < excuse->until_ns)
		return true;
	*excuse = (struct prf_repair_excuse){0};
	return false;
}
