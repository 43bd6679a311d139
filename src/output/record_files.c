#include "src/output/record_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/options/pattern.h"
#include "src/output/outname.h"
#include "src/output/quoted.h"
#include "src/output/summary.h"
#include "view/export/export_format.h"
#include "view/gmon/gmon_files.h"
#include "view/gmon/gmon_layout.h"
#include "view/table/plain.h"

PRF_DEFINE_AUTO(prf_gmon_layout, prf_gmon_layout_free);

static void
free_outfile(struct prf_outfile **file)
{
	prf_outfile_free(*file);
}

static void
free_name(struct prf_record_name *name)
{
	free(name->file);
	free(name->owner);
}

void
prf_record_files_init(struct prf_record_files *files,
		      const struct prf_options *options,
		      struct prf_output *output)
{
	*files = (struct prf_record_files){
		.options = options,
		.output = output,
	};
}

void
prf_record_files_clear(struct prf_record_files *files)
{
	free(files->run_name);
	free(files->commands);
	free(files->exported);
	free(files->snapshot_error);
	prf_profile_free(files->rest);
	free(files->rest_file);
	free(files->first_file);
	free(files->last_file);
	for (size_t i = 0; i < PRF_RECORD_LINES; i++) {
		free_name(&files->names[i]);
		free(files->errors[i]);
	}
	prf_record_files_init(files, NULL, NULL);
}

enum prf_collect_each
prf_record_files_each(const struct prf_record_files *files)
{
	const char *pattern = files->options->output;
	const char *slash = strrchr(pattern, '/');
	const char *name = slash ? slash + 1 : pattern;

	if (!prf_formats_have_profile(files->options->formats))
		return PRF_COLLECT_RUN;
	return prf_pattern_has(name, 't')   ? PRF_COLLECT_THREAD
	       : prf_pattern_has(name, 'p') ? PRF_COLLECT_PROGRAM
	       : prf_pattern_has(name, 'r') && !prf_pattern_rank()
		       ? PRF_COLLECT_RANK
		       : PRF_COLLECT_RUN;
}

uint64_t
prf_record_files_every_ns(const struct prf_record_files *files)
{
	return files->options->formats & PRF_FORMAT_GMON &&
			       !files->options->every_ns &&
			       !files->options->split &&
			       !files->output->in_place &&
			       prf_record_files_each(files) == PRF_COLLECT_RUN
		       ? PRF_RECORD_SNAPSHOT_NS
		       : 0;
}

/* --- Writing */

/* Says which FILE it was that RC and ERR are about. */
static int
blame(const struct prf_outfile *file, int rc, struct prf_error *err)
{
	const struct prf_error why = *err;

	return rc == 0 ? 0
		       : prf_error_set(err, rc, "%s: %s",
				       prf_outfile_path(file), why.text);
}

/* Both files are written before either gets its name. */
static int
write_pair(const struct prf_record_files *files,
	   const struct prf_gmon_layout *layout, struct prf_outfile *gmon,
	   struct prf_outfile *symbols, struct prf_error *err)
{
	int rc = blame(gmon,
		       prf_gmon_files_write_ticks(
			       layout, prf_outfile_stream(gmon), err),
		       err);

	if (rc == 0 && symbols)
		rc = blame(symbols,
			   prf_gmon_files_write_syms(
				   layout, files->options->all_symbols,
				   prf_outfile_stream(symbols), err),
			   err);
	if (rc == 0 && symbols)
		rc = prf_outfile_commit(symbols, err);
	return rc < 0 ? rc : prf_outfile_commit(gmon, err);
}

/* The newest profile is this one, unless there are others beside it. */
static void
print_commands(const struct prf_record_files *files,
	       const struct prf_gmon_layout *layout, const char *gmon,
	       const char *symbols, FILE *commands)
{
	bool is_newest = !files->options->output_given &&
			 files->options->formats == PRF_FORMAT_GMON &&
			 !prf_pattern_rank();

	prf_summary_print_report(is_newest ? NULL : gmon, commands);
	prf_summary_print_commands(layout, gmon, symbols, commands);
}

/* Commands for the files go to COMMANDS, which is NULL where nobody reads
 * them. */
static int
write_whole(const struct prf_record_files *files,
	    const struct prf_profile *profile, const char *name, FILE *commands,
	    struct prf_error *err)
{
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *gmon = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *symbols = NULL;
	int rc = prf_gmon_layout_new(profile, &layout, err);

