/* report_print.h - what a report has found, on standard output: for people, as
 * comma-separated values or in JSON. */
#ifndef PRF_SRC_COMMANDS_REPORT_PRINT_H
#define PRF_SRC_COMMANDS_REPORT_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/profile.h"
#include "profile/thread_states.h"
#include "src/commands/figures.h"
#include "src/commands/report_file.h"
#include "src/commands/row_filter.h"
#include "view/table/call_tree_print.h"
#include "view/table/rows.h"
#include "view/table/spread.h"

enum prf_report_format {
	PRF_REPORT_FOR_PEOPLE,
	PRF_REPORT_CSV,
	PRF_REPORT_JSON,
};

/* What it is of, and how it is told. */
struct prf_report_print {
	const struct prf_report_file *file;
	const struct prf_figures *figures;
	const struct prf_profile *profile;
	uint64_t period_ns; /* of a tick */
	enum prf_report_format format;
	bool full_names;
	/* As the JSON has them: see data/schema/report.schema.json. */
	const char *form, *by, *sort, *function;
	/* Of rows by rank: what each function has in each, told of so many;
	 * NULL: there are none. */
	const struct prf_spread *ranks;
	size_t n_rank_functions;
};

/* Each prints all of it, but the REST of the rows, N_MORE threads, or what LOOK
 * leaves out.
 * -ENOMEM: perhaps a part. */
int prf_report_print_rows(const struct prf_report_print *print,
			  const struct prf_rows *rows, enum prf_rows_by by,
			  const struct prf_row_rest *rest) PRF_MUST_CHECK;
int prf_report_print_threads(const struct prf_report_print *print,
			     const struct prf_thread_states *states,
			     size_t n_more) PRF_MUST_CHECK;
int prf_report_print_tree(const struct prf_report_print *print,
			  const struct prf_call_tree *tree,
			  const struct prf_call_graph *graph,
			  const struct prf_call_tree_look *look) PRF_MUST_CHECK;

#endif
