/* cmd_export.h - a trace to any other format. */
#ifndef PRF_SRC_COMMANDS_CMD_EXPORT_H
#define PRF_SRC_COMMANDS_CMD_EXPORT_H

#include <argp.h>
#include <stddef.h>

#include "src/message.h"
#include "src/options/options.h"

/* Does what "profrun export" does.  Returns 0, PRF_EXIT_UNREADABLE if the trace
 * could not be read, PRF_EXIT_FAILED for all else. */
int prf_cmd_export(const struct prf_options *options,
		   const struct prf_messages *messages);

/* Its words. */
extern const struct argp prf_export_parser;
/* The word with INDEX that a value called VALUE in its options can be, or
 * NULL. */
const char *prf_cmd_export_word(const char *value, size_t index);

#endif
