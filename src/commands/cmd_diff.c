#include "src/commands/cmd_diff.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/commands/cmd_report.h"
#include "src/commands/diff_runs.h"
#include "src/commands/matching.h"
#include "src/commands/reading.h"
#include "src/exit_status.h"
#include "src/options/rate.h"
#include "src/output/target.h"
#include "src/output/terminal.h"
#include "view/export/diff_export.h"
#include "view/page/diff_page.h"
#include "view/page/page_json.h"
#include "view/table/diff_print.h"

/* Rows of which nothing is certain that a table has where nobody says how
 * many. */
enum { USUAL_OTHERS = 10 };

enum side { BY_PLACE, OLD, NEW };

enum form { AS_TABLE, AS_CSV, AS_JSON, AS_PAGE };

/* The page, where nobody says what it is called. */
#define USUAL_PAGE "profrun-diff.html"

struct diff {
	struct prf_reading reading; /* the first member */
	struct prf_diff diff;
	const char **paths; /* the old ones first */
	size_t n_paths, n_by_place;
	enum side side; /* of the words that follow */
	enum form form;
	const char *output; /* the page; NULL: the usual name */
	struct prf_matching matching;
	size_t max; /* rows; 0: it is not said */
	bool full_names, exit_code, has_threshold;
	double threshold; /* in points of the whole run */
};

enum {
	KEY_CSV = 256,
	KEY_JSON,
	KEY_FULL_NAMES,
	KEY_CHILDREN,
	KEY_OLD,
	KEY_NEW,
	KEY_EXIT_CODE,
	KEY_THRESHOLD,
};

static const struct argp_option option_table[] = {
	PRF_OPTION("old", KEY_OLD, "FILE",
		   "FILE and all that follow are old runs"),
	PRF_OPTION("new", KEY_NEW, "FILE",
		   "FILE and all that follow are new runs"),
	PRF_OPTION("sort", 's', "KEY",
		   "What is compared: each function (default), line of the "
		   "source, binary, program, process or thread"),
	PRF_OPTION("rows", 'n', "N", "Print no more than N lines"),
	PRF_OPTION("children", KEY_CHILDREN, NULL,
		   "Compare the time that functions take with all that they "
		   "call; needs stacks (-g)"),
	PRF_READING_OPTIONS_MATCH("lines"),
	PRF_OPTION("exit-code", KEY_EXIT_CODE, NULL,
		   "Exit with 1 if something has become slower"),
	PRF_OPTION("threshold", KEY_THRESHOLD, "PERCENT",
		   "With --exit-code: by more than PERCENT of the whole run "
		   "(default: 0)"),
	PRF_OPTION("csv", KEY_CSV, NULL, "Print comma-separated values"),
	PRF_OPTION("json", KEY_JSON, NULL, "Print JSON"),
	PRF_OPTION("format", 'f', "FORMAT",
		   "Write a page for a browser instead of a table: flame"),
	PRF_OPTION("output", 'o', "FILE",
		   "With -f flame: the page (default: " USUAL_PAGE ")"),
	PRF_OPTION("full-names", KEY_FULL_NAMES, NULL,
		   "Print parameters and template arguments of functions"),
	PRF_READING_OPTIONS_SELECTION,
	PRF_READING_OPTIONS_END,
};

/* --- The words */

static error_t
parse_number(const char *arg, struct diff *diff)
{
	uint64_t n;

	if (prf_rate_parse_hz(arg, &n, NULL) || !n || n > SIZE_MAX)
		return prf_reading_refuse(&diff->reading,
					  "-n %s: not a number of lines", arg);
	diff->max = (size_t)n;
	return 0;
}

static error_t
parse_threshold(const char *arg, struct diff *diff)
{
	char *end;
	double percent = strtod(arg, &end);

	if (end == arg || *end || !(percent >= 0 && percent <= 100))
		return prf_reading_refuse(
			&diff->reading,
			"--threshold=%s: give a number, 0 to 100", arg);
	diff->threshold = percent;
	diff->has_threshold = true;
	return 0;
}

