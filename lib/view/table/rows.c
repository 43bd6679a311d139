#include "view/table/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "profile/functions.h"
#include "view/table/plain.h"

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
	rows->rows[rows->n++] = (struct prf_row){PRF_TAKE(own_name),
						 PRF_TAKE(own_binary), *count};
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

static int
add_functions(struct prf_rows *rows, const struct prf_profile *profile)
{
	PRF_AUTO(prf_functions_clear) struct prf_functions functions;
	int rc = prf_functions_of(profile, &functions);

	for (size_t i = 0; !rc && i < functions.n; i++) {
		const struct prf_function *function = &functions.all[i];

		rc = add(rows, prf_demangle(function->name),
			 function->binary->name, &function->count);
	}
	return rc;
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
share_of(const struct prf_rows *rows, const struct prf_row *row)
{
	return 100 * (double)row->count.ticks / (double)rows->all.ticks;
}

static double
seconds_of(const struct prf_row *row, uint64_t period_ns)
{
	return (double)row->count.ticks * (double)period_ns / 1e9;
}

static size_t
width_of(const struct prf_rows *rows, const char *heading)
{
	const size_t most = 48;
	size_t width = strlen(heading);

	for (size_t i = 0; i < rows->n; i++) {
		size_t length = prf_plain_width(rows->rows[i].name);

		if (length > width && length <= most)
			width = length;
	}
	return width;
}

static void
print_row(const struct prf_rows *rows, const struct prf_row *row,
	  uint64_t period_ns, size_t width, FILE *out)
{
	size_t shown = prf_plain_width(row->name);

	fprintf(out, "  %6.2f  ±%5.2f  %9.3f  ", share_of(rows, row),
		100 * prf_count_error(&row->count, &rows->all),
		seconds_of(row, period_ns));
	prf_plain_print(row->name, out);
	if (*row->binary) {
		fprintf(out, "%*s  ", shown < width ? (int)(width - shown) : 0,
			"");
		prf_plain_print(row->binary, out);
	}
	fputc('\n', out);
}

void
prf_rows_print(const struct prf_rows *rows, enum prf_rows_by by,
	       uint64_t period_ns, FILE *out)
{
	size_t width = width_of(rows, kinds[by].heading);

	if (by == PRF_ROWS_BY_FUNCTION)
		fprintf(out, "  self %%  ± 95 %%     self s  %-*s  binary\n",
			(int)width, "function");
	else
		fprintf(out, "  self %%  ± 95 %%     self s  %s\n",
			kinds[by].heading);
	for (size_t i = 0; i < rows->n; i++)
		print_row(rows, &rows->rows[i], period_ns, width, out);
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
	fprintf(out, "ticks,percent,error,seconds,%s%s\n", kinds[by].heading,
		by == PRF_ROWS_BY_FUNCTION ? ",binary" : "");
	for (size_t i = 0; i < rows->n; i++) {
		const struct prf_row *row = &rows->rows[i];

		fprintf(out, "%" PRIu64 ",%.4f,%.4f,%.6f,", row->count.ticks,
			share_of(rows, row),
			100 * prf_count_error(&row->count, &rows->all),
			seconds_of(row, period_ns));
		print_quoted(row->name, out);
		if (by == PRF_ROWS_BY_FUNCTION) {
			fputc(',', out);
			print_quoted(row->binary, out);
		}
		fputc('\n', out);
	}
}
