/* heights.h - the height of the stack within a function, found by reading its
 * instructions: a row as CFI would have it, where there is no CFI. */
#ifndef PRF_UNWIND_HEIGHTS_H
#define PRF_UNWIND_HEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/cfi_row.h"
#include "unwind/machine.h"

/* No more of a function is read. */
enum { PRF_HEIGHTS_BYTES = 1 << 16 };

/* A row with room for all rules. */
union prf_heights_row {
	struct prf_cfi_row row;
	char room[sizeof(struct prf_cfi_row) +
		  16 * sizeof(struct prf_cfi_rule)];
};

/* Makes the row of the instruction that has the byte at AT of a function, of
 * which the first N bytes are at TEXT.  False: it cannot be told; or the machine
 * is one whose instructions are not known here (x86 is).  *N_DECODED: how many
 * bytes were looked at, those that were more than once so many times. */
bool prf_heights_row(const struct prf_machine *machine, const uint8_t *text,
		     size_t n, size_t at, union prf_heights_row *row,
		     size_t *n_decoded);

#endif
