#include "cmd_merge.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon_read.h"
#include "core/pctrace_format.h"
#include "core/scope.h"
#include "exit_status.h"
#include "infile.h"
#include "option_fault.h"
#include "outfile.h"
#include "outname.h"
#include "view/merge.h"
#include "view/mergedfiles.h"
#include "view/mergereport.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);
PRF_DEFINE_AUTO(prf_merge, prf_merge_free);
PRF_DEFINE_AUTO(prf_merged_layout, prf_merged_layout_free);
PRF_DEFINE_AUTO(prf_outdir, prf_outdir_close);
PRF_DEFINE_AUTO(prf_outfile, prf_outfile_free);

/* What people read. */
enum { MAX_FUNCTIONS = 20 };

/* --- The command line */

enum { KEY_HELP = 256 };

static const struct argp_option option_table[] = {
	{.name = "output",
	 .key = 'o',
	 .arg = "OUT",
	 .doc = "File to write; its list of symbols stands beside it"},
	{.name = "quiet", .key = 'q', .doc = "Print nothing but errors"},
	{.name = "help", .key = KEY_HELP, .doc = "Print this help"},
	{0},
};

struct words {
	const char *output;
	bool quiet, help;
	char **files; /* NULL at the end */
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct words *words = state->input;

	switch (key) {
	case 'o':
		words->output = arg;
		return 0;
	case 'q':
		words->quiet = true;
		return 0;
	case KEY_HELP:
		words->help = true;
		return 0;
	case ARGP_KEY_ARGS:
		words->files = state->argv + state->next;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser_of_words = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE...",
	.doc = "Add the gmon.outs of several processes.  Each FILE's list of "
	       "symbols, gmon.syms or FILE.syms, is used where it is.",
};

static int
parse(char **argv, struct words *words, struct prf_error *err)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	/* argp puts the options first; the words stay the caller's. */
	if (argp_parse(&parser_of_words, argc, argv,
		       ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL,
		       words)) {
		struct prf_error why;

		prf_option_fault(option_table, argc, argv, &why);
		return prf_error_set(err, -EINVAL, "merge: %s", why.text);
	}
	if (words->help)
		return 0;
	if (!words->output || !*words->output)
		return prf_error_set(err, -EINVAL,
				     "merge: where to? use profrun merge -o "
				     "OUT FILE...");
	if (!words->files)
		return prf_error_set(err, -EINVAL,
				     "merge: no files to add; use profrun "
				     "merge -o OUT FILE...");
	return 0;
}

/* --- Reading */

/* What is read into, and used again for each file. */
struct input {
	struct prf_infile gmon, syms;
};

static void
input_clear(struct input *input)
{
	prf_infile_clear(&input->gmon);
	prf_infile_clear(&input->syms);
}

static bool
is_trace(const struct prf_infile *file)
{
	return file->n_bytes >= PRF_PCTRACE_MAGIC_BYTES &&
	       memcmp(file->bytes, PRF_PCTRACE_MAGIC,
		      PRF_PCTRACE_MAGIC_BYTES) == 0;
}

/* The list beside PATH; *TEXT is NULL where there is none. */
static int
read_list(const char *path, struct prf_infile *syms, const char **text,
	  struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = prf_outname_symbols(path);

	*text = NULL;
	if (!name)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_infile_read(syms, name, err);
	if (rc == -ENOENT)
		return 0;
	*text = rc ? NULL : syms->bytes;
	return rc;
}

static int
add_file(struct prf_merge *merge, struct input *input, const char *path,
	 struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;
	struct prf_error why;
	const char *list;
	int rc = prf_infile_read(&input->gmon, path, err);

	if (rc)
		return rc;
	if (is_trace(&input->gmon))
		return prf_error_set(err, -EINVAL,
				     "%s: is a trace: make a gmon.out of it "
				     "first",
				     path);
	rc = prf_gmon_parse(input->gmon.bytes, input->gmon.n_bytes, NULL, &gmon,
			    &why);
	if (rc)
		return prf_error_set(err, rc, "%s: %s", path, why.text);
	rc = read_list(path, &input->syms, &list, err);
	if (rc)
		return rc;
	rc = prf_merge_add(merge, path, gmon, list, input->syms.n_bytes, &why);
	return rc ? prf_error_set(err, rc, "%s: %s", path, why.text) : 0;
}

