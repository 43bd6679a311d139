#include "src/commands/cmd_merge.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "core/scope.h"
#include "src/exit_status.h"
#include "src/output/insist.h"
#include "src/output/outfile.h"
#include "src/output/outname.h"
#include "src/output/terminal.h"
#include "src/commands/profile_file.h"
#include "src/commands/reading.h"
#include "src/commands/recording.h"
#include "view/gmon/gmon_files.h"
#include "view/table/mergereport.h"

PRF_DEFINE_AUTO(prf_gmon_layout, prf_gmon_layout_free);
PRF_DEFINE_AUTO(prf_outdir, prf_outdir_close);
PRF_DEFINE_AUTO(prf_outfile, prf_outfile_free);

/* What people read. */
enum { MAX_FUNCTIONS = 20 };

/* --- The command line */

struct sum {
	struct prf_reading reading; /* the first member */
	const char *output;
	bool all_symbols;
	char **files; /* NULL at the end */
};

enum { KEY_ALL_SYMBOLS = 256 };

static const struct argp_option option_table[] = {
	PRF_OPTION("output", 'o', "OUT",
		   "File to write; its list of symbols is written beside it"),
	PRF_OPTION("all-symbols", KEY_ALL_SYMBOLS, NULL, "As when recording"),
	PRF_READING_OPTIONS_END,
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct sum *sum = state->input;

	switch (key) {
	case 'o':
		sum->output = arg;
		return 0;
	case KEY_ALL_SYMBOLS:
		sum->all_symbols = true;
		return 0;
	case ARGP_KEY_ARGS:
		sum->files = state->argv + state->next;
		return 0;
	default:
		return prf_reading_take(&sum->reading, key, arg);
	}
}

const struct argp prf_merge_parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE...",
	.doc = "Add traces, gmon.outs and pprof files of several runs, "
	       "programs "
	       "or MPI ranks.  The list of symbols that stands beside a "
	       "gmon.out is used.",
};

static int
check(const struct sum *sum, struct prf_error *err)
{
	if (!sum->output || !*sum->output)
		return prf_error_set(err, -EINVAL,
				     "merge: -o OUT is missing; use profrun "
				     "merge -o OUT FILE...");
	if (!sum->files)
		return prf_error_set(err, -EINVAL,
				     "merge: no files to add; use profrun "
				     "merge -o OUT FILE...");
	return 0;
}

/* --- Writing */

/* A list that is there already would be taken for that of a file without. */
static int
check_no_list(const char *path, const char *syms, struct prf_error *err)
{
	if (access(syms, F_OK) < 0)
		return 0;
	return prf_error_set(err, -EEXIST,
			     "%s: is there, and would be taken for the list of "
			     "%s, which has none; remove it",
			     syms, path);
}

/* A profile of something else cannot be made again: only a file of ours, or one
 * that is no profile, has been named to be replaced. */
static int
check_ours(const struct prf_outdir *dir, const char *name, const char *path,
	   struct prf_error *err)
{
	PRF_AUTO(prf_auto_fclose) FILE *old = prf_outdir_read(dir, name);

	if (!old || prf_gmon_files_writer(old) != PRF_GMON_FILES_ANOTHER)
		return 0;
	return prf_error_set(err, -EEXIST,
			     "%s: was written by something else; remove it, or "
			     "name another file",
			     path);
}

/* Begins NAME in DIR, where what is there may be replaced. */
static int
begin(struct prf_outdir *dir, const char *name, struct prf_outfile **file,
      struct prf_error *err)
{
	int rc = prf_outdir_check(dir, name, err);

	return rc ? rc : prf_outfile_create(dir, name, file, err);
}

static int
write_list(struct prf_outdir *dir, const char *name,
	   const struct prf_gmon_layout *layout, bool all_symbols,
	   struct prf_outfile **file, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *syms = prf_outname_symbols(name);

	if (!syms)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = begin(dir, syms, file, err);
	return rc ? rc
		  : prf_outfile_blame(*file,
				      prf_gmon_files_write_syms(
					      layout, all_symbols,
					      prf_outfile_stream(*file), err),
				      err);
}

