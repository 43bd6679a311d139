#include "profile/call_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/call_functions.h"
#include "profile/hash_index.h"
#include "profile/large.h"
#include "profile/pairs.h"
#include "profile/stack_walk.h"

/* A graph in the making. */
struct making {
	struct prf_call_graph *graph;
	const struct prf_call_graph_way *way;
	struct prf_call_functions functions;
	struct prf_hash_index index; /* of the nodes, by parent and function */
	size_t nodes_room;
	struct prf_pairs arcs; /* caller and callee */
	size_t arcs_room;
	/* How often each function, each arc is in the path at hand. */
	size_t *function_depths, *arc_depths;
	size_t *arc_of; /* by node */
};

void
prf_call_graph_clear(struct prf_call_graph *graph)
{
	free(graph->functions);
	free(graph->nodes);
	free(graph->arcs);
	*graph = (struct prf_call_graph){0};
}

static void
clear_making(struct making *making)
{
	prf_call_functions_clear(&making->functions);
	prf_hash_index_free(&making->index);
	prf_pairs_clear(&making->arcs);
	free(making->function_depths);
	free(making->arc_depths);
	free(making->arc_of);
}

/* --- The tree */

static int
append_node(struct making *making, size_t parent, size_t function)
{
	struct prf_call_graph *graph = making->graph;
	struct prf_call_node *nodes =
		prf_large_reserve(graph->nodes, graph->n_nodes,
				  &making->nodes_room, sizeof *nodes);

	if (!nodes)
		return -ENOMEM;
	graph->nodes = nodes;
	graph->nodes[graph->n_nodes++] = (struct prf_call_node){
		.function = function,
		.parent = parent,
		.child = PRF_CALL_NONE,
		.sibling = PRF_CALL_NONE,
	};
	return 0;
}

static uint32_t
hash_of(size_t parent, size_t function)
{
	return prf_hash_index_hash((uint32_t)parent, (uint32_t)function);
}

/* Room to find one more node by. */
static int
reserve_index(struct making *making)
{
	const struct prf_call_graph *graph = making->graph;
	size_t n = graph->n_nodes;

	if (!prf_hash_index_is_full(&making->index, n))
		return 0;
	if (prf_hash_index_clear(&making->index, n))
		return -ENOMEM;
	for (uint32_t i = 1; i < n; i++)
		prf_hash_index_add(&making->index,
				   hash_of(graph->nodes[i].parent,
					   graph->nodes[i].function),
				   i);
	return 0;
}

/* *NODE: that of FUNCTION, below PARENT. */
static int
add_node(struct making *making, size_t parent, size_t function, bool guessed,
	 size_t *node)
{
	struct prf_call_graph *graph = making->graph;
	uint32_t hash = hash_of(parent, function);
	int rc = reserve_index(making);

	for (size_t at = hash; !rc; at++) {
		*node = prf_hash_index_next(&making->index, hash, &at);
		if (!*node) {
			*node = graph->n_nodes;
			prf_hash_index_put(&making->index, at, hash,
					   (uint32_t)*node);
			rc = append_node(making, parent, function);
			if (rc)
				break;
		}
		if (graph->nodes[*node].parent == parent &&
		    graph->nodes[*node].function == function) {
			graph->nodes[*node].guessed |= guessed;
			break;
		}
	}
	return rc;
}

/* *NODE: that of CALL, below PARENT. */
static int
add_call(struct making *making, const struct prf_call *call, size_t parent,
	 size_t *node)
{
	const struct prf_arc_end end = {call->binary, call->vaddr};
	const size_t *numbers;
	size_t n;
	int rc = prf_call_functions_count_all(&making->functions, &end,
					      &call->self, &numbers, &n);

	*node = parent;
	for (size_t i = 0; !rc && i < n; i++)
		rc = add_node(making, *node, numbers[i], call->guessed, node);
	if (!rc)
		prf_count_merge(&making->graph->nodes[*node].self, &call->self);
	return rc;
}

/* A call that is left out has the node of who called it. */
static bool
has_node(const struct making *making, const struct prf_call *call)
{
	const struct prf_call_graph_way *way = making->way;

	if (way->others && way->others[call->owner])
		return false;
	if (!call->binary)
		return !way->only && !way->pieces;
	return !way->only || call->binary == way->only;
}

/* The node above those of CALL, of which NODE is the last. */
static size_t
node_above(const struct making *making, const struct prf_call *call,
	   size_t node)
{
	const struct prf_arc_end end = {call->binary, call->vaddr};
	size_t n = has_node(making, call)
			   ? prf_call_functions_depth(&making->functions, &end)
			   : 0;

	while (n-- > 0)
		node = making->graph->nodes[node].parent;
	return node;
}