	if (rc == 0)
		rc = prf_output_begin(files->output, name, &gmon, &symbols,
				      err);
	if (rc == 0)
		rc = write_pair(files, layout, gmon, symbols, err);
	/* What went into a device can be read by nobody. */
	if (rc == 0 && commands && symbols && profile->total.ticks)
		print_commands(files, layout, prf_outfile_path(gmon),
			       prf_outfile_path(symbols), commands);
	return rc;
}

static int
write_binary(const struct prf_record_files *files,
	     const struct prf_profile *profile, const struct prf_binary *binary,
	     const char *name, FILE *commands, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *gmon = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *symbols = NULL;
	PRF_AUTO(prf_auto_free) char *symbols_name = prf_outname_symbols(name);

	if (!symbols_name)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_gmon_layout_new_single(profile, binary, &layout, err);
	if (rc == 0)
		rc = prf_output_begin_one(files->output, name, &gmon, err);
	if (rc == 0)
		rc = prf_output_begin_one(files->output, symbols_name, &symbols,
					  err);
	if (rc == 0)
		rc = write_pair(files, layout, gmon, symbols, err);
	if (rc == 0 && commands && binary->total.ticks) {
		fputc('\n', commands);
		prf_summary_print_commands(layout, prf_outfile_path(gmon),
					   prf_outfile_path(symbols), commands);
	}
	return rc;
}

/* A pair of files for each binary that has ticks; for the program anyway. */
static int
write_split(const struct prf_record_files *files,
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
			rc = write_binary(files, profile, binary, names[i],
					  commands, err);
	}
	prf_outname_free(names, n);
	return rc;
}

static int
write_profile(const struct prf_record_files *files,
	      const struct prf_profile *profile, const char *name,
	      FILE *commands, struct prf_error *err)
{
	return (files->options->split ? write_split : write_whole)(
		files, profile, name, commands, err);
}

static int
write_main(struct prf_record_files *files, const struct prf_profile *profile,
	   const char *name, struct prf_error *err)
{
	size_t size;
	FILE *commands = open_memstream(&files->commands, &size);

	if (!commands)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = write_profile(files, profile, name, commands, err);
	if (fclose(commands) && rc == 0)
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	return rc;
}

/* --- For other tools */

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

/* As a shell reads it; NULL: out of memory. */
static char *
command_of(const struct prf_options *options)
{
	char *command = NULL;
	size_t size;
	FILE *out = open_memstream(&command, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; options->program[i]; i++) {
		if (i > 0)
			putc(' ', out);
		prf_quoted_print(options->program[i], out);
	}
	if (!fclose(out))
		return command;
	free(command);
	return NULL;
}

/* What is kept for report is its newest profile, unless it is named. */
static void
print_export(const struct prf_record_files *files,
	     const struct prf_export_format *format,
	     const struct prf_profile *profile, const char *path,
	     FILE *commands)
{
	bool is_newest = !files->options->output_given && !prf_pattern_rank();

	fputs("\n  ", commands);
	prf_quoted_print(path, commands);
	fprintf(commands, "    # %s\n", format->about);
	if (files->options->formats == prf_formats_usual(true) &&
	    prf_calls_has_stacks(profile->calls)) {
		fputc('\n', commands);
		prf_summary_print_tree(is_newest ? NULL : path, commands);
	}
}

static int
write_export(const struct prf_record_files *files,
	     const struct prf_export_format *format,
	     const struct prf_profile *profile,
	     const struct prf_output_owner *owner, const char *name,
	     FILE *commands, struct prf_error *err)
{
	PRF_AUTO(free_outfile) struct prf_outfile *file = NULL;
	PRF_AUTO(prf_auto_free) char *command = command_of(files->options);
	PRF_AUTO(prf_binary_lines_clear) struct prf_binary_lines lines = {0};
	bool has_time = prf_record_files_each(files) == PRF_COLLECT_RUN ||
			(owner->interval && owner->is_main);
	const struct prf_export_way way = {
		.command = command,
		.full_names = files->options->full_names,
		.lines = has_time ? &lines : NULL,
		.is_wall = files->options->clock == PRF_CLOCK_WALL,
		.begin_ns = owner->interval
				    ? owner->begin_ns
				    : profile->origin.begun_s * 1000000000,
		.duration_ns = owner->duration_ns,
	};
	prf_binary_lines_hurry(&lines,
			       lines_budget_ns(files->options, profile));
	int rc = command ? prf_output_begin_one(files->output, name, &file, err)
			 : prf_error_set(err, -ENOMEM, "out of memory");

	if (rc)
		return rc;
	rc = blame(file,
		   format->write(profile, &way, prf_outfile_stream(file), err),
		   err);
	if (!rc)
		rc = prf_outfile_commit(file, err);
	if (!rc && commands && !prf_outdir_in_place(files->output->dir, name))
		print_export(files, format, profile, prf_outfile_path(file),
			     commands);
	return rc;
}

