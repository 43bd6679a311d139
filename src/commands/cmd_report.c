#include "src/commands/cmd_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/scope.h"
#include "src/exit_status.h"
#include "src/output/terminal.h"
#include "src/commands/profile_file.h"
#include "src/commands/reading.h"
#include "src/commands/report_file.h"
#include "src/commands/report_header.h"
#include "src/commands/row_filter.h"
#include "src/options/rate.h"
#include "view/table/rows.h"

struct report {
	struct prf_reading reading; /* the first member */
	char *words[2];             /* the file, or its program and it */
	size_t n_words;
	const char *syms;
	enum prf_rows_by by;
	struct prf_row_filter filter;
	bool csv, full_names;
};

enum { KEY_CSV = 256, KEY_FULL_NAMES };

static const struct argp_option option_table[] = {
	PRF_OPTION("sort", 's', "KEY",
		   "What has a line: each function (default), line of the "
		   "source, binary, program, process or thread"),
	PRF_OPTION("rows", 'n', "N", "Print no more than N lines"),
	PRF_READING_OPTIONS_MATCH("lines"),
	PRF_OPTION("csv", KEY_CSV, NULL, "Print comma-separated values"),
	PRF_OPTION("full-names", KEY_FULL_NAMES, NULL,
		   "Print parameters and template arguments of functions"),
	PRF_OPTION("syms", 'S', "FILE",
		   "The names for a gmon.out: a gmon.syms, or what nm prints "
		   "(default: the .syms beside it)"),
	PRF_READING_OPTIONS_SELECTION,
	PRF_READING_OPTIONS_END,
};

/* By what there is a line each, and what that is called. */
static const struct {
	const char *word;
	enum prf_rows_by by;
} keys[] = {
	[PRF_ROWS_BY_FUNCTION] = {"function", PRF_ROWS_BY_FUNCTION},
	[PRF_ROWS_BY_LINE] = {"line", PRF_ROWS_BY_LINE},
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
				  "-s %s: unknown; give function, line, "
				  "binary, program, process or thread",
				  arg);
}

static error_t
parse_number(const char *arg, struct report *report)
{
	uint64_t n;

	if (prf_rate_parse_hz(arg, &n, NULL) || !n || n > SIZE_MAX)
		return prf_reading_refuse(&report->reading,
					  "-n %s: not a number of lines", arg);
	report->filter.max = (size_t)n;
	return 0;
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
	case 'n':
		return parse_number(arg, report);
	case PRF_READING_KEY_FOCUS:
	case PRF_READING_KEY_IGNORE:
		return prf_reading_take_match(&report->reading, key, arg,
					      &report->filter.matching);
	case KEY_CSV:
		report->csv = true;
		return 0;
	case KEY_FULL_NAMES:
		report->full_names = true;
		return 0;
	case ARGP_KEY_ARG:
		if (report->n_words == 2)
			return prf_reading_refuse(
				&report->reading,
				"more than one file; give one, or a program "
				"and its gmon.out");
		report->words[report->n_words++] = arg;
		return 0;
	default:
		return prf_reading_take(&report->reading, key, arg);
	}
}

const struct argp prf_report_parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "[FILE]\nPROGRAM GMON.OUT",
	.doc = "Print where the time went, from a trace or a gmon.out: by "
	       "default the newest of them here.  The names of a gmon.out are "
	       "in the list beside it, or in its PROGRAM.",
};

static int
fail(const struct report *report, int status, const struct prf_error *err)
{
	return prf_reading_fail(&report->reading, status, err);
}

/* --- What is printed */

static void
print_rest(const struct prf_rows *rows, size_t n_more, FILE *out)
{
	uint64_t rest = rows->all.ticks;

	for (size_t i = 0; i < rows->n; i++)
		rest -= rows->rows[i].count.ticks;
	fprintf(out, "  %6.2f  in what is not shown, %zu more line%s\n",
		100 * (double)rest / (double)rows->all.ticks, n_more,
		n_more == 1 ? "" : "s");
}

static int
print(const struct report *report, const struct prf_report_file *file,
      const struct prf_profile *profile, struct prf_rows *rows)
{
	uint32_t rate_hz = profile->unit.rate_hz;
	uint64_t period_ns = 1000000000 / (rate_hz ? rate_hz : 100);
	const struct prf_style style =
		prf_terminal_style(stdout, 0, report->full_names);
	struct prf_error err;
	int rc = 0;

	prf_rows_sort(rows);
	size_t n_more = prf_row_filter_cut(&report->filter, rows);
	if (report->csv) {
		prf_rows_print_csv(rows, report->by, period_ns, stdout);
	} else {
		prf_report_header_print(file, report->reading.figures, profile,
					stdout);
		rc = prf_rows_print(rows, report->by, period_ns, &style,
				    stdout);
	}
	if (rc) {
		prf_error_set(&err, rc, "out of memory");
		return fail(report, PRF_EXIT_FAILED, &err);
	}
	if (n_more && !report->csv)
		print_rest(rows, n_more, stdout);
	if (!fflush(stdout) && !ferror(stdout))
		return PRF_EXIT_OK;
	prf_error_set(&err, -EIO, "standard output: %m");
	return fail(report, PRF_EXIT_FAILED, &err);
}

