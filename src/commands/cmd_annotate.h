/* cmd_annotate.h - profrun annotate: source and instructions with their time. */
#ifndef PRF_SRC_COMMANDS_CMD_ANNOTATE_H
#define PRF_SRC_COMMANDS_CMD_ANNOTATE_H

#include <argp.h>

#include "src/message.h"
#include "src/options/options.h"

extern const struct argp prf_annotate_parser;

/* The exit status. */
int prf_cmd_annotate(const struct prf_options *options,
		     const struct prf_messages *messages);

#endif
