/* attach.h - a process that runs already is traced from now on.
 *
 * To seize a thread does not stop it.  The fallback trigger stops one that
 * computes, and at that stop timers are made for all threads of its process;
 * if none ever computes, none is ever stopped. */
#ifndef PRF_LIVE_LIFE_ATTACH_H
#define PRF_LIVE_LIFE_ATTACH_H

#include "core/attr.h"
#include "core/error.h"
#include "live/watch.h"

/* Seizes all threads of PID (any of its threads stands for it) and, if
 * children are followed, its descendants; tells the sink of them.  A
 * descendant that may not be traced is left out and counted
 * (stats->unreached). -ESRCH, -EPERM, -EBUSY with the reason in ERR: then
 * nothing of it is traced. */
int prf_attach(struct prf_watch *watch, pid_t pid,
	       struct prf_error *err) PRF_MUST_CHECK;

#endif