/* All that are wanted, of OWNER; *NAME is that of the last one. */
static int
write_exports(const struct prf_record_files *files,
	      const struct prf_profile *profile,
	      const struct prf_output_owner *owner, FILE *commands, char **name,
	      struct prf_error *err)
{
	const struct prf_export_format *format;
	int rc = 0;

	for (size_t i = 0; !rc && (format = prf_export_format(i)); i++) {
		enum prf_format bit = prf_format_export(i);

		if (!(files->options->formats & (unsigned)bit))
			continue;
		free(PRF_TAKE(*name));
		rc = prf_output_export_name(files->output, bit, owner, name,
					    err);
		if (!rc)
			rc = write_export(files, format, profile, owner, *name,
					  commands, err);
	}
	return rc;
}

static int
write_main_exports(struct prf_record_files *files,
		   const struct prf_profile *profile,
		   const struct prf_output_owner *owner, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	size_t size;
	FILE *commands = open_memstream(&files->exported, &size);

	if (!commands)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = write_exports(files, profile, owner, commands, &name, err);
	if (fclose(commands) && rc == 0)
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	return rc;
}

/* --- What is said of it */

static void
keep_error(struct prf_record_files *files, const struct prf_error *err)
{
	if (files->n_errors < PRF_RECORD_LINES)
		files->errors[files->n_errors] = strdup(err->text);
	files->n_errors++;
}

/* A place for a name with TICKS behind those that are kept: one is free, or
 * becomes so as the first of those with the fewest goes.  NULL: that is the
 * new one. */
static struct prf_record_name *
room_for_name(struct prf_record_files *files, uint64_t ticks)
{
	struct prf_record_name *names = files->names;
	size_t least = 0, last = PRF_RECORD_LINES - 1;

	if (files->n_others < PRF_RECORD_LINES)
		return &names[files->n_others];
	for (size_t i = 1; i <= last; i++)
		if (names[i].ticks < names[least].ticks)
			least = i;
	if (names[least].ticks >= ticks)
		return NULL;
	free_name(&names[least]);
	memmove(&names[least], &names[least + 1],
		(last - least) * sizeof *names);
	return &names[last];
}

/* "cc1 -quiet a.c"; NULL: out of memory. */
static char *
owner_of(const struct prf_ended *ended)
{
	enum { COMMAND_WIDTH = 50 };
	char *owner = NULL;
	size_t size;
	FILE *out = open_memstream(&owner, &size);

	if (!out)
		return NULL;
	if (ended->tid)
		fprintf(out, "thread %d of ", (int)ended->tid);
	prf_plain_print_cut(prf_program_command(ended->program), COMMAND_WIDTH,
			    out);
	fclose(out);
	return owner;
}

static char *
shown_file(const struct prf_record_files *files, const char *name)
{
	char *file = NULL;
	size_t size;
	FILE *out = open_memstream(&file, &size);

	if (!out)
		return NULL;
	prf_plain_print(name, out);
	if (files->options->split)
		fputs(".*", out);
	fclose(out);
	return file;
}

static void
keep_name(struct prf_record_files *files, const struct prf_ended *ended,
	  const char *name)
{
	uint64_t ticks = ended->profile->total.ticks;
	struct prf_record_name *kept = room_for_name(files, ticks);

	if (kept)
		*kept = (struct prf_record_name){
			.file = shown_file(files, name),
			.owner = owner_of(ended),
			.ticks = ticks,
		};
	files->n_others++;
}

/* It lends nothing: what ENDED has is gone soon. */
static int
add_to_rest(struct prf_record_files *files, const struct prf_ended *ended,
	    struct prf_error *err)
{
	if (!files->rest)
		files->rest = prf_profile_new();
	int rc = files->rest ? prf_profile_add(files->rest, ended->profile, err)
			     : -ENOMEM;
	if (!rc)
		rc = prf_profile_detach(files->rest);
	if (rc == -ENOMEM)
		return prf_error_set(err, rc, "out of memory");
	files->n_rest += !rc;
	return rc;
}

static void
write_rest(struct prf_record_files *files)
{
	const struct prf_output_owner owner = {
		.is_rest = true,
		.program = "rest",
		.rank = "rest",
		.interval = files->interval,
	};
	PRF_AUTO(prf_auto_free) char *name = NULL;
	PRF_AUTO(prf_auto_free) char *export_name = NULL;
	struct prf_error err = {0};
	int rc = 0;

	if (!files->rest)
		return;
	if (files->options->formats & PRF_FORMAT_GMON) {
		rc = prf_output_name(files->output, &owner, &name, &err);
		if (!rc)
			rc = write_profile(files, files->rest, name, NULL,
					   &err);
	}
	if (!rc)
		rc = write_exports(files, files->rest, &owner, NULL,
				   name ? &export_name : &name, &err);
	if (rc)
		keep_error(files, &err);
	else
		files->rest_file = shown_file(files, name);
}

