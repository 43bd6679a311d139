#include "view/table/call_tree.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* --- Nodes */

static int
append(struct prf_call_tree *tree, size_t parent, size_t function)
{
	if (tree->n == tree->room) {
		size_t room = tree->room * 2 + 64;
		struct prf_call_tree_node *grown =
			reallocarray(tree->nodes, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		tree->nodes = grown;
		tree->room = room;
	}
	tree->nodes[tree->n++] = (struct prf_call_tree_node){
		.function = function,
		.parent = parent,
		.child = PRF_CALL_NONE,
		.sibling = PRF_CALL_NONE,
	};
	return 0;
}

/* PARENT's child of FUNCTION, which is made where there is none. */
static int
child_of(struct prf_call_tree *tree, size_t parent, size_t function,
	 size_t *child)
{
	size_t number;

	if (prf_pairs_intern(&tree->children, parent, function, &number))
		return -ENOMEM;
	*child = number + 1;
	return *child < tree->n ? 0 : append(tree, parent, function);
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

/* What is known of a node of the graph and of the path to it. */
struct place {
	bool in_focus, ignored;
	bool is_outermost;     /* of the calls that are meant */
	bool is_within;        /* one that is meant, or its callee */
	struct prf_count self; /* wanted samples */
	struct prf_count total;
	size_t at; /* its node of the tree */
};

static bool
has_flag(const bool *flags, const struct prf_call_node *node)
{
	return flags && flags[node->function];
}

static void
enter(const struct prf_call_choice *choice, const struct prf_call_node *node,
      const struct place *outer, struct place *place)
{
	bool is_meant = choice->kind == PRF_CALL_TREE_WHOLE ||
			has_flag(choice->meant, node);

	*place = (struct place){
		.in_focus = outer->in_focus || has_flag(choice->focus, node),
		.ignored = outer->ignored || has_flag(choice->ignore, node),
		.is_outermost = is_meant && !outer->is_within,
		.is_within = is_meant || outer->is_within,
	};
	if ((place->in_focus || !choice->focus) && !place->ignored)
		place->self = node->self;
}

/* Parents come before their children. */
static void
find_places(const struct prf_call_graph *graph,
	    const struct prf_call_choice *choice, struct place *places)
{
	for (size_t i = 1; i < graph->n_nodes; i++)
		enter(choice, &graph->nodes[i], &places[graph->nodes[i].parent],
		      &places[i]);
	for (size_t i = graph->n_nodes; i-- > 1;) {
		prf_count_merge(&places[i].total, &places[i].self);
		prf_count_merge(&places[graph->nodes[i].parent].total,
				&places[i].total);
	}
}

/* --- The three kinds */

/* Node I, below its caller, or where the tree begins. */
static int
add_downwards(const struct prf_call_graph *graph, size_t i,
	      struct place *places, struct prf_call_tree *tree)
{
	const struct prf_call_node *node = &graph->nodes[i];
	struct place *place = &places[i];

	if (!place->is_within)
		return 0;
	place->at = place->is_outermost ? 0 : places[node->parent].at;
	int rc = step(tree, node, &place->at);
	if (!rc)
		prf_count_merge(&tree->nodes[place->at].self, &place->self);
	return rc;
}

/* Node I and who called it, up to the root, with all that it has at the end. */
static int
add_upwards(const struct prf_call_graph *graph, size_t i,
	    const struct place *places, struct prf_call_tree *tree)
{
	size_t at = 0;
	int rc = 0;

	if (!places[i].is_outermost)
		return 0;
	for (size_t up = i; !rc && up; up = graph->nodes[up].parent)
		rc = step(tree, &graph->nodes[up], &at);
	if (!rc)
		prf_count_merge(&tree->nodes[at].self, &places[i].total);
	return rc;
}

static int
add_all(const struct prf_call_graph *graph,
	const struct prf_call_choice *choice, struct place *places,
	struct prf_call_tree *tree)
{
	int rc = 0;

	find_places(graph, choice, places);
	for (size_t i = 1; !rc && i < graph->n_nodes; i++)
		if (places[i].total.ticks)
			rc = choice->kind == PRF_CALL_TREE_ABOVE
				     ? add_upwards(graph, i, places, tree)
				     : add_downwards(graph, i, places, tree);
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
	struct place *places = calloc(graph->n_nodes, sizeof *places);

	*tree = (struct prf_call_tree){0};
	int rc = places ? append(tree, PRF_CALL_NONE, PRF_CALL_NONE) : -ENOMEM;
	if (!rc)
		rc = add_all(graph, choice, places, tree);
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
	prf_pairs_clear(&tree->children);
	*tree = (struct prf_call_tree){0};
}

/* --- What is shown of it */

uint64_t
prf_call_tree_least(const struct prf_call_tree *tree, double percent)
{
	double least = (double)tree->nodes[0].total.ticks * percent / 100;
	uint64_t ticks = (uint64_t)least;

	return (double)ticks < least || !ticks ? ticks + 1 : ticks;
}

/* The most ticks come first: who follows one that has too few has, too. */
static size_t
if_shown(const struct prf_call_tree *tree, size_t i, uint64_t least)
{
	return i != PRF_CALL_NONE && tree->nodes[i].total.ticks >= least
		       ? i
		       : PRF_CALL_NONE;
}

size_t
prf_call_tree_sibling(const struct prf_call_tree *tree, size_t i,
		      uint64_t least)
{
	return if_shown(tree, tree->nodes[i].sibling, least);
}

size_t
prf_call_tree_next(const struct prf_call_tree *tree, size_t i, uint64_t least)
{
	size_t next = if_shown(tree, tree->nodes[i].child, least);

	while (next == PRF_CALL_NONE && i) {
		next = prf_call_tree_sibling(tree, i, least);
		i = tree->nodes[i].parent;
	}
	return next;
}
