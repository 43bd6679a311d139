/* xz.h - how much an xz stream holds, told by its headers alone. */
#ifndef PRF_IMAGE_XZ_H
#define PRF_IMAGE_XZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds up the bytes that the first stream in SIZE bytes decompresses to.  The
 * length of every chunk stands before it, and a decompressor believes no more
 * than that: so a small file that would fill all memory is known beforehand.
 * False: not an xz stream of LZMA2 blocks, or cut short. */
bool prf_xz_size(const uint8_t *bytes, size_t size, uint64_t *size_out);

#endif
