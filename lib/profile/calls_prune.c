/* A call tree that has become too large, without its thinnest branches. */
#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/calls.h"

PRF_DEFINE_AUTO(prf_calls, prf_calls_free);

/* A node of the old tree. */
struct branch {
	const struct prf_call *call;
	size_t parent; /* which branch; the root is its own */
	uint64_t total;
	struct prf_call *own; /* in the new tree */
};

/* All nodes, parents first; what they have comes to their parents. */
static struct branch *
list_branches(const struct prf_calls *calls)
{
	struct branch *all = calloc(calls->n + 1, sizeof *all);
	const struct prf_call *call = &calls->root;
	size_t n = 0, parent = 0;

	while (all && call) {
		all[n++] =
			(struct branch){call, parent, call->self.ticks, NULL};
		if (call->children) {
			parent = n - 1;
			call = call->children;
			continue;
		}
		while (call->parent && !call->sibling) {
			call = call->parent;
			parent = all[parent].parent;
		}
		call = call->sibling;
	}
	for (size_t i = n; all && i-- > 1;)
		all[all[i].parent].total += all[i].total;
	return all;
}

static int
descending(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left < *right) - (*left > *right);
}

/* How many ticks a node needs, so that no more than N_KEPT have them. */
static int
find_least(const struct branch *all, size_t n, size_t n_kept, uint64_t *least)
{
	PRF_AUTO(prf_auto_free) uint64_t *totals = calloc(n, sizeof *totals);

	if (!totals)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		totals[i] = all[i].total;
	qsort(totals, n, sizeof *totals, descending);
	*least = n > n_kept ? totals[n_kept] + 1 : 1;
	return 0;
}

static struct prf_call *
enter(struct prf_calls *calls, struct prf_call *parent, uint32_t owner,
      const struct prf_arc_end *end, bool guessed)
{
	return parent->parent ? prf_calls_enter(calls, parent, end, guessed)
			      : prf_calls_begin(calls, owner, end, guessed);
}

/* What was cut off stays where it was called from. */
static int
place(struct prf_calls *calls, const struct branch *all, struct branch *branch,
      uint64_t least)
{
	const struct branch *parent = &all[branch->parent];
	const struct prf_call *call = branch->call;
	bool is_kept = branch->total >= least && call->binary;
	const struct prf_arc_end end = {call->binary, call->vaddr};
	const struct prf_arc_end pruned = {NULL, 0};

	calls->n_pruned += !is_kept && call->binary;
	if (parent->own->parent && !parent->own->binary)
		branch->own = parent->own;
	else
		branch->own = enter(calls, parent->own, call->owner,
				    is_kept ? &end : &pruned,
				    is_kept && call->guessed);
	if (!branch->own)
		return -ENOMEM;
	prf_count_merge(&branch->own->self, &call->self);
	if (!branch->own->binary)
		calls->pruned_ticks += call->self.ticks;
	return 0;
}

int
prf_calls_prune(struct prf_calls **calls, size_t n_kept)
{
	struct prf_calls *old = *calls;
	size_t n = old->n + 1; /* with the root */
	PRF_AUTO(prf_auto_free) struct branch *all = list_branches(old);
	PRF_AUTO(prf_calls_auto) struct prf_calls *pruned = prf_calls_new();
	uint64_t least;
	int rc = all && pruned ? find_least(all, n, n_kept, &least) : -ENOMEM;

	if (rc)
		return rc;
	for (int end = 0; end < PRF_N_STACK_ENDS; end++)
		pruned->ended[end] = old->ended[end];
	pruned->guessed_ticks = old->guessed_ticks;
	pruned->n_pruned = old->n_pruned;
	pruned->root.self = old->root.self;
	all[0].own = &pruned->root;
	for (size_t i = 1; !rc && i < n; i++)
		rc = place(pruned, all, &all[i], least);
	if (rc)
		return rc;
	pruned->owners = old->owners;
	old->owners = (struct prf_owners){0};
	prf_calls_free(*calls);
	*calls = PRF_TAKE(pruned);
	return 0;
}
