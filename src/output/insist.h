/* insist.h - while files are written, a user can insist on the end: what is written
 * may be slow, or wait for somebody. */
#ifndef PRF_SRC_OUTPUT_INSIST_H
#define PRF_SRC_OUTPUT_INSIST_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "src/output/outfile.h"

/* All zero: nobody listens. */
struct prf_insist {
	const struct prf_outdir *dir; /* lent */
	pthread_t thread;
	bool listens;
	bool asked;      /* once already */
	bool blocks;     /* the signals, in this thread, */
	sigset_t before; /* which were these */
	atomic_bool over;
};

/* From now on a second signal that asks this process to end ends it at once, and
 * the first, if it was ASKED before.  Nothing unfinished is left in DIR.  The
 * signals are blocked in all threads.  (Without a thread nobody listens.) */
void prf_insist_begin(struct prf_insist *insist, const struct prf_outdir *dir,
		      bool asked);
/* The same in a command that watches no program: the first such signal ends it.  It
 * blocks them in this thread until the end; in others, which were made before, they
 * have to be blocked. */
void prf_insist_begin_alone(struct prf_insist *insist,
			    const struct prf_outdir *dir);
/* INSIST may be all zero. */
void prf_insist_end(struct prf_insist *insist);

#endif
