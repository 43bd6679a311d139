/* handler.h - the handler of the ticks' signal, and which signal that can
 * be. */
#ifndef PRF_INPROC_HANDLER_H
#define PRF_INPROC_HANDLER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

typedef void prf_handler(int signo, siginfo_t *info, void *context);

/* Bytes of an alternate signal stack that a tick may need, as the kernel says:
 * for its frame, for that of a second signal, and for the handler's own work. */
size_t prf_handler_stack_bytes(void);

/* Makes HANDLER that of SIGNO, called with all other signals blocked.  With
 * ON_STACK it runs on the alternate stack of each thread that has one, unless
 * the calling thread's is too small for it: the kernel kills where one is.  The
 * handler is not removed once a timer was set: a signal that is under way when
 * the timers are deleted must find it.  0 and the action BEFORE, also if it is
 * the handler already; -EBUSY: the program has another one. */
int prf_handler_install(int signo, prf_handler *handler, bool on_stack,
			struct sigaction *before);

/* Is HANDLER still that of SIGNO? */
bool prf_handler_is_installed(int signo, prf_handler *handler);

/* Can SIGNO be the signal of ticks?  It can if it may have a handler, and no
 * fault raises it. */
bool prf_handler_is_possible(int signo);

#endif
