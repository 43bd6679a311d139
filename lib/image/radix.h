/* radix.h - many 64-bit keys put in order.
 * The tables of a large file have tens of thousands of symbols in an order of
 * their own.  Comparing two of them again and again takes longer than to read
 * them all. */
#ifndef PRF_IMAGE_RADIX_H
#define PRF_IMAGE_RADIX_H

#include <stddef.h>
#include <stdint.h>

struct prf_radix_key {
	uint64_t key;
	size_t at; /* which one has it */
};

/* Sorts N keys; those that are the same stay in their order.  ROOM has room for
 * as many; the sorted ones are in KEYS or there, as is returned. */
struct prf_radix_key *prf_radix_sort(struct prf_radix_key *keys,
				     struct prf_radix_key *room, size_t n);

#endif
