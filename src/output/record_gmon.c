#include "src/output/record_gmon.h"

#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "src/options/pattern.h"
#include "src/output/outname.h"
#include "src/output/summary.h"
#include "view/gmon/gmon_files.h"
#include "view/gmon/gmon_layout.h"

PRF_DEFINE_AUTO(prf_gmon_layout, prf_gmon_layout_free);
PRF_DEFINE_AUTO(prf_outfile, prf_outfile_free);

/* Both files are on the disk before either gets its name, and the names are, too:
 * there is no moment at which a machine that fails has nothing. */
static int
commit_pair(const struct prf_output *output, struct prf_outfile *gmon,
	    struct prf_outfile *symbols, struct prf_error *err)
{
	int rc = output->outlasts ? prf_outfile_sync(gmon, err) : 0;

	if (rc == 0 && symbols && output->outlasts)
		rc = prf_outfile_sync(symbols, err);
	if (rc == 0 && symbols)
		rc = prf_outfile_commit(symbols, err);
	if (rc == 0)
		rc = prf_outfile_commit(gmon, err);
	if (rc == 0 && output->outlasts)
		prf_outdir_sync(output->dir);
	return rc;
}

/* Both files are written before either gets its name. */
static int
write_pair(const struct prf_options *options, const struct prf_output *output,
	   const struct prf_gmon_layout *layout, struct prf_outfile *gmon,
	   struct prf_outfile *symbols, struct prf_error *err)
{
	int rc = prf_outfile_blame(
		gmon,
		prf_gmon_files_write_ticks(layout, prf_outfile_stream(gmon),
					   err),
		err);

	if (rc == 0 && symbols)
		rc = prf_outfile_blame(
			symbols,
			prf_gmon_files_write_syms(layout, options->all_symbols,
						  prf_outfile_stream(symbols),
						  err),
			err);
	return rc < 0 ? rc : commit_pair(output, gmon, symbols, err);
}

/* The newest profile is this one, unless there are others beside it. */
static void
print_commands(const struct prf_options *options,
	       const struct prf_gmon_layout *layout, const char *gmon,
	       const char *symbols, FILE *commands)
{
	bool is_newest = !options->output_given &&
			 options->formats == PRF_FORMAT_GMON &&
			 !prf_pattern_rank();

	prf_summary_print_report(is_newest ? NULL : gmon, commands);
	prf_summary_print_commands(layout, gmon, symbols, commands);
}

/* Commands for the files go to COMMANDS, which is NULL where nobody reads
 * them. */
static int
write_whole(const struct prf_options *options, struct prf_output *output,
	    const struct prf_profile *profile, const char *name, FILE *commands,
	    struct prf_error *err)
{
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *gmon = NULL;
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *symbols = NULL;
	int rc = prf_gmon_layout_new(profile, &layout, err);

	if (rc == 0)
		rc = prf_output_begin(output, name, &gmon, &symbols, err);
	if (rc == 0)
		rc = write_pair(options, output, layout, gmon, symbols, err);
	/* What went into a device can be read by nobody. */
	if (rc == 0 && commands && symbols && profile->total.ticks)
		print_commands(options, layout, prf_outfile_path(gmon),
			       prf_outfile_path(symbols), commands);
	return rc;
}

static int
write_binary(const struct prf_options *options, struct prf_output *output,
	     const struct prf_profile *profile, const struct prf_binary *binary,
	     const char *name, FILE *commands, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *gmon = NULL;
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *symbols = NULL;
	PRF_AUTO(prf_auto_free) char *gmon_name = strdup(name);
	PRF_AUTO(prf_auto_free) char *symbols_name = NULL;
	int rc = gmon_name ? prf_output_avoid(output, PRF_FORMAT_GMON,
					      &gmon_name, err)
			   : prf_error_set(err, -ENOMEM, "out of memory");

	if (rc == 0 && !(symbols_name = prf_outname_symbols(gmon_name)))
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	if (rc == 0)
		rc = prf_gmon_layout_new_single(profile, binary, &layout, err);
	if (rc == 0)
		rc = prf_output_begin_one(output, gmon_name, &gmon, err);
	if (rc == 0)
		rc = prf_output_begin_one(output, symbols_name, &symbols, err);
	if (rc == 0)
		rc = write_pair(options, output, layout, gmon, symbols, err);
	if (rc == 0 && commands && binary->total.ticks) {
		fputc('\n', commands);
		prf_summary_print_commands(layout, prf_outfile_path(gmon),
					   prf_outfile_path(symbols), commands);
	}
	return rc;
}

/* A pair of files for each binary that has ticks; for the program anyway. */
static int
write_split(const struct prf_options *options, struct prf_output *output,
	    const struct prf_profile *profile, const char *name, FILE *commands,
	    struct prf_error *err)
{
	size_t n = profile->n_binaries;
	PRF_AUTO(prf_auto_free)
	const char **paths = calloc(n + 1, sizeof *paths);
	char **names = NULL;

	if (!paths)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		paths[i] = profile->binaries[i]->name;
	int rc = prf_outname_split(name, paths, n, &names, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary->total.ticks || binary == profile->program)
			rc = write_binary(options, output, profile, binary,
					  names[i], commands, err);
	}
	prf_outname_free(names, n);
	return rc;
}

int
prf_record_gmon_write(const struct prf_options *options,
		      struct prf_output *output,
		      const struct prf_profile *profile, const char *name,
		      FILE *commands, struct prf_error *err)
{
	return (options->split ? write_split : write_whole)(
		options, output, profile, name, commands, err);
}
