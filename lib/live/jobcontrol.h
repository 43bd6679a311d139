/* jobcontrol.h - this process stops when the program that it watches has
 * stopped, by the same signal, and goes on with it: whoever has started it sees of
 * it what could be seen of the program.
 *
 * A key on the terminal signals the whole job, but this process waits for what
 * the program makes of that: the program may have to put the terminal in order
 * before it stops, and needs its tracer for each signal.  While this process is
 * stopped, all that it traces stands still sooner or later.  So it stops last,
 * and not as long as others of the job run who may be about to let the program go
 * on; but if it was asked to stop, it does not wait for them without end. */
#ifndef PRF_LIVE_JOBCONTROL_H
#define PRF_LIVE_JOBCONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/relay.h"

struct prf_tracer;

/* All zero, but for its pid, is a program that runs.  Times are of
 * CLOCK_MONOTONIC. */
struct prf_job {
	pid_t pid;           /* of the program; 0: it has ended */
	bool stopped;        /* it is, with all its threads, */
	int signal;          /* by this, */
	unsigned went_on;    /* see process.h */
	uint64_t stopped_ns; /* since then, */
	bool followed;       /* and this process has been since */
	bool others_run;     /* others of the job are not stopped */
	uint64_t asked_ns;   /* this process was asked to stop then, */
	int asked_by;        /* by this; 0: it was not */
};

/* When this process is to stop, too; UINT64_MAX: not, as things stand.  Pure. */
uint64_t prf_job_due_ns(const struct prf_job *job);
/* How long until then, in ms for poll(2), at most MOST_MS (-1: for ever). */
int prf_job_wait_ms(const struct prf_job *job, uint64_t now_ns, int most_ms);
/* The program is stopped by SIGNAL; 0: it runs, or has in between.  Pure. */
void prf_job_note(struct prf_job *job, int signal, uint64_t now_ns);

/* Looks at the program, or what is left after it, and at the rest of the job. */
void prf_job_look(struct prf_job *job, const struct prf_tracer *tracer,
		  uint64_t now_ns);
/* Takes what WORD says of stopping and going on, and passes it on to the program
 * if that cannot have it yet.  KNOWN: the sender belongs to the job itself. */
void prf_job_hear(struct prf_job *job, const struct prf_relay_word *word,
		  bool known, uint64_t now_ns);
/* Stops this process, unless the program goes on already; returns when it has
 * been continued, or the program has. */
void prf_job_follow(struct prf_job *job);

#endif