const char *
prf_cmd_diff_word(const char *value, size_t index)
{
	if (strcmp(value, "FORMAT") == 0)
		return index == 0 ? "flame" : NULL;
	/* Of ranks, report tells the spread. */
	return index == PRF_ROWS_BY_RANK ? NULL
					 : prf_cmd_report_word(value, index);
}

static error_t
parse_key(const char *arg, struct diff *diff)
{
	const char *word;
	size_t i = 0;

	while ((word = prf_cmd_diff_word("KEY", i)) && strcmp(word, arg) != 0)
		i++;
	if (!word)
		return prf_reading_refuse(&diff->reading,
					  "-s %s: unknown; give function, "
					  "line, binary, program, process or "
					  "thread",
					  arg);
	diff->diff.by = (enum prf_rows_by)i;
	return 0;
}

static error_t
parse_format(const char *arg, struct diff *diff)
{
	if (strcmp(arg, prf_cmd_diff_word("FORMAT", 0)) != 0)
		return prf_reading_refuse(&diff->reading,
					  "-f %s: unknown; give flame, or "
					  "leave it out",
					  arg);
	diff->form = AS_PAGE;
	return 0;
}

/* There is room for all words.  The old runs stay before the new ones. */
static error_t
take_file(struct diff *diff, const char *path)
{
	size_t at = diff->n_paths;

	if (diff->side == BY_PLACE && diff->n_by_place++ == 2)
		return prf_reading_refuse(&diff->reading,
					  "more than two files; say which are "
					  "which: --old A B --new C D");
	if (diff->side == OLD ||
	    (diff->side == BY_PLACE && diff->n_by_place == 1))
		at = diff->diff.n_old++;
	else
		diff->diff.n_new++;
	memmove(&diff->paths[at + 1], &diff->paths[at],
		(diff->n_paths++ - at) * sizeof(*diff->paths));
	diff->paths[at] = path;
	return 0;
}

static error_t
take_side(struct diff *diff, enum side side, const char *path)
{
	diff->side = side;
	return take_file(diff, path);
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct diff *diff = state->input;

	switch (key) {
	case KEY_OLD:
	case KEY_NEW:
		return take_side(diff, key == KEY_OLD ? OLD : NEW, arg);
	case 's':
		return parse_key(arg, diff);
	case 'n':
		return parse_number(arg, diff);
	case KEY_CHILDREN:
		diff->diff.by_total = true;
		return 0;
	case PRF_READING_KEY_FOCUS:
	case PRF_READING_KEY_IGNORE:
		return prf_reading_take_match(&diff->reading, key, arg,
					      &diff->matching);
	case KEY_EXIT_CODE:
		diff->exit_code = true;
		return 0;
	case KEY_THRESHOLD:
		return parse_threshold(arg, diff);
	case KEY_CSV:
	case KEY_JSON:
		diff->form = key == KEY_CSV ? AS_CSV : AS_JSON;
		return 0;
	case 'f':
		return parse_format(arg, diff);
	case 'o':
		diff->output = arg;
		return 0;
	case KEY_FULL_NAMES:
		diff->full_names = true;
		return 0;
	case ARGP_KEY_ARG:
		return take_file(diff, arg);
	default:
		return prf_reading_take(&diff->reading, key, arg);
	}
}

const struct argp prf_diff_parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "OLD NEW\n--old OLD... --new NEW...",
	.doc = "Print what has become slower or faster from one run to "
	       "another, and whether that is more than chance; of traces, "
	       "gmon.outs with their lists of symbols, and pprof files.",
};

