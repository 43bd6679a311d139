#include "command.h"

#include <string.h>

#include "cmd_check.h"
#include "cmd_export.h"
#include "cmd_merge.h"
#include "cmd_record.h"
#include "cmd_report.h"

static const struct prf_command commands[] = {
	{"check", "Tell what this machine allows, and what would help",
	 prf_cmd_check},
	{"export", "Write a recorded trace in another format", prf_cmd_export},
	{"merge", "Add the profiles of several processes, such as MPI ranks",
	 prf_cmd_merge},
	{"report", "Print where the time of a trace or a gmon.out went",
	 prf_cmd_report},
	{NULL, NULL, prf_cmd_record}, /* what every other word means */
};

const struct prf_command *
prf_command_of(const struct prf_options *options)
{
	const struct prf_command *command = commands;

	while (command->name &&
	       (!options->program || options->no_command ||
		strcmp(command->name, options->program[0]) != 0))
		command++;
	return command;
}

void
prf_command_print_help(FILE *out)
{
	fputs("\nCommands, in place of PROGRAM (a program of that name is "
	      "reached by --):\n",
	      out);
	for (const struct prf_command *command = commands; command->name;
	     command++)
		fprintf(out, "  %-10s %s\n", command->name, command->summary);
}
