/* xz_stream.h - xz streams, honest and not. */
#ifndef PRF_TESTS_XZ_STREAM_H
#define PRF_TESTS_XZ_STREAM_H

#include <stddef.h>
#include <stdint.h>

/* The stream of SIZE bytes; the caller's to free. */
uint8_t *xz_stream(const void *bytes, size_t size, size_t *stream_size);

/* A stream whose index claims that its only block holds CLAIM bytes, and whose
 * decoder is to have a dictionary of DICT_BYTES.  The block itself is empty. */
uint8_t *xz_stream_claiming(uint64_t claim, uint32_t dict_bytes,
			    size_t *stream_size);

#endif
