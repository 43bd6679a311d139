#include "view/export/export_format.h"

#include <string.h>

#include "view/export/callgrind.h"
#include "view/export/firefox.h"
#include "view/export/folded.h"
#include "view/export/perf_script.h"
#include "view/export/profile_json.h"
#include "view/export/speedscope.h"
#include "view/page/page.h"
#include "view/pprof/pprof_write.h"

static const struct prf_export_format formats[] = {
	{
		.name = "folded",
		.usual = "profrun.folded",
		.rank = "profrun.folded.%r",
		.suffix = ".folded",
		.about = "stacks as flame graphs are made of them",
		.needs_stacks = true,
		.by_thread = true,
		.is_text = true,
		.write = prf_folded_write,
	},
	{
		.name = "flame",
		.usual = "profrun.html",
		.rank = "profrun.%r.html",
		.suffix = ".html",
		.about = "a page with a flame graph, for a browser",
		.needs_stacks = true,
		.by_thread = true,
		.needs_no_lines = true,
		.write = prf_page_write,
		.write_stacks = prf_page_write_stacks,
	},
	{
		.name = "pprof",
		.usual = "profrun.pb.gz",
		.rank = "profrun.%r.pb.gz",
		.suffix = ".pb.gz",
		.about = "all of it, for go tool pprof and what reads its "
			 "files",
		.needs_stacks = true,
		.by_thread = true,
		.write = prf_pprof_write,
	},
	{
		.name = "speedscope",
		.usual = "profrun.speedscope.json",
		.rank = "profrun.%r.speedscope.json",
		.suffix = ".speedscope.json",
		.about =
			"for www.speedscope.app; of a trace, threads over time",
		.needs_stacks = true,
		.by_thread = true,
		.write = prf_speedscope_write,
		.write_stacks = prf_speedscope_write_stacks,
	},
	{
		.name = "firefox",
		.usual = "profrun.firefox.json",
		.rank = "profrun.%r.firefox.json",
		.suffix = ".firefox.json",
		.about = "for profiler.firefox.com; of a trace, threads over "
			 "time",
		.needs_stacks = true,
		.by_thread = true,
		.write = prf_firefox_write,
		.write_stacks = prf_firefox_write_stacks,
	},
	{
		.name = "callgrind",
		.usual = "callgrind.out.profrun",
		.rank = "callgrind.out.%r.profrun",
		.suffix = ".callgrind",
		.about = "for kcachegrind and callgrind_annotate",
		.needs_stacks = true,
		.old_is_before = true,
		.write = prf_callgrind_write,
	},
	{
		.name = "perf-script",
		.usual = "profrun.perf",
		.rank = "profrun.%r.perf",
		.suffix = ".perf",
		.about = "text as perf script prints it, for what reads that",
		.needs_stacks = true,
		.is_text = true,
		.write = prf_perf_script_write,
		.write_stacks = prf_perf_script_write_stacks,
	},
	{
		.name = "json",
		.usual = "profrun.json",
		.rank = "profrun.%r.json",
		.suffix = ".json",
		.about = "all of a profile, for programs",
		.needs_stacks = true,
		.write = prf_profile_json_write,
	},
};

const struct prf_export_format *
prf_export_format(size_t index)
{
	return index < sizeof formats / sizeof *formats ? &formats[index]
							: NULL;
}

const struct prf_export_format *
prf_export_format_find(const char *name)
{
	const struct prf_export_format *format;

	for (size_t i = 0; (format = prf_export_format(i)); i++)
		if (strcmp(format->name, name) == 0)
			return format;
	return NULL;
}
