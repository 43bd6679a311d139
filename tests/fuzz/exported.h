/* exported.h - a profile in the formats of other tools: each takes any. */
#ifndef PRF_TESTS_FUZZ_EXPORTED_H
#define PRF_TESTS_FUZZ_EXPORTED_H

#include "profile/profile.h"

/* Writes PROFILE in each format that there is, and reads what can be read again;
 * aborts if it is not the same. */
void prf_exported_check(const struct prf_profile *profile);

#endif
