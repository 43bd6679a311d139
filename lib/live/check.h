/* check.h - threads that run and are never stopped. */
#ifndef PRF_LIVE_CHECK_H
#define PRF_LIVE_CHECK_H

#include "live/tracer.h"

/* How often to look, in ms, where ticks are PERIOD_NS long: until it is found
 * out, a thread that blocks the signal can take it for its own with
 * sigtimedwait(2), once in each period. */
int prf_check_every_ms(uint64_t period_ns);

/* To be called about as often.  If a process has run some ticks more than
 * it has got, its threads are looked through for those that cannot be stopped by
 * their trigger, because they block its signal; the last trigger gets them. */
void prf_check_deaf(struct prf_tracer *tracer);

#endif
