/* byteorder.h - unsigned numbers of 1 to 8 bytes, unaligned, in the byte order
 * of some machine. */
#ifndef PRF_CORE_BYTEORDER_H
#define PRF_CORE_BYTEORDER_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t
prf_byteorder_get(const uint8_t *at, unsigned n_bytes, bool big_endian)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n_bytes; i++)
		value = value << 8 | at[big_endian ? i : n_bytes - 1 - i];
	return value;
}

/* Bits of VALUE that do not fit into N_BYTES are cut off. */
static inline void
prf_byteorder_put(uint8_t *at, uint64_t value, unsigned n_bytes,
		  bool big_endian)
{
	for (unsigned i = 0; i < n_bytes; i++)
		at[big_endian ? n_bytes - 1 - i : i] =
			(uint8_t)(value >> (8 * i));
}

#endif
