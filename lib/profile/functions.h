/* functions.h - the functions of a profile that have ticks: a table made of it
 * at any time, which changes nothing in it. */
#ifndef PRF_PROFILE_FUNCTIONS_H
#define PRF_PROFILE_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/profile.h"

struct prf_function {
	const char *name; /* as in the file, mangled; the profile's */
	const struct prf_binary *binary;
	/* Of its first piece; in a list of symbols, of the first that has
	 * ticks; 0 where it has no address. */
	uint64_t lo;
	struct prf_count count;
};

/* All zero: none. */
struct prf_functions {
	struct prf_function *all; /* by binary, then address or name */
	size_t n, room;
	struct prf_count total; /* the profile's, what has no function too */
};

/* Of all binaries of PROFILE, which must outlive the table and not change
 * meanwhile.  In a list of symbols, pieces of one name are one function.
 * -ENOMEM. */
int prf_functions_of(const struct prf_profile *profile,
		     struct prf_functions *functions) PRF_MUST_CHECK;
/* Adds FUNCTION, which is not there yet.  -ENOMEM. */
int prf_functions_add(struct prf_functions *functions,
		      const struct prf_function *function) PRF_MUST_CHECK;
void prf_functions_clear(struct prf_functions *functions);

/* Those of one name in one binary, as static ones of several files, become one,
 * which has the address of the first. */
void prf_functions_unite(struct prf_functions *functions);
/* The most ticks first; then by kind and path of the binary, by address, by
 * name. */
void prf_functions_sort(struct prf_functions *functions);

#endif
