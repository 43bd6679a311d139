#include "view/page/page_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/pairs.h"

struct making {
	const struct prf_stack_table *stacks;
	struct prf_page_tree *tree;
	uint64_t *below;          /* ticks, by the stacks' nodes */
	struct prf_count *counts; /* with what is below, by node */
	struct prf_pairs keys;    /* parent and function; the number is the
				  * node's, less 1 */
	size_t room;
	/* Of each node: the first and the next; 0: there is none. */
	uint32_t *child, *sibling;
};

static void
clear_making(struct making *making)
{
	free(making->below);
	free(making->counts);
	free(making->child);
	free(making->sibling);
	prf_pairs_clear(&making->keys);
}

void
prf_page_tree_clear(struct prf_page_tree *tree)
{
	free(tree->nodes);
	free(tree->functions);
	free(tree->node_of);
	*tree = (struct prf_page_tree){0};
}

/* --- Paths of functions */

static int
sum_up_stacks(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;

	making->below = calloc(stacks->n_nodes, sizeof *making->below);
	if (!making->below)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++)
		making->below[stacks->samples[i].node] +=
			stacks->samples[i].count.ticks;
	for (size_t i = stacks->n_nodes; i-- > 1;)
		making->below[stacks->nodes[i].parent] += making->below[i];
	return 0;
}

static int
append(struct making *making, uint32_t parent, uint32_t function)
{
	struct prf_page_tree *tree = making->tree;

	if (tree->n_nodes == making->room) {
		size_t room = 2 * making->room + 64;
		struct prf_page_node *grown =
			reallocarray(tree->nodes, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		tree->nodes = grown;
		making->room = room;
	}
	tree->nodes[tree->n_nodes++] = (struct prf_page_node){
		.parent = parent,
		.function = function,
	};
	return 0;
}

/* The node of the stacks' node AT, whose parent has one. */
static int
enter(struct making *making, uint32_t at)
{
	struct prf_page_tree *tree = making->tree;
	const struct prf_stack_table *stacks = making->stacks;
	uint32_t parent = tree->node_of[stacks->nodes[at].parent];
	uint32_t function = prf_stack_table_function_of(stacks, at);
	size_t number;
	int rc = prf_pairs_intern(&making->keys, parent, function, &number);

	if (!rc && number + 1 == tree->n_nodes)
		rc = append(making, parent, function);
	if (rc)
		return rc;
	tree->node_of[at] = (uint32_t)number + 1;
	tree->nodes[number + 1].guessed |= stacks->nodes[at].guessed;
	return 0;
}

static int
enter_all(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	int rc = append(making, 0, 0);

	making->tree->node_of =
		calloc(stacks->n_nodes, sizeof *making->tree->node_of);
	if (!making->tree->node_of)
		return -ENOMEM;
	for (size_t i = 1; !rc && i < stacks->n_nodes; i++)
		if (making->below[i])
			rc = enter(making, (uint32_t)i);
	return rc;
}

/* --- Ticks */

static int
count(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	struct prf_page_tree *tree = making->tree;

	making->counts = calloc(tree->n_nodes, sizeof *making->counts);
	tree->n_functions = stacks->functions.n;
	tree->functions = calloc(tree->n_functions + 2, /* and one for others */
				 sizeof *tree->functions);
	if (!making->counts || !tree->functions)
		return -ENOMEM;
	for (size_t i = 0; i < tree->n_functions; i++)
		tree->functions[i].number = (uint32_t)i;
	for (size_t i = 0; i < stacks->n_samples; i++) {
		const struct prf_stack_table_sample *sample =
			&stacks->samples[i];
		uint32_t node = tree->node_of[sample->node];

		tree->nodes[node].self += sample->count.ticks;
		prf_count_merge(&making->counts[node], &sample->count);
		prf_count_merge(&tree->total, &sample->count);
		if (node)
			prf_count_merge(
				&tree->functions[tree->nodes[node].function]
					 .self,
				&sample->count);
	}
	for (size_t i = tree->n_nodes; i-- > 0;) {
		if (i)
			prf_count_merge(&making->counts[tree->nodes[i].parent],
					&making->counts[i]);
		tree->nodes[i].total = making->counts[i].ticks;
	}
	return 0;
}

static int
link_nodes(struct making *making)
{
	const struct prf_page_tree *tree = making->tree;

	free(making->child);
	free(making->sibling);
	making->child = calloc(tree->n_nodes, sizeof *making->child);
	making->sibling = calloc(tree->n_nodes, sizeof *making->sibling);
	if (!making->child || !making->sibling)
		return -ENOMEM;
	for (size_t i = tree->n_nodes; i-- > 1;) {
		uint32_t parent = tree->nodes[i].parent;

		making->sibling[i] = making->child[parent];
		making->child[parent] = (uint32_t)i;
	}
	return 0;
}

/* Each sample once in a function, whatever recursion it is in. */
static int
count_functions(struct making *making)
{
	struct prf_page_tree *tree = making->tree;
	PRF_AUTO(prf_auto_free)
	uint32_t *depths = calloc(tree->n_functions + 1, sizeof *depths);
	int rc = link_nodes(making);
	uint32_t at = rc ? 0 : making->child[0];

	if (!depths)
		return -ENOMEM;
	while (at) {
		uint32_t function = tree->nodes[at].function;

		if (!depths[function]++)
			prf_count_merge(&tree->functions[function].total,
					&making->counts[at]);
		uint32_t next = making->child[at];
		while (!next && at) {
			depths[tree->nodes[at].function]--;
			next = making->sibling[at];
			at = tree->nodes[at].parent;
		}
		at = next;
	}
	return rc;
}

/* --- Lines: of each node the one with the most ticks */

static int
find_lines(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	const struct prf_page_tree *tree = making->tree;
	PRF_AUTO(prf_pairs_clear) struct prf_pairs places = {0};
	PRF_AUTO(prf_auto_free) uint64_t *ticks = NULL, *most = NULL;

	ticks = calloc(stacks->n_nodes, sizeof *ticks);
	most = calloc(tree->n_nodes, sizeof *most);
	if (!ticks || !most)
		return -ENOMEM;
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		uint32_t line = stacks->frames[stacks->nodes[i].frame].line;
		uint32_t node = tree->node_of[i];
		size_t place;

		if (!line || !node)
			continue;
		if (prf_pairs_intern(&places, node, line, &place))
			return -ENOMEM;
		ticks[place] += making->below[i];
		if (ticks[place] <= most[node])
			continue;
		most[node] = ticks[place];
		tree->nodes[node].line = line;
	}
	return 0;
}

