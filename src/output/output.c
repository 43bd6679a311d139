#include "src/output/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/options/pattern.h"
#include "src/output/outname.h"
#include "view/export/export_format.h"
#include "view/gmon/gmon_files.h"

/* What is beside a file of raw samples. */
#define MAPS ".maps"

static int
symbols_name_for(const char *name, char **symbols, struct prf_error *err)
{
	*symbols = prf_outname_symbols(name);
	return *symbols ? 0 : prf_error_set(err, -ENOMEM, "out of memory");
}

/* More than a run has. */
static uint64_t
longest_interval(const struct prf_output *output)
{
	return output->has_intervals ? 999999999 : 0;
}

/* The process has no id yet: the longest there is stands for it. */
static struct prf_pattern_values
longest_values(const struct prf_output *output)
{
	return (struct prf_pattern_values){
		.pid = PRF_PATTERN_PID_MAX,
		.tid = PRF_PATTERN_PID_MAX,
		.program = output->program,
		.interval = longest_interval(output),
	};
}

/* The name of FORMAT's file in a run of process PID. */
static int
stream_name(const struct prf_output *output, enum prf_format format, pid_t pid,
	    char **name, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *base = NULL;
	const struct prf_format_name parts =
		prf_format_name(format, output->formats, output->given);
	const struct prf_pattern_values values = {
		.pid = pid,
		.tid = pid,
		.program = output->program,
		.interval = longest_interval(output),
	};
	int rc = prf_pattern_name(parts.pattern, &values, &base, err);

	if (rc == 0 && asprintf(name, "%s%s", base, parts.suffix) < 0) {
		*name = NULL;
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	}
	return rc;
}

/* Several formats are files side by side; a device has no place beside it. */
static int
check_company(const struct prf_output *output, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	const struct prf_pattern_values values = longest_values(output);
	bool is_single = (output->formats & (output->formats - 1)) == 0;

	if (is_single || !output->given)
		return 0;
	int rc = prf_pattern_name(output->pattern, &values, &name, err);
	if (rc || !prf_outdir_in_place(output->dir, name))
		return rc;
	return prf_error_set(err, -EINVAL,
			     "-f: %s is no file that others can stand beside; "
			     "name a file with -o, or one format",
			     output->given);
}

/* Could NAME be written with SUFFIX, which says what is beside it? */
static int
check_beside(struct prf_outdir *dir, const char *name, const char *suffix,
	     struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *beside = NULL;

	if (asprintf(&beside, "%s%s", name, suffix) < 0) {
		beside = NULL;
		return prf_error_set(err, -ENOMEM, "out of memory");
	}
	return prf_outdir_check(dir, beside, err);
}

/* What is written as the program runs. */
static int
check_streams(const struct prf_output *output,
	      const struct prf_options *options, struct prf_error *err)
{
	static const enum prf_format streams[] = {PRF_FORMAT_PCSAMPLE,
						  PRF_FORMAT_RAW};
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof streams / sizeof *streams; i++) {
		PRF_AUTO(prf_auto_free) char *name = NULL;

		if (!(output->formats & streams[i]))
			continue;
		rc = stream_name(output, streams[i], PRF_PATTERN_PID_MAX, &name,
				 err);
		if (!rc)
			rc = prf_outdir_check(output->dir, name, err);
		if (!rc && streams[i] == PRF_FORMAT_PCSAMPLE &&
		    options->max_trace_bytes)
			rc = check_beside(output->dir, name, ".old", err);
		if (!rc && streams[i] == PRF_FORMAT_RAW &&
		    !prf_outdir_in_place(output->dir, name))
			rc = check_beside(output->dir, name, MAPS, err);
		if (!rc && streams[i] == PRF_FORMAT_PCSAMPLE &&
		    options->max_trace_bytes &&
		    prf_outdir_in_place(output->dir, name))
			rc = prf_error_set(err, -EINVAL,
					   "--max-size: %s is no file that "
					   "could be begun again",
					   name);
	}
	return rc;
}

/* An earlier run has left a gmon.out NAME, and its list, that this one may replace. */
static int
note_old(struct prf_output *output, const char *name, struct prf_error *err)
{
	PRF_AUTO(prf_auto_fclose)
	FILE *file = prf_outdir_read(output->dir, name);

	if (!file || prf_gmon_files_writer(file) != PRF_GMON_FILES_PROFRUN)
		return 0;
	output->old = strdup(name);
	return output->old ? 0 : prf_error_set(err, -ENOMEM, "out of memory");
}