static int
add_files(struct prf_merge *merge, char **files, struct prf_error *err)
{
	PRF_AUTO(input_clear) struct input input = {0};
	int rc = 0;

	for (; !rc && *files; files++)
		rc = add_file(merge, &input, *files, err);
	return rc;
}

/* --- Writing */

static int
open_directory(const char *path, struct prf_outdir **dir, const char **name,
	       struct prf_error *err)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;
	PRF_AUTO(prf_auto_free)
	char *directory = !slash ? strdup(".") : strndup(path, n ? n : 1);

	if (!directory)
		return prf_error_set(err, -ENOMEM, "out of memory");
	*name = slash ? slash + 1 : path;
	return prf_outdir_open(directory, dir, err);
}

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

static int
write_list(const struct prf_outdir *dir, const char *name,
	   const struct prf_merged_layout *layout, struct prf_outfile **file,
	   struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *syms = prf_outname_symbols(name);

	if (!syms)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_outfile_create(dir, syms, file, err);
	return rc ? rc
		  : prf_mergedfiles_write_syms(layout,
					       prf_outfile_stream(*file), err);
}

/* Both files are written before either gets its name. */
static int
write_files(const struct prf_merge *merge, const char *path,
	    struct prf_error *err)
{
	PRF_AUTO(prf_merged_layout_auto)
	struct prf_merged_layout *layout = NULL;
	PRF_AUTO(prf_outdir_auto) struct prf_outdir *dir = NULL;
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *gmon = NULL;
	PRF_AUTO(prf_outfile_auto) struct prf_outfile *syms = NULL;
	PRF_AUTO(prf_auto_free) char *syms_path = prf_outname_symbols(path);
	const char *name = path;

	if (!syms_path)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_merged_layout_new(merge, &layout, err);
	if (!rc)
		rc = open_directory(path, &dir, &name, err);
	if (rc)
		return rc;
	bool alone = prf_outdir_in_place(dir, name);
	if (!alone && !merge->has_lists)
		rc = check_no_list(path, syms_path, err);
	if (!rc)
		rc = prf_outfile_create(dir, name, &gmon, err);
	if (!rc)
		rc = prf_mergedfiles_write_ticks(merge, layout,
						 prf_outfile_stream(gmon), err);
	if (!rc && !alone && merge->has_lists)
		rc = write_list(dir, name, layout, &syms, err);
	if (!rc && syms)
		rc = prf_outfile_commit(syms, err);
	return rc ? rc : prf_outfile_commit(gmon, err);
}

static int
fail(const struct prf_messages *messages, int status,
     const struct prf_error *err)
{
	prf_message_error(messages, "%s", err->text);
	return status;
}

static int
merge_files(const struct words *words, const struct prf_messages *messages)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	FILE *summary = words->quiet ? NULL : prf_message_summary(messages);
	struct prf_error err = {.code = -ENOMEM, .text = "out of memory"};

	if (!merge)
		return fail(messages, PRF_EXIT_FAILED, &err);
	int rc = add_files(merge, words->files, &err);
	if (rc)
		return fail(messages,
			    rc == -ENOMEM ? PRF_EXIT_FAILED : PRF_EXIT_REFUSED,
			    &err);
	if (write_files(merge, words->output, &err))
		return fail(messages, PRF_EXIT_FAILED, &err);
	if (summary && prf_mergereport_print(merge, MAX_FUNCTIONS, summary))
		return fail(messages, PRF_EXIT_FAILED, &err);
	return PRF_EXIT_OK;
}

int
prf_cmd_merge(const struct prf_options *options,
	      const struct prf_messages *messages)
{
	struct words words = {0};
	struct prf_error err;

	if (parse(options->program, &words, &err))
		return fail(messages, PRF_EXIT_FAILED, &err);
	if (!words.help)
		return merge_files(&words, messages);
	char name[] = "profrun merge";
	argp_help(&parser_of_words, stdout,
		  ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
	return fflush(stdout) || ferror(stdout) ? PRF_EXIT_FAILED : PRF_EXIT_OK;
}
