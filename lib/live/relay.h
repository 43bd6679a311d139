/* relay.h - the signals that this process gets while it watches a program.
 * SIGCHLD says that a thread has stopped; those of job control are left to
 * jobcontrol.h where a program is launched, and do to this process what they do to
 * any where not; all others are passed on to the program, or ask this process to
 * end. */
#ifndef PRF_LIVE_RELAY_H
#define PRF_LIVE_RELAY_H

#include <signal.h>
#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"
#include "live/launch.h"

struct prf_relay {
	sigset_t signals;                 /* SIGCHLD and those it takes */
	int fd;                           /* readable: something has come, */
	int words_fd;                     /* and not just SIGCHLD */
	int toggle_signal;                /* 0: none */
	struct prf_launch_signals before; /* how signals were treated */
};

/* What they say to this process itself. */
struct prf_relay_word {
	pid_t child;       /* has stopped or ended, and perhaps others with it:
			    * there is one SIGCHLD for all; 0: none */
	unsigned toggles;  /* how often */
	bool end;          /* it is asked to end */
	int stop;          /* it is asked to stop, by this signal, */
	pid_t stop_sender; /* from there; 0: from the terminal */
	bool go_on;        /* it has been told to go on */
};

/* Blocks the signals that a relay takes (but not SIGCHLD, nor those of job
 * control): what comes before one is open, or after, is kept for it.  BEFORE is
 * what was blocked. */
void prf_relay_hold(sigset_t *before);

/* Takes the signals, until they are given back; those of job control only if it
 * LAUNCHES a program.  TOGGLE_SIGNAL (0: none) is one of them that is
 * kept. */
int prf_relay_open(struct prf_relay *relay, bool launches, int toggle_signal,
		   struct prf_error *err) PRF_MUST_CHECK;
void prf_relay_close(struct prf_relay *relay);

/* Takes all that has come, and passes on to PID what is meant for it and has not
 * reached it by the terminal, as it was sent: only what kill(2) sends comes from
 * this process instead.  With PID 0 there is nobody else that it could be meant
 * for.  (Words of job control are not passed on here.)  The word of SIGCHLD is
 * used up by that: look for stops afterwards. */
struct prf_relay_word prf_relay_take(const struct prf_relay *relay, pid_t pid);
/* Waits until one has come, for MS at most; then the same.  (Who has nothing else
 * to wait for has a stop sooner by this than by polling the descriptor and then
 * reading it.) */
struct prf_relay_word prf_relay_await(const struct prf_relay *relay, pid_t pid,
				      int ms);

#endif
