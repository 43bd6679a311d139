/* loop.h - what a run waits for, and what it does about each: stops, signals,
 * triggers, the wall clock, and the time to begin and to leave. */
#ifndef PRF_LIVE_LOOP_H
#define PRF_LIVE_LOOP_H

#include "live/control/relay.h"
#include "live/watch.h"

/* Runs until all that is watched has ended, or has been left. */
void prf_loop_run(struct prf_watch *watch, const struct prf_relay *relay);

#endif
