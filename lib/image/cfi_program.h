/* cfi_program.h - the programs of CFI: run up to an instruction, they make its
 * row. */
#ifndef PRF_IMAGE_CFI_PROGRAM_H
#define PRF_IMAGE_CFI_PROGRAM_H

#include <stdbool.h>

#include "image/cfi_row.h"
#include "image/frames.h"

/* A row with room for all rules. */
union prf_cfi_program_row {
	struct prf_cfi_row row;
	char room[sizeof(struct prf_cfi_row) +
		  PRF_CFI_REGISTERS * sizeof(struct prf_cfi_rule)];
};

/* Runs the instructions of ENTRY, one of FRAMES, for the code at VADDR.
 * Expressions of the row are the data's.  Each instruction is read once, and
 * *N_READ grows by its bytes.
 * False: they are damaged, say nothing of the CFA, or are longer than any
 * compiler makes them. */
bool prf_cfi_program_run(const struct prf_object *object,
			 const struct prf_frames *frames,
			 const struct prf_frames_entry *entry, uint64_t vaddr,
			 union prf_cfi_program_row *row, uint64_t *n_read);

#endif
