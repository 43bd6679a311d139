#include "view/table/mergereport.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/distinct_names.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share.h"

static const char *
base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* --- Ranks */

/* What all names begin and end with, without any digit of a number that
 * differs. */
struct frame {
	size_t n_before, n_behind;
};

static size_t
common_before(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] && a[i] == b[i])
		i++;
	return i;
}

static size_t
common_behind(const char *a, const char *b, size_t n)
{
	size_t a_length = strlen(a), b_length = strlen(b), i = 0;

	while (i < n && i < a_length && i < b_length &&
	       a[a_length - 1 - i] == b[b_length - 1 - i])
		i++;
	return i;
}

static struct frame
frame_of(const struct prf_spread *spread)
{
	const char *first = base_of(spread->files[0]);
	size_t length = strlen(first);
	struct frame frame = {length, length};

	for (size_t i = 1; i < spread->n_files; i++) {
		const char *name = base_of(spread->files[i]);

		frame.n_before = common_before(first, name, frame.n_before);
		frame.n_behind = common_behind(first, name, frame.n_behind);
	}
	while (frame.n_before &&
	       isdigit((unsigned char)first[frame.n_before - 1]))
		frame.n_before--;
	while (frame.n_behind &&
	       isdigit((unsigned char)first[length - frame.n_behind]))
		frame.n_behind--;
	return frame;
}

/* The number in NAME, if it is one below LIMIT; LIMIT: it is not. */
static size_t
number_in(const char *name, const struct frame *frame, size_t limit)
{
	size_t length = strlen(name), number = 0;

	if (frame->n_before + frame->n_behind >= length)
		return limit;
	for (size_t i = frame->n_before; i < length - frame->n_behind; i++) {
		if (!isdigit((unsigned char)name[i]) || number >= limit)
			return limit;
		number = number * 10 + (size_t)(name[i] - '0');
	}
	return number < limit ? number : limit;
}

/* The rank of each file, to be free()d; *NONE: they are not called so.  NULL:
 * out of memory. */
static size_t *
ranks_of(const struct prf_spread *spread, bool *none)
{
	size_t n = spread->n_files;
	struct frame frame = frame_of(spread);
	size_t *ranks = calloc(n, sizeof *ranks);
	PRF_AUTO(prf_auto_free) bool *is_taken = calloc(n, sizeof *is_taken);

	*none = n < 2;
	for (size_t i = 0; ranks && is_taken && i < n && !*none; i++) {
		ranks[i] = number_in(base_of(spread->files[i]), &frame, n);
		*none = ranks[i] == n || is_taken[ranks[i]];
		if (!*none)
			is_taken[ranks[i]] = true;
	}
	if (!is_taken)
		free(PRF_TAKE(ranks));
	return ranks;
}

/* --- One function in all files */

struct value {
	uint64_t ticks;
	size_t file;
};

static int
by_value(const void *a, const void *b)
{
	const struct value *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks < right->ticks ? -1 : 1;
	return (left->file > right->file) - (left->file < right->file);
}

/* VALUES and TICKS have an element for each file. */
static void
sort_values(const struct prf_spread *spread, size_t function, uint64_t *ticks,
	    struct value *values)
{
	prf_spread_of(spread, function, ticks);
	for (size_t i = 0; i < spread->n_files; i++)
		values[i] = (struct value){ticks[i], i};
	qsort(values, spread->n_files, sizeof *values, by_value);
}

static uint64_t
median_of(const struct value *values, size_t n)
{
	uint64_t lo = values[(n - 1) / 2].ticks, hi = values[n / 2].ticks;

	return lo + (hi - lo) / 2;
}

/* --- Lines */

/* What stands where, and how wide it is. */
struct columns {
	const size_t *ranks; /* NULL: files are not ranks */
	size_t ticks, file;
	bool has_range; /* there is room for that of each share */
	struct prf_name_columns names;
};

