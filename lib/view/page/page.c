#include "view/page/page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "image/syscalls.h"
#include "view/page/page_json.h"
#include "view/page/page_samples.h"
#include "view/page/page_tree.h"

enum { VERSION = 2 };

struct page {
	const struct prf_stack_table *stacks;
	struct prf_page_tree tree;
	struct prf_page_samples samples;
	double doubt; /* of where ticks were */
	struct prf_json json;
};

static void
close_page(struct page *page)
{
	prf_page_tree_clear(&page->tree);
	prf_page_samples_clear(&page->samples);
}

/* --- Binaries: by their place in the profile; the last is that of what was
 * pruned. */

static const char *const kind_names[PRF_N_BINARY_KINDS] = {
	[PRF_BINARY_FILE] = "library",    [PRF_BINARY_VDSO] = "vdso",
	[PRF_BINARY_JIT] = "jit",         [PRF_BINARY_KERNEL] = "kernel",
	[PRF_BINARY_UNKNOWN] = "unknown",
};

static void
put_binaries(struct page *page)
{
	const struct prf_profile *profile = page->stacks->profile;

	prf_json_list(&page->json, "binaries");
	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		prf_page_put_binary(&page->json, binary->name, binary->path,
				    binary->is_program
					    ? "program"
					    : kind_names[binary->kind]);
	}
	prf_page_put_binary(&page->json, "", "", "unknown");
	prf_json_end(&page->json);
}

static void
put_files(struct page *page)
{
	const struct prf_named_counts *paths = &page->stacks->paths;

	prf_json_list(&page->json, "files");
	for (size_t i = 0; i < paths->n; i++)
		prf_json_text(&page->json, NULL, paths->all[i].text);
	prf_json_end(&page->json);
}

/* --- Functions */

/* What is behind the name and the binary. */
static void
put_counts(struct page *page, const struct prf_page_function *function)
{
	const struct prf_interval share = prf_interval_widen(
		prf_count_interval(&function->self, &page->tree.total),
		page->doubt);
	struct prf_json *json = &page->json;

	prf_json_number(json, NULL, function->self.ticks);
	prf_json_number(json, NULL, function->total.ticks);
	prf_page_put_share(json, share.lo);
	prf_page_put_share(json, share.hi);
}

static void
put_pruned(struct page *page, const struct prf_page_function *function)
{
	struct prf_json *json = &page->json;

	prf_json_list(json, NULL);
	prf_json_text(json, NULL, "[pruned]");
	prf_json_number(json, NULL, page->stacks->profile->n_binaries);
	put_counts(page, function);
	prf_json_end(json);
}

/* The whole name follows where it is another, then the source. */
static int
put_function(struct page *page, const struct prf_page_function *function)
{
	const struct prf_stack_table *stacks = page->stacks;
	struct prf_json *json = &page->json;

	if (function->number == PRF_PAGE_PRUNED) {
		put_pruned(page, function);
		return 0;
	}
	const char *name = stacks->names[function->number];
	const char *text = stacks->functions.all[function->number].name;
	uint32_t file = stacks->files[function->number];
	PRF_AUTO(prf_auto_free)
	char *whole = prf_demangle(*text ? text : "[unknown]");
	if (!whole)
		return -ENOMEM;
	bool is_short = strcmp(name, whole) != 0;
	prf_json_list(json, NULL);
	prf_json_text(json, NULL, name);
	prf_json_number(json, NULL,
			prf_stack_table_binary_of(stacks, function->number));
	put_counts(page, function);
	if (is_short || file)
		prf_json_text(json, NULL, is_short ? whole : "");
	if (file)
		prf_json_number(json, NULL, file);
	prf_json_end(json);
	return 0;
}

static int
put_functions(struct page *page)
{
	int rc = 0;

	prf_json_list(&page->json, "functions");
	for (size_t i = 0; !rc && i < page->tree.n_functions; i++)
		rc = put_function(page, &page->tree.functions[i]);
	prf_json_end(&page->json);
	return rc;
}

/* --- Nodes: a list for each of their members, since there are many of them. */

static void
put_lines(struct page *page)
{
	const struct prf_page_tree *tree = &page->tree;

	prf_json_list(&page->json, "line");
	for (size_t i = 0; page->stacks->paths.n && i < tree->n_nodes; i++)
		prf_json_number(&page->json, NULL, tree->nodes[i].line);
	prf_json_end(&page->json);
}

