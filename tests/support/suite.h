/* suite.h - a unit test program is one suite: main is here, once. */
#ifndef PRF_TESTS_SUITE_H
#define PRF_TESTS_SUITE_H

#include <check.h>

/* Every test program defines this. */
Suite *prf_suite(void);

/* The path of a file below tests/, in the source tree; static storage, good
 * until the next call. */
const char *prf_test_file(const char *name);

#endif
