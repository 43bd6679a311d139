/* stack_copy.h - what a stopped thread's stack can be made of later: its
 * registers and the memory that its stack pointer leads to, in one piece.
 *
 * lib/live fills it while the thread is stopped; stacks.h makes frames of it,
 * in another thread.  It is the stack_copy of a prf_sample. */
#ifndef PRF_UNWIND_STACK_COPY_H
#define PRF_UNWIND_STACK_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/registers.h"

/* A range of memory as it was. */
struct prf_stack_range {
	uint64_t addr;
	uint32_t n_bytes;
};

/* A signal's handler may have a stack of its own, and what it has interrupted is on
 * another one: the stack goes on in the second range. */
enum { PRF_STACK_COPY_RANGES = 2 };

struct prf_stack_copy {
	uint16_t machine;   /* EM_..., by which registers have their numbers */
	uint64_t signature; /* as in struct prf_unwind */
	/* Of a blocked thread only PC and the stack pointer are known. */
	struct prf_registers registers;
	struct prf_stack_range ranges[PRF_STACK_COPY_RANGES];
	uint32_t n_ranges;
	/* The first one could have been longer (stack_needs.h). */
	bool goes_on;
	/* It is as long as the kernel was asked for, which did not ask how long
	 * the stack is. */
	bool is_full;
	/* Of the ranges, one behind the other; it begins where the struct ends. */
	_Alignas(uint64_t) uint8_t memory[];
};

#endif
