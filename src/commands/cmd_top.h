/* cmd_top.h - where the time goes, live. */
#ifndef PRF_SRC_COMMANDS_CMD_TOP_H
#define PRF_SRC_COMMANDS_CMD_TOP_H

#include "src/message.h"
#include "src/options/options.h"

/* Does what "profrun top" does: the same as prf_cmd_record(), with a picture
 * while the run goes on. */
int prf_cmd_top(const struct prf_options *options,
		const struct prf_messages *messages);

#endif
