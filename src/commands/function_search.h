/* function_search.h - which function a user means, of those that have ticks. */
#ifndef PRF_SRC_COMMANDS_FUNCTION_SEARCH_H
#define PRF_SRC_COMMANDS_FUNCTION_SEARCH_H

#include <stddef.h>

#include "core/attr.h"
#include "profile/functions.h"
#include "view/table/style.h"

enum prf_found_how { PRF_FOUND_NOTHING, PRF_FOUND_PART, PRF_FOUND_NAME };

/* All zero: none. */
struct prf_found_function {
	enum prf_found_how how;
	const struct prf_function *function; /* the one with the most ticks */
	size_t n;     /* how many are found as well as it is */
	char *shown;  /* its name, which tells it from those */
	char *others; /* the names of some of them, with commas; or NULL */
};

/* Sorts FUNCTIONS, and searches for the one that is called WANTED: as the file has
 * it, as a table has it, or with all of its arguments; else for one whose name has
 * WANTED in it.  STYLE is for names.  -ENOMEM. */
int prf_function_search(struct prf_functions *functions, const char *wanted,
			const struct prf_style *style,
			struct prf_found_function *found) PRF_MUST_CHECK;
void prf_found_function_clear(struct prf_found_function *found);

#endif
