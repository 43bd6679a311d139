#include "profile/thread_states.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/large.h"
#include "profile/pairs.h"
#include "profile/stack_walk.h"

/* Where a thread is blocked, as it is found. */
struct found {
	size_t thread;
	struct prf_thread_wait wait;
};

struct making {
	struct prf_thread_states *states;
	size_t threads_room;
	size_t at;                   /* the thread of the stacks at hand */
	enum prf_sample_state state; /* what it does in them */
	struct prf_arc_end *path;    /* the outermost first */
	size_t path_room;
	struct prf_pairs calls, waits; /* call and from; these and the thread */
	struct found *found;
	size_t n_found, found_room;
};

static void
clear(struct making *making)
{
	prf_pairs_clear(&making->calls);
	prf_pairs_clear(&making->waits);
	free(making->path);
	free(making->found);
}

/* --- Threads */

static int
on_owner(void *arg, const struct prf_owner *owner)
{
	static const struct prf_owner nobody = {.program = "", .rank = -1};
	struct making *making = arg;
	struct prf_thread_states *states = making->states;
	size_t at = owner ? owner->thread + (size_t)1 : 0;

	if (at >= states->n) {
		struct prf_thread_doing *threads = prf_large_reserve(
			states->threads, at, &making->threads_room,
			sizeof *threads);

		if (!threads)
			return -ENOMEM;
		memset(&threads[states->n], 0,
		       (at + 1 - states->n) * sizeof *threads);
		states->threads = threads;
		states->n = at + 1;
	}
	owner = owner ? owner : &nobody;
	making->at = at;
	making->state = owner->state;
	states->threads[at].pid = owner->pid;
	states->threads[at].tid = owner->tid;
	states->threads[at].program = owner->program;
	states->threads[at].name = owner->name;
	states->threads[at].rank = owner->rank;
	return 0;
}

/* --- Where they are blocked */

static int
on_frame(void *arg, size_t depth, const struct prf_arc_end *end, bool guessed)
{
	struct making *making = arg;
	struct prf_arc_end *path = prf_large_reserve(
		making->path, depth, &making->path_room, sizeof *path);

	(void)guessed;
	if (!path)
		return -ENOMEM;
	making->path = path;
	path[depth] = *end;
	return 0;
}

/* Whose function among the N outer ones waits; N: nobody's. */
static size_t
find_waiter(const struct prf_arc_end *path, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (path[i].binary != path[n - 1].binary)
			return i;
	return n ? n - 1 : n;
}

static int
number_of(struct making *making, const struct prf_arc_end *end,
	  size_t *function)
{
	static const struct prf_count none;

	return prf_call_functions_count(&making->states->functions, end, &none,
					function);
}

/* *NUMBER: of the place where the thread at hand is blocked in WAIT's call. */
static int
find_wait(struct making *making, const struct prf_thread_wait *wait,
	  size_t *number)
{
	size_t call;
	int rc =
		prf_pairs_intern(&making->calls, wait->call, wait->from, &call);

	if (!rc)
		rc = prf_pairs_intern(&making->waits, making->at, call, number);
	if (rc || *number < making->n_found)
		return rc;
	struct found *found =
		prf_large_reserve(making->found, making->n_found,
				  &making->found_room, sizeof *found);
	if (!found)
		return -ENOMEM;
	making->found = found;
	found[making->n_found++] = (struct found){making->at, *wait};
	return 0;
}

/* The thread at hand is blocked where the first N frames are. */
static int
add_wait(struct making *making, size_t n, const struct prf_count *count)
{
	struct prf_thread_wait wait = {.from = PRF_CALL_NONE};
	const struct prf_arc_end *path = making->path;
	size_t number, waiter = find_waiter(path, n - 1);
	int rc = number_of(making, &path[n - 1], &wait.call);

	if (!rc && waiter < n - 1)
		rc = number_of(making, &path[waiter], &wait.from);
	if (!rc)
		rc = find_wait(making, &wait, &number);
	if (!rc)
		prf_count_merge(&making->found[number].wait.count, count);
	return rc;
}

static int
on_stack(void *arg, size_t n, const struct prf_count *count)
{
	struct making *making = arg;
	struct prf_thread_doing *thread = &making->states->threads[making->at];
	prf_count_merge(&thread->all, count);
	prf_count_merge(&thread->states[making->state], count);
	prf_count_merge(&making->states->all, count);
	return n && making->state == PRF_SAMPLE_BLOCKED
		       ? add_wait(making, n, count)
		       : 0;
}