static int
check_gmon(struct prf_output *output, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	PRF_AUTO(prf_auto_free) char *symbols = NULL;
	const struct prf_pattern_values values = longest_values(output);
	int rc = prf_pattern_name(output->pattern, &values, &name, err);

	if (rc == 0)
		rc = prf_outdir_check(output->dir, name, err);
	if (rc < 0)
		return rc;
	output->in_place = prf_outdir_in_place(output->dir, name);
	if (output->in_place && output->split)
		return prf_error_set(err, -EINVAL,
				     "--split: %s is no file that others can "
				     "stand beside; name a file with -o",
				     name);
	if (output->in_place || output->split)
		return 0;
	rc = symbols_name_for(name, &symbols, err);
	if (rc == 0)
		rc = prf_outdir_check(output->dir, symbols, err);
	return rc < 0 ? rc : note_old(output, name, err);
}

/* What is written for other tools. */
static int
check_exports(struct prf_output *output, struct prf_error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && prf_export_format(i); i++) {
		PRF_AUTO(prf_auto_free) char *name = NULL;
		enum prf_format format = prf_format_export(i);

		if (!(output->formats & (unsigned)format))
			continue;
		rc = stream_name(output, format, PRF_PATTERN_PID_MAX, &name,
				 err);
		if (!rc)
			rc = prf_outdir_check(output->dir, name, err);
		if (!rc && prf_outdir_in_place(output->dir, name))
			output->in_place = true;
	}
	return rc;
}

int
prf_output_open(const struct prf_options *options, struct prf_output *output,
		struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *directory = NULL;
	struct prf_pattern_values values = {.program = options->program[0]};

	*output = (struct prf_output){
		.pattern = options->output,
		.program = options->program[0],
		.formats = options->formats,
		.given = options->output_given,
		.split = options->split,
		.has_intervals = options->every_ns,
	};
	int rc = prf_pattern_directory(options->output, &values, &directory,
				       err);
	if (rc == 0)
		rc = prf_outdir_open(directory, &output->dir, err);
	if (rc == 0)
		rc = check_company(output, err);
	if (rc == 0)
		rc = check_streams(output, options, err);
	if (rc == 0 && (options->formats & PRF_FORMAT_GMON))
		rc = check_gmon(output, err);
	if (rc == 0)
		rc = check_exports(output, err);
	if (rc < 0)
		prf_output_close(output);
	return rc;
}

void
prf_output_close(struct prf_output *output)
{
	prf_outnames_clear(&output->names);
	free(PRF_TAKE(output->old));
	free(PRF_TAKE(output->reserved));
	free(PRF_TAKE(output->moved));
	free(PRF_TAKE(output->moved_to));
	output->n_moved = 0;
	prf_outdir_close(PRF_TAKE(output->dir));
}

/* --- What is no part of it */

/* Is NAME what a file of FORMAT called FILE takes, or keeps of an earlier run? */
static bool
is_taken(enum prf_format format, const char *file, const char *name)
{
	PRF_AUTO(prf_auto_free) char *symbols = prf_outname_symbols(file);
	static const char *const endings[] = {"", ".old", MAPS};
	size_t length = strlen(file);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (strncmp(name, file, length) == 0 &&
		    strcmp(name + length, endings[i]) == 0)
			return true;
	return format == PRF_FORMAT_GMON && symbols &&
	       strcmp(name, symbols) == 0;
}

