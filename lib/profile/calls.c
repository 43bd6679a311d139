#include "profile/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/large.h"

static int
add_chunk(struct prf_calls *calls, bool has_large_pages)
{
	if (calls->n_chunks == calls->chunks_room) {
		size_t room = 2 * calls->chunks_room + 4;
		struct prf_call **grown =
			reallocarray(calls->chunks, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		calls->chunks = grown;
		calls->chunks_room = room;
	}
	struct prf_call *chunk =
		has_large_pages
			? prf_large_grow(NULL, 0, 1, PRF_LARGE_PAGE_BYTES)
			: malloc(PRF_LARGE_PAGE_BYTES);
	if (!chunk)
		return -ENOMEM;
	calls->chunks[calls->n_chunks++] = chunk;
	return 0;
}

/* Room to find N_MORE nodes by: what is there does not move as they are added. */
static int
reserve(struct prf_calls *calls, size_t n_more)
{
	size_t n = calls->n + n_more;

	if (!prf_hash_index_is_full(&calls->index, n))
		return 0;
	if (prf_hash_index_clear(&calls->index, n))
		return -ENOMEM;
	for (uint32_t i = 1; i <= calls->n; i++)
		prf_hash_index_add(&calls->index, prf_calls_at(calls, i)->hash,
				   i);
	return 0;
}

struct prf_calls *
prf_calls_new(void)
{
	return prf_calls_new_for(0);
}

/* Most trees are small. */
struct prf_calls *
prf_calls_new_for(size_t n)
{
	struct prf_calls *calls = calloc(1, sizeof *calls);

	if (calls && !add_chunk(calls, n >= PRF_CALLS_IN_CHUNK) &&
	    !reserve(calls, n)) {
		*prf_calls_root(calls) = (struct prf_call){0};
		return calls;
	}
	prf_calls_free(calls);
	return NULL;
}

void
prf_calls_free(struct prf_calls *calls)
{
	if (!calls)
		return;
	for (size_t i = 0; i < PRF_CALLS_N_PATHS; i++)
		free(calls->paths[i].steps);
	prf_owners_clear(&calls->owners);
	prf_hash_index_free(&calls->index);
	for (size_t i = 0; i < calls->n_chunks; i++)
		free(calls->chunks[i]);
	free(calls->chunks);
	free(calls);
}

bool
prf_calls_has_stacks(const struct prf_calls *calls)
{
	for (int end = PRF_STACK_NONE + 1; calls && end < PRF_N_STACK_ENDS;
	     end++)
		if (calls->ended[end])
			return true;
	return false;
}

bool
prf_calls_are_exact(const struct prf_calls *calls)
{
	return prf_calls_has_stacks(calls) && !calls->by_function;
}

/* --- Nodes */

/* END as CALLS keeps it. */
static struct prf_arc_end
kept_end(const struct prf_calls *calls, const struct prf_arc_end *end)
{
	struct prf_arc_end kept = *end;

	if (calls->by_function && end->binary)
		kept.vaddr = prf_binary_begin_of(end->binary, end->vaddr);
	return kept;
}

/* What a node is found by. */
struct key {
	uint32_t parent, owner;
	bool guessed;
	struct prf_binary *binary;
	uint64_t vaddr;
};

/* Of END below what has the hash ABOVE: it is known before any node of the way
 * has been found.  Those without a caller begin with their owner. */
static uint32_t
hash_of(uint32_t above, const struct prf_arc_end *end)
{
	const uint64_t odd = 0x9e3779b97f4a7c15ULL;
	uint64_t hash = above * odd ^ (uintptr_t)end->binary;

	hash = (hash ^ hash >> 29) * odd ^ end->vaddr;
	return (uint32_t)((hash ^ hash >> 32) * odd >> 32);
}

static bool
is_of(const struct prf_call *call, const struct key *key)
{
	return call->parent == key->parent && call->vaddr == key->vaddr &&
	       call->binary == key->binary && call->guessed == key->guessed &&
	       call->owner == key->owner;
}

/* The node of KEY, which has HASH; 0: there is none, and a new one belongs *AT. */
static uint32_t
find_node(const struct prf_calls *calls, const struct key *key, uint32_t hash,
	  size_t *at)
{
	for (*at = hash;; ++*at) {
		uint32_t number = prf_hash_index_next(&calls->index, hash, at);

		if (!number || is_of(prf_calls_at(calls, number), key))
			return number;
	}
}

/* The node of KEY, which has HASH; there is room to find it by. */
static struct prf_call *
enter_hashed(struct prf_calls *calls, const struct key *key, uint32_t hash)
{
	size_t at, next = calls->n + 1;
	uint32_t number = find_node(calls, key, hash, &at);

	if (number)
		return prf_calls_at(calls, number);
	if (next == calls->n_chunks * PRF_CALLS_IN_CHUNK &&
	    add_chunk(calls, true))
		return NULL;
	struct prf_call *parent = prf_calls_at(calls, key->parent);
	struct prf_call *call = prf_calls_at(calls, next);
	*call = (struct prf_call){
		.vaddr = key->vaddr,
		.binary = key->binary,
		.parent = key->parent,
		.owner = key->owner & INT32_MAX,
		.guessed = key->guessed,
		.hash = hash,
		.number = (uint32_t)next,
		.sibling = parent->child,
	};
	calls->n = next;
	prf_hash_index_put(&calls->index, at, hash, call->number);
	parent->child = call->number;
	return call;
}

/* What the hash of a node that has no caller is made of. */
static uint32_t
hash_above(const struct prf_call *parent, uint32_t owner)
{
	return parent->number ? parent->hash : owner;
}

static struct prf_call *
enter(struct prf_calls *calls, struct prf_call *parent, uint32_t owner,
      const struct prf_arc_end *end, bool guessed)
{
	const struct prf_arc_end kept = kept_end(calls, end);
	const struct key key = {parent->number, owner, guessed, kept.binary,
				kept.vaddr};

	return reserve(calls, 1)
		       ? NULL
		       : enter_hashed(
				 calls, &key,
				 hash_of(hash_above(parent, owner), &kept));
}

struct prf_call *
prf_calls_enter(struct prf_calls *calls, struct prf_call *parent,
		const struct prf_arc_end *end, bool guessed)
{
	return enter(calls, parent, parent->owner, end, guessed);
}

struct prf_call *
prf_calls_begin(struct prf_calls *calls, uint32_t owner,
		const struct prf_arc_end *end, bool guessed)
{
	return enter(calls, prf_calls_root(calls), owner, end, guessed);
}

uint32_t
prf_calls_fetch_slot(const struct prf_calls *calls,
		     const struct prf_call *parent,
		     const struct prf_arc_end *end)
{
	uint32_t hash = hash_of(hash_above(parent, parent->owner), end);

	prf_hash_index_fetch(&calls->index, hash);
	return hash;
}

/* --- The ways that threads came last */

static bool
is_same_frame(struct prf_frame a, struct prf_frame b)
{
	return a.addr == b.addr && a.kind == b.kind;
}

/* How many of the outer frames that SAMPLE's PC was called from are PATH's. */
static size_t
n_shared(const struct prf_calls_path *path, const struct prf_sample *sample)
{
	size_t n_callers = sample->n_frames - 1, n = 0;

	while (n < path->n && n < n_callers &&
	       is_same_frame(path->steps[n].frame,
			     sample->frames[n_callers - n]))
		n++;
	return n;
}

struct prf_calls_path *
prf_calls_path_of(struct prf_calls *calls, const struct prf_sample *sample,
		  uint64_t n_changes)
{
	struct prf_calls_path *path =
		&calls->paths[(unsigned)sample->tid % PRF_CALLS_N_PATHS];

	if (path->pid != sample->pid || path->tid != sample->tid ||
	    path->state != sample->state || path->n_changes != n_changes)
		path->n = 0;
	path->pid = sample->pid;
	path->tid = sample->tid;
	path->state = sample->state;
	path->n_changes = n_changes;
	path->n = n_shared(path, sample);
	if (sample->n_frames <= path->room)
		return path;
	size_t room = 2 * (size_t)sample->n_frames;
	struct prf_calls_step *steps =
		reallocarray(path->steps, room, sizeof *steps);
	if (!steps)
		return NULL;
	path->steps = steps;
	path->room = room;
	return path;
}

/* --- Many frames at once */

static void
fetch_slots(const struct prf_calls *calls, struct prf_calls_path *path,
	    size_t n, uint32_t above)
{
	for (size_t i = path->n; i < n; i++) {
		struct prf_calls_step *step = &path->steps[i];

		step->end = kept_end(calls, &step->end);
		above = step->hash = hash_of(above, &step->end);
		prf_hash_index_fetch(&calls->index, above);
	}
}

void
prf_calls_fetch(const struct prf_calls *calls, uint32_t hash)
{
	size_t at = hash;

	__builtin_prefetch(prf_calls_at(
		calls, prf_hash_index_next(&calls->index, hash, &at)));
}

static void
fetch_nodes(const struct prf_calls *calls, const struct prf_calls_path *path,
	    size_t n)
{
	for (size_t i = path->n; i < n; i++)
		prf_calls_fetch(calls, path->steps[i].hash);
}

int
prf_calls_follow(struct prf_calls *calls, struct prf_calls_path *path, size_t n,
		 uint32_t owner)
{
	struct prf_call *call =
		path->n ? path->steps[path->n - 1].call : prf_calls_root(calls);

	if (reserve(calls, n - path->n))
		return -ENOMEM;
	fetch_slots(calls, path, n, path->n ? call->hash : owner);
	fetch_nodes(calls, path, n);
	for (; path->n < n; path->n++) {
		struct prf_calls_step *step = &path->steps[path->n];
		const struct key key = {
			.parent = call->number,
			.owner = owner,
			.guessed = step->frame.kind == PRF_FRAME_GUESSED,
			.binary = step->end.binary,
			.vaddr = step->end.vaddr,
		};

		call = enter_hashed(calls, &key, step->hash);
		if (!call)
			return -ENOMEM;
		step->call = call;
	}
	return 0;
}

/* --- By function */

/* Nodes are gone through in their order, but what they become is anywhere: memory
 * is asked for those of this many nodes before they are looked at. */
enum { AHEAD = 16 };

/* Gives all nodes the ends that they are to have, and the hashes of those; they
 * are not found any more.  A caller has them before its calls. */
static void
move_ends(struct prf_calls *calls)
{
	for (size_t i = 1; i <= calls->n; i++) {
		struct prf_call *call = prf_calls_at(calls, i);
		const struct prf_arc_end was = {call->binary, call->vaddr};
		const struct prf_arc_end end = kept_end(calls, &was);

		call->vaddr = end.vaddr;
		call->hash =
			hash_of(hash_above(prf_calls_at(calls, call->parent),
					   call->owner),
				&end);
	}
}

/* Nothing is found any more, nor where a thread was. */
static void
forget_nodes(struct prf_calls *calls)
{
	struct prf_hash_index *index = &calls->index;

	if (index->n_slots)
		memset(index->slots, 0, index->n_slots * sizeof *index->slots);
	for (size_t i = 0; i < PRF_CALLS_N_PATHS; i++)
		calls->paths[i].n = 0;
	prf_calls_root(calls)->child = 0;
	calls->n = 0;
}

/* The node that CALL, one of them before, becomes; OWN: those of its callers, by
 * their number. */
static uint32_t
join(struct prf_calls *calls, const struct prf_call *call, const uint32_t *own)
{
	const struct key key = {own[call->parent], call->owner, call->guessed,
				call->binary, call->vaddr};
	struct prf_call *joined = enter_hashed(calls, &key, call->hash);

	prf_count_merge(&joined->self, &call->self);
	return joined->number;
}

/* All N nodes that there were, in place: what is new comes where they are joined
 * already, for there are no more of it, and has room. */
static void
join_all(struct prf_calls *calls, size_t n, uint32_t *own)
{
	for (size_t i = 1; i <= n; i++) {
		const struct prf_call call = *prf_calls_at(calls, i);

		if (i + AHEAD <= n) {
			prf_hash_index_fetch(
				&calls->index,
				prf_calls_at(calls, i + AHEAD)->hash);
			prf_calls_fetch(
				calls,
				prf_calls_at(calls, i + AHEAD / 2)->hash);
		}
		own[i] = join(calls, &call, own);
	}
}

static void
free_chunks(struct prf_calls *calls)
{
	size_t n = calls->n / PRF_CALLS_IN_CHUNK + 1;

	while (calls->n_chunks > n)
		free(calls->chunks[--calls->n_chunks]);
}

int
prf_calls_fold_functions(struct prf_calls *calls)
{
	size_t n = calls->n;

	if (calls->by_function)
		return 0;
	PRF_AUTO(prf_auto_free)
	uint32_t *own = prf_large_new(n + 1, sizeof *own);
	if (!own || reserve(calls, 0))
		return -ENOMEM;
	calls->by_function = true;
	move_ends(calls);
	forget_nodes(calls);
	join_all(calls, n, own);
	free_chunks(calls);
	return 0;
}

/* --- Trees added to each other, and taken out again */

/* What becomes of the nodes of another tree. */
struct transfer {
	struct prf_calls *calls;
	const uint32_t *owners; /* here, by their number there */
	prf_calls_translate *translate;
	void *arg;
	/* One node's ticks. */
	int (*move)(struct prf_count *own, const struct prf_count *other);
};

/* The node that is FROM's, below PARENT. */
static int
find_own(const struct transfer *transfer, const struct prf_call *from,
	 struct prf_call *parent, struct prf_call **own)
{
	const struct prf_arc_end end = {from->binary, from->vaddr};
	struct prf_arc_end own_end = end;
	int rc = end.binary ? transfer->translate(transfer->arg, &end, &own_end)
			    : 0;

	if (rc)
		return rc;
	*own = enter(transfer->calls, parent, transfer->owners[from->owner],
		     &own_end, from->guessed);
	return *own ? 0 : -ENOMEM;
}

/* Who the owners of OTHER are here, by their number; to be free()d.  NULL: out
 * of memory. */
static uint32_t *
find_owners(struct prf_calls *calls, const struct prf_calls *other)
{
	uint32_t *numbers = calloc(other->owners.n + 1, sizeof *numbers);
	int rc = numbers ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < other->owners.n; i++) {
		const struct prf_owner *owner = &other->owners.all[i];

		rc = prf_owners_intern(&calls->owners, owner, &numbers[i + 1]);
		if (!rc && *owner->name)
			prf_owners_name(&calls->owners, owner);
	}
	if (!rc)
		return numbers;
	free(numbers);
	return NULL;
}

