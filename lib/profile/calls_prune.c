/* A call tree that has become too large, without its thinnest branches. */
#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/calls.h"
#include "profile/large.h"

PRF_DEFINE_AUTO(prf_calls, prf_calls_free);

/* A node of the old tree; by its number. */
struct branch {
	uint64_t total;
	uint32_t own;    /* in the new tree */
	uint32_t pruned; /* there, below OWN; 0: not yet */
};

/* Nodes are gone through in their order, but their parents are anywhere: memory
 * is asked for those of this many nodes before they are looked at. */
enum { AHEAD = 16 };

/* Of most nodes the total is less than this. */
enum { SMALL = 1024 };

/* All branches of a tree. */
struct branches {
	struct branch *all;
	size_t n;             /* with the root */
	size_t n_with[SMALL]; /* nodes whose total is so small, without it */
};

/* What all nodes have comes to their parents, which have lower numbers: that of
 * a node is known when it is come to.  -ENOMEM. */
static int
list_branches(struct branches *branches, const struct prf_calls *calls)
{
	struct branch *all = prf_large_new(calls->n + 1, sizeof *all);

	if (!all)
		return -ENOMEM;
	for (size_t i = calls->n; i > 0; i--) {
		const struct prf_call *call = prf_calls_at(calls, i);

		if (i > AHEAD)
			__builtin_prefetch(
				&all[prf_calls_at(calls, i - AHEAD)->parent]);
		all[i].total += call->self.ticks;
		all[call->parent].total += all[i].total;
		if (all[i].total < SMALL)
			branches->n_with[all[i].total]++;
	}
	branches->all = all;
	branches->n = calls->n + 1;
	return 0;
}

static size_t
n_from(const struct branches *branches, uint64_t total)
{
	size_t n = 0;

	for (size_t i = 0; i < branches->n; i++)
		n += branches->all[i].total >= total;
	return n;
}

