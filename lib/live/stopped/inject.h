/* inject.h - a stopped thread is made to call the kernel for us.
 *
 * No code is written: a system call instruction that the program has
 * anyway is run with registers of our choice, from its entry to its exit,
 * and everything is put back.  Data for the call lies below the thread's
 * stack pointer and its red zone, and what was there is put back too.
 * Signals wait meanwhile; job control does not wait, but a stop by it is
 * repeated at the end.
 *
 * (Not by single steps: their SIGTRAP is a signal, and forcing it on a
 * program that ignores SIGTRAP makes it the default there for good.) */
#ifndef PRF_LIVE_STOPPED_INJECT_H
#define PRF_LIVE_STOPPED_INJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/arch.h"
#include "live/stop.h"

#define PRF_INJECT_MAX_DATA 256

struct prf_injection {
	pid_t tid;
	uint64_t insn_addr;
	uint64_t data_addr; /* where the caller's data is, in the thread */
	size_t data_bytes;
	struct prf_regs saved;
	struct prf_vectors vectors;
	uint64_t saved_mask;
	/* That it has in calls.  A handler would run on the borrowed registers.  But
	 * where system calls are dispatched to the program (before Linux 6.4 the
	 * kernel does not tell), it is forced a SIGSYS for ours; if that is blocked,
	 * as it is in its handler, the program would lose the handler for good. */
	uint64_t mask;
	uint8_t saved_data[PRF_INJECT_MAX_DATA];
	uint64_t end_ns;   /* when it has no more time to make calls */
	size_t n_made;     /* calls */
	bool called;       /* it has run since */
	bool job_control;  /* a stop by it came in between */
	bool leads_others; /* it is the first of several threads */
	bool is_slow;      /* its calls take long: sleep between polls */
	bool is_late;      /* it has none: it is to stop wherever it is */
	bool has_entered;  /* the kernel, for its latest call */
	bool is_overdue; /* it was to stop, and has not: its registers are ours */
	bool ended;      /* meanwhile: nothing is to be put back */
};

/* Prepares TID, stopped with REGS.  INSN_ADDR is that of a system call
 * instruction in the program, DATA what its calls point to (data_addr tells
 * where they find it).  After an error nothing is changed, and there is
 * nothing to end. -ESRCH: the thread is dying; -EFAULT: no room on its
 * stack; -ETIMEDOUT: the memory there does not come; -EPERM: its memory may not be
 * accessed. */
int prf_inject_begin(struct prf_injection *injection, pid_t tid,
		     const struct prf_regs *regs, uint64_t insn_addr,
		     const void *data, size_t data_bytes) PRF_MUST_CHECK;
/* One call; *RESULT is what it returned, a value or -errno.  -ESRCH: the
 * thread is dying (its exit is still to be waited for); -ETIMEDOUT: it was not
 * made within a second from the beginning of the injection, as the program has
 * changed the instruction, or is stopped again and again; -ECANCELED: nor will it
 * be, for that or because the kernel makes it a signal. */
int prf_inject_call(struct prf_injection *injection, long number,
		    const uint64_t args[6], int64_t *result) PRF_MUST_CHECK;
/* Reads the data back, and before that puts back all but the data. */
int prf_inject_read(const struct prf_injection *injection,
		    void *data) PRF_MUST_CHECK;
/* Puts everything back.  After -ESRCH this does no harm.  If job control has
 * stopped the thread meanwhile, it will stop for that as soon as it is resumed,
 * as if for the first time.  -EINPROGRESS: nothing is put back yet, since the
 * thread has not stopped: the kernel waits for memory that the call needs, or gives
 * the thread no processor; INJECTION is to be ended at the thread's next stop. */
int prf_inject_end(struct prf_injection *injection) PRF_MUST_CHECK;
/* The same at that stop, of KIND; -EINPROGRESS: the call begins only now, and there
 * will be another stop. */
int prf_inject_end_at(struct prf_injection *injection,
		      enum prf_stop_kind kind) PRF_MUST_CHECK;
/* Frees one that was allocated, which is not ended; NULL will do. */
void prf_inject_forget(struct prf_injection *injection);

/* The address of a system call instruction in the vDSO of PID; 0: there is
 * none, or the program has put something else in its place. */
uint64_t prf_inject_find_insn(pid_t pid);

#endif
