/* nm_list.h - the names of a program's text, from its file or from what nm(1)
 * prints of it; for a gmon.out that has no list of its own. */
#ifndef PRF_VIEW_GMON_NM_LIST_H
#define PRF_VIEW_GMON_NM_LIST_H

#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/image.h"
#include "profile/symbol_list.h"

/* Adds to LIST, which is empty, the symbols of TEXT that name code, in whatever
 * order they stand there.  Of several names of an address it takes the one that
 * strcmp(3) puts first.  Lines of undefined symbols and of data are passed over.
 * -EBADMSG: a line is none that nm prints, or no symbol names code; -ENOMEM. */
int prf_nm_list_read(struct prf_symbol_list *list, const char *text,
		     size_t n_bytes, struct prf_error *err) PRF_MUST_CHECK;
/* Adds to LIST, which is empty, all text of IMAGE; what is above is [unknown].
 * -ENOMEM. */
int prf_nm_list_of_image(struct prf_symbol_list *list,
			 const struct prf_image *image) PRF_MUST_CHECK;

#endif
