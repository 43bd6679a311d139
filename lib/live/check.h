/* check.h - threads that run and are never stopped. */
#ifndef PRF_LIVE_CHECK_H
#define PRF_LIVE_CHECK_H

#include "live/tracer.h"

/* To be called about once a second.  If a process has run some ticks more than
 * it has got, its threads are looked through for those that cannot be stopped by
 * their trigger, because they block its signal; the last trigger gets them. */
void prf_check_deaf(struct prf_tracer *tracer);

#endif
