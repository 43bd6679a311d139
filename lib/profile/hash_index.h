/* hash_index.h - finds what is numbered from 1 by a hash of 32 bits: a table of
 * numbers alone, which stays small.
 *
 * A slot has the number in its low bits, for there are more slots than numbers,
 * and of the hash the others, which the place of the slot does not tell.  So
 * hardly anything is looked at that is not what is searched for. */
#ifndef PRF_PROFILE_HASH_INDEX_H
#define PRF_PROFILE_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"

/* All zero: nothing. */
struct prf_hash_index {
	uint32_t *slots; /* 0: free; a third of them is */
	size_t n_slots;  /* a power of 2 */
};

/* Is there no room for N numbers? */
bool prf_hash_index_is_full(const struct prf_hash_index *index, size_t n);
/* Makes it empty, with room for N numbers.  -ENOMEM: it is full. */
int prf_hash_index_clear(struct prf_hash_index *index, size_t n) PRF_MUST_CHECK;
void prf_hash_index_free(struct prf_hash_index *index);

/* A hash of two numbers. */
static inline uint32_t
prf_hash_index_hash(uint32_t left, uint32_t right)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = ((uint64_t)left << 32 | right) * odd;

	return (uint32_t)((hash ^ hash >> 29) * odd >> 32);
}

/* The first number from *AT on that is likely to have HASH, and *AT is where it is;
 * 0: none is, and one that has it belongs there.  A search begins with HASH as *AT,
 * and goes on behind the last.  There must be room for one number. */
static inline uint32_t
prf_hash_index_next(const struct prf_hash_index *index, uint32_t hash,
		    size_t *at)
{
	const uint32_t mask = (uint32_t)(index->n_slots - 1);

	for (;; ++*at) {
		uint32_t slot = index->slots[*at & mask];

		if (!slot || !((slot ^ hash) & ~mask))
			return slot & mask;
	}
}

/* Puts NUMBER, which has HASH, where a search has ended AT a free slot. */
static inline void
prf_hash_index_put(struct prf_hash_index *index, size_t at, uint32_t hash,
		   uint32_t number)
{
	const uint32_t mask = (uint32_t)(index->n_slots - 1);

	index->slots[at & mask] = (hash & ~mask) | number;
}

/* Puts NUMBER, which is new. */
static inline void
prf_hash_index_add(struct prf_hash_index *index, uint32_t hash, uint32_t number)
{
	const size_t mask = index->n_slots - 1;
	size_t at = hash;

	while (index->slots[at & mask])
		at++;
	prf_hash_index_put(index, at, hash, number);
}

/* Asks for the memory that a search for HASH looks at first. */
static inline void
prf_hash_index_fetch(const struct prf_hash_index *index, uint32_t hash)
{
	__builtin_prefetch(&index->slots[hash & (index->n_slots - 1)]);
}

#endif
