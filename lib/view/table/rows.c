#include "view/table/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "profile/functions.h"
#include "profile/named_counts.h"
#include "profile/thread_states.h"
#include "view/export/share_export.h"
#include "view/table/clones.h"
#include "view/table/distinct_names.h"
#include "view/table/line_ticks.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share_columns.h"
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

static int
add_ranks(struct prf_rows *rows, const struct prf_profile *profile)
{
	PRF_AUTO(prf_thread_states_clear) struct prf_thread_states states;
	int rc = prf_thread_states_of(profile, &states);

	for (size_t i = 0; !rc && i < states.n; i++) {
		const struct prf_thread_doing *thread = &states.threads[i];
		char name[32] = "no rank";

		if (thread->rank >= 0)
			snprintf(name, sizeof name, "rank %d",
				 (int)thread->rank);
		rc = add(rows, strdup(name), "", &thread->all);
	}
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
	[PRF_ROWS_BY_RANK] = {"rank", add_ranks},
};

const char *
prf_rows_heading(enum prf_rows_by by)
{
	return kinds[by].heading;
}

bool
prf_rows_has_binary(enum prf_rows_by by)
{
	return by == PRF_ROWS_BY_FUNCTION || by == PRF_ROWS_BY_LINE;
}

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

	if (!rc)
		rc = left->inlined - right->inlined;
	return rc ? rc : strcmp(left->binary, right->binary);
}

/* Of rows that were sorted by name. */
static int
by_ticks(const void *a, const void *b)
{
	const struct prf_row *left = a, *right = b;

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	return (left->place > right->place) - (left->place < right->place);
}

static int
by_total(const void *a, const void *b)
{
	const struct prf_row *left = a, *right = b;

	if (left->total.ticks != right->total.ticks)
		return left->total.ticks > right->total.ticks ? -1 : 1;
	return by_ticks(a, b);
}

/* No file is so large that it tells the truth beyond. */
static uint64_t
sum_of_calls(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Rows that follow each other under one name become the first of them.  Each that
 * is left has its place. */
static void
merge(struct prf_rows *rows)
{
	size_t kept = 0;

	rows->rows[kept].place = kept;
	for (size_t i = 1; i < rows->n; i++) {
		struct prf_row *row = &rows->rows[i];

		if (by_name(&rows->rows[kept], row)) {
			rows->rows[++kept] = *row;
			rows->rows[kept].place = kept;
			continue;
		}
		prf_count_merge(&rows->rows[kept].count, &row->count);
		prf_count_merge(&rows->rows[kept].total, &row->total);
		rows->rows[kept].calls =
			sum_of_calls(rows->rows[kept].calls, row->calls);
		free(row->name);
		free(row->binary);
	}
	rows->n = kept + 1;
}

static void
sort_by_name(struct prf_rows *rows)
{
	if (!rows->n)
		return;
	qsort(rows->rows, rows->n, sizeof *rows->rows, by_name);
	merge(rows);
}

void
prf_rows_sort(struct prf_rows *rows)
{
	sort_by_name(rows);
	if (rows->n)
		qsort(rows->rows, rows->n, sizeof *rows->rows, by_ticks);
}

void
prf_rows_sort_by_total(struct prf_rows *rows)
{
	if (rows->n)
		qsort(rows->rows, rows->n, sizeof *rows->rows, by_total);
}

/* --- Totals */

static const char *
binary_name(const struct prf_call_function *function)
{
	return function->binary ? function->binary->name : "";
}

static int
add_called(struct prf_rows *rows, const struct prf_call_function *function,
	   const struct prf_count *self)
{
	int rc = add(rows, prf_demangle(function->name), binary_name(function),
		     self);

	if (rc)
		return rc;
	note_demangled(&rows->rows[rows->n - 1], function->name);
	rows->rows[rows->n - 1].inlined = function->inlined;
	return 0;
}

int
prf_rows_add_graph(struct prf_rows *rows, const struct prf_call_graph *graph)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < graph->n_functions; i++)
		if (graph->functions[i].self.ticks)
			rc = add_called(rows, &graph->functions[i],
					&graph->functions[i].self);
	return rc;
}

int
prf_rows_find(const struct prf_rows *rows,
	      const struct prf_call_function *function, size_t *number)
{
	PRF_AUTO(prf_auto_free) char *name = prf_demangle(function->name);
	const struct prf_row key = {.name = name,
				    .binary = (char *)binary_name(function),
				    .inlined = function->inlined};

	if (!name)
		return -ENOMEM;
	const struct prf_row *row =
		bsearch(&key, rows->rows, rows->n, sizeof *rows->rows, by_name);
	/* Where memory is short a name may have stayed mangled. */
	if (!row)
		return -ENOMEM;
	*number = (size_t)(row - rows->rows);
	return 0;
}

