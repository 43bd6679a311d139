/* random.h - random choices that a test can repeat: the state is the
 * caller's.  (SplitMix64: any seed will do.) */
#ifndef PRF_LIVE_RANDOM_H
#define PRF_LIVE_RANDOM_H

#include <stdint.h>

static inline uint64_t
prf_random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static inline double
prf_random_unit(uint64_t *state)
{
	return (double)(prf_random_next(state) >> 11) * 0x1p-53;
}

#endif
