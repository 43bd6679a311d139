/* guess.h - the caller of code that has no CFI.
 *
 * There are several ways to find it, none of them sure; if one leads nowhere, the
 * next is tried.  A return address is believed only if there is a call before it, or
 * it is where a signal's handler returns to, in the file: memory of the program is
 * never asked for code. */
#ifndef PRF_UNWIND_GUESS_H
#define PRF_UNWIND_GUESS_H

#include <stdbool.h>

#include "core/sample.h"
#include "unwind/unwind_program.h"

/* The row of FRAME's code, if that is where a signal's handler returns to, for which
 * CFI is not needed; else NULL.  FROM are the registers there. */
const struct prf_cfi_row *prf_guess_sigreturn(const struct prf_unwind *unwind,
					      struct prf_frame frame,
					      const struct prf_registers *from);

/* Is there a call before ADDR, which it returns to? */
bool prf_guess_is_called(const struct prf_unwind *unwind, uint64_t addr);

/* Makes *CALLER of the registers FROM, which are FRAME's.  PRF_STACK_NONE: it
 * has; COMPLETE: FRAME seems to have no caller; NO_CFI: none is found; LIMIT: no
 * work is left. */
enum prf_stack_end prf_guess_caller(const struct prf_unwind *unwind,
				    struct prf_frame frame,
				    const struct prf_registers *from,
				    struct prf_registers *caller);

/* The same, believing only what the instructions of FRAME's function have done to
 * the stack, and a call that led to it.  False: they do not tell. */
bool prf_guess_by_text(const struct prf_unwind *unwind, struct prf_frame frame,
		       const struct prf_registers *from,
		       struct prf_registers *caller);

#endif
