/* clones.h - functions of which compilers have made several, or parts: they are
 * called otherwise in every build.  Pure. */
#ifndef PRF_VIEW_TABLE_CLONES_H
#define PRF_VIEW_TABLE_CLONES_H

#include <stddef.h>

#include "core/attr.h"
#include "view/table/rows.h"

/* How many bytes NAME has without what compilers add to the names of such. */
size_t prf_clones_name_bytes(const char *name);
/* NUMBERS: of the function that each row is, or is a clone or a part of; those
 * are below ROWS->n.  -ENOMEM. */
int prf_clones_number(const struct prf_rows *rows,
		      size_t *numbers) PRF_MUST_CHECK;

#endif