/* What is known of a graph's functions. */
struct numbers {
	size_t *rows;  /* of each function */
	size_t *joint; /* of each row: a sample counts once in those of one */
	size_t *outer; /* on the way to a node, how many of each such number */
};

static void
clear_numbers(struct numbers *numbers)
{
	free(numbers->rows);
	free(numbers->joint);
	free(numbers->outer);
}

static int
number_row(struct prf_named_counts *keys, const struct prf_row *row,
	   size_t *number)
{
	PRF_AUTO(prf_auto_free) char *key = NULL;

	if (asprintf(&key, "%.*s\n%s", (int)prf_clones_name_bytes(row->name),
		     row->name, row->binary) < 0) {
		key = NULL;
		return -ENOMEM;
	}
	return prf_named_counts_intern(keys, key, number);
}

/* NUMBERS: of the function that each row is, or is a clone or a part of; those are
 * below ROWS->n.  -ENOMEM. */
static int
number_clones(const struct prf_rows *rows, size_t *numbers)
{
	PRF_AUTO(prf_named_counts_clear) struct prf_named_counts keys = {0};
	int rc = 0;

	for (size_t i = 0; !rc && i < rows->n; i++)
		rc = number_row(&keys, &rows->rows[i], &numbers[i]);
	return rc;
}

static int
make_numbers(const struct prf_rows *rows, const struct prf_call_graph *graph,
	     struct numbers *numbers)
{
	int rc = 0;

	numbers->rows = calloc(graph->n_functions + 1, sizeof(size_t));
	numbers->joint = calloc(rows->n + 1, sizeof(size_t));
	numbers->outer = calloc(rows->n + 1, sizeof(size_t));
	if (!numbers->rows || !numbers->joint || !numbers->outer)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < graph->n_functions; i++)
		rc = prf_rows_find(rows, &graph->functions[i],
				   &numbers->rows[i]);
	if (!rc && rows->joins_clones)
		return number_clones(rows, numbers->joint);
	for (size_t i = 0; i < rows->n; i++)
		numbers->joint[i] = i;
	return rc;
}

static void
count_totals(struct prf_rows *rows, const struct prf_call_graph *graph,
	     const struct numbers *numbers)
{
	size_t at = graph->nodes[0].child;

	while (at != PRF_CALL_NONE) {
		const struct prf_call_node *node = &graph->nodes[at];
		size_t row = numbers->rows[node->function];

		if (!numbers->outer[numbers->joint[row]]++)
			prf_count_merge(&rows->rows[row].total, &node->total);
		at = node->child;
		/* Back to where there is another way. */
		for (size_t up = (size_t)(node - graph->nodes);
		     at == PRF_CALL_NONE && up; up = graph->nodes[up].parent) {
			row = numbers->rows[graph->nodes[up].function];
			numbers->outer[numbers->joint[row]]--;
			at = graph->nodes[up].sibling;
		}
	}
}

int
prf_rows_add_totals(struct prf_rows *rows, const struct prf_call_graph *graph)
{
	static const struct prf_count none;
	PRF_AUTO(clear_numbers) struct numbers numbers = {0};
	int rc = 0;

	for (size_t i = 0; !rc && i < graph->n_functions; i++)
		rc = add_called(rows, &graph->functions[i], &none);
	sort_by_name(rows);
	if (!rc)
		rc = make_numbers(rows, graph, &numbers);
	if (rc)
		return rc;
	if (graph->n_nodes)
		count_totals(rows, graph, &numbers);
	rows->has_totals = true;
	return 0;
}

/* --- Calls */

static int
add_call(struct prf_rows *rows, const struct prf_arc *arc)
{
	static const struct prf_count none;
	const struct prf_binary *binary = arc->to.binary;
	size_t at = prf_symbol_list_at(&binary->symbols, arc->to.vaddr);

	if (at == (size_t)-1)
		return 0;
	const char *name = binary->symbols.all[at].name;
	int rc = add(rows, prf_demangle(name), binary->name, &none);
	if (rc)
		return rc;
	note_demangled(&rows->rows[rows->n - 1], name);
	rows->rows[rows->n - 1].calls = arc->count;
	return 0;
}

int
prf_rows_add_calls(struct prf_rows *rows, const struct prf_profile *profile)
{
	const struct prf_arcs *arcs = &profile->arcs;
	int rc = 0;

	rows->has_calls = arcs->n > 0;
	for (size_t i = 0; !rc && i < arcs->n; i++)
		rc = add_call(rows, &arcs->all[i]);
	return rc;
}

/* --- As text */

/* How wide the column of calls is, two blanks before it too; 0: there is none. */
static int
calls_width(const struct prf_rows *rows)
{
	uint64_t most = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (rows->rows[i].calls > most)
			most = rows->rows[i].calls;
	int width = snprintf(NULL, 0, "%" PRIu64, most);
	int least = (int)sizeof "calls" - 1;
	return rows->has_calls ? 2 + (width > least ? width : least) : 0;
}

