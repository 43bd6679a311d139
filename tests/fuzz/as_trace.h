/* as_trace.h - bytes as a trace: the file itself, if it begins as one; else, so
 * that what is behind the checksums is seen too, one with a good header and one
 * block that ends well and holds them. */
#ifndef PRF_TESTS_FUZZ_AS_TRACE_H
#define PRF_TESTS_FUZZ_AS_TRACE_H

#include <stddef.h>
#include <stdint.h>

/* To be free()d; NULL: there are none, or too many for a block. */
uint8_t *prf_as_trace(const uint8_t *bytes, size_t n_bytes, size_t *n_trace);

#endif