static const char *
file_name(const struct prf_spread *spread, const struct columns *columns,
	  size_t file, char rank[32])
{
	if (!columns->ranks)
		return base_of(spread->files[file]);
	snprintf(rank, 32, "rank %zu", columns->ranks[file]);
	return rank;
}

static void
print_value(const struct prf_spread *spread, const struct columns *columns,
	    const struct value *value, FILE *out)
{
	char rank[32];
	const char *name = file_name(spread, columns, value->file, rank);
	size_t width = prf_plain_width(name), most = columns->file;

	fprintf(out, "  %*" PRIu64 " ", (int)columns->ticks, value->ticks);
	prf_plain_print_middle_cut(name, most, out);
	fprintf(out, "%*s", width < most ? (int)(most - width) : 0, "");
}

static void
print_function(const struct prf_spread *spread, size_t function,
	       const struct prf_distinct_name *name, const struct value *values,
	       const struct columns *columns, const struct prf_count *all,
	       const struct prf_style *style, FILE *out)
{
	const struct prf_count *count = &spread->functions.all[function].count;

	if (columns->has_range)
		prf_share_print_range(count, all, 0, style, out);
	else
		fprintf(out, "  %6.2f", prf_share_percent(count, all));
	print_value(spread, columns, &values[0], out);
	fprintf(out, "  %*" PRIu64, (int)columns->ticks,
		median_of(values, spread->n_files));
	print_value(spread, columns, &values[spread->n_files - 1], out);
	prf_name_columns_print(&columns->names, name->shown,
			       base_of(name->binary), out);
}

static size_t
n_digits(uint64_t number)
{
	return number < 10 ? 1 : 1 + n_digits(number / 10);
}

/* What stands before the names of functions. */
static size_t
width_before(const struct columns *columns)
{
	size_t share = columns->has_range ? PRF_SHARE_RANGE_WIDTH
					  : sizeof "  100.00" - 1;
	size_t ticks = 2 + columns->ticks;

	return share + 3 * ticks + 2 * (1 + columns->file);
}

/* Names of files get what room there is. */
static void
fit_files(struct columns *columns, const struct prf_spread *spread,
	  const struct prf_style *style)
{
	enum { MIN = 5, MAX = 10, FUNCTION = 2 + 12 + 2 + 6 };
	size_t most = MAX;
	char rank[32];

	for (columns->file = most;
	     most > MIN && width_before(columns) + FUNCTION > style->width;
	     columns->file = most)
		most--;
	columns->file = sizeof "in" - 1;
	for (size_t i = 0; i < spread->n_files; i++) {
		size_t width =
			prf_plain_width(file_name(spread, columns, i, rank));

		if (width > most && style->width)
			width = most;
		if (width > columns->file)
			columns->file = width;
	}
}

/* Names come first: the range of shares is there if they need not be cut for it
 * to less than can be read. */
static void
fit_range(struct columns *columns, const struct prf_style *style)
{
	enum { READABLE = 2 + 16 + 2 + 12 };
	size_t names = 2 + columns->names.name + 2 + columns->names.binary;

	if (names > READABLE)
		names = READABLE;
	columns->has_range = true;
	columns->has_range =
		!style->width || width_before(columns) + names <= style->width;
}

/* With the binaries, which are their own here. */
static void
free_names(struct prf_distinct_name *names, size_t n)
{
	for (size_t i = 0; names && i < n; i++)
		free((char *)names[i].binary);
	prf_distinct_names_free(names, n);
}

/* Those of the N functions that are SORTED first, to be freed with free_names();
 * NULL: out of memory. */
static struct prf_distinct_name *
names_of(const struct prf_spread *spread, const size_t *sorted, size_t n,
	 const struct prf_style *style)
{
	struct prf_distinct_name *names = calloc(n + 1, sizeof *names);
	int rc = names ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < n; i++) {
		const char *path = spread->functions.all[sorted[i]].text;
		const char *end = strchr(path, '\n');
		char *binary = strndup(path, (size_t)(end - path));

		rc = prf_distinct_name_begin(&names[i], end + 1, false, binary,
					     style);
		if (!binary)
			rc = -ENOMEM;
	}
	if (!rc)
		rc = prf_distinct_names_make(names, n, style);
	if (!rc)
		return names;
	free_names(names, n);
	return NULL;
}

