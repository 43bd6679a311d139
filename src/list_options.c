/* list_options - prints every command and option as a table, from which
 * data/completions.awk makes what the shells complete.  A line is one of
 *
 *	command	NAME	SUMMARY
 *	operand	COMMAND	KIND
 *	option	COMMAND	-L	--long	KIND	WORDS	TEXT
 *
 * with a tab between.  COMMAND is "" for a run.  Where there is no letter, no
 * value or no words there is a "-".  KIND is what stands there: "words" (one of
 * WORDS), "attached" (the same, but never in a word of its own, and it can be
 * left out), "list" (several, with commas), "files", "directories", "pids" (with
 * commas), "programs" (and then its arguments), or "any" (WORDS are examples). */
#include <stdio.h>
#include <string.h>

#include "src/commands/command.h"

/* Values that are no choice of words, by what the tables call them.  Of others
 * nothing is known. */
static const struct value {
	const char *name, *kind, *words;
} values[] = {
	{"[FILE]", "files", "-"},
	{"[TRACE]", "files", "-"},
	{"FUNCTION|FILE [PROFILE]", "files", "-"},
	{"OLD NEW", "files", "-"},
	{"PID...", "pids", "-"},
	{"DIR", "directories", "-"},
	{"FILE", "files", "-"},
	{"FILE...", "files", "-"},
	{"HZ", "any", "100 250 1000"},
	{"OUT", "files", "-"},
	{"PATTERN", "files", "-"},
	{"PID[,PID]", "pids", "-"},
	{"PROGRAM [ARG...]", "programs", "-"},
	{"SIG", "any", "USR1 USR2"},
	{"SIZE", "any", "100M 1G"},
	{"TIME", "any", "1ms 10ms 1s"},
	{"TRACE", "files", "-"},
};

static const struct value *
value_of(const char *name)
{
	static const struct value any = {"", "any", "-"};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (strcmp(values[i].name, name) == 0)
			return &values[i];
	return &any;
}

/* KIND and WORDS. */
static void
print_value(const struct prf_command *command, const struct argp_option *option)
{
	const char *name = option->arg;
	const struct value *value = value_of(name);
	const char *word = command->word ? command->word(name, 0) : NULL;
	const char *kind = option->flags & OPTION_ARG_OPTIONAL ? "attached"
			   : strcmp(name, "LIST") == 0         ? "list"
							       : "words";

	if (!word) {
		printf("\t%s\t%s", value->kind, value->words);
		return;
	}
	printf("\t%s\t%s", kind, word);
	for (size_t i = 1; (word = command->word(name, i)); i++)
		printf(" %s", word);
}

/* The begin of TEXT, up to where it goes into detail. */
static void
print_begin(const char *text)
{
	size_t n = strcspn(text, ":;");
	const char *bracket = strstr(text, " (");

	if (bracket && (size_t)(bracket - text) < n)
		n = (size_t)(bracket - text);
	printf("\t%.*s\n", (int)n, text);
}

static void
print_option(const struct prf_command *command,
	     const struct argp_option *option)
{
	printf("option\t%s", command->name ? command->name : "");
	if (option->key < 0x80)
		printf("\t-%c", option->key);
	else
		printf("\t-");
	printf("\t--%s", option->name);
	if (option->arg)
		print_value(command, option);
	else
		printf("\t-\t-");
	print_begin(option->doc);
}

/* The first of what may stand behind the options. */
static void
print_operand(const struct prf_command *command)
{
	const char *all = command->parser->args_doc;
	char first[32];

	if (!all)
		return;
	snprintf(first, sizeof first, "%.*s", (int)strcspn(all, "\n"), all);
	printf("operand\t%s\t%s\n", command->name, value_of(first)->kind);
}

static void
print_command(const struct prf_command *command)
{
	if (command->name)
		printf("command\t%s\t%s\n", command->name, command->summary);
	if (command->name)
		print_operand(command);
	for (const struct argp_option *option = command->parser->options;
	     option->name || option->doc; option++)
		if (option->name)
			print_option(command, option);
}

int
main(void)
{
	const struct prf_command *command = prf_commands();

	for (; command->name; command++)
		print_command(command);
	print_command(command);
	return fflush(stdout) || ferror(stdout);
}
