/* in_step.h - is a thread in step with the kernel's tick?  Pure.
 *
 * A timer sees a thread where the kernel's tick meets it.  That shows all of
 * its bursts of work alike as long as they begin at any time between two ticks.
 * Those of a thread that follows a clock of its own may always begin at the same
 * times, as each fifth tick, 1 ms after it: then some of its work meets every
 * tick, and the rest none.  Three signs tell of that:
 *
 * - Ticks meet it far more, or less, often than its CPU time is worth.
 * - It wakes in the rhythm of the ticks: A times in B ticks of the kernel, from
 *   the first mark to the last, with both small.  A thread that has come nearly
 *   once around is no longer in step, since that has shown all of its work.
 * - Its bursts are about as long as a tick, and it waits for a processor much of
 *   the time.  It is given one at the end of another's turn, which is at a tick,
 *   and so each burst begins there.
 *
 * What never sleeps but looks at a clock can be in step, too: of that nothing
 * is seen here. */
#ifndef PRF_LIVE_TRIGGER_IN_STEP_H
#define PRF_LIVE_TRIGGER_IN_STEP_H

#include <stdbool.h>
#include <stdint.h>

/* How often a thread has woken of its own accord, at a tick that met it. */
struct prf_in_step_mark {
	uint64_t time_ns, wakes;
};

enum { PRF_IN_STEP_MARKS = 64 };

/* Of one thread; all 0: nothing is known yet. */
struct prf_in_step {
	struct prf_in_step_mark marks[PRF_IN_STEP_MARKS];
	unsigned n;
	uint64_t offered; /* marks, in all */
	uint64_t every;   /* one of so many is kept; 0: each */
};

void prf_in_step_mark(struct prf_in_step *in_step,
		      const struct prf_in_step_mark *mark);

/* What a thread has done in all. */
struct prf_in_step_totals {
	double ticks_due;    /* its CPU time, in ticks of the kernel */
	double ticks_met;    /* how many of these have met it */
	double ticks_waited; /* what it has waited for a processor */
	double error;        /* to which that is known, besides by chance */
	double wakes;        /* of its own accord */
};

/* Its ticks are TICK_NS long. */
bool prf_in_step_is(const struct prf_in_step *in_step,
		    const struct prf_in_step_totals *totals, uint64_t tick_ns);

#endif
