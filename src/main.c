/* profrun - runs a program and tells where its time went. */
#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include "live/life/launch.h"
#include "src/commands/command.h"
#include "src/exit_status.h"
#include "src/message.h"
#include "src/options/options.h"

/* An output file must not get the number of a standard stream that is closed.
 * What is written to a closed standard output fails, as it has to.  The program
 * still finds closed what was closed. */
static void
hold_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			 (fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) |
				 O_CLOEXEC) != fd)
			return; /* no more can be had */
}

static void
print_version(FILE *out)
{
	fputs(PACKAGE_STRING "\n"
			     "License GPL-3.0-or-later: GNU GPL version 3 or "
			     "later <https://gnu.org/licenses/gpl.html>\n"
			     "This is free software: you may change and "
			     "redistribute it.  There is NO WARRANTY.\n",
	      out);
}

static int
inform(const struct prf_options *options, const struct prf_messages *messages)
{
	if (options->action == PRF_ACTION_HELP) {
		prf_options_print_help(options, stdout);
		if (!options->is_top)
			prf_command_print_help(stdout);
		fputs("\nReport bugs to " PRF_BUGURL ".\n", stdout);
	} else if (options->action == PRF_ACTION_USAGE) {
		prf_options_print_usage(options, stdout);
	} else {
		print_version(stdout);
	}
	if (fflush(stdout) == 0 && !ferror(stdout))
		return PRF_EXIT_OK;
	prf_message_error(messages, "standard output: %m");
	return PRF_EXIT_FAILED;
}

/* When they are freed, also when others that were larger were freed before. */
static void
give_back_large_tables(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int
main(int argc, char **argv)
{
	struct prf_messages messages = prf_messages_to_stderr();
	struct prf_options options;
	struct prf_error err;

	hold_standard_fds();
	/* Which characters names may have; numbers and messages are as ever. */
	setlocale(LC_CTYPE, "");
	if (prf_options_parse(argc, argv, &options, &err) < 0) {
		if (err.text[0])
			prf_message_error(&messages, "%s", err.text);
		return PRF_EXIT_FAILED;
	}
	messages.verbosity = options.verbosity;
	options.ignores_setxid = prf_launch_ignores_setxid();
	if (options.action != PRF_ACTION_RUN &&
	    options.action != PRF_ACTION_ATTACH)
		return inform(&options, &messages);
	const struct prf_command *command = prf_command_of(&options);
	if (options.tells_run && command->parser != &prf_options_parser) {
		prf_message_error(
			&messages,
			"%s: options of a run stand before it; put "
			"its own behind it (or, if a program has that "
			"name, -- before it)",
			command->name);
		return PRF_EXIT_FAILED;
	}
	if (!command->reads_files_in_turn)
		give_back_large_tables();
	return command->run(&options, &messages);
}
