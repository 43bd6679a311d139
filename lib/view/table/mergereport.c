#include "view/table/mergereport.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/table/plain.h"

/* Columns of a file's name and of a function's. */
enum { FILE_WIDTH = 14, FUNCTION_WIDTH = 40 };

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

/* Files in which it had no ticks have 0 of them. */
static void
spread_of(const struct prf_spread *spread, size_t function,
	  struct value *values)
{
	for (size_t i = 0; i < spread->n_files; i++)
		values[i] = (struct value){0, i};
	for (size_t i = 0; i < spread->n_shares; i++)
		if (spread->shares[i].function == function)
			values[spread->shares[i].file].ticks +=
				spread->shares[i].ticks;
	qsort(values, spread->n_files, sizeof *values, by_value);
}

static uint64_t
median_of(const struct value *values, size_t n)
{
	uint64_t lo = values[(n - 1) / 2].ticks, hi = values[n / 2].ticks;

	return lo + (hi - lo) / 2;
}

/* --- Lines */

/* RANKS is NULL where files are not ranks. */
static void
print_value(const struct prf_spread *spread, const struct value *value,
	    const size_t *ranks, FILE *out)
{
	const char *name = base_of(spread->files[value->file]);
	size_t width = prf_plain_width(name);

	fprintf(out, "  %9" PRIu64 " ", value->ticks);
	if (ranks) {
		fprintf(out, "rank %-*zu", FILE_WIDTH - 5, ranks[value->file]);
		return;
	}
	prf_plain_print_cut(name, FILE_WIDTH, out);
	for (; width < FILE_WIDTH; width++)
		fputc(' ', out);
}

static void
print_function(const struct prf_spread *spread, size_t function,
	       const struct value *values, const size_t *ranks, uint64_t all,
	       FILE *out)
{
	const struct prf_named_count *named = &spread->functions.all[function];
	const char *mangled = strchr(named->text, '\n') + 1;
	PRF_AUTO(prf_auto_free)
	char *path = strndup(named->text, (size_t)(mangled - 1 - named->text));
	PRF_AUTO(prf_auto_free) char *name = prf_demangle(mangled);

	fprintf(out, "  %6.2f  %9" PRIu64,
		100 * (double)named->count.ticks / (double)all,
		named->count.ticks);
	print_value(spread, &values[0], ranks, out);
	fprintf(out, "  %9" PRIu64, median_of(values, spread->n_files));
	print_value(spread, &values[spread->n_files - 1], ranks, out);
	fputs("  ", out);
	prf_plain_print_cut(name ? name : mangled, FUNCTION_WIDTH, out);
	fputs("  ", out);
	prf_plain_print_cut(path ? base_of(path) : "?", FUNCTION_WIDTH, out);
	fputc('\n', out);
}

/* Equals by name, so that the order of files does not matter. */
static int
by_ticks(const void *a, const void *b, void *arg)
{
	const struct prf_named_counts *functions = arg;
	const struct prf_named_count *left =
		&functions->all[*(const size_t *)a];
	const struct prf_named_count *right =
		&functions->all[*(const size_t *)b];

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	return strcmp(left->text, right->text);
}

static int
print_functions(const struct prf_spread *spread, size_t max,
		const size_t *ranks, uint64_t all, FILE *out)
{
	const struct prf_named_counts *functions = &spread->functions;
	PRF_AUTO(prf_auto_free)
	size_t *sorted = prf_named_counts_sorted(functions);
	PRF_AUTO(prf_auto_free)
	struct value *values = calloc(spread->n_files, sizeof *values);

	if (!sorted || !values)
		return -ENOMEM;
	qsort_r(sorted, functions->n, sizeof *sorted, by_ticks,
		(void *)functions);
	fprintf(out,
		"\n  self %%      ticks        min %-*s     median        max "
		"%-*s  function\n",
		FILE_WIDTH, "in", FILE_WIDTH, "in");
	for (size_t i = 0; i < functions->n && i < max; i++) {
		spread_of(spread, sorted[i], values);
		print_function(spread, sorted[i], values, ranks, all, out);
	}
	return 0;
}

int
prf_mergereport_print(const struct prf_profile *profile,
		      const struct prf_spread *spread, size_t max, FILE *out)
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
	return print_functions(spread, max, none ? NULL : ranks, all, out);
}