static void
put_nodes(struct page *page)
{
	const struct prf_page_node *nodes = page->tree.nodes;
	struct prf_json *json = &page->json;
	size_t n = page->tree.n_nodes;

	prf_json_object(json, "nodes");
	prf_json_list(json, "up");
	prf_json_number(json, NULL, 0);
	for (size_t i = 1; i < n; i++)
		prf_json_number(json, NULL, i - nodes[i].parent);
	prf_json_end(json);
	prf_json_list(json, "fn");
	prf_json_signed(json, NULL, -1);
	for (size_t i = 1; i < n; i++)
		prf_json_number(json, NULL, nodes[i].function);
	prf_json_end(json);
	prf_json_list(json, "self");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, nodes[i].self);
	prf_json_end(json);
	prf_json_list(json, "guessed");
	for (size_t i = 0; i < n; i++)
		if (nodes[i].guessed)
			prf_json_number(json, NULL, i);
	prf_json_end(json);
	put_lines(page);
	prf_json_end(json);
}

/* --- Whose they are, and when */

static void
put_owner(struct prf_json *json, const struct prf_page_owner *owner)
{
	prf_json_list(json, NULL);
	prf_json_number(json, NULL, owner->program);
	prf_json_signed(json, NULL, owner->pid);
	prf_json_signed(json, NULL, owner->tid);
	prf_json_text(json, NULL, owner->name);
	prf_json_number(json, NULL, owner->n_threads);
	prf_json_number(json, NULL, owner->begin);
	prf_json_number(json, NULL, owner->end);
	prf_json_end(json);
}

static void
put_owners(struct page *page)
{
	const struct prf_page_samples *samples = &page->samples;
	struct prf_json *json = &page->json;

	prf_json_list(json, "programs");
	for (size_t i = 0; i < samples->programs.n; i++)
		prf_json_text(json, NULL, samples->programs.all[i].text);
	prf_json_end(json);
	prf_json_list(json, "owners");
	for (size_t i = 0; i < samples->n_owners; i++)
		put_owner(json, &samples->owners[i]);
	prf_json_end(json);
}

/* How many of the N SUMS each owner has. */
static void
put_numbers(struct page *page, const struct prf_page_sum *sums, size_t n)
{
	size_t at = 0;

	prf_json_list(&page->json, "n");
	for (size_t owner = 0; owner < page->samples.n_owners; owner++) {
		size_t first = at;

		while (at < n && sums[at].owner == owner)
			at++;
		prf_json_number(&page->json, NULL, at - first);
	}
	prf_json_end(&page->json);
}

static void
put_ticks(struct prf_json *json, const struct prf_page_sum *sums, size_t n)
{
	prf_json_list(json, "ticks");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, sums[i].ticks);
	prf_json_end(json);
}

/* Nodes are distances from the one before. */
static void
put_sums(struct page *page)
{
	const struct prf_page_sum *sums = page->samples.sums;
	struct prf_json *json = &page->json;
	size_t n = page->samples.n_sums;

	if (!n)
		return;
	prf_json_object(json, "sums");
	put_numbers(page, sums, n);
	prf_json_list(json, "node");
	for (size_t i = 0; i < n; i++) {
		bool is_first = !i || sums[i - 1].owner != sums[i].owner;

		prf_json_number(json, NULL,
				sums[i].node -
					(is_first ? 0 : sums[i - 1].node));
	}
	prf_json_end(json);
	put_ticks(json, sums, n);
	prf_json_end(json);
}

/* Times are distances from the one before, nodes are themselves. */
static void
put_times(struct page *page)
{
	const struct prf_page_samples *samples = &page->samples;
	const struct prf_page_sum *times = samples->times;
	struct prf_json *json = &page->json;
	size_t n = samples->n_times;

	if (!n)
		return;
	prf_json_object(json, "times");
	prf_json_number(json, "unit_ns", samples->unit_ns);
	prf_json_number(json, "units", samples->n_units);
	prf_json_number(json, "in_one", samples->n_in_one);
	prf_json_number(json, "skipped_ns", page->stacks->skipped_ns);
	put_numbers(page, times, n);
	prf_json_list(json, "at");
	for (size_t i = 0; i < n; i++) {
		bool is_first = !i || times[i - 1].owner != times[i].owner;

		prf_json_number(json, NULL,
				times[i].at - (is_first ? 0 : times[i - 1].at));
	}
	prf_json_end(json);
	prf_json_list(json, "node");
	for (size_t i = 0; i < n; i++)
		prf_json_number(json, NULL, times[i].node);
	prf_json_end(json);
	put_ticks(json, times, n);
	prf_json_end(json);
}

