#include "view/page/page_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/hash_index.h"
#include "profile/large.h"
#include "profile/pairs.h"

/* A path of functions, of which there may be millions. */
struct path {
	uint32_t parent; /* a lower number; 0 is the root */
	uint32_t function : 30;
	uint32_t is_first : 1; /* its function is not in the path to it */
	uint32_t guessed : 1;
};

struct making {
	const struct prf_stack_table *stacks;
	struct prf_page_tree *tree;
	struct path *paths; /* before some are pruned; they are nodes, too */
	size_t n, room;
	uint32_t *first; /* child of each, 0: none yet; most have no other, */
	struct prf_hash_index index; /* and these are found by this */
	uint64_t *ticks;             /* with what is below */
	uint32_t *lines;             /* NULL: there are none */
};

static void
clear_making(struct making *making)
{
	free(making->paths);
	free(making->first);
	free(making->ticks);
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
		uint32_t *first =
			prf_large_grow(making->first, n, room, sizeof *first);
		if (!first)
			return -ENOMEM;
		making->first = first;
		making->room = room;
	}
	if (!prf_hash_index_is_full(&making->index, n))
		return 0;
	if (prf_hash_index_clear(&making->index, n))
		return -ENOMEM;
	for (uint32_t i = 1; i < n; i++)
		if (making->first[making->paths[i].parent] != i)
			prf_hash_index_add(
				&making->index,
				prf_hash_index_hash(making->paths[i].parent,
						    making->paths[i].function),
				i);
	return 0;
}

static bool
is_path(const struct making *making, uint32_t number, uint32_t parent,
	uint32_t function)
{
	const struct path *path = &making->paths[number];

	return path->parent == parent && path->function == function;
}

static uint32_t
add_path(struct making *making, uint32_t parent, uint32_t function)
{
	uint32_t number = (uint32_t)making->n++;

	making->first[number] = 0;
	making->paths[number] = (struct path){
		.parent = parent,
		.function = function & INT32_MAX >> 1,
	};
	return number;
}

/* *NUMBER: the path to FUNCTION below PARENT. */
static int
enter(struct making *making, uint32_t parent, uint32_t function,
      uint32_t *number)
{
	uint32_t hash = prf_hash_index_hash(parent, function);
	int rc = reserve(making);

	if (rc)
		return rc;
	*number = making->first[parent];
	if (!*number)
		*number = making->first[parent] =
			add_path(making, parent, function);
	if (is_path(making, *number, parent, function))
		return 0;
	for (size_t at = hash;; at++) {
		*number = prf_hash_index_next(&making->index, hash, &at);
		if (!*number) {
			*number = add_path(making, parent, function);
			prf_hash_index_put(&making->index, at, hash, *number);
		}
		if (is_path(making, *number, parent, function))
			return 0;
	}
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
	add_path(making, 0, 0);
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
	free(PRF_TAKE(making->first));
	return rc;
}

/* --- Which functions are in a path for the first time */

/* Where a walk through all paths in their order is. */
struct at {
	uint32_t path;
	uint32_t *depths; /* how often each function is in it */
	uint32_t *ahead;  /* what leads on to the next, the innermost first */
	size_t room;
};

static void
clear_at(struct at *at)
{
	free(at->depths);
	free(at->ahead);
}

/* Goes from one path to another, by way of what both have in common: of two
 * paths the one with the higher number is not above the other. */
static int
go_to(struct at *at, const struct path *paths, uint32_t path)
{
	size_t n = 0;

	while (at->path != path) {
		if (at->path > path) {
			at->depths[paths[at->path].function]--;
			at->path = paths[at->path].parent;
			continue;
		}
		if (n == at->room) {
			size_t room = 2 * at->room + 64;
			uint32_t *ahead =
				reallocarray(at->ahead, room, sizeof *ahead);

			if (!ahead)
				return -ENOMEM;
			at->ahead = ahead;
			at->room = room;
		}
		at->ahead[n++] = path;
		path = paths[path].parent;
	}
	while (n-- > 0) {
		at->path = at->ahead[n];
		at->depths[paths[at->path].function]++;
	}
	return 0;
}

static int
mark_first(struct making *making)
{
	PRF_AUTO(clear_at)
	struct at at = {
		.depths = calloc(making->stacks->functions.n + 1,
				 sizeof *at.depths),
	};
	int rc = at.depths ? 0 : -ENOMEM;

	for (uint32_t i = 1; !rc && i < making->n; i++) {
		struct path *path = &making->paths[i];

		rc = go_to(&at, making->paths, i);
		path->is_first = !rc && at.depths[path->function] == 1;
	}
	return rc;
}

