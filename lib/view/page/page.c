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
	FILE *out;
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

/* "," before all but the first of a list. */
static void
put_comma(FILE *out, size_t i)
{
	if (i > 0)
		fputs(i % 16 ? "," : ",\n", out);
}

static void
put_member(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\":", name);
	prf_json_string(text, out);
	fputs(",\n", out);
}

/* --- Binaries: by their place in the profile; the last is that of what was
 * pruned. */

static const char *const kind_names[PRF_N_BINARY_KINDS] = {
	[PRF_BINARY_FILE] = "library",    [PRF_BINARY_VDSO] = "vdso",
	[PRF_BINARY_JIT] = "jit",         [PRF_BINARY_KERNEL] = "kernel",
	[PRF_BINARY_UNKNOWN] = "unknown",
};

static void
put_binary(const struct page *page, const struct prf_binary *binary)
{
	putc('[', page->out);
	prf_json_string(binary->name, page->out);
	putc(',', page->out);
	prf_json_string(binary->path, page->out);
	putc(',', page->out);
	prf_json_string(binary->is_program ? "program"
					   : kind_names[binary->kind],
			page->out);
	putc(']', page->out);
}

static void
put_binaries(const struct page *page)
{
	const struct prf_profile *profile = page->profile;

	fputs("\"binaries\":[", page->out);
	for (size_t i = 0; i < profile->n_binaries; i++) {
		put_comma(page->out, i);
		put_binary(page, profile->binaries[i]);
	}
	put_comma(page->out, profile->n_binaries);
	fputs("[\"\",\"\",\"unknown\"]],\n", page->out);
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

static int
put_function(const struct page *page, const struct prf_export_way *way,
	     const struct prf_call_function *function)
{
	const struct prf_interval share =
		prf_count_interval(&function->self, &page->profile->total);
	const char *text = *function->name ? function->name : "[unknown]";
	PRF_AUTO(prf_auto_free) char *whole = prf_demangle(text);
	PRF_AUTO(prf_auto_free)
	char *name = !whole            ? NULL
		     : way->full_names ? strdup(whole)
				       : prf_short_name(whole);

	if (!name)
		return -ENOMEM;
	putc('[', page->out);
	prf_json_string(name, page->out);
	fprintf(page->out, ",%zu,%" PRIu64 ",%" PRIu64 ",%.5f,%.5f",
		number_of(page, function->binary), function->self.ticks,
		function->total.ticks, share.lo, share.hi);
	if (strcmp(name, whole) != 0) {
		putc(',', page->out);
		prf_json_string(whole, page->out);
	}
	putc(']', page->out);
	return 0;
}

static int
put_functions(const struct page *page, const struct prf_export_way *way)
{
	int rc = 0;

	fputs("\"functions\":[", page->out);
	for (size_t i = 0; !rc && i < page->graph.n_functions; i++) {
		put_comma(page->out, i);
		rc = put_function(page, way, &page->graph.functions[i]);
	}
	fputs("],\n", page->out);
	return rc;
}

/* --- Nodes: a list for each of their members, since there are many of them. */

static void
put_nodes(const struct page *page)
{
	const struct prf_call_node *nodes = page->graph.nodes;
	size_t n = page->graph.n_nodes, n_guessed = 0;
	FILE *out = page->out;

	fputs("\"nodes\":{\"up\":[0", out);
	for (size_t i = 1; i < n; i++)
		fprintf(out, ",%s%zu", i % 32 ? "" : "\n", i - nodes[i].parent);
	fputs("],\n\"fn\":[-1", out);
	for (size_t i = 1; i < n; i++)
		fprintf(out, ",%s%zu", i % 32 ? "" : "\n", nodes[i].function);
	fprintf(out, "],\n\"self\":[%" PRIu64, n ? nodes[0].self.ticks : 0);
	for (size_t i = 1; i < n; i++)
		fprintf(out, ",%s%" PRIu64, i % 32 ? "" : "\n",
			nodes[i].self.ticks);
	fputs("],\n\"guessed\":[", out);
	for (size_t i = 0; i < n; i++)
		if (nodes[i].guessed) {
			put_comma(out, n_guessed++);
			fprintf(out, "%zu", i);
		}
	fputs("]}", out);
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
put_profile(const struct page *page, const struct prf_export_way *way)
{
	const struct prf_profile *profile = page->profile;
	double samples = prf_count_samples(&profile->total);
	PRF_AUTO(prf_auto_free) char *subtitle = subtitle_of(profile);

	if (!subtitle)
		return -ENOMEM;
	fputs("{\"version\":1,\n", page->out);
	put_member(page->out, "title",
		   way->command       ? way->command
		   : profile->program ? profile->program->name
				      : "profrun");
	put_member(page->out, "subtitle", subtitle);
	put_member(page->out, "unit", "ticks");
	fprintf(page->out, "\"rate\":%u,\"weight\":%.6g,\n",
		(unsigned)profile->unit.rate_hz,
		samples > 0 ? (double)profile->total.ticks / samples : 1);
	put_binaries(page);
	int rc = put_functions(page, way);
	put_nodes(page);
	fputs("}\n", page->out);
	return rc;
}

int
prf_page_write(const struct prf_profile *profile,
	       const struct prf_export_way *way, FILE *out,
	       struct prf_error *err)
{
	PRF_AUTO(close_page)
	struct page page = {.profile = profile, .out = out};
	int rc = prf_call_graph_of(profile, &page.graph);

	if (!rc) {
		put_lines(prf_page_before, out);
		rc = put_profile(&page, way);
		put_lines(prf_page_behind, out);
	}
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}
