#include "fuzz/rewritten.h"

#include <errno.h>
#include <stdlib.h>

#include "profile/functions.h"
#include "view/gmon/gmon_files.h"
#include "view/gmon/gmon_source.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static void
check_error(int rc, const struct prf_error *err)
{
	must(rc == err->code && err->code < 0 && err->text[0]);
}

struct prf_profile *
prf_rewritten_read(const struct prf_rewritten_files *files,
		   const struct prf_gmon_hint *hint, int times)
{
	struct prf_profile *profile = prf_profile_new();
	struct prf_gmon_source *source =
		prf_gmon_source_new(profile, NULL, NULL);
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	int rc = prf_gmon_parse(files->gmon, files->n_gmon, hint, &gmon, &err);

	while (!rc && times-- > 0)
		rc = prf_gmon_source_add(source, gmon, files->syms,
					 files->n_syms, &err);
	prf_gmon_free(gmon);
	prf_gmon_source_free(source);
	if (!rc)
		return profile;
	check_error(rc, &err);
	prf_profile_free(profile);
	return NULL;
}

/* False: what is in LAYOUT does not fit a gmon.out. */
static bool
write_files(const struct prf_gmon_layout *layout, bool all,
	    struct prf_rewritten_files *files)
{
	FILE *gmon = open_memstream(&files->gmon, &files->n_gmon);
	FILE *syms = open_memstream(&files->syms, &files->n_syms);
	struct prf_error err = {0};

	must(gmon && syms);
	int rc = prf_gmon_files_write_ticks(layout, gmon, &err);
	must(!prf_gmon_files_write_syms(layout, all, syms, NULL));
	fclose(gmon);
	fclose(syms);
	if (!layout->has_list) {
		free(files->syms);
		files->syms = NULL;
	}
	files->hint.addr_bytes = layout->addr_bytes;
	files->hint.order =
		layout->big_endian ? PRF_GMON_ORDER_BIG : PRF_GMON_ORDER_LITTLE;
	if (rc)
		check_error(rc, &err);
	must(!rc || rc == -EOVERFLOW);
	return !rc;
}

static uint64_t
count_calls(const struct prf_profile *profile)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < profile->arcs.n; i++)
		calls += profile->arcs.all[i].count;
	return calls;
}

/* What LAYOUT makes of stacks: a call for each tick below it. */
static uint64_t
count_calls_of_stacks(const struct prf_gmon_layout *layout)
{
	const struct prf_call_graph *graph = &layout->calls;
	const struct prf_call_node *nodes = graph->nodes;
	size_t at = layout->root.binary ? nodes[0].child : PRF_CALL_NONE;
	uint64_t calls = 0;

	for (size_t i = 0; i < graph->n_arcs; i++)
		calls += graph->arcs[i].total.ticks;
	for (; at != PRF_CALL_NONE; at = nodes[at].sibling) {
		const struct prf_arc_end end =
			prf_gmon_layout_end(layout, nodes[at].function);

		if (end.binary != layout->root.binary ||
		    end.vaddr != layout->root.vaddr)
			calls += nodes[at].total.ticks;
	}
	return calls;
}

/* The sum of all functions is that of the profile. */
static void
check_functions(const struct prf_profile *profile)
{
	struct prf_functions functions;
	uint64_t ticks = 0;

	must(!prf_functions_of(profile, &functions));
	for (size_t i = 0; i < functions.n; i++)
		ticks += functions.all[i].count.ticks;
	for (size_t i = 0; i < profile->n_hists; i++)
		for (uint32_t bin = 0; bin < profile->hists[i].n_bins; bin++)
			ticks += profile->hists[i].counts[bin];
	must(ticks == profile->total.ticks);
	prf_functions_clear(&functions);
}

static void
check_again(const struct prf_gmon_layout *layout,
	    const struct prf_rewritten_files *files)
{
	const struct prf_profile *profile = layout->profile;
	struct prf_profile *again = prf_rewritten_read(files, &files->hint, 1);

	must(again);
	check_functions(again);
	must(again->total.ticks == profile->total.ticks);
	must(count_calls(again) ==
	     count_calls(profile) + count_calls_of_stacks(layout));
	must(again->n_hists == profile->n_hists);
	prf_profile_free(again);
}

void
prf_rewritten_check(const struct prf_profile *profile, bool all)
{
	struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};
	struct prf_rewritten_files files = {0};
	int rc = prf_gmon_layout_new(profile, &layout, &err);

	check_functions(profile);
	if (rc) {
		check_error(rc, &err);
		return;
	}
	if (write_files(layout, all, &files))
		check_again(layout, &files);
	prf_gmon_layout_free(layout);
	free(files.gmon);
	free(files.syms);
}
