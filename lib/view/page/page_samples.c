#include "view/page/page_samples.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/large.h"
#include "profile/pairs.h"

struct making {
	const struct prf_stack_table *stacks;
	const struct prf_page_tree *tree;
	struct prf_page_samples *samples;
	struct prf_count *counts; /* by thread */
	uint32_t *order;          /* threads, the most ticks first */
	uint32_t *owner_of;       /* by thread */
};

static void
clear_making(struct making *making)
{
	free(making->counts);
	free(making->order);
	free(making->owner_of);
}

void
prf_page_samples_clear(struct prf_page_samples *samples)
{
	free(samples->owners);
	free(samples->sums);
	free(samples->times);
	prf_named_counts_clear(&samples->programs);
	*samples = (struct prf_page_samples){0};
}

/* --- Owners */

static int
by_ticks(const void *a, const void *b, void *arg)
{
	const struct prf_count *counts = arg;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	if (counts[left].ticks != counts[right].ticks)
		return counts[left].ticks > counts[right].ticks ? -1 : 1;
	return (left > right) - (left < right);
}

static int
weigh_threads(struct making *making)
{
	const struct prf_stack_table *stacks = making->stacks;
	size_t n = stacks->n_threads;

	making->counts = calloc(n + 1, sizeof *making->counts);
	making->order = calloc(n + 1, sizeof *making->order);
	making->owner_of = calloc(n + 1, sizeof *making->owner_of);
	if (!making->counts || !making->order || !making->owner_of)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++)
		prf_count_merge(&making->counts[stacks->samples[i].thread],
				&stacks->samples[i].count);
	for (size_t i = 0; i < n; i++)
		making->order[i] = (uint32_t)i;
	qsort_r(making->order, n, sizeof *making->order, by_ticks,
		making->counts);
	return 0;
}

static uint32_t
unit_of(const struct making *making, uint64_t time_ns)
{
	const struct prf_page_samples *samples = making->samples;
	uint64_t begin_ns = making->stacks->begin_ns;
	uint64_t unit = time_ns > begin_ns && samples->unit_ns
				? (time_ns - begin_ns) / samples->unit_ns
				: 0;

	return unit < samples->n_units ? (uint32_t)unit
	       : samples->n_units      ? samples->n_units - 1
				       : 0;
}

static void
add_to_owner(const struct making *making, struct prf_page_owner *owner,
	     uint32_t number)
{
	const struct prf_stack_table_thread *thread =
		&making->stacks->threads[number];
	uint32_t begin = unit_of(making, thread->begin_ns);
	uint32_t end = thread->end_ns ? unit_of(making, thread->end_ns) + 1
				      : making->samples->n_units;

	if (!owner->n_threads++ || begin < owner->begin)
		owner->begin = begin;
	if (end > owner->end)
		owner->end = end;
	prf_count_merge(&owner->count, &making->counts[number]);
}

/* Which owners the process or program of a thread has besides those that are
 * threads. */
struct others {
	struct prf_pairs processes; /* that have an owner: program and pid */
	struct prf_pairs keys;      /* program and pid, or 0 */
	uint32_t *owners;           /* by the number of the key */
};

static void
clear_others(struct others *others)
{
	prf_pairs_clear(&others->processes);
	prf_pairs_clear(&others->keys);
	free(others->owners);
}

/* The owner of THREAD, which is none by itself. */
static int
other_owner(struct making *making, struct others *others, uint32_t program,
	    uint32_t number)
{
	struct prf_page_samples *samples = making->samples;
	pid_t pid = making->stacks->threads[number].pid;
	size_t process, key, n_keys = others->keys.n;

	if (!prf_pairs_find(&others->processes, program, (size_t)pid, &process))
		pid = 0;
	if (prf_pairs_intern(&others->keys, program, (size_t)pid, &key))
		return -ENOMEM;
	if (key == n_keys) {
		others->owners[key] = (uint32_t)samples->n_owners;
		samples->owners[samples->n_owners++] = (struct prf_page_owner){
			.program = program,
			.pid = pid,
			.name = "",
		};
	}
	making->owner_of[number] = others->owners[key];
	return 0;
}

static int
own_owner(struct making *making, struct others *others, uint32_t program,
	  uint32_t number)
{
	const struct prf_stack_table_thread *thread =
		&making->stacks->threads[number];
	struct prf_page_samples *samples = making->samples;
	size_t process;

	making->owner_of[number] = (uint32_t)samples->n_owners;
	samples->owners[samples->n_owners++] = (struct prf_page_owner){
		.program = program,
		.pid = thread->pid,
		.tid = thread->tid,
		.name = thread->name,
	};
	return prf_pairs_intern(&others->processes, program,
				(size_t)thread->pid, &process);
}

/* Threads without ticks are nobody's. */
static int
choose_owners(struct making *making, size_t n_kept)
{
	struct prf_page_samples *samples = making->samples;
	const struct prf_stack_table *stacks = making->stacks;
	PRF_AUTO(clear_others) struct others others = {0};
	int rc = 0;

	samples->n_owners = 0;
	others.owners = calloc(stacks->n_threads + 1, sizeof *others.owners);
	if (!others.owners)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < stacks->n_threads; i++) {
		uint32_t number = making->order[i];
		size_t program;

		if (!making->counts[number].ticks)
			break;
		rc = prf_named_counts_intern(&samples->programs,
					     stacks->threads[number].program,
					     &program);
		if (!rc)
			rc = (i < n_kept ? own_owner : other_owner)(
				making, &others, (uint32_t)program, number);
		if (!rc)
			add_to_owner(making,
				     &samples->owners[making->owner_of[number]],
				     number);
	}
	return rc;
}

