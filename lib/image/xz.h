/* xz.h - unpacks an xz stream that may be hostile. */
#ifndef PRF_IMAGE_XZ_H
#define PRF_IMAGE_XZ_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

/* Unpacks the stream that SIZE bytes are into *UNPACKED, which the caller
 * free()s, of *UNPACKED_SIZE bytes.  The index at its end says how many those
 * are, and no more are ever written.  -EINVAL: not one xz stream, or damaged;
 * -EFBIG: more than MAX bytes, or its dictionary is too large; -ENOMEM. */
int prf_xz_unpack(const uint8_t *bytes, size_t size, size_t max,
		  void **unpacked, size_t *unpacked_size,
		  struct prf_error *err) PRF_MUST_CHECK;

#endif
