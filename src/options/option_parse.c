#include "src/options/option_parse.h"

#include <stddef.h>

/* argp adds a line, "Try --help", to each of getopt's, unless it has no stream
 * for it. */
static error_t
add_no_line(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->err_stream = NULL;
	state->child_inputs[0] = state->input;
	return 0;
}

error_t
prf_option_parse(const struct argp *parser, const char *name, int argc,
		 char **argv, unsigned flags, void *input)
{
	const struct argp_child children[] = {{.argp = parser}, {0}};
	const struct argp outer = {.parser = add_no_line, .children = children};
	char *invoked_as = argv[0];

	if (argc > 0)
		argv[0] = (char *)name; /* getopt only prints it */
	error_t rc =
		argp_parse(&outer, argc, argv,
			   flags | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, input);
	argv[0] = invoked_as;
	return rc;
}
