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

/* The stacks' nodes by the node that they become, and what they call: lists of
 * numbers, of which 0 is the end. */
struct merging {
	uint32_t *child, *sibling; /* among the stacks' nodes */
	uint32_t *next;            /* that becomes the same node */
	uint32_t *first;           /* by node */
	size_t room;
	/* By function: its node below the one at hand, and which that is, + 1. */
	uint32_t *nodes, *below_whom;
};

static void
clear_merging(struct merging *merging)
{
	free(merging->child);
	free(merging->sibling);
	free(merging->next);
	free(merging->first);
	free(merging->nodes);
	free(merging->below_whom);
}

static int
link_stacks(struct merging *merging, const struct prf_stack_table *stacks,
	    const uint64_t *below)
{
	size_t n = stacks->n_nodes, n_functions = stacks->functions.n + 1;

	merging->child = calloc(n, sizeof *merging->child);
	merging->sibling = calloc(n, sizeof *merging->sibling);
	merging->next = calloc(n, sizeof *merging->next);
	merging->nodes = calloc(n_functions, sizeof *merging->nodes);
	merging->below_whom = calloc(n_functions, sizeof *merging->below_whom);
	if (!merging->child || !merging->sibling || !merging->next ||
	    !merging->nodes || !merging->below_whom)
		return -ENOMEM;
	for (size_t i = n; i-- > 1;) {
		uint32_t parent = stacks->nodes[i].parent;

		if (!below[i])
			continue;
		merging->sibling[i] = merging->child[parent];
		merging->child[parent] = (uint32_t)i;
	}
	return 0;
}

static int
append(struct making *making, struct merging *merging, uint32_t parent,
       uint32_t function)
{
	struct prf_page_tree *tree = making->tree;

	if (tree->n_nodes == making->room) {
		size_t room = 2 * making->room + 64;
		struct prf_page_node *nodes =
			reallocarray(tree->nodes, room, sizeof *nodes);

		if (!nodes)
			return -ENOMEM;
		tree->nodes = nodes;
		uint32_t *first =
			reallocarray(merging->first, room, sizeof *first);
		if (!first)
			return -ENOMEM;
		merging->first = first;
		making->room = room;
	}
	merging->first[tree->n_nodes] = 0;
	tree->nodes[tree->n_nodes++] = (struct prf_page_node){
		.parent = parent,
		.function = function,
	};
	return 0;
}

/* CALL, a node of the stacks, is below NODE. */
static int
enter(struct making *making, struct merging *merging, uint32_t node,
      uint32_t call)
{
	struct prf_page_tree *tree = making->tree;
	uint32_t function = prf_stack_table_function_of(making->stacks, call);

	if (merging->below_whom[function] != node + 1) {
		merging->below_whom[function] = node + 1;
		merging->nodes[function] = (uint32_t)tree->n_nodes;
		if (append(making, merging, node, function))
			return -ENOMEM;
	}
	uint32_t own = merging->nodes[function];
	tree->node_of[call] = own;
	tree->nodes[own].guessed |= making->stacks->nodes[call].guessed;
	merging->next[call] = merging->first[own];
	merging->first[own] = call;
	return 0;
}

/* What any of the stacks' nodes calls that are NODE. */
static int
enter_calls(struct making *making, struct merging *merging, uint32_t node)
{
	uint32_t of = merging->first[node];
	int rc = 0;

	do
		for (uint32_t call = merging->child[of]; !rc && call;
		     call = merging->sibling[call])
			rc = enter(making, merging, node, call);
	while (!rc && (of = merging->next[of]));
	return rc;
}

/* Node by node, so that what is below one is numbered together. */
static int
enter_all(struct making *making)
{
	PRF_AUTO(clear_merging) struct merging merging = {0};
	struct prf_page_tree *tree = making->tree;
	int rc = link_stacks(&merging, making->stacks, making->below);

	tree->node_of = calloc(making->stacks->n_nodes, sizeof *tree->node_of);
	if (!rc && !tree->node_of)
		rc = -ENOMEM;
	if (!rc)
		rc = append(making, &merging, 0, 0);
	for (uint32_t node = 0; !rc && node < tree->n_nodes; node++)
		rc = enter_calls(making, &merging, node);
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

	if (!stacks->paths.n)
		return 0;
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
	free(PRF_TAKE(making.below));
	free(PRF_TAKE(making.counts));
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