/* --- No more than so many */

static size_t
n_with(const struct prf_page_tree *tree, uint64_t ticks)
{
	size_t n = 0;

	for (size_t i = 0; i < tree->n_nodes; i++)
		n += tree->nodes[i].total >= ticks;
	return n;
}

/* Nodes with fewer than LEAST ticks become one below each node that has more;
 * MOVED: where each is then. */
static void
fold(struct making *making, uint64_t least, uint32_t *moved, uint32_t *rest)
{
	struct prf_page_tree *tree = making->tree;
	uint32_t n = 1;

	for (size_t i = 1; i < tree->n_nodes; i++) {
		struct prf_page_node node = tree->nodes[i];
		uint32_t parent = moved[node.parent];
		bool is_inside =
			parent && tree->nodes[parent].function ==
					  (uint32_t)tree->n_functions - 1;

		node.parent = parent;
		if (is_inside) {
			moved[i] = parent;
		} else if (node.total >= least) {
			moved[i] = n;
			tree->nodes[n++] = node;
		} else {
			if (!rest[parent]) {
				rest[parent] = n;
				tree->nodes[n++] = (struct prf_page_node){
					.parent = parent,
					.function =
						(uint32_t)tree->n_functions - 1,
				};
			}
			moved[i] = rest[parent];
			tree->nodes[moved[i]].total += node.total;
			tree->nodes[moved[i]].self += node.total;
		}
	}
	tree->n_nodes = n;
}

static void
move_all(struct making *making, const uint32_t *moved)
{
	for (size_t i = 0; i < making->stacks->n_nodes; i++)
		making->tree->node_of[i] = moved[making->tree->node_of[i]];
}

