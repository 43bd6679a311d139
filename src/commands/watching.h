/* watching.h - what is said at once to a user who waits for a profile of
 * processes that run already. */
#ifndef PRF_SRC_COMMANDS_WATCHING_H
#define PRF_SRC_COMMANDS_WATCHING_H

#include "src/options/options.h"

/* Which processes are watched, how that ends, and what is written then: a line, to be
 * free()d.  The names of the processes are OPTIONS->program.  NULL: out of memory. */
char *prf_watching_line(const struct prf_options *options);

#endif
