#include "src/commands/dump_groups.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t
hash_of(const struct prf_dumped *dumped, const struct prf_dump_thread *thread)
{
	const struct prf_dump_stack *stack = prf_dumped_stack(dumped, thread);
	uint32_t said =
		prf_hash_index_hash(thread->how, (uint32_t)thread->syscall);

	return prf_hash_index_hash(said,
				   stack ? prf_dump_stack_hash(stack) : 0);
}

static bool
has_same_stack(const struct prf_dumped *dumped, const struct prf_dump_thread *a,
	       const struct prf_dump_thread *b)
{
	const struct prf_dump_stack *first = prf_dumped_stack(dumped, a);
	const struct prf_dump_stack *second = prf_dumped_stack(dumped, b);

	return first && second ? prf_dump_stack_is_same(first, second)
			       : first == second;
}

static bool
cannot_be_interrupted(const struct prf_dump_thread *thread)
{
	return thread->how == PRF_DUMP_BLOCKED && thread->state == 'D';
}

/* The calls are the same; what they wait for need not be. */
static bool
does_same(const struct prf_dumped *dumped, const struct prf_dump_thread *a,
	  const struct prf_dump_thread *b)
{
	return a->how == b->how && a->code == b->code &&
	       a->syscall == b->syscall &&
	       prf_dumped_is_stopped(a) == prf_dumped_is_stopped(b) &&
	       cannot_be_interrupted(a) == cannot_be_interrupted(b) &&
	       has_same_stack(dumped, a, b);
}

/* The number of the group of THREAD, which has HASH; 0: it has none yet, and that
 * belongs where *AT is. */
static uint32_t
find(const struct prf_dump_groups *groups, const struct prf_dumped *dumped,
     size_t thread, uint32_t hash, size_t *at)
{
	const struct prf_dump_thread *threads = dumped->dump.threads;
	uint32_t number;

	for (*at = hash;
	     (number = prf_hash_index_next(&groups->by_hash, hash, at)); ++*at)
		if (does_same(dumped, &threads[groups->all[number - 1].first],
			      &threads[thread]))
			return number;
	return 0;
}

static void
begin_group(struct prf_dump_groups *groups, size_t thread)
{
	groups->all[groups->n++] = (struct prf_dump_group){thread, thread, 1};
}

static void
add(struct prf_dump_groups *groups, const struct prf_dumped *dumped,
    size_t thread)
{
	uint32_t hash = hash_of(dumped, &dumped->dump.threads[thread]);
	size_t at;
	uint32_t number = find(groups, dumped, thread, hash, &at);

	if (!number) {
		begin_group(groups, thread);
		prf_hash_index_put(&groups->by_hash, at, hash,
				   (uint32_t)groups->n);
		return;
	}
	struct prf_dump_group *group = &groups->all[number - 1];
	groups->next[group->last] = (ptrdiff_t)thread;
	group->last = thread;
	group->n++;
}

int
prf_dump_groups_make(struct prf_dump_groups *groups,
		     const struct prf_dumped *dumped, bool each)
{
	size_t n = dumped->dump.n_threads;

	groups->all = calloc(n ? n : 1, sizeof *groups->all);
	groups->next = calloc(n ? n : 1, sizeof *groups->next);
	if (!groups->all || !groups->next ||
	    prf_hash_index_clear(&groups->by_hash, n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		groups->next[i] = PRF_DUMP_NO_THREAD;
		if (each)
			begin_group(groups, i);
		else
			add(groups, dumped, i);
	}
	return 0;
}

void
prf_dump_groups_clear(struct prf_dump_groups *groups)
{
	free(groups->all);
	free(groups->next);
	prf_hash_index_free(&groups->by_hash);
	*groups = (struct prf_dump_groups){0};
}
