#include "view/export/profile_json.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/export/json.h"
#include "view/export/stack_table.h"

struct writing {
	const struct prf_profile *profile;
	const struct prf_export_way *way;
	struct prf_stack_table stacks;
	struct prf_json json;
	struct prf_count *self, *total; /* of functions */
	uint64_t *node_ticks;           /* of samples that end there */
};

static void
clear(struct writing *writing)
{
	prf_stack_table_clear(&writing->stacks);
	free(writing->self);
	free(writing->total);
	free(writing->node_ticks);
}

/* --- Counts */

static int
sum_node(void *arg, uint32_t node, const struct prf_count *below, bool is_first)
{
	const struct writing *writing = arg;

	if (is_first)
		prf_count_merge(&writing->total[prf_stack_table_function_of(
					&writing->stacks, node)],
				below);
	return 0;
}

static int
sum_up(struct writing *writing)
{
	const struct prf_stack_table *stacks = &writing->stacks;
	size_t n = stacks->functions.n;

	writing->self = calloc(n + 1, sizeof *writing->self);
	writing->total = calloc(n + 1, sizeof *writing->total);
	writing->node_ticks =
		calloc(stacks->n_nodes, sizeof *writing->node_ticks);
	if (!writing->self || !writing->total || !writing->node_ticks)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n_samples; i++) {
		const struct prf_stack_table_sample *sample =
			&stacks->samples[i];

		writing->node_ticks[sample->node] += sample->count.ticks;
		if (sample->node)
			prf_count_merge(
				&writing->self[prf_stack_table_function_of(
					stacks, sample->node)],
				&sample->count);
	}
	return prf_stack_table_each_node(stacks, sum_node, writing);
}

/* A share is told with five digits. */
static void
put_share(struct prf_json *json, const char *name, double share)
{
	prf_json_decimal(json, name, (uint64_t)(share * 100000 + 0.5), 5);
}

/* DOUBT: of where the ticks were. */
static void
put_doubtful(struct writing *writing, const char *name,
	     const struct prf_count *count, double doubt)
{
	const struct prf_interval share = prf_interval_widen(
		prf_count_interval(count, &writing->profile->total), doubt);

	prf_json_object(&writing->json, name);
	prf_json_number(&writing->json, "ticks", count->ticks);
	put_share(&writing->json, "low", share.lo);
	put_share(&writing->json, "high", share.hi);
	prf_json_end(&writing->json);
}

/* Of code.  (Of whom a tick was is certain.) */
static void
put_code_count(struct writing *writing, const char *name,
	       const struct prf_count *count)
{
	put_doubtful(writing, name, count, writing->way->doubt);
}

static void
put_count(struct writing *writing, const char *name,
	  const struct prf_count *count)
{
	put_doubtful(writing, name, count, 0);
}

/* --- The run */

static void
put_number_or_null(struct prf_json *json, const char *name, uint64_t number)
{
	if (number)
		prf_json_number(json, name, number);
	else
		prf_json_null(json, name);
}

static void
put_stacks(struct writing *writing)
{
	static const char *const ends[PRF_N_STACK_ENDS] = {
		[PRF_STACK_NONE] = "none",
		[PRF_STACK_COMPLETE] = "complete",
		[PRF_STACK_NO_CFI] = "no_cfi",
		[PRF_STACK_MEMORY] = "memory",
		[PRF_STACK_LIMIT] = "limit",
		[PRF_STACK_LOOP] = "loop",
	};
	const struct prf_calls *calls = writing->profile->calls;
	struct prf_json *json = &writing->json;

	prf_json_object(json, "stacks");
	for (int end = 0; end < PRF_N_STACK_ENDS; end++)
		prf_json_number(json, ends[end],
				calls ? calls->ended[end]
				: end ? 0
				      : writing->profile->total.ticks);
	prf_json_end(json);
	prf_json_number(json, "guessed_ticks",
			calls ? calls->guessed_ticks : 0);
	prf_json_number(json, "pruned_ticks", calls ? calls->pruned_ticks : 0);
}

