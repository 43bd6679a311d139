#include "options.h"

#include <argp.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "option_fault.h"
#include "pattern.h"
#include "rate.h"

#define NS_PER_S UINT64_C(1000000000)
#define DEFAULT_OUTPUT "gmon.out"

/* Options without a letter. */
enum {
	KEY_SPLIT = 256,
	KEY_CLOCK,
	KEY_TRIGGER,
	KEY_HELP,
	KEY_USAGE,
};

#define GROUP(title, number)                                                   \
	{                                                                      \
		.doc = (title), .group = (number)                              \
	}
#define OPTION(long_name, letter, value, text)                                 \
	{                                                                      \
		.name = (long_name), .key = (letter), .arg = (value),          \
		.doc = (text)                                                  \
	}

/* Of this table, man/profrun.1 and the completions in data/ say the same. */
static const struct argp_option option_table[] = {
	GROUP("What a tick is:", 1),
	OPTION("frequency", 'F', "HZ",
	       "Ticks for each second that a thread computes, 1 to 10000 "
	       "(default: 100)"),
	OPTION("interval", 'i', "TIME",
	       "The same as a time, 100us to 1s: 10ms, 500us, 0.01s"),
	OPTION("clock", KEY_CLOCK, "CLOCK",
	       "What time counts: cpu is user and system time (default), user "
	       "is user time alone, wall is all of it, spent waiting too"),
	OPTION("wall", 'w', NULL, "The same as --clock=wall"),
	OPTION("trigger", KEY_TRIGGER, "TRIGGER",
	       "What makes a thread stop: timer, interrupt, or auto, which "
	       "chooses for each thread (default)"),
	GROUP("Output:", 2),
	OPTION("output", 'o', "PATTERN",
	       "File to write (default: gmon.out).  %p is the process id, %n "
	       "the program, %h the host, %r the MPI rank, %q{VAR} an "
	       "environment variable, %% a per cent sign"),
	OPTION("split", KEY_SPLIT, NULL,
	       "Write a gmon.out for each object (executable, library) instead "
	       "of one for the whole process"),
	OPTION("quiet", 'q', NULL, "Print nothing but errors"),
	OPTION("verbose", 'v', NULL, "Account for every tick in the summary"),
	GROUP("Information:", -1), /* where argp puts help and version */
	OPTION("help", KEY_HELP, NULL, "Print this help"),
	OPTION("usage", KEY_USAGE, NULL, "Print a short usage message"),
	OPTION("version", 'V', NULL, "Print the version"),
	{0},
};

struct choice {
	const char *name;
	int value;
};

static const struct choice clocks[] = {
	{"cpu", PRF_CLOCK_CPU},
	{"user", PRF_CLOCK_USER},
	{"wall", PRF_CLOCK_WALL},
	{NULL, 0},
};

/* Their names are what counts: lib/live knows its triggers by name. */
static const struct choice triggers[] = {
	{"auto", 0},
	{"timer", 0},
	{"interrupt", 0},
	{NULL, 0},
};

struct parser {
	struct prf_options *options;
	struct prf_error *err;
};

static int
parse_frequency(const char *arg, struct prf_options *options,
		struct prf_error *err)
{
	uint64_t rate_hz;

	if (prf_rate_parse_hz(arg, &rate_hz, NULL) < 0 ||
	    rate_hz < PRF_RATE_MIN_HZ || rate_hz > PRF_RATE_MAX_HZ)
		return prf_error_set(err, -EINVAL,
				     "-F %s: not a rate; give a whole number "
				     "of Hz, %d to %d",
				     arg, PRF_RATE_MIN_HZ, PRF_RATE_MAX_HZ);
	options->rate_hz = (uint32_t)rate_hz;
	options->rounded_from = NULL;
	return 0;
}

/* The rate is what gmon.out holds, in whole Hz: the nearest one is taken. */
static int
parse_interval(const char *arg, struct prf_options *options,
	       struct prf_error *err)
{
	struct prf_error why;
	uint64_t period_ns;

	if (prf_rate_parse_time(arg, &period_ns, &why) < 0)
		return prf_error_set(err, -EINVAL,
				     "-i %s: %s; give it as 10ms, 500us or "
				     "0.01s (a rate in Hz goes with -F)",
				     arg, why.text);
	if (period_ns < NS_PER_S / PRF_RATE_MAX_HZ ||
	    period_ns > NS_PER_S / PRF_RATE_MIN_HZ)
		return prf_error_set(err, -EINVAL,
				     "-i %s: out of range; give 100us to 1s",
				     arg);
	options->rate_hz = (uint32_t)((NS_PER_S + period_ns / 2) / period_ns);
	options->rounded_from =
		options->rate_hz * period_ns == NS_PER_S ? NULL : arg;
	return 0;
}

