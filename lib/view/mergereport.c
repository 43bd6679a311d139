#include "view/mergereport.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/plain.h"

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
frame_of(const struct prf_merge *merge)
{
	const char *first = base_of(merge->files[0].name);
	size_t length = strlen(first);
	struct frame frame = {length, length};

	for (size_t i = 1; i < merge->n_files; i++) {
		const char *name = base_of(merge->files[i].name);

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
ranks_of(const struct prf_merge *merge, bool *none)
{
	size_t n = merge->n_files;
	struct frame frame = frame_of(merge);
	size_t *ranks = calloc(n, sizeof *ranks);
	PRF_AUTO(prf_auto_free) bool *is_taken = calloc(n, sizeof *is_taken);

	*none = n < 2;
	for (size_t i = 0; ranks && is_taken && i < n && !*none; i++) {
		ranks[i] = number_in(base_of(merge->files[i].name), &frame, n);
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
spread_of(const struct prf_merge *merge,
	  const struct prf_merged_function *function, struct value *values)
{
	for (size_t i = 0; i < merge->n_files; i++)
		values[i] = (struct value){0, i};
	for (size_t i = 0; i < merge->n_shares; i++)
		if (merge->shares[i].function == function->id)
			values[merge->shares[i].file].ticks +=
				merge->shares[i].ticks;
	qsort(values, merge->n_files, sizeof *values, by_value);
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
print_value(const struct prf_merge *merge, const struct value *value,
	    const size_t *ranks, FILE *out)
{
	const char *name = base_of(merge->files[value->file].name);
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
print_function(const struct prf_merge *merge,
	       const struct prf_merged_function *function,
	       const struct value *values, const size_t *ranks, FILE *out)
{
	PRF_AUTO(prf_auto_free) char *name = prf_demangle(function->name);

	fprintf(out, "  %6.2f  %9" PRIu64,
		100 * (double)function->ticks / (double)merge->ticks,
		function->ticks);
	print_value(merge, &values[0], ranks, out);
	fprintf(out, "  %9" PRIu64, median_of(values, merge->n_files));
	print_value(merge, &values[merge->n_files - 1], ranks, out);
	fputs("  ", out);
	prf_plain_print_cut(name ? name : function->name, FUNCTION_WIDTH, out);
	fputs("  ", out);
	prf_plain_print_cut(base_of(function->object->path), FUNCTION_WIDTH,
			    out);
	fputc('\n', out);
}

/* Equals by name, so that the order of files does not matter. */
static int
by_ticks(const void *a, const void *b)
{
	const struct prf_merged_function *left =
		*(const struct prf_merged_function *const *)a;
	const struct prf_merged_function *right =
		*(const struct prf_merged_function *const *)b;

	if (left->ticks != right->ticks)
		return left->ticks > right->ticks ? -1 : 1;
	return strcmp(left->name, right->name);
}

static int
print_functions(const struct prf_merge *merge, size_t max, const size_t *ranks,
		FILE *out)
{
	PRF_AUTO(prf_auto_free)
	const struct prf_merged_function **sorted =
		calloc(merge->n_functions + 1, sizeof(*sorted));
	PRF_AUTO(prf_auto_free)
	struct value *values = calloc(merge->n_files, sizeof *values);

	if (!sorted || !values)
		return -ENOMEM;
	for (size_t i = 0; i < merge->n_functions; i++)
		sorted[i] = merge->functions[i];
	qsort(sorted, merge->n_functions, sizeof(*sorted), by_ticks);
	fprintf(out,
		"\n  self %%      ticks        min %-*s     median        max "
		"%-*s  function\n",
		FILE_WIDTH, "in", FILE_WIDTH, "in");
	for (size_t i = 0; i < merge->n_functions && i < max; i++) {
		if (!sorted[i]->ticks)
			break;
		spread_of(merge, sorted[i], values);
		print_function(merge, sorted[i], values, ranks, out);
	}
	return 0;
}

int
prf_mergereport_print(const struct prf_merge *merge, size_t max, FILE *out)
{
	bool none;

	if (!merge->n_files)
		return 0;
	PRF_AUTO(prf_auto_free) size_t *ranks = ranks_of(merge, &none);
	if (!ranks)
		return -ENOMEM;
	fprintf(out, "\n  %-11s %zu\n", none ? "files" : "ranks",
		merge->n_files);
	fprintf(out, "  %-11s %" PRIu64, "ticks", merge->ticks);
	if (merge->rate_hz) {
		fprintf(out, ", %.2f ", (double)merge->ticks / merge->rate_hz);
		prf_plain_print(merge->dimension, out);
		fprintf(out, " at rate %" PRIu32, merge->rate_hz);
	}
	fputc('\n', out);
	if (merge->n_arcs)
		fprintf(out, "  %-11s %zu\n", "arcs", merge->n_arcs);
	if (merge->n_bbs)
		fprintf(out,
			"  %-11s %" PRIu64 " counts of basic blocks are left "
			"out\n",
			"left out", merge->n_bbs);
	if (!merge->has_lists || !merge->ticks)
		return 0;
	return print_functions(merge, max, none ? NULL : ranks, out);
}
