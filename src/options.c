#include "options.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "option_fault.h"
#include "pattern.h"
#include "rate.h"
#include "signals.h"

#define NS_PER_S UINT64_C(1000000000)

/* Options without a letter. */
enum {
	KEY_SPLIT = 256,
	KEY_SAMPLES,
	KEY_INHERIT_COUNTS,
	KEY_CLOCK,
	KEY_TRIGGER,
	KEY_FOLLOW,
	KEY_TOGGLE_SIGNAL,
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
	       "What makes a thread stop: timer, perf, interrupt, or auto, "
	       "which chooses for each thread (default)"),
	GROUP("What to look at, and when:", 2),
	OPTION("pid", 'p', "PID[,PID]",
	       "Look at processes that run already, and leave them running"),
	OPTION("follow", KEY_FOLLOW, "WHICH",
	       "Descendants too: all (default); exec: this process alone, also "
	       "when it becomes another program; none: not even then"),
	OPTION("duration", 'd', "SECONDS", "Stop looking after that time"),
	OPTION("delay", 'D', "MS", "Begin to count after that time"),
	OPTION("toggle-signal", KEY_TOGGLE_SIGNAL, "SIG",
	       "Stop counting at the first such signal that profrun gets, go "
	       "on at the next"),
	GROUP("Output:", 3),
	OPTION("format", 'f', "LIST",
	       "What to write: gmon (gmon.out, default), pcsample (a trace of "
	       "all samples), raw (bare program counters); several with commas "
	       "between"),
	OPTION("samples", KEY_SAMPLES, "N",
	       "Store no more than N samples in the raw format"),
	OPTION("output", 'o', "PATTERN",
	       "File to write (default: gmon.out, of an MPI rank gmon.out.%r; "
	       "profrun.trace or pcsamples.raw, by the format); other "
	       "processes of the run "
	       "add theirs beside it.  %p is the process id, %t the thread id "
	       "(then each thread has a file), %n the program, %h the host, %r "
	       "the MPI rank, %q{VAR} an environment variable, %% a per cent "
	       "sign"),
	OPTION("split", KEY_SPLIT, NULL,
	       "Write a gmon.out for each object (executable, library) instead "
	       "of one for the whole process"),
	OPTION("inherit-counts", KEY_INHERIT_COUNTS, NULL,
	       "Let the counts of a forked process begin with its parent's, as "
	       "profil(2) documents it"),
	OPTION("threads", 't', NULL, "Show the threads in the summary"),
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
	{"auto", 0}, {"timer", 0}, {"perf", 0}, {"interrupt", 0}, {NULL, 0},
};

static const struct choice follows[] = {
	{"all", PRF_FOLLOW_ALL},
	{"exec", PRF_FOLLOW_EXEC},
	{"none", PRF_FOLLOW_NONE},
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
	options->output = options->output_given = arg;
	options->each_thread = prf_pattern_has(arg, 't');
	return 0;
}

static int
parse_samples(const char *arg, struct prf_options *options,
	      struct prf_error *err)
{
	uint64_t n;

	if (prf_rate_parse_hz(arg, &n, NULL) || n > INT64_MAX)
		return prf_error_set(err, -EINVAL,
				     "--samples=%s: not a number of samples",
				     arg);
	options->max_samples = (int64_t)n;
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

static int
parse_follow(const char *arg, struct prf_options *options,
	     struct prf_error *err)
{
	const struct choice *chosen;
	int rc = parse_choice("follow", arg, follows, &chosen, err);

	if (rc == 0)
		options->follow = (enum prf_follow)chosen->value;
	return rc;
}

/* One number and what stands behind it; 0: there is none. */
static pid_t
parse_pid(const char *text, const char **end)
{
	char *stop;

	errno = 0;
	long pid = strtol(text, &stop, 10);
	*end = stop;
	if (*text < '0' || *text > '9' || errno || pid > INT_MAX)
		return 0;
	return (pid_t)pid;
}

static int
parse_pids(const char *arg, struct prf_options *options, struct prf_error *err)
{
	const char *at = arg, *end;

	for (;; at = end + 1) {
		pid_t pid = parse_pid(at, &end);

		if (!pid || (*end && *end != ','))
			return prf_error_set(
				err, -EINVAL,
				"-p %s: not a process id; give one "
				"or several, with commas between",
				arg);
		if (options->n_pids == PRF_MAX_PIDS)
			return prf_error_set(err, -EINVAL,
					     "-p: more than %d processes",
					     PRF_MAX_PIDS);
		options->pids[options->n_pids++] = pid;
		if (!*end)
			break;
	}
	options->action = PRF_ACTION_ATTACH;
	return 0;
}

/* A number of units with perhaps a fraction: "2.5". */
static int
parse_time_in(const char *arg, const char *unit, uint64_t *time_ns)
{
	char text[64];

	if (!*arg || strspn(arg, "0123456789.") != strlen(arg) ||
	    (size_t)snprintf(text, sizeof text, "%s%s", arg, unit) >=
		    sizeof text)
		return -EINVAL;
	return prf_rate_parse_time(text, time_ns, NULL);
}

static int
parse_duration(const char *arg, struct prf_options *options,
	       struct prf_error *err)
{
	if (parse_time_in(arg, "s", &options->duration_ns) ||
	    !options->duration_ns)
		return prf_error_set(err, -EINVAL,
				     "-d %s: not a time; give seconds, more "
				     "than 0 and up to a day",
				     arg);
	return 0;
}

static int
parse_delay(const char *arg, struct prf_options *options, struct prf_error *err)
{
	if (parse_time_in(arg, "ms", &options->delay_ns))
		return prf_error_set(err, -EINVAL,
				     "-D %s: not a time; give milliseconds, up "
				     "to a day",
				     arg);
	return 0;
}

static int
parse_toggle_signal(const char *arg, struct prf_options *options,
		    struct prf_error *err)
{
	int signal = prf_signal_number(arg);

	if (signal <= 0)
		return prf_error_set(err, -EINVAL,
				     "--toggle-signal=%s: unknown; give a name "
				     "or a number, such as USR2",
				     arg);
	if (!prf_signal_can_be_had(signal))
		return prf_error_set(err, -EINVAL,
				     "--toggle-signal=%s: profrun needs it "
				     "itself, or nobody can have it; give "
				     "another, such as USR2",
				     arg);
	options->toggle_signal = signal;
	return 0;
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
	case 'f':
		return -prf_formats_parse(arg, &options->formats, err);
	case KEY_SAMPLES:
		return -parse_samples(arg, options, err);
	case KEY_SPLIT:
		options->split = true;
		return 0;
	case KEY_INHERIT_COUNTS:
		options->inherit_counts = true;
		return 0;
	case 't':
		options->threads = true;
		return 0;
	case KEY_CLOCK:
		return -parse_clock(arg, options, err);
	case 'w':
		options->clock = PRF_CLOCK_WALL;
		return 0;
	case KEY_TRIGGER:
		return -parse_trigger(arg, options, err);
	case 'p':
		return -parse_pids(arg, options, err);
	case KEY_FOLLOW:
		return -parse_follow(arg, options, err);
	case 'd':
		return -parse_duration(arg, options, err);
	case 'D':
		return -parse_delay(arg, options, err);
	case KEY_TOGGLE_SIGNAL:
		return -parse_toggle_signal(arg, options, err);
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

	if (options->action != PRF_ACTION_RUN && !attaches)
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
		return prf_option_fault(option_table, argc, argv, err);
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