static void
put_run(struct writing *writing)
{
	const struct prf_profile *profile = writing->profile;
	const struct prf_export_way *way = writing->way;
	struct prf_json *json = &writing->json;

	prf_json_object(json, "run");
	prf_json_text(json, "command", way->command);
	prf_json_text(json, "program",
		      profile->program ? profile->program->path : NULL);
	prf_json_text(json, "clock", way->clock);
	put_number_or_null(json, "rate_hz", profile->unit.rate_hz);
	put_number_or_null(json, "begin_ns", way->begin_ns);
	put_number_or_null(json, "duration_ns", way->duration_ns);
	prf_json_number(json, "ticks", profile->total.ticks);
	prf_json_decimal(
		json, "samples",
		(uint64_t)(prf_count_samples(&profile->total) * 10 + 0.5), 1);
	prf_json_number(json, "lost_ticks", way->lost_ticks);
	prf_json_real(json, "in_step_percent", 100 * way->doubt, 2);
	put_stacks(writing);
	prf_json_end(json);
}

/* --- Binaries and functions */

static const char *const kind_names[PRF_N_BINARY_KINDS] = {
	[PRF_BINARY_FILE] = "file",       [PRF_BINARY_VDSO] = "vdso",
	[PRF_BINARY_JIT] = "jit",         [PRF_BINARY_KERNEL] = "kernel",
	[PRF_BINARY_UNKNOWN] = "unknown",
};

static void
put_build_id(struct prf_json *json, const struct prf_binary *binary)
{
	char digits[2 * PRF_BUILD_ID_MAX + 1];

	for (size_t i = 0; i < binary->build_id_bytes; i++)
		sprintf(digits + 2 * i, "%02x", binary->build_id[i]);
	prf_json_text(json, "build_id", binary->build_id_bytes ? digits : NULL);
}

static void
put_binaries(struct writing *writing)
{
	const struct prf_profile *profile = writing->profile;
	struct prf_json *json = &writing->json;

	prf_json_list(json, "binaries");
	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		prf_json_object(json, NULL);
		prf_json_text(json, "name",
			      prf_stack_table_binary_name(&writing->stacks, i));
		prf_json_text(json, "path",
			      *binary->path ? binary->path : NULL);
		prf_json_text(json, "kind", kind_names[binary->kind]);
		put_build_id(json, binary);
		prf_json_bool(json, "is_program", binary->is_program);
		put_code_count(writing, "self", &binary->total);
		prf_json_end(json);
	}
	prf_json_end(json);
}

static void
put_function(struct writing *writing, size_t number)
{
	const struct prf_stack_table *stacks = &writing->stacks;
	const struct prf_call_function *function =
		&stacks->functions.all[number];
	struct prf_json *json = &writing->json;

	prf_json_object(json, NULL);
	prf_json_text(json, "name", stacks->names[number]);
	prf_json_text(json, "symbol", function->name);
	if (function->binary)
		prf_json_number(json, "binary", function->binary->number);
	else
		prf_json_null(json, "binary");
	prf_json_text(json, "file",
		      prf_stack_table_path(stacks, stacks->files[number]));
	put_code_count(writing, "self", &writing->self[number]);
	put_code_count(writing, "total", &writing->total[number]);
	prf_json_end(json);
}

static void
put_functions(struct writing *writing)
{
	prf_json_list(&writing->json, "functions");
	for (size_t i = 0; i < writing->stacks.functions.n; i++)
		put_function(writing, i);
	prf_json_end(&writing->json);
}

/* --- The tree: a list for each member of its nodes, since there are many */

