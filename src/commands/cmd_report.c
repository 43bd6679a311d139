#include "src/commands/cmd_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/scope.h"
#include "src/output/progress.h"
#include "src/exit_status.h"
#include "src/commands/profile_file.h"
#include "src/commands/reading.h"
#include "src/commands/report_file.h"
#include "src/commands/report_header.h"
#include "src/commands/report_print.h"
#include "src/commands/tree_choice.h"
#include "src/commands/row_filter.h"
#include "src/options/rate.h"
#include "view/table/call_tree_print.h"
#include "view/table/rows.h"

/* A function whose calls take less has no line in a tree. */
enum { TREE_PERCENT = 1 };
/* Functions that are told of by rank. */
enum { RANK_FUNCTIONS = 20 };

/* What is printed instead of a plain table.  All of them need stacks. */
struct form {
	int key;
	const char *option, *word;
	bool is_tree; /* else it is the table by totals */
	enum prf_call_tree_kind tree;
};

struct report {
	struct prf_reading reading; /* the first member */
	char *words[2];             /* the file, or its program and it */
	size_t n_words;
	const char *syms;
	enum prf_rows_by by;
	const struct form *form; /* NULL: a plain table */
	const char *function;    /* that the form is about, or NULL */
	struct prf_row_filter filter;
	bool has_limit; /* the filter's share was given */
	enum prf_report_format format;
	bool full_names;
	bool inlines; /* functions that are inlined are told apart */
	bool threads; /* what each thread did, instead of rows */
	/* Of rows by rank: what each function has in each. */
	struct prf_spread *ranks;
};

enum {
	KEY_CSV = 256,
	KEY_JSON,
	KEY_FULL_NAMES,
	KEY_CHILDREN,
	KEY_TREE,
	KEY_CALLERS,
	KEY_CALLEES,
	KEY_PERCENT_LIMIT,
	KEY_INLINES,
};