static int
write_ended_gmon(struct prf_record_files *files, const struct prf_ended *ended,
		 const struct prf_output_owner *owner, char **name,
		 struct prf_error *err)
{
	int rc = prf_output_name(files->output, owner, name, err);

	if (rc)
		return rc;
	return ended->is_main
		       ? write_main(files, ended->profile, *name, err)
		       : write_profile(files, ended->profile, *name, NULL, err);
}

/* --- Intervals */

static void
keep_interval_name(struct prf_record_files *files,
		   const struct prf_output_owner *owner, const char *name)
{
	free(PRF_TAKE(files->last_file));
	files->last_file = shown_file(files, name);
	if (!files->first_file)
		files->first_file = shown_file(files, name);
	files->n_of_intervals++;
	files->n_of_interval += !owner->is_main;
}

static int
write_of_interval(struct prf_record_files *files, const struct prf_ended *ended,
		  const struct prf_output_owner *owner, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	PRF_AUTO(prf_auto_free) char *export_name = NULL;
	bool has_gmon = files->options->formats & PRF_FORMAT_GMON;
	int rc = 0;

	if (has_gmon)
		rc = prf_output_name(files->output, owner, &name, err);
	if (!rc && has_gmon)
		rc = write_profile(files, ended->profile, name, NULL, err);
	if (!rc)
		rc = write_exports(files, ended->profile, owner, NULL,
				   &export_name, err);
	if (!rc)
		keep_interval_name(files, owner, name ? name : export_name);
	return rc;
}

/* No two intervals have a name in common: those of earlier ones need not be
 * remembered. */
static void
begin_interval(struct prf_record_files *files, uint64_t interval)
{
	if (files->interval == interval)
		return;
	files->interval = interval;
	files->n_of_interval = 0;
	prf_outnames_clear(&files->output->names);
}

/* How many others have files that are in the same place, and stay there. */
static uint64_t
n_beside(const struct prf_record_files *files, const struct prf_ended *ended)
{
	return ended->interval ? files->n_of_interval : files->n_others;
}

static int
write_ended(struct prf_record_files *files, const struct prf_ended *ended,
	    struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	PRF_AUTO(prf_auto_free) char *export_name = NULL;
	char rank[16] = "none";
	bool is_of_rank = ended->rank >= 0;
	if (is_of_rank)
		snprintf(rank, sizeof rank, "%" PRIi32, ended->rank);
	const struct prf_output_owner owner = {
		.rank = is_of_rank || prf_record_files_each(files) ==
						PRF_COLLECT_RANK
				? rank
				: NULL,
		.pid = ended->pid,
		.tid = ended->tid,
		.n_execs = ended->n_execs,
		.is_earlier = ended->is_earlier,
		.is_main = ended->is_main,
		.program = ended->program ? ended->program->path : NULL,
		.interval = ended->interval,
		.begin_ns = ended->interval
				    ? ended->from_ns + files->realtime_offset_ns
				    : 0,
		.duration_ns = ended->to_ns - ended->from_ns,
	};
	begin_interval(files, ended->interval);
	if (!ended->is_main && n_beside(files, ended) >= PRF_RECORD_MOST_FILES)
		return add_to_rest(files, ended, err);
	if (ended->interval)
		return write_of_interval(files, ended, &owner, err);
	bool has_gmon = files->options->formats & PRF_FORMAT_GMON;
	int rc = has_gmon ? write_ended_gmon(files, ended, &owner, &name, err)
			  : 0;

	if (!rc && ended->is_main)
		return write_main_exports(files, ended->profile, &owner, err);
	if (!rc)
		rc = write_exports(files, ended->profile, &owner, NULL,
				   has_gmon ? &export_name : &name, err);
	if (!rc)
		keep_name(files, ended, name);
	return rc;
}

void
prf_record_files_write(void *arg, const struct prf_ended *ended)
{
	struct prf_record_files *files = arg;
	struct prf_error err = {0};

	if (ended->failure)
		keep_error(files, ended->failure);
	else if (files->output->in_place && !ended->is_main)
		files->n_left_out++;
	else if (write_ended(files, ended, &err))
		keep_error(files, &err);
}

/* The program has put a gmon.out of its own in the place of our snapshot, whose
 * list does not belong to it. */