static char *
shown_name(const struct prf_row *row, const struct prf_share_columns *shares)
{
	enum { BINARY_WIDTH = 20 };

	if (row->is_path && shares->style->width > 0)
		return prf_name_columns_path_end(
			row->name, shares->style->width,
			prf_share_columns_width(shares) + BINARY_WIDTH);
	if (row->inlined)
		return prf_name_columns_inlined(row->name, shares->style);
	return row->is_demangled && !shares->style->full_names
		       ? prf_short_name(row->name)
		       : strdup(row->name);
}

/* Those of ROWS, to be freed with prf_distinct_names_free().  NULL: out of memory. */
static struct prf_distinct_name *
shown_names(const struct prf_rows *rows, const struct prf_share_columns *shares)
{
	struct prf_distinct_name *names = calloc(rows->n + 1, sizeof *names);
	int rc = names ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < rows->n; i++) {
		names[i] = (struct prf_distinct_name){
			.whole = strdup(rows->rows[i].name),
			.binary = rows->rows[i].binary,
			.shown = shown_name(&rows->rows[i], shares),
		};
		rc = names[i].whole && names[i].shown ? 0 : -ENOMEM;
	}
	if (rc == 0)
		rc = prf_distinct_names_make(names, rows->n, shares->style);
	if (rc == 0)
		return names;
	prf_distinct_names_free(names, rows->n);
	return NULL;
}

static void
print_row(const struct prf_share_columns *shares, int calls,
	  const struct prf_row *row, const char *name,
	  const struct prf_name_columns *columns, FILE *out)
{
	prf_share_columns_print(shares, &row->count, &row->total, out);
	if (calls)
		fprintf(out, "%*" PRIu64, calls, row->calls);
	prf_name_columns_print(columns, name, row->binary, out);
}

int
prf_rows_print(const struct prf_rows *rows, enum prf_rows_by by,
	       uint64_t period_ns, const struct prf_style *style, FILE *out)
{
	struct prf_name_columns columns = {0};
	const struct prf_share_columns shares = {
		.has_totals = rows->has_totals,
		.period_ns = period_ns,
		.all = rows->all,
		.doubt = rows->doubt,
		.style = style,
	};
	const char *binary = prf_rows_has_binary(by) ? "binary" : "";
	struct prf_distinct_name *names = shown_names(rows, &shares);
	int calls = calls_width(rows);

	if (!names)
		return -ENOMEM;
	prf_name_columns_fit(&columns, kinds[by].heading, binary);
	for (size_t i = 0; i < rows->n; i++)
		prf_name_columns_fit(&columns, names[i].shown, names[i].binary);
	prf_name_columns_settle(
		&columns, prf_share_columns_width(&shares) + (size_t)calls,
		style);
	prf_share_columns_print_headings(&shares, out);
	if (calls)
		fprintf(out, "%*s", calls, "calls");
	prf_name_columns_print(&columns, kinds[by].heading, binary, out);
	for (size_t i = 0; i < rows->n; i++)
		print_row(&shares, calls, &rows->rows[i], names[i].shown,
			  &columns, out);
	prf_distinct_names_free(names, rows->n);
	return 0;
}

/* A quote is doubled; blanks and commas are of no harm. */
static void
print_quoted(const char *text, FILE *out)
{
	prf_plain_print_quoted(text, "\"", '"', out);
}

static void
print_csv_row(const struct prf_rows *rows, const struct prf_row *row,
	      bool has_binary, const struct prf_share_export *of, FILE *out)
{
	prf_share_export_csv(of, &row->count, out);
	fprintf(out, ",%.6f,", prf_share_export_seconds(of, &row->count));
	print_quoted(row->name, out);
	if (has_binary) {
		fputc(',', out);
		print_quoted(row->binary, out);
	}
	if (rows->has_totals) {
		fputc(',', out);
		prf_share_export_csv(of, &row->total, out);
	}
	if (rows->has_inlined)
		fputs(row->inlined ? ",1" : ",0", out);
	if (rows->has_calls)
		fprintf(out, ",%" PRIu64, row->calls);
	fputc('\n', out);
}

void
prf_rows_print_csv(const struct prf_rows *rows, enum prf_rows_by by,
		   uint64_t period_ns, FILE *out)
{
	const struct prf_share_export of = {rows->all, rows->doubt, period_ns};
	bool with_binary = prf_rows_has_binary(by);

	fprintf(out, "ticks,percent,low,high,seconds,%s%s%s%s%s\n",
		kinds[by].heading, with_binary ? ",binary" : "",
		rows->has_totals
			? ",total_ticks,total_percent,total_low,total_high"
			: "",
		rows->has_inlined ? ",inlined" : "",
		rows->has_calls ? ",calls" : "");
	for (size_t i = 0; i < rows->n; i++)
		print_csv_row(rows, &rows->rows[i], with_binary, &of, out);
}