static void
put_tree(struct writing *writing)
{
	const struct prf_stack_table *stacks = &writing->stacks;
	struct prf_json *json = &writing->json;

	prf_json_object(json, "tree");
	prf_json_list(json, "parent");
	prf_json_null(json, NULL);
	for (size_t i = 1; i < stacks->n_nodes; i++)
		prf_json_number(json, NULL, stacks->nodes[i].parent);
	prf_json_end(json);
	prf_json_list(json, "function");
	prf_json_null(json, NULL);
	for (uint32_t i = 1; i < stacks->n_nodes; i++)
		prf_json_number(json, NULL,
				prf_stack_table_function_of(stacks, i));
	prf_json_end(json);
	prf_json_list(json, "line");
	prf_json_null(json, NULL);
	for (size_t i = 1; i < stacks->n_nodes; i++)
		put_number_or_null(
			json, NULL,
			prf_stack_table_line(
				stacks,
				&stacks->frames[stacks->nodes[i].frame]));
	prf_json_end(json);
	prf_json_list(json, "ticks");
	for (size_t i = 0; i < stacks->n_nodes; i++)
		prf_json_number(json, NULL, writing->node_ticks[i]);
	prf_json_end(json);
	prf_json_end(json);
}

/* --- Who ran */

static void
put_programs(struct writing *writing)
{
	const struct prf_programs *programs = &writing->profile->programs;
	struct prf_json *json = &writing->json;

	prf_json_list(json, "programs");
	for (size_t i = 0; i < programs->n; i++) {
		const struct prf_program_row *row = &programs->rows[i];

		prf_json_object(json, NULL);
		prf_json_text(json, "path", *row->path ? row->path : NULL);
		prf_json_number(json, "processes", row->n_processes);
		put_count(writing, "self", &row->count);
		prf_json_end(json);
	}
	prf_json_end(json);
}

/* Each process, once for each program that it ran; a parent comes before its
 * children. */
static void
put_processes(struct writing *writing)
{
	const struct prf_tree *tree = &writing->profile->tree;
	const struct prf_branch *branch = NULL;
	struct prf_json *json = &writing->json;

	prf_json_list(json, "processes");
	while ((branch = prf_tree_next(tree, branch))) {
		const struct prf_branch *parent = branch->parent;
		bool has_parent = parent && parent != &tree->root;

		prf_json_object(json, NULL);
		prf_json_signed(json, "pid", branch->pid);
		if (has_parent)
			prf_json_signed(json, "parent_pid", parent->pid);
		else
			prf_json_null(json, "parent_pid");
		prf_json_text(json, "path", branch->program->path);
		prf_json_text(json, "command", branch->program->command);
		put_count(writing, "self", &branch->count);
		prf_json_number(json, "folded_processes", branch->n_folded);
		prf_json_number(json, "folded_ticks", branch->folded.ticks);
		prf_json_end(json);
	}
	prf_json_end(json);
}

static void
put_threads(struct writing *writing)
{
	const struct prf_thread_rows *threads = &writing->profile->threads;
	struct prf_json *json = &writing->json;

	prf_json_list(json, "threads");
	for (size_t i = 0; i < threads->n; i++) {
		const struct prf_thread_row *row = &threads->rows[i];

		prf_json_object(json, NULL);
		prf_json_signed(json, "pid", row->pid);
		prf_json_signed(json, "tid", row->tid);
		prf_json_text(json, "name", *row->name ? row->name : NULL);
		put_count(writing, "self", &row->count);
		prf_json_end(json);
	}
	prf_json_end(json);
}

/* --- All of it */

static int
put_all(struct writing *writing)
{
	struct prf_json *json = &writing->json;
	int rc = prf_stack_table_of(writing->profile, writing->way,
				    &writing->stacks);

	if (!rc)
		rc = sum_up(writing);
	if (rc)
		return rc;
	prf_json_object(json, NULL);
	prf_json_text(json, "format", "profrun-profile");
	prf_json_number(json, "version", 1);
	prf_json_text(json, "writer", PACKAGE_STRING);
	put_run(writing);
	put_binaries(writing);
	put_functions(writing);
	put_tree(writing);
	put_programs(writing);
	put_processes(writing);
	put_threads(writing);
	prf_json_end(json);
	return 0;
}

int
prf_profile_json_write(const struct prf_profile *profile,
		       const struct prf_export_way *way, FILE *out,
		       struct prf_error *err)
{
	PRF_AUTO(clear)
	struct writing writing = {
		.profile = profile, .way = way, .json.out = out};
	int rc = put_all(&writing);

	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}
