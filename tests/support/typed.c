/* typed - a terminal, and somebody at its keyboard.
 *
 *	typed PROGRAM [ARG...]
 *
 * Runs PROGRAM as the leader of a session on a terminal of its own, and copies to
 * stdout what it writes there.  When a line of that is "type WORD" the word is
 * typed, followed by a newline; ^C, ^Z and ^\ are those keys.  After the line
 * "hang up" the terminal is taken away; after "fall silent" it is there still, and
 * takes no more than it has room for.  Ends as PROGRAM
 * does; with 99 after 60 s, and PROGRAM killed; with 77 if there is no terminal to
 * be had. */
#include <errno.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 60, LINE = 4096 };

static void
type(int terminal, const char *word)
{
	char keys[LINE];
	int n;

	if (word[0] == '^' && word[1] && !word[2])
		n = snprintf(keys, sizeof keys, "%c", word[1] & 0x1f);
	else
		n = snprintf(keys, sizeof keys, "%s\n", word);
	if (write(terminal, keys, (size_t)n) != n)
		perror("typed");
}

/* False: nothing is read from the terminal any more. */
static bool
obey(int terminal, char *line)
{
	static const char order[] = "type ";

	line[strcspn(line, "\r")] = '\0';
	if (!strncmp(line, order, sizeof order - 1))
		type(terminal, line + sizeof order - 1);
	if (!strcmp(line, "hang up"))
		close(terminal);
	return strcmp(line, "hang up") && strcmp(line, "fall silent");
}

/* Until nobody writes there any more, or nothing is to be read.  A picture may be
 * drawn without an end of a line, so what was read is copied at once. */
static void
serve(int terminal)
{
	char line[LINE], byte;
	size_t used = 0;
	ssize_t n;

	while ((n = read(terminal, &byte, 1)) == 1 ||
	       (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		if (byte != '\r')
			putchar(byte);
		fflush(stdout);
		if (byte != '\n') {
			line[used] = byte;
			used += used + 1 < sizeof line;
			continue;
		}
		line[used] = '\0';
		used = 0;
		if (!obey(terminal, line))
			return;
	}
}

static pid_t program;

static void
give_up(int number)
{
	(void)number;
	kill(-program, SIGKILL);
	_exit(99);
}

int
main(int argc, char **argv)
{
	int terminal, status;

	if (argc < 2)
		return 2;
	program = forkpty(&terminal, NULL, NULL, NULL);
	if (program < 0)
		return 77;
	if (program == 0) {
		/* Whoever runs tests in the background, or by nohup(1), ignores
		 * these. */
		signal(SIGHUP, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	signal(SIGALRM, give_up);
	alarm(PATIENCE_S);
	serve(terminal);
	while (waitpid(program, &status, 0) < 0)
		if (errno != EINTR)
			return 99;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
