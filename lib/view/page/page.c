#include "view/page/page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "profile/call_graph.h"
#include "view/export/json.h"
#include "view/page/page_text.h"
#include "view/table/short_name.h"

struct page {
	const struct prf_profile *profile;
	struct prf_call_graph graph;
	struct prf_json json;
};

static void
close_page(struct page *page)
{
	prf_call_graph_clear(&page->graph);
}

static void
put_lines(const char *const *lines, FILE *out)
{
	for (; *lines; lines++)
		fputs(*lines, out);
}

/* --- Binaries: by their place in the profile; the last is that of what was
 * pruned. */

static const char *const kind_names[PRF_N_BINARY_KINDS] = {
	[PRF_BINARY_FILE] = "library",    [PRF_BINARY_VDSO] = "vdso",
	[PRF_BINARY_JIT] = "jit",         [PRF_BINARY_KERNEL] = "kernel",
	[PRF_BINARY_UNKNOWN] = "unknown",
};

static void
put_binary(struct page *page, const char *name, const char *path,
	   const char *kind)
{
	prf_json_list(&page->json, NULL);
	prf_json_text(&page->json, NULL, name);
	prf_json_text(&page->json, NULL, path);
	prf_json_text(&page->json, NULL, kind);
	prf_json_end(&page->json);
}

static void
put_binaries(struct page *page)
{
	const struct prf_profile *profile = page->profile;

	prf_json_list(&page->json, "binaries");
	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		put_binary(page, binary->name, binary->path,
			   binary->is_program ? "program"
					      : kind_names[binary->kind]);
	}
	put_binary(page, "", "", "unknown");
	prf_json_end(&page->json);
}

static size_t
number_of(const struct page *page, const struct prf_binary *binary)
{
	size_t i = 0;

	while (i < page->profile->n_binaries &&
	       page->profile->binaries[i] != binary)
		i++;
	return i;
}

/* --- Functions */

/* A share is told with five digits. */
static void
put_share(struct prf_json *json, double share)
{
	prf_json_decimal(json, NULL, (uint64_t)(share * 100000 + 0.5), 5);
}

static int
put_function(struct page *page, const struct prf_export_way *way,
	     const struct prf_call_function *function)
{
	const struct prf_interval share =
		prf_count_interval(&function->self, &page->profile->total);
	const char *text = *function->name ? function->name : "[unknown]";
	struct prf_json *json = &page->json;
	PRF_AUTO(prf_auto_free) char *whole = prf_demangle(text);
	PRF_AUTO(prf_auto_free)
	char *name = !whole            ? NULL
		     : way->full_names ? strdup(whole)
				       : prf_short_name(whole);

	if (!name)
		return -ENOMEM;
	prf_json_list(json, NULL);
	prf_json_text(json, NULL, name);
	prf_json_number(json, NULL, number_of(page, function->binary));
	prf_json_number(json, NULL, function->self.ticks);
	prf_json_number(json, NULL, function->total.ticks);
	put_share(json, share.lo);
	put_share(json, share.hi);
	if (strcmp(name, whole) != 0)
		prf_json_text(json, NULL, whole);
	prf_json_end(json);
	return 0;
}

static int
put_functions(struct page *page, const struct prf_export_way *way)
{
	int rc = 0;

	prf_json_list(&page->json, "functions");
	for (size_t i = 0; !rc && i < page->graph.n_functions; i++)
		rc = put_function(page, way, &page->graph.functions[i]);
	prf_json_end(&page->json);
	return rc;
}

/* --- Nodes: a list for each of their members, since there are many of them. */

static void
put_nodes(struct page *page)
{
	const struct prf_call_node *nodes = page->graph.nodes;
	struct prf_json *json = &page->json;
	size_t n = page->graph.n_nodes;

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
		prf_json_number(json, NULL, nodes[i].self.ticks);
	prf_json_end(json);
	prf_json_list(json, "guessed");
	for (size_t i = 0; i < n; i++)
		if (nodes[i].guessed)
			prf_json_number(json, NULL, i);
	prf_json_end(json);
	prf_json_end(json);
}

/* --- All of it */

/* What stands below the title; NULL: out of memory. */
static char *
subtitle_of(const struct prf_profile *profile)
{
	const struct prf_calls *calls = profile->calls;
	uint64_t ticks = profile->total.ticks;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%" PRIu64 " ticks", ticks);
	if (profile->unit.rate_hz > 0)
		fprintf(out, " at %u Hz: %.2f s",
			(unsigned)profile->unit.rate_hz,
			(double)ticks / profile->unit.rate_hz);
	if (ticks > 0 && prf_calls_has_stacks(calls))
		fprintf(out, "; %.1f %% of the stacks are complete",
			100 * (double)calls->ended[PRF_STACK_COMPLETE] /
				(double)ticks);
	else
		fputs("; it was recorded without stacks (profrun -g)", out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int
put_profile(struct page *page, const struct prf_export_way *way)
{
	const struct prf_profile *profile = page->profile;
	double samples = prf_count_samples(&profile->total);
	double weight =
		samples > 0 ? (double)profile->total.ticks / samples : 1;
	struct prf_json *json = &page->json;
	PRF_AUTO(prf_auto_free) char *subtitle = subtitle_of(profile);

	if (!subtitle)
		return -ENOMEM;
	prf_json_object(json, NULL);
	prf_json_number(json, "version", 1);
	prf_json_text(json, "title",
		      way->command       ? way->command
		      : profile->program ? profile->program->name
					 : "profrun");
	prf_json_text(json, "subtitle", subtitle);
	prf_json_text(json, "unit", "ticks");
	prf_json_number(json, "rate", profile->unit.rate_hz);
	prf_json_decimal(json, "weight", (uint64_t)(weight * 100000 + 0.5), 5);
	put_binaries(page);
	int rc = put_functions(page, way);
	put_nodes(page);
	prf_json_end(json);
	return rc;
}

int
prf_page_write(const struct prf_profile *profile,
	       const struct prf_export_way *way, FILE *out,
	       struct prf_error *err)
{
	PRF_AUTO(close_page)
	struct page page = {.profile = profile, .json.out = out};
	int rc = prf_call_graph_of(profile, &page.graph);

	if (!rc) {
		put_lines(prf_page_before, out);
		rc = put_profile(&page, way);
		put_lines(prf_page_behind, out);
	}
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}
