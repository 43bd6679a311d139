/* command.h - the words that are no programs: "profrun check".
 *
 * A program of such a name is reached by a slash, or behind "--". */
#ifndef PRF_SRC_COMMANDS_COMMAND_H
#define PRF_SRC_COMMANDS_COMMAND_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "src/message.h"
#include "src/options/options.h"

struct prf_command {
	const char *name;
	const char *summary; /* a line for --help */
	/* Returns profrun's exit status.  The command's own words are
	 * OPTIONS->program, its name the first. */
	int (*run)(const struct prf_options *options,
		   const struct prf_messages *messages);
	const struct argp *parser; /* of its words */
	/* The word with INDEX that a value called VALUE in PARSER's options can
	 * be, or NULL; it may itself be NULL. */
	const char *(*word)(const char *value, size_t index);
	/* Perhaps a thousand: what one was read into is used for the next,
	 * since new memory costs more than reading. */
	bool reads_files_in_turn;
};

/* All of them; the last, which has no name, records a program. */
const struct prf_command *prf_commands(void);

/* What is to be done: the command that is named, or to record a program. */
const struct prf_command *prf_command_of(const struct prf_options *options);

/* All that have a name, for --help. */
void prf_command_print_help(FILE *out);

#endif
