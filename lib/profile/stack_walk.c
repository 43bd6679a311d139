#include "profile/stack_walk.h"

#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/calls.h"
#include "profile/tally.h"

/* The next node behind CALL, parents first; NULL behind the last.  DEPTH is
 * CALL's, and then the next one's. */
static const struct prf_call *
next_call(const struct prf_calls *calls, const struct prf_call *call,
	  size_t *depth)
{
	if (call->child) {
		++*depth;
		return prf_calls_at(calls, call->child);
	}
	while (call->number && !call->sibling) {
		call = prf_calls_at(calls, call->parent);
		--*depth;
	}
	return call->number ? prf_calls_at(calls, call->sibling) : NULL;
}

static uint64_t
ticks_of(const struct prf_calls *calls)
{
	uint64_t ticks = 0;

	for (size_t i = 0; calls && i <= calls->n; i++)
		ticks += prf_calls_at(calls, i)->self.ticks;
	return ticks;
}

struct walk {
	const struct prf_profile *profile;
	const struct prf_stack_visit *ops;
	void *arg;
	bool has_rest;           /* of the ticks some are not in the tree */
	struct prf_tally *known; /* then: those that are, by binary and place */
	struct prf_count told;   /* in all stacks so far */
};

static int
tell(struct walk *walk, size_t n, const struct prf_count *count)
{
	if (!count->ticks)
		return 0;
	prf_count_merge(&walk->told, count);
	return walk->ops->stack(walk->arg, n, count);
}

/* --- In the tree */

/* What the tree and the counters of BINARY are compared by: a bin, or where a
 * function begins. */
static uint64_t
place_of(const struct walk *walk, const struct prf_binary *binary,
	 uint64_t vaddr)
{
	const struct prf_calls *calls = walk->profile->calls;

	if (binary->form == PRF_BINARY_BY_NAME)
		return binary->pid ? 0 : vaddr;
	return calls && calls->by_function ? prf_binary_begin_of(binary, vaddr)
					   : vaddr - vaddr % PRF_HIST_BIN_BYTES;
}

static int
tell_call(struct walk *walk, const struct prf_call *call, size_t depth)
{
	const struct prf_arc_end end = {call->binary, call->vaddr};
	int rc = 0;

	if (depth)
		rc = walk->ops->frame(walk->arg, depth - 1, &end,
				      call->guessed);
	/* Where it was pruned from is known, and what it was is not; counters
	 * know the reverse.  Only one of both can be told. */
	if (rc || (walk->has_rest && !call->binary))
		return rc;
	if (walk->has_rest && depth && call->self.ticks)
		rc = prf_tally_add_count(
			&walk->known[call->binary->number],
			place_of(walk, call->binary, call->vaddr), &call->self);
	return rc ? rc : tell(walk, depth, &call->self);
}

/* CALL, below the root, and all that is below. */
static int
tell_calls_of(struct walk *walk, const struct prf_call *call)
{
	size_t depth = 1;
	int rc = tell_call(walk, call, depth);

	while (!rc) {
		call = next_call(walk->profile->calls, call, &depth);
		if (!call || !call->parent)
			break;
		rc = tell_call(walk, call, depth);
	}
	return rc;
}

static int
by_owner(const void *a, const void *b)
{
	const struct prf_call *left = *(struct prf_call *const *)a;
	const struct prf_call *right = *(struct prf_call *const *)b;

	return (left->owner > right->owner) - (left->owner < right->owner);
}

/* The calls below the root, by owner; to be free()d. */
static const struct prf_call **
outermost(const struct prf_calls *calls, size_t *n)
{
	const struct prf_call **all;
	uint32_t first = prf_calls_root(calls)->child, at;

	*n = 0;
	for (at = first; at; at = prf_calls_at(calls, at)->sibling)
		++*n;
	all = calloc(*n + 1, sizeof *all);
	if (!all)
		return NULL;
	*n = 0;
	for (at = first; at; at = prf_calls_at(calls, at)->sibling)
		all[(*n)++] = prf_calls_at(calls, at);
	qsort(all, *n, sizeof *all, by_owner);
	return all;
}

static int
tell_owner(const struct walk *walk, uint32_t number)
{
	const struct prf_owners *owners = &walk->profile->calls->owners;

	return walk->ops->owner
		       ? walk->ops->owner(walk->arg,
					  prf_owners_at(owners, number))
		       : 0;
}

static int
tell_calls(struct walk *walk)
{
	const struct prf_calls *calls = walk->profile->calls;
	size_t n;

	if (!calls)
		return 0;
	PRF_AUTO(prf_auto_free)
	const struct prf_call **all = outermost(calls, &n);
	int rc = all ? tell_call(walk, prf_calls_root(calls), 0) : -ENOMEM;
	uint32_t owner = PRF_OWNERS_NOBODY;
	for (size_t i = 0; !rc && i < n; i++) {
		if (all[i]->owner != owner)
			rc = tell_owner(walk, owner = all[i]->owner);
		if (!rc)
			rc = tell_calls_of(walk, all[i]);
	}
	return !rc && owner ? tell_owner(walk, PRF_OWNERS_NOBODY) : rc;
}