/* How many ticks a node needs, so that no more than N_KEPT have them. */
static uint64_t
find_least(const struct branches *branches, size_t n_kept)
{
	uint64_t lo = 1, hi = branches->all[0].total + 1; /* [lo, hi] */
	size_t n = branches->n - branches->n_with[0];

	/* Most have few: it is found soon. */
	for (; lo < SMALL && n > n_kept; lo++)
		n -= branches->n_with[lo];
	if (n <= n_kept)
		return lo;
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (n_from(branches, mid) <= n_kept)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* The innermost frame of a stack, to be entered where that was pruned. */
struct leaf {
	uint32_t pruned; /* in the new tree */
	uint32_t hash;
	const struct prf_call *call; /* in the old one */
};

/* What a tree becomes. */
struct pruning {
	struct prf_calls *calls;
	const struct prf_calls *old;
	struct branch *all;
	uint64_t least;            /* ticks of a branch that is kept */
	size_t n_room;             /* for so many leaves more */
	bool drops;                /* what has none */
	bool is_too_full;          /* something had none, and is not dropped */
	struct leaf leaves[AHEAD]; /* those that came last, by number */
	size_t n_leaves, n_entered;
};

static bool
is_pruned(const struct prf_call *call)
{
	return call->number && !call->binary;
}

/* Ticks of CALL below PRUNED, or where they were pruned from. */
static int
count_leaf(struct pruning *pruning, struct prf_call *pruned,
	   const struct prf_call *call)
{
	const struct prf_arc_end end = {call->binary, call->vaddr};
	size_t n = pruning->calls->n;

	if (pruning->drops && !pruning->n_room) {
		prf_count_merge(&pruned->self, &call->self);
		return 0;
	}
	struct prf_call *leaf =
		prf_calls_enter(pruning->calls, pruned, &end, call->guessed);
	if (!leaf)
		return -ENOMEM;
	prf_count_merge(&leaf->self, &call->self);
	bool is_new = pruning->calls->n > n;
	pruning->is_too_full |= is_new && !pruning->n_room;
	pruning->n_room -= is_new && pruning->n_room;
	return 0;
}

/* The oldest leaf that waits. */
static int
enter_leaf(struct pruning *pruning)
{
	const struct leaf *leaf =
		&pruning->leaves[pruning->n_entered++ % AHEAD];

	return count_leaf(pruning, prf_calls_at(pruning->calls, leaf->pruned),
			  leaf->call);
}

/* Below where it was PRUNED the innermost frame of a stack is kept: what a
 * function has itself stays its own.  It waits for its memory. */
static int
add_leaf(struct pruning *pruning, const struct prf_call *pruned,
	 const struct prf_call *call)
{
	const struct prf_arc_end end = {call->binary, call->vaddr};
	size_t n = pruning->n_leaves++;
	int rc = n - pruning->n_entered == AHEAD ? enter_leaf(pruning) : 0;

	pruning->leaves[n % AHEAD] = (struct leaf){
		.pruned = pruned->number,
		.hash = prf_calls_fetch_slot(pruning->calls, pruned, &end),
		.call = call,
	};
	if (n >= AHEAD / 2)
		prf_calls_fetch(pruning->calls,
				pruning->leaves[(n - AHEAD / 2) % AHEAD].hash);
	return rc;
}

static int
enter_leaves(struct pruning *pruning)
{
	int rc = 0;

	while (!rc && pruning->n_entered < pruning->n_leaves)
		rc = enter_leaf(pruning);
	return rc;
}

/* The node below that of PARENT which CALL becomes, or is cut off to. */
static struct prf_call *
enter(const struct pruning *pruning, struct branch *parent,
      const struct prf_call *call, bool is_kept)
{
	static const struct prf_arc_end pruned;
	const struct prf_arc_end kept = {call->binary, call->vaddr};
	const struct prf_arc_end *end = is_kept ? &kept : &pruned;
	struct prf_calls *calls = pruning->calls;

	/* Each owner has its own below the root. */
	if (!parent->own)
		return prf_calls_begin(calls, call->owner, end,
				       is_kept && call->guessed);
	if (!is_kept && parent->pruned)
		return prf_calls_at(calls, parent->pruned);
	struct prf_call *own =
		prf_calls_enter(calls, prf_calls_at(calls, parent->own), end,
				is_kept && call->guessed);
	if (own && !is_kept)
		parent->pruned = own->number;
	return own;
}

/* What CALL was in the new tree, or what it was cut off from, becomes its own.
 * What was cut off stays where it was called from. */
static int
place(struct pruning *pruning, struct branch *branch,
      const struct prf_call *call)
{
	struct prf_calls *calls = pruning->calls;
	struct branch *parent = &pruning->all[call->parent];
	struct prf_call *own = prf_calls_at(calls, parent->own);
	bool is_kept = !is_pruned(own) && call->binary &&
		       branch->total >= pruning->least;

	if (!is_pruned(own))
		own = enter(pruning, parent, call, is_kept);
	if (!own)
		return -ENOMEM;
	branch->own = own->number;
	if (!is_kept) {
		calls->n_pruned +=
			call->binary &&
			!is_pruned(prf_calls_at(pruning->old, call->parent));
		calls->pruned_ticks += call->self.ticks;
	}
	if (!is_kept && call->binary && call->self.ticks)
		return add_leaf(pruning, own, call);
	prf_count_merge(&own->self, &call->self);
	return 0;
}

/* Of node I of the old tree, or of those behind it, as they are needed.  What is
 * kept has the same hash as before. */
static void
fetch(const struct pruning *pruning, size_t i)
{
	const struct prf_calls *old = pruning->old;

	if (i + AHEAD > old->n)
		return;
	const struct prf_call *call = prf_calls_at(old, i + AHEAD);
	const struct prf_call *nearer = prf_calls_at(old, i + AHEAD / 2);
	__builtin_prefetch(&pruning->all[call->parent]);
	prf_hash_index_fetch(&pruning->calls->index, call->hash);
	__builtin_prefetch(
		prf_calls_at(pruning->calls, pruning->all[nearer->parent].own));
}

/* Of the old tree, but its owners. */
static void
copy_sums(struct prf_calls *pruned, const struct prf_calls *old)
{
	for (int end = 0; end < PRF_N_STACK_ENDS; end++)
		pruned->ended[end] = old->ended[end];
	pruned->guessed_ticks = old->guessed_ticks;
	pruned->n_pruned = old->n_pruned;
	pruned->n_whole = old->n_whole;
	prf_calls_root(pruned)->self = prf_calls_root(old)->self;
}

/* *OUT: OLD with N_WHOLE nodes and N_LEAVES innermost frames at most; NULL: there
 * are more of these, and N_WHOLE is not 0. */
static int
prune(const struct prf_calls *old, const struct branches *branches,
      size_t n_whole, size_t n_leaves, struct prf_calls **out)
{
	/* It grows to the same size again. */
	PRF_AUTO(prf_calls_auto)
	struct prf_calls *pruned = prf_calls_new_for(old->n);
	struct pruning pruning = {
		.calls = pruned,
		.old = old,
		.all = branches->all,
		.least = find_least(branches, n_whole),
		.n_room = n_leaves,
		.drops = !n_whole,
	};
	int rc = pruned ? 0 : -ENOMEM;

	if (rc)
		return rc;
	/* Those of a tree that was too full mean nothing in this one. */
	for (size_t i = 0; i < branches->n; i++)
		branches->all[i].own = branches->all[i].pruned = 0;
	copy_sums(pruned, old);
	for (size_t i = 1; !rc && !pruning.is_too_full && i <= old->n; i++) {
		fetch(&pruning, i);
		rc = place(&pruning, &branches->all[i], prf_calls_at(old, i));
	}
	if (!rc)
		rc = enter_leaves(&pruning);
	/* All ends are of OLD, where they are begins already. */
	pruned->by_function = old->by_function;
	*out = rc || pruning.is_too_full ? NULL : PRF_TAKE(pruned);
	return rc;
}

/* What had too little room for innermost frames before has it no more: these do
 * not become fewer. */
static size_t
first_whole(const struct prf_calls *old, size_t n_kept)
{
	size_t n = n_kept / 4;

	return old->n_whole && old->n_whole < n ? old->n_whole : n;
}

int
prf_calls_prune(struct prf_calls **calls, size_t n_kept)
{
	struct prf_calls *old = *calls, *pruned = NULL;
	struct branches branches = {0};
	size_t n_whole = first_whole(old, n_kept);
	int rc = list_branches(&branches, old);

	/* Where it is needed again it is made again. */
	prf_hash_index_free(&old->index);
	for (; !rc && !pruned; n_whole /= 2) {
		rc = prune(old, &branches, n_whole, n_kept - n_whole, &pruned);
		if (pruned)
			pruned->n_whole = n_whole ? n_whole : 1;
	}
	free(branches.all);
	if (rc)
		return rc;
	pruned->owners = old->owners;
	old->owners = (struct prf_owners){0};
	prf_calls_free(old);
	*calls = pruned;
	return 0;
}
