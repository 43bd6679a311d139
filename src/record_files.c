#include "record_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "outname.h"
#include "summary.h"
#include "view/gmonfiles.h"
#include "view/plain.h"
#include "view/whole.h"

PRF_DEFINE_AUTO(prf_whole, prf_whole_free);

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
	free(files->commands);
	for (size_t i = 0; i < PRF_RECORD_LINES; i++) {
		free_name(&files->names[i]);
		free(files->errors[i]);
	}
	prf_record_files_init(files, NULL, NULL);
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
write_pair(const struct prf_whole *whole, uint32_t rate_hz,
	   struct prf_outfile *gmon, struct prf_outfile *symbols,
	   struct prf_error *err)
{
	int rc = blame(gmon,
		       prf_gmonfiles_write_ticks(whole, rate_hz,
						 prf_outfile_stream(gmon), err),
		       err);

	if (rc == 0 && symbols)
		rc = blame(symbols,
			   prf_gmonfiles_write_syms(
				   whole, prf_outfile_stream(symbols), err),
			   err);
	if (rc == 0 && symbols)
		rc = prf_outfile_commit(symbols, err);
	return rc < 0 ? rc : prf_outfile_commit(gmon, err);
}

/* Commands for the main program's files go to COMMANDS, which is NULL for the
 * others. */
static int
write_whole(const struct prf_record_files *files,
	    const struct prf_profile *profile, const char *name, FILE *commands,
	    struct prf_error *err)
{
	PRF_AUTO(prf_whole_auto) struct prf_whole *whole = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *gmon = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *symbols = NULL;
	int rc = prf_whole_new(profile, &whole, err);

	if (rc == 0)
		rc = prf_output_begin(files->output, name, &gmon, &symbols,
				      err);
	if (rc == 0)
		rc = write_pair(whole, files->options->rate_hz, gmon, symbols,
				err);
	if (rc == 0 && commands && profile->program)
		prf_summary_print_commands(
			profile->program, prf_outfile_path(gmon),
			symbols ? prf_outfile_path(symbols) : NULL,
			"the whole process", commands);
	return rc;
}

static int
write_object(const struct prf_record_files *files,
	     const struct prf_profile *profile, const struct prf_object *object,
	     const char *name, FILE *commands, struct prf_error *err)
{
	PRF_AUTO(prf_whole_auto) struct prf_whole *whole = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *gmon = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *symbols = NULL;
	PRF_AUTO(prf_auto_free) char *symbols_name = prf_outname_symbols(name);

	if (!symbols_name)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_whole_new_single(object, profile->addr_bytes, &whole, err);
	if (rc == 0)
		rc = prf_output_begin_split(files->output, name, &gmon, err);
	if (rc == 0)
		rc = prf_output_begin_split(files->output, symbols_name,
					    &symbols, err);
	if (rc == 0)
		rc = write_pair(whole, files->options->rate_hz, gmon, symbols,
				err);
	if (rc == 0 && commands)
		prf_summary_print_commands(object, prf_outfile_path(gmon),
					   prf_outfile_path(symbols),
					   object->name, commands);
	return rc;
}

/* A pair of files for each object that has ticks; for the program anyway. */
static int
write_split(const struct prf_record_files *files,
	    const struct prf_profile *profile, const char *name, FILE *commands,
	    struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	const char **paths = calloc(profile->n_objects + 1, sizeof *paths);
	char **names = NULL;

	if (!paths)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < profile->n_objects; i++)
		paths[i] = profile->objects[i]->name;
	int rc =
		prf_outname_split(name, paths, profile->n_objects, &names, err);
	for (size_t i = 0; rc == 0 && i < profile->n_objects; i++) {
		const struct prf_object *object = profile->objects[i];

		if (object->total.ticks || object == profile->program)
			rc = write_object(files, profile, object, names[i],
					  commands, err);
	}
	prf_outname_free(names, profile->n_objects);
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
	fclose(commands);
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

static int
write_ended(struct prf_record_files *files, const struct prf_ended *ended,
	    struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	const struct prf_output_owner owner = {
		.pid = ended->pid,
		.tid = ended->tid,
		.n_execs = ended->n_execs,
		.is_earlier = ended->is_earlier,
		.is_main = ended->is_main,
		.program = ended->program->path,
	};
	int rc = prf_output_name(files->output, &owner, &name, err);

	if (rc)
		return rc;
	if (ended->is_main)
		return write_main(files, ended->profile, name, err);
	rc = write_profile(files, ended->profile, name, NULL, err);
	if (rc == 0)
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

void
prf_record_files_print(const struct prf_record_files *files, FILE *out)
{
	uint64_t n_more = beyond(files->n_others);

	if (files->commands)
		fputs(files->commands, out);
	if (files->n_others)
		fputc('\n', out);
	print_names(files->names, out);
	if (n_more)
		fprintf(out, "  and %" PRIu64 " more\n", n_more);
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
