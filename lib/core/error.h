/* error.h - nothing in libprofrun prints; what failed is said once, where it
 * is known, and handed up as one line of text. */
#ifndef PRF_CORE_ERROR_H
#define PRF_CORE_ERROR_H

#include "attr.h"

PRF_BEGIN_DECLS

/* A function that fails fills it in; one that does not leaves it alone. */
struct prf_error {
	int code;       /* negative errno value; 0 while nothing has failed */
	char text[508]; /* one line, without the program's name or a newline */
};

/* Fills ERR unless it is NULL: CODE, and the text FMT makes (cut to fit).
 * Control characters in the text are replaced by '?', so that a hostile file
 * name cannot break the line.  Returns CODE, so that it can be returned. */
int prf_error_set(struct prf_error *err, int code, const char *fmt, ...)
	PRF_PRINTF(3, 4);

PRF_END_DECLS

#endif
