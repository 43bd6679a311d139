#include "src/options/options.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/options/format.h"
#include "src/options/option_parse.h"
#include "src/options/option_table.h"
#include "src/options/option_values.h"
#include "src/options/pattern.h"

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
	parser->options->tells_run |= key != 'q' && key != 'v';
	/* After a request for help the rest of the line is not read. */
	if (!needs_program(parser->options->action))
		state->next = state->argc;
	return -rc;
}

/* The formats are those of their table. */
static char *
fill_in(int key, const char *text, void *input)
{
	(void)input;
	return key == 'f' ? prf_formats_describe() : (char *)text;
}

const struct argp prf_options_parser = {
	.options = prf_option_table,
	.parser = parse_option,
	.help_filter = fill_in,
	.args_doc = "PROGRAM [ARG...]\n-p PID[,PID...]",
	.doc = "Run PROGRAM as it is and tell where its time went: a summary "
	       "on stderr, and gmon.out for gprof(1).\vOptions end at the "
	       "first word that is not an option, or at --.  The exit status "
	       "is PROGRAM's; it is 125 if profrun failed, 126 if PROGRAM "
	       "cannot be run, and 127 if there is no PROGRAM.",
};

static uint32_t
default_rate_hz(void)
{
	long rate_hz = sysconf(_SC_CLK_TCK);

	if (rate_hz < PRF_RATE_MIN_HZ || rate_hz > PRF_RATE_MAX_HZ)
		return 100;
	return (uint32_t)rate_hz;
}

static int
check_intervals(const struct prf_options *options, struct prf_error *err)
{
	bool has_number = prf_pattern_has(options->output, 'i');

	if (!options->every_ns)
		return !has_number
			       ? 0
			       : prf_error_set(err, -EINVAL,
					       "-o '%s': %%i numbers the files "
					       "of --every; give that, too",
					       options->output);
	if (options->formats & (PRF_FORMAT_PCSAMPLE | PRF_FORMAT_RAW))
		return prf_error_set(err, -EINVAL,
				     "--every: a trace and raw samples are one "
				     "file of the whole run; give -f another "
				     "format, such as pprof");
	if (!has_number)
		return prf_error_set(err, -EINVAL,
				     "--every: each interval has a file; put "
				     "%%i, its number, into -o");
	if (options->split || options->inherit_counts)
		return prf_error_set(err, -EINVAL,
				     "--every: goes neither with --split nor "
				     "with --inherit-counts; leave out one of "
				     "them");
	return 0;
}

static int
check_kernel(const struct prf_options *options, struct prf_error *err)
{
	if (!options->kernel)
		return 0;
	if (options->clock == PRF_CLOCK_USER)
		return prf_error_set(err, -EINVAL,
				     "--kernel: user time has none of the "
				     "kernel's; leave out --clock=user");
	if (options->split)
		return prf_error_set(err, -EINVAL,
				     "--kernel: --split has the kernel's time "
				     "where it was called; leave out one of "
				     "them");
	if (options->trigger && strcmp(options->trigger, "ring") != 0)
		return prf_error_set(err, -EINVAL,
				     "--kernel: a thread that is stopped is "
				     "not in the kernel any more; leave out "
				     "--trigger=%s",
				     options->trigger);
	return 0;
}

