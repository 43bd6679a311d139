/* account.h - the wall time that threads spend off the processor, shared out
 * among the places where they are seen.  Pure: tests give it numbers.
 *
 * A thread is looked at at random moments, and the kernel's counters tell how
 * long it has neither run nor waited for a processor between two of them: the
 * sum is exact.  Where it was is known if it has not moved in between: then all
 * of the time is that place's, however long it is.  If it has moved, the place
 * where it is found gets the mean time between two looks, and the one before
 * gets the rest.  As the moments do not depend on what the thread will do, each
 * place has its due in the mean, also one that is short and follows a long one;
 * and a thread that does not move is looked at less and less often. */
#ifndef PRF_LIVE_ACCOUNT_H
#define PRF_LIVE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/sample.h"
#include "live/place.h"
#include "live/schedstat.h"

/* What the accounts of all threads have in common. */
struct prf_accounts {
	uint64_t period_ns; /* of one tick */
	uint64_t grain_ns;  /* mean time between two looks at a thread that
			     * moves */
	uint64_t random;    /* the state of all choices */
	/* Time off the processor that no place has been given; below zero:
	 * places have been given too much. */
	int64_t unplaced_ns;
	int64_t waited_ns; /* for a processor, and not yet charged */
};

struct prf_account {
	/* When it was looked at last, and what the kernel's counters said. */
	uint64_t seen_ns;
	struct prf_thread_times times;
	bool blocked; /* it was off the processor then, at the place */
	bool placed;  /* there is a place: the one it was found at last */
	struct prf_thread_place place;
	int64_t open_ns;   /* off the processor since it was found there */
	int64_t owed_ns;   /* that the place will be charged with */
	int64_t known_ns;  /* for so long it has not moved */
	uint64_t n_grains; /* mean time to the next look */
};

/* To be put into a sample; nothing if TICKS is 0. */
struct prf_account_charge {
	struct prf_thread_place place;
	uint32_t ticks, certain;
};

void prf_accounts_begin(struct prf_accounts *accounts, uint64_t period_ns,
			uint64_t seed);
/* The whole ticks that threads have waited for a processor since this was
 * asked last. */
uint32_t prf_accounts_take_waited(struct prf_accounts *accounts);

/* A thread that runs, at NOW_NS (CLOCK_MONOTONIC). */
void prf_account_begin(struct prf_account *account, uint64_t now_ns,
		       const struct prf_thread_times *times);

/* With TIMES, is the thread where it was found last, and has not run since? */
bool prf_account_is_unmoved(const struct prf_account *account,
			    const struct prf_thread_times *times);

/* A look at NOW_NS has found it unmoved; or at PLACE; or running, PLACE being
 * NULL.  TIMES were read before PLACE was; the look came LATE_NS after its
 * moment. */
struct prf_account_charge
prf_account_stay(struct prf_accounts *accounts, struct prf_account *account,
		 uint64_t now_ns, const struct prf_thread_times *times);
struct prf_account_charge
prf_account_move(struct prf_accounts *accounts, struct prf_account *account,
		 uint64_t now_ns, uint64_t late_ns,
		 const struct prf_thread_times *times,
		 const struct prf_thread_place *place);
/* It has ended; TIMES is NULL if they cannot be read any more. */
struct prf_account_charge prf_account_end(struct prf_accounts *accounts,
					  struct prf_account *account,
					  uint64_t now_ns,
					  const struct prf_thread_times *times);

/* After how many moments, that come at random with a mean of GRAIN_NS between
 * two, the thread is to be looked at again; >= 1. */
uint64_t prf_account_delay(struct prf_accounts *accounts,
			   const struct prf_account *account);

#endif
