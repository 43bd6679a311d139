/* blocked.h - what blocked.c and its tables of waits agree on. */
#ifndef PRF_WORKLOADS_BLOCKED_H
#define PRF_WORKLOADS_BLOCKED_H

#include "work.h"

#include <stdatomic.h>

/* Longer than any run. */
#define LONG_S 3600
#define LONG_MS (LONG_S * 1000)

struct seat;

/* A system call that blocks: a name, and what a thread does that waits in it. */
struct place {
	const char *name;
	void (*sit)(struct seat *seat);
};

/* Ended by a place without a name. */
extern const struct place blocked_times[], blocked_files[], blocked_sockets[],
	blocked_others[];

/* A thread in its place. */
struct seat {
	const struct place *place;
	atomic_long tid;
	atomic_uint eintr;   /* waits that ended so */
	atomic_int returned; /* a wait ended in another way, with this errno */
	atomic_int refused;  /* there is no such wait here: the errno */
	/* What would outlive the process, if anything; see seat_leaves(). */
	int left;
	void (*remove)(int left);
};

/* RESULT, if what a seat needs could be made; else the thread ends there, and
 * the seat is refused. */
int seat_needs(struct seat *seat, int result);

/* LEFT has to be taken away with REMOVE at the end. */
int seat_leaves(struct seat *seat, int left, void (*remove)(int left));

/* Counts how a wait ended, with RESULT and errno; whether it is to be made
 * again.  Of a wait that does not end it is never called. */
int seat_again(struct seat *seat, long result);

/* Sits in CALL, over and over if it is interrupted. */
#define SIT(seat, call)                                                        \
	while (seat_again(seat, (long)(call)))                                 \
	continue

/* The same for the calls of pthread, which return the error. */
#define SIT_PTHREAD(seat, call) SIT(seat, (errno = (call)) ? -1 : 0)

#endif
