/* tracer.h - the traced program's stops: waited for, classified, and each
 * answered as it calls for. */
#ifndef PRF_LIVE_TRACER_H
#define PRF_LIVE_TRACER_H

#include <stdbool.h>
#include <sys/types.h>

#include "live/watch.h"

/* From now on ticks are dropped (PAUSED), or count again.  The time in a
 * pause does not count either. */
void prf_tracer_pause(struct prf_watch *watch, bool paused);
/* Answers the stops there are, but not more than leave time for other
 * things; never blocks.  Thread FIRST is known to have one (0: it is not
 * known which thread has).  True: there may be more. */
bool prf_tracer_drain(struct prf_watch *watch, pid_t first);
/* Forgets what is still traced, tells the sink of it, and sums up. */
void prf_tracer_end(struct prf_watch *watch);
/* The same in another thread, while the one that traces is held, and may still use
 * all that it had (control/takeover.h): nothing is forgotten. */
void prf_tracer_abandon(struct prf_watch *watch);

#endif
