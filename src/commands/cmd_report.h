/* cmd_report.h - the flat table of a trace or a gmon.out. */
#ifndef PRF_SRC_COMMANDS_CMD_REPORT_H
#define PRF_SRC_COMMANDS_CMD_REPORT_H

#include <argp.h>
#include <stddef.h>

#include "src/message.h"
#include "src/options/options.h"

/* Does what "profrun report" does.  Returns 0, PRF_EXIT_UNREADABLE if the file
 * could not be read, PRF_EXIT_FAILED for all else. */
int prf_cmd_report(const struct prf_options *options,
		   const struct prf_messages *messages);

/* Its words. */
extern const struct argp prf_report_parser;
/* The word with INDEX that a value called VALUE in its options can be, or
 * NULL. */
const char *prf_cmd_report_word(const char *value, size_t index);

#endif
