/* weigh.h - how many ticks a sample of a timer stands for, so that all of a
 * thread's follow its CPU time.  Pure.
 *
 * A timer that counts the ticks of the kernel that meet its thread samples
 * all of its code alike.  But the number of these ticks is right only in the
 * mean, and not even there on a processor that is shared; and none can meet
 * the kernel where it has interrupts disabled, as it does when it puts a
 * thread to sleep: of a burst of 50 us a third can be of that kind.  The
 * thread's clock is exact.
 *
 * What a sample stands for must not depend on what has been run since the one
 * before, or the ends of bursts would have too much.  So what is missing is
 * spread over samples that follow, by chance where it is less than a tick for
 * each: what can be the kernel's, on those in system calls, and the rest, or
 * what is too much, on all alike.
 *
 * A short thread has no samples that could follow.  But what makes the number of
 * ticks wrong on a busy machine, by up to a fifth, is the same for all threads
 * that work on and on: what has been seen of those that have ended is what the
 * samples of others stand for. */
#ifndef PRF_LIVE_TRIGGER_WEIGH_H
#define PRF_LIVE_TRIGGER_WEIGH_H

#include <stdbool.h>
#include <stdint.h>

#include "live/proc/schedstat.h"

/* What ticks of the kernel were worth lately, by threads that have ended. */
struct prf_weigh_pace {
	double due, periods; /* their CPU time, and what their ticks made of it;
			      * both in periods */
};

/* The ticks for a period that are right by PACE; 1 as long as nothing else is
 * certain. */
double prf_weigh_pace_scale(const struct prf_weigh_pace *pace);

/* The samples of a thread in user mode, or those in system calls. */
struct prf_weigh_part {
	uint64_t n_samples; /* that came */
	uint64_t periods;   /* that they came with */
	uint64_t ticks;     /* that they were given */
	double scale;       /* the mean of ticks for a period, from now on */
};

/* Of one thread. */
struct prf_weigh {
	struct prf_schedstat from; /* its times, as counting began */
	uint64_t next_check;       /* when there are so many samples */
	struct prf_weigh_part user, in_call;
};

struct prf_weigh prf_weigh_begin(const struct prf_schedstat *from,
				 const struct prf_weigh_pace *pace);

/* Are the thread's times to be told, now that a sample has been weighed? */
bool prf_weigh_is_to_be_told(const struct prf_weigh *weigh);

/* They are NOW.  A tick is PERIOD_NS, one of the kernel's
 * TICK_NS. */
void prf_weigh_tell(struct prf_weigh *weigh, const struct prf_schedstat *now,
		    uint64_t period_ns, uint64_t tick_ns,
		    const struct prf_weigh_pace *pace);

/* The thread has ended with the times NOW, LIVED_NS after the begin: PACE learns
 * of it.  If it is told of some threads only, it must not be by their samples. */
void prf_weigh_end(const struct prf_weigh *weigh,
		   const struct prf_schedstat *now, uint64_t lived_ns,
		   uint64_t period_ns, struct prf_weigh_pace *pace);

/* How many samples have come, and with how many periods. */
uint64_t prf_weigh_samples(const struct prf_weigh *weigh);
uint64_t prf_weigh_periods(const struct prf_weigh *weigh);

/* The ticks of a sample that has come with PERIODS, in a system call or not;
 * perhaps none.  U uniform in [0, 1). */
uint32_t prf_weigh_take(struct prf_weigh *weigh, bool in_call, uint32_t periods,
			double u);

#endif
