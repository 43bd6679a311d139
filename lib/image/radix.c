#include "image/radix.h"

enum { DIGIT_BITS = 8, N_DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };

static size_t
digit(uint64_t key, int shift)
{
	return (size_t)(key >> shift) % N_DIGITS;
}

/* The bits in which they are not all the same. */
static uint64_t
bits_that_differ(const struct prf_radix_key *keys, size_t n)
{
	uint64_t differing = 0;

	for (size_t i = 1; i < n; i++)
		differing |= keys[i].key ^ keys[0].key;
	return differing;
}

/* By one digit, into SORTED. */
static void
deal(const struct prf_radix_key *keys, struct prf_radix_key *sorted, size_t n,
     int shift)
{
	size_t next[N_DIGITS] = {0}, n_before = 0;

	for (size_t i = 0; i < n; i++)
		next[digit(keys[i].key, shift)]++;
	for (size_t i = 0; i < N_DIGITS; i++) {
		size_t n_here = next[i];

		next[i] = n_before;
		n_before += n_here;
	}
	for (size_t i = 0; i < n; i++)
		sorted[next[digit(keys[i].key, shift)]++] = keys[i];
}

struct prf_radix_key *
prf_radix_sort(struct prf_radix_key *keys, struct prf_radix_key *room, size_t n)
{
	const uint64_t differing = bits_that_differ(keys, n);

	for (int shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
		if (digit(differing, shift) == 0)
			continue;
		deal(keys, room, n, shift);

		struct prf_radix_key *sorted = room;
		room = keys;
		keys = sorted;
	}
	return keys;
}
