/* gaps.h - the random times between the looks at a thread, and what a look is
 * worth.  Pure.
 *
 * The time from one look to the next has an exponential distribution: whatever
 * has happened, the chance of a look is the same at every moment.  Nothing less
 * will do.  A stop changes when a thread runs: on a busy machine it waits for
 * its turn, and starts again at a tick.  With a look due at some time after the
 * last, the places that come then would be seen too often. */
#ifndef PRF_LIVE_GAPS_H
#define PRF_LIVE_GAPS_H

#include <stdint.h>

#include "live/taskclock.h"

/* Looks are no closer together than the floor, which is between these. */
enum {
	PRF_GAPS_LOWEST_FLOOR_NS = 2 * PRF_TASKCLOCK_MIN_NS,
	PRF_GAPS_HIGHEST_FLOOR_NS = 10000000,
};

struct prf_gaps {
	uint64_t period_ns; /* of a tick */
	uint64_t floor_ns;
	uint64_t random;
	uint64_t wall_ns, own_cpu_ns; /* when the pace was last looked into */
};

void prf_gaps_init(struct prf_gaps *gaps, uint64_t period_ns, uint64_t seed);

/* The next gap, for a thread that has run for OWED_NS more than was counted. */
uint64_t prf_gaps_draw_ns(struct prf_gaps *gaps, int64_t owed_ns);

/* How many ticks a thread that is looked at when its clock says NOW_NS is
 * worth: those of the gap that was to end at GAP_END_NS, and those of the time
 * since, when it could not be stopped.  U, in [0, 1), rounds. */
uint32_t prf_gaps_ticks(const struct prf_gaps *gaps, uint64_t gap_end_ns,
			uint64_t now_ns, double u);

/* It is WALL_NS, and the tracer has run for OWN_CPU_NS.  The floor rises while
 * that is more than half of the time, or the tracer would let no thread come
 * on; and it sinks again. */
void prf_gaps_keep_pace(struct prf_gaps *gaps, uint64_t wall_ns,
			uint64_t own_cpu_ns);

#endif
