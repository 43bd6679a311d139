/* rate.h - how often to look, as a user writes it. */
#ifndef PRF_SRC_OPTIONS_RATE_H
#define PRF_SRC_OPTIONS_RATE_H

#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

/* A whole number, "250".  -EINVAL: it is not; no range is checked beyond that
 * of the type. */
int prf_rate_parse_hz(const char *text, uint64_t *rate_hz,
		      struct prf_error *err) PRF_MUST_CHECK;

/* Seconds: a day, and as many as nanoseconds can tell of. */
#define PRF_RATE_DAY_S 86400u
#define PRF_RATE_MAX_S (UINT64_MAX / 1000000000 - 1)

/* A time with its unit: "10ms", "500us", "1s", "0.01s"; what is finer than
 * 1 ns is cut off.  -EINVAL: it is none, or longer than MAX_S seconds. */
int prf_rate_parse_time(const char *text, uint64_t max_s, uint64_t *time_ns,
			struct prf_error *err) PRF_MUST_CHECK;

#endif
