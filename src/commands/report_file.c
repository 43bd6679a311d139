#include "src/commands/report_file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/gmon_read.h"
#include "core/scope.h"
#include "image/image.h"
#include "src/commands/newest.h"
#include "src/commands/recording.h"
#include "src/output/outname.h"
#include "view/gmon/gmon_files.h"
#include "view/gmon/gmon_named.h"
#include "view/gmon/nm_list.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);
PRF_DEFINE_AUTO(prf_image, prf_image_close);

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* --- Which file */

static bool
is_elf(const char *path)
{
	return prf_input_begins(path, ELFMAG, SELFMAG);
}

/* gprof's own default. */
static int
find_beside(struct prf_report_file *file, const char *program,
	    struct prf_error *err)
{
	if (access("gmon.out", F_OK) < 0)
		return prf_error_set(err, -ENOENT,
				     "%s: is a program, and there is no "
				     "gmon.out here; name its profile, too",
				     program);
	file->program = program;
	file->path = strdup("gmon.out");
	return file->path ? 0 : no_memory(err);
}

int
prf_report_file_find(struct prf_report_file *file, char *const *words, size_t n,
		     struct prf_error *err)
{
	*file = (struct prf_report_file){.is_newest = n == 0};
	if (n == 0)
		return prf_newest_find(PRF_NEWEST_PROFILE, &file->path, err);
	if (n == 1 && is_elf(words[0]))
		return find_beside(file, words[0], err);
	if (n == 2 && !is_elf(words[0]))
		return prf_error_set(err, -EINVAL,
				     "%s: is no program; give one file, or a "
				     "program and its gmon.out",
				     words[0]);
	file->program = n == 2 ? words[0] : NULL;
	file->path = strdup(words[n - 1]);
	return file->path ? 0 : no_memory(err);
}

void
prf_report_file_clear(struct prf_report_file *file)
{
	free(file->path);
	free(file->names_from);
	*file = (struct prf_report_file){0};
}

/* --- Names of a gmon.out that has no list of its own */

static int
add_named(const struct prf_report_file *file, struct prf_symbol_list *symbols,
	  struct prf_profile_sum *sum, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;
	struct prf_error why = {0};
	int rc = prf_infile_read(&sum->gmon, file->path, err);

	if (rc)
		return rc;
	rc = prf_gmon_parse(sum->gmon.bytes, sum->gmon.n_bytes, NULL, &gmon,
			    &why);
	if (!rc)
		rc = prf_gmon_named_add(sum->profile, gmon,
					file->program ? file->program : "",
					symbols, &why);
	return rc ? prf_error_set(err, rc, "%s: %s", file->path, why.text) : 0;
}

static int
read_by_program(struct prf_report_file *file, const char *names_from,
		struct prf_profile_sum *sum, struct prf_error *err)
{
	PRF_AUTO(prf_symbol_list_clear) struct prf_symbol_list symbols = {0};
	PRF_AUTO(prf_image_auto) struct prf_image *image = NULL;
	struct prf_error why = {0};
	int rc = prf_image_open(names_from, &image, &why);

	if (rc)
		return prf_error_set(err, rc, "%s: %s", names_from, why.text);
	if (prf_nm_list_of_image(&symbols, image))
		return no_memory(err);
	return add_named(file, &symbols, sum, err);
}

static int
read_by_nm(struct prf_report_file *file, const char *names_from,
	   struct prf_profile_sum *sum, struct prf_error *err)
{
	PRF_AUTO(prf_symbol_list_clear) struct prf_symbol_list symbols = {0};
	struct prf_error why = {0};
	int rc = prf_infile_read(&sum->syms, names_from, err);

	if (rc)
		return rc;
	rc = prf_nm_list_read(&symbols, sum->syms.bytes, sum->syms.n_bytes,
			      &why);
	return rc ? prf_error_set(err, rc, "%s: %s", names_from, why.text)
		  : add_named(file, &symbols, sum, err);
}

static int
read_by_list(struct prf_report_file *file, const char *names_from,
	     struct prf_profile_sum *sum, struct prf_error *err)
{
	return prf_profile_sum_add_gmon(sum, file->path, names_from, err);
}

/* --- A list, and a program that was named, too */

static bool
is_same_file(const char *path, const char *other)
{
	struct stat st, other_st;

	return !stat(path, &st) && !stat(other, &other_st) &&
	       st.st_dev == other_st.st_dev && st.st_ino == other_st.st_ino;
}

static bool
is_twin(const struct prf_image *image, const struct prf_binary *binary)
{
	const struct prf_image_info *info = prf_image_info(image);

	return info->build_id_size &&
	       info->build_id_size == binary->build_id_bytes &&
	       memcmp(info->build_id, binary->build_id, info->build_id_size) ==
		       0;
}

/* What a program is to the binaries of a profile. */
enum relation { STRANGER, TWIN, SAME };

static enum relation
relation_of(const char *program, const struct prf_profile *profile)
{
	PRF_AUTO(prf_image_auto) struct prf_image *image = NULL;
	enum relation relation = STRANGER;

	if (prf_image_open(program, &image, NULL))
		return STRANGER;
	for (size_t i = 0; i < profile->n_binaries; i++) {
		if (is_same_file(profile->binaries[i]->path, program))
			return SAME;
		if (is_twin(image, profile->binaries[i]))
			relation = TWIN;
	}
	return relation;
}

