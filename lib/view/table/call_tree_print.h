/* call_tree_print.h - a tree of calls, drawn with a line for each function.
 *
 * Only a function that calls several has its callees further to the right; the
 * one callee of another stands below it.  So deep stacks stay on the page, and
 * where there are very many branches a number stands for their indentation. */
#ifndef PRF_VIEW_TABLE_CALL_TREE_PRINT_H
#define PRF_VIEW_TABLE_CALL_TREE_PRINT_H

#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/table/call_tree.h"
#include "view/table/style.h"

struct prf_call_tree_look {
	enum prf_call_tree_kind kind;
	struct prf_count all; /* of which shares are printed */
	double doubt;         /* see share.h */
	double min_percent;   /* a smaller part of the tree has no line */
	size_t max_lines;     /* 0: no limit */
};

/* TREE, of GRAPH.  -ENOMEM: perhaps a part. */
int prf_call_tree_print(const struct prf_call_tree *tree,
			const struct prf_call_graph *graph,
			const struct prf_call_tree_look *look,
			const struct prf_style *style,
			FILE *out) PRF_MUST_CHECK;

#endif
