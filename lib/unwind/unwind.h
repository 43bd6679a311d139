/* unwind.h - registers and memory to the frames of a stack, by CFI. */
#ifndef PRF_UNWIND_UNWIND_H
#define PRF_UNWIND_UNWIND_H

#include <stdint.h>

#include "core/sample.h"
#include "unwind/registers.h"
#include "unwind/unwind_program.h"

/* Fills FRAMES, which has ROOM for some, innermost first: *N, at least 1 if
 * there is any room.  REGISTERS, of which PC and the stack pointer must be
 * known, are in the end those of the last frame.  Returns why the stack ends
 * there.  Takes at most ROOM steps, and PRF_UNWIND_WORK (then it is
 * PRF_STACK_LIMIT), whatever is in the memory. */
enum prf_stack_end prf_unwind_stack(const struct prf_unwind *unwind,
				    struct prf_registers *registers,
				    struct prf_frame *frames, uint32_t room,
				    uint32_t *n);

#endif
