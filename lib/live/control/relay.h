/* relay.h - the signals that this process gets while it watches a program.
 * SIGCHLD says that a thread has stopped; those of job control are left to
 * jobcontrol.h where a program is launched, and have their usual effect
 * where none is; all others are passed on to the program, or ask this
 * process to end. */
#ifndef PRF_LIVE_CONTROL_RELAY_H
#define PRF_LIVE_CONTROL_RELAY_H

#include <signal.h>
#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"
#include "live/life/launch.h"

struct prf_relay {
	sigset_t signals;                 /* SIGCHLD and those it takes */
	int fd;                           /* readable: something has come, */
	int news_fd;                      /* and not just SIGCHLD */
	int toggle_signal;                /* 0: none */
	struct prf_launch_signals before; /* how signals were treated */
	bool leaves_child; /* that is still to be waited for: SIGCHLD stays as
			    * it is when this closes, or the kernel might wait
			    * for it */
};

/* What the signals that came say to this process itself. */
struct prf_relay_news {
	pid_t child;       /* has stopped or ended, and perhaps others, too:
			    * there is one SIGCHLD for all; 0: none */
	unsigned toggles;  /* how often */
	bool end;          /* it is asked to end */
	int ask;           /* the program is, by this signal, which was passed
			    * on and is no key's, */
	pid_t ask_sender;  /* and which this process has sent */
	int stop;          /* it is asked to stop, by this signal, */
	pid_t stop_sender; /* by this process; 0: by the terminal */
	bool go_on;        /* it has been told to go on */
};

/* Blocks the signals that a relay takes (but not SIGCHLD, nor those of job
 * control): those that come while no relay is open wait for the next one.
 * BEFORE is what was blocked. */
void prf_relay_hold(sigset_t *before);

/* Those by which people and systems ask a process to end, as this one was started
 * to take them. */
void prf_relay_asking(sigset_t *set);

/* Takes the signals, until prf_relay_close(); those of job control only if
 * it LAUNCHES a program.  TOGGLE_SIGNAL (0: none) is one of them that is not
 * passed on. */
int prf_relay_open(struct prf_relay *relay, bool launches, int toggle_signal,
		   struct prf_error *err) PRF_MUST_CHECK;
void prf_relay_close(struct prf_relay *relay);

/* Takes all signals that have come, and passes on to PID those that are
 * meant for it and that the terminal has not sent it, too.  They arrive as
 * they were sent, but those of kill(2) come from this process.  With PID 0
 * all are meant for this process.  (Those of job control are not passed on
 * here.)  SIGCHLD is taken, too: look for stops afterwards. */
struct prf_relay_news prf_relay_take(const struct prf_relay *relay, pid_t pid);
/* Waits until a signal has come, for MS at most; then the same.  (This is
 * faster than to poll the descriptor and then to read it.) */
struct prf_relay_news prf_relay_await(const struct prf_relay *relay, pid_t pid,
				      int ms);

#endif
