/* check.h - finds threads that run and are never stopped, because they block
 * the signal of their trigger. */
#ifndef PRF_LIVE_TRIGGER_CHECK_H
#define PRF_LIVE_TRIGGER_CHECK_H

#include "live/watch.h"

/* How often to check, in ms, where ticks are PERIOD_NS long.  (Until it is
 * found, a thread that blocks the signal can receive it with
 * sigtimedwait(2), once in each period.) */
int prf_check_every_ms(uint64_t period_ns);

/* To be called about as often.  If a process has run for some ticks more
 * than it was given, its threads that their trigger cannot stop are given to
 * the last trigger. */
void prf_check_threads(struct prf_watch *watch);

#endif
