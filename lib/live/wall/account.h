/* account.h - the wall time that threads spend off the processor, divided
 * among the positions (PC and system call) where they are sampled.  Pure:
 * tests give it numbers.
 *
 * A thread is sampled at random moments, and the kernel's counters tell how
 * long it has neither run nor waited for a processor between two of them:
 * the sum is exact.  If it has not moved in between, all of that time
 * belongs to its position, however long it is.  If it has moved, the
 * position where it is found gets the mean time between two samples, and the
 * one before gets the rest.  As the moments do not depend on what the thread
 * will do, each position has its share in the mean, even a short stay after
 * a long one; and a thread that does not move is sampled less and less
 * often. */
#ifndef PRF_LIVE_WALL_ACCOUNT_H
#define PRF_LIVE_WALL_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/sample.h"
#include "live/proc/position.h"
#include "live/proc/schedstat.h"

/* What the accounts of all threads have in common. */
struct prf_accounts {
	uint64_t period_ns; /* of one tick */
	uint64_t grain_ns;  /* mean time between two samples of a thread that
			     * moves */
	uint64_t random;    /* the state of all choices */
	/* Time off the processor that no position has been charged with;
	 * below zero: positions have been charged with too much. */
	int64_t unassigned_ns;
	int64_t waited_ns; /* for a processor, and not yet charged */
};

struct prf_account {
	/* When it was sampled last, and what the kernel's counters said. */
	uint64_t seen_ns;
	struct prf_schedstat times;
	bool blocked; /* it was off the processor then, at the position */
	bool located; /* position is known: where it was found last */
	struct prf_position position;
	int64_t open_ns;   /* off the processor since it was found there */
	int64_t owed_ns;   /* that the position will be charged with */
	int64_t known_ns;  /* for so long it has not moved */
	uint64_t n_grains; /* mean time to the next sample */
};

/* To be put into a sample; nothing if TICKS is 0. */
struct prf_account_charge {
	struct prf_position position;
	uint32_t ticks, certain;
};

void prf_accounts_begin(struct prf_accounts *accounts, uint64_t period_ns,
			uint64_t seed);
/* The whole ticks that threads have waited for a processor since the last
 * call. */
uint32_t prf_accounts_take_waited(struct prf_accounts *accounts);

/* Begins the account of a thread that runs, at NOW_NS (CLOCK_MONOTONIC). */
void prf_account_begin(struct prf_account *account, uint64_t now_ns,
		       const struct prf_schedstat *times);

/* Can TIMES, read at NOW_NS, be the thread's?  When another thread of its process
 * has called exec, its id is that one's, some time before anybody is told.  (What
 * can be seen: counters that go back, or that advance faster than time.) */
bool prf_account_can_have(const struct prf_account *account, uint64_t now_ns,
			  const struct prf_schedstat *times);

/* Do TIMES say that the thread has not run since its last sample? */
bool prf_account_is_unmoved(const struct prf_account *account,
			    const struct prf_schedstat *times);

/* A sample at NOW_NS has found the thread unmoved (stay); or at POSITION, or
 * running, POSITION being NULL (move).  TIMES were read before POSITION was;
 * the sample came LATE_NS after its moment. */
struct prf_account_charge prf_account_stay(struct prf_accounts *accounts,
					   struct prf_account *account,
					   uint64_t now_ns,
					   const struct prf_schedstat *times);
struct prf_account_charge prf_account_move(struct prf_accounts *accounts,
					   struct prf_account *account,
					   uint64_t now_ns, uint64_t late_ns,
					   const struct prf_schedstat *times,
					   const struct prf_position *position);
/* The thread has ended; TIMES is NULL if they cannot be read any more. */
struct prf_account_charge prf_account_end(struct prf_accounts *accounts,
					  struct prf_account *account,
					  uint64_t now_ns,
					  const struct prf_schedstat *times);

/* After how many moments, random ones with a mean of GRAIN_NS between two,
 * the thread is to be sampled again; >= 1. */
uint64_t prf_account_delay(struct prf_accounts *accounts,
			   const struct prf_account *account);

#endif
