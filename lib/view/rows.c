#include "view/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/plain.h"
#include "view/symsfile.h"

PRF_DEFINE_AUTO(prf_syms, prf_syms_free);

/* NAME is taken over; NULL: out of memory. */
static int
add(struct prf_rows *rows, char *name, const char *object,
    const struct prf_count *count)
{
	PRF_AUTO(prf_auto_free) char *own_name = name;
	PRF_AUTO(prf_auto_free) char *own_object = strdup(object);

	if (!own_name || !own_object)
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
						 PRF_TAKE(own_object), *count};
	prf_count_merge(&rows->all, count);
	return 0;
}

void
prf_rows_clear(struct prf_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		free(rows->rows[i].name);
		free(rows->rows[i].object);
	}
	free(rows->rows);
	*rows = (struct prf_rows){0};
}

/* --- A family */

static int
add_functions(struct prf_rows *rows, const struct prf_family *family)
{
	const struct prf_totals *totals = &family->totals;
	int rc = 0;

	for (size_t i = 0; !rc && i < totals->n_functions; i++)
		rc = add(rows, prf_demangle(totals->functions[i]->name),
			 totals->functions[i]->object,
			 &totals->functions[i]->count);
	return rc;
}

static int
add_objects(struct prf_rows *rows, const struct prf_family *family)
{
	const struct prf_totals *totals = &family->totals;
	int rc = 0;

	for (size_t i = 0; !rc && i < totals->n_functions; i++) {
		const struct prf_total *total = totals->functions[i];

		rc = add(rows,
			 strdup(*total->path ? total->path : total->object), "",
			 &total->count);
	}
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
add_processes(struct prf_rows *rows, const struct prf_family *family)
{
	const struct prf_tree *tree = &family->tree;
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
add_threads(struct prf_rows *rows, const struct prf_family *family)
{
	const struct prf_threads *threads = &family->threads;
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
	int (*add)(struct prf_rows *rows, const struct prf_family *family);
} kinds[PRF_N_ROWS_BY] = {
	[PRF_ROWS_BY_FUNCTION] = {"function", add_functions},
	[PRF_ROWS_BY_OBJECT] = {"object", add_objects},
	[PRF_ROWS_BY_PROCESS] = {"process", add_processes},
	[PRF_ROWS_BY_THREAD] = {"thread", add_threads},
};

int
prf_rows_add_family(struct prf_rows *rows, const struct prf_family *family,
		    enum prf_rows_by by)
{
	return kinds[by].add(rows, family);
}

/* --- A gmon.out */

/* "[kernel]" is its object, and has a column. */
static const char *
name_of(const struct prf_syms_symbol *symbol)
{
	static const char kernel[] = "[kernel]:";

	if (!symbol)
		return "[unknown]";
	return strncmp(symbol->name, kernel, sizeof kernel - 1)
		       ? symbol->name
		       : symbol->name + sizeof kernel - 1;
}

static int
add_bin(struct prf_rows *rows, const struct prf_syms *syms, uint64_t addr,
	uint64_t ticks, enum prf_rows_by by)
{
	/* How many looks those were the file does not tell. */
	const struct prf_count count = {ticks, (double)ticks};
	const struct prf_syms_symbol *symbol = prf_syms_at(syms, addr);
	PRF_AUTO(prf_auto_free)
	char *path =
		symbol ? prf_syms_decode_path(&syms->objects[symbol->object])
		       : strdup("[unknown]");

	if (!path)
		return -ENOMEM;
	if (by == PRF_ROWS_BY_OBJECT)
		return add(rows, PRF_TAKE(path), "", &count);
	const char *slash = strrchr(path, '/');
	return add(rows, prf_demangle(name_of(symbol)),
		   slash ? slash + 1 : path, &count);
}

static int
add_hist(struct prf_rows *rows, const struct prf_syms *syms,
	 const struct prf_gmon_hist *hist, enum prf_rows_by by)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < hist->n_bins; i++)
		if (hist->counts[i])
			rc = add_bin(rows, syms, prf_gmon_bin_vaddr(hist, i),
				     hist->counts[i], by);
	return rc;
}

int
prf_rows_add_gmon(struct prf_rows *rows, const struct prf_gmon *gmon, FILE *in,
		  enum prf_rows_by by, struct prf_error *err)
{
	PRF_AUTO(prf_syms_auto) struct prf_syms *syms = NULL;

	if (by != PRF_ROWS_BY_FUNCTION && by != PRF_ROWS_BY_OBJECT)
		return prf_error_set(err, -EINVAL,
				     "a gmon.out knows no processes or "
				     "threads");
	int rc = prf_syms_read(in, &syms, err);
	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < gmon->n_hists; i++)
		rc = add_hist(rows, syms, &gmon->hists[i], by);
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

/* --- The table */

static int
by_name(const void *a, const void *b)
{
	const struct prf_row *left = a, *right = b;
	int rc = strcmp(left->name, right->name);

	return rc ? rc : strcmp(left->object, right->object);
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
		free(row->object);
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
	if (*row->object) {
		fprintf(out, "%*s  ", shown < width ? (int)(width - shown) : 0,
			"");
		prf_plain_print(row->object, out);
	}
	fputc('\n', out);
}

void
prf_rows_print(const struct prf_rows *rows, enum prf_rows_by by,
	       uint64_t period_ns, FILE *out)
{
	size_t width = width_of(rows, kinds[by].heading);

	if (by == PRF_ROWS_BY_FUNCTION)
		fprintf(out, "  self %%  ± 95 %%     self s  %-*s  object\n",
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
	PRF_AUTO(prf_auto_free) char *copy = strdup(text);
	char *at = copy;

	fputc('"', out);
	for (char *quote; at && (quote = strchr(at, '"')); at = quote + 1) {
		*quote = '\0';
		prf_plain_print(at, out);
		fputs("\"\"", out);
	}
	if (at)
		prf_plain_print(at, out);
	fputc('"', out);
}

void
prf_rows_print_csv(const struct prf_rows *rows, enum prf_rows_by by,
		   uint64_t period_ns, FILE *out)
{
	fprintf(out, "ticks,percent,error,seconds,%s%s\n", kinds[by].heading,
		by == PRF_ROWS_BY_FUNCTION ? ",object" : "");
	for (size_t i = 0; i < rows->n; i++) {
		const struct prf_row *row = &rows->rows[i];

		fprintf(out, "%" PRIu64 ",%.4f,%.4f,%.6f,", row->count.ticks,
			share_of(rows, row),
			100 * prf_count_error(&row->count, &rows->all),
			seconds_of(row, period_ns));
		print_quoted(row->name, out);
		if (by == PRF_ROWS_BY_FUNCTION) {
			fputc(',', out);
			print_quoted(row->object, out);
		}
		fputc('\n', out);
	}
}
