#include "view/export/stack_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/lines.h"
#include "profile/large.h"
#include "profile/stack_walk.h"
#include "view/table/name_columns.h"

/* --- Tables that grow */

/* Appends ITEM to the list NAME of STACKS; evaluates to 0 or -ENOMEM. */
#define APPEND(stacks, name, item)                                             \
	({                                                                     \
		__typeof__((stacks)->name) grown_ = prf_large_reserve(         \
			(stacks)->name, (stacks)->n_##name,                    \
			&(stacks)->name##_room, sizeof *grown_);               \
		if (grown_) {                                                  \
			(stacks)->name = grown_;                               \
			grown_[(stacks)->n_##name++] = (item);                 \
		}                                                              \
		grown_ ? 0 : -ENOMEM;                                          \
	})

static int
add_node(struct prf_stack_table *stacks, uint32_t parent, uint32_t frame,
	 uint32_t hash)
{
	const struct prf_stack_table_node node = {
		.parent = parent,
		.frame = frame & INT32_MAX,
	};
	int rc = APPEND(stacks, nodes, node);

	return rc ? rc : APPEND(stacks, node_hashes, hash);
}

int
prf_stack_table_init(struct prf_stack_table *stacks,
		     const struct prf_profile *profile)
{
	*stacks = (struct prf_stack_table){.profile = profile};
	return add_node(stacks, 0, 0, 0);
}

void
prf_stack_table_clear(struct prf_stack_table *stacks)
{
	for (size_t i = 0; stacks->names && i < stacks->functions.n; i++)
		free(stacks->names[i]);
	for (size_t i = 0; i < stacks->n_threads; i++)
		free(stacks->threads[i].program);
	for (size_t i = 0; i < stacks->n_events; i++)
		free(stacks->events[i].text);
	free(stacks->names);
	free(stacks->files);
	free(stacks->frames);
	free(stacks->nodes);
	free(stacks->threads);
	free(stacks->samples);
	free(stacks->events);
	free(stacks->inlined);
	if (stacks->functions.profile)
		prf_call_functions_clear(&stacks->functions);
	prf_named_counts_clear(&stacks->paths);
	prf_named_counts_clear(&stacks->inlined_names);
	prf_pairs_clear(&stacks->frame_numbers);
	prf_hash_index_free(&stacks->node_index);
	free(stacks->node_hashes);
	*stacks = (struct prf_stack_table){0};
}

static int
number_frame(struct prf_stack_table *stacks, const struct prf_arc_end *end,
	     size_t *number)
{
	/* The number behind the last can become another binary's. */
	int rc = prf_pairs_intern(&stacks->frame_numbers,
				  end->binary ? end->binary->number : SIZE_MAX,
				  end->binary ? end->vaddr : 0, number);

	if (rc || *number < stacks->n_frames)
		return rc;
	return APPEND(stacks, frames,
		      (struct prf_stack_table_frame){.end = *end});
}

/* Room to find N_MORE nodes by. */
static int
reserve_index(struct prf_stack_table *stacks, size_t n_more)
{
	struct prf_hash_index *index = &stacks->node_index;

	if (!prf_hash_index_is_full(index, stacks->n_nodes + n_more))
		return 0;
	if (prf_hash_index_clear(index, stacks->n_nodes + n_more))
		return -ENOMEM;
	for (uint32_t i = 1; i < stacks->n_nodes; i++)
		prf_hash_index_add(index, stacks->node_hashes[i], i);
	return 0;
}

/* The node of FRAME, with HASH, below PARENT; 0: there is none, and a new one
 * belongs *AT. */
static uint32_t
find_node(const struct prf_stack_table *stacks, uint32_t parent, uint32_t frame,
	  uint32_t hash, size_t *at)
{
	for (*at = hash;; ++*at) {
		uint32_t node =
			prf_hash_index_next(&stacks->node_index, hash, at);
		const struct prf_stack_table_node *there = &stacks->nodes[node];

		if (!node || (there->parent == parent && there->frame == frame))
			return node;
	}
}

static bool
is_pruned(const struct prf_stack_table *stacks, uint32_t node)
{
	return node && !stacks->frames[stacks->nodes[node].frame].end.binary;
}

/* There is room to find it. */
static int
enter_hashed(struct prf_stack_table *stacks, uint32_t parent, uint32_t frame,
	     uint32_t hash, uint32_t *node)
{
	size_t at;

	*node = find_node(stacks, parent, frame, hash, &at);
	if (*node)
		return 0;
	*node = (uint32_t)stacks->n_nodes;
	prf_hash_index_put(&stacks->node_index, at, hash, *node);
	return add_node(stacks, parent, frame, hash);
}

/* Where there are too many nodes: a new one is counted in a [pruned] child of PARENT,
 * or in PARENT if it is one. */
static int
enter_pruned(struct prf_stack_table *stacks, uint32_t parent, uint32_t frame,
	     uint32_t hash, uint32_t *node)
{
	static const struct prf_arc_end pruned;
	size_t at, other;

	*node = find_node(stacks, parent, frame, hash, &at);
	if (*node)
		return 0;
	*node = parent;
	if (is_pruned(stacks, parent))
		return 0;
	if (number_frame(stacks, &pruned, &other))
		return -ENOMEM;
	return enter_hashed(stacks, parent, (uint32_t)other,
			    prf_hash_index_hash(stacks->node_hashes[parent],
						(uint32_t)other),
			    node);
}

int
prf_stack_table_enter_all(struct prf_stack_table *stacks, uint32_t parent,
			  const struct prf_arc_end *ends, size_t n,
			  uint32_t *nodes)
{
	uint32_t frames[PRF_STACK_TABLE_AT_ONCE];
	uint32_t hashes[PRF_STACK_TABLE_AT_ONCE];
	uint32_t hash = stacks->node_hashes[parent];
	int rc = reserve_index(stacks, n);

	for (size_t i = 0; !rc && i < n; i++) {
		size_t frame = 0;

		rc = number_frame(stacks, &ends[i], &frame);
		frames[i] = (uint32_t)frame;
		/* Of the way, which is known before its nodes are found. */
		hash = hashes[i] = prf_hash_index_hash(hash, frames[i]);
		prf_hash_index_fetch(&stacks->node_index, hash);
	}
	for (size_t i = 0; !rc && i < n; i++) {
		size_t at = hashes[i];

		__builtin_prefetch(&stacks->nodes[prf_hash_index_next(
			&stacks->node_index, hashes[i], &at)]);
	}
	for (size_t i = 0; !rc && i < n; i++) {
		rc = (stacks->n_nodes < PRF_STACK_TABLE_NODES_MAX
			      ? enter_hashed
			      : enter_pruned)(stacks, parent, frames[i],
					      hashes[i], &nodes[i]);
		parent = nodes[i];
	}
	return rc;
}

int
prf_stack_table_enter(struct prf_stack_table *stacks, uint32_t parent,
		      const struct prf_arc_end *end, uint32_t *node)
{
	return prf_stack_table_enter_all(stacks, parent, end, 1, node);
}

int
prf_stack_table_add_thread(struct prf_stack_table *stacks,
			   const struct prf_stack_table_thread *thread,
			   uint32_t *number)
{
	*number = (uint32_t)stacks->n_threads;
	return APPEND(stacks, threads, *thread);
}

int
prf_stack_table_add_sample(struct prf_stack_table *stacks,
			   const struct prf_stack_table_sample *sample)
{
	int rc = APPEND(stacks, samples, *sample);

	if (!rc)
		stacks->threads[sample->thread].n_samples++;
	return rc;
}

int
prf_stack_table_add_event(struct prf_stack_table *stacks,
			  const struct prf_stack_table_event *event)
{
	return APPEND(stacks, events, *event);
}

/* --- Functions and lines */

static int
name_functions(struct prf_stack_table *stacks, const struct prf_export_way *way)
{
	const struct prf_style style = {.full_names = way->full_names};
	size_t n = stacks->functions.n;

	stacks->names = calloc(n + 1, sizeof *stacks->names);
	stacks->files = calloc(n + 1, sizeof *stacks->files);
	if (!stacks->names || !stacks->files)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const char *name = stacks->functions.all[i].name;

		stacks->names[i] = prf_name_columns_name(
			*name ? name : "[unknown]", &style);
		if (!stacks->names[i])
			return -ENOMEM;
	}
	return 0;
}

/* The number of LINE's path, + 1; 0: it has none. */
static int
number_path(struct prf_stack_table *stacks, const struct prf_line *line,
	    uint32_t *file)
{
	PRF_AUTO(prf_auto_free) char *path = NULL;
	size_t number;

	*file = 0;
	if (!line->file)
		return 0;
	bool is_whole = *line->file == '/' || !line->directory;
	if (asprintf(&path, "%s%s%s", is_whole ? "" : line->directory,
		     is_whole ? "" : "/", line->file) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	int rc = prf_named_counts_intern(&stacks->paths, path, &number);
	*file = (uint32_t)number + 1;
	return rc;
}

static int
add_inlined(struct prf_stack_table *stacks, const struct prf_style *style,
	    struct prf_stack_table_frame *frame, const struct prf_line *line)
{
	struct prf_stack_table_inlined inlined = {.line = line->line};
	PRF_AUTO(prf_auto_free)
	char *name = prf_name_columns_name(
		line->function ? line->function : "[unknown]", style);
	size_t number;
	int rc = name ? prf_named_counts_intern(&stacks->inlined_names, name,
						&number)
		      : -ENOMEM;

	if (!rc)
		rc = number_path(stacks, line, &inlined.file);
	if (rc)
		return rc;
	inlined.name = (uint32_t)number;
	frame->n_inlined++;
	return APPEND(stacks, inlined, inlined);
}

/* Of a frame that is by function there is a file only: where the function begins. */
static int
find_lines(struct prf_stack_table *stacks, const struct prf_export_way *way,
	   struct prf_stack_table_frame *frame)
{
	const struct prf_style style = {.full_names = way->full_names};
	const struct prf_binary *binary = frame->end.binary;
	const struct prf_line *all;
	size_t n = binary ? prf_binary_lines_at(way->lines, binary,
						frame->end.vaddr,
						stacks->in_counters, &all)
			  : 0;

	if (!n)
		return 0;
	frame->first_inlined = stacks->n_inlined;
	int rc = number_path(stacks, &all[n - 1], &frame->file);
	if (!rc && !stacks->files[frame->function])
		stacks->files[frame->function] = frame->file;
	if (stacks->by_function)
		return rc;
	frame->line = all[n - 1].line;
	for (size_t i = n - 1; !rc && i-- > 0;)
		rc = add_inlined(stacks, &style, frame, &all[i]);
	return rc;
}

/* --- Samples and events */

/* Those of one thread stand together, in the order in which they came. */
static int
sort_samples(struct prf_stack_table *stacks)
{
	PRF_AUTO(prf_auto_free)
	size_t *next = calloc(stacks->n_threads + 1, sizeof *next);
	struct prf_stack_table_sample *sorted =
		prf_large_new(stacks->n_samples + 1, sizeof *sorted);
	size_t n = 0;

	if (!next || !sorted) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < stacks->n_threads; i++) {
		next[i] = stacks->threads[i].first = n;
		n += stacks->threads[i].n_samples;
	}
	for (size_t i = 0; i < stacks->n_samples; i++)
		sorted[next[stacks->samples[i].thread]++] = stacks->samples[i];
	free(stacks->samples);
	stacks->samples = sorted;
	stacks->samples_room = stacks->n_samples + 1;
	return 0;
}

static int
by_thread(const void *a, const void *b)
{
	const struct prf_stack_table_event *left = a, *right = b;

	if (left->thread != right->thread)
		return left->thread < right->thread ? -1 : 1;
	return (left->time_ns > right->time_ns) -
	       (left->time_ns < right->time_ns);
}

static void
sort_events(struct prf_stack_table *stacks)
{
	if (stacks->n_events)
		qsort(stacks->events, stacks->n_events, sizeof *stacks->events,
		      by_thread);
	for (size_t i = stacks->n_events; i-- > 0;) {
		struct prf_stack_table_thread *thread =
			&stacks->threads[stacks->events[i].thread];

		thread->n_events++;
		thread->first_event = i;
	}
}

const struct prf_stack_table_sample *
prf_stack_table_samples(const struct prf_stack_table *stacks,
			const struct prf_stack_table_thread *thread)
{
	return thread->n_samples ? &stacks->samples[thread->first] : NULL;
}

const struct prf_stack_table_event *
prf_stack_table_events(const struct prf_stack_table *stacks,
		       const struct prf_stack_table_thread *thread)
{
	return thread->n_events ? &stacks->events[thread->first_event] : NULL;
}

int
prf_stack_table_finish(struct prf_stack_table *stacks,
		       const struct prf_export_way *way)
{
	static const struct prf_count nothing;
	int rc = prf_call_functions_init(&stacks->functions, stacks->profile,
					 false);

	for (size_t i = 0; !rc && i < stacks->n_frames; i++) {
		size_t function;

		rc = prf_call_functions_count(&stacks->functions,
					      &stacks->frames[i].end, &nothing,
					      &function);
		stacks->frames[i].function = (uint32_t)function;
	}
	if (!rc)
		rc = name_functions(stacks, way);
	for (size_t i = 0; !rc && way->lines && i < stacks->n_frames; i++)
		rc = find_lines(stacks, way, &stacks->frames[i]);
	/* Nothing is entered any more. */
	prf_pairs_clear(&stacks->frame_numbers);
	prf_hash_index_free(&stacks->node_index);
	free(PRF_TAKE(stacks->node_hashes));
	sort_events(stacks);
	return !rc && stacks->n_threads > 1 ? sort_samples(stacks) : rc;
}

/* --- Of a profile */

struct walk {
	struct prf_stack_table *stacks;
	uint32_t *path; /* the nodes of the stack at hand */
	size_t room;
	const struct prf_owner *owner; /* whose it is; NULL: not known */
	uint32_t thread;
	/* Which thread each owner's is, + 1; nobody's first; 0: not added. */
	uint32_t *numbers;
};

static int
on_frame(void *arg, size_t depth, const struct prf_arc_end *end, bool guessed)
{
	struct walk *walk = arg;
	uint32_t *path = prf_large_reserve(walk->path, depth, &walk->room,
					   sizeof *walk->path);

	if (!path)
		return -ENOMEM;
	walk->path = path;
	int rc = prf_stack_table_enter(
		walk->stacks, depth ? path[depth - 1] : 0, end, &path[depth]);
	if (!rc && guessed)
		walk->stacks->nodes[path[depth]].guessed = 1;
	return rc;
}

/* The thread of the samples that come, if it was not added yet. */
static int
add_owner(struct walk *walk)
{
	const struct prf_binary *known = walk->stacks->profile->program;
	const struct prf_owner *owner = walk->owner;
	const char *path = owner ? owner->program : "";
	struct prf_stack_table_thread thread = {
		.pid = owner ? owner->pid : 0,
		.tid = owner ? owner->tid : 0,
	};
	uint32_t *number = &walk->numbers[owner ? owner->thread + 1 : 0];

	if (*number) {
		walk->thread = *number - 1;
		return 0;
	}
	if (owner)
		memcpy(thread.name, owner->name, sizeof thread.name);
	thread.program = strdup(
		*path   ? strrchr(path, '/') ? strrchr(path, '/') + 1 : path
		: known ? known->name
			: "");
	if (!thread.program)
		return -ENOMEM;
	int rc = prf_stack_table_add_thread(walk->stacks, &thread,
					    &walk->thread);
	if (rc)
		free(thread.program);
	else
		*number = walk->thread + 1;
	return rc;
}

static int
on_stack(void *arg, size_t n, const struct prf_count *count)
{
	struct walk *walk = arg;
	int rc = add_owner(walk);

	return rc ? rc
		  : prf_stack_table_add_sample(
			    walk->stacks,
			    &(const struct prf_stack_table_sample){
				    .count = *count,
				    .thread = walk->thread,
				    .node = n ? walk->path[n - 1] : 0,
			    });
}

static int
on_owner(void *arg, const struct prf_owner *owner)
{
	struct walk *walk = arg;

	walk->owner = owner;
	return 0;
}

static int
add_all(struct prf_stack_table *stacks)
{
	static const struct prf_stack_visit ops = {
		.frame = on_frame,
		.stack = on_stack,
		.owner = on_owner,
	};
	const struct prf_calls *calls = stacks->profile->calls;
	PRF_AUTO(prf_auto_free)
	uint32_t *numbers =
		calloc(1 + (calls ? calls->owners.n : 0), sizeof *numbers);
	struct walk walk = {.stacks = stacks, .numbers = numbers};
	int rc = numbers ? prf_stack_walk(stacks->profile, &ops, &walk)
			 : -ENOMEM;

	if (calls)
		memcpy(stacks->ended, calls->ended, sizeof stacks->ended);
	stacks->by_function = calls && calls->by_function;
	stacks->in_counters = !prf_calls_are_exact(calls);
	/* Formats want a thread, also for nothing. */
	if (!rc && !stacks->n_threads)
		rc = add_owner(&walk);
	free(walk.path);
	return rc;
}

int
prf_stack_table_of(const struct prf_profile *profile,
		   const struct prf_export_way *way,
		   struct prf_stack_table *stacks)
{
	int rc = prf_stack_table_init(stacks, profile);

	if (!rc)
		rc = add_all(stacks);
	if (!rc)
		rc = prf_stack_table_finish(stacks, way);
	if (rc)
		prf_stack_table_clear(stacks);
	return rc;
}

/* --- All nodes */

/* The first child and the next sibling of each node; 0: there is none. */
struct tree {
	uint32_t *child, *sibling;
	struct prf_count *below;
	uint32_t *depths; /* of each function in the path at hand */
};

static void
clear_tree(struct tree *tree)
{
	free(tree->child);
	free(tree->sibling);
	free(tree->below);
	free(tree->depths);
}

static int
plant(struct tree *tree, const struct prf_stack_table *stacks)
{
	size_t n = stacks->n_nodes;

	tree->child = prf_large_new(n, sizeof *tree->child);
	tree->sibling = prf_large_new(n, sizeof *tree->sibling);
	tree->below = prf_large_new(n, sizeof *tree->below);
	tree->depths = calloc(stacks->functions.n + 1, sizeof *tree->depths);
	if (!tree->child || !tree->sibling || !tree->below || !tree->depths)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++)
		prf_count_merge(&tree->below[stacks->samples[i].node],
				&stacks->samples[i].count);
	for (size_t i = n; i-- > 1;) {
		uint32_t parent = stacks->nodes[i].parent;

		prf_count_merge(&tree->below[parent], &tree->below[i]);
		tree->sibling[i] = tree->child[parent];
		tree->child[parent] = (uint32_t)i;
	}
	return 0;
}

