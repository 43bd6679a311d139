/* scaled.h - where profil's scale leads, the slow and sure way: the reference
 * for tests of the histogram. */
#ifndef PRF_TESTS_SCALED_H
#define PRF_TESTS_SCALED_H

#include <stdbool.h>
#include <stdint.h>

/* *SCALED is DISTANCE * SCALE / 65536, rounded down; false: that is more than
 * 64 bits hold. */
bool prf_scaled(uint64_t distance, uint32_t scale, uint64_t *scaled);

#endif
