/* In the place of cmd_record.c while lib/live cannot run a program. */
#include "cmd_record.h"

#include "exit_status.h"

int
prf_cmd_record(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	prf_message_error(messages,
			  "%s: this build of profrun cannot run programs",
			  options->program[0]);
	return PRF_EXIT_FAILED;
}
