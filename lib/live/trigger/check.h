/* check.h - finds threads that run and are never stopped, because they block
 * the signal of their trigger. */
#ifndef PRF_LIVE_TRIGGER_CHECK_H
#define PRF_LIVE_TRIGGER_CHECK_H

#include "live/watch.h"

/* How often to check, in ms, where ticks are PERIOD_NS long.  (Until it is
 * found, a thread that blocks the signal can receive it with
 * sigtimedwait(2), once in each period.) */
int prf_check_every_ms(uint64_t period_ns);

/* To be called about as often.  Threads that their trigger cannot stop of a
 * process that has run for some ticks more than it was given are given to
 * another trigger: to the last one, if they cannot be stopped for that.  With
 * MASKS, so are all that block a signal which C libraries let them block. */
void prf_check_threads(struct prf_watch *watch, bool masks);

#endif