/* The page has all functions, and is a file. */
static int
check_page(const struct diff *diff, struct prf_error *err)
{
	if (diff->output && diff->form != AS_PAGE)
		return prf_error_set(err, -EINVAL,
				     "diff: -o is for -f flame, without --csv "
				     "and --json");
	if (diff->form != AS_PAGE)
		return 0;
	if (diff->diff.by != PRF_ROWS_BY_FUNCTION)
		return prf_error_set(err, -EINVAL,
				     "diff: -f flame is of functions; leave -s "
				     "out");
	if (diff->max || diff->matching.has_focus || diff->matching.has_ignore)
		return prf_error_set(err, -EINVAL,
				     "diff: -f flame has all functions, and "
				     "searches; leave -n, --focus and --ignore "
				     "out");
	return 0;
}

/* Do they go together? */
static int
check_words(struct diff *diff, struct prf_error *err)
{
	int rc = check_page(diff, err);

	if (rc)
		return rc;
	if (diff->diff.by_total && diff->diff.by != PRF_ROWS_BY_FUNCTION)
		return prf_error_set(err, -EINVAL,
				     "diff: --children is of functions; leave "
				     "-s out");
	if (diff->has_threshold && !diff->exit_code)
		return prf_error_set(err, -EINVAL,
				     "diff: --threshold is for --exit-code; "
				     "give both");
	if (diff->side != BY_PLACE && diff->n_by_place)
		return prf_error_set(err, -EINVAL,
				     "diff: a file stands before --old and "
				     "--new; put it behind one of them");
	if (!diff->diff.n_old || !diff->diff.n_new)
		return prf_error_set(err, -EINVAL,
				     "diff: give two profiles: profrun diff "
				     "OLD NEW");
	return 0;
}

/* --- What is printed */

static int
fail(const struct diff *diff, int status, const struct prf_error *err)
{
	return prf_reading_fail(&diff->reading, status, err);
}

static int
out_of_memory(const struct diff *diff)
{
	struct prf_error err;

	prf_error_set(&err, -ENOMEM, "out of memory");
	return fail(diff, PRF_EXIT_FAILED, &err);
}

/* Puts those that are wanted into SHOWN. */
static size_t
choose(const struct diff *diff, struct prf_diff_row *shown)
{
	size_t n = 0;

	for (size_t i = 0; i < diff->diff.n; i++) {
		const struct prf_diff_row *row = &diff->diff.rows[i];
		const char *names[] = {row->name, row->binary, NULL};

		if (prf_matching_wants(&diff->matching, names))
			shown[n++] = *row;
	}
	return n;
}

/* How many of the N ROWS that were chosen are printed. */
static size_t
limit(const struct diff *diff, const struct prf_diff_row *rows, size_t n)
{
	size_t max = 0;

	if (diff->max || diff->form != AS_TABLE)
		return diff->max && diff->max < n ? diff->max : n;
	while (max < n && rows[max].change->verdict != PRF_CHANGE_NONE)
		max++;
	return n - max > USUAL_OTHERS ? max + USUAL_OTHERS : n;
}

static int
print(const struct diff *diff, const struct prf_diff_row *rows, size_t n)
{
	const struct prf_style style =
		prf_terminal_style(stdout, 0, diff->full_names);
	size_t max = limit(diff, rows, n);
	int rc = 0;

	switch (diff->form) {
	case AS_CSV:
		prf_diff_export_csv(&diff->diff, rows, max, stdout);
		break;
	case AS_JSON:
		prf_diff_export_json(&diff->diff, rows, max, n - max, stdout);
		break;
	case AS_PAGE:
		break;
	case AS_TABLE:
		prf_diff_print_header(&diff->diff, stdout);
		rc = prf_diff_print_table(&diff->diff, rows, max, n - max,
					  &style, stdout);
		if (!rc)
			prf_diff_print_footer(&diff->diff, stdout);
	}
	return rc;
}

static int
write_page(const struct diff *diff)
{
	PRF_AUTO(prf_target_close) struct prf_target target = {0};
	const char *path = diff->output ? diff->output : USUAL_PAGE;
	struct prf_error err = {0};

	if (prf_target_open(&target, path, false, &err))
		return fail(diff, PRF_EXIT_FAILED, &err);
	if (prf_diff_page_write(&diff->diff, diff->full_names,
				PRF_PAGE_NODES_MAX, target.stream))
		return out_of_memory(diff);
	return prf_target_commit(&target, &err)
		       ? fail(diff, PRF_EXIT_FAILED, &err)
		       : PRF_EXIT_OK;
}

