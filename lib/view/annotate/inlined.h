/* inlined.h - which functions are inlined into those that have ticks. */
#ifndef PRF_VIEW_ANNOTATE_INLINED_H
#define PRF_VIEW_ANNOTATE_INLINED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "profile/binary_lines.h"
#include "profile/functions.h"
#include "profile/profile.h"

/* Those of all binaries of PROFILE, each with the ticks of what was made of it,
 * with what is inlined into it in turn; their names are those of LINES, which live
 * on.  -ENOMEM. */
int prf_inlined_functions_of(const struct prf_profile *profile,
			     struct prf_binary_lines *lines,
			     struct prf_functions *functions) PRF_MUST_CHECK;

/* Is FUNCTION, as it is called there, inlined where the N LINES are, the innermost
 * first (see prf_lines_at())? */
bool prf_inlined_is_there(const struct prf_line *lines, size_t n,
			  const char *function);

#endif
