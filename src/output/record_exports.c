#include "src/output/record_exports.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/binary_lines.h"
#include "src/options/format.h"
#include "src/options/pattern.h"
#include "src/output/outfile.h"
#include "src/output/quoted.h"
#include "src/output/record_streams.h"
#include "src/output/summary.h"
#include "view/export/export_format.h"

PRF_DEFINE_AUTO(prf_outfile, prf_outfile_free);

/* Somebody waits for the end of the run: longer for what has been asked for, and
 * for what is left anyway a hundredth of what was profiled.  Who exports the file
 * later, or reports it, has all lines. */
#define USUAL_LINES_LEAST_NS UINT64_C(50000000)
#define USUAL_LINES_MOST_NS UINT64_C(300000000)
#define ASKED_LINES_NS UINT64_C(3000000000)

static uint64_t
usual_lines_ns(const struct prf_profile *profile)
{
	const double rate_hz =
		profile->unit.rate_hz ? profile->unit.rate_hz : 1;
	double share_ns = (double)profile->total.ticks / rate_hz * 1e9 / 100;

	if (share_ns < (double)USUAL_LINES_LEAST_NS)
		return USUAL_LINES_LEAST_NS;
	return share_ns < (double)USUAL_LINES_MOST_NS ? (uint64_t)share_ns
						      : USUAL_LINES_MOST_NS;
}

/* Samples wait while an interval is written. */
static uint64_t
lines_budget_ns(const struct prf_options *options,
		const struct prf_profile *profile)
{
	uint64_t share_ns = options->every_ns / 50;
	uint64_t most_ns = options->formats == prf_formats_usual(true)
				   ? usual_lines_ns(profile)
				   : ASKED_LINES_NS;

	return share_ns && share_ns < most_ns ? share_ns : most_ns;
}

/* What is kept for report is its newest profile, unless it is named. */
static void
print_export(const struct prf_options *options,
	     const struct prf_export_format *format,
	     const struct prf_profile *profile, const char *path,
	     FILE *commands)
{
	bool is_newest = !options->output_given && !prf_pattern_rank();

	fputs("\n  ", commands);
	prf_quoted_print(path, commands);
	fprintf(commands, "    # %s\n", format->about);
	if (options->formats == prf_formats_usual(true) &&
	    prf_calls_has_stacks(profile->calls)) {
		fputc('\n', commands);
		prf_summary_print_tree(is_newest ? NULL : path, commands);
	}
}

static int
write_export(const struct prf_options *options, struct prf_output *output,
	     const struct prf_export_format *format,
	     const struct prf_profile *profile,
	     const struct prf_output_owner *owner, const char *name,
	     FILE *commands, struct prf_error *err)
{
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *file = NULL;
	PRF_AUTO(prf_binary_lines_clear) struct prf_binary_lines lines = {0};
	/* Of other programs files are written while the run goes on. */
	bool has_time = owner->is_main && !owner->is_earlier;
	const struct prf_export_way way = {
		.command = profile->origin.command,
		.full_names = options->full_names,
		.lines = has_time ? &lines : NULL,
		.clock = prf_record_streams_clock(options),
		.begin_ns = owner->interval
				    ? owner->begin_ns
				    : profile->origin.begun_s * 1000000000,
		.duration_ns = owner->duration_ns,
		.lost_ticks = owner->lost_ticks,
		.doubt = owner->doubt,
	};
	prf_binary_lines_avoid_silent(&lines);
	prf_binary_lines_hurry(&lines, lines_budget_ns(options, profile));
	int rc = prf_output_begin_one(output, name, &file, err);

	if (rc)
		return rc;
	rc = prf_outfile_blame(
		file,
		format->write(profile, &way, prf_outfile_stream(file), err),
		err);
	if (!rc)
		rc = prf_outfile_commit(file, err);
	if (!rc && commands && !prf_outdir_in_place(output->dir, name))
		print_export(options, format, profile, prf_outfile_path(file),
			     commands);
	return rc;
}

int
prf_record_exports_write(const struct prf_options *options,
			 struct prf_output *output,
			 const struct prf_profile *profile,
			 const struct prf_output_owner *owner, FILE *commands,
			 char **name, struct prf_error *err)
{
	const struct prf_export_format *format;
	int rc = 0;

	for (size_t i = 0; !rc && (format = prf_export_format(i)); i++) {
		enum prf_format bit = prf_format_export(i);

		if (!(options->formats & (unsigned)bit))
			continue;
		free(PRF_TAKE(*name));
		rc = prf_output_export_name(output, bit, owner, name, err);
		if (!rc)
			rc = write_export(options, output, format, profile,
					  owner, *name, commands, err);
	}
	return rc;
}
