/* counters.h - counters of 2, 4 or 8 bytes, as sprofil's flags choose them. */
#ifndef PRF_TESTS_INPROC_COUNTERS_H
#define PRF_TESTS_INPROC_COUNTERS_H

#include <stdint.h>

/* The one at AT, of WIDTH bytes. */
uint64_t counter_at(const char *at, unsigned width);

/* The flag for counters of WIDTH bytes. */
unsigned counter_flags(unsigned width);

#endif
