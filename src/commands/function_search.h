/* function_search.h - which function a user means, of those that have ticks. */
#ifndef PRF_SRC_COMMANDS_FUNCTION_SEARCH_H
#define PRF_SRC_COMMANDS_FUNCTION_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "profile/functions.h"
#include "src/commands/function_called.h"
#include "view/table/style.h"

/* All zero: none. */
struct prf_found_function {
	enum prf_found_how how;
	const struct prf_function *function; /* the one with the most ticks */
	size_t n;     /* how many are found as well as it is */
	char *shown;  /* its name, which tells it from those */
	char *others; /* the names of some of them, with commas; or NULL */
};

/* Sorts FUNCTIONS, which are INLINED ones or are not, those of one name in one
 * binary as one, and searches for the one that is called WANTED, without a mark of
 * what is inlined; else for one whose name has WANTED in it.  Those that are in no
 * file are found if none in one is.  STYLE is for names.  -ENOMEM. */
int prf_function_search(struct prf_functions *functions, bool inlined,
			const char *wanted, const struct prf_style *style,
			struct prf_found_function *found) PRF_MUST_CHECK;
void prf_found_function_clear(struct prf_found_function *found);

#endif
