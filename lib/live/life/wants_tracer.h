/* wants_tracer.h - a child that asks its parent to trace it, and then stops for
 * it: the parent is not told of the stop, since we are the tracer. */
#ifndef PRF_LIVE_LIFE_WANTS_TRACER_H
#define PRF_LIVE_LIFE_WANTS_TRACER_H

#include "live/watch.h"

/* To be called now and then: says it once, of the first that is found. */
void prf_wants_tracer_mention(struct prf_watch *watch);

/* Does the thread whose /proc/PID/syscall is TEXT wait for the ends of children
 * alone?  Pure. */
bool prf_wants_tracer_waits(const char *text);

#endif