/* --- Sums */

static int
by_place(const void *a, const void *b)
{
	const struct prf_page_sum *left = a, *right = b;

	if (left->owner != right->owner)
		return left->owner < right->owner ? -1 : 1;
	if (left->at != right->at)
		return left->at < right->at ? -1 : 1;
	return (left->node > right->node) - (left->node < right->node);
}

/* Sums of one place become one; returns how many are left. */
static size_t
merge(struct prf_page_sum *sums, size_t n)
{
	size_t kept = 0;

	if (!n)
		return 0;
	qsort(sums, n, sizeof *sums, by_place);
	for (size_t i = 1; i < n; i++)
		if (by_place(&sums[kept], &sums[i]))
			sums[++kept] = sums[i];
		else
			sums[kept].ticks += sums[i].ticks;
	return kept + 1;
}

static struct prf_page_sum *
sums_of(const struct making *making, bool by_time, size_t *n)
{
	const struct prf_stack_table *stacks = making->stacks;
	struct prf_page_sum *sums =
		prf_large_new(stacks->n_samples + 1, sizeof *sums);

	for (size_t i = 0; sums && i < stacks->n_samples; i++) {
		const struct prf_stack_table_sample *sample =
			&stacks->samples[i];

		sums[i] = (struct prf_page_sum){
			.owner = making->owner_of[sample->thread],
			.at = by_time ? unit_of(making, sample->time_ns) : 0,
			.node = making->tree->node_of[sample->node],
			.ticks = sample->count.ticks,
		};
	}
	*n = sums ? merge(sums, stacks->n_samples) : 0;
	return sums;
}

/* With fewer owners until the sums are few enough. */
static int
sum_by_owner(struct making *making)
{
	struct prf_page_samples *samples = making->samples;
	size_t n_kept = PRF_PAGE_THREADS_MAX;
	int rc;

	do {
		free(samples->sums);
		samples->sums = NULL;
		rc = choose_owners(making, n_kept);
		if (rc || samples->n_owners < 2)
			return rc;
		samples->sums = sums_of(making, false, &samples->n_sums);
		if (!samples->sums)
			return -ENOMEM;
		n_kept /= 2;
	} while (samples->n_sums > PRF_PAGE_SUMS_MAX && n_kept);
	if (samples->n_sums > PRF_PAGE_SUMS_MAX)
		samples->n_sums = 0;
	return 0;
}

/* --- Times */

/* The unit of time: no shorter than 0.1 ms. */
static void
choose_unit(struct making *making)
{
	struct prf_page_samples *samples = making->samples;
	const struct prf_stack_table *stacks = making->stacks;
	uint64_t all_ns = stacks->end_ns > stacks->begin_ns
				  ? stacks->end_ns - stacks->begin_ns
				  : 0;

	if (!stacks->has_times)
		return;
	samples->unit_ns = 100000;
	while (all_ns / samples->unit_ns >= PRF_PAGE_UNITS_MAX)
		samples->unit_ns *= 2;
	samples->n_units = (uint32_t)(all_ns / samples->unit_ns) + 1;
}

/* True with the chance of PART in ALL. */
static bool
draw(uint64_t *lot, uint64_t part, uint64_t all)
{
	/* Knuth's; its high bits are good enough. */
	*lot = *lot * UINT64_C(6364136223846793005) +
	       UINT64_C(1442695040888963407);
	return (*lot >> 33) % all < part;
}

/* Of two that follow each other in an owner one is left, with the ticks of both:
 * by the lot of these ticks either. */
static size_t
thin_out(struct prf_page_sum *sums, size_t n, uint64_t *lot)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct prf_page_sum sum = sums[i];

		if (i + 1 < n && sums[i + 1].owner == sum.owner) {
			const struct prf_page_sum *next = &sums[++i];
			uint64_t ticks = sum.ticks + next->ticks;

			if (draw(lot, next->ticks, ticks))
				sum = *next;
			sum.ticks = ticks;
		}
		sums[kept++] = sum;
	}
	return kept;
}

static int
sum_by_time(struct making *making)
{
	struct prf_page_samples *samples = making->samples;
	size_t before = SIZE_MAX;
	uint64_t lot = 1;

	samples->n_in_one = 1;
	if (!making->stacks->has_times || !making->stacks->n_samples)
		return 0;
	samples->times = sums_of(making, true, &samples->n_times);
	if (!samples->times)
		return -ENOMEM;
	/* Until each owner has one. */
	while (samples->n_times > PRF_PAGE_TIMES_MAX &&
	       samples->n_times < before) {
		before = samples->n_times;
		samples->n_times =
			thin_out(samples->times, samples->n_times, &lot);
		samples->n_in_one *= 2;
	}
	return 0;
}

int
prf_page_samples_of(const struct prf_stack_table *stacks,
		    const struct prf_page_tree *tree,
		    struct prf_page_samples *samples)
{
	PRF_AUTO(clear_making)
	struct making making = {
		.stacks = stacks,
		.tree = tree,
		.samples = samples,
	};

	*samples = (struct prf_page_samples){
		.owners =
			calloc(stacks->n_threads + 1, sizeof *samples->owners),
	};
	choose_unit(&making);
	int rc = samples->owners ? weigh_threads(&making) : -ENOMEM;
	if (!rc)
		rc = sum_by_owner(&making);
	if (!rc)
		rc = sum_by_time(&making);
	if (rc)
		prf_page_samples_clear(samples);
	return rc;
}
