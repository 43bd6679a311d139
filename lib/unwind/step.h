/* step.h - from the registers of a function to those of its caller. */
#ifndef PRF_UNWIND_STEP_H
#define PRF_UNWIND_STEP_H

#include "core/sample.h"
#include "image/cfi_row.h"
#include "unwind/machine.h"
#include "unwind/registers.h"

/* Makes *CALLER of FROM by ROW, the row of the code FROM is in.  SIGNATURE are
 * the bits of a return address that a signature takes (aarch64); 0: none.
 * PRF_STACK_NONE: there is a caller; COMPLETE: there is none; NO_CFI: the row
 * needs what is not known; MEMORY. */
enum prf_stack_end prf_step(const struct prf_machine *machine,
			    uint64_t signature,
			    const struct prf_registers_memory *memory,
			    const struct prf_cfi_row *row,
			    const struct prf_registers *from,
			    struct prf_registers *caller);

/* The same where ROW finds its CFA by what FROM does not have, and it is known
 * otherwise that the return address is in the word at SLOT. */
enum prf_stack_end prf_step_at(const struct prf_machine *machine,
			       uint64_t signature,
			       const struct prf_registers_memory *memory,
			       const struct prf_cfi_row *row, uint64_t slot,
			       const struct prf_registers *from,
			       struct prf_registers *caller);

#endif