static int
print_all(const struct diff *diff, const struct prf_diff_row *rows, size_t n)
{
	struct prf_error err;

	if (print(diff, rows, n))
		return out_of_memory(diff);
	if (!fflush(stdout) && !ferror(stdout))
		return PRF_EXIT_OK;
	prf_error_set(&err, -EIO, "standard output: %m");
	return fail(diff, PRF_EXIT_FAILED, &err);
}

static bool
is_slower(const struct diff *diff, const struct prf_diff_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct prf_change *change = rows[i].change;

		if (change->verdict == PRF_CHANGE_SLOWER &&
		    100 * (change->new_share - change->old_share) >
			    diff->threshold)
			return true;
	}
	return false;
}

static int
finish(const struct diff *diff)
{
	PRF_AUTO(prf_auto_free)
	struct prf_diff_row *rows = calloc(diff->diff.n + 1, sizeof *rows);
	struct prf_error err;

	if (!rows)
		return out_of_memory(diff);
	size_t n = choose(diff, rows);
	if (!n) {
		prf_error_set(&err, -ENOENT,
			      "diff: no %s is left by --focus and --ignore",
			      prf_diff_heading(&diff->diff));
		return fail(diff, PRF_EXIT_TROUBLE, &err);
	}
	int status = diff->form == AS_PAGE ? write_page(diff)
					   : print_all(diff, rows, n);
	if (status)
		return status;
	return diff->exit_code && is_slower(diff, rows, n) ? PRF_EXIT_SLOWER
							   : PRF_EXIT_OK;
}

/* --- All of it */

static int
read_all(struct diff *diff, struct prf_diff_file *files)
{
	struct prf_error err = {0};
	int rc = 0;

	for (size_t i = 0; !rc && i < diff->n_paths; i++)
		rc = prf_diff_file_read(&files[i], diff->paths[i],
					&diff->reading, &diff->diff,
					&diff->diff.runs[i], &err);
	if (!rc)
		rc = prf_diff_runs_check(&diff->diff, &err);
	if (rc)
		return fail(diff, PRF_EXIT_TROUBLE, &err);
	return prf_diff_make(&diff->diff) ? out_of_memory(diff) : finish(diff);
}

static int
run(struct diff *diff)
{
	struct prf_diff_file *files = calloc(diff->n_paths, sizeof *files);
	struct prf_diff_run *runs = calloc(diff->n_paths, sizeof *runs);
	int status;

	diff->diff.runs = runs;
	diff->diff.has_nodes = diff->form == AS_PAGE;
	status = files && runs ? read_all(diff, files) : out_of_memory(diff);
	prf_diff_clear(&diff->diff);
	for (size_t i = 0; files && i < diff->n_paths; i++)
		prf_diff_file_clear(&files[i]);
	free(files);
	free(runs);
	return status;
}

static size_t
count_words(char **words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

int
prf_cmd_diff(const struct prf_options *options,
	     const struct prf_messages *messages)
{
	PRF_AUTO(prf_auto_free)
	const char **paths =
		calloc(count_words(options->program) + 1, sizeof(*paths));
	struct diff diff = {.reading.messages = *messages, .paths = paths};
	struct prf_error err = {0};

	if (!paths)
		return out_of_memory(&diff);
	int rc = prf_reading_parse_in_order(&prf_diff_parser, options->program,
					    &diff, &err);
	if (!rc && !diff.reading.help)
		rc = check_words(&diff, &err);
	int status =
		!rc && diff.reading.help
			? prf_reading_help(&prf_diff_parser, "diff", messages)
		: rc ? fail(&diff, PRF_EXIT_FAILED, &err)
		     : run(&diff);

	prf_matching_clear(&diff.matching);
	return status;
}
