/* start.h - how the counting of a thread's ticks starts, so that short
 * threads have their share, too.  Pure. */
#ifndef PRF_LIVE_TRIGGER_START_H
#define PRF_LIVE_TRIGGER_START_H

#include <stdint.h>

#include "live/proc/schedstat.h"

/* When a thread's timer is to expire first, in ns of its clock from now, for
 * U uniform in [0, 1).  The kernel checks CPU timers only at its own tick of
 * TICK_NS, so a uniform phase would lose half a tick of every thread, and
 * all of a short one.  With this, a thread that lives for c ns is expected
 * to be counted c / PERIOD_NS times, short or long, to within an eighth of
 * TICK_NS / PERIOD_NS. */
uint64_t prf_start_expiry_ns(uint64_t period_ns, uint64_t tick_ns, double u);

/* How many ticks the first sample of a thread stands for, which has come
 * with TICKS; U uniform in [0, 1).  Where the kernel's tick is longer than
 * the period, TICKS say how long the thread had run when that tick met it;
 * but the threads of its length that no tick has met are to be counted, too,
 * and one tick of the kernel's stands for all of its time. */
uint32_t prf_start_ticks(uint64_t period_ns, uint64_t tick_ns, uint32_t ticks,
			 double u);

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
