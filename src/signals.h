/* signals.h - the signals of profrun itself; nothing else touches them.
 *
 * What would end profrun must not lose the profile.  A key such as Ctrl-C
 * reaches the program by itself; a signal that another process sends to
 * profrun alone is passed on to the program.  Either way profrun waits for the
 * program's end and then tells it. */
#ifndef PRF_SRC_SIGNALS_H
#define PRF_SRC_SIGNALS_H

#include <sys/types.h>

/* Catches them, except those that profrun was started to ignore.  Handlers,
 * not SIG_IGN: what is caught is back to its default in the program, and what
 * is ignored there was ignored before. */
void prf_signals_catch(void);

/* Passes them on to PID from now on, and at once what came before there was a
 * PID.  0: there is nobody (any more) to pass them on to. */
void prf_signals_pass_to(pid_t pid);

/* Ends profrun by SIGNAL, without a core file: what the shell sees is what it
 * would have seen of the program.  Returns only if SIGNAL does not kill. */
void prf_signals_die_of(int signal);

#endif
