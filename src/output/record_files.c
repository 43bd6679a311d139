#include "src/output/record_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/options/pattern.h"
#include "src/output/outname.h"
#include "src/output/record_exports.h"
#include "src/output/record_gmon.h"
#include "view/table/plain.h"

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

/* The GNU C library's fclose() does not tell of what a stream in memory could not
 * have. */
static int
close_memory(FILE *stream, int rc, struct prf_error *err)
{
	bool is_short = ferror(stream);

	is_short |= fclose(stream) == EOF;
	return !rc && is_short ? prf_error_set(err, -ENOMEM, "out of memory")
			       : rc;
}

static int
write_main(struct prf_record_files *files, const struct prf_profile *profile,
	   const char *name, struct prf_error *err)
{
	size_t size;
	FILE *commands = open_memstream(&files->commands, &size);

	if (!commands)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_record_gmon_write(files->options, files->output, profile,
				       name, commands, err);
	return close_memory(commands, rc, err);
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
	int rc = prf_record_exports_write(files->options, files->output,
					  profile, owner, commands, &name, err);
	return close_memory(commands, rc, err);
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
		.begin_ns = files->interval
				    ? files->from_ns + files->realtime_offset_ns
				    : 0,
		.duration_ns = files->to_ns - files->from_ns,
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
			rc = prf_record_gmon_write(files->options,
						   files->output, files->rest,
						   name, NULL, &err);
	}
	if (!rc)
		rc = prf_record_exports_write(
			files->options, files->output, files->rest, &owner,
			NULL, name ? &export_name : &name, &err);
	free(PRF_TAKE(files->rest_file));
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
		       : prf_record_gmon_write(files->options, files->output,
					       ended->profile, *name, NULL,
					       err);
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
		rc = prf_record_gmon_write(files->options, files->output,
					   ended->profile, name, NULL, err);
	if (!rc)
		rc = prf_record_exports_write(files->options, files->output,
					      ended->profile, owner, NULL,
					      &export_name, err);
	if (!rc)
		keep_interval_name(files, owner, name ? name : export_name);
	return rc;
}

/* No two intervals have a name in common: those of earlier ones need not be
 * remembered. */
static void
begin_interval(struct prf_record_files *files, const struct prf_ended *ended)
{
	if (files->interval == ended->interval)
		return;
	write_rest(files);
	prf_profile_free(PRF_TAKE(files->rest));
	files->interval = ended->interval;
	files->from_ns = ended->from_ns;
	files->to_ns = ended->to_ns;
	files->n_of_interval = 0;
	prf_output_forget_names(files->output);
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
	begin_interval(files, ended);
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
		rc = prf_record_exports_write(
			files->options, files->output, ended->profile, &owner,
			NULL, has_gmon ? &export_name : &name, err);
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

static void
remove_list(const struct prf_output *output, const char *name)
{
	PRF_AUTO(prf_auto_free) char *symbols = prf_outname_symbols(name);

	if (symbols && !prf_outdir_has_changed(output->dir, symbols))
		prf_outdir_remove(output->dir, symbols);
}

/* The program has put a gmon.out of its own in the place of our snapshot, whose
 * list does not belong to it; or something that is no file in the place of
 * either. */
static void
forget_name(struct prf_record_files *files)
{
	const struct prf_output *output = files->output;

	remove_list(output, files->run_name);
	if (!prf_output_is_foreign(output, files->run_name))
		prf_outdir_remove(output->dir, files->run_name);
	prf_output_forget_names(files->output);
	free(PRF_TAKE(files->run_name));
}

/* The same in the place of an earlier run's, before any snapshot. */
static void
forget_old(struct prf_output *output)
{
	if (!output->old || !prf_output_is_foreign(output, output->old))
		return;
	remove_list(output, output->old);
	free(PRF_TAKE(output->old));
}

/* The name of the run's files: the same each time, unless something else has
 * taken it. */
static int
name_run(struct prf_record_files *files, struct prf_error *err)
{
	const struct prf_output_owner owner = {.is_main = true};

	if (files->run_name &&
	    (prf_output_is_foreign(files->output, files->run_name) ||
	     prf_output_has_changed(files->output, files->run_name)))
		forget_name(files);
	forget_old(files->output);
	return files->run_name ? 0
			       : prf_output_name(files->output, &owner,
						 &files->run_name, err);
}

int
prf_record_files_snapshot(struct prf_record_files *files,
			  const struct prf_profile *profile,
			  struct prf_error *err)
{
	int rc = name_run(files, err);

	/* So does what replaces it, at the end, too. */
	files->output->outlasts = true;
	return rc ? rc
		  : prf_record_gmon_write(files->options, files->output,
					  profile, files->run_name, NULL, err);
}

void
prf_record_files_fail_snapshot(struct prf_record_files *files,
			       const struct prf_error *err)
{
	if (!files->snapshot_error)
		files->snapshot_error = strdup(err->text);
}

void
prf_record_files_finish(struct prf_record_files *files,
			const struct prf_profile *profile)
{
	const struct prf_output_owner owner = {
		.duration_ns = files->duration_ns,
		.lost_ticks = files->lost_ticks,
		.doubt = files->doubt,
		.is_main = true,
	};
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

static void
print_moved(const struct prf_output *output,
	    const struct prf_messages *messages)
{
	char more[64] = "";

	if (!output->moved || !output->moved_to)
		return;
	if (output->n_moved > 1)
		snprintf(more, sizeof more,
			 "; so it is with %" PRIu64 " more file%s",
			 output->n_moved - 1,
			 prf_message_s(output->n_moved - 1));
	prf_message_warn(messages,
			 "%s: %s, and is left alone; the profile is %s%s",
			 output->moved,
			 output->moved_is_file ? "was written by something else"
					       : "is no file any more",
			 output->moved_to, more);
}

uint64_t
prf_record_files_complain(const struct prf_record_files *files,
			  const struct prf_messages *messages)
{
	uint64_t n_more = beyond(files->n_errors);

	print_moved(files->output, messages);
	if (files->snapshot_error)
		prf_message_warn(messages,
				 "the profile could not be saved each time "
				 "while the program ran: %s",
				 files->snapshot_error);
	for (size_t i = 0; i < PRF_RECORD_LINES; i++)
		if (files->errors[i])
			prf_message_error(messages, "%s", files->errors[i]);
	if (n_more)
		prf_message_error(messages,
				  "%" PRIu64 " more file%s could not be "
				  "written",
				  n_more, prf_message_s(n_more));
	return files->n_errors;
}
