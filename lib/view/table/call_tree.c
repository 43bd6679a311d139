#include "view/table/call_tree.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* --- Nodes, by parent and function */

static size_t
slot_of(const struct prf_call_tree *tree, size_t parent, size_t function)
{
	uint64_t hash = (parent * UINT64_C(0x9e3779b97f4a7c15)) ^
			(function * UINT64_C(0xc2b2ae3d27d4eb4f));
	size_t at = (size_t)(hash ^ hash >> 32) & (tree->n_slots - 1);

	while (tree->slots[at]) {
		const struct prf_call_tree_node *node =
			&tree->nodes[tree->slots[at] - 1];

		if (node->parent == parent && node->function == function)
			break;
		at = (at + 1) & (tree->n_slots - 1);
	}
	return at;
}

/* Room for one node more, in a table that is at most half full. */
static int
grow(struct prf_call_tree *tree)
{
	if (tree->n < tree->room)
		return 0;
	size_t room = tree->room * 2 + 64, n_slots = 128;
	struct prf_call_tree_node *nodes =
		reallocarray(tree->nodes, room, sizeof *nodes);

	if (!nodes)
		return -ENOMEM;
	tree->nodes = nodes;
	while (n_slots < 2 * room)
		n_slots *= 2;
	size_t *slots = calloc(n_slots, sizeof *slots);
	if (!slots)
		return -ENOMEM;
	free(tree->slots);
	tree->slots = slots;
	tree->n_slots = n_slots;
	tree->room = room;
	for (size_t i = 0; i < tree->n; i++)
		slots[slot_of(tree, nodes[i].parent, nodes[i].function)] =
			i + 1;
	return 0;
}

/* PARENT's child of FUNCTION, which is made where there is none.  -ENOMEM. */
static int
child_of(struct prf_call_tree *tree, size_t parent, size_t function,
	 size_t *child)
{
	int rc = grow(tree);

	if (rc)
		return rc;
	size_t slot = slot_of(tree, parent, function);
	if (!tree->slots[slot]) {
		tree->nodes[tree->n++] = (struct prf_call_tree_node){
			.function = function,
			.parent = parent,
			.child = PRF_CALL_NONE,
			.sibling = PRF_CALL_NONE,
		};
		tree->slots[slot] = tree->n;
	}
	*child = tree->slots[slot] - 1;
	return 0;
}

/* From *AT to the call of FUNCTION, which is *AT itself where a function calls
 * itself. */
static int
step(struct prf_call_tree *tree, const struct prf_call_node *of, size_t *at)
{
	bool is_same = tree->nodes[*at].function == of->function;
	int rc = is_same ? 0 : child_of(tree, *at, of->function, at);

	if (!rc) {
		tree->nodes[*at].recursive |= is_same;
		tree->nodes[*at].guessed |= of->guessed;
	}
	return rc;
}

/* --- Which samples are wanted */

/* What is known of the path to a node of the graph. */
struct path {
	bool in_focus, ignored;
	size_t at; /* WHOLE, BELOW: its node of the tree; ABOVE: the outermost
		    * node of a function that is meant; or NONE */
};

static void
enter(const struct prf_call_choice *choice, const struct prf_call_node *node,
      const struct path *outer, struct path *path)
{
	*path = *outer;
	path->in_focus |= choice->focus && choice->focus[node->function];
	path->ignored |= choice->ignore && choice->ignore[node->function];
}

static bool
is_wanted(const struct prf_call_choice *choice, const struct path *path)
{
	return (!choice->focus || path->in_focus) && !path->ignored;
}

/* --- The three kinds */

/* The tree begins at the root, or at the outermost call that is meant. */
static int
add_downwards(const struct prf_call_graph *graph,
	      const struct prf_call_choice *choice, size_t i, struct path *path,
	      struct prf_call_tree *tree)
{
	const struct prf_call_node *node = &graph->nodes[i];

	if (path->at == PRF_CALL_NONE && choice->meant[node->function])
		path->at = 0;
	if (path->at == PRF_CALL_NONE)
		return 0;
	int rc = step(tree, node, &path->at);
	if (!rc && is_wanted(choice, path))
		prf_count_merge(&tree->nodes[path->at].self, &node->self);
	return rc;
}

/* Where the samples of a node are to be added: at the outermost call that is
 * meant. */
static void
add_to_outermost(const struct prf_call_graph *graph,
		 const struct prf_call_choice *choice, size_t i,
		 struct path *path, struct prf_count *costs)
{
	const struct prf_call_node *node = &graph->nodes[i];

