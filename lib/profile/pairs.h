/* pairs.h - pairs of numbers, numbered as they came. */
#ifndef PRF_PROFILE_PAIRS_H
#define PRF_PROFILE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"

struct prf_pair {
	size_t left, right;
	size_t number; /* + 1; 0: free */
};

/* All zero: none. */
struct prf_pairs {
	struct prf_pair *slots; /* a hash table */
	size_t n, n_slots;
};

/* The number of LEFT with RIGHT; what is new gets the next, which n was before.
 * -ENOMEM. */
int prf_pairs_intern(struct prf_pairs *pairs, size_t left, size_t right,
		     size_t *number) PRF_MUST_CHECK;
/* Only if it is there. */
bool prf_pairs_find(const struct prf_pairs *pairs, size_t left, size_t right,
		    size_t *number);
void prf_pairs_clear(struct prf_pairs *pairs);

#endif