static int
parse_output(const char *arg, struct prf_options *options,
	     struct prf_error *err)
{
	struct prf_error why;

	if (prf_pattern_check(arg, &why) < 0)
		return prf_error_set(err, -EINVAL, "-o '%s': %s", arg,
				     why.text);
	options->output = arg;
	return 0;
}

/* The row of CHOICES that ARG names. */
static int
parse_choice(const char *option, const char *arg, const struct choice *choices,
	     const struct choice **chosen, struct prf_error *err)
{
	char names[64] = "";

	for (const struct choice *c = choices; c->name; c++) {
		if (strcmp(c->name, arg) == 0) {
			*chosen = c;
			return 0;
		}
		if (c != choices)
			strcat(names, c[1].name ? ", " : " or ");
		strcat(names, c->name);
	}
	return prf_error_set(err, -EINVAL, "--%s=%s: unknown; give %s", option,
			     arg, names);
}

static int
parse_clock(const char *arg, struct prf_options *options, struct prf_error *err)
{
	const struct choice *chosen;
	int rc = parse_choice("clock", arg, clocks, &chosen, err);

	if (rc == 0)
		options->clock = (enum prf_clock)chosen->value;
	return rc;
}

static int
parse_trigger(const char *arg, struct prf_options *options,
	      struct prf_error *err)
{
	const struct choice *chosen;
	int rc = parse_choice("trigger", arg, triggers, &chosen, err);

	if (rc == 0)
		options->trigger = chosen == triggers ? NULL : chosen->name;
	return rc;
}

/* What was asked for needs no program; the rest of the line is not read. */
static int
inform(enum prf_action action, struct prf_options *options,
       struct argp_state *state)
{
	options->action = action;
	state->next = state->argc;
	return 0;
}

static int
parse_program(struct prf_options *options, struct argp_state *state)
{
	options->program = state->argv + state->next;
	options->no_command = state->quoted > 0 && state->next >= state->quoted;
	return 0;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct parser *parser = state->input;
	struct prf_options *options = parser->options;
	struct prf_error *err = parser->err;

	switch (key) {
	case 'F':
		return -parse_frequency(arg, options, err);
	case 'i':
		return -parse_interval(arg, options, err);
	case 'o':
		return -parse_output(arg, options, err);
	case KEY_SPLIT:
		options->split = true;
		return 0;
	case KEY_CLOCK:
		return -parse_clock(arg, options, err);
	case 'w':
		options->clock = PRF_CLOCK_WALL;
		return 0;
	case KEY_TRIGGER:
		return -parse_trigger(arg, options, err);
	case 'q':
		options->verbosity = -1;
		return 0;
	case 'v':
		options->verbosity =
			options->verbosity < 0 ? 1 : options->verbosity + 1;
		return 0;
	case KEY_HELP:
		return inform(PRF_ACTION_HELP, options, state);
	case KEY_USAGE:
		return inform(PRF_ACTION_USAGE, options, state);
	case 'V':
		return inform(PRF_ACTION_VERSION, options, state);
	case ARGP_KEY_ARGS:
		return parse_program(options, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser_of_options = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "PROGRAM [ARG...]",
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

int
prf_options_parse(int argc, char **argv, struct prf_options *options,
		  struct prf_error *err)
{
	struct prf_error why = {0};
	struct parser parser = {.options = options, .err = &why};

	*options = (struct prf_options){
		.rate_hz = default_rate_hz(),
		.output = DEFAULT_OUTPUT,
	};
	/* argp's own complaints are two lines and another exit status. */
	error_t rc = argp_parse(&parser_of_options, argc, argv,
				ARGP_IN_ORDER | ARGP_NO_ERRS | ARGP_NO_HELP |
					ARGP_NO_EXIT,
				NULL, &parser);
	if (why.code)
		return prf_error_set(err, why.code, "%s", why.text);
	if (rc)
		return prf_option_fault(option_table, argc, argv, err);
	if (options->action == PRF_ACTION_RUN && !options->program)
		return prf_error_set(err, -EINVAL,
				     "no program to run; use profrun "
				     "[OPTION...] PROGRAM [ARG...], or --help");
	return 0;
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
