/* wheel.h - things to be done at random moments in the future.  The moments
 * are a Poisson process: when the last one was says nothing of the next.
 * Each thing waits for a number of moments; the clock does not stop at those
 * that nothing waits for.  Pure: the clock is the caller's. */
#ifndef PRF_LIVE_WALL_WHEEL_H
#define PRF_LIVE_WALL_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

enum { PRF_WHEEL_SLOTS = 256 };

/* A member of the thing; all zero: it waits for nothing. */
struct prf_wheel_item {
	struct prf_wheel_item *next, **link;
	uint64_t moment; /* its number */
	uint64_t due_ns; /* when that was, once it has come */
};

struct prf_wheel {
	uint64_t mean_ns; /* between two moments */
	uint64_t random;
	/* The moments up to number passed are over; for those up to number
	 * drawn the time is known, in at_ns. */
	uint64_t passed, drawn;
	uint64_t at_ns[PRF_WHEEL_SLOTS];
	struct prf_wheel_item *slots[PRF_WHEEL_SLOTS];
	struct prf_wheel_item *due, **last_due;
	uint64_t n_items; /* in the slots */
};

void prf_wheel_begin(struct prf_wheel *wheel, uint64_t mean_ns, uint64_t seed,
		     uint64_t now_ns);
/* ITEM, which waits for nothing, waits for the DELAY-th moment after NOW_NS;
 * >= 1. */
void prf_wheel_add(struct prf_wheel *wheel, struct prf_wheel_item *item,
		   uint64_t delay, uint64_t now_ns);
void prf_wheel_remove(struct prf_wheel *wheel, struct prf_wheel_item *item);
/* Takes out the item whose moment has come first; NULL: there is none. */
struct prf_wheel_item *prf_wheel_take(struct prf_wheel *wheel, uint64_t now_ns);
/* When something may be due next; UINT64_MAX: nothing waits. */
uint64_t prf_wheel_next_ns(struct prf_wheel *wheel);

#endif
