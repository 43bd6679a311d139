/* relay.h - the signals that this process gets while it watches a program.
 * SIGCHLD says that a thread has stopped; those that a person or a program
 * sends to end or to steer a program are passed on to it. */
#ifndef PRF_LIVE_RELAY_H
#define PRF_LIVE_RELAY_H

#include "core/attr.h"
#include "core/error.h"
#include "live/launch.h"

struct prf_relay {
	int fd;                           /* readable: something has come */
	struct prf_launch_signals before; /* how signals were treated */
};

/* Takes the signals, until they are given back. */
int prf_relay_open(struct prf_relay *relay,
		   struct prf_error *err) PRF_MUST_CHECK;
void prf_relay_close(struct prf_relay *relay);

/* Takes all that has come, and passes on to PID what is meant for it.  The
 * word of SIGCHLD is used up by that: look for stops afterwards. */
void prf_relay_pass_on(const struct prf_relay *relay, pid_t pid);

#endif