/* --- Ticks: each sample once in a function, whatever recursion it is in */

static int
begin_functions(struct prf_page_tree *tree, size_t n)
{
	tree->n_functions = n;
	tree->functions = calloc(n + 2, /* and one for others */
				 sizeof *tree->functions);
	if (!tree->functions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		tree->functions[i].number = (uint32_t)i;
	return 0;
}

static void
count_samples(const struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	struct prf_page_tree *tree = making->tree;

	for (size_t i = 0; i < stacks->n_samples; i++) {
		const struct prf_count *count = &stacks->samples[i].count;
		uint32_t node = tree->node_of[stacks->samples[i].node];

		prf_count_merge(&tree->total, count);
		if (node)
			prf_count_merge(
				&tree->functions[making->paths[node].function]
					 .self,
				count);
	}
}

static int
sum_up_ticks(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	const struct prf_page_tree *tree = making->tree;
	uint64_t *ticks = prf_large_new(making->n, sizeof *ticks);

	making->ticks = ticks;
	if (!ticks)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++)
		ticks[tree->node_of[stacks->samples[i].node]] +=
			stacks->samples[i].count.ticks;
	for (size_t i = making->n; i-- > 1;) {
		const struct path *path = &making->paths[i];

		if (path->is_first)
			tree->functions[path->function].total.ticks += ticks[i];
		ticks[path->parent] += ticks[i];
	}
	return 0;
}

/* Apart from the ticks, for both together are the most memory that is used. */
static int
sum_up_squares(const struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	const struct prf_page_tree *tree = making->tree;
	PRF_AUTO(prf_auto_free)
	double *squares = prf_large_new(making->n, sizeof *squares);

	if (!squares)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++)
		squares[tree->node_of[stacks->samples[i].node]] +=
			stacks->samples[i].count.squares;
	for (size_t i = making->n; i-- > 1;) {
		const struct path *path = &making->paths[i];

		if (path->is_first)
			tree->functions[path->function].total.squares +=
				squares[i];
		squares[path->parent] += squares[i];
	}
	return 0;
}

static int
count(struct making *making)
{
	int rc = begin_functions(making->tree, making->stacks->functions.n);

	if (rc)
		return rc;
	count_samples(making);
	rc = sum_up_squares(making);
	return rc ? rc : sum_up_ticks(making);
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
		uint32_t line = prf_stack_table_line(
			stacks, &stacks->frames[stacks->nodes[i].frame]);
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
		n += making->ticks[i] >= ticks;
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

	nodes[tree->n_nodes++].total = making->ticks[0];
	for (size_t i = 1; i < making->n; i++) {
		const struct path *path = &making->paths[i];
		uint32_t parent = moved[path->parent];
		uint64_t total = making->ticks[i];

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

/* Of what was pruned the total, too: its ticks themselves are their functions'. */
static void
count_self(struct prf_page_tree *tree, const struct prf_stack_table *stacks,
	   uint32_t pruned)
{
	for (size_t i = 0; i < stacks->n_samples; i++) {
		const struct prf_count *count = &stacks->samples[i].count;
		uint32_t number = tree->node_of[stacks->samples[i].node];

		tree->nodes[number].self += count->ticks;
		if (number && tree->nodes[number].function == pruned)
			prf_count_merge(&tree->functions[pruned].total, count);
	}
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
	count_self(tree, making->stacks, pruned);
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
	/* Of each node the first below it, and the next; 0: there is none. */
	PRF_AUTO(prf_auto_free) uint32_t *child = NULL, *sibling = NULL;
	PRF_AUTO(prf_auto_free) uint32_t *order = NULL, *place = NULL;
	struct prf_page_node *sorted = prf_large_new(n, sizeof *sorted);

	child = prf_large_new(n, sizeof *child);
	sibling = prf_large_new(n, sizeof *sibling);
	order = prf_large_new(n, sizeof *order);
	place = prf_large_new(n, sizeof *place);
	if (!sorted || !child || !sibling || !order || !place) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = n; i-- > 1;) {
		uint32_t parent = tree->nodes[i].parent;

		sibling[i] = child[parent];
		child[parent] = (uint32_t)i;
	}
	for (size_t k = 0; k < n; k++) {
		size_t first = put;

		for (uint32_t at = child[order[k]]; at; at = sibling[at])
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
		rc = mark_first(&making);
	if (!rc)
		rc = count(&making);
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
