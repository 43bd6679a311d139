/* cmd_diff.h - profrun diff OLD NEW: what has become slower or faster. */
#ifndef PRF_SRC_COMMANDS_CMD_DIFF_H
#define PRF_SRC_COMMANDS_CMD_DIFF_H

#include <argp.h>
#include <stddef.h>

#include "src/message.h"
#include "src/options/options.h"

extern const struct argp prf_diff_parser;

/* What VALUE, as the table of options calls it, can be; NULL: no more. */
const char *prf_cmd_diff_word(const char *value, size_t index);

int prf_cmd_diff(const struct prf_options *options,
		 const struct prf_messages *messages);

#endif
