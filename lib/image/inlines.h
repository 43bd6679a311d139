/* inlines.h - the functions of one unit of DWARF, and what was inlined into
 * each. */
#ifndef PRF_IMAGE_INLINES_H
#define PRF_IMAGE_INLINES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "image/debug_info.h"
#include "image/nested.h"

/* A function, or one call of it that was inlined. */
struct prf_inline {
	Dwarf_Die die;
	bool has_name;
	const char *name; /* see prf_inlines_name() */
	uint32_t outer;   /* into which; PRF_NESTED_NONE: it was not inlined */
	uint32_t call_file, call_line; /* 0: not told */
};

/* All zero: there are none. */
struct prf_inlines {
	struct prf_inline *all;
	size_t n, room;
	struct prf_nested ranges;
	Dwarf_Files *files;
};

/* Reads the unit that DIE, which has its functions, is the head of, of INFO
 * whose clock runs.  What is damaged ends it, with a warning.  -ENOMEM. */
int prf_inlines_read(struct prf_inlines *inlines, struct prf_debug_info *info,
		     Dwarf_Die *die) PRF_MUST_CHECK;
void prf_inlines_free(struct prf_inlines *inlines);

/* The name of number I as the linker knows it, else as it was written; the
 * debug information's.  NULL: it has none. */
const char *prf_inlines_name(struct prf_inlines *inlines, uint32_t i);
/* The file that I was called from, likewise. */
const char *prf_inlines_call_file(const struct prf_inlines *inlines,
				  uint32_t i);

#endif
