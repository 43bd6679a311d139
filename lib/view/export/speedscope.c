#include "view/export/speedscope.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/large.h"
#include "view/export/json.h"
#include "view/export/stack_table.h"

struct writing {
	const struct prf_stack_table *stacks;
	const struct prf_export_way *way;
	struct prf_json json;
	uint64_t period_ns; /* 0: not known */
	uint32_t *ranks;    /* of the functions: their numbers in the file */
	uint32_t *order;    /* the reverse */
	uint32_t *path;     /* a stack; its room ends there */
	size_t room;
};

static void
clear(struct writing *writing)
{
	free(writing->ranks);
	free(writing->order);
	free(writing->path);
}

/* --- Frames: functions, those that come up most often first, for their numbers
 * are short. */

struct ranked {
	uint64_t n;
	uint32_t function;
};

static int
descending(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;
	int rc = (left->n < right->n) - (left->n > right->n);

	return rc ? rc
		  : (left->function > right->function) -
			       (left->function < right->function);
}

/* RANKED: how often each function is in a stack. */
static int
count_functions(const struct prf_stack_table *stacks, struct ranked *ranked)
{
	PRF_AUTO(prf_auto_free)
	uint64_t *below = prf_large_new(stacks->n_nodes, sizeof *below);

	if (!below)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++)
		below[stacks->samples[i].node]++;
	for (uint32_t i = 0; i < stacks->functions.n; i++)
		ranked[i].function = i;
	for (size_t i = stacks->n_nodes; i-- > 1;) {
		const struct prf_stack_table_node *node = &stacks->nodes[i];

		below[node->parent] += below[i];
		ranked[stacks->frames[node->frame].function].n += below[i];
	}
	return 0;
}

static int
rank_functions(struct writing *writing)
{
	size_t n = writing->stacks->functions.n;
	PRF_AUTO(prf_auto_free)
	struct ranked *ranked = calloc(n + 1, sizeof *ranked);

	writing->ranks = calloc(n + 1, sizeof *writing->ranks);
	writing->order = calloc(n + 1, sizeof *writing->order);
	if (!ranked || !writing->ranks || !writing->order ||
	    count_functions(writing->stacks, ranked))
		return -ENOMEM;
	qsort(ranked, n, sizeof *ranked, descending);
	for (uint32_t i = 0; i < n; i++) {
		writing->ranks[ranked[i].function] = i;
		writing->order[i] = ranked[i].function;
	}
	return 0;
}

static void
put_frames(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	struct prf_json *json = &writing->json;

	prf_json_object(json, "shared");
	prf_json_list(json, "frames");
	for (size_t i = 0; i < stacks->functions.n; i++) {
		uint32_t function = writing->order[i];
		const char *path =
			prf_stack_table_path(stacks, stacks->files[function]);
		size_t binary = prf_stack_table_binary_of(stacks, function);

		prf_json_object(json, NULL);
		prf_json_text(json, "name", stacks->names[function]);
		prf_json_text(
			json, "file",
			path ? path
			     : prf_stack_table_binary_path(stacks, binary));
		prf_json_end(json);
	}
	prf_json_end(json);
	prf_json_end(json);
}

/* --- Samples */

/* The end of the path is filled with the stack of NODE, the outermost frame
 * first.  *N: how many there are.  -ENOMEM. */
static int
fill_path(struct writing *writing, uint32_t node, size_t *n)
{
	const struct prf_stack_table *stacks = writing->stacks;

	*n = 0;
	for (; node; node = stacks->nodes[node].parent) {
		if (*n == writing->room) {
			size_t room = 2 * writing->room + 64;
			uint32_t *grown = calloc(room, sizeof *grown);

			if (!grown)
				return -ENOMEM;
			if (*n)
				memcpy(grown + room - *n, writing->path,
				       *n * sizeof *grown);
			free(writing->path);
			writing->path = grown;
			writing->room = room;
		}
		++*n;
		writing->path[writing->room - *n] =
			writing->ranks[stacks->frames[stacks->nodes[node].frame]
					       .function];
	}
	return 0;
}

/* Where ticks have no length they are what is counted. */
static struct prf_stack_table_step
step_to(const struct writing *writing,
	const struct prf_stack_table_sample *sample, uint64_t *at)
{
	return prf_stack_table_step(writing->stacks, sample,
				    writing->period_ns ? writing->period_ns : 1,
				    at);
}

static int
put_samples(struct writing *writing,
	    const struct prf_stack_table_sample *samples, size_t n_samples)
{
	struct prf_json *json = &writing->json;
	uint64_t at = writing->stacks->begin_ns;
	int rc = 0;

	prf_json_list(json, "samples");
	for (size_t i = 0; !rc && i < n_samples; i++) {
		size_t n;

		if (step_to(writing, &samples[i], &at).gap)
			prf_json_numbers(json, NULL, NULL, 0);
		rc = fill_path(writing, samples[i].node, &n);
		if (!rc)
			prf_json_numbers(json, NULL,
					 n ? writing->path + writing->room - n
					   : NULL,
					 n);
	}
	prf_json_end(json);
	return rc;
}

