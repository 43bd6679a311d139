#include "view/export/spread_export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/table/plain.h"

/* A function as programs read it. */
struct called {
	char *name, *binary; /* the path of that */
};

static void
clear_called(struct called *called)
{
	free(called->name);
	free(called->binary);
}

/* TEXT is the path of a binary and a mangled name, as spread.h has them. */
static int
call(struct called *called, const char *text)
{
	const char *newline = strchr(text, '\n');

	called->name = prf_demangle(newline + 1);
	called->binary = strndup(text, (size_t)(newline - text));
	return called->name && called->binary ? 0 : -ENOMEM;
}

static size_t
n_wanted(const struct prf_spread *spread, size_t max)
{
	return spread->functions.n < max ? spread->functions.n : max;
}

/* --- JSON */

/* TICKS: those that it has in each file. */
static int
put_function(const struct prf_spread *spread, size_t function,
	     const struct prf_share_export *of, const uint64_t *ticks,
	     struct prf_json *json)
{
	const struct prf_named_count *counted =
		&spread->functions.all[function];
	PRF_AUTO(clear_called) struct called called = {0};

	if (call(&called, counted->text))
		return -ENOMEM;
	prf_json_object(json, NULL);
	prf_json_text(json, "name", called.name);
	prf_json_text(json, "binary", called.binary);
	prf_share_export_json(of, "self", &counted->count, json);
	prf_json_list(json, "ticks");
	for (size_t i = 0; i < spread->n_files; i++)
		prf_json_number(json, NULL, ticks[i]);
	prf_json_end(json);
	prf_json_end(json);
	return 0;
}

int
prf_spread_export_json(const struct prf_spread *spread,
		       const struct prf_share_export *of, size_t max,
		       struct prf_json *json)
{
	size_t n = n_wanted(spread, max);
	PRF_AUTO(prf_auto_free) size_t *sorted = prf_spread_sorted(spread);
	PRF_AUTO(prf_auto_free)
	uint64_t *ticks = calloc(spread->n_files + 1, sizeof *ticks);
	int rc = 0;

	if (!sorted || !ticks)
		return -ENOMEM;
	prf_json_object(json, "spread");
	prf_json_list(json, "of");
	for (size_t i = 0; i < spread->n_files; i++)
		prf_json_text(json, NULL, spread->files[i]);
	prf_json_end(json);
	prf_json_list(json, "functions");
	for (size_t i = 0; !rc && i < n; i++) {
		prf_spread_of(spread, sorted[i], ticks);
		rc = put_function(spread, sorted[i], of, ticks, json);
	}
	prf_json_end(json);
	prf_json_number(json, "more", spread->functions.n - n);
	prf_json_end(json);
	return rc;
}

/* --- CSV */

static void
print_quoted(const char *text, FILE *out)
{
	prf_plain_print_quoted(text, "\"", '"', out);
}

static void
print_rank(const char *rank, const struct prf_count *count,
	   const struct prf_share_export *of, FILE *out)
{
	prf_share_export_csv(of, count, out);
	fprintf(out, ",%.6f,", prf_share_export_seconds(of, count));
	print_quoted(rank, out);
}

/* A sample of it weighs as much in one rank as in all. */
static int
print_function(const struct prf_spread *spread, size_t function,
	       const struct prf_share_export *of, const uint64_t *ticks,
	       FILE *out)
{
	const struct prf_named_count *counted =
		&spread->functions.all[function];
	double weight =
		counted->count.ticks
			? counted->count.squares / (double)counted->count.ticks
			: 1;
	PRF_AUTO(clear_called) struct called called = {0};

	if (call(&called, counted->text))
		return -ENOMEM;
	for (size_t i = 0; i < spread->n_files; i++) {
		const struct prf_count count = {
			.ticks = ticks[i],
			.squares = (double)ticks[i] * weight,
		};

		print_rank(spread->files[i], &count, of, out);
		fputs(",function,", out);
		print_quoted(called.name, out);
		fputc(',', out);
		print_quoted(called.binary, out);
		fputc('\n', out);
	}
	return 0;
}

int
prf_spread_export_csv(const struct prf_spread *spread,
		      const struct prf_rows *ranks, uint64_t period_ns,
		      size_t max, FILE *out)
{
	const struct prf_share_export of = {ranks->all, ranks->doubt,
					    period_ns};
	size_t n = n_wanted(spread, max);
	PRF_AUTO(prf_auto_free) size_t *sorted = prf_spread_sorted(spread);
	PRF_AUTO(prf_auto_free)
	uint64_t *ticks = calloc(spread->n_files + 1, sizeof *ticks);
	int rc = 0;

	if (!sorted || !ticks)
		return -ENOMEM;
	fputs("ticks,percent,low,high,seconds,rank,kind,function,binary\n",
	      out);
	for (size_t i = 0; i < ranks->n; i++) {
		const struct prf_row *row = &ranks->rows[i];

		print_rank(row->name, &row->count, &of, out);
		fputs(",rank,,\n", out);
	}
	for (size_t i = 0; !rc && i < n; i++) {
		prf_spread_of(spread, sorted[i], ticks);
		rc = print_function(spread, sorted[i], &of, ticks, out);
	}
	return rc;
}
