/* stack_place.h - in which memory a thread has its stack, and how much of it is
 * worth copying.  Pure.
 *
 * A thread has one usual stack, and can be on another for a while: on that of a
 * signal's handler, or of a coroutine.  Where one is, is asked of the kernel
 * once, and believed as long as the stack pointer stays there. */
#ifndef PRF_LIVE_STOPPED_STACK_PLACE_H
#define PRF_LIVE_STOPPED_STACK_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory in which a stack is. */
struct prf_stack_mapping {
	uint64_t addr, end; /* END 0: not known */
	bool is_main;       /* the kernel made it for the first thread */
};

/* Of one thread; all zero: nothing is known. */
struct prf_stack_place {
	struct prf_stack_mapping usual, other;
	unsigned n_elsewhere; /* samples in a row that were not in the usual,
			       * nor had it behind them */
};

/* What is known to hold SP; NULL: the kernel is to be asked. */
const struct prf_stack_mapping *
prf_stack_place_find(const struct prf_stack_place *place, uint64_t sp);
/* The kernel says that MAPPING holds the stack pointer. */
void prf_stack_place_learn(struct prf_stack_place *place,
			   const struct prf_stack_mapping *mapping);
/* Is SP, whose mapping is known, not in the usual stack, which may then go on
 * behind it? */
bool prf_stack_place_is_elsewhere(const struct prf_stack_place *place,
				  uint64_t sp);
/* Notes a sample at SP; USUAL_IS_BEHIND: the usual stack was found behind it, as
 * that of a handler has it.  A thread that stays elsewhere without it has moved. */
void prf_stack_place_visit(struct prf_stack_place *place, uint64_t sp,
			   bool usual_is_behind);

enum {
	/* Hardly a stack is larger, and a copy of that size takes the time of
	 * ten stops. */
	PRF_STACK_MOST_BYTES = 1 << 20,
	/* Of the usual stack, behind that of a handler. */
	PRF_STACK_BEHIND_BYTES = 256 << 10,
};

/* Where a mapping goes on much farther than a stack does, many stacks may lie in it,
 * as those of goroutines do, or it is a heap.  What belongs to the one at SP, which
 * MAPPING holds, is not known then. */
bool prf_stack_place_is_shared(const struct prf_stack_mapping *mapping,
			       uint64_t sp);
/* How many bytes of MAPPING, which holds SP, are to be copied from SP on: of one
 * that is shared SHARED_BYTES. */
size_t prf_stack_place_bytes(const struct prf_stack_mapping *mapping,
			     uint64_t sp, size_t shared_bytes);

/* The usual stack goes on where one of the N_BYTES at STACK, the other one,
 * points to: a signal's frame has the stack pointer from before it.  Returns the
 * lowest such address, 0 if there is none. */
uint64_t prf_stack_place_behind(const struct prf_stack_mapping *usual,
				const void *stack, size_t n_bytes,
				uint8_t addr_bytes);

#endif
