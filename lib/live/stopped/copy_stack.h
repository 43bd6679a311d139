/* copy_stack.h - the registers and the stack of a thread are copied, so that it
 * need not wait until frames are made of them.  A thread that is blocked need
 * not even be stopped. */
#ifndef PRF_LIVE_STOPPED_COPY_STACK_H
#define PRF_LIVE_STOPPED_COPY_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/arch.h"
#include "live/proc/position.h"
#include "live/tasks.h"
#include "unwind/stack_copy.h"

/* Room for one copy, which is used again and again. */
struct prf_copier;

struct prf_copier *prf_copier_new(void); /* NULL: out of memory */
/* All of its memory is there: without that the kernel makes pages of it while the
 * first thread with a deep stack stands, which takes longer than to copy it. */
void prf_copier_warm(struct prf_copier *copier);
void prf_copier_free(struct prf_copier *copier); /* takes NULL */

struct prf_stack_needs;

/* COPIER is to ask NEEDS, which outlives it, how much to copy where a stack shares
 * its memory with others.  Without that it copies the most. */
void prf_copier_ask(struct prf_copier *copier,
		    const struct prf_stack_needs *needs);

/* What TASK, stopped with REGS, has on its stack, as far as that can be read;
 * *N_BYTES of it.  It lasts until the next copy. */
const struct prf_stack_copy *prf_copier_copy(struct prf_copier *copier,
					     struct prf_task *task,
					     const struct prf_regs *regs,
					     size_t *n_bytes);
/* The same of TASK that is not stopped, but blocked at POSITION, of whose
 * registers nothing else is known.  If it goes on meanwhile, the copy is worth
 * nothing: that is for the caller to find out. */
const struct prf_stack_copy *
prf_copier_copy_blocked(struct prf_copier *copier, struct prf_task *task,
			const struct prf_position *position, size_t *n_bytes);

/* What the kernel has noted of a thread that ran on. */
struct prf_noted_stack {
	const uint64_t *registers; /* as for prf_arch.number_noted */
	bool is_32_bit;
	uint64_t sp;
	const uint8_t *stack; /* from there on, */
	size_t n_bytes;       /* as far as there was room for it: */
	bool is_full;         /* it may go on behind that */
};

/* The same of a thread that was at NOTED.  (What lies behind that cannot be read
 * later: the thread may have come there by other calls, which look the same.) */
const struct prf_stack_copy *
prf_copier_copy_noted(struct prf_copier *copier,
		      const struct prf_noted_stack *noted, size_t *n_bytes);

#endif
