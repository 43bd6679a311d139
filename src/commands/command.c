#include "src/commands/command.h"

#include <string.h>

#include "src/commands/cmd_annotate.h"
#include "src/commands/cmd_check.h"
#include "src/commands/cmd_diff.h"
#include "src/commands/cmd_dump.h"
#include "src/commands/cmd_export.h"
#include "src/commands/cmd_merge.h"
#include "src/commands/cmd_record.h"
#include "src/commands/cmd_report.h"
#include "src/commands/cmd_top.h"
#include "src/options/option_values.h"

static const struct prf_command commands[] = {
	{"annotate",
	 "Print the source and instructions of a function with its time",
	 prf_cmd_annotate, &prf_annotate_parser, NULL},
	{"check", "Say what this machine allows, and what would help",
	 prf_cmd_check, &prf_check_parser, NULL},
	{"diff", "Say what has become slower or faster from OLD to NEW",
	 prf_cmd_diff, &prf_diff_parser, prf_cmd_diff_word},
	{"dump",
	 "Print what the threads of a process do now, with their stacks",
	 prf_cmd_dump, &prf_dump_parser, NULL},
	{"export", "Write a trace or another profile in another format",
	 prf_cmd_export, &prf_export_parser, prf_cmd_export_word},
	{"merge", "Add up the profiles of several processes, runs or programs",
	 prf_cmd_merge, &prf_merge_parser, NULL},
	{PRF_OPTIONS_RECORD,
	 "Run a program and profile it, as without a command", prf_cmd_record,
	 &prf_options_parser, prf_option_values_word},
	{"report", "Print where the time went, from the newest profile or FILE",
	 prf_cmd_report, &prf_report_parser, prf_cmd_report_word},
	{PRF_OPTIONS_TOP, "Show where the time goes, live", prf_cmd_top,
	 &prf_options_parser, prf_option_values_word},
	/* What every other word means. */
	{NULL, NULL, prf_cmd_record, &prf_options_parser,
	 prf_option_values_word},
};

const struct prf_command *
prf_commands(void)
{
	return commands;
}

const struct prf_command *
prf_command_of(const struct prf_options *options)
{
	const struct prf_command *command = commands;
	const char *word = options->is_top ? PRF_OPTIONS_TOP
			   : options->program && !options->no_command
				   ? options->program[0]
				   : NULL;

	while (command->name && (!word || strcmp(command->name, word) != 0))
		command++;
	return command;
}

void
prf_command_print_help(FILE *out)
{
	fputs("\nCommands, in place of PROGRAM (a program of that name is "
	      "reached by --; each\nhas its own --help):\n",
	      out);
	for (const struct prf_command *command = commands; command->name;
	     command++)
		fprintf(out, "  %-10s %s\n", command->name, command->summary);
}