/* All of CALLS, parents first.  NODE, which is CALL's, goes up whenever that
 * does. */
static int
add_calls(struct making *making, const struct prf_calls *calls)
{
	const struct prf_call *call = prf_calls_root(calls);
	size_t node = 0;
	int rc = append_node(making, PRF_CALL_NONE, PRF_CALL_NONE);

	while (!rc) {
		if (call->child) {
			call = prf_calls_at(calls, call->child);
		} else {
			while (call->number && !call->sibling) {
				node = node_above(making, call, node);
				call = prf_calls_at(calls, call->parent);
			}
			if (!call->number)
				return 0;
			node = node_above(making, call, node);
			call = prf_calls_at(calls, call->sibling);
		}
		if (has_node(making, call))
			rc = add_call(making, call, node, &node);
	}
	return rc;
}

/* --- All ticks, as if each had a stack of one frame */

struct flat {
	struct making *making;
	struct prf_arc_end end; /* the frame at hand */
};

static int
take_frame(void *arg, size_t depth, const struct prf_arc_end *end, bool guessed)
{
	struct flat *flat = arg;

	(void)depth;
	(void)guessed;
	flat->end = *end;
	return 0;
}

static int
add_stack(void *arg, size_t n, const struct prf_count *count)
{
	const struct flat *flat = arg;
	const struct prf_call call = {.binary = flat->end.binary,
				      .vaddr = flat->end.vaddr,
				      .self = *count};
	size_t node;

	if (n)
		return has_node(flat->making, &call)
			       ? add_call(flat->making, &call, 0, &node)
			       : 0;
	/* What no counter has is the root's own, and in no binary. */
	if (!flat->making->way->only)
		prf_count_merge(&flat->making->graph->nodes[0].self, count);
	return 0;
}

static int
add_flat(struct making *making, const struct prf_profile *profile)
{
	static const struct prf_stack_visit ops = {.frame = take_frame,
						   .stack = add_stack};
	struct flat flat = {.making = making};
	struct prf_profile counters = *profile;
	int rc = append_node(making, PRF_CALL_NONE, PRF_CALL_NONE);

	counters.calls = NULL;
	return rc ? rc : prf_stack_walk(&counters, &ops, &flat);
}

/* --- Totals */

/* Parents come before their children. */
static void
sum_up(struct prf_call_graph *graph)
{
	for (size_t i = graph->n_nodes; i-- > 0;) {
		struct prf_call_node *node = &graph->nodes[i];

		prf_count_merge(&node->total, &node->self);
		if (i)
			prf_count_merge(&graph->nodes[node->parent].total,
					&node->total);
	}
}

/* Nodes whose ticks have been taken out again are left out. */
static int
drop_empty(struct prf_call_graph *graph)
{
	PRF_AUTO(prf_auto_free)
	size_t *moved = calloc(graph->n_nodes, sizeof *moved);
	size_t n = 1;

	if (!moved)
		return -ENOMEM;
	for (size_t i = 1; i < graph->n_nodes; i++) {
		struct prf_call_node *node = &graph->nodes[i];

		if (!node->total.ticks)
			continue;
		node->parent = moved[node->parent];
		moved[i] = n;
		graph->nodes[n++] = *node;
	}
	graph->n_nodes = n;
	return 0;
}

static void
link_nodes(struct prf_call_graph *graph)
{
	for (size_t i = 0; i < graph->n_nodes; i++)
		graph->nodes[i].child = graph->nodes[i].sibling = PRF_CALL_NONE;
	for (size_t i = graph->n_nodes; i-- > 1;) {
		struct prf_call_node *node = &graph->nodes[i];
		struct prf_call_node *parent = &graph->nodes[node->parent];

		node->sibling = parent->child;
		parent->child = i;
	}
}

/* --- Each sample once */

static int
find_arc(struct making *making, size_t at)
{
	struct prf_call_graph *graph = making->graph;
	const struct prf_call_node *node = &graph->nodes[at];
	size_t caller = graph->nodes[node->parent].function, arc;

	making->arc_of[at] = PRF_CALL_NONE;
	if (caller == PRF_CALL_NONE)
		return 0;
	if (prf_pairs_intern(&making->arcs, caller, node->function, &arc))
		return -ENOMEM;
	struct prf_call_arc *arcs = prf_large_reserve(
		graph->arcs, arc, &making->arcs_room, sizeof *arcs);
	if (!arcs)
		return -ENOMEM;
	graph->arcs = arcs;
	if (arc == graph->n_arcs)
		graph->arcs[graph->n_arcs++] =
			(struct prf_call_arc){caller, node->function, {0}};
	making->arc_of[at] = arc;
	return 0;
}

