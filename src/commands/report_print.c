#include "src/commands/report_print.h"

#include <stdio.h>

#include "src/commands/report_header.h"
#include "src/output/terminal.h"
#include "view/export/json.h"
#include "view/export/report_export.h"
#include "view/export/spread_export.h"
#include "view/export/thread_export.h"
#include "view/table/mergereport.h"
#include "view/table/thread_table.h"

static struct prf_style
style_of(const struct prf_report_print *print)
{
	return prf_terminal_style(stdout, 0, print->full_names);
}

static int
print_header(const struct prf_report_print *print,
	     const struct prf_style *style)
{
	return prf_report_header_print(print->file, print->figures,
				       print->profile, style, stdout);
}

/* Begins an object, with all but the rows. */
static void
begin_json(const struct prf_report_print *print, struct prf_json *json)
{
	prf_json_object(json, NULL);
	prf_json_text(json, "format", "profrun-report");
	prf_json_number(json, "version", PRF_REPORT_EXPORT_VERSION);
	prf_report_header_json(print->file, print->figures, print->profile,
			       json);
	prf_json_text(json, "form", print->form);
	prf_json_text(json, "by", print->by);
	prf_json_text(json, "sort", print->sort);
	prf_json_text(json, "function", print->function);
}

/* --- Rows */

static void
print_rest(const struct prf_rows *rows, const struct prf_row_rest *rest,
	   FILE *out)
{
	fprintf(out, "  %6.2f  %sin %zu more line%s\n",
		100 * (double)rest->ticks / (double)rows->all.ticks,
		rows->has_totals ? "self, " : "", rest->n,
		rest->n == 1 ? "" : "s");
}

static bool
has_ranks(const struct prf_report_print *print)
{
	return print->ranks && print->ranks->n_files > 1;
}

static int
print_rows_for_people(const struct prf_report_print *print,
		      const struct prf_rows *rows, enum prf_rows_by by,
		      const struct prf_row_rest *rest)
{
	const struct prf_style style = style_of(print);
	int rc = print_header(print, &style);

	if (!rc)
		rc = prf_rows_print(rows, by, print->period_ns, &style, stdout);
	if (!rc && rest->n)
		print_rest(rows, rest, stdout);
	return rc || !has_ranks(print)
		       ? rc
		       : prf_mergereport_print(print->profile, print->ranks,
					       print->n_rank_functions, &style,
					       stdout);
}

static int
print_rows_json(const struct prf_report_print *print,
		const struct prf_rows *rows, enum prf_rows_by by, size_t n_more)
{
	const struct prf_share_export of = {rows->all, rows->doubt,
					    print->period_ns};
	struct prf_json json = {.out = stdout};
	int rc = 0;

	begin_json(print, &json);
	prf_report_export_rows(rows, by, print->period_ns, n_more, &json);
	if (has_ranks(print))
		rc = prf_spread_export_json(print->ranks, &of,
					    print->n_rank_functions, &json);
	prf_json_end(&json);
	return rc;
}

static int
print_rows_csv(const struct prf_report_print *print,
	       const struct prf_rows *rows, enum prf_rows_by by)
{
	if (has_ranks(print))
		return prf_spread_export_csv(print->ranks, rows,
					     print->period_ns,
					     print->n_rank_functions, stdout);
	prf_rows_print_csv(rows, by, print->period_ns, stdout);
	return 0;
}

int
prf_report_print_rows(const struct prf_report_print *print,
		      const struct prf_rows *rows, enum prf_rows_by by,
		      const struct prf_row_rest *rest)
{
	switch (print->format) {
	case PRF_REPORT_CSV:
		return print_rows_csv(print, rows, by);
	case PRF_REPORT_JSON:
		return print_rows_json(print, rows, by, rest->n);
	case PRF_REPORT_FOR_PEOPLE:
		return print_rows_for_people(print, rows, by, rest);
	}
	return 0;
}

/* --- Threads and trees */

int
prf_report_print_threads(const struct prf_report_print *print,
			 const struct prf_thread_states *states, size_t n_more)
{
	const struct prf_style style = style_of(print);
	struct prf_json json = {.out = stdout};
	int rc = 0;

	switch (print->format) {
	case PRF_REPORT_CSV:
		return prf_thread_export_csv(states, print->period_ns, stdout);
	case PRF_REPORT_JSON:
		begin_json(print, &json);
		rc = prf_thread_export_json(states, print->period_ns, n_more,
					    &json);
		prf_json_end(&json);
		break;
	case PRF_REPORT_FOR_PEOPLE:
		rc = print_header(print, &style);
		if (!rc)
			rc = prf_thread_table_print(states, print->period_ns,
						    n_more, &style, stdout);
	}
	return rc;
}

int
prf_report_print_tree(const struct prf_report_print *print,
		      const struct prf_call_tree *tree,
		      const struct prf_call_graph *graph,
		      const struct prf_call_tree_look *look)
{
	const struct prf_style style = style_of(print);
	struct prf_json json = {.out = stdout};
	int rc = 0;

	switch (print->format) {
	case PRF_REPORT_CSV:
		return prf_report_export_tree_csv(tree, graph, look,
						  print->period_ns, stdout);
	case PRF_REPORT_JSON:
		begin_json(print, &json);
		rc = prf_report_export_tree(tree, graph, look, print->period_ns,
					    &json);
		prf_json_end(&json);
		break;
	case PRF_REPORT_FOR_PEOPLE:
		rc = print_header(print, &style);
		if (!rc)
			rc = prf_call_tree_print(tree, graph, look, &style,
						 stdout);
	}
	return rc;
}
