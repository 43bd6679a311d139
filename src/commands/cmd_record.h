/* cmd_record.h - run a program, profile it, write the profile. */
#ifndef PRF_SRC_COMMANDS_CMD_RECORD_H
#define PRF_SRC_COMMANDS_CMD_RECORD_H

#include "src/message.h"
#include "src/options/options.h"

/* Does what profrun without a command does.  Returns profrun's exit status;
 * does not return if the program died by a signal, but dies by the same. */
int prf_cmd_record(const struct prf_options *options,
		   const struct prf_messages *messages);

#endif
