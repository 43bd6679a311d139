/* named_counts.h - functions that are known by their names alone: system calls, JIT
 * code.  Each name has a count, and a number that stays. */
#ifndef PRF_PROFILE_NAMED_COUNTS_H
#define PRF_PROFILE_NAMED_COUNTS_H

#include <stddef.h>

#include "core/attr.h"
#include "profile/count.h"

struct prf_named_count {
	char *text;
	struct prf_count count;
};

/* All zero: none. */
struct prf_named_counts {
	struct prf_named_count *all; /* by their numbers */
	size_t n, room;
	size_t *slots; /* a hash table: number + 1; 0: free */
	size_t n_slots;
};

/* The number of TEXT, which is kept if it is new, and only then can fail: -ENOMEM. */
int prf_named_counts_intern(struct prf_named_counts *names, const char *text,
			    size_t *number) PRF_MUST_CHECK;
/* Adds COUNT to TEXT.  -ENOMEM. */
int prf_named_counts_add(struct prf_named_counts *names, const char *text,
			 const struct prf_count *count) PRF_MUST_CHECK;
/* Adds all of OTHER.  -ENOMEM: perhaps a part. */
int prf_named_counts_merge(struct prf_named_counts *names,
			   const struct prf_named_counts *other) PRF_MUST_CHECK;
void prf_named_counts_clear(struct prf_named_counts *names);

/* All numbers, in the order of their names; to be free()d.  NULL: out of
 * memory. */
size_t *prf_named_counts_sorted(const struct prf_named_counts *names);

#endif
