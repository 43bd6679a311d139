#include "view/table/diff_print.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/distinct_names.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/short_name.h"
#include "view/table/wrapped.h"

enum { WIDTH = 80, TEXT_INDENT = 12, PART_INDENT = 2, FAST_HZ = 1000 };

/* --- What was compared */

static const char *
time_name(const struct prf_diff *diff)
{
	const char *clock = diff->runs[0].clock;

	return strcmp(clock, "wall") == 0   ? "wall time"
	       : strcmp(clock, "user") == 0 ? "user time"
					    : "CPU time";
}

static int
decimals(double value)
{
	return fabs(value) < 10 ? 2 : fabs(value) < 100 ? 1 : 0;
}

static void
print_side(const struct prf_diff *diff, bool is_new, FILE *out)
{
	size_t from = is_new ? diff->n_old : 0;
	size_t n = is_new ? diff->n_new : diff->n_old;

	for (size_t i = 0; i < n; i++) {
		const struct prf_diff_run *run = &diff->runs[from + i];

		fprintf(out, "  %-9s ", i ? "" : is_new ? "new" : "old");
		prf_plain_print(run->path, out);
		fprintf(out,
			": %" PRIu64 " sample%s at %" PRIu32 " Hz, %.*f s\n",
			run->samples, run->samples == 1 ? "" : "s",
			run->rate_hz, decimals(run->seconds), run->seconds);
	}
	const char *command = diff->runs[from].command;
	if (command && *command) {
		fprintf(out, "%*s", TEXT_INDENT, "");
		prf_plain_print_cut(command, WIDTH - TEXT_INDENT - 2, out);
		fputc('\n', out);
	}
}

static double
percent_of(double ratio)
{
	return 100 * fabs(ratio - 1);
}

static bool
is_as_long(double ratio)
{
	return percent_of(ratio) < 0.05;
}

/* "took 8 % longer". */
static void
print_ratio(double ratio, FILE *out)
{
	double percent = percent_of(ratio);
	int digits = percent < 2 ? 1 : 0;

	if (is_as_long(ratio))
		fputs("took as long", out);
	else if (ratio >= 2)
		fprintf(out, "took %.1f times as long", ratio);
	else
		fprintf(out, "took %.*f %% %s", digits, percent,
			ratio > 1 ? "longer" : "less time");
}

/* How many more decimals it takes to tell LEFT from RIGHT, which are not the
 * same. */
static int
more_decimals(double left, double right)
{
	enum { MOST = 4 };
	char left_text[32], right_text[32];
	int more = 0;

	do {
		snprintf(left_text, sizeof left_text, "%.*f",
			 decimals(left) + more, left);
		snprintf(right_text, sizeof right_text, "%.*f",
			 decimals(right) + more, right);
	} while (strcmp(left_text, right_text) == 0 && ++more < MOST);
	return more;
}

static void
print_time(const struct prf_diff *diff, FILE *out)
{
	double old_s = prf_diff_seconds(diff, false),
	       new_s = prf_diff_seconds(diff, true);
	double ratio = old_s > 0 ? new_s / old_s : 1;
	int more = is_as_long(ratio) ? 0 : more_decimals(old_s, new_s);

	fputs("  The whole run ", out);
	print_ratio(ratio, out);
	fprintf(out, " (%.*f s instead of %.*f s of %s%s).\n",
		decimals(new_s) + more, new_s, decimals(old_s) + more, old_s,
		time_name(diff), diff->n_old + diff->n_new > 2 ? " a run" : "");
}

void
prf_diff_print_header(const struct prf_diff *diff, FILE *out)
{
	print_side(diff, false, out);
	print_side(diff, true, out);
	print_time(diff, out);
	fputc('\n', out);
}

/* --- The table */

#define HEADING "   old %  new %  change    95 % range    seconds"
enum { HEADING_WIDTH = sizeof HEADING - 1 };

static const struct {
	char mark;
	const char *begin, *end;
} marks[PRF_N_CHANGE_VERDICTS] = {
	[PRF_CHANGE_NONE] = {' ', "", ""},
	[PRF_CHANGE_SLOWER] = {'*', "\033[31m", "\033[m"},
	[PRF_CHANGE_FASTER] = {'*', "\033[32m", "\033[m"},
	[PRF_CHANGE_SHARE] = {'~', "", ""},
};

static void
print_share(double share, const char *absent, FILE *out)
{
	if (absent)
		fprintf(out, " %6s", absent);
	else
		fprintf(out, " %6.2f", 100 * share);
}

