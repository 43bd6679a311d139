/* sigreturn.h - where a signal's handler returns to: a few instructions that ask
 * the kernel to go on where the signal came.
 *
 * glibc has CFI for its own; other C libraries have none, and all have the same
 * instructions.  Pure. */
#ifndef PRF_UNWIND_SIGRETURN_H
#define PRF_UNWIND_SIGRETURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/cfi_row.h"
#include "unwind/machine.h"
#include "unwind/registers.h"

/* No such code has more bytes. */
enum { PRF_SIGRETURN_BYTES = 9 };

/* The row at the N bytes TEXT, if they are such code from its first instruction
 * on, INTO bytes behind which it is: between its instructions, or behind the last,
 * while the kernel goes back.  NULL: they are not, or it is elsewhere. */
const struct prf_cfi_row *prf_sigreturn_row(const struct prf_machine *machine,
					    const uint8_t *text, size_t n,
					    size_t into);
/* The row where such code of i386 cannot be read, by what the kernel has left at SP;
 * NULL: it has not. */
const struct prf_cfi_row *
prf_sigreturn_row_i386(const struct prf_registers_memory *memory, uint64_t sp);

/* A thread's stack pointer is SP, where the N bytes STACK are.  *OUTER: that of
 * what a signal has interrupted, if its handler has a stack of its own and what it
 * has interrupted is not in these bytes; false: it has none, or no need of more. */
bool prf_sigreturn_outer(const struct prf_machine *machine,
			 const uint8_t *stack, size_t n, uint64_t sp,
			 uint64_t *outer);

#endif
