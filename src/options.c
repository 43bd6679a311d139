#include "options.h"

#include <argp.h>
#include <errno.h>
#include <unistd.h>

#include "format.h"
#include "option_fault.h"
#include "option_table.h"
#include "option_values.h"

struct parser {
	struct prf_options *options;
	struct prf_error *err;
};

static void
take_program(struct prf_options *options, const struct argp_state *state)
{
	options->program = state->argv + state->next;
	options->no_command = state->quoted > 0 && state->next >= state->quoted;
}

static bool
needs_program(enum prf_action action)
{
	return action == PRF_ACTION_RUN || action == PRF_ACTION_ATTACH;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	const struct parser *parser = state->input;

	if (key == ARGP_KEY_ARGS) {
		take_program(parser->options, state);
		return 0;
	}
	int rc = prf_option_values_take(key, arg, parser->options, parser->err);
	if (rc == -ENOENT)
		return ARGP_ERR_UNKNOWN;
	/* Who asks for help is helped; the rest of the line is not read. */
	if (!needs_program(parser->options->action))
		state->next = state->argc;
	return -rc;
}

static const struct argp parser_of_options = {
	.options = prf_option_table,
	.parser = parse_option,
	.args_doc = "PROGRAM [ARG...]\n-p PID[,PID...]",
	.doc = "Run PROGRAM as it is and tell where its time went: a summary "
	       "on stderr, and gmon.out for gprof(1).\v"
	       "Options end at the first word that is none, or at --.  The "
	       "exit status is PROGRAM's; 125 if profrun failed, 126 if "
	       "PROGRAM cannot run, 127 if there is no PROGRAM.",
};

static uint32_t
default_rate_hz(void)
{
	long rate_hz = sysconf(_SC_CLK_TCK);

	if (rate_hz < PRF_RATE_MIN_HZ || rate_hz > PRF_RATE_MAX_HZ)
		return 100;
	return (uint32_t)rate_hz;
}

/* What no single option shows. */
static int
check_together(const struct prf_options *options, struct prf_error *err)
{
	bool attaches = options->action == PRF_ACTION_ATTACH;

	if (!needs_program(options->action))
		return 0;
	if (options->split && !(options->formats & PRF_FORMAT_GMON))
		return prf_error_set(err, -EINVAL,
				     "--split: is about gmon.out; add gmon to "
				     "-f");
	if (options->inherit_counts && options->each_thread)
		return prf_error_set(err, -EINVAL,
				     "--inherit-counts: a thread inherits "
				     "nothing; leave %%t out of -o");
	if (attaches && options->program)
		return prf_error_set(err, -EINVAL,
				     "-p and a program to run exclude each "
				     "other; give one of them");
	if (!attaches && !options->program)
		return prf_error_set(err, -EINVAL,
				     "no program to run; use profrun "
				     "[OPTION...] PROGRAM [ARG...], or --help");
	return 0;
}

int
prf_options_parse(int argc, char **argv, struct prf_options *options,
		  struct prf_error *err)
{
	struct prf_error why = {0};
	struct parser parser = {.options = options, .err = &why};

	*options = (struct prf_options){
		.rate_hz = default_rate_hz(),
		.formats = PRF_FORMAT_GMON,
		.max_samples = INT64_MAX,
	};
	/* argp's own complaints are two lines and another exit status. */
	error_t rc = argp_parse(&parser_of_options, argc, argv,
				ARGP_IN_ORDER | ARGP_NO_ERRS | ARGP_NO_HELP |
					ARGP_NO_EXIT,
				NULL, &parser);
	if (why.code)
		return prf_error_set(err, why.code, "%s", why.text);
	if (rc)
		return prf_option_fault(prf_option_table, argc, argv, err);
	options->output =
		prf_formats_pattern(options->formats, options->output_given);
	return check_together(options, err);
}

static void
print(FILE *out, unsigned what)
{
	char name[] = "profrun";

	argp_help(&parser_of_options, out, what, name);
}

uint64_t
prf_options_period_ns(const struct prf_options *options)
{
	return (UINT64_C(1000000000) + options->rate_hz / 2) / options->rate_hz;
}

void
prf_options_print_help(FILE *out)
{
	print(out, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC);
}

void
prf_options_print_usage(FILE *out)
{
	print(out, ARGP_HELP_USAGE);
}
