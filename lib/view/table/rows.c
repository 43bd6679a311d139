#include "view/table/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "profile/functions.h"
#include "view/table/line_ticks.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share.h"
#include "view/table/short_name.h"

/* NAME is taken over; NULL: out of memory. */
static int
add(struct prf_rows *rows, char *name, const char *binary,
    const struct prf_count *count)
{
	PRF_AUTO(prf_auto_free) char *own_name = name;
	PRF_AUTO(prf_auto_free) char *own_binary = strdup(binary);

	if (!own_name || !own_binary)
		return -ENOMEM;
	if (rows->n == rows->room) {
		size_t room = rows->room * 2 + 64;
		struct prf_row *grown =
			reallocarray(rows->rows, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		rows->rows = grown;
		rows->room = room;
	}
	rows->rows[rows->n++] = (struct prf_row){
		.name = PRF_TAKE(own_name),
		.binary = PRF_TAKE(own_binary),
		.count = *count,
	};
	prf_count_merge(&rows->all, count);
	return 0;
}

void
prf_rows_clear(struct prf_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		free(rows->rows[i].name);
		free(rows->rows[i].binary);
	}
	free(rows->rows);
	*rows = (struct prf_rows){0};
}

/* --- Of a profile */

static void
note_demangled(struct prf_row *row, const char *name)
{
	row->is_demangled = strcmp(row->name, name) != 0;
}

static int
add_functions(struct prf_rows *rows, const struct prf_profile *profile)
{
	PRF_AUTO(prf_functions_clear) struct prf_functions functions;
	int rc = prf_functions_of(profile, &functions);

	for (size_t i = 0; !rc && i < functions.n; i++) {
		const struct prf_function *function = &functions.all[i];

		rc = add(rows, prf_demangle(function->name),
			 function->binary->name, &function->count);
		if (!rc)
			note_demangled(&rows->rows[rows->n - 1],
				       function->name);
	}
	return rc;
}

/* "FILE:LINE", or the function's name where no line is known.  NULL: out of
 * memory. */
static char *
place_name(const struct prf_line_ticks *ticks)
{
	const struct prf_line *line = ticks->line;
	char *name;

	if (line && line->file && line->line)
		return asprintf(&name, "%s:%" PRIu32, line->file, line->line) <
				       0
			       ? NULL
			       : name;
	const struct prf_style style = {0};
	PRF_AUTO(prf_auto_free)
	char *function = prf_name_columns_name(
		ticks->function ? ticks->function : "?", &style);
	if (!function || ticks->binary->form == PRF_BINARY_BY_NAME)
		return PRF_TAKE(function);
	return asprintf(&name, "%s [no line]", function) < 0 ? NULL : name;
}

static int
add_line(void *arg, const struct prf_line_ticks *ticks)
{
	struct prf_rows *rows = arg;
	int rc = add(rows, place_name(ticks), ticks->binary->name,
		     &ticks->count);

	if (!rc)
		rows->rows[rows->n - 1].is_path =
			ticks->line && ticks->line->file && ticks->line->line;
	return rc;
}

static int
add_lines(struct prf_rows *rows, const struct prf_profile *profile)
{
	return prf_line_ticks_walk(profile, rows->lines, add_line, rows);
}

static int
add_binaries(struct prf_rows *rows, const struct prf_profile *profile)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary->total.ticks)
			rc = add(rows,
				 strdup(*binary->path ? binary->path
						      : binary->name),
				 "", &binary->total);
	}
	return rc;
}

static int
add_programs(struct prf_rows *rows, const struct prf_profile *profile)
{
	const struct prf_programs *programs = &profile->programs;
	int rc = 0;

	for (size_t i = 0; !rc && i < programs->n; i++)
		rc = add(rows, strdup(prf_programs_name(&programs->rows[i])),
			 "", &programs->rows[i].count);
	return rc;
}

/* "PID what"; NULL: out of memory. */
static char *
numbered(pid_t id, const char *what)
{
	char *name;

	return asprintf(&name, "%d %s", (int)id, *what ? what : "?") < 0 ? NULL
									 : name;
}

static int
add_processes(struct prf_rows *rows, const struct prf_profile *profile)
{
	const struct prf_tree *tree = &profile->tree;
	int rc = 0;

	for (struct prf_branch *branch = prf_tree_next(tree, NULL);
	     !rc && branch; branch = prf_tree_next(tree, branch)) {
		struct prf_count count = branch->count;

		prf_count_merge(&count, &branch->folded);
		if (count.ticks)
			rc = add(rows,
				 numbered(branch->pid,
					  prf_program_command(branch->program)),
				 "", &count);
	}
	if (!rc && tree->root.folded.ticks)
		rc = add(rows, strdup("others"), "", &tree->root.folded);
	return rc;
}

static int
add_threads(struct prf_rows *rows, const struct prf_profile *profile)
{
	const struct prf_thread_rows *threads = &profile->threads;
	int rc = 0;

	for (size_t i = 0; !rc && i < threads->n; i++)
		rc = add(rows,
			 numbered(threads->rows[i].tid, threads->rows[i].name),
			 "", &threads->rows[i].count);
	if (!rc && threads->folded.ticks)
		rc = add(rows, strdup("others"), "", &threads->folded);
	return rc;
}

static const struct {
	const char *heading;
	int (*add)(struct prf_rows *rows, const struct prf_profile *profile);
} kinds[PRF_N_ROWS_BY] = {
	[PRF_ROWS_BY_FUNCTION] = {"function", add_functions},
	[PRF_ROWS_BY_LINE] = {"line", add_lines},
	[PRF_ROWS_BY_BINARY] = {"binary", add_binaries},
	[PRF_ROWS_BY_PROGRAM] = {"program", add_programs},
	[PRF_ROWS_BY_PROCESS] = {"process", add_processes},
	[PRF_ROWS_BY_THREAD] = {"thread", add_threads},
};