int
prf_stack_table_each_node(const struct prf_stack_table *stacks,
			  int (*visit)(void *arg, uint32_t node,
				       const struct prf_count *below,
				       bool is_first),
			  void *arg)
{
	PRF_AUTO(clear_tree) struct tree tree = {0};
	int rc = plant(&tree, stacks);
	uint32_t at = rc ? 0 : tree.child[0];

	while (!rc && at) {
		rc = visit(arg, at, &tree.below[at],
			   !tree.depths[prf_stack_table_function_of(stacks,
								    at)]++);
		uint32_t next = tree.child[at];
		while (!next && at) {
			tree.depths[prf_stack_table_function_of(stacks, at)]--;
			next = tree.sibling[at];
			at = stacks->nodes[at].parent;
		}
		at = next;
	}
	return rc;
}

/* --- What is said of them */

const char *
prf_stack_table_binary_name(const struct prf_stack_table *stacks, size_t number)
{
	const struct prf_profile *profile = stacks->profile;
	const char *name = number < profile->n_binaries
				   ? profile->binaries[number]->name
				   : "[pruned]";

	return *name ? name : "[unknown]";
}

const char *
prf_stack_table_binary_path(const struct prf_stack_table *stacks, size_t number)
{
	const struct prf_profile *profile = stacks->profile;

	return number < profile->n_binaries && *profile->binaries[number]->path
		       ? profile->binaries[number]->path
		       : prf_stack_table_binary_name(stacks, number);
}

size_t
prf_stack_table_binary_of(const struct prf_stack_table *stacks, size_t function)
{
	const struct prf_binary *binary =
		stacks->functions.all[function].binary;

	return binary ? binary->number : stacks->profile->n_binaries;
}

const char *
prf_stack_table_path(const struct prf_stack_table *stacks, uint32_t number)
{
	return number ? stacks->paths.all[number - 1].text : NULL;
}

uint64_t
prf_stack_table_period_ns(const struct prf_stack_table *stacks)
{
	uint32_t rate_hz = stacks->profile->unit.rate_hz;

	return rate_hz ? (1000000000 + rate_hz / 2) / rate_hz : 0;
}

struct prf_stack_table_step
prf_stack_table_step(const struct prf_stack_table *stacks,
		     const struct prf_stack_table_sample *sample,
		     uint64_t period, uint64_t *at)
{
	struct prf_stack_table_step step = {
		.weight = sample->count.ticks * period,
	};

	/* What is shorter than a tick is none that was missed. */
	if (stacks->has_times &&
	    sample->time_ns > *at + step.weight + period / 2)
		step.gap = sample->time_ns - step.weight - *at;
	*at += step.gap + step.weight;
	return step;
}
