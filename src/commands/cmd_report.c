#include "src/commands/cmd_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/exit_status.h"
#include "src/output/outname.h"
#include "src/commands/profile_file.h"
#include "src/commands/reading.h"
#include "src/commands/recording.h"
#include "view/table/rows.h"

struct report {
	struct prf_reading reading; /* the first member */
	const char *path, *syms;
	enum prf_rows_by by;
	bool csv;
};

enum { KEY_CSV = 256 };

static const struct argp_option option_table[] = {
	PRF_OPTION("sort", 's', "KEY",
		   "What has a line: each function (default), binary, "
		   "program, process or thread"),
	PRF_OPTION("csv", KEY_CSV, NULL, "Print comma-separated values"),
	PRF_OPTION("syms", 'S', "FILE",
		   "The names for a gmon.out (default: the .syms beside it)"),
	PRF_READING_OPTIONS_SELECTION,
	PRF_READING_OPTIONS_END,
};

/* By what there is a line each, and what that is called. */
static const struct {
	const char *word;
	enum prf_rows_by by;
} keys[] = {
	[PRF_ROWS_BY_FUNCTION] = {"function", PRF_ROWS_BY_FUNCTION},
	[PRF_ROWS_BY_BINARY] = {"binary", PRF_ROWS_BY_BINARY},
	[PRF_ROWS_BY_PROGRAM] = {"program", PRF_ROWS_BY_PROGRAM},
	[PRF_ROWS_BY_PROCESS] = {"process", PRF_ROWS_BY_PROCESS},
	[PRF_ROWS_BY_THREAD] = {"thread", PRF_ROWS_BY_THREAD},
	{"object", PRF_ROWS_BY_BINARY}, /* as it was called before */
};

const char *
prf_cmd_report_word(const char *value, size_t index)
{
	return strcmp(value, "KEY") == 0 && index < PRF_N_ROWS_BY
		       ? keys[index].word
		       : NULL;
}

static error_t
parse_key(const char *arg, struct report *report)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(keys[i].word, arg) == 0) {
			report->by = keys[i].by;
			return 0;
		}
	return prf_reading_refuse(&report->reading,
				  "-s %s: unknown; give function, binary, "
				  "program, process or thread",
				  arg);
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct report *report = state->input;

	switch (key) {
	case 's':
		return parse_key(arg, report);
	case 'S':
		report->syms = arg;
		return 0;
	case KEY_CSV:
		report->csv = true;
		return 0;
	case ARGP_KEY_ARG:
		if (report->path)
			return prf_reading_refuse(
				&report->reading,
				"more than one file; give one");
		report->path = arg;
		return 0;
	default:
		return prf_reading_take(&report->reading, key, arg);
	}
}

const struct argp prf_report_parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "TRACE\nGMON.OUT",
	.doc = "Print where the time went, from a trace or a gmon.out.",
};

static int
fail(const struct report *report, int status, const struct prf_error *err)
{
	return prf_reading_fail(&report->reading, status, err);
}

static int
print(const struct report *report, struct prf_rows *rows, uint64_t period_ns)
{
	struct prf_error err;

	prf_rows_sort(rows);
	(report->csv ? prf_rows_print_csv : prf_rows_print)(rows, report->by,
							    period_ns, stdout);
	if (!fflush(stdout) && !ferror(stdout))
		return PRF_EXIT_OK;
	prf_error_set(&err, -EIO, "standard output: %m");
	return fail(report, PRF_EXIT_FAILED, &err);
}

/* --- Which of them */

/* Without its names a gmon.out would be one line. */
static int
read_gmon(const struct report *report, struct prf_profile_sum *sum,
	  struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	char *beside = prf_outname_symbols(report->path);

	if (!beside)
		return prf_error_set(err, -ENOMEM, "out of memory");
	return prf_profile_sum_add_gmon(
		sum, report->path, report->syms ? report->syms : beside, err);
}

static int
read_profile(const struct report *report, struct prf_profile_sum *sum,
	     struct prf_error *err)
{
	/* The first byte of a trace begins no gmon.out of ours. */
	if (!prf_input_begins(report->path, "g", 1))
		return prf_profile_sum_add_trace(sum, report->path,
						 &report->reading, err);
	if (report->by != PRF_ROWS_BY_FUNCTION &&
	    report->by != PRF_ROWS_BY_BINARY)
		return prf_error_set(err, -EINVAL,
				     "%s: a gmon.out knows no %ss",
				     report->path, keys[report->by].word);
	return read_gmon(report, sum, err);
}

static uint64_t
period_of(const struct prf_profile *profile)
{
	uint32_t rate_hz = profile->unit.rate_hz;

	return 1000000000 / (rate_hz ? rate_hz : 100);
}

static int
run(const struct report *report)
{
	PRF_AUTO(prf_profile_sum_clear) struct prf_profile_sum sum = {0};
	PRF_AUTO(prf_rows_clear) struct prf_rows rows = {0};
	struct prf_error err = {0};
	int rc = prf_profile_sum_init(&sum, NULL, &err);

	if (rc)
		return fail(report, PRF_EXIT_FAILED, &err);
	if (read_profile(report, &sum, &err))
		return fail(report, PRF_EXIT_UNREADABLE, &err);
	if (!prf_rows_add(&rows, sum.profile, report->by))
		return print(report, &rows, period_of(sum.profile));
	prf_error_set(&err, -ENOMEM, "out of memory");
	return fail(report, PRF_EXIT_FAILED, &err);
}

int
prf_cmd_report(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	struct report report = {.reading.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_report_parser, options->program,
				   &report, &err);

	if (!rc && report.reading.help)
		return prf_reading_help(&prf_report_parser, "report", messages);
	if (!rc && !report.path)
		rc = prf_error_set(&err, -EINVAL,
				   "report: no file; use profrun report "
				   "[OPTION...] TRACE, or --help");
	return rc ? fail(&report, PRF_EXIT_FAILED, &err) : run(&report);
}
