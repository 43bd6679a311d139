/* signals.h - the signals of profrun itself.
 *
 * What would end profrun must not lose the profile.  While the program runs,
 * lib/live passes on to it what is sent to profrun; before and after, signals
 * are caught here: the program's end, however it comes, is waited for, and
 * then told by prf_signals_die_of. */
#ifndef PRF_SRC_SIGNALS_H
#define PRF_SRC_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

/* A signal's number by its name ("USR2", "SIGUSR2", in any case) or itself; 0:
 * there is none such. */
int prf_signal_number(const char *name);
/* May a user give SIGNAL a meaning?  Some cannot be caught, or end profrun, or
 * steer its children or the terminal. */
bool prf_signal_can_be_had(int signal);

/* Catches them, except those that profrun was started to ignore.  Handlers,
 * not SIG_IGN: what is caught is back to its default in the program, and what
 * is ignored there was ignored before. */
void prf_signals_catch(void);

/* The program runs: sends it the last signal that came while lib/live did not
 * pass them on. */
void prf_signals_pass_early(pid_t pid);

/* Ends profrun by SIGNAL, without a core file: what the shell sees is what it
 * would have seen of the program.  Returns only if SIGNAL does not kill. */
void prf_signals_die_of(int signal);

#endif
