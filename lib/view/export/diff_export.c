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
put_run(struct prf_json *json, const struct prf_diff_run *run)
{
	prf_json_object(json, NULL);
	prf_json_text(json, "file", run->path);
	prf_json_text(json, "command", run->command);
	prf_json_text(json, "clock", *run->clock ? run->clock : NULL);
	prf_json_number(json, "samples", run->samples);
	prf_json_number(json, "rate_hz", run->rate_hz);
	prf_json_real(json, "seconds", run->seconds, 6);
	prf_json_end(json);
}

static void
put_runs(struct prf_json *json, const struct prf_diff *diff, bool is_new)
{
	size_t from = is_new ? diff->n_old : 0;
	size_t n = is_new ? diff->n_new : diff->n_old;

	prf_json_object(json, is_new ? "new" : "old");
	prf_json_real(json, "seconds", prf_diff_seconds(diff, is_new), 6);
	prf_json_list(json, "runs");
	for (size_t i = from; i < from + n; i++)
		put_run(json, &diff->runs[i]);
	prf_json_end(json);
	prf_json_end(json);
}

static void
put_row(struct prf_json *json, const struct prf_diff *diff,
	const struct prf_diff_row *row)
{
	double values[N_COLUMNS];

	values_of(row->change, values);
	prf_json_object(json, NULL);
	prf_json_text(json, "name", row->name);
	if (prf_diff_has_binary(diff))
		prf_json_text(json, "binary", row->binary);
	prf_json_text(json, "verdict", verdicts[row->change->verdict]);
	prf_json_bool(json, "new", row->is_new);
	prf_json_bool(json, "gone", row->is_gone);
	for (size_t i = 0; i < N_COLUMNS; i++)
		prf_json_float(json, columns[i], values[i]);
	prf_json_end(json);
}

void
prf_diff_export_json(const struct prf_diff *diff,
		     const struct prf_diff_row *rows, size_t n, size_t n_more,
		     FILE *out)
{
	const struct prf_changes *changes = prf_diff_changes(diff);
	struct prf_json json = {.out = out};

	prf_json_object(&json, NULL);
	prf_json_text(&json, "format", "profrun-diff");
	prf_json_number(&json, "version", PRF_DIFF_EXPORT_VERSION);
	prf_json_text(&json, "by", prf_diff_heading(diff));
	prf_json_bool(&json, "inclusive", diff->by_total);
	put_runs(&json, diff, false);
	put_runs(&json, diff, true);
	prf_json_number(&json, "compared", changes->n);
	prf_json_number(&json, "testable", changes->n_asked);
	prf_json_number(&json, "changed", changes->n_certain);
	prf_json_real(&json, "variation", sqrt(changes->variation.square), 4);
	prf_json_real(&json, "visible_at_1",
		      100 * prf_changes_visible(changes, 0.01), 4);
	prf_json_real(&json, "visible_at_10",
		      100 * prf_changes_visible(changes, 0.1), 4);
	prf_json_list(&json, "rows");
	for (size_t i = 0; i < n; i++)
		put_row(&json, diff, &rows[i]);
	prf_json_end(&json);
	prf_json_number(&json, "more", n_more);
	prf_json_end(&json);
}
