/* counter.h - ticks are added to a counter; what if it is full?
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
	uint64_t lost;    /* ticks that found no room, of those given */
	bool stop;        /* profiling stops, for all counters */
};

/* TICKS more on a counter of WIDTH_BYTES (2, 4 or 8) that holds COUNTER.
 * They are that many ticks one after the other, except that by
 * PRF_FULL_STOP_PAST_HALF they stand or fall together.  A counter that wraps
 * loses nothing by this account.  0 ticks change nothing; with a width that
 * does not exist, or a COUNTER too large for it, all ticks are lost. */
struct prf_counter_result prf_counter_add(uint64_t counter, uint64_t ticks,
					  unsigned width_bytes,
					  enum prf_full_rule rule);

PRF_END_DECLS

#endif
