/* cmd_export.h - a trace to any other format. */
#ifndef PRF_SRC_CMD_EXPORT_H
#define PRF_SRC_CMD_EXPORT_H

#include "message.h"
#include "options.h"

/* Does what "profrun export" does.  Returns 0, PRF_EXIT_UNREADABLE if the trace
 * could not be read, PRF_EXIT_FAILED for all else. */
int prf_cmd_export(const struct prf_options *options,
		   const struct prf_messages *messages);

#endif
