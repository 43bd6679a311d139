/* insist.h - while files are written, a user can insist on the end: what is written
 * may be slow, or wait for somebody. */
#ifndef PRF_SRC_OUTPUT_INSIST_H
#define PRF_SRC_OUTPUT_INSIST_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "live/control/relay.h"
#include "live/sampler.h"
#include "src/output/outfile.h"

/* All zero: nobody listens. */
struct prf_insist {
	const struct prf_outdir *dir;  /* lent */
	const struct prf_outdir *also; /* another such directory, or NULL */
	struct prf_run *left;          /* lent: its program lives on; or NULL */
	struct prf_relay relay;        /* of what is sent to that */
	pthread_t thread;
	bool listens;
	uint64_t asked_ns; /* for the last time; 0: never yet */
	bool blocks;       /* the signals, in this thread, */
	sigset_t before;   /* which were these */
	atomic_bool over;
};

/* From now on a second signal that asks this process to end ends it at once, and
 * the first, if it was asked before, at ASKED_NS (0: it was not); those of one moment
 * are one.  Nothing unfinished is left in DIR, and in what INSIST has beside it.  The
 * signals are blocked in all threads.  (Without a thread nobody listens.) */
void prf_insist_begin(struct prf_insist *insist, const struct prf_outdir *dir,
		      uint64_t asked_ns);
/* The same in a command that watches no program: the first such signal ends it.  It
 * blocks them in this thread until the end; in others, which were made before, they
 * have to be blocked. */
void prf_insist_begin_alone(struct prf_insist *insist,
			    const struct prf_outdir *dir);
/* The same while the program lives on that RUN has left: signals are passed on to it,
 * and so many end this process as end prf_sampler_await(). */
void prf_insist_begin_left(struct prf_insist *insist,
			   const struct prf_outdir *dir, struct prf_run *run);
/* INSIST may be all zero. */
void prf_insist_end(struct prf_insist *insist);

#endif
