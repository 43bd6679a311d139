#include "view/page/page_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/large.h"
#include "core/scope.h"
#include "profile/hash_index.h"
#include "profile/pairs.h"

/* A path of functions, of which there may be millions. */
struct path {
	uint32_t parent; /* a lower number; 0 is the root */
	uint32_t function : 31;
	uint32_t guessed : 1;
};

struct making {
	const struct prf_stack_table *stacks;
	struct prf_page_tree *tree;
	struct path *paths; /* before some are pruned; they are nodes, too */
	size_t n, room;
	struct prf_hash_index index; /* of all but the root */
	struct prf_count *counts;    /* with what is below */
	/* Of each: the first and the next; 0: there is none. */
	uint32_t *child, *sibling;
	uint32_t *lines; /* NULL: there are none */
};

static void
clear_making(struct making *making)
{
	free(making->paths);
	free(making->counts);
	free(making->child);
	free(making->sibling);
	free(making->lines);
	prf_hash_index_free(&making->index);
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

/* Of each of the stacks' nodes NODE_OF becomes 1 if it has ticks, or what is
 * below has. */
static void
mark(const struct prf_stack_table *stacks, uint32_t *node_of)
{
	for (size_t i = 0; i < stacks->n_samples; i++)
		if (stacks->samples[i].count.ticks)
			node_of[stacks->samples[i].node] = 1;
	for (size_t i = stacks->n_nodes; i-- > 1;)
		if (node_of[i])
			node_of[stacks->nodes[i].parent] = 1;
}

/* Room for one more path, and to find it by. */
static int
reserve(struct making *making)
{
	size_t n = making->n;

	if (n == making->room) {
		size_t room = 2 * making->room + 64;
		struct path *paths =
			prf_large_grow(making->paths, n, room, sizeof *paths);

		if (!paths)
			return -ENOMEM;
		making->paths = paths;
		making->room = room;
	}
	if (!prf_hash_index_is_full(&making->index, n))
		return 0;
	if (prf_hash_index_clear(&making->index, n))
		return -ENOMEM;
	for (uint32_t i = 1; i < n; i++)
		prf_hash_index_add(
			&making->index,
			prf_hash_index_hash(making->paths[i].parent,
					    making->paths[i].function),
			i);
	return 0;
}

/* *NUMBER: the path to FUNCTION below PARENT. */
static int
enter(struct making *making, uint32_t parent, uint32_t function,
      uint32_t *number)
{
	uint32_t hash = prf_hash_index_hash(parent, function);
	int rc = reserve(making);

	for (size_t at = hash; !rc; at++) {
		*number = prf_hash_index_next(&making->index, hash, &at);
		if (!*number) {
			*number = (uint32_t)making->n++;
			making->paths[*number] = (struct path){
				.parent = parent,
				.function = function & INT32_MAX,
			};
			prf_hash_index_put(&making->index, at, hash, *number);
		}
		if (making->paths[*number].parent == parent &&
		    making->paths[*number].function == function)
			break;
	}
	return rc;
}

/* Parents come before their children among the stacks' nodes, too. */
static int
enter_all(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	uint32_t *own = prf_large_new(stacks->n_nodes, sizeof *own);
	int rc = own ? reserve(making) : -ENOMEM;

	making->tree->node_of = own;
	if (rc)
		return rc;
	mark(stacks, own);
	making->paths[making->n++] = (struct path){0};
	own[0] = 0;
	for (uint32_t i = 1; !rc && i < stacks->n_nodes; i++) {
		const struct prf_stack_table_node *node = &stacks->nodes[i];

		if (!own[i])
			continue;
		rc = enter(making, own[node->parent],
			   prf_stack_table_function_of(stacks, i), &own[i]);
		if (!rc && node->guessed)
			making->paths[own[i]].guessed = 1;
	}
	prf_hash_index_free(&making->index);
	return rc;
}

/* --- Ticks */

static int
count(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	struct prf_page_tree *tree = making->tree;

	making->counts = prf_large_new(making->n, sizeof *making->counts);
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

		prf_count_merge(&making->counts[node], &sample->count);
		prf_count_merge(&tree->total, &sample->count);
		if (node)
			prf_count_merge(
				&tree->functions[making->paths[node].function]
					 .self,
				&sample->count);
	}
	for (size_t i = making->n; i-- > 1;)
		prf_count_merge(&making->counts[making->paths[i].parent],
				&making->counts[i]);
	return 0;
}

/* Lists for N numbers, all empty. */
static int
begin_lists(struct making *making, size_t n)
{
	free(making->child);
	free(making->sibling);
	making->child = prf_large_new(n, sizeof *making->child);
	making->sibling = prf_large_new(n, sizeof *making->sibling);
	return making->child && making->sibling ? 0 : -ENOMEM;
}

/* To be called from the last number to the first. */
static void
put_in_list(struct making *making, size_t number, uint32_t parent)
{
	making->sibling[number] = making->child[parent];
	making->child[parent] = (uint32_t)number;
}

/* Each sample once in a function, whatever recursion it is in. */
static int
count_functions(struct making *making)
{
	struct prf_page_tree *tree = making->tree;
	PRF_AUTO(prf_auto_free)
	uint32_t *depths = calloc(tree->n_functions + 1, sizeof *depths);

	if (!depths || begin_lists(making, making->n))
		return -ENOMEM;
	for (size_t i = making->n; i-- > 1;)
		put_in_list(making, i, making->paths[i].parent);
	uint32_t at = making->child[0];
	while (at) {
		uint32_t function = making->paths[at].function;

		if (!depths[function]++)
			prf_count_merge(&tree->functions[function].total,
					&making->counts[at]);
		uint32_t next = making->child[at];
		while (!next && at) {
			depths[making->paths[at].function]--;
			next = making->sibling[at];
			at = making->paths[at].parent;
		}
		at = next;
	}
	return 0;
}