static int
prune(struct making *making, size_t n_max)
{
	struct prf_page_tree *tree = making->tree;
	PRF_AUTO(prf_auto_free) uint32_t *moved = NULL, *rest = NULL;
	uint64_t least = 1;

	if (tree->n_nodes <= n_max)
		return 0;
	moved = calloc(tree->n_nodes, sizeof *moved);
	rest = calloc(tree->n_nodes, sizeof *rest);
	if (!moved || !rest)
		return -ENOMEM;
	/* Each of those that stay can have one of the others below it. */
	while (n_with(tree, least) > n_max / 2)
		least *= 2;
	tree->functions[tree->n_functions++].number = PRF_PAGE_PRUNED;
	fold(making, least, moved, rest);
	move_all(making, moved);
	return 0;
}

/* --- In order */

/* The most ticks first. */
static int
by_ticks(const void *a, const void *b, void *arg)
{
	const struct prf_page_node *nodes = arg;
	const struct prf_page_node *left = &nodes[*(const uint32_t *)a],
				   *right = &nodes[*(const uint32_t *)b];

	if (left->total != right->total)
		return left->total > right->total ? -1 : 1;
	return (left->function > right->function) -
	       (left->function < right->function);
}

static int
sort_nodes(struct making *making)
{
	struct prf_page_tree *tree = making->tree;
	size_t n = tree->n_nodes, put = 1;
	PRF_AUTO(prf_auto_free) uint32_t *order = NULL, *place = NULL;
	struct prf_page_node *sorted = calloc(n, sizeof *sorted);

	order = calloc(n, sizeof *order);
	place = calloc(n, sizeof *place);
	if (!sorted || !order || !place || link_nodes(making)) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t k = 0; k < n; k++) {
		size_t first = put;

		for (uint32_t at = making->child[order[k]]; at;
		     at = making->sibling[at])
			order[put++] = at;
		qsort_r(&order[first], put - first, sizeof *order, by_ticks,
			tree->nodes);
		place[order[k]] = (uint32_t)k;
		sorted[k] = tree->nodes[order[k]];
		sorted[k].parent = place[sorted[k].parent];
	}
	move_all(making, place);
	free(tree->nodes);
	tree->nodes = sorted;
	return 0;
}

static int
by_total(const void *a, const void *b)
{
	const struct prf_page_function *left = a, *right = b;

	if (left->total.ticks != right->total.ticks)
		return left->total.ticks > right->total.ticks ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

static int
sort_functions(struct making *making)
{
	struct prf_page_tree *tree = making->tree;
	PRF_AUTO(prf_auto_free)
	uint32_t *place =
		calloc(making->stacks->functions.n + 1, sizeof *place);

	if (!place)
		return -ENOMEM;
	/* What was pruned has no ticks of its own, and stays the last. */
	if (tree->n_functions)
		qsort(tree->functions, tree->n_functions,
		      sizeof *tree->functions, by_total);
	for (size_t i = 0; i < tree->n_functions; i++)
		if (tree->functions[i].number != PRF_PAGE_PRUNED)
			place[tree->functions[i].number] = (uint32_t)i;
		else
			place[making->stacks->functions.n] = (uint32_t)i;
	for (size_t i = 1; i < tree->n_nodes; i++)
		tree->nodes[i].function = place[tree->nodes[i].function];
	return 0;
}

int
prf_page_tree_of(const struct prf_stack_table *stacks, size_t n_max,
		 struct prf_page_tree *tree)
{
	PRF_AUTO(clear_making)
	struct making making = {.stacks = stacks, .tree = tree};

	*tree = (struct prf_page_tree){0};
	int rc = sum_up_stacks(&making);
	if (!rc)
		rc = enter_all(&making);
	if (!rc)
		rc = count(&making);
	if (!rc)
		rc = count_functions(&making);
	if (!rc)
		rc = find_lines(&making);
	if (!rc)
		rc = prune(&making, n_max);
	if (!rc)
		rc = sort_nodes(&making);
	if (!rc)
		rc = sort_functions(&making);
	if (rc)
		prf_page_tree_clear(tree);
	return rc;
}