/* --- What is not in the tree, by binary */

struct rest {
	struct walk *walk;
	struct prf_binary *binary;
	struct prf_tally_entry *known; /* ascending */
	size_t n, next;
	uint64_t place; /* the one at hand, and what its counters have so far */
	struct prf_count count;
};

/* What the tree has of PLACE, which ascends. */
static struct prf_count
known_at(struct rest *rest, uint64_t place)
{
	while (rest->next < rest->n && rest->known[rest->next].key < place)
		rest->next++;
	return rest->next < rest->n && rest->known[rest->next].key == place
		       ? rest->known[rest->next].count
		       : (struct prf_count){0};
}

static int
tell_rest_at(struct rest *rest, uint64_t place, struct prf_count count)
{
	const struct prf_arc_end end = {rest->binary, place};
	const struct prf_count known = known_at(rest, place);

	/* A counter that was full has less than the tree. */
	if (count.ticks <= known.ticks)
		return 0;
	prf_count_subtract(&count, &known);
	int rc = rest->walk->ops->frame(rest->walk->arg, 0, &end, false);
	return rc ? rc : tell(rest->walk, 1, &count);
}

/* A counter of TICKS at PLACE, which ascends. */
static int
add_counter(struct rest *rest, uint64_t place, uint64_t ticks)
{
	const struct prf_count count = {ticks, (double)ticks};
	int rc = 0;

	if (place != rest->place) {
		rc = tell_rest_at(rest, rest->place, rest->count);
		rest->place = place;
		rest->count = (struct prf_count){0};
	}
	prf_count_merge(&rest->count, &count);
	return rc;
}

static int
add_range(void *arg, const struct prf_tick_range *range)
{
	struct rest *rest = arg;
	int rc = 0;

	for (size_t i = 0; !rc && i < range->n; i++) {
		uint64_t ticks = prf_tick_range_at(range, i);
		uint64_t vaddr = range->vaddr + i * PRF_HIST_BIN_BYTES;

		if (ticks)
			rc = add_counter(
				rest, place_of(rest->walk, rest->binary, vaddr),
				ticks);
	}
	return rc;
}

static int
tell_counters(struct rest *rest)
{
	int rc = prf_binary_walk(rest->binary, add_range, rest);

	return rc ? rc : tell_rest_at(rest, rest->place, rest->count);
}

static int
tell_names(struct rest *rest)
{
	const struct prf_named_counts *names = &rest->binary->names;
	int rc = 0;

	/* JIT code of a process that lives has no names yet. */
	if (rest->binary->pid)
		return tell_rest_at(rest, 0, rest->binary->total);
	for (size_t i = 0; !rc && i < names->n; i++)
		rc = tell_rest_at(rest, i, names->all[i].count);
	return rc;
}

static int
tell_binary(struct walk *walk, struct prf_binary *binary)
{
	size_t n;
	PRF_AUTO(prf_auto_free)
	struct prf_tally_entry *known =
		prf_tally_sorted(&walk->known[binary->number], &n);
	struct rest rest = {
		.walk = walk, .binary = binary, .known = known, .n = n};

	if (n && !known)
		return -ENOMEM;
	return binary->form == PRF_BINARY_BY_NAME ? tell_names(&rest)
						  : tell_counters(&rest);
}

static int
tell_all(struct walk *walk)
{
	const struct prf_profile *profile = walk->profile;
	int rc = tell_calls(walk);

	for (size_t i = 0; !rc && walk->has_rest && i < profile->n_binaries;
	     i++)
		rc = tell_binary(walk, profile->binaries[i]);
	if (rc || walk->told.ticks >= profile->total.ticks)
		return rc;
	struct prf_count saturated = profile->total;
	prf_count_subtract(&saturated, &walk->told);
	return tell(walk, 0, &saturated);
}

int
prf_stack_walk(const struct prf_profile *profile,
	       const struct prf_stack_visit *ops, void *arg)
{
	PRF_AUTO(prf_auto_free)
	struct prf_tally *known =
		calloc(profile->n_binaries + 1, sizeof *known);
	struct walk walk = {
		.profile = profile,
		.ops = ops,
		.arg = arg,
		.has_rest = ticks_of(profile->calls) < profile->total.ticks,
		.known = known,
	};
	int rc = known ? tell_all(&walk) : -ENOMEM;

	for (size_t i = 0; known && i < profile->n_binaries; i++)
		prf_tally_clear(&known[i]);
	return rc;
}
