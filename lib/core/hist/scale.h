/* scale.h - the one product behind every histogram; not installed.
 *
 * A distance has 64 bits and a scale 32: only in 128 bits can nothing wrap,
 * so that no pc is ever counted where it does not belong.  On 64-bit machines
 * this is one multiplication. */
#ifndef PRF_CORE_HIST_SCALE_H
#define PRF_CORE_HIST_SCALE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 prf_u128;

/* A scale of 1.0: one byte of buffer for one byte of text. */
#define PRF_SCALE_ONE 65536

static inline prf_u128
prf_scale_down(uint64_t distance, uint32_t scale)
{
	return (prf_u128)distance * scale / PRF_SCALE_ONE;
}

#endif
