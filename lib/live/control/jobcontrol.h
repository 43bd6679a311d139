/* jobcontrol.h - this process stops when the program that it watches has
 * stopped, by the same signal, and goes on with it: so the shell that has
 * started it sees what it would see of the program.
 *
 * A key on the terminal signals the whole job, but this process waits for
 * what the program does then: the program may have to put the terminal in
 * order before it stops, and needs its tracer for each signal.  While this
 * process is stopped, all that it traces comes to a stop sooner or later.
 * So it stops last, and not while other processes of the job run, which may
 * be about to let the program go on; but if it was asked to stop, it does
 * not wait for them for ever. */
#ifndef PRF_LIVE_CONTROL_JOBCONTROL_H
#define PRF_LIVE_CONTROL_JOBCONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/control/relay.h"

struct prf_watch;

/* All zero, but for its pid, is a program that runs.  Times are of
 * CLOCK_MONOTONIC. */
struct prf_job {
	pid_t pid;           /* of the program; 0: it has ended */
	bool stopped;        /* it is stopped, with all its threads, */
	int signal;          /* by this, */
	unsigned went_on;    /* see processes.h */
	uint64_t stopped_ns; /* since then, */
	bool followed;       /* and this process has stopped since */
	bool others_run;     /* others of the job are not stopped */
	uint64_t asked_ns;   /* this process was asked to stop then, */
	int asked_by;        /* by this; 0: it was not */
};

/* When this process is to stop, too; UINT64_MAX: it is not to stop.  Pure. */
uint64_t prf_jobcontrol_due_ns(const struct prf_job *job);
/* How long until then, in ms for poll(2), at most MOST_MS (-1: for ever). */
int prf_jobcontrol_wait_ms(const struct prf_job *job, uint64_t now_ns,
			   int most_ms);
/* The program is stopped by SIGNAL; 0: it runs, or has run in between.
 * Pure. */
void prf_jobcontrol_note(struct prf_job *job, int signal, uint64_t now_ns);

/* Finds out whether the program, or what is left after it, and the rest of
 * the job are stopped. */
void prf_jobcontrol_update(struct prf_job *job, const struct prf_watch *watch,
			   uint64_t now_ns);
/* NEWS may say that this process was asked to stop or to go on: passes that
 * on to the program if it cannot have got it itself.  KNOWN: the sender
 * belongs to the job. */
void prf_jobcontrol_take(struct prf_job *job, const struct prf_relay_news *news,
			 bool known, uint64_t now_ns);
/* Stops this process, unless the program goes on already; returns when it has
 * been continued, or the program has. */
void prf_jobcontrol_follow(struct prf_job *job);

#endif