/* --- All of it */

static bool
has_stacks(const struct prf_stack_table *stacks)
{
	for (int end = PRF_STACK_NONE + 1; end < PRF_N_STACK_ENDS; end++)
		if (stacks->ended[end])
			return true;
	return false;
}

/* The kernel switches to a thread, and ends it, by no call of the program: as the
 * tables have it (table/stack_ends.h) these ticks have no stack to be whole. */
static uint64_t
uncalled_ticks(const struct page *page)
{
	const struct prf_stack_table *stacks = page->stacks;
	uint64_t ticks = 0;

	for (size_t i = 0; i < page->tree.n_functions; i++) {
		const struct prf_page_function *function =
			&page->tree.functions[i];
		if (function->number == PRF_PAGE_PRUNED)
			continue;
		const struct prf_call_function *its =
			&stacks->functions.all[function->number];
		if (its->binary && its->binary->kind == PRF_BINARY_KERNEL &&
		    (!strcmp(its->name, prf_syscall_name(0, PRF_SWITCHING)) ||
		     !strcmp(its->name, prf_syscall_name(0, PRF_ENDING))))
			ticks += function->self.ticks;
	}
	return ticks;
}

/* What stands below the title; NULL: out of memory. */
static char *
subtitle_of(const struct page *page)
{
	const struct prf_stack_table *stacks = page->stacks;
	uint32_t rate_hz = stacks->profile->unit.rate_hz;
	uint64_t ticks = page->tree.total.ticks;
	uint64_t uncalled = uncalled_ticks(page);
	uint64_t none = stacks->ended[PRF_STACK_NONE];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%" PRIu64 " ticks", ticks);
	if (rate_hz > 0)
		fprintf(out, " at %u Hz: %.2f s", (unsigned)rate_hz,
			(double)ticks / rate_hz);
	if (ticks > 0 && has_stacks(stacks))
		fprintf(out, "; %.1f %% of the stacks are complete",
			100 * (double)stacks->ended[PRF_STACK_COMPLETE] /
				(double)(ticks -
					 (uncalled <= none ? uncalled : 0)));
	else if (ticks > 0)
		fputs("; it was recorded without stacks (profrun -g)", out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int
put_profile(struct page *page, const struct prf_export_way *way)
{
	const struct prf_profile *profile = page->stacks->profile;
	double samples = prf_count_samples(&page->tree.total);
	double weight =
		samples > 0 ? (double)page->tree.total.ticks / samples : 1;
	struct prf_json *json = &page->json;
	PRF_AUTO(prf_auto_free) char *subtitle = subtitle_of(page);

	if (!subtitle)
		return -ENOMEM;
	prf_json_object(json, NULL);
	prf_json_number(json, "version", VERSION);
	prf_json_text(json, "title",
		      way->command       ? way->command
		      : profile->program ? profile->program->name
					 : "profrun");
	prf_json_text(json, "subtitle", subtitle);
	prf_json_text(json, "unit", "ticks");
	prf_json_number(json, "rate", profile->unit.rate_hz);
	prf_json_real(json, "weight", weight, 5);
	prf_json_real(json, "doubt", page->doubt, 5);
	prf_json_bool(json, "wall", prf_export_is_wall(way));
	put_binaries(page);
	put_files(page);
	int rc = put_functions(page);
	put_nodes(page);
	put_owners(page);
	put_sums(page);
	put_times(page);
	prf_json_end(json);
	return rc;
}

int
prf_page_write_stacks(const struct prf_stack_table *stacks,
		      const struct prf_export_way *way, FILE *out,
		      struct prf_error *err)
{
	PRF_AUTO(close_page)
	struct page page = {
		.stacks = stacks,
		.doubt = way->doubt,
		.json.out = out,
	};
	int rc = prf_page_tree_of(stacks, PRF_PAGE_NODES_MAX, &page.tree);

	if (!rc)
		rc = prf_page_samples_of(stacks, &page.tree, &page.samples);
	if (!rc) {
		prf_page_put_begin(out);
		rc = put_profile(&page, way);
		prf_page_put_end(out);
	}
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

int
prf_page_write(const struct prf_profile *profile,
	       const struct prf_export_way *way, FILE *out,
	       struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};
	int rc = prf_stack_table_of(profile, way, &stacks);

	return rc ? prf_error_set(err, rc, "out of memory")
		  : prf_page_write_stacks(&stacks, way, out, err);
}
