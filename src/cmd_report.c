#include "cmd_report.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon_read.h"
#include "core/scope.h"
#include "exit_status.h"
#include "option_fault.h"
#include "outname.h"
#include "recording.h"
#include "view/family.h"
#include "view/rows.h"

struct report {
	const char *path, *syms;
	enum prf_rows_by by;
	bool csv, help;
	struct prf_wanted wanted;
	struct prf_messages messages;
	struct prf_error *err; /* of the parser */
};

#define OPTION(long_name, letter, value, text)                                 \
	{                                                                      \
		.name = (long_name), .key = (letter), .arg = (value),          \
		.doc = (text)                                                  \
	}

enum { KEY_CSV = 256, KEY_HELP };

static const struct argp_option option_table[] = {
	OPTION("sort", 's', "KEY",
	       "A line for each function (default), object, process or thread"),
	OPTION("csv", KEY_CSV, NULL, "Print comma-separated values"),
	OPTION("syms", 'S', "FILE",
	       "The names for a gmon.out (default: the .syms beside it)"),
	OPTION("time", PRF_WANTED_KEY_TIME, "FROM-TO",
	       "Only samples of that time, in seconds since the begin"),
	OPTION("pid", PRF_WANTED_KEY_PID, "PID", "Only samples of a process"),
	OPTION("tid", PRF_WANTED_KEY_TID, "TID", "Only samples of a thread"),
	OPTION("symfs", PRF_WANTED_KEY_SYMFS, "DIR",
	       "Look for the program's files below DIR"),
	OPTION("quiet", 'q', NULL, "Print no warnings"),
	OPTION("help", KEY_HELP, NULL, "Print this help"),
	{0},
};

static const char *const keys[PRF_N_ROWS_BY] = {
	[PRF_ROWS_BY_FUNCTION] = "function",
	[PRF_ROWS_BY_OBJECT] = "object",
	[PRF_ROWS_BY_PROCESS] = "process",
	[PRF_ROWS_BY_THREAD] = "thread",
};

static int
parse_key(const char *arg, struct report *report)
{
	for (int by = 0; by < PRF_N_ROWS_BY; by++)
		if (strcmp(keys[by], arg) == 0) {
			report->by = (enum prf_rows_by)by;
			return 0;
		}
	return prf_error_set(report->err, -EINVAL,
			     "report: -s %s: unknown; give function, object, "
			     "process or thread",
			     arg);
}

static int
parse_argument(struct report *report, const char *arg)
{
	if (report->path)
		return prf_error_set(report->err, -EINVAL,
				     "report: more than one file; give one");
	report->path = arg;
	return 0;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct report *report = state->input;

	switch (key) {
	case 's':
		return -parse_key(arg, report);
	case 'S':
		report->syms = arg;
		return 0;
	case KEY_CSV:
		report->csv = true;
		return 0;
	case 'q':
		report->messages.verbosity = -1;
		return 0;
	case KEY_HELP:
		report->help = true;
		return 0;
	case ARGP_KEY_ARG:
		return -parse_argument(report, arg);
	default:
		break;
	}
	int rc = prf_wanted_parse(key, arg, &report->wanted, report->err);
	return rc == -ENOENT ? ARGP_ERR_UNKNOWN : -rc;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "TRACE\nGMON.OUT",
	.doc = "Print where the time went, as a trace or a gmon.out has it.",
};

