/* nested.h - ranges of text that lie in one another, and which of them is the
 * innermost at an address. */
#ifndef PRF_IMAGE_NESTED_H
#define PRF_IMAGE_NESTED_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"

#define PRF_NESTED_NONE UINT32_MAX

struct prf_nested_range {
	uint64_t lo, hi; /* [lo, hi) */
	uint32_t what;
};

/* From VADDR up to the next step WHAT is the innermost. */
struct prf_nested_step {
	uint64_t vaddr;
	uint32_t what; /* or PRF_NESTED_NONE */
};

/* All zero: there are none. */
struct prf_nested {
	struct prf_nested_range *ranges; /* until they are sorted */
	size_t n, room;
	struct prf_nested_step *steps; /* ascending */
	size_t n_steps;
};

/* Adds [LO, HI), unless it is empty.  -ENOMEM; -E2BIG: there are more than in
 * any honest file. */
int prf_nested_add(struct prf_nested *nested, uint64_t lo, uint64_t hi,
		   uint32_t what) PRF_MUST_CHECK;
/* When all have been added: makes the steps.  Of the ranges that hold an address
 * the one that begins last is the innermost; of those that begin there, the one
 * with the highest WHAT.  -ENOMEM. */
int prf_nested_sort(struct prf_nested *nested) PRF_MUST_CHECK;
void prf_nested_clear(struct prf_nested *nested);

/* The innermost range that holds VADDR, or PRF_NESTED_NONE. */
uint32_t prf_nested_at(const struct prf_nested *nested, uint64_t vaddr);

#endif
