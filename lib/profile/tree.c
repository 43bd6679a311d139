#include "profile/tree.h"

#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"

void
prf_tree_init(struct prf_tree *tree)
{
	*tree = (struct prf_tree){0};
	TAILQ_INIT(&tree->root.children);
}

struct prf_branch *
prf_tree_add(struct prf_branch *parent, pid_t pid, struct prf_program *program)
{
	struct prf_branch *branch = calloc(1, sizeof *branch);

	if (!branch)
		return NULL;
	branch->parent = parent;
	branch->pid = pid;
	branch->program = prf_program_hold(program);
	TAILQ_INIT(&branch->children);
	TAILQ_INSERT_TAIL(&parent->children, branch, sibling);
	return branch;
}

/* Takes BRANCH out; its children take its place. */
static void
splice(struct prf_branch *branch)
{
	struct prf_branch *parent = branch->parent, *child;

	while ((child = TAILQ_FIRST(&branch->children))) {
		TAILQ_REMOVE(&branch->children, child, sibling);
		TAILQ_INSERT_BEFORE(branch, child, sibling);
		child->parent = parent;
	}
	TAILQ_REMOVE(&parent->children, branch, sibling);
	prf_count_merge(&parent->folded, &branch->folded);
	parent->n_folded += branch->n_folded;
	prf_program_drop(branch->program);
	free(branch);
}

void
prf_tree_clear(struct prf_tree *tree)
{
	while (!TAILQ_EMPTY(&tree->root.children))
		splice(TAILQ_FIRST(&tree->root.children));
	prf_tree_init(tree);
}

/* --- Going through it */

static struct prf_branch *
first_child(const struct prf_branch *branch)
{
	return TAILQ_FIRST(&branch->children);
}

struct prf_branch *
prf_tree_next(const struct prf_tree *tree, const struct prf_branch *branch)
{
	if (!branch)
		return first_child(&tree->root);
	if (first_child(branch))
		return first_child(branch);
	while (branch->parent && !TAILQ_NEXT(branch, sibling))
		branch = branch->parent;
	return branch->parent ? TAILQ_NEXT(branch, sibling) : NULL;
}

struct prf_count
prf_tree_sum(const struct prf_tree *tree)
{
	struct prf_count sum = tree->root.folded;

	for (struct prf_branch *branch = prf_tree_next(tree, NULL); branch;
	     branch = prf_tree_next(tree, branch)) {
		prf_count_merge(&sum, &branch->count);
		prf_count_merge(&sum, &branch->folded);
	}
	return sum;
}

/* --- Keeping it small */

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_branch *left = *(const struct prf_branch *const *)a;
	const struct prf_branch *right = *(const struct prf_branch *const *)b;

	return (left->count.ticks > right->count.ticks) -
	       (left->count.ticks < right->count.ticks);
}

static void
fold(struct prf_branch *branch)
{
	prf_count_merge(&branch->folded, &branch->count);
	branch->n_folded++;
	splice(branch);
}

/* The lesser half of those that have ended. */
static void
fold_half(struct prf_tree *tree)
{
	PRF_AUTO(prf_auto_free)
	struct prf_branch **ended = calloc(tree->n_ended, sizeof(*ended));
	size_t n = 0;

	if (!ended)
		return; /* the tree grows a little more */
	for (struct prf_branch *branch = prf_tree_next(tree, NULL); branch;
	     branch = prf_tree_next(tree, branch))
		if (branch->ended)
			ended[n++] = branch;
	qsort(ended, n, sizeof(*ended), by_ticks);
	for (size_t i = 0; i < n / 2; i++)
		fold(ended[i]);
	tree->n_ended -= n / 2;
}

void
prf_tree_end(struct prf_tree *tree, struct prf_branch *branch)
{
	if (!branch->count.ticks) {
		splice(branch);
		return;
	}
	branch->ended = true;
	tree->n_programs++;
	if (++tree->n_ended > PRF_TREE_MAX_ENDED)
		fold_half(tree);
}

/* --- Adding another */

static int copy_children(struct prf_tree *tree, struct prf_branch *to,
			 const struct prf_branch *from);

/* A copy of BRANCH, which perhaps goes on, becomes TO's child, as if it had
 * ended: without ticks it is left out, and its children become TO's. */
static int
copy_branch(struct prf_tree *tree, struct prf_branch *to,
	    const struct prf_branch *branch)
{
	if (branch->count.ticks) {
		to = prf_tree_add(to, branch->pid, branch->program);
		if (!to)
			return -ENOMEM;
		to->count = branch->count;
		to->ended = true;
		tree->n_ended++;
		tree->n_programs += !branch->ended;
	}
	prf_count_merge(&to->folded, &branch->folded);
	to->n_folded += branch->n_folded;
	return copy_children(tree, to, branch);
}

static int
copy_children(struct prf_tree *tree, struct prf_branch *to,
	      const struct prf_branch *from)
{
	const struct prf_branch *child;
	int rc = 0;

	TAILQ_FOREACH(child, &from->children, sibling)
	{
		rc = copy_branch(tree, to, child);
		if (rc)
			break;
	}
	return rc;
}

int
prf_tree_merge(struct prf_tree *tree, const struct prf_tree *other)
{
	int rc = copy_children(tree, &tree->root, &other->root);

	prf_count_merge(&tree->root.folded, &other->root.folded);
	tree->root.n_folded += other->root.n_folded;
	tree->n_programs += other->n_programs;
	if (tree->n_ended > PRF_TREE_MAX_ENDED)
		fold_half(tree);
	return rc;
}
