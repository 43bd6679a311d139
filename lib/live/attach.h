/* attach.h - a process that runs already is watched from now on.
 *
 * To seize a thread does not stop it.  It is found at work by the fallback
 * trigger, and at that stop timers are made for all threads of its process; if
 * none ever works, none is ever stopped. */
#ifndef PRF_LIVE_ATTACH_H
#define PRF_LIVE_ATTACH_H

#include "core/attr.h"
#include "core/error.h"
#include "live/tracer.h"

/* Seizes all threads of PID (any of its threads stands for it) and, if children are followed, its descendants;
 * tells the sink of them.  A descendant that may not be traced is left out and
 * counted (stats->unreached).
 * -ESRCH, -EPERM, -EBUSY with the reason in ERR; nothing is held then. */
int prf_attach(struct prf_tracer *tracer, pid_t pid,
	       struct prf_error *err) PRF_MUST_CHECK;

#endif
