/* cmd_dump.h - the stacks of all threads of a process, now. */
#ifndef PRF_SRC_COMMANDS_CMD_DUMP_H
#define PRF_SRC_COMMANDS_CMD_DUMP_H

#include <argp.h>

#include "src/message.h"
#include "src/options/options.h"

/* Does what "profrun dump" does.  Returns 0; PRF_EXIT_UNREADABLE: a process may
 * not be looked into, or there is none; PRF_EXIT_FAILED. */
int prf_cmd_dump(const struct prf_options *options,
		 const struct prf_messages *messages);

/* Its words. */
extern const struct argp prf_dump_parser;

#endif
