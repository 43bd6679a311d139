/* guard.h - bytes that end where memory ends: to read one too many is a
 * crash, with or without a sanitizer. */
#ifndef PRF_TESTS_GUARD_H
#define PRF_TESTS_GUARD_H

#include <stddef.h>
#include <stdint.h>

struct prf_guard {
	uint8_t *end; /* the first byte that must not be touched */
	size_t max_bytes;
	void *map;
	size_t map_bytes;
};

/* Room for up to MAX_BYTES; fails the test if there is no memory. */
struct prf_guard prf_guard_new(size_t max_bytes);
/* A copy of N_BYTES, the last of them in front of the guard.  It lasts until
 * the next copy. */
uint8_t *prf_guard_copy(struct prf_guard *guard, const void *bytes,
			size_t n_bytes);
void prf_guard_free(struct prf_guard *guard);

#endif
