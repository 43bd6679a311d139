#include "support/scaled.h"

/* A product in pieces of 32 bits, as on paper. */
bool
prf_scaled(uint64_t distance, uint32_t scale, uint64_t *scaled)
{
	uint64_t low = (distance & UINT32_MAX) * scale;
	uint64_t high = (distance >> 32) * scale + (low >> 32);

	/* Without the lowest 16 bits. */
	*scaled = high << 16 | (low & UINT32_MAX) >> 16;
	return high >> 48 == 0;
}