/* --- All of it */

static int
by_thread(const void *a, const void *b)
{
	const struct found *left = a, *right = b;

	if (left->thread != right->thread)
		return left->thread < right->thread ? -1 : 1;
	if (left->wait.count.ticks != right->wait.count.ticks)
		return left->wait.count.ticks > right->wait.count.ticks ? -1
									: 1;
	if (left->wait.call != right->wait.call)
		return left->wait.call < right->wait.call ? -1 : 1;
	return (left->wait.from > right->wait.from) -
	       (left->wait.from < right->wait.from);
}

/* Gives each thread what was found of it. */
static int
give_waits(struct making *making)
{
	struct prf_thread_states *states = making->states;

	states->waits = calloc(making->n_found + 1, sizeof *states->waits);
	if (!states->waits)
		return -ENOMEM;
	if (making->n_found)
		qsort(making->found, making->n_found, sizeof *making->found,
		      by_thread);
	for (size_t i = 0; i < making->n_found; i++) {
		struct prf_thread_doing *thread =
			&states->threads[making->found[i].thread];

		states->waits[i] = making->found[i].wait;
		if (!thread->n_waits++)
			thread->waits = &states->waits[i];
	}
	states->n_waits = making->n_found;
	return 0;
}

static int
by_process(const void *a, const void *b)
{
	const struct prf_thread_doing *left = a, *right = b;

	if (left->pid != right->pid)
		return left->pid < right->pid ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return strcmp(left->program, right->program);
}

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_thread_doing *left = a, *right = b;

	if (left->process_ticks != right->process_ticks)
		return left->process_ticks > right->process_ticks ? -1 : 1;
	int rc = by_process(a, b);
	if (rc)
		return rc;
	if (left->all.ticks != right->all.ticks)
		return left->all.ticks > right->all.ticks ? -1 : 1;
	return (left->tid > right->tid) - (left->tid < right->tid);
}

bool
prf_thread_states_same_process(const struct prf_thread_doing *a,
			       const struct prf_thread_doing *b)
{
	return by_process(a, b) == 0;
}

static void
drop_idle(struct prf_thread_states *states)
{
	size_t kept = 0;

	for (size_t i = 0; i < states->n; i++)
		if (states->threads[i].all.ticks)
			states->threads[kept++] = states->threads[i];
	states->n = kept;
}

static void
sort(struct prf_thread_states *states)
{
	struct prf_thread_doing *threads = states->threads;

	if (!states->n)
		return;
	qsort(threads, states->n, sizeof *threads, by_process);
	for (size_t i = 0, n; i < states->n; i += n) {
		uint64_t ticks = 0;

		for (n = 0; i + n < states->n &&
			    !by_process(&threads[i], &threads[i + n]);
		     n++)
			ticks += threads[i + n].all.ticks;
		for (size_t k = i; k < i + n; k++) {
			threads[k].process_ticks = ticks;
			threads[k].process_threads = n;
		}
	}
	qsort(threads, states->n, sizeof *threads, by_ticks);
}

int
prf_thread_states_of(const struct prf_profile *profile,
		     struct prf_thread_states *states)
{
	static const struct prf_stack_visit ops = {
		.frame = on_frame,
		.stack = on_stack,
		.owner = on_owner,
	};
	PRF_AUTO(clear) struct making making = {.states = states};

	*states = (struct prf_thread_states){0};
	int rc = prf_call_functions_init(&states->functions, profile, false);
	if (!rc)
		rc = on_owner(&making, NULL);
	if (!rc)
		rc = prf_stack_walk(profile, &ops, &making);
	if (!rc)
		rc = give_waits(&making);
	if (rc)
		return rc;
	drop_idle(states);
	sort(states);
	return 0;
}

void
prf_thread_states_clear(struct prf_thread_states *states)
{
	prf_call_functions_clear(&states->functions);
	free(states->threads);
	free(states->waits);
	*states = (struct prf_thread_states){0};
}

bool
prf_thread_states_differ(const struct prf_thread_states *states)
{
	for (size_t i = 0; i < states->n; i++) {
		const struct prf_thread_doing *thread = &states->threads[i];

		if (thread->states[PRF_SAMPLE_RUNNING].ticks <
		    thread->all.ticks)
			return true;
	}
	return false;
}
