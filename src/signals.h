/* signals.h - signals, as the command line names them, and as profrun ends. */
#ifndef PRF_SRC_SIGNALS_H
#define PRF_SRC_SIGNALS_H

#include <stdbool.h>

/* A signal's number by its name ("USR2", "SIGUSR2", in any case) or itself; 0:
 * there is none such. */
int prf_signal_number(const char *name);
/* May a user give SIGNAL a meaning?  Some cannot be caught, or end profrun, or
 * steer its children or the terminal. */
bool prf_signal_can_be_had(int signal);

/* Ends profrun by SIGNAL, without a core file: what the shell sees is what it
 * would have seen of the program.  Returns only if SIGNAL does not kill. */
void prf_signals_die_of(int signal);

#endif
