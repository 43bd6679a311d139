#include "cmd_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon_read.h"
#include "core/scope.h"
#include "exit_status.h"
#include "outname.h"
#include "reading.h"
#include "recording.h"
#include "view/rows.h"

struct report {
	struct prf_reading reading; /* the first member */
	const char *path, *syms;
	enum prf_rows_by by;
	bool csv;
};

enum { KEY_CSV = 256 };

static const struct argp_option option_table[] = {
	PRF_OPTION("sort", 's', "KEY",
		   "A line for each function (default), object, process or "
		   "thread"),
	PRF_OPTION("csv", KEY_CSV, NULL, "Print comma-separated values"),
	PRF_OPTION("syms", 'S', "FILE",
		   "The names for a gmon.out (default: the .syms beside it)"),
	PRF_READING_OPTIONS_SIEVE,
	PRF_READING_OPTIONS_END,
};

static const char *const keys[PRF_N_ROWS_BY] = {
	[PRF_ROWS_BY_FUNCTION] = "function",
	[PRF_ROWS_BY_OBJECT] = "object",
	[PRF_ROWS_BY_PROCESS] = "process",
	[PRF_ROWS_BY_THREAD] = "thread",
};

static error_t
parse_key(const char *arg, struct report *report)
{
	for (int by = 0; by < PRF_N_ROWS_BY; by++)
		if (strcmp(keys[by], arg) == 0) {
			report->by = (enum prf_rows_by)by;
			return 0;
		}
	return prf_reading_refuse(&report->reading,
				  "-s %s: unknown; give function, object, "
				  "process or thread",
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

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "TRACE\nGMON.OUT",
	.doc = "Print where the time went, as a trace or a gmon.out has it.",
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

/* --- A trace */

static int
report_trace(const struct report *report, const struct prf_recording *recording)
{
	PRF_AUTO(prf_rows_clear) struct prf_rows rows = {0};
	PRF_AUTO(prf_counted_clear) struct prf_counted counted = {0};
	const struct prf_family_config config = {
		.kernel_apart = true,
		.threads = true,
	};
	struct prf_error err = {0};

	if (prf_recording_count(recording, &report->reading, &config, &counted,
				&err))
		return fail(report, PRF_EXIT_UNREADABLE, &err);
	if (!prf_rows_add_family(&rows, counted.family, report->by))
		return print(report, &rows,
			     1000000000 / prf_recording_rate_hz(recording));
	prf_error_set(&err, -ENOMEM, "out of memory");
	return fail(report, PRF_EXIT_FAILED, &err);
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

int
prf_cmd_report(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	struct report report = {.reading.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&parser, options->program, &report, &err);

	if (!rc && report.reading.help)
		return prf_reading_help(&parser, "report", messages);
	if (!rc && !report.path)
		rc = prf_error_set(&err, -EINVAL,
				   "report: no file; use profrun report "
				   "[OPTION...] TRACE, or --help");
	return rc ? fail(&report, PRF_EXIT_FAILED, &err) : run(&report);
}
