/* cmd_merge.h - profiles of several processes, such as the ranks of an MPI
 * program, added to one. */
#ifndef PRF_SRC_COMMANDS_CMD_MERGE_H
#define PRF_SRC_COMMANDS_CMD_MERGE_H

#include <argp.h>

#include "src/message.h"
#include "src/options/options.h"

/* Does what "profrun merge -o OUT FILE..." does.  Returns 0;
 * PRF_EXIT_REFUSED if a file cannot be read or added; PRF_EXIT_FAILED. */
int prf_cmd_merge(const struct prf_options *options,
		  const struct prf_messages *messages);

/* Its words. */
extern const struct argp prf_merge_parser;
#endif