/* Goes through all nodes of OTHER, parents first.  TO, which is the node of FROM,
 * goes up whenever that does. */
static int
walk(const struct transfer *transfer, const struct prf_calls *other)
{
	const struct prf_calls *calls = transfer->calls;
	const struct prf_call *from = prf_calls_root(other);
	struct prf_call *to = prf_calls_root(calls);
	int rc = transfer->move(&to->self, &from->self);

	while (!rc) {
		if (from->child) {
			from = prf_calls_at(other, from->child);
		} else {
			while (from->number && !from->sibling) {
				from = prf_calls_at(other, from->parent);
				to = prf_calls_at(calls, to->parent);
			}
			if (!from->number)
				return 0;
			from = prf_calls_at(other, from->sibling);
			to = prf_calls_at(calls, to->parent);
		}
		rc = find_own(transfer, from, to, &to);
		if (!rc)
			rc = transfer->move(&to->self, &from->self);
	}
	return rc;
}

static int
add_count(struct prf_count *own, const struct prf_count *other)
{
	prf_count_merge(own, other);
	return 0;
}

static int
take_count(struct prf_count *own, const struct prf_count *earlier)
{
	if (own->ticks < earlier->ticks)
		return -ERANGE;
	prf_count_subtract(own, earlier);
	return 0;
}

