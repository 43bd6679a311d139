#include "view/export/report_export.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/export/share_export.h"
#include "view/table/plain.h"

/* --- A table */

static void
put_row(const struct prf_rows *rows, const struct prf_row *row,
	enum prf_rows_by by, const struct prf_share_export *of,
	struct prf_json *json)
{
	prf_json_object(json, NULL);
	prf_json_text(json, "name", row->name);
	if (prf_rows_has_binary(by))
		prf_json_text(json, "binary", row->binary);
	if (by == PRF_ROWS_BY_FUNCTION)
		prf_json_bool(json, "inlined", row->inlined);
	prf_share_export_json(of, "self", &row->count, json);
	if (rows->has_totals)
		prf_share_export_json(of, "total", &row->total, json);
	if (rows->has_calls)
		prf_json_number(json, "calls", row->calls);
	prf_json_end(json);
}

void
prf_report_export_rows(const struct prf_rows *rows, enum prf_rows_by by,
		       uint64_t period_ns, size_t n_more, struct prf_json *json)
{
	const struct prf_share_export of = {rows->all, rows->doubt, period_ns};

	prf_json_list(json, "rows");
	for (size_t i = 0; i < rows->n; i++)
		put_row(rows, &rows->rows[i], by, &of, json);
	prf_json_end(json);
	prf_json_number(json, "more", n_more);
}

/* --- A tree */

/* A node, as it is told. */
struct told {
	const struct prf_call_tree_node *node;
	size_t id, parent; /* 0: of the root */
	char *name;        /* its own */
	const char *binary;
	bool inlined;
	bool has_self; /* else its path goes on, to its callees */
};

/* But for its numbers.  -ENOMEM. */
static int
tell(const struct prf_call_tree *tree, const struct prf_call_graph *graph,
     const struct prf_call_tree_look *look, size_t i, struct told *told)
{
	const struct prf_call_tree_node *node = &tree->nodes[i];
	const struct prf_call_function *function =
		&graph->functions[node->function];

	*told = (struct told){
		.node = node,
		.name = prf_demangle(function->name),
		.binary = function->binary ? function->binary->name : "",
		.inlined = function->inlined,
		.has_self = look->kind != PRF_CALL_TREE_ABOVE,
	};
	return told->name ? 0 : -ENOMEM;
}

static void
put_node(const struct told *told, const struct prf_share_export *of, void *to)
{
	struct prf_json *json = to;

	prf_json_object(json, NULL);
	prf_json_number(json, "id", told->id);
	prf_json_number(json, "parent", told->parent);
	prf_json_text(json, "name", told->name);
	prf_json_text(json, "binary", told->binary);
	prf_json_bool(json, "inlined", told->inlined);
	prf_json_bool(json, "recursive", told->node->recursive);
	prf_json_bool(json, "guessed", told->node->guessed);
	if (told->has_self)
		prf_share_export_json(of, "self", &told->node->self, json);
	prf_share_export_json(of, "total", &told->node->total, json);
	prf_json_end(json);
}

static void
print_node(const struct told *told, const struct prf_share_export *of, void *to)
{
	FILE *out = to;

	fprintf(out, "%zu,%zu,", told->id, told->parent);
	if (told->has_self) {
		prf_share_export_csv(of, &told->node->self, out);
		fprintf(out, ",%.6f,",
			prf_share_export_seconds(of, &told->node->self));
	}
	prf_plain_print_quoted(told->name, "\"", '"', out);
	fputc(',', out);
	prf_plain_print_quoted(told->binary, "\"", '"', out);
	fputc(',', out);
	prf_share_export_csv(of, &told->node->total, out);
	fprintf(out, ",%d,%d,%d\n", told->inlined, told->node->recursive,
		told->node->guessed);
}

/* Gives each node that is wanted to PUT, numbered from 1 as they come, so that equal
 * trees are told alike however they were counted; *N_MORE gets how many are not.
 * -ENOMEM. */
static int
walk(const struct prf_call_tree *tree, const struct prf_call_graph *graph,
     const struct prf_call_tree_look *look, uint64_t period_ns,
     void (*put)(const struct told *told, const struct prf_share_export *of,
		 void *to),
     void *to, size_t *n_more)
{
	const struct prf_share_export of = {look->all, look->doubt, period_ns};
	PRF_AUTO(prf_auto_free) size_t *ids = calloc(tree->n, sizeof *ids);
	uint64_t least = prf_call_tree_least(tree, look->min_percent);
	size_t n = 0;

	if (!ids)
		return -ENOMEM;
	for (size_t i = prf_call_tree_next(tree, 0, least);
	     i != PRF_CALL_NONE && (!look->max_lines || n < look->max_lines);
	     i = prf_call_tree_next(tree, i, least)) {
		struct told told;

		if (tell(tree, graph, look, i, &told))
			return -ENOMEM;
		told.parent = ids[told.node->parent];
		told.id = ids[i] = ++n;
		put(&told, &of, to);
		free(told.name);
	}
	*n_more = tree->n - 1 - n;
	return 0;
}

int
prf_report_export_tree(const struct prf_call_tree *tree,
		       const struct prf_call_graph *graph,
		       const struct prf_call_tree_look *look,
		       uint64_t period_ns, struct prf_json *json)
{
	size_t n_more;

	prf_json_list(json, "rows");
	int rc = walk(tree, graph, look, period_ns, put_node, json, &n_more);
	prf_json_end(json);
	if (!rc)
		prf_json_number(json, "more", n_more);
	return rc;
}

int
prf_report_export_tree_csv(const struct prf_call_tree *tree,
			   const struct prf_call_graph *graph,
			   const struct prf_call_tree_look *look,
			   uint64_t period_ns, FILE *out)
{
	size_t n_more;

	fprintf(out,
		"id,parent,%sfunction,binary,total_ticks,total_percent,"
		"total_low,total_high,inlined,recursive,guessed\n",
		look->kind == PRF_CALL_TREE_ABOVE
			? ""
			: "ticks,percent,low,high,seconds,");
	return walk(tree, graph, look, period_ns, print_node, out, &n_more);
}
