/* fuzz.h - what libFuzzer calls, in each target. */
#ifndef PRF_TESTS_FUZZ_H
#define PRF_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Any bytes; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes);

#endif
