/* clock_ns.h - what a clock says, in nanoseconds. */
#ifndef PRF_CORE_CLOCK_NS_H
#define PRF_CORE_CLOCK_NS_H

#include <stdint.h>
#include <time.h>

/* A clock of this process; it cannot fail. */
static inline uint64_t
prf_clock_ns(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
