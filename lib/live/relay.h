/* relay.h - the signals that this process gets while it watches a program.
 * SIGCHLD says that a thread has stopped; those that a person or a program
 * sends to end or to steer a program are passed on to it. */
#ifndef PRF_LIVE_RELAY_H
#define PRF_LIVE_RELAY_H

#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"
#include "live/launch.h"

struct prf_relay {
	int fd;                           /* readable: something has come, */
	int words_fd;                     /* and not just SIGCHLD */
	int toggle_signal;                /* 0: none */
	bool ignores_hangup;              /* as nohup(1) has it */
	struct prf_launch_signals before; /* how signals were treated */
};

/* What they say to this process itself. */
struct prf_relay_word {
	unsigned toggles;  /* how often */
	bool end;          /* it is asked to end */
	int stop;          /* it is asked to stop, by this signal, */
	pid_t stop_sender; /* from there; 0: from the terminal */
	bool go_on;        /* it has been told to go on */
};

/* Takes the signals, until they are given back; TOGGLE_SIGNAL (0: none) too.
 * Those that are for a program that it has started are taken only if it starts
 * one. */
int prf_relay_open(struct prf_relay *relay, bool launches, int toggle_signal,
		   struct prf_error *err) PRF_MUST_CHECK;
void prf_relay_close(struct prf_relay *relay);

/* Takes all that has come, and passes on to PID what is meant for it and has not
 * reached it by the terminal; with PID 0 there is nobody else that it could be
 * meant for.  (Words of job control are not passed on here.)  The word of SIGCHLD
 * is used up by that: look for stops afterwards. */
struct prf_relay_word prf_relay_take(const struct prf_relay *relay, pid_t pid);

#endif
