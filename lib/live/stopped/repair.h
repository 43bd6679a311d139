/* repair.h - an EINTR that the program would not have seen without us.
 *
 * A traced thread is woken by a signal that it ignores, and by an
 * interrupt from us; calls that the kernel does not restart by itself then
 * fail with EINTR.  Before the thread sees that, it is set back to make the
 * call again.  If a signal with a handler comes before the thread has run,
 * the call must fail with EINTR after all: the thread may have waited for
 * that handler. */
#ifndef PRF_LIVE_STOPPED_REPAIR_H
#define PRF_LIVE_STOPPED_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "live/arch.h"

struct prf_thread_status;

/* Has the thread's call failed with EINTR, which the thread does not know
 * yet, and can the thread make the call again? */
bool prf_repair_is_due(const struct prf_regs *regs);

/* Will the kernel make the thread call restart_syscall, to go on with the
 * call that was interrupted? */
bool prf_repair_needs_restart_call(const struct prf_regs *regs);

/* Will SIGNAL do nothing at all to a thread of STATUS? */
bool prf_repair_signal_is_ignored(int signal,
				  const struct prf_thread_status *status);
bool prf_repair_signal_is_caught(int signal,
				 const struct prf_thread_status *status);

/* Sets REGS, which are TID's, back to before the call.  Returns where that is, for
 * the thread's rewound_pc; 0 if the machine cannot. */
uint64_t prf_repair_rewind(pid_t tid, struct prf_regs *regs);
/* Has the thread not run since it was set back to REWOUND_PC? */
bool prf_repair_is_pending(const struct prf_regs *regs, uint64_t rewound_pc);

/* A call that is made again waits for its whole time-out again.  If signals
 * that the program ignores come often enough, it would wait for ever; so
 * after this time it fails with EINTR once. */
#define PRF_REPAIR_MOST_NS 10000000000ULL

/* The calls made again at one PC; all zero: none. */
struct prf_repair_chain {
	uint64_t pc, first_ns, last_ns;
};

/* Is the call at PC to be made again at NOW_NS (CLOCK_MONOTONIC)? */
bool prf_repair_chain_goes_on(struct prf_repair_chain *chain, uint64_t pc,
			      uint64_t now_ns);

/* A call that has failed with EINTR as it would have without us, since job control
 * has stopped its thread in it.  When signals come to the thread after that, its
 * registers are still those of that call.  All zero: none. */
struct prf_repair_excuse {
	uint64_t pc, sp, until_ns;
};

/* So long that the thread has had those signals; it may make the same call again. */
#define PRF_REPAIR_EXCUSE_NS 1000000000ULL

/* A thread of REGS is stopped by job control, or leaves such a stop. */
void prf_repair_excuse(struct prf_repair_excuse *excuse,
		       const struct prf_regs *regs, uint64_t now_ns);
/* Has the call of REGS failed so?  If the thread has moved on, that is over. */
bool prf_repair_is_excused(struct prf_repair_excuse *excuse,
			   const struct prf_regs *regs, uint64_t now_ns);

#endif