static void
print_figures(const struct prf_diff_row *row, const struct prf_style *style,
	      FILE *out)
{
	const struct prf_change *change = row->change;
	const char *begin = marks[change->verdict].begin,
		   *end = marks[change->verdict].end;
	double by_time = change->new_s - change->old_s;

	if (!style->has_colours)
		begin = end = "";
	fprintf(out, "%c", marks[change->verdict].mark);
	print_share(change->old_share, row->is_new ? "new" : NULL, out);
	print_share(change->new_share, row->is_gone ? "gone" : NULL, out);
	fprintf(out, " %s%+7.2f%s  %+6.2f..%+6.2f %+8.*f", begin,
		100 * (change->new_share - change->old_share), end,
		100 * change->change.lo, 100 * change->change.hi,
		fabs(by_time) < 100 ? 3 : 1, by_time);
}

/* NULL: out of memory. */
static char *
shown_name(const struct prf_diff_row *row, const struct prf_style *style)
{
	enum { BINARY_WIDTH = 20 };

	if (row->is_path && style->width > 0)
		return prf_name_columns_path_end(row->name, style->width,
						 HEADING_WIDTH + BINARY_WIDTH);
	return row->is_demangled && !style->full_names
		       ? prf_short_name(row->name)
		       : strdup(row->name);
}

/* Those of N ROWS, to be freed with prf_distinct_names_free().  NULL: out of memory. */
static struct prf_distinct_name *
shown_names(const struct prf_diff_row *rows, size_t n,
	    const struct prf_style *style)
{
	struct prf_distinct_name *names = calloc(n + 1, sizeof *names);
	int rc = names ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		names[i] = (struct prf_distinct_name){
			.whole = strdup(rows[i].name),
			.binary = rows[i].binary,
			.shown = shown_name(&rows[i], style),
		};
		rc = names[i].whole && names[i].shown ? 0 : -ENOMEM;
	}
	if (rc == 0)
		rc = prf_distinct_names_make(names, n, style);
	if (rc == 0)
		return names;
	prf_distinct_names_free(names, n);
	return NULL;
}

static bool
has_certain(const struct prf_diff_row *rows, size_t n)
{
	return n && rows[0].change->verdict != PRF_CHANGE_NONE;
}

int
prf_diff_print_table(const struct prf_diff *diff,
		     const struct prf_diff_row *rows, size_t n, size_t n_more,
		     const struct prf_style *style, FILE *out)
{
	struct prf_name_columns columns = {0};
	const char *heading = prf_diff_heading(diff);
	const char *binary = prf_diff_has_binary(diff) ? "binary" : "";
	struct prf_distinct_name *names = shown_names(rows, n, style);

	if (!names)
		return -ENOMEM;
	prf_name_columns_fit(&columns, heading, binary);
	for (size_t i = 0; i < n; i++)
		prf_name_columns_fit(&columns, names[i].shown, names[i].binary);
	prf_name_columns_settle(&columns, HEADING_WIDTH, style);
	fputs(HEADING, out);
	prf_name_columns_print(&columns, heading, binary, out);
	for (size_t i = 0; i < n; i++) {
		print_figures(&rows[i], style, out);
		prf_name_columns_print(&columns, names[i].shown,
				       names[i].binary, out);
	}
	prf_distinct_names_free(names, n);
	if (n_more)
		fprintf(out, "  and %zu more line%s\n", n_more,
			n_more == 1 ? "" : "s");
	if (has_certain(rows, n))
		fputs("\n* slower or faster than chance explains   ~ only its "
		      "share: others changed\n",
		      out);
	return 0;
}

/* --- What could be seen */

static void
print_asked(const struct prf_diff *diff, FILE *out)
{
	const struct prf_changes *changes = prf_diff_changes(diff);
	char text[400];

	snprintf(text, sizeof text,
		 "  %zu %s compared, of which %zu had samples enough to show a "
		 "change: %zu %s.\n",
		 changes->n,
		 changes->n == 1 ? prf_diff_heading(diff)
				 : prf_diff_plural(diff),
		 changes->n_asked, changes->n_certain,
		 changes->n_certain == 1 ? "has changed" : "have changed");
	prf_wrapped_print(text, PART_INDENT, WIDTH, out);
}

static void
print_visible(const struct prf_diff *diff, FILE *out)
{
	const struct prf_changes *changes = prf_diff_changes(diff);
	bool has_runs = diff->n_old > 1 && diff->n_new > 1;
	bool is_fast = diff->runs[0].rate_hz >= FAST_HZ;
	char text[400];

	snprintf(text, sizeof text,
		 "  A change by less than %.2g points of a %s that has 1 %%, "
		 "or %.2g of one that has 10 %%, would often not be seen; to "
		 "see it, %s%s.\n",
		 100 * prf_changes_visible(changes, 0.01),
		 prf_diff_heading(diff),
		 100 * prf_changes_visible(changes, 0.1),
		 is_fast ? "run longer" : "run longer or with -F 1000",
		 has_runs ? ", or compare more runs"
			  : ", or compare several runs (--old A B --new C D)");
	prf_wrapped_print(text, PART_INDENT, WIDTH, out);
}

void
prf_diff_print_footer(const struct prf_diff *diff, FILE *out)
{
	fputc('\n', out);
	print_asked(diff, out);
	print_visible(diff, out);
}
