#include "view/made_graph.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BINARIES = 8 };

static const struct prf_binary *
binary_of(struct prf_binary *binaries, const char *name, size_t length)
{
	char *own = strndup(length ? name : "prog", length ? length : 4);

	ck_assert_ptr_nonnull(own);
	for (size_t i = 0; i < MAX_BINARIES; i++) {
		if (!binaries[i].path)
			binaries[i] =
				(struct prf_binary){.path = own,
						    .name = own,
						    .kind = PRF_BINARY_FILE};
		if (strcmp(binaries[i].name, own) == 0) {
			if (binaries[i].path != own)
				free(own);
			return &binaries[i];
		}
	}
	ck_abort_msg("too many binaries");
}

static size_t
function_of(struct prf_call_graph *graph, struct prf_binary *binaries,
	    const char *text)
{
	const char *colon = strstr(text, ":");
	bool has_binary = colon && colon > text && colon[1] != ':';
	const struct prf_call_function function = {
		.name = has_binary ? colon + 1 : text,
		.binary = binary_of(binaries, text,
				    has_binary ? (size_t)(colon - text) : 0),
	};

	for (size_t i = 0; i < graph->n_functions; i++)
		if (strcmp(graph->functions[i].name, function.name) == 0 &&
		    graph->functions[i].binary == function.binary)
			return i;
	graph->functions[graph->n_functions] = function;
	return graph->n_functions++;
}

/* Is there the same function on the way from NODE to the root? */
static bool
is_recursive(const struct prf_call_graph *graph, size_t node)
{
	size_t function = graph->nodes[node].function;

	while ((node = graph->nodes[node].parent) != PRF_CALL_NONE)
		if (graph->nodes[node].function == function)
			return true;
	return false;
}

static void
add_up(struct prf_call_graph *graph)
{
	for (size_t i = graph->n_nodes; i-- > 1;) {
		struct prf_call_node *node = &graph->nodes[i];
		struct prf_call_node *parent = &graph->nodes[node->parent];
		struct prf_call_function *function =
			&graph->functions[node->function];

		prf_count_merge(&node->total, &node->self);
		prf_count_merge(&parent->total, &node->total);
		prf_count_merge(&function->self, &node->self);
		if (!is_recursive(graph, i))
			prf_count_merge(&function->total, &node->total);
		node->sibling = parent->child;
		parent->child = i;
	}
}

/* One for each call; some may be the same. */
static void
add_arcs(struct prf_call_graph *graph)
{
	for (size_t i = 1; i < graph->n_nodes; i++) {
		const struct prf_call_node *node = &graph->nodes[i];

		if (node->parent)
			graph->arcs[graph->n_arcs++] = (struct prf_call_arc){
				graph->nodes[node->parent].function,
				node->function, node->total};
	}
}

struct prf_call_graph
made_graph(const struct made_call *calls, size_t n)
{
	struct prf_binary *binaries = calloc(MAX_BINARIES, sizeof *binaries);
	struct prf_call_graph graph = {
		.functions = calloc(n + 1, sizeof *graph.functions),
		.nodes = calloc(n + 1, sizeof *graph.nodes),
		.arcs = calloc(n + 1, sizeof *graph.arcs),
		.n_nodes = n + 1,
	};

	ck_assert(binaries && graph.functions && graph.nodes && graph.arcs);
	/* Found again to be freed. */
	graph.functions[0].binary = binaries;
	graph.nodes[0] = (struct prf_call_node){
		.function = PRF_CALL_NONE,
		.parent = PRF_CALL_NONE,
		.child = PRF_CALL_NONE,
		.sibling = PRF_CALL_NONE,
	};
	for (size_t i = 0; i < n; i++) {
		graph.nodes[i + 1] = (struct prf_call_node){
			.function = function_of(&graph, binaries,
						calls[i].function),
			.parent = calls[i].caller,
			.child = PRF_CALL_NONE,
			.sibling = PRF_CALL_NONE,
			.guessed = calls[i].guessed,
			.self = {calls[i].self, (double)calls[i].self},
		};
		ck_assert_uint_le(calls[i].caller, i);
	}
	add_up(&graph);
	add_arcs(&graph);
	return graph;
}

void
made_graph_free(struct prf_call_graph *graph)
{
	struct prf_binary *binaries =
		(struct prf_binary *)graph->functions[0].binary;

	for (size_t i = 0; i < MAX_BINARIES; i++)
		free(binaries[i].path);
	free(binaries);
	free(graph->functions);
	free(graph->nodes);
	free(graph->arcs);
	*graph = (struct prf_call_graph){0};
}
