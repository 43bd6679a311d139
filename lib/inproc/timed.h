/* timed.h - the threads that are timed: each has a timer on its own CPU clock.
 *
 * A thread's ticks are where its own CPU time passes PHASE, PHASE + a tick and
 * so on.  The phase is random, so that over many threads, however short, the
 * number of ticks is right on average.
 *
 * Nothing here locks. */
#ifndef PRF_INPROC_TIMED_H
#define PRF_INPROC_TIMED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "inproc/cputime.h"

/* What a timer sends, in si_value: the thread that it is of, and the start. */
static inline uint64_t
prf_timed_value(uint32_t cookie, uint32_t thread)
{
	return (uint64_t)cookie << 32 | thread;
}

/* How the timers are made. */
struct prf_timed_config {
	int signo;
	uint32_t cookie;
	int64_t tick_ns;
};

struct prf_timed_thread {
	pid_t tid; /* 0: this entry is free */
	int timer;
	int64_t since_ns; /* of its clock: from there its ticks count */
	int64_t first_ns; /* of its clock: there it has its first tick */
	int64_t used_ns;  /* since then, when last seen */
	uint64_t ticks;   /* that it had */
	uint64_t owed;    /* before its timer was made */
};

struct prf_timed {
	struct prf_timed_thread *list;
	uint32_t n, capacity; /* entries; a thread keeps its own */
	uint32_t n_in_use;
	struct prf_timed_config config;
	uint64_t random;
};

/* Forgets all without deleting a timer, as a child of fork must. */
void prf_timed_reset(struct prf_timed *threads,
		     const struct prf_timed_config *config);
/* Deletes all timers. */
void prf_timed_stop(struct prf_timed *threads);

/* NULL if TID has no clock. */
struct prf_timed_thread *prf_timed_find(const struct prf_timed *threads,
					pid_t tid);

/* Gives TID a clock, from now on; or, with FROM_BIRTH, from its beginning, if
 * its CPU time is at most MAX_NS: then it owes the ticks that it has used
 * already.  0, -ESRCH: it has ended; -EAGAIN or -ENOMEM: the kernel gives no
 * more timers, or no memory. */
int prf_timed_add(struct prf_timed *threads, pid_t tid, bool from_birth,
		  int64_t max_ns);

/* The ticks that the thread has used until now, and has not had: its timer is
 * late by up to a tick of the kernel, or its signal is blocked. */
uint64_t prf_timed_due(const struct prf_timed *threads,
		       const struct prf_timed_thread *thread);

/* What the threads that have a clock have used since they have it. */
struct prf_timed_sum {
	int64_t used_ns;
	uint64_t held_ticks; /* have not reached their threads: they block the
			      * signal, or are in a long system call */
	bool has_held;       /* one of these has run on since the last time */
};

/* Reports the threads that have ended to CPUTIME and REST, and forgets them. */
struct prf_timed_sum prf_timed_sum(struct prf_timed *threads,
				   struct prf_cputime *cputime,
				   struct prf_cputime_rest *rest);

#endif
