/* stop_cost.h - what a stop takes of the CPU time of the thread that is stopped:
 * the kernel charges the thread with its way into the stop and with the way
 * back.  A profile is to show a program as it is when nobody watches, so this
 * time is left out of it.  What does not show in it, such as caches that are cold
 * after a stop, stays with the program. */
#ifndef PRF_LIVE_TRIGGER_STOP_COST_H
#define PRF_LIVE_TRIGGER_STOP_COST_H

#include <stdint.h>

/* What a stop takes here, tried on a child in about a millisecond; 0: it cannot be
 * tried. */
uint64_t prf_stop_cost_try(void);

#endif