int
prf_rows_add(struct prf_rows *rows, const struct prf_profile *profile,
	     enum prf_rows_by by)
{
	return kinds[by].add(rows, profile);
}

/* --- The table */

static int
by_name(const void *a, const void *b)
{
	const struct prf_row *left = a, *right = b;
	int rc = strcmp(left->name, right->name);

	return rc ? rc : strcmp(left->binary, right->binary);
}

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_row *left = a, *right = b;

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	return by_name(a, b);
}

/* Rows that follow each other under one name become the first of them. */
static void
merge(struct prf_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 1; i < rows->n; i++) {
		struct prf_row *row = &rows->rows[i];

		if (by_name(&rows->rows[kept], row)) {
			rows->rows[++kept] = *row;
			continue;
		}
		prf_count_merge(&rows->rows[kept].count, &row->count);
		free(row->name);
		free(row->binary);
	}
	rows->n = kept + 1;
}

void
prf_rows_sort(struct prf_rows *rows)
{
	if (!rows->n)
		return;
	qsort(rows->rows, rows->n, sizeof *rows->rows, by_name);
	merge(rows);
	qsort(rows->rows, rows->n, sizeof *rows->rows, by_ticks);
}

static double
seconds_of(const struct prf_row *row, uint64_t period_ns)
{
	return (double)row->count.ticks * (double)period_ns / 1e9;
}

/* Does the table have a column for it? */
static bool
has_binary(enum prf_rows_by by)
{
	return by == PRF_ROWS_BY_FUNCTION || by == PRF_ROWS_BY_LINE;
}

/* As many of the last parts of PATH as there is room for.  NULL: out of
 * memory. */
static char *
path_end(const char *path, size_t line_width)
{
	enum { OTHERS = PRF_SHARE_WIDTH + PRF_SECONDS_WIDTH + 20, DOTS = 3 };
	size_t room = line_width > OTHERS + DOTS ? line_width - OTHERS : DOTS;
	size_t n = strlen(path);
	const char *from =
		n > room ? strchr(path + n - room + DOTS, '/') : path;
	char *name;

	if (!from)
		from = strrchr(path, '/');
	if (from == path || !from)
		return strdup(path);
	return asprintf(&name, "...%s", from) < 0 ? NULL : name;
}

static char *
shown_name(const struct prf_row *row, const struct prf_style *style)
{
	if (row->is_path && style->width > 0)
		return path_end(row->name, style->width);
	return row->is_demangled && !style->full_names
		       ? prf_short_name(row->name)
		       : strdup(row->name);
}

static int
fit(struct prf_name_columns *columns, const struct prf_row *row,
    const struct prf_style *style)
{
	PRF_AUTO(prf_auto_free) char *name = shown_name(row, style);

	if (name)
		prf_name_columns_fit(columns, name, row->binary);
	return name ? 0 : -ENOMEM;
}

static int
print_row(const struct prf_rows *rows, const struct prf_row *row,
	  uint64_t period_ns, const struct prf_name_columns *columns,
	  const struct prf_style *style, FILE *out)
{
	PRF_AUTO(prf_auto_free) char *name = shown_name(row, style);

	if (!name)
		return -ENOMEM;
	prf_share_print(&row->count, &rows->all, style, out);
	fprintf(out, PRF_SECONDS, seconds_of(row, period_ns));
	prf_name_columns_print(columns, name, row->binary, out);
	return 0;
}

int
prf_rows_print(const struct prf_rows *rows, enum prf_rows_by by,
	       uint64_t period_ns, const struct prf_style *style, FILE *out)
{
	struct prf_name_columns columns = {0};
	const char *binary = has_binary(by) ? "binary" : "";
	int rc = 0;

	prf_name_columns_fit(&columns, kinds[by].heading, binary);
	for (size_t i = 0; !rc && i < rows->n; i++)
		rc = fit(&columns, &rows->rows[i], style);
	prf_name_columns_settle(&columns, PRF_SHARE_WIDTH + PRF_SECONDS_WIDTH,
				style);
	fputs(PRF_SHARE_HEADING PRF_SECONDS_HEADING, out);
	prf_name_columns_print(&columns, kinds[by].heading, binary, out);
	for (size_t i = 0; !rc && i < rows->n; i++)
		rc = print_row(rows, &rows->rows[i], period_ns, &columns, style,
			       out);
	return rc;
}

/* A quote is doubled; blanks and commas are of no harm. */
static void
print_quoted(const char *text, FILE *out)
{
	prf_plain_print_quoted(text, "\"", '"', out);
}

void
prf_rows_print_csv(const struct prf_rows *rows, enum prf_rows_by by,
		   uint64_t period_ns, FILE *out)
{
	fprintf(out, "ticks,percent,low,high,seconds,%s%s\n", kinds[by].heading,
		has_binary(by) ? ",binary" : "");
	for (size_t i = 0; i < rows->n; i++) {
		const struct prf_row *row = &rows->rows[i];
		const struct prf_interval interval =
			prf_count_interval(&row->count, &rows->all);

		fprintf(out, "%" PRIu64 ",%.4f,%.4f,%.4f,%.6f,",
			row->count.ticks,
			prf_share_percent(&row->count, &rows->all),
			100 * interval.lo, 100 * interval.hi,
			seconds_of(row, period_ns));
		print_quoted(row->name, out);
		if (has_binary(by)) {
			fputc(',', out);
			print_quoted(row->binary, out);
		}
		fputc('\n', out);
	}
}
