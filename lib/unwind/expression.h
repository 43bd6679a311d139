/* expression.h - DWARF expressions, as CFI has them: a small stack machine. */
#ifndef PRF_UNWIND_EXPRESSION_H
#define PRF_UNWIND_EXPRESSION_H

#include "core/attr.h"
#include "unwind/registers.h"

/* The value of the N_BYTES at EXPRESSION; *FIRST, if that is not NULL, is on
 * the stack at first.  Every expression comes to an end.  0; -EFAULT: memory
 * cannot be read; -EINVAL: the expression makes no sense, needs a register
 * that is not known, or what no CFI needs. */
int prf_expression_value(const uint8_t *expression, size_t n_bytes,
			 const uint64_t *first,
			 const struct prf_registers *registers,
			 const struct prf_registers_memory *memory,
			 uint64_t *value) PRF_MUST_CHECK;

#endif