/* A file that was stripped has more names in its twin that was not. */
static int
read_by_list_or_twin(struct prf_report_file *file, const char *names_from,
		     struct prf_profile_sum *sum, struct prf_error *err)
{
	int rc = read_by_list(file, names_from, sum, err);
	enum relation relation =
		!rc && file->program ? relation_of(file->program, sum->profile)
				     : SAME;

	if (rc || relation == SAME)
		return rc;
	if (relation == STRANGER)
		return prf_error_set(err, -EINVAL,
				     "%s: is none of the binaries that %s "
				     "names; leave it out",
				     file->program, names_from);
	free(file->names_from);
	file->names_from = strdup(file->program);
	prf_profile_sum_clear(sum);
	rc = file->names_from ? prf_profile_sum_init(sum, NULL, err)
			      : no_memory(err);
	return rc ? rc : read_by_program(file, file->program, sum, err);
}

/* --- Where the names are */

static bool
is_ours(const char *path)
{
	PRF_AUTO(prf_auto_fclose) FILE *gmon = fopen(path, "r");

	return gmon && prf_gmon_files_writer(gmon) == PRF_GMON_FILES_PROFRUN;
}

/* "gmon.syms" in the directory of PATH; NULL: out of memory. */
static char *
usual_list(const char *path)
{
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash + 1 - path) : 0;
	char *list;

	return asprintf(&list, "%.*sgmon.syms", length, path) < 0 ? NULL : list;
}

typedef int read_names(struct prf_report_file *file, const char *names_from,
		       struct prf_profile_sum *sum, struct prf_error *err);

/* How the names are read, which are in *FROM; NULL: there are none. */
static read_names *
choose(const struct prf_report_file *file, const char *syms, const char *beside,
       const char *usual, const char **from)
{
	bool has_beside = access(beside, F_OK) == 0;
	bool ours = is_ours(file->path);

	*from = syms;
	if (syms)
		return access(syms, F_OK) || prf_input_is_list(syms)
			       ? read_by_list
			       : read_by_nm;
	*from = beside;
	if (has_beside && (ours || !file->program))
		return read_by_list_or_twin;
	*from = file->program;
	if (file->program)
		return read_by_program;
	/* It was given another name. */
	*from = usual;
	return ours && prf_input_is_list(usual) ? read_by_list : NULL;
}

static int
read_gmon(struct prf_report_file *file, const char *syms,
	  struct prf_profile_sum *sum, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *beside = prf_outname_symbols(file->path);
	PRF_AUTO(prf_auto_free) char *usual = usual_list(file->path);
	const char *from;

	if (!beside || !usual)
		return no_memory(err);
	read_names *read = choose(file, syms, beside, usual, &from);
	if (!read)
		return prf_error_set(err, -ENOENT,
				     "%s: has no list of symbols beside it; "
				     "give its program: profrun report PROGRAM "
				     "%s",
				     file->path, file->path);
	file->has_calls = !is_ours(file->path);
	file->names_from = strdup(from);
	return file->names_from ? read(file, from, sum, err) : no_memory(err);
}

/* -EINVAL: a list or a program is named for a file that has names itself. */
static int
refuse_names(const struct prf_report_file *file, const char *syms,
	     struct prf_error *err)
{
	bool is_packed = prf_input_begins(file->path, "\x1f\x8b", 2);
	bool is_trace = prf_recording_is_trace(file->path);

	if ((!file->program && !syms) || (!is_trace && !is_packed))
		return 0;
	return prf_error_set(err, -EINVAL,
			     "%s: a %s has names of its own; leave "
			     "out %s%s",
			     file->path, is_trace ? "trace" : "pprof file",
			     syms ? "-S " : "", syms ? syms : file->program);
}

int
prf_report_file_read(struct prf_report_file *file, const char *syms,
		     const struct prf_reading *reading,
		     struct prf_profile_sum *sum, struct prf_error *err)
{
	bool has_names = file->program || syms;

	file->is_pprof = !has_names && prf_profile_sum_kind(sum, file->path) ==
					       PRF_PROFILE_PPROF;
	/* No byte that begins a trace begins a gmon.out of ours. */
	file->is_trace = prf_recording_is_trace(file->path) ||
			 (!has_names && !file->is_pprof &&
			  !prf_input_begins(file->path, "g", 1));
	int rc = refuse_names(file, syms, err);
	if (rc)
		return rc;
	if (file->is_trace)
		return prf_profile_sum_add_trace(sum, file->path, reading, err);
	if (file->is_pprof)
		return prf_profile_sum_add_pprof(sum, file->path, reading, err);
	rc = prf_wanted_check_whole(&reading->wanted, file->path, "gmon.out",
				    err);
	return rc ? rc : read_gmon(file, syms, sum, err);
}

/* --- What it tells of */

/* Do labels of a pprof file tell it? */
static bool
is_told(enum prf_rows_by by, const struct prf_profile *profile)
{
	return (by == PRF_ROWS_BY_PROGRAM && profile->programs.n) ||
	       (by == PRF_ROWS_BY_THREAD && profile->threads.n) ||
	       (by == PRF_ROWS_BY_RANK && profile->calls &&
		profile->calls->owners.n);
}

int
prf_report_file_check(const struct prf_report_file *file, enum prf_rows_by by,
		      const struct prf_profile *profile, struct prf_error *err)
{
	if (file->is_trace || by <= PRF_ROWS_BY_BINARY || is_told(by, profile))
		return 0;
	return prf_error_set(err, -EINVAL, "%s: a %s does not tell of a %s",
			     file->path,
			     file->is_pprof ? "pprof file" : "gmon.out",
			     prf_rows_heading(by));
}