/* --- What there is nothing of */

/* "of process 77, of thread 78 in that time". */
static void
describe(const struct prf_wanted *wanted, char *text, size_t size)
{
	int used = 0;

	text[0] = '\0';
	if (wanted->pid)
		used = snprintf(text, size, " of process %d", wanted->pid);
	if (wanted->tid)
		used += snprintf(text + used, size - (size_t)used,
				 " of thread %d", wanted->tid);
	if (wanted->from_ns || wanted->to_ns)
		snprintf(text + used, size - (size_t)used, " in that time");
}

static int
complain_of_none(const struct report *report,
		 const struct prf_report_file *file)
{
	const struct prf_figures *figures = report->reading.figures;
	struct prf_error err;
	char what[100];

	describe(&report->reading.wanted, what, sizeof what);
	if (file->is_trace && !*what && figures->refused_code) {
		prf_error_set(&err, figures->refused_code,
			      "%s: none of its %" PRIu64
			      " samples could be used",
			      file->path, figures->samples);
		return fail(report,
			    figures->refused_code == -ENOMEM
				    ? PRF_EXIT_FAILED
				    : PRF_EXIT_UNREADABLE,
			    &err);
	}
	if (file->is_trace)
		prf_error_set(&err, -ENOENT,
			      "%s: no samples%s; the trace has %" PRIu64,
			      file->path, what, figures->samples);
	else
		prf_error_set(&err, -ENOENT, "%s: has no ticks", file->path);
	return fail(report, PRF_EXIT_NOTHING, &err);
}

static int
complain_of_no_match(const struct report *report,
		     const struct prf_report_file *file,
		     const struct prf_rows *rows)
{
	struct prf_error err;

	prf_error_set(&err, -ENOENT,
		      "%s: no %s is left by --focus and --ignore; there are "
		      "%" PRIu64 " ticks",
		      file->path, keys[report->by].word, rows->all.ticks);
	return fail(report, PRF_EXIT_NOTHING, &err);
}

/* --- All of it */

/* A gmon.out has ticks by address, and nothing else. */
static int
check_gmon(const struct report *report, const struct prf_report_file *file,
	   struct prf_error *err)
{
	const struct prf_wanted *wanted = &report->reading.wanted;
	const char *what = report->by > PRF_ROWS_BY_BINARY
				   ? keys[report->by].word
			   : wanted->pid                      ? "process"
			   : wanted->tid                      ? "thread"
			   : wanted->from_ns || wanted->to_ns ? "time"
							      : NULL;

	if (file->is_trace || !what)
		return 0;
	return prf_error_set(err, -EINVAL,
			     "%s: a gmon.out does not tell of a %s", file->path,
			     what);
}

static void
warn_of_lines(const struct report *report, struct prf_binary_lines *lines)
{
	prf_binary_lines_warn(lines);
	prf_message_warn_all(&report->reading.messages, &lines->warnings);
}

static int
report_of(const struct report *report, const struct prf_report_file *file,
	  const struct prf_profile *profile)
{
	PRF_AUTO(prf_binary_lines_clear)
	struct prf_binary_lines lines = {.symfs = report->reading.wanted.symfs};
	PRF_AUTO(prf_rows_clear) struct prf_rows rows = {.lines = &lines};
	struct prf_error err = {0};

	if (!profile->total.ticks)
		return complain_of_none(report, file);
	int rc = prf_rows_add(&rows, profile, report->by);
	warn_of_lines(report, &lines);
	if (rc) {
		prf_error_set(&err, -ENOMEM, "out of memory");
		return fail(report, PRF_EXIT_FAILED, &err);
	}
	prf_row_filter_match(&report->filter, &rows);
	return rows.n ? print(report, file, profile, &rows)
		      : complain_of_no_match(report, file, &rows);
}

static int
run(struct report *report)
{
	PRF_AUTO(prf_profile_sum_clear) struct prf_profile_sum sum = {0};
	PRF_AUTO(prf_report_file_clear) struct prf_report_file file = {0};
	PRF_AUTO(prf_figures_clear) struct prf_figures figures = {0};
	struct prf_error err = {0};

	report->reading.figures = &figures;
	if (prf_profile_sum_init(&sum, NULL, &err))
		return fail(report, PRF_EXIT_FAILED, &err);
	if (prf_report_file_find(&file, report->words, report->n_words, &err) ||
	    prf_report_file_read(&file, report->syms, &report->reading, &sum,
				 &err) ||
	    check_gmon(report, &file, &err))
		return fail(report, PRF_EXIT_UNREADABLE, &err);
	if (file.is_newest && report->csv)
		prf_message_note(&report->reading.messages,
				 "report of %s, the newest profile here",
				 file.path);
	return report_of(report, &file, sum.profile);
}

int
prf_cmd_report(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	struct report report = {.reading.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_report_parser, options->program,
				   &report, &err);
	int status = !rc && report.reading.help
			     ? prf_reading_help(&prf_report_parser, "report",
						messages)
		     : rc ? fail(&report, PRF_EXIT_FAILED, &err)
			  : run(&report);

	prf_matching_clear(&report.filter.matching);
	return status;
}