/* Returns where the last sample ends. */
static uint64_t
put_weights(struct writing *writing,
	    const struct prf_stack_table_sample *samples, size_t n_samples)
{
	uint64_t begin_ns = writing->stacks->begin_ns, at = begin_ns;

	prf_json_list(&writing->json, "weights");
	for (size_t i = 0; i < n_samples; i++) {
		const struct prf_stack_table_step step =
			step_to(writing, &samples[i], &at);

		if (step.gap)
			prf_json_number(&writing->json, NULL, step.gap);
		prf_json_number(&writing->json, NULL, step.weight);
	}
	prf_json_end(&writing->json);
	return at - begin_ns;
}

static int
put_profile(struct writing *writing, const char *name,
	    const struct prf_stack_table_sample *samples, size_t n)
{
	struct prf_json *json = &writing->json;

	prf_json_object(json, NULL);
	prf_json_text(json, "type", "sampled");
	prf_json_text(json, "name", name);
	prf_json_text(json, "unit",
		      writing->period_ns ? "nanoseconds" : "none");
	uint64_t skipped_ns = writing->stacks->skipped_ns;
	prf_json_number(json, "startValue", skipped_ns);
	int rc = put_samples(writing, samples, n);
	prf_json_number(json, "endValue",
			skipped_ns + put_weights(writing, samples, n));
	prf_json_end(json);
	return rc;
}

/* --- Profiles */

/* "PROGRAM (PID), thread TID NAME". */
static char *
thread_name(const struct prf_stack_table_thread *thread)
{
	const char *program = *thread->program ? thread->program : "[unknown]";
	char *name;
	int n = !thread->tid
			? asprintf(&name, "%s", program)
			: asprintf(&name, "%s (%d), thread %d%s%s", program,
				   (int)thread->pid, (int)thread->tid,
				   *thread->name ? " " : "", thread->name);

	return n < 0 ? NULL : name;
}

static int
put_thread(struct writing *writing, const struct prf_stack_table_thread *thread)
{
	PRF_AUTO(prf_auto_free) char *name = thread_name(thread);

	return name ? put_profile(
			      writing, name,
			      prf_stack_table_samples(writing->stacks, thread),
			      thread->n_samples)
		    : -ENOMEM;
}

/* Each stack once, with the ticks that all threads have in it. */
static int
put_all_threads(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	PRF_AUTO(prf_auto_free)
	struct prf_stack_table_sample *sums =
		prf_large_new(stacks->n_nodes, sizeof *sums);
	size_t n = 0;

	if (!sums)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++)
		prf_count_merge(&sums[stacks->samples[i].node].count,
				&stacks->samples[i].count);
	for (uint32_t i = 0; i < stacks->n_nodes; i++) {
		struct prf_stack_table_sample sum = sums[i];

		sum.node = i;
		if (sum.count.ticks)
			sums[n++] = sum;
	}
	return put_profile(writing, "all threads", sums, n);
}

/* Are there several to be put together?  In time they are beside each other. */
static bool
has_all_threads(const struct prf_stack_table *stacks)
{
	size_t n = 0;

	for (size_t i = 0; i < stacks->n_threads; i++)
		n += stacks->threads[i].n_samples > 0;
	return !stacks->has_times && n > 1;
}

static int
put_profiles(struct writing *writing)
{
	const struct prf_stack_table *stacks = writing->stacks;
	int rc = 0;

	prf_json_list(&writing->json, "profiles");
	if (has_all_threads(stacks))
		rc = put_all_threads(writing);
	for (size_t i = 0; !rc && i < stacks->n_threads; i++)
		if (prf_stack_table_shows_thread(stacks, i))
			rc = put_thread(writing, &stacks->threads[i]);
	prf_json_end(&writing->json);
	return rc;
}

/* --- All of it */

static int
put_all(struct writing *writing)
{
	const struct prf_binary *program = writing->stacks->profile->program;
	struct prf_json *json = &writing->json;
	int rc = rank_functions(writing);

	if (rc)
		return rc;
	prf_json_object(json, NULL);
	prf_json_text(json, "$schema",
		      "https://www.speedscope.app/file-format-schema.json");
	prf_json_text(json, "exporter", PACKAGE_STRING);
	prf_json_text(json, "name",
		      writing->way->command ? writing->way->command
		      : program             ? program->name
					    : "profrun");
	prf_json_number(json, "activeProfileIndex", 0);
	put_frames(writing);
	rc = put_profiles(writing);
	prf_json_end(json);
	return rc;
}

int
prf_speedscope_write_stacks(const struct prf_stack_table *stacks,
			    const struct prf_export_way *way, FILE *out,
			    struct prf_error *err)
{
	PRF_AUTO(clear)
	struct writing writing = {
		.stacks = stacks,
		.way = way,
		.json.out = out,
		.period_ns = prf_stack_table_period_ns(stacks),
	};
	int rc = put_all(&writing);

	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

int
prf_speedscope_write(const struct prf_profile *profile,
		     const struct prf_export_way *way, FILE *out,
		     struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};
	int rc = prf_stack_table_of(profile, way, &stacks);

	return rc ? prf_error_set(err, rc, "out of memory")
		  : prf_speedscope_write_stacks(&stacks, way, out, err);
}