/* Both files are written before either gets its name. */
static int
write_files(const struct sum *sum, const struct prf_profile *profile,
	    struct prf_error *err)
{
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	PRF_AUTO(prf_outdir_auto) struct prf_outdir *dir = NULL;
	PRF_AUTO(prf_insist_end) struct prf_insist insist = {0};
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *gmon = NULL;
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *syms = NULL;
	const char *path = sum->output, *name = path;
	PRF_AUTO(prf_auto_free) char *syms_path = prf_outname_symbols(path);

	if (!syms_path)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_gmon_layout_new(profile, &layout, err);
	if (!rc)
		rc = prf_outdir_open_of(path, &dir, &name, err);
	if (rc)
		return rc;
	prf_insist_begin_alone(&insist, dir);
	bool alone = prf_outdir_in_place(dir, name);
	rc = check_ours(dir, name, path, err);
	if (!rc && !alone && !layout->has_list)
		rc = check_no_list(path, syms_path, err);
	if (!rc)
		rc = begin(dir, name, &gmon, err);
	if (!rc)
		rc = prf_outfile_blame(
			gmon,
			prf_gmon_files_write_ticks(
				layout, prf_outfile_stream(gmon), err),
			err);
	if (!rc && !alone && layout->has_list)
		rc = write_list(dir, name, layout, sum->all_symbols, &syms,
				err);
	if (!rc && syms)
		rc = prf_outfile_commit(syms, err);
	return rc ? rc : prf_outfile_commit(gmon, err);
}

static int
fail(const struct sum *sum, int status, const struct prf_error *err)
{
	return prf_reading_fail(&sum->reading, status, err);
}

static int
add_all(const struct sum *sum, struct prf_profile_sum *all,
	struct prf_error *err)
{
	int rc = 0;

	/* A shell that expands gmon.out* finds the lists, too, which are read
	 * with the files that they are beside. */
	for (char **file = sum->files; !rc && *file; file++)
		if (!prf_input_is_list(*file))
			rc = prf_profile_sum_add(all, *file, &sum->reading,
						 err);
	if (!rc && !all->n_files)
		return prf_error_set(err, -EINVAL,
				     "merge: no files to add, only lists of "
				     "symbols");
	return rc;
}

static int
run(const struct sum *sum)
{
	PRF_AUTO(prf_profile_sum_clear) struct prf_profile_sum all = {0};
	PRF_AUTO(prf_spread_clear) struct prf_spread spread = {0};
	FILE *summary = prf_message_summary(&sum->reading.messages);
	struct prf_error err = {0};

	if (prf_profile_sum_init(&all, summary ? &spread : NULL, &err))
		return fail(sum, PRF_EXIT_FAILED, &err);
	int rc = add_all(sum, &all, &err);
	if (rc)
		return fail(sum,
			    rc == -ENOMEM ? PRF_EXIT_FAILED : PRF_EXIT_REFUSED,
			    &err);
	if (write_files(sum, prf_profile_sum_whole(&all), &err))
		return fail(sum, PRF_EXIT_FAILED, &err);
	if (!summary)
		return PRF_EXIT_OK;
	const struct prf_style style =
		prf_terminal_style(summary, PRF_TERMINAL_USUAL_WIDTH, false);
	if (!prf_mergereport_print(prf_profile_sum_whole(&all), &spread,
				   MAX_FUNCTIONS, &style, summary))
		return PRF_EXIT_OK;
	prf_error_set(&err, -ENOMEM, "out of memory");
	return fail(sum, PRF_EXIT_FAILED, &err);
}

int
prf_cmd_merge(const struct prf_options *options,
	      const struct prf_messages *messages)
{
	struct sum sum = {.reading.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_merge_parser, options->program, &sum,
				   &err);

	if (!rc && sum.reading.help)
		return prf_reading_help(&prf_merge_parser, "merge", messages);
	return rc || check(&sum, &err) ? fail(&sum, PRF_EXIT_FAILED, &err)
				       : run(&sum);
}
