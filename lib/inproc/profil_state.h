/* profil_state.h - what a call of profil.h has led to so far. */
#ifndef PRF_INPROC_PROFIL_STATE_H
#define PRF_INPROC_PROFIL_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum prf_profil_kind {
	PRF_PROFIL_NONE, /* no call yet */
	PRF_PROFIL_PROFIL,
	PRF_PROFIL_SPROFIL,
	PRF_PROFIL_PCSAMPLE
};

enum prf_profil_why {
	PRF_PROFIL_ASKED,  /* a call turned it on or off, or it was never on */
	PRF_PROFIL_FULL,   /* off: a counter or the samples are full */
	PRF_PROFIL_FAULT,  /* off: a counter or sample could not be written */
	PRF_PROFIL_CLOCK,  /* off: a child of fork has got no timers */
	PRF_PROFIL_HANDLER /* off: the program has set another handler of the
			    * signal; seen when the state is asked for */
};

/* The results of the last call.  ticks = counted + outside + dropped. */
struct prf_profil_state {
	enum prf_profil_kind kind; /* which call it was */
	bool on;
	enum prf_profil_why why;
	uintptr_t fault_addr; /* what could not be written, or 0 */
	uint64_t ticks;       /* since that call; in a child of fork, with
			       * those that its parent had until then */
	uint64_t counted;     /* in a counter or sample */
	uint64_t outside;     /* at pcs that no region holds */
	uint64_t dropped;     /* the counter was full, profiling went off; */
	uint64_t unseen;      /* of these: of threads that have ended, and
			       * never were told of their tick */
	uint64_t held;        /* not in ticks: of threads that block the signal
			       * now.  It is theirs as they unblock it,
			       * unseen if they end before, and counted
			       * nowhere if profiling goes off before */
	uint32_t n_threads;   /* that have a clock, some perhaps ended */
	uint64_t later[2];    /* all 0 */
};

#endif
