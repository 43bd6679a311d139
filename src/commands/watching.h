/* watching.h - what is said at once to a user who waits for a profile of
 * processes that run already. */
#ifndef PRF_SRC_COMMANDS_WATCHING_H
#define PRF_SRC_COMMANDS_WATCHING_H

#include "src/message.h"
#include "src/options/options.h"

/* Says which processes are watched, how that ends, and what is written then.
 * The names of the processes are OPTIONS->program. */
void prf_watching_tell(const struct prf_options *options,
		       const struct prf_messages *messages);

#endif
