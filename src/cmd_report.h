/* cmd_report.h - the flat table of a trace or a gmon.out. */
#ifndef PRF_SRC_CMD_REPORT_H
#define PRF_SRC_CMD_REPORT_H

#include "message.h"
#include "options.h"

/* Does what "profrun report" does.  Returns 0, PRF_EXIT_UNREADABLE if the file
 * could not be read, PRF_EXIT_FAILED for all else. */
int prf_cmd_report(const struct prf_options *options,
		   const struct prf_messages *messages);

#endif