/* Refuses what no single option shows to be wrong. */
static int
check_together(const struct prf_options *options, struct prf_error *err)
{
	bool attaches = options->action == PRF_ACTION_ATTACH;

	if (!needs_program(options->action))
		return 0;
	if (options->split && !(options->formats & PRF_FORMAT_GMON))
		return prf_error_set(
			err, -EINVAL,
			"--split: concerns gmon.out alone; add gmon to -f");
	if (options->all_symbols && !(options->formats & PRF_FORMAT_GMON))
		return prf_error_set(err, -EINVAL,
				     "--all-symbols: concerns gmon.out alone; "
				     "add gmon to -f");
	if (options->max_samples != PRF_MAX_SAMPLES &&
	    !(options->formats & PRF_FORMAT_RAW))
		return prf_error_set(
			err, -EINVAL,
			"--samples: concerns the raw format alone; add raw to "
			"-f (a trace has --max-size)");
	if (options->max_trace_bytes &&
	    !(options->formats & PRF_FORMAT_PCSAMPLE))
		return prf_error_set(err, -EINVAL,
				     "--max-size: concerns traces alone; add "
				     "pcsample to -f");
	if (options->summary_file && options->verbosity < 0)
		return prf_error_set(err, -EINVAL,
				     "--summary-file: with -q there is no "
				     "summary; leave out one of them");
	if (options->inherit_counts && prf_pattern_has(options->output, 't'))
		return prf_error_set(err, -EINVAL,
				     "--inherit-counts: a thread inherits "
				     "nothing; leave %%t out of -o");
	if (options->inherit_counts && !prf_pattern_has(options->output, 'p'))
		return prf_error_set(err, -EINVAL,
				     "--inherit-counts: needs a file for each "
				     "process; put %%p into -o");
	if (check_intervals(options, err) || check_kernel(options, err))
		return err->code;
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

static int
parse_words(int argc, char **argv, struct prf_options *options,
	    struct prf_error *err)
{
	struct prf_error why = {0};
	struct parser parser = {.options = options, .err = &why};
	error_t rc = prf_option_parse(&prf_options_parser, "profrun", argc,
				      argv, ARGP_IN_ORDER, &parser);

	if (why.code)
		return prf_error_set(err, why.code, "%s", why.text);
	if (rc == ENOMEM)
		return prf_error_set(err, -ENOMEM, "out of memory");
	return rc ? prf_error_set(err, -EINVAL, "%s", "") : 0;
}

/* "record" is the name of what is done without a command: options follow it,
 * and then a program.  So they do "top", which wants stacks unless it is told
 * otherwise. */
static int
parse_record(int argc, char **argv, struct prf_options *options,
	     struct prf_error *err)
{
	char **words = options->program;

	if (!words || options->no_command)
		return 0;
	options->is_top = strcmp(words[0], PRF_OPTIONS_TOP) == 0;
	if (!options->is_top && strcmp(words[0], PRF_OPTIONS_RECORD) != 0)
		return 0;
	options->program = NULL;
	int rc = parse_words((int)(argv + argc - words), words, options, err);
	options->no_command = true;
	if (options->is_top && !options->stacks_told)
		options->call_graph = true;
	return rc;
}

/* Is there a place for another file beside the output?  One of each process
 * would be many, and beside a device there is none. */
static bool
names_one_file(const struct prf_options *options)
{
	const char *name = options->output_given;
	struct stat st;

	return !name ||
	       (!prf_pattern_has(name, 'p') && !prf_pattern_has(name, 't') &&
		(stat(name, &st) || S_ISREG(st.st_mode)));
}

int
prf_options_parse(int argc, char **argv, struct prf_options *options,
		  struct prf_error *err)
{
	*options = (struct prf_options){
		.rate_hz = default_rate_hz(),
		.max_samples = PRF_MAX_SAMPLES,
	};
	int rc = parse_words(argc, argv, options, err);
	if (!rc)
		rc = parse_record(argc, argv, options, err);
	if (rc)
		return rc;
	if (!options->formats)
		options->formats = prf_formats_usual(options->call_graph &&
						     names_one_file(options));
	options->output =
		prf_formats_pattern(options->formats, options->output_given);
	return check_together(options, err);
}

/* "top" has the options of a run and shows it. */
static void
print(const struct prf_options *options, FILE *out, unsigned what)
{
	char run[] = "profrun", top[] = "profrun " PRF_OPTIONS_TOP;
	struct argp parser = prf_options_parser;

	if (options->is_top)
		parser.doc =
			"Profile PROGRAM as profrun does without a command, "
			"and "
			"show meanwhile where its time goes.\vThe options are "
			"those of profrun; stacks are taken (-g), but with "
			"--call-graph=none.  h shows what keys do.";
	argp_help(&parser, out, what, options->is_top ? top : run);
}

uint64_t
prf_options_period_ns(const struct prf_options *options)
{
	return (UINT64_C(1000000000) + options->rate_hz / 2) / options->rate_hz;
}

void
prf_options_print_help(const struct prf_options *options, FILE *out)
{
	print(options, out,
	      ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC);
}

void
prf_options_print_usage(const struct prf_options *options, FILE *out)
{
	print(options, out, ARGP_HELP_USAGE);
}