static int
find_arcs(struct making *making)
{
	size_t n = making->graph->n_nodes;
	int rc = 0;

	making->arc_of = calloc(n, sizeof *making->arc_of);
	if (!making->arc_of)
		return -ENOMEM;
	for (size_t i = 1; !rc && i < n; i++)
		rc = find_arc(making, i);
	if (rc)
		return rc;
	making->arc_depths =
		calloc(making->graph->n_arcs + 1, sizeof *making->arc_depths);
	making->function_depths = calloc(making->functions.n + 1,
					 sizeof *making->function_depths);
	return making->arc_depths && making->function_depths ? 0 : -ENOMEM;
}

/* The path goes on to node AT: what it meets for the first time gets all that is
 * below. */
static void
go_down(const struct making *making, size_t at)
{
	const struct prf_call_node *node = &making->graph->nodes[at];
	size_t arc = making->arc_of[at];

	if (making->function_depths[node->function]++ == 0)
		prf_count_merge(&making->functions.all[node->function].total,
				&node->total);
	if (arc != PRF_CALL_NONE && making->arc_depths[arc]++ == 0)
		prf_count_merge(&making->graph->arcs[arc].total, &node->total);
}

static void
go_up(const struct making *making, size_t at)
{
	size_t arc = making->arc_of[at];

	making->function_depths[making->graph->nodes[at].function]--;
	if (arc != PRF_CALL_NONE)
		making->arc_depths[arc]--;
}

static void
count_once(const struct making *making)
{
	const struct prf_call_node *nodes = making->graph->nodes;
	size_t at = nodes[0].child;

	while (at && at != PRF_CALL_NONE) {
		go_down(making, at);
		if (nodes[at].child != PRF_CALL_NONE) {
			at = nodes[at].child;
			continue;
		}
		while (at && nodes[at].sibling == PRF_CALL_NONE) {
			go_up(making, at);
			at = nodes[at].parent;
		}
		if (at) {
			go_up(making, at);
			at = nodes[at].sibling;
		}
	}
}

/* --- In order */

static int
compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int
compare_binaries(const struct prf_binary *left, const struct prf_binary *right)
{
	if (!left || !right)
		return !left - !right;
	int rc = compare_numbers(left->kind, right->kind);
	return rc ? rc : strcmp(left->path, right->path);
}

struct ranked {
	struct prf_call_function function;
	size_t number; /* as it came */
};

static int
by_total(const void *a, const void *b)
{
	const struct prf_call_function *left =
		&((const struct ranked *)a)->function;
	const struct prf_call_function *right =
		&((const struct ranked *)b)->function;
	int rc = compare_numbers(right->total.ticks, left->total.ticks);

	if (!rc)
		rc = compare_numbers(right->self.ticks, left->self.ticks);
	if (!rc)
		rc = compare_binaries(left->binary, right->binary);
	if (!rc)
		rc = compare_numbers(left->lo, right->lo);
	if (!rc)
		rc = compare_numbers(left->inlined, right->inlined);
	return rc ? rc : strcmp(left->name, right->name);
}

static int
by_caller(const void *a, const void *b)
{
	const struct prf_call_arc *left = a, *right = b;
	int rc = compare_numbers(left->caller, right->caller);

	if (!rc)
		rc = compare_numbers(right->total.ticks, left->total.ticks);
	return rc ? rc : compare_numbers(left->callee, right->callee);
}

/* The functions that have ticks, in their order; *MOVED: where each has come
 * to. */
static int
rank_functions(struct making *making, size_t *moved)
{
	struct prf_call_graph *graph = making->graph;
	size_t n = making->functions.n;
	PRF_AUTO(prf_auto_free)
	struct ranked *ranked = calloc(n + 1, sizeof *ranked);

	graph->functions = calloc(n + 1, sizeof *graph->functions);
	if (!ranked || !graph->functions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){making->functions.all[i], i};
	qsort(ranked, n, sizeof *ranked, by_total);
	for (size_t i = 0; i < n; i++) {
		graph->functions[i] = ranked[i].function;
		graph->n_functions += ranked[i].function.total.ticks > 0;
		moved[ranked[i].number] = i;
	}
	return 0;
}

struct weighed {
	uint64_t ticks;
	size_t function, node;
};

