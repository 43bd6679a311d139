#include "view/export/diff_export.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "view/export/json.h"
#include "view/table/plain.h"

static const char *const verdicts[PRF_N_CHANGE_VERDICTS] = {
	[PRF_CHANGE_NONE] = "none",
	[PRF_CHANGE_SLOWER] = "slower",
	[PRF_CHANGE_FASTER] = "faster",
	[PRF_CHANGE_SHARE] = "share",
};

/* Numbers of a row, in both formats. */
static const char *const columns[] = {
	"old_percent", "new_percent", "change", "low",  "high",
	"old_seconds", "new_seconds", "p",      "rate",
};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void
values_of(const struct prf_change *change, double values[N_COLUMNS])
{
	const double all[N_COLUMNS] = {
		100 * change->old_share,
		100 * change->new_share,
		100 * (change->new_share - change->old_share),
		100 * change->change.lo,
		100 * change->change.hi,
		change->old_s,
		change->new_s,
		exp(change->log_p),
		change->rate,
	};

	for (size_t i = 0; i < N_COLUMNS; i++)
		values[i] = all[i];
}

/* --- CSV */

static void
print_csv_row(const struct prf_diff *diff, const struct prf_diff_row *row,
	      FILE *out)
{
	double values[N_COLUMNS];

	values_of(row->change, values);
	fprintf(out, "%s,", verdicts[row->change->verdict]);
	for (size_t i = 0; i < N_COLUMNS; i++)
		fprintf(out, "%.6g,", values[i]);
	prf_plain_print_quoted(row->name, "\"", '"', out);
	if (prf_diff_has_binary(diff)) {
		fputc(',', out);
		prf_plain_print_quoted(row->binary, "\"", '"', out);
	}
	fputc('\n', out);
}

void
prf_diff_export_csv(const struct prf_diff *diff,
		    const struct prf_diff_row *rows, size_t n, FILE *out)
{
	fputs("verdict,", out);
	for (size_t i = 0; i < N_COLUMNS; i++)
		fprintf(out, "%s,", columns[i]);
	fprintf(out, "%s%s\n", prf_diff_heading(diff),
		prf_diff_has_binary(diff) ? ",binary" : "");
	for (size_t i = 0; i < n; i++)
		print_csv_row(diff, &rows[i], out);
}

/* --- JSON */

static void
print_text(const char *name, const char *text, FILE *out)
{
	fprintf(out, "\"%s\": ", name);
	if (text)
		prf_json_string(text, out);
	else
		fputs("null", out);
}

static void
print_runs(const struct prf_diff *diff, bool is_new, FILE *out)
{
	size_t from = is_new ? diff->n_old : 0;
	size_t n = is_new ? diff->n_new : diff->n_old;

	fprintf(out, "  \"%s\": {\"seconds\": %.6f, \"runs\": [\n",
		is_new ? "new" : "old", prf_diff_seconds(diff, is_new));
	for (size_t i = from; i < from + n; i++) {
		const struct prf_diff_run *run = &diff->runs[i];

		fputs("    {", out);
		print_text("file", run->path, out);
		fputs(", ", out);
		print_text("command", run->command, out);
		fputs(", ", out);
		print_text("clock", *run->clock ? run->clock : NULL, out);
		fprintf(out,
			", \"samples\": %" PRIu64 ", \"rate_hz\": %" PRIu32
			", \"seconds\": %.6f}%s\n",
			run->samples, run->rate_hz, run->seconds,
			i + 1 < from + n ? "," : "");
	}
	fputs("  ]},\n", out);
}

static void
print_row(const struct prf_diff *diff, const struct prf_diff_row *row,
	  FILE *out)
{
	double values[N_COLUMNS];

	values_of(row->change, values);
	fputs("    {", out);
	print_text("name", row->name, out);
	if (prf_diff_has_binary(diff)) {
		fputs(", ", out);
		print_text("binary", row->binary, out);
	}
	fprintf(out, ", \"verdict\": \"%s\", \"new\": %s, \"gone\": %s",
		verdicts[row->change->verdict], row->is_new ? "true" : "false",
		row->is_gone ? "true" : "false");
	for (size_t i = 0; i < N_COLUMNS; i++)
		fprintf(out, ", \"%s\": %.6g", columns[i], values[i]);
	fputc('}', out);
}

void
prf_diff_export_json(const struct prf_diff *diff,
		     const struct prf_diff_row *rows, size_t n, FILE *out)
{
	const struct prf_changes *changes = prf_diff_changes(diff);

	fprintf(out,
		"{\n  \"version\": %d,\n  \"by\": \"%s\",\n  \"inclusive\": "
		"%s,\n",
		PRF_DIFF_EXPORT_VERSION, prf_diff_heading(diff),
		diff->by_total ? "true" : "false");
	print_runs(diff, false, out);
	print_runs(diff, true, out);
	fprintf(out,
		"  \"compared\": %zu,\n  \"testable\": %zu,\n"
		"  \"changed\": %zu,\n  \"variation\": %.4f,\n"
		"  \"visible_at_1\": %.4f,\n  \"visible_at_10\": %.4f,\n"
		"  \"rows\": [\n",
		changes->n, changes->n_asked, changes->n_certain,
		sqrt(changes->variation.square),
		100 * prf_changes_visible(changes, 0.01),
		100 * prf_changes_visible(changes, 0.1));
	for (size_t i = 0; i < n; i++) {
		print_row(diff, &rows[i], out);
		fputs(i + 1 < n ? ",\n" : "\n", out);
	}
	fputs("  ]\n}\n", out);
}
