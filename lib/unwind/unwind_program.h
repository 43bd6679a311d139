/* unwind_program.h - a program whose stacks are to be unwound: how its memory and
 * its code are asked for, and how much may be done for one of them. */
#ifndef PRF_UNWIND_UNWIND_PROGRAM_H
#define PRF_UNWIND_UNWIND_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/cfi.h"
#include "unwind/machine.h"
#include "unwind/registers.h"

/* What is asked of code where it has no CFI.  ARG is FIND_ARG. */
struct prf_unwind_code {
	/* Reads at most N bytes of text from ADDR on, as its file has them;
	 * returns how many there are. */
	size_t (*text)(void *arg, uint64_t addr, void *to, size_t n);
	/* Where the function begins that ADDR may be in; false: it is not
	 * known. */
	bool (*function)(void *arg, uint64_t addr, uint64_t *start);
	/* Where the program begins that ADDR is in; 0: it is in none. */
	uint64_t (*entry)(void *arg, uint64_t addr);
	/* Is it executable memory without a file, or of one of which the code
	 * cannot be read? */
	bool (*is_made)(void *arg, uint64_t addr);
	/* Is anything known to be there? */
	bool (*is_mapped)(void *arg, uint64_t addr);
	/* As prf_code_kept_row() and prf_code_keep_row(); both NULL: no row
	 * that is made of instructions is kept. */
	bool (*kept_row)(void *arg, uint64_t addr,
			 const struct prf_cfi_row **row);
	void (*keep_row)(void *arg, uint64_t addr,
			 const struct prf_cfi_row *row);
};

/* A guess takes time, as instructions of CFI do and its expressions, and a stack can
 * be made so that many are needed.  So much goes into those of one stack: a unit is
 * about what one byte of text takes that is decoded, or of CFI, or an operation of an
 * expression: some nanoseconds. */
enum { PRF_UNWIND_WORK = 1 << 19 };

/* A program whose stacks are to be unwound. */
struct prf_unwind {
	const struct prf_machine *machine;
	/* Bits of a return address that a signature takes, as the kernel tells
	 * (NT_ARM_PAC_MASK); 0: none. */
	uint64_t signature;
	struct prf_registers_memory memory;
	/* The CFI of what is mapped at ADDR, with its bias; NULL: none.  It
	 * lasts until the next call at least. */
	struct prf_cfi *(*find)(void *arg, uint64_t addr, uint64_t *bias);
	void *find_arg;
	/* NULL: no frame is guessed. */
	const struct prf_unwind_code *code;
	bool records_only; /* callers are found by frame pointers, not by CFI */
	/* Of prf_unwind_stack() itself: what is left of PRF_UNWIND_WORK. */
	uint32_t *work_left;
};

/* Takes N from what is left of the work for its stack. */
static inline void
prf_unwind_spend(const struct prf_unwind *unwind, uint64_t n)
{
	uint32_t *left = unwind->work_left;

	*left = n < *left ? *left - (uint32_t)n : 0;
}

#endif