int
prf_output_reserve(struct prf_output *output, const struct prf_outdir *dir,
		   const char *name, struct prf_error *err)
{
	if (!prf_outdir_is_same(dir, output->dir) ||
	    prf_outdir_in_place(dir, name))
		return 0;
	for (unsigned rest = output->formats; rest; rest &= rest - 1) {
		PRF_AUTO(prf_auto_free) char *file = NULL;
		enum prf_format format = (enum prf_format)(rest & -rest);
		int rc = stream_name(output, format, PRF_PATTERN_PID_MAX, &file,
				     err);

		if (rc)
			return rc;
		if (is_taken(format, file, name))
			return prf_error_set(
				err, -EINVAL,
				"%s: is the name of a file of the profile",
				name);
	}
	free(output->reserved);
	output->reserved = strdup(name);
	int rc = output->reserved ? prf_outnames_claim(&output->names, name)
				  : -ENOMEM;
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

void
prf_output_forget_names(struct prf_output *output)
{
	prf_outnames_clear(&output->names);
	if (output->reserved)
		(void)!prf_outnames_claim(&output->names, output->reserved);
}

/* --- Whose it is */

/* /proc/PID/exe says so where the file is gone. */
static void
cut_deleted(char *path)
{
	static const char ending[] = " (deleted)";
	size_t length = strlen(path), cut = sizeof ending - 1;

	if (length > cut && strcmp(path + length - cut, ending) == 0)
		path[length - cut] = '\0';
}

/* What the pattern of FORMAT says of OWNER. */
static int
expand(const struct prf_output *output, enum prf_format format,
       const struct prf_output_owner *owner, char **name, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	char *program = strdup(owner->program ? owner->program : "");
	PRF_AUTO(prf_auto_free) char *base = NULL;
	const struct prf_format_name parts =
		prf_format_name(format, output->formats, output->given);

	if (!program)
		return prf_error_set(err, -ENOMEM, "out of memory");
	cut_deleted(program);
	const struct prf_pattern_values values = {
		.is_rest = owner->is_rest,
		.pid = owner->pid,
		.tid = owner->tid ? owner->tid : owner->pid,
		.program = owner->is_main ? output->program : program,
		.rank = owner->rank,
		.interval = owner->interval,
	};
	int rc = prf_pattern_name(parts.pattern, &values, &base, err);
	if (!rc && asprintf(name, "%s%s", base, parts.suffix) < 0) {
		*name = NULL;
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	}
	return rc;
}

bool
prf_output_is_foreign(const struct prf_output *output, const char *name)
{
	if (output->split) /* it has no file of that name itself */
		return false;
	if (prf_outdir_has_changed(output->dir, name))
		return true;
	PRF_AUTO(prf_auto_fclose)
	FILE *file = prf_outdir_read(output->dir, name);

	if (!file)
		return false;
	switch (prf_gmon_files_writer(file)) {
	case PRF_GMON_FILES_ANOTHER:
		return true;
	case PRF_GMON_FILES_NO_GMON:
		return !output->given;
	case PRF_GMON_FILES_NOBODY:
	case PRF_GMON_FILES_PROFRUN:
		break;
	}
	return false;
}

/* Of a file of FORMAT called NAME: what must not be written, since something
 * else has put it there: that or what would stand beside it; to be free()d.
 * NULL: nothing, or memory is short. */
static char *
changed_of(const struct prf_output *output, enum prf_format format,
	   const char *name)
{
	PRF_AUTO(prf_auto_free) char *beside = NULL;

	if (prf_outdir_has_changed(output->dir, name))
		return strdup(name);
	if (prf_outdir_in_place(output->dir, name))
		return NULL;
	if (format == PRF_FORMAT_GMON)
		beside = prf_outname_symbols(name);
	else if (format == PRF_FORMAT_RAW &&
		 asprintf(&beside, "%s" MAPS, name) < 0)
		beside = NULL;
	return beside && prf_outdir_has_changed(output->dir, beside)
		       ? PRF_TAKE(beside)
		       : NULL;
}

bool
prf_output_has_changed(const struct prf_output *output, const char *name)
{
	PRF_AUTO(prf_auto_free)
	char *changed = changed_of(output, PRF_FORMAT_GMON, name);

	return changed;
}

/* What NAME is called where that is taken: "NAME.profrun", unless that is, too.
 * NULL: out of memory. */
static char *
aside(const struct prf_output *output, enum prf_format format, const char *name)
{
	enum { MOST = 1000 };

	for (unsigned i = 0;; i++) {
		PRF_AUTO(prf_auto_free) char *changed = NULL;
		char n[16] = "", *free_name;

		if (i)
			snprintf(n, sizeof n, ".%u", i);
		if (asprintf(&free_name, "%s.profrun%s", name, n) < 0)
			return NULL;
		changed = changed_of(output, format, free_name);
		if (!changed || i == MOST)
			return free_name;
		free(free_name);
	}
}

/* NAME was to be written, but it, or what would stand beside it, LEFT, is left
 * alone. */
static void
note_moved(struct prf_output *output, const char *left, const char *name)
{
	if (output->n_moved++)
		return;
	output->moved = prf_outdir_path(output->dir, left);
	output->moved_to = prf_outdir_path(output->dir, name);
	output->moved_is_file = !prf_outdir_has_changed(output->dir, left);
}

/* Where something else has put something in the way of the file *NAME of FORMAT:
 * *LEFT is that, to be free()d, and *NAME another name.  Else *LEFT is NULL. */
static int
avoid(const struct prf_output *output, enum prf_format format, char **name,
      char **left)
{
	PRF_AUTO(prf_auto_free) char *changed = NULL;

	*left = NULL;
	changed = format == PRF_FORMAT_GMON &&
				  prf_output_is_foreign(output, *name)
			  ? strdup(*name)
			  : changed_of(output, format, *name);
	if (!changed)
		return 0;
	char *free_name = aside(output, format, *name);
	if (!free_name)
		return -ENOMEM;
	free(*name);
	*name = free_name;
	*left = PRF_TAKE(changed);
	return 0;
}

int
prf_output_avoid(struct prf_output *output, enum prf_format format, char **name,
		 struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *left = NULL;

	if (avoid(output, format, name, &left))
		return prf_error_set(err, -ENOMEM, "out of memory");
	if (left)
		note_moved(output, left, *name);
	return 0;
}

/* BASE, with ".NUMBER" if it is NUMBERED.  What something else has put there,
 * *LEFT, stays there.  NULL: out of memory. */
static char *
make_name(const struct prf_output *output, enum prf_format format,
	  const char *base, bool numbered, unsigned number, char **left)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	char n[16] = "";

	if (numbered)
		snprintf(n, sizeof n, ".%u", number);
	if (asprintf(&name, "%s%s", base, n) < 0) {
		name = NULL;
		return NULL;
	}
	/* With --split there is no file of that name. */
	if (format == PRF_FORMAT_GMON && output->split)
		return PRF_TAKE(name);
	return avoid(output, format, &name, left) ? NULL : PRF_TAKE(name);
}