static int
fail(const struct report *report, int status, const struct prf_error *err)
{
	prf_message_error(&report->messages, "%s", err->text);
	return status;
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

/* --- A trace */

static void
warn_all(const struct report *report, const struct prf_warnings *warnings)
{
	for (size_t i = 0; i < warnings->n; i++)
		prf_message_warn(&report->messages, "%s", warnings->lines[i]);
}

static int
print_family(const struct report *report, const struct prf_family *family,
	     uint32_t rate_hz)
{
	PRF_AUTO(prf_rows_clear) struct prf_rows rows = {0};
	struct prf_error err;

	warn_all(report, &family->warnings);
	if (!prf_rows_add_family(&rows, family, report->by))
		return print(report, &rows, 1000000000 / rate_hz);
	prf_error_set(&err, -ENOMEM, "out of memory");
	return fail(report, PRF_EXIT_FAILED, &err);
}

static int
report_trace(const struct report *report, const struct prf_recording *recording)
{
	const struct prf_pctrace_info *info =
		prf_pctrace_info(recording->trace);
	const struct prf_family_config config = {
		.kernel_apart = true,
		.threads = true,
		.way = prf_wanted_way(&report->wanted),
		.realtime_offset_ns = info->realtime_ns && info->monotonic_ns
					      ? (int64_t)(info->realtime_ns -
							  info->monotonic_ns)
					      : 0,
	};
	struct prf_family *family = prf_family_new(&config);
	struct prf_sink *sink;
	struct prf_error err = {0};

	if (!family) {
		prf_error_set(&err, -ENOMEM, "out of memory");
		return fail(report, PRF_EXIT_FAILED, &err);
	}
	if (prf_recording_play(recording, &report->wanted, &family->base, &sink,
			       &report->messages, &err))
		return fail(report, PRF_EXIT_UNREADABLE, &err);
	int status =
		print_family(report, family, prf_recording_rate_hz(recording));
	sink->ops->free(sink);
	return status;
}

/* --- A gmon.out */

static int
add_gmon(const struct report *report, const struct prf_gmon *gmon,
	 const char *syms_path, struct prf_rows *rows, struct prf_error *err)
{
	struct prf_error why = {0};
	FILE *syms;
	int rc = prf_input_open(syms_path, &syms, err);

	if (rc)
		return rc;
	rc = prf_rows_add_gmon(rows, gmon, syms, report->by, &why);
	fclose(syms);
	return rc ? prf_error_set(err, rc, "%s: %s", syms_path, why.text) : 0;
}

static int
report_gmon(const struct report *report, FILE *file)
{
	PRF_AUTO(prf_rows_clear) struct prf_rows rows = {0};
	PRF_AUTO(prf_auto_free)
	char *beside = prf_outname_symbols(report->path);
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0}, why = {0};
	const char *syms = report->syms ? report->syms : beside;
	int rc = syms ? prf_gmon_read(file, NULL, &gmon, &why)
		      : prf_error_set(&why, -ENOMEM, "out of memory");

	if (rc)
		prf_error_set(&err, rc, "%s: %s", report->path, why.text);
	else
		rc = add_gmon(report, gmon, syms, &rows, &err);
	uint32_t rate_hz = gmon && gmon->rate_hz ? gmon->rate_hz : 100;
	prf_gmon_free(gmon);
	return rc ? fail(report, PRF_EXIT_UNREADABLE, &err)
		  : print(report, &rows, 1000000000 / rate_hz);
}

/* --- Which of them */

/* The first byte of a trace begins no gmon.out of ours. */
static bool
is_gmon(const char *path)
{
	FILE *file;

	if (strcmp(path, "-") == 0 || prf_input_open(path, &file, NULL))
		return false;
	int first = getc(file);
	fclose(file);
	return first == 'g';
}

static int
run(const struct report *report)
{
	struct prf_recording recording;
	struct prf_error err = {0};

	if (is_gmon(report->path)) {
		PRF_AUTO(prf_auto_fclose) FILE *file = NULL;

		return prf_input_open(report->path, &file, &err)
			       ? fail(report, PRF_EXIT_UNREADABLE, &err)
			       : report_gmon(report, file);
	}
	if (prf_recording_open(report->path, &recording, &err))
		return fail(report, PRF_EXIT_UNREADABLE, &err);
	int status = report_trace(report, &recording);
	prf_recording_close(&recording);
	return status;
}

static int
parse(const struct prf_options *options, struct report *report,
      struct prf_error *err)
{
	int argc = 0;

	while (options->program[argc])
		argc++;
	error_t rc = argp_parse(&parser, argc, options->program,
				ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT,
				NULL, report);
	if (err->code)
		return err->code;
	if (rc)
		return prf_option_fault(option_table, argc, options->program,
					err);
	if (!report->help && !report->path)
		return prf_error_set(err, -EINVAL,
				     "report: no file; use profrun report "
				     "[OPTION...] TRACE, or --help");
	return 0;
}

int
prf_cmd_report(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	char name[] = "profrun report";
	struct prf_error err = {0};
	struct report report = {.messages = *messages, .err = &err};

	if (parse(options, &report, &err))
		return fail(&report, PRF_EXIT_FAILED, &err);
	if (!report.help)
		return run(&report);
	argp_help(&parser, stdout,
		  ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
	return PRF_EXIT_OK;
}
