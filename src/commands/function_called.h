/* function_called.h - is a function what a user calls it? */
#ifndef PRF_SRC_COMMANDS_FUNCTION_CALLED_H
#define PRF_SRC_COMMANDS_FUNCTION_CALLED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "view/table/distinct_names.h"

enum prf_found_how { PRF_FOUND_NOTHING, PRF_FOUND_PART, PRF_FOUND_NAME };

/* How well the function NAME, as its file has it, is what is WANTED, which has no
 * mark of what is inlined: it is called so there, in a table, or with all of its
 * arguments; or the name that a table has has it as a part.  -ENOMEM. */
int prf_function_called(const char *name, bool inlined,
			const char *wanted) PRF_MUST_CHECK;

/* Of the N functions NAMES, which WANTED may mean, as prf_distinct_name_begin()
 * has made them: makes them distinct, and takes the mark of what is inlined out
 * of them.  Sets IS_IT of those that are shown as WANTED then, and returns how
 * many these are; -ENOMEM. */
ptrdiff_t prf_function_called_shown(struct prf_distinct_name *names, size_t n,
				    const char *wanted,
				    const struct prf_style *style,
				    bool *is_it) PRF_MUST_CHECK;

#endif