/* --- Lines: of each node the one with the most ticks */

/* The ticks in each of the stacks' nodes and below.  NULL: out of memory. */
static uint64_t *
sum_up(const struct prf_stack_table *stacks)
{
	uint64_t *below = prf_large_new(stacks->n_nodes, sizeof *below);

	for (size_t i = 0; below && i < stacks->n_samples; i++)
		below[stacks->samples[i].node] +=
			stacks->samples[i].count.ticks;
	for (size_t i = stacks->n_nodes; below && i-- > 1;)
		below[stacks->nodes[i].parent] += below[i];
	return below;
}

static int
find_lines(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	const uint32_t *node_of = making->tree->node_of;
	PRF_AUTO(prf_pairs_clear) struct prf_pairs places = {0};
	PRF_AUTO(prf_auto_free)
	uint64_t *below = NULL, *ticks = NULL, *most = NULL;

	if (!stacks->paths.n)
		return 0;
	below = sum_up(stacks);
	ticks = prf_large_new(stacks->n_nodes, sizeof *ticks);
	most = prf_large_new(making->n, sizeof *most);
	making->lines = prf_large_new(making->n, sizeof *making->lines);
	if (!below || !ticks || !most || !making->lines)
		return -ENOMEM;
	for (size_t i = 1; i < stacks->n_nodes; i++) {
		uint32_t line = stacks->frames[stacks->nodes[i].frame].line;
		uint32_t node = node_of[i];
		size_t place;

		if (!line || !node)
			continue;
		if (prf_pairs_intern(&places, node, line, &place))
			return -ENOMEM;
		ticks[place] += below[i];
		if (ticks[place] <= most[node])
			continue;
		most[node] = ticks[place];
		making->lines[node] = line;
	}
	return 0;
}

/* --- No more than so many become nodes */

static size_t
n_with(const struct making *making, uint64_t ticks)
{
	size_t n = 0;

	for (size_t i = 0; i < making->n; i++)
		n += making->counts[i].ticks >= ticks;
	return n;
}

/* Paths become nodes: those with fewer than LEAST ticks one, of function PRUNED,
 * below each that has more.  MOVED: which each is then; REST: the one of those
 * below a node. */
static void
fold(const struct making *making, uint64_t least, uint32_t pruned,
     uint32_t *moved, uint32_t *rest)
{
	struct prf_page_tree *tree = making->tree;
	struct prf_page_node *nodes = tree->nodes;

	nodes[tree->n_nodes++].total = making->counts[0].ticks;
	for (size_t i = 1; i < making->n; i++) {
		const struct path *path = &making->paths[i];
		uint32_t parent = moved[path->parent];
		uint64_t total = making->counts[i].ticks;

		if (parent && nodes[parent].function == pruned) {
			moved[i] = parent;
		} else if (total >= least) {
			moved[i] = (uint32_t)tree->n_nodes;
			nodes[tree->n_nodes++] = (struct prf_page_node){
				.parent = parent,
				.function = path->function,
				.line = making->lines ? making->lines[i] : 0,
				.guessed = path->guessed,
				.total = total,
			};
		} else {
			if (!rest[parent]) {
				rest[parent] = (uint32_t)tree->n_nodes;
				nodes[tree->n_nodes++] = (struct prf_page_node){
					.parent = parent,
					.function = pruned,
				};
			}
			moved[i] = rest[parent];
			nodes[moved[i]].total += total;
		}
	}
}

static void
move_all(struct making *making, const uint32_t *moved)
{
	for (size_t i = 0; i < making->stacks->n_nodes; i++)
		making->tree->node_of[i] = moved[making->tree->node_of[i]];
}

static void
count_self(struct prf_page_tree *tree, const struct prf_stack_table *stacks)
{
	for (size_t i = 0; i < stacks->n_samples; i++)
		tree->nodes[tree->node_of[stacks->samples[i].node]].self +=
			stacks->samples[i].count.ticks;
}

static int
prune(struct making *making, size_t n_max)
{
	struct prf_page_tree *tree = making->tree;
	PRF_AUTO(prf_auto_free) uint32_t *moved = NULL, *rest = NULL;
	uint32_t pruned = PRF_PAGE_PRUNED;
	uint64_t least = 0;
	size_t room = making->n;

	if (making->n > n_max) {
		/* Each of those that stay can have the rest below it. */
		for (least = 1; n_with(making, least) > n_max / 2;)
			least *= 2;
		room = 2 * n_with(making, least) + 1;
		pruned = (uint32_t)tree->n_functions;
		tree->functions[tree->n_functions++].number = PRF_PAGE_PRUNED;
	}
	tree->nodes = prf_large_new(room, sizeof *tree->nodes);
	moved = prf_large_new(making->n, sizeof *moved);
	rest = prf_large_new(room, sizeof *rest);
	if (!tree->nodes || !moved || !rest)
		return -ENOMEM;
	fold(making, least, pruned, moved, rest);
	move_all(making, moved);
	count_self(tree, making->stacks);
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
	struct prf_page_node *sorted = prf_large_new(n, sizeof *sorted);

	order = prf_large_new(n, sizeof *order);
	place = prf_large_new(n, sizeof *place);
	if (!sorted || !order || !place || begin_lists(making, n)) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = n; i-- > 1;)
		put_in_list(making, i, tree->nodes[i].parent);
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
	int rc = enter_all(&making);
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