static int
claim_name(struct prf_output *output, enum prf_format format,
	   const struct prf_output_owner *owner, char **name,
	   struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *base = NULL;
	bool numbered = owner->is_earlier;
	unsigned number = owner->n_execs;
	int rc = expand(output, format, owner, &base, err);

	if (rc)
		return rc;
	do {
		PRF_AUTO(prf_auto_free) char *left = NULL;
		PRF_AUTO(prf_auto_free)
		char *next = make_name(output, format, base, numbered, number++,
				       &left);

		rc = next ? prf_outnames_claim(&output->names, next) : -ENOMEM;
		if (rc == 0 && left)
			note_moved(output, left, next);
		if (rc == 0)
			*name = PRF_TAKE(next);
		numbered = true;
	} while (rc == -EEXIST);
	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

int
prf_output_name(struct prf_output *output, const struct prf_output_owner *owner,
		char **name, struct prf_error *err)
{
	return claim_name(output, PRF_FORMAT_GMON, owner, name, err);
}

int
prf_output_export_name(struct prf_output *output, enum prf_format format,
		       const struct prf_output_owner *owner, char **name,
		       struct prf_error *err)
{
	return claim_name(output, format, owner, name, err);
}

int
prf_output_stream_name(struct prf_output *output, enum prf_format format,
		       pid_t pid, char **name, struct prf_error *err)
{
	int rc = stream_name(output, format, pid, name, err);

	if (rc == 0)
		rc = prf_output_avoid(output, format, name, err);
	if (rc)
		return rc;
	rc = prf_outnames_claim(&output->names, *name);
	return rc == -EEXIST
		       ? prf_error_set(err, rc, "%s: is another file's name",
				       *name)
	       : rc ? prf_error_set(err, rc, "out of memory")
		    : 0;
}

/* --- The files */

/* An old gmon.out takes its list with it. */
static int
keep_old(const char *name, struct prf_outfile *gmon,
	 struct prf_outfile *symbols, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *old = NULL;
	PRF_AUTO(prf_auto_free) char *old_symbols = NULL;

	if (asprintf(&old, "%s.old", name) < 0) {
		old = NULL;
		return prf_error_set(err, -ENOMEM, "out of memory");
	}
	int rc = symbols_name_for(old, &old_symbols, err);
	if (!rc)
		rc = prf_outfile_keep_old(gmon, old, err);
	return rc ? rc : prf_outfile_keep_old(symbols, old_symbols, err);
}

int
prf_output_begin(const struct prf_output *output, const char *name,
		 struct prf_outfile **gmon, struct prf_outfile **symbols,
		 struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *symbols_name = NULL;
	struct prf_outfile *first = NULL;
	int rc = prf_outfile_create(output->dir, name, &first, err);

	*symbols = NULL;
	if (rc == 0 && !prf_outdir_in_place(output->dir, name)) {
		rc = symbols_name_for(name, &symbols_name, err);
		if (rc == 0)
			rc = prf_outfile_create(output->dir, symbols_name,
						symbols, err);
		if (rc == 0 && output->keeps_old)
			rc = keep_old(name, first, *symbols, err);
	}
	if (rc < 0) {
		prf_outfile_free(first);
		return rc;
	}
	*gmon = first;
	return 0;
}

int
prf_output_begin_one(const struct prf_output *output, const char *name,
		     struct prf_outfile **file, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *old = NULL;
	int rc = prf_outfile_create(output->dir, name, file, err);

	if (rc || !output->keeps_old)
		return rc;
	if (asprintf(&old, "%s.old", name) < 0) {
		old = NULL;
		return prf_error_set(err, -ENOMEM, "out of memory");
	}
	return prf_outfile_keep_old(*file, old, err);
}
