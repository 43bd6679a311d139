/* not_found.h - why a program could not be found, where exec says no more than
 * ENOENT. */
#ifndef PRF_SRC_COMMANDS_NOT_FOUND_H
#define PRF_SRC_COMMANDS_NOT_FOUND_H

#include "core/error.h"

/* Exec of NAME, the word behind BEFORE, has failed with ENOENT: it is not in PATH, or not there, or the
 * interpreter that it names is not.  Returns -ENOENT. */
int prf_not_found_explain(const char *name, const char *before,
			  struct prf_error *err);

#endif
