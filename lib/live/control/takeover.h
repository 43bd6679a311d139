/* takeover.h - a run does not wait for ever for the thread that traces.
 *
 * While a read of that thread does not come back (reach.h), it takes no signal and
 * sees no end.  If this process is then asked to end, or what is watched has ended,
 * the thread is left where it is, and the run is over without it. */
#ifndef PRF_LIVE_CONTROL_TAKEOVER_H
#define PRF_LIVE_CONTROL_TAKEOVER_H

#include <pthread.h>
#include <stdbool.h>

#include "live/proc/reach.h"

/* What was seen of the thread so far, each second; all zero at first. */
struct prf_takeover_looks {
	unsigned turn;   /* the read that it was last in, or 0 */
	unsigned n_held; /* how often it was seen there again, */
	unsigned n_due;  /* and of these, the last: with a reason not to wait */
};

/* It is in TURN now.  Is it held there? */
bool prf_takeover_is_held(struct prf_takeover_looks *looks, unsigned turn);
/* It is, and HAS_REASON not to be waited for, or not.  Is it to be left? (A busy
 * machine, or one that swaps, keeps a thread from coming back for a moment, too.) */
bool prf_takeover_is_due(struct prf_takeover_looks *looks, bool has_reason);

/* Who waits. */
struct prf_takeover {
	pthread_t thread;        /* that traces, and shows its reads in */
	struct prf_reach *reach; /* lent */
	/* Has what is watched ended?  Called while the thread is in a read. */
	bool (*is_over)(const void *arg);
	/* It has been held for long, and nobody has asked for the end yet. */
	void (*held)(const void *arg);
	const void *arg;
};

/* Waits for the thread's end, and joins it: true.  False: it is held, and never
 * comes back from there.  The signals that ask for an end are to be blocked. */
bool prf_takeover_await(const struct prf_takeover *takeover);

#endif