static int
by_weight(const void *a, const void *b)
{
	const struct weighed *left = a, *right = b;
	int rc = compare_numbers(right->ticks, left->ticks);

	if (!rc)
		rc = compare_numbers(left->function, right->function);
	return rc ? rc : compare_numbers(left->node, right->node);
}

/* The nodes below one. */
struct siblings {
	struct weighed *all;
	size_t n, room;
};

static int
weigh_children(const struct prf_call_graph *graph, size_t parent,
	       struct siblings *siblings)
{
	siblings->n = 0;
	for (size_t at = graph->nodes[parent].child; at != PRF_CALL_NONE;
	     at = graph->nodes[at].sibling) {
		const struct prf_call_node *node = &graph->nodes[at];
		struct weighed *all =
			prf_large_reserve(siblings->all, siblings->n,
					  &siblings->room, sizeof *all);

		if (!all)
			return -ENOMEM;
		siblings->all = all;
		all[siblings->n++] =
			(struct weighed){node->total.ticks, node->function, at};
	}
	return 0;
}

static void
link_children(struct prf_call_graph *graph, size_t parent,
	      const struct siblings *siblings)
{
	size_t next = PRF_CALL_NONE;

	for (size_t i = siblings->n; i-- > 0;) {
		graph->nodes[siblings->all[i].node].sibling = next;
		next = siblings->all[i].node;
	}
	graph->nodes[parent].child = next;
}

/* Of siblings those with the most ticks come first. */
static int
order_nodes(struct prf_call_graph *graph)
{
	struct siblings siblings = {0};
	int rc = 0;

	for (size_t i = 0; !rc && i < graph->n_nodes; i++) {
		rc = weigh_children(graph, i, &siblings);
		if (rc || siblings.n < 2)
			continue;
		qsort(siblings.all, siblings.n, sizeof *siblings.all,
		      by_weight);
		link_children(graph, i, &siblings);
	}
	free(siblings.all);
	return rc;
}

static int
put_in_order(struct making *making)
{
	struct prf_call_graph *graph = making->graph;
	PRF_AUTO(prf_auto_free)
	size_t *moved = calloc(making->functions.n + 1, sizeof *moved);
	int rc = moved ? rank_functions(making, moved) : -ENOMEM;

	if (rc)
		return rc;
	for (size_t i = 1; i < graph->n_nodes; i++)
		graph->nodes[i].function = moved[graph->nodes[i].function];
	for (size_t i = 0; i < graph->n_arcs; i++) {
		graph->arcs[i].caller = moved[graph->arcs[i].caller];
		graph->arcs[i].callee = moved[graph->arcs[i].callee];
	}
	if (graph->n_arcs)
		qsort(graph->arcs, graph->n_arcs, sizeof *graph->arcs,
		      by_caller);
	return order_nodes(graph);
}

static void
give_tree(struct making *making)
{
	struct prf_call_graph *graph = making->graph;

	graph->functions = PRF_TAKE(making->functions.all);
	graph->n_functions = making->functions.n;
	link_nodes(graph);
}

static int
make(struct making *making, const struct prf_profile *profile)
{
	int rc = making->way->is_flat || !profile->calls
			 ? add_flat(making, profile)
			 : add_calls(making, profile->calls);

	if (rc)
		return rc;
	prf_hash_index_free(&making->index);
	if (making->way->is_tree) {
		give_tree(making);
		return 0;
	}
	sum_up(making->graph);
	rc = drop_empty(making->graph);
	if (!rc)
		rc = find_arcs(making);
	if (rc)
		return rc;
	link_nodes(making->graph);
	count_once(making);
	return put_in_order(making);
}

int
prf_call_graph_make(const struct prf_profile *profile,
		    const struct prf_call_graph_way *way,
		    struct prf_call_graph *graph)
{
	struct making making = {.graph = graph, .way = way};

	*graph = (struct prf_call_graph){0};
	int rc = prf_call_functions_init(&making.functions, profile,
					 way->pieces);
	if (way->is_flat || !profile->calls || !profile->calls->by_function)
		making.functions.inlines = way->inlines;
	making.functions.in_counters =
		way->is_flat || !prf_calls_are_exact(profile->calls);
	if (!rc)
		rc = make(&making, profile);
	clear_making(&making);
	if (rc)
		prf_call_graph_clear(graph);
	return rc;
}

int
prf_call_graph_of(const struct prf_profile *profile,
		  struct prf_call_graph *graph)
{
	return prf_call_graph_make(profile, &(struct prf_call_graph_way){0},
				   graph);
}
