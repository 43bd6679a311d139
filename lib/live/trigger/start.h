/* start.h - how the counting of a thread's ticks starts, so that short
 * threads have their share, too.  Pure. */
#ifndef PRF_LIVE_TRIGGER_START_H
#define PRF_LIVE_TRIGGER_START_H

#include <stdint.h>

#include "live/proc/schedstat.h"

/* How much time a thread is credited with at its first stop, when TIMES are
 * what it has run; U and V uniform in [0, 1).  Ticks are counted when a stop
 * shows that a period is full, so the time after a thread's last stop would
 * be lost, half a period or so, and all of a thread that is shorter: a whole
 * period makes up for both.  Where threads wait for a processor they are
 * found more often than they run, and the last stop is nearer to the end. */
uint64_t prf_start_credit_ns(uint64_t period_ns,
			     const struct prf_schedstat *times, double u,
			     double v);

#endif
