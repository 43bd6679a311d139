/* take_back.h - signals of triggers that a thread blocks do not stay with it. */
#ifndef PRF_LIVE_TRIGGER_TAKE_BACK_H
#define PRF_LIVE_TRIGGER_TAKE_BACK_H

#include <stdbool.h>

#include "live/tasks.h"
#include "live/watch.h"

/* How often that is tried: a try can take a second. */
enum { PRF_TAKE_BACK_TRIES = 3 };

/* TASK is stopped: no signal of a trigger waits for it from now on, unless a new
 * one is sent (by a timer, say, that is still there) or TASK cannot be made to
 * accept it; then it holds ours as before. */
void prf_take_back(const struct prf_watch *watch, struct prf_task *task);

/* Does one that may be a trigger's wait for TASK, which may run? */
bool prf_take_back_is_due(const struct prf_watch *watch,
			  const struct prf_task *task);

#endif
