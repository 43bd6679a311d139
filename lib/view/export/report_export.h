/* report_export.h - the table or the tree of a report for programs to read: in
 * JSON, as data/schema/report.schema.json describes it, and, for a tree, as
 * comma-separated values; for those of a table see view/table/rows.h. */
#ifndef PRF_VIEW_EXPORT_REPORT_EXPORT_H
#define PRF_VIEW_EXPORT_REPORT_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/export/json.h"
#include "view/table/call_tree_print.h"
#include "view/table/rows.h"

/* Of the JSON; it is another when what is told changes its meaning. */
enum { PRF_REPORT_EXPORT_VERSION = 1 };

/* The members "rows" and "more" of the object that is open: N_MORE rows were
 * left out. */
void prf_report_export_rows(const struct prf_rows *rows, enum prf_rows_by by,
			    uint64_t period_ns, size_t n_more,
			    struct prf_json *json);
/* The same of TREE, of GRAPH.  A row stands behind its caller's (of callers,
 * behind its callee's), whose id is its parent; 0: it is outermost.  -ENOMEM:
 * perhaps a part. */
int prf_report_export_tree(const struct prf_call_tree *tree,
			   const struct prf_call_graph *graph,
			   const struct prf_call_tree_look *look,
			   uint64_t period_ns,
			   struct prf_json *json) PRF_MUST_CHECK;
/* RFC 4180, but lines end in a newline alone; whole names.  -ENOMEM: perhaps a
 * part. */
int prf_report_export_tree_csv(const struct prf_call_tree *tree,
			       const struct prf_call_graph *graph,
			       const struct prf_call_tree_look *look,
			       uint64_t period_ns, FILE *out) PRF_MUST_CHECK;

#endif