static const struct argp_option option_table[] = {
	PRF_OPTION("sort", 's', "KEY",
		   "What has a line: each function (default), line of the "
		   "source, binary, program, process, thread or (MPI) rank"),
	PRF_OPTION("threads", 't', NULL,
		   "Print what each thread did; with the wall clock, how long "
		   "it ran, waited for a processor, and was blocked in which "
		   "call"),
	PRF_OPTION("rows", 'n', "N", "Print no more than N lines"),
	PRF_OPTION("children", KEY_CHILDREN, NULL,
		   "Sort functions by the time that they take with all that "
		   "they call; needs stacks (-g)"),
	PRF_OPTION("tree", KEY_TREE, NULL,
		   "Print who calls whom as a tree, from the outermost calls; "
		   "needs stacks"),
	PRF_OPTION("callers", KEY_CALLERS, "FUNCTION",
		   "Print who calls FUNCTION; needs stacks"),
	PRF_OPTION("callees", KEY_CALLEES, "FUNCTION",
		   "Print what FUNCTION calls: its name, or a regular "
		   "expression; needs stacks"),
	PRF_OPTION("inlines", KEY_INLINES, NULL,
		   "Tell functions that are inlined, as debug information has "
		   "it, from those that they are in"),
	PRF_OPTION("percent-limit", KEY_PERCENT_LIMIT, "PERCENT",
		   "Print no line with less than PERCENT of the ticks "
		   "(default: 0; of a tree 1)"),
	PRF_READING_OPTIONS_MATCH("lines"),
	PRF_OPTION("csv", KEY_CSV, NULL, "Print comma-separated values"),
	PRF_OPTION("json", KEY_JSON, NULL, "Print JSON"),
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
	[PRF_ROWS_BY_RANK] = {"rank", PRF_ROWS_BY_RANK},
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
				  "binary, program, process, thread or rank",
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
parse_percent(const char *arg, struct report *report)
{
	char *end;
	double percent = strtod(arg, &end);

	if (end == arg || *end || !(percent >= 0 && percent <= 100))
		return prf_reading_refuse(&report->reading,
					  "--percent-limit=%s: give a number, "
					  "0 to 100",
					  arg);
	report->filter.min_percent = percent;
	report->has_limit = true;
	return 0;
}

static const struct form forms[] = {
	{KEY_CHILDREN, "--children", "table", false, PRF_CALL_TREE_WHOLE},
	{KEY_TREE, "--tree", "tree", true, PRF_CALL_TREE_WHOLE},
	{KEY_CALLERS, "--callers", "callers", true, PRF_CALL_TREE_ABOVE},
	{KEY_CALLEES, "--callees", "callees", true, PRF_CALL_TREE_BELOW},
};

static error_t
take_form(int key, const char *arg, struct report *report)
{
	report->form = forms;
	while (report->form->key != key)
		report->form++;
	report->function = arg;
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
	case 't':
		report->threads = true;
		return 0;
	case 'n':
		return parse_number(arg, report);
	case PRF_READING_KEY_FOCUS:
	case PRF_READING_KEY_IGNORE:
		return prf_reading_take_match(&report->reading, key, arg,
					      &report->filter.matching);
	case KEY_CHILDREN:
	case KEY_TREE:
	case KEY_CALLERS:
	case KEY_CALLEES:
		return take_form(key, arg, report);
	case KEY_PERCENT_LIMIT:
		return parse_percent(arg, report);
	case KEY_INLINES:
		report->inlines = true;
		return 0;
	case KEY_CSV:
		report->format = PRF_REPORT_CSV;
		return 0;
	case KEY_JSON:
		report->format = PRF_REPORT_JSON;
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
	.doc = "Print where the time went, from a trace, a pprof file or a "
	       "gmon.out: by default the newest of them here.  The names of a "
	       "gmon.out are "
	       "in the list beside it, or in its PROGRAM.",
};

static int
fail(const struct report *report, int status, const struct prf_error *err)
{
	return prf_reading_fail(&report->reading, status, err);
}

static int
out_of_memory(const struct report *report)
{
	struct prf_error err;

	prf_error_set(&err, -ENOMEM, "out of memory");
	return fail(report, PRF_EXIT_FAILED, &err);
}

static int
flush(const struct report *report)
{
	struct prf_error err;

	if (!fflush(stdout) && !ferror(stdout))
		return PRF_EXIT_OK;
	prf_error_set(&err, -EIO, "standard output: %m");
	return fail(report, PRF_EXIT_FAILED, &err);
}

/* What is printed of what. */
struct subject {
	const struct report *report;
	const struct prf_report_file *file;
	const struct prf_profile *profile;
};

static struct prf_report_print
printing_of(const struct subject *subject)
{
	const struct report *report = subject->report;
	const struct form *form = report->form;

	return (struct prf_report_print){
		.file = subject->file,
		.figures = report->reading.figures,
		.profile = subject->profile,
		.period_ns = prf_report_header_period_ns(subject->profile),
		.format = report->format,
		.full_names = report->full_names,
		.form = report->threads ? "threads"
			: form          ? form->word
					: "table",
		.by = report->threads ? "thread" : prf_rows_heading(report->by),
		.sort = form ? "total" : "self",
		.function = report->function,
		.ranks = report->ranks,
		.n_rank_functions = report->filter.max ? report->filter.max
						       : RANK_FUNCTIONS,
	};
}

/* --- Threads */

static int
complain_of_no_thread(const struct report *report,
		      const struct prf_report_file *file)
{
	struct prf_error err;

	prf_error_set(&err, -ENOENT,
		      "%s: no thread is left by --focus and --ignore",
		      file->path);
	return fail(report, PRF_EXIT_NOTHING, &err);
}

static int
report_threads(const struct subject *subject)
{
	const struct report *report = subject->report;
	PRF_AUTO(prf_thread_states_clear) struct prf_thread_states states;

	if (prf_thread_states_of(subject->profile, &states))
		return out_of_memory(report);
	size_t n_more = prf_row_filter_threads(&report->filter, &states);
	if (!states.n)
		return complain_of_no_thread(report, subject->file);
	const struct prf_report_print printing = printing_of(subject);
	return prf_report_print_threads(&printing, &states, n_more)
		       ? out_of_memory(report)
		       : flush(report);
}

static int
print(const struct subject *subject, struct prf_rows *rows)
{
	const struct report *report = subject->report;

	prf_rows_sort(rows);
	if (report->filter.by_total)
		prf_rows_sort_by_total(rows);
	const struct prf_row_rest rest =
		prf_row_filter_cut(&report->filter, rows);
	if (report->by <= PRF_ROWS_BY_BINARY)
		rows->doubt = prf_figures_doubt(report->reading.figures);
	const struct prf_report_print printing = printing_of(subject);
	return prf_report_print_rows(&printing, rows, report->by, &rest)
		       ? out_of_memory(report)
		       : flush(report);
}

/* A person is not shown what is small, unless asked. */
static double
least_percent(const struct report *report)
{
	return report->has_limit || report->format != PRF_REPORT_FOR_PEOPLE
		       ? report->filter.min_percent
		       : TREE_PERCENT;
}

static int
print_tree(const struct subject *subject, const struct prf_call_graph *graph)
{
	const struct report *report = subject->report;
	PRF_AUTO(prf_call_tree_clear) struct prf_call_tree tree = {0};
	const struct prf_tree_choice wanted = {
		.kind = report->form->tree,
		.function = report->function,
		.matching = &report->filter.matching,
	};
	const struct prf_call_tree_look look = {
		.kind = report->form->tree,
		.all = subject->profile->total,
		.doubt = prf_figures_doubt(report->reading.figures),
		.min_percent = least_percent(report),
		.max_lines = report->filter.max,
	};
	struct prf_error why = {0}, err;
	int rc = prf_tree_choice_make(&wanted, graph, &tree, &why);

	if (rc) {
		prf_error_set(&err, rc, "%s: %s", subject->file->path,
			      why.text);
		return fail(report,
			    rc == -ENOENT ? PRF_EXIT_NOTHING : PRF_EXIT_FAILED,
			    &err);
	}
	const struct prf_report_print printing = printing_of(subject);
	return prf_report_print_tree(&printing, &tree, graph, &look)
		       ? out_of_memory(report)
		       : flush(report);
}

/* --- What there is nothing of */

static int
complain_of_none(const struct report *report,
		 const struct prf_report_file *file)
{
	const struct prf_figures *figures = report->reading.figures;
	struct prf_error err;

	if (file->is_trace && figures->refused_code) {
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
	prf_error_set(&err, -ENOENT, "%s: has no ticks", file->path);
	return fail(report, PRF_EXIT_NOTHING, &err);
}

static int
complain_of_no_stacks(const struct report *report,
		      const struct prf_report_file *file)
{
	struct prf_error err;

	prf_error_set(&err, -ENOENT,
		      "%s: %s: has no stacks; record them with profrun -g, "
		      "and read profrun.pb.gz (with -o NAME, NAME.pb.gz; "
		      "with %%p or %%t in it only -f gmon,pprof leaves one)",
		      file->path, report->form->option);
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

static void
warn_of_lines(const struct report *report, struct prf_binary_lines *lines)
{
	prf_binary_lines_warn(lines);
	prf_message_warn_all(&report->reading.messages, &lines->warnings);
}

static bool
is_by_function(const struct prf_profile *profile)
{
	return profile->calls && profile->calls->by_function;
}

/* The rows of functions that are told apart where they are inlined: of the calls,
 * which have each address, or, where they have not, or some were pruned, or there
 * are none, of the counters. */
static int
add_inlines(const struct prf_profile *profile,
	    const struct prf_call_graph *graph, struct prf_rows *rows)
{
	const struct prf_call_graph_way way = {.inlines = rows->lines,
					       .is_flat = true};
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph flat = {0};

	rows->has_inlined = true;
	if (profile->calls && !profile->calls->pruned_ticks &&
	    !is_by_function(profile))
		return prf_rows_add_graph(rows, graph);
	int rc = prf_call_graph_make(profile, &way, &flat);
	return rc ? rc : prf_rows_add_graph(rows, &flat);
}

static int
make_rows(const struct report *report, const struct prf_report_file *file,
	  const struct prf_profile *profile, const struct prf_call_graph *graph,
	  struct prf_rows *rows)
{
	bool has_totals = report->by == PRF_ROWS_BY_FUNCTION &&
			  prf_calls_has_stacks(profile->calls) &&
			  !(report->inlines && is_by_function(profile));
	int rc = report->inlines ? add_inlines(profile, graph, rows)
				 : prf_rows_add(rows, profile, report->by);

	if (!rc && file->has_calls && report->by == PRF_ROWS_BY_FUNCTION &&
	    !report->inlines)
		rc = prf_rows_add_calls(rows, profile);
	return rc || !has_totals ? rc : prf_rows_add_totals(rows, graph);
}

static int
report_table(const struct subject *subject, const struct prf_call_graph *graph,
	     struct prf_binary_lines *lines)
{
	const struct report *report = subject->report;
	PRF_AUTO(prf_rows_clear) struct prf_rows rows = {.lines = lines};
	struct prf_progress *progress = prf_progress_begin(
		&report->reading.messages, "looking up names", NULL, -1);
	int rc = make_rows(report, subject->file, subject->profile, graph,
			   &rows);

	prf_progress_end(progress);
	warn_of_lines(report, lines);
	if (rc)
		return out_of_memory(report);
	prf_row_filter_match(&report->filter, &rows);
	return rows.n ? print(subject, &rows)
		      : complain_of_no_match(report, subject->file, &rows);
}

/* A tree needs it, and the totals of functions, which only stacks have. */
static bool
needs_graph(const struct report *report, const struct prf_profile *profile)
{
	return report->form || report->inlines ||
	       (report->by == PRF_ROWS_BY_FUNCTION &&
		prf_calls_has_stacks(profile->calls));
}

static int
report_of(const struct report *report, const struct prf_report_file *file,
	  const struct prf_profile *profile)
{
	PRF_AUTO(prf_binary_lines_clear)
	struct prf_binary_lines lines = {.symfs = report->reading.wanted.symfs};
	const struct prf_call_graph_way way = {
		.inlines = report->inlines ? &lines : NULL};
	const struct subject subject = {report, file, profile};
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};

	if (!profile->total.ticks)
		return complain_of_none(report, file);
	if (report->form && !prf_calls_has_stacks(profile->calls))
		return complain_of_no_stacks(report, file);
	if (report->threads)
		return report_threads(&subject);
	if (report->inlines && is_by_function(profile))
		prf_message_warn(&report->reading.messages,
				 "--inlines: the calls are by function: which "
				 "of them are inlined, and what these take "
				 "with all that they call, is not known");
	struct prf_progress *progress = prf_progress_begin(
		&report->reading.messages, "looking up names", NULL, -1);
	int rc = needs_graph(report, profile)
			 ? prf_call_graph_make(profile, &way, &graph)
			 : 0;
	prf_progress_end(progress);
	if (rc)
		return out_of_memory(report);
	if (!report->form || !report->form->is_tree)
		return report_table(&subject, &graph, &lines);
	warn_of_lines(report, &lines);
	return print_tree(&subject, &graph);
}

static int
run(struct report *report)
{
	PRF_AUTO(prf_profile_sum_clear) struct prf_profile_sum sum = {0};
	PRF_AUTO(prf_report_file_clear) struct prf_report_file file = {0};
	PRF_AUTO(prf_figures_clear) struct prf_figures figures = {0};
	PRF_AUTO(prf_spread_clear) struct prf_spread ranks = {0};
	struct prf_error err = {0};

	report->reading.figures = &figures;
	if (prf_profile_sum_init(&sum, NULL, &err))
		return fail(report, PRF_EXIT_FAILED, &err);
	sum.states = report->threads || report->by == PRF_ROWS_BY_RANK;
	if (report->by == PRF_ROWS_BY_RANK)
		report->ranks = sum.ranks = &ranks;
	if (prf_report_file_find(&file, report->words, report->n_words, &err) ||
	    prf_report_file_read(&file, report->syms, &report->reading, &sum,
				 &err) ||
	    prf_report_file_check(
		    &file, report->threads ? PRF_ROWS_BY_THREAD : report->by,
		    prf_profile_sum_whole(&sum), &err))
		return fail(report, PRF_EXIT_UNREADABLE, &err);
	if (file.is_newest && report->format == PRF_REPORT_CSV)
		prf_message_note(&report->reading.messages,
				 "report of %s, the newest profile here",
				 file.path);
	return report_of(report, &file, prf_profile_sum_whole(&sum));
}

/* Do its options go together? */
static int
check_options(struct report *report, struct prf_error *err)
{
	const struct form *form = report->form;

	if (form && report->by != PRF_ROWS_BY_FUNCTION)
		return prf_error_set(err, -EINVAL,
				     "report: %s is of functions; leave -s out",
				     form->option);
	if (report->inlines && report->by != PRF_ROWS_BY_FUNCTION)
		return prf_error_set(err, -EINVAL,
				     "report: --inlines is of functions; leave "
				     "-s out");
	if (report->threads &&
	    (form || report->inlines || report->by != PRF_ROWS_BY_FUNCTION))
		return prf_error_set(err, -EINVAL,
				     "report: -t is a table by itself; leave "
				     "%s out",
				     form              ? form->option
				     : report->inlines ? "--inlines"
						       : "-s");
	report->filter.by_total = form && !form->is_tree;
	return 0;
}

int
prf_cmd_report(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	struct report report = {.reading.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_report_parser, options->program,
				   &report, &err);
	if (!rc && !report.reading.help)
		rc = check_options(&report, &err);
	int status = !rc && report.reading.help
			     ? prf_reading_help(&prf_report_parser, "report",
						messages)
		     : rc ? fail(&report, PRF_EXIT_FAILED, &err)
			  : run(&report);

	prf_matching_clear(&report.filter.matching);
	return status;
}
