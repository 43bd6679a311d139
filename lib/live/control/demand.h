/* demand.h - somebody demands that a run ends, again and again, although the
 * program that it passes signals on to does not end by them.  Pure: the times
 * are given, in ns of CLOCK_MONOTONIC. */
#ifndef PRF_LIVE_CONTROL_DEMAND_H
#define PRF_LIVE_CONTROL_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

/* So many signals within that time are a demand. */
#define PRF_DEMAND_TIMES 3
#define PRF_DEMAND_WITHIN_NS 3000000000ULL

/* All zero: nobody has asked yet. */
struct prf_demand {
	uint64_t asked_ns[PRF_DEMAND_TIMES]; /* the latest last */
};

/* timeout(1) alone sends two signals, at the same moment: those are one.  Is the one
 * that comes at NOW_NS another than that of LAST_NS (0: there was none)? */
bool prf_demand_is_another(uint64_t last_ns, uint64_t now_ns);
/* It is asked to end at NOW_NS.  Returns true if that makes it a demand. */
bool prf_demand_asked(struct prf_demand *demand, uint64_t now_ns);

#endif
