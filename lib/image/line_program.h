/* line_program.h - what the instructions of a line table say, row by row, in
 * the order in which they say it: a row at a time, sequence by sequence.  (libdw
 * sorts all rows by address, and which were of one sequence is lost.) */
#ifndef PRF_IMAGE_LINE_PROGRAM_H
#define PRF_IMAGE_LINE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "image/dwarf_bytes.h"

struct prf_line_program_row {
	uint64_t vaddr;
	uint64_t file, line;
	bool is_end; /* of its sequence, which has no instruction at VADDR */
};

struct prf_line_program {
	struct prf_dwarf_bytes bytes;
	const uint8_t *operands; /* how many each opcode has, from 1 on */
	uint8_t opcode_base, step_bytes, line_range;
	int8_t line_base;
	struct prf_line_program_row now;
};

/* Begins with the table at the start of TABLE, which may go on behind it.
 * False: it is damaged, of an unknown version, or of a machine that bundles
 * instructions. */
bool prf_line_program_begin(struct prf_line_program *program,
			    struct prf_dwarf_bytes table);
/* The next row.  False: there is none, or none that can be read. */
bool prf_line_program_next(struct prf_line_program *program,
			   struct prf_line_program_row *row);

#endif
