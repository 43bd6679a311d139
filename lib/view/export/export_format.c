#include "view/export/export_format.h"

#include <string.h>

#include "view/export/folded.h"
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
		.write = prf_page_write,
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
