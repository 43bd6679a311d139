/* cmd_check.h - what this machine allows, and how profrun will work on it. */
#ifndef PRF_SRC_COMMANDS_CMD_CHECK_H
#define PRF_SRC_COMMANDS_CMD_CHECK_H

#include <argp.h>

#include "src/message.h"
#include "src/options/options.h"

/* Does what "profrun check" does.  Returns 0 if programs can be profiled here,
 * PRF_EXIT_IMPOSSIBLE if not; PRF_EXIT_FAILED if that could not be told. */
int prf_cmd_check(const struct prf_options *options,
		  const struct prf_messages *messages);

/* Its words. */
extern const struct argp prf_check_parser;

#endif
