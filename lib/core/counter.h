/* counter.h - adding ticks to a counter, which may be full.
 *
 * A pure function, async-signal-safe.  A caller that shares a counter among
 * threads stores the result with a compare-and-exchange. */
#ifndef PRF_CORE_COUNTER_H
#define PRF_CORE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "attr.h"
#include "dialect.h"

PRF_BEGIN_DECLS

struct prf_counter_result {
	uint64_t counter; /* what is to be stored */
	uint64_t lost;    /* of the ticks given: those without room */
	bool stop;        /* profiling stops, for all counters */
};

/* Adds TICKS to a counter of WIDTH_BYTES (2, 4 or 8) that holds COUNTER.  The
 * ticks are added one after the other, except that with PRF_FULL_STOP_PAST_HALF
 * either all or none of them are counted.  A counter that wraps loses nothing
 * by this account.  0 ticks change nothing; with a width that does not exist,
 * or a COUNTER too large for it, all ticks are lost. */
struct prf_counter_result prf_counter_add(uint64_t counter, uint64_t ticks,
					  unsigned width_bytes,
					  enum prf_full_rule rule);

PRF_END_DECLS

#endif
