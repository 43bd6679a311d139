/* line_rows.h - the line table of one unit of DWARF. */
#ifndef PRF_IMAGE_LINE_ROWS_H
#define PRF_IMAGE_LINE_ROWS_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "image/debug_info.h"

#define PRF_LINE_ROW_NO_FILE UINT32_MAX

/* From VADDR up to the next row. */
struct prf_line_row {
	uint64_t vaddr;
	uint32_t file; /* in the unit's table; or PRF_LINE_ROW_NO_FILE */
	uint32_t line; /* 0: of no line */
};

/* All zero: there are none. */
struct prf_line_rows {
	struct prf_line_row *all; /* ascending */
	size_t n;
	Dwarf_Files *files;
};

/* Reads the table of the unit that DIE, of INFO, is the head of, but for functions
 * that are not in the text of the file.  One that is damaged ends there; one that
 * is too large is empty.  -ENOMEM. */
int prf_line_rows_read(struct prf_line_rows *rows,
		       const struct prf_debug_info *info,
		       Dwarf_Die *die) PRF_MUST_CHECK;
void prf_line_rows_free(struct prf_line_rows *rows);

/* The row of the instruction at VADDR; NULL: there is none. */
const struct prf_line_row *prf_line_rows_at(const struct prf_line_rows *rows,
					    uint64_t vaddr);
/* The file of ROW, as a path if the compiler told its directory; the debug
 * information's.  NULL: there is none. */
const char *prf_line_rows_file(const struct prf_line_rows *rows,
			       const struct prf_line_row *row);

#endif
