/* cfi_rows.h - rows of CFI, of which equal ones are stored once: a file has a
 * million of them and a few hundred that differ. */
#ifndef PRF_IMAGE_CFI_ROWS_H
#define PRF_IMAGE_CFI_ROWS_H

#include "image/cfi_row.h"

/* {0} is empty. */
struct prf_cfi_rows {
	struct prf_cfi_row **slots; /* by hash; NULL: free */
	size_t n, n_slots;          /* a power of 2, or 0 */
	size_t n_bytes;             /* of memory, all in all */
};

/* The row equal to ROW that is stored here, now at the latest, with expressions of
 * its own.  Expressions are equal when their bytes are.  NULL: no memory. */
const struct prf_cfi_row *prf_cfi_rows_add(struct prf_cfi_rows *rows,
					   const struct prf_cfi_row *row);
/* How much memory it may take at most to add ROW. */
size_t prf_cfi_rows_need(const struct prf_cfi_rows *rows,
			 const struct prf_cfi_row *row);
void prf_cfi_rows_free(struct prf_cfi_rows *rows);

#endif