int
prf_calls_add_as(struct prf_calls *calls, const struct prf_calls *other,
		 const uint32_t *owners, prf_calls_translate *translate,
		 void *arg)
{
	const struct transfer transfer = {calls, owners, translate, arg,
					  add_count};

	if (other->by_function && prf_calls_fold_functions(calls))
		return -ENOMEM;
	for (int end = 0; end < PRF_N_STACK_ENDS; end++)
		calls->ended[end] += other->ended[end];
	calls->guessed_ticks += other->guessed_ticks;
	calls->pruned_ticks += other->pruned_ticks;
	calls->n_pruned += other->n_pruned;
	return walk(&transfer, other);
}

int
prf_calls_add(struct prf_calls *calls, const struct prf_calls *other,
	      prf_calls_translate *translate, void *arg)
{
	PRF_AUTO(prf_auto_free) uint32_t *owners = find_owners(calls, other);

	return owners ? prf_calls_add_as(calls, other, owners, translate, arg)
		      : -ENOMEM;
}

int
prf_calls_subtract(struct prf_calls *calls, const struct prf_calls *earlier,
		   prf_calls_translate *translate, void *arg)
{
	PRF_AUTO(prf_auto_free) uint32_t *owners = find_owners(calls, earlier);
	const struct transfer transfer = {calls, owners, translate, arg,
					  take_count};

	if (!owners ||
	    (earlier->by_function && prf_calls_fold_functions(calls)))
		return -ENOMEM;
	for (int end = 0; end < PRF_N_STACK_ENDS; end++) {
		if (calls->ended[end] < earlier->ended[end])
			return -ERANGE;
		calls->ended[end] -= earlier->ended[end];
	}
	calls->guessed_ticks -= earlier->guessed_ticks;
	calls->pruned_ticks -= earlier->pruned_ticks;
	return walk(&transfer, earlier);
}