	if (path->at == PRF_CALL_NONE && choice->meant[node->function])
		path->at = i;
	if (path->at != PRF_CALL_NONE && is_wanted(choice, path))
		prf_count_merge(&costs[path->at], &node->self);
}

/* Node FROM and who called it, up to the root, with COST at the end. */
static int
add_upwards(const struct prf_call_graph *graph, size_t from,
	    const struct prf_count *cost, struct prf_call_tree *tree)
{
	size_t at = 0;
	int rc = 0;

	for (size_t i = from; !rc && i; i = graph->nodes[i].parent)
		rc = step(tree, &graph->nodes[i], &at);
	if (!rc)
		prf_count_merge(&tree->nodes[at].self, cost);
	return rc;
}

static int
add_all(const struct prf_call_graph *graph,
	const struct prf_call_choice *choice, struct path *paths,
	struct prf_count *costs, struct prf_call_tree *tree)
{
	bool is_above = choice->kind == PRF_CALL_TREE_ABOVE;
	int rc = 0;

	paths[0].at = choice->kind == PRF_CALL_TREE_WHOLE ? 0 : PRF_CALL_NONE;
	for (size_t i = 1; !rc && i < graph->n_nodes; i++) {
		const struct prf_call_node *node = &graph->nodes[i];

		enter(choice, node, &paths[node->parent], &paths[i]);
		if (is_above)
			add_to_outermost(graph, choice, i, &paths[i], costs);
		else
			rc = add_downwards(graph, choice, i, &paths[i], tree);
	}
	for (size_t i = 1; is_above && !rc && i < graph->n_nodes; i++)
		if (costs[i].ticks)
			rc = add_upwards(graph, i, &costs[i], tree);
	return rc;
}

/* --- Sums and order */

static void
add_up(struct prf_call_tree *tree)
{
	for (size_t i = tree->n; i-- > 0;) {
		struct prf_call_tree_node *node = &tree->nodes[i];

		prf_count_merge(&node->total, &node->self);
		if (i)
			prf_count_merge(&tree->nodes[node->parent].total,
					&node->total);
	}
}

/* A node, to be put in its place. */
struct rank {
	size_t parent, index, function;
	uint64_t ticks;
};

static int
compare(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* Functions are in the order of their totals. */
static int
by_parent_and_ticks(const void *a, const void *b)
{
	const struct rank *left = a, *right = b;
	int rc = compare(left->parent, right->parent);

	if (!rc)
		rc = -compare(left->ticks, right->ticks);
	return rc ? rc : compare(left->function, right->function);
}

static int
link_in_order(struct prf_call_tree *tree)
{
	PRF_AUTO(prf_auto_free)
	struct rank *ranks = calloc(tree->n, sizeof *ranks);

	if (!ranks)
		return -ENOMEM;
	for (size_t i = 1; i < tree->n; i++)
		ranks[i] = (struct rank){tree->nodes[i].parent, i,
					 tree->nodes[i].function,
					 tree->nodes[i].total.ticks};
	qsort(ranks + 1, tree->n - 1, sizeof *ranks, by_parent_and_ticks);
	for (size_t i = tree->n; i-- > 1;) {
		struct prf_call_tree_node *parent =
			&tree->nodes[ranks[i].parent];

		tree->nodes[ranks[i].index].sibling = parent->child;
		parent->child = ranks[i].index;
	}
	return 0;
}

int
prf_call_tree_of(const struct prf_call_graph *graph,
		 const struct prf_call_choice *choice,
		 struct prf_call_tree *tree)
{
	PRF_AUTO(prf_auto_free)
	struct path *paths = calloc(graph->n_nodes, sizeof *paths);
	PRF_AUTO(prf_auto_free)
	struct prf_count *costs = calloc(graph->n_nodes, sizeof *costs);
	size_t root;

	*tree = (struct prf_call_tree){0};
	int rc = paths && costs
			 ? child_of(tree, PRF_CALL_NONE, PRF_CALL_NONE, &root)
			 : -ENOMEM;
	if (!rc)
		rc = add_all(graph, choice, paths, costs, tree);
	if (!rc) {
		add_up(tree);
		rc = link_in_order(tree);
	}
	if (rc)
		prf_call_tree_clear(tree);
	return rc;
}

void
prf_call_tree_clear(struct prf_call_tree *tree)
{
	free(tree->nodes);
	free(tree->slots);
	*tree = (struct prf_call_tree){0};
}
