/* A call tree that has become too large: fewer owners. */
#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/calls.h"

PRF_DEFINE_AUTO(prf_calls, prf_calls_free);

/* An owner; the ticks are those of its thread, in whatever state. */
struct owned {
	uint32_t number, thread;
	uint64_t ticks;
};

static int
by_ticks(const void *a, const void *b)
{
	const struct owned *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks > right->ticks ? -1 : 1;
	if (left->thread != right->thread)
		return left->thread < right->thread ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

/* The ticks of all threads, by their number; to be free()d.  NULL: out of
 * memory. */
static uint64_t *
weigh_threads(const struct prf_calls *calls)
{
	uint64_t *ticks = calloc(calls->owners.threads.n + 1, sizeof *ticks);

	for (size_t i = 1; ticks && i <= calls->n; i++) {
		const struct prf_call *call = prf_calls_at(calls, i);
		const struct prf_owner *owner =
			prf_owners_at(&calls->owners, call->owner);

		if (owner)
			ticks[owner->thread] += call->self.ticks;
	}
	return ticks;
}

/* All owners by the ticks of their threads, those of one together; to be
 * free()d.  NULL: out of memory. */
static struct owned *
sort_owners(const struct prf_calls *calls)
{
	size_t n = calls->owners.n;
	PRF_AUTO(prf_auto_free) uint64_t *ticks = weigh_threads(calls);
	struct owned *all = ticks ? calloc(n + 1, sizeof *all) : NULL;

	for (uint32_t i = 0; all && i < n; i++) {
		uint32_t thread = calls->owners.all[i].thread;

		all[i] = (struct owned){i + 1, thread, ticks[thread]};
	}
	if (all && n)
		qsort(all, n, sizeof *all, by_ticks);
	return all;
}

/* Who the owners of OLD are in CALLS, by their number: half of the threads are
 * as before, ALL in their order. */
static int
choose_owners(struct prf_calls *calls, const struct prf_calls *old,
	      const struct owned *all, uint32_t *numbers)
{
	size_t n_kept = (old->owners.n_threads + 1) / 2;
	int rc = 0;

	for (size_t i = 0; !rc && i < old->owners.n; i++) {
		const struct prf_owner *owner =
			prf_owners_at(&old->owners, all[i].number);

		calls->owners.is_full = calls->owners.n_threads == n_kept;
		rc = prf_owners_intern(&calls->owners, owner,
				       &numbers[all[i].number]);
	}
	calls->owners.is_full = true;
	return rc;
}

static int
as_it_is(void *arg, const struct prf_arc_end *end, struct prf_arc_end *own)
{
	(void)arg;
	*own = *end;
	return 0;
}

int
prf_calls_fold_owners(struct prf_calls **calls)
{
	const struct prf_calls *old = *calls;
	PRF_AUTO(prf_calls_auto) struct prf_calls *folded = prf_calls_new();
	PRF_AUTO(prf_auto_free) struct owned *all = sort_owners(old);
	PRF_AUTO(prf_auto_free)
	uint32_t *numbers = calloc(old->owners.n + 1, sizeof *numbers);
	int rc = folded && all && numbers
			 ? choose_owners(folded, old, all, numbers)
			 : -ENOMEM;

	if (!rc)
		rc = prf_calls_add_as(folded, old, numbers, as_it_is, NULL);
	if (rc)
		return rc;
	prf_calls_free(*calls);
	*calls = PRF_TAKE(folded);
	return 0;
}

static bool
has_too_many_owners(const struct prf_calls *calls)
{
	return calls->owners.n_threads > 1 &&
	       (calls->n > PRF_CALLS_BY_OWNER_MAX ||
		calls->owners.n > PRF_OWNERS_MAX);
}

/* What is by function is pruned to a size from which it grows for a while. */
int
prf_calls_bound(struct prf_calls **calls)
{
	int rc = 0;

	while (!rc && has_too_many_owners(*calls))
		rc = prf_calls_fold_owners(calls);
	if (!rc && (*calls)->n > PRF_CALLS_MAX)
		rc = prf_calls_fold_functions(*calls);
	return !rc && (*calls)->by_function &&
			       (*calls)->n > PRF_CALLS_BY_FUNCTION_MAX
		       ? prf_calls_prune(calls, PRF_CALLS_KEPT)
		       : rc;
}
