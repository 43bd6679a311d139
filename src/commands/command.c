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
	{
		.name = "annotate",
		.summary = "Print the source and instructions of a function "
			   "with its time",
		.run = prf_cmd_annotate,
		.parser = &prf_annotate_parser,
	},
	{
		.name = "check",
		.summary = "Say what this machine allows, and what would help",
		.run = prf_cmd_check,
		.parser = &prf_check_parser,
	},
	{
		.name = "diff",
		.summary =
			"Say what has become slower or faster from OLD to NEW",
		.run = prf_cmd_diff,
		.parser = &prf_diff_parser,
		.word = prf_cmd_diff_word,
	},
	{
		.name = "dump",
		.summary = "Print what the threads of a process do now, with "
			   "their stacks",
		.run = prf_cmd_dump,
		.parser = &prf_dump_parser,
	},
	{
		.name = "export",
		.summary = "Write a trace or another profile in another format",
		.run = prf_cmd_export,
		.parser = &prf_export_parser,
		.word = prf_cmd_export_word,
	},
	{
		.name = "merge",
		.summary = "Add up the profiles of several processes, runs or "
			   "programs",
		.run = prf_cmd_merge,
		.parser = &prf_merge_parser,
		.reads_files_in_turn = true,
	},
	{
		.name = PRF_OPTIONS_RECORD,
		.summary = "Run a program and profile it, as without a command",
		.run = prf_cmd_record,
		.parser = &prf_options_parser,
		.word = prf_option_values_word,
	},
	{
		.name = "report",
		.summary = "Print where the time went, from the newest profile "
			   "or FILE",
		.run = prf_cmd_report,
		.parser = &prf_report_parser,
		.word = prf_cmd_report_word,
	},
	{
		.name = PRF_OPTIONS_TOP,
		.summary = "Show where the time goes, live",
		.run = prf_cmd_top,
		.parser = &prf_options_parser,
		.word = prf_option_values_word,
	},
	/* What every other word means. */
	{
		.run = prf_cmd_record,
		.parser = &prf_options_parser,
		.word = prf_option_values_word,
	},
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
