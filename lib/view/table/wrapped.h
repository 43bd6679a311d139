/* wrapped.h - lines that are too long, as several. */
#ifndef PRF_VIEW_TABLE_WRAPPED_H
#define PRF_VIEW_TABLE_WRAPPED_H

#include <stddef.h>
#include <stdio.h>

/* TEXT, which must be plain; its lines go on INDENT characters from the left
 * where they have more than WIDTH (> INDENT; 0: there is no limit).  A word
 * that is longer is broken. */
void prf_wrapped_print(const char *text, size_t indent, size_t width,
		       FILE *out);

#endif