/* For N functions with NAMES, of SORTED the first. */
static void
fit_columns(struct columns *columns, const struct prf_spread *spread,
	    const size_t *sorted, const struct prf_distinct_name *names,
	    size_t n, const struct prf_style *style)
{
	const size_t median = sizeof "median" - 1;

	columns->ticks = n_digits(spread->functions.all[sorted[0]].count.ticks);
	if (columns->ticks < median)
		columns->ticks = median;
	fit_files(columns, spread, style);
	prf_name_columns_fit(&columns->names, "function", "binary");
	for (size_t i = 0; i < n; i++)
		prf_name_columns_fit(&columns->names, names[i].shown,
				     base_of(names[i].binary));
	fit_range(columns, style);
	prf_name_columns_settle(&columns->names, width_before(columns), style);
}

static void
print_heading(const struct columns *columns, FILE *out)
{
	int ticks = (int)columns->ticks, file = (int)columns->file;

	fprintf(out, "\n%s  %*s %-*s  %*s  %*s %-*s",
		columns->has_range ? PRF_SHARE_SELF_HEADING : "  self %", ticks,
		"min", file, "in", ticks, "median", ticks, "max", file, "in");
	prf_name_columns_print(&columns->names, "function", "binary", out);
}

static int
print_functions(const struct prf_spread *spread, size_t max,
		const size_t *ranks, const struct prf_count *all,
		const struct prf_style *style, FILE *out)
{
	size_t n = spread->functions.n < max ? spread->functions.n : max;
	struct columns columns = {.ranks = ranks};
	PRF_AUTO(prf_auto_free)
	size_t *sorted = prf_spread_sorted(spread);
	PRF_AUTO(prf_auto_free)
	struct value *values = calloc(spread->n_files, sizeof *values);
	PRF_AUTO(prf_auto_free)
	uint64_t *ticks = calloc(spread->n_files, sizeof *ticks);

	struct prf_distinct_name *names =
		sorted ? names_of(spread, sorted, n, style) : NULL;

	if (!names || !values || !ticks) {
		free_names(names, n);
		return -ENOMEM;
	}
	fit_columns(&columns, spread, sorted, names, n, style);
	print_heading(&columns, out);
	for (size_t i = 0; i < n; i++) {
		sort_values(spread, sorted[i], ticks, values);
		print_function(spread, sorted[i], &names[i], values, &columns,
			       all, style, out);
	}
	free_names(names, n);
	return 0;
}

int
prf_mergereport_print(const struct prf_profile *profile,
		      const struct prf_spread *spread, size_t max,
		      const struct prf_style *style, FILE *out)
{
	const struct prf_profile_unit *unit = &profile->unit;
	uint64_t all = profile->total.ticks;
	bool none;

	if (!spread->n_files)
		return 0;
	PRF_AUTO(prf_auto_free) size_t *ranks = ranks_of(spread, &none);
	if (!ranks)
		return -ENOMEM;
	fprintf(out, "\n  %-11s %zu\n", none ? "files" : "ranks",
		spread->n_files);
	fprintf(out, "  %-11s %" PRIu64, "ticks", all);
	if (unit->rate_hz) {
		fprintf(out, ", %.2f ", (double)all / unit->rate_hz);
		prf_plain_print(unit->dimension, out);
		fprintf(out, " at rate %" PRIu32, unit->rate_hz);
	}
	fputc('\n', out);
	if (profile->arcs.n)
		fprintf(out, "  %-11s %zu\n", "arcs", profile->arcs.n);
	if (profile->n_bbs)
		fprintf(out,
			"  %-11s %" PRIu64 " counts of basic blocks are left "
			"out\n",
			"left out", profile->n_bbs);
	if (!spread->functions.n || !all)
		return 0;
	return print_functions(spread, max, none ? NULL : ranks,
			       &profile->total, style, out);
}