static void
forget_name(struct prf_record_files *files)
{
	PRF_AUTO(prf_auto_free)
	char *symbols = prf_outname_symbols(files->run_name);

	if (symbols)
		prf_outdir_remove(files->output->dir, symbols);
	prf_outnames_clear(&files->output->names);
	free(PRF_TAKE(files->run_name));
}

/* The name of the run's files: the same each time, unless something else has
 * taken it. */
static int
name_run(struct prf_record_files *files, struct prf_error *err)
{
	const struct prf_output_owner owner = {.is_main = true};

	if (files->run_name &&
	    prf_output_is_foreign(files->output, files->run_name))
		forget_name(files);
	return files->run_name ? 0
			       : prf_output_name(files->output, &owner,
						 &files->run_name, err);
}

void
prf_record_files_snapshot(struct prf_record_files *files,
			  const struct prf_profile *profile)
{
	struct prf_error err = {0};

	if (files->snapshot_error)
		return;
	if (name_run(files, &err) ||
	    write_profile(files, profile, files->run_name, NULL, &err))
		files->snapshot_error = strdup(err.text);
}

void
prf_record_files_finish(struct prf_record_files *files,
			const struct prf_profile *profile)
{
	const struct prf_output_owner owner = {.is_main = true};
	struct prf_error err = {0};

	write_rest(files);
	if (prf_record_files_each(files) != PRF_COLLECT_RUN ||
	    files->options->every_ns)
		return;
	if (files->options->formats & PRF_FORMAT_GMON &&
	    (name_run(files, &err) ||
	     write_main(files, profile, files->run_name, &err)))
		keep_error(files, &err);
	if (write_main_exports(files, profile, &owner, &err))
		keep_error(files, &err);
}

/* How many of N were not kept. */
static uint64_t
beyond(uint64_t n)
{
	return n > PRF_RECORD_LINES ? n - PRF_RECORD_LINES : 0;
}

static void
print_names(const struct prf_record_name *names, FILE *out)
{
	size_t width = 0;

	for (size_t i = 0; i < PRF_RECORD_LINES; i++)
		if (names[i].file && strlen(names[i].file) > width)
			width = strlen(names[i].file);
	for (size_t i = 0; i < PRF_RECORD_LINES; i++)
		if (names[i].file && names[i].owner)
			fprintf(out, "  %-*s    # %s\n", (int)width,
				names[i].file, names[i].owner);
}

static void
print_intervals(const struct prf_record_files *files, FILE *out)
{
	if (!files->first_file || !files->last_file)
		return;
	fprintf(out,
		"\n  %s    # %" PRIu64 " file%s of %" PRIu64
		" interval%s of %g s; the last one is %s\n",
		files->first_file, files->n_of_intervals,
		files->n_of_intervals == 1 ? "" : "s", files->interval,
		files->interval == 1 ? "" : "s",
		(double)files->options->every_ns / 1e9, files->last_file);
}

void
prf_record_files_print(const struct prf_record_files *files, FILE *out)
{
	uint64_t n_more = beyond(files->n_others);

	if (files->commands)
		fputs(files->commands, out);
	if (files->exported)
		fputs(files->exported, out);
	print_intervals(files, out);
	if (files->n_others)
		fputc('\n', out);
	print_names(files->names, out);
	if (n_more)
		fprintf(out, "  and %" PRIu64 " more\n", n_more);
	if (files->rest_file)
		fprintf(out,
			"  %s    # %" PRIu64 " beyond the first %d files\n",
			files->rest_file, files->n_rest, PRF_RECORD_MOST_FILES);
	if (files->n_left_out)
		fprintf(out,
			"\n  no file for %" PRIu64
			" more: the output is no file that others can stand "
			"beside\n",
			files->n_left_out);
}

uint64_t
prf_record_files_complain(const struct prf_record_files *files,
			  const struct prf_messages *messages)
{
	uint64_t n_more = beyond(files->n_errors);

	if (files->output->moved)
		prf_message_warn(messages,
				 "%s: was written by something else, and is "
				 "left alone; the profile is %s.profrun",
				 files->output->moved, files->output->moved);
	if (files->snapshot_error)
		prf_message_warn(messages,
				 "the profile could not be saved while the "
				 "program ran: %s",
				 files->snapshot_error);
	for (size_t i = 0; i < PRF_RECORD_LINES; i++)
		if (files->errors[i])
			prf_message_error(messages, "%s", files->errors[i]);
	if (n_more)
		prf_message_error(messages,
				  "%" PRIu64 " more files could not be "
				  "written",
				  n_more);
	return files->n_errors;
}
