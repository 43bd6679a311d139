#include "src/commands/cmd_annotate.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"
#include "src/output/progress.h"
#include "profile/functions.h"
#include "src/commands/function_search.h"
#include "src/commands/profile_file.h"
#include "src/commands/reading.h"
#include "src/commands/report_file.h"
#include "src/commands/report_header.h"
#include "src/exit_status.h"
#include "src/output/terminal.h"
#include "view/annotate/annotation.h"
#include "view/annotate/annotation_export.h"
#include "view/annotate/annotation_heading.h"
#include "view/annotate/annotation_print.h"
#include "view/annotate/inlined.h"
#include "view/export/json.h"
#include "view/table/name_columns.h"
#include "view/table/share.h"

/* For whom. */
enum format { FOR_PEOPLE, CSV, JSON };

struct annotate {
	struct prf_reading reading; /* the first member */
	const char *wanted;         /* FUNCTION or FILE */
	char *words[2];             /* the profile, or its program and it */
	size_t n_words;
	const char *syms, *source_root;
	bool is_whole, no_source, full_names;
	bool only_inlined; /* functions are meant */
	enum format format;
};

enum {
	KEY_ALL = 256,
	KEY_SOURCE,
	KEY_NO_SOURCE,
	KEY_FULL_NAMES,
	KEY_CSV,
	KEY_JSON
};

static const struct argp_option option_table[] = {
	PRF_OPTION("all", KEY_ALL, NULL,
		   "Print all of the function, from its first line to its "
		   "last, not only where the time went"),
	PRF_OPTION("no-source", KEY_NO_SOURCE, NULL,
		   "Print instructions alone"),
	PRF_OPTION("source", KEY_SOURCE, "DIR",
		   "Search for source files below DIR first"),
	PRF_OPTION("csv", KEY_CSV, NULL,
		   "Print comma-separated values: lines, then instructions"),
	PRF_OPTION("json", KEY_JSON, NULL, "Print JSON"),
	PRF_OPTION("full-names", KEY_FULL_NAMES, NULL,
		   "Print parameters and template arguments of functions"),
	PRF_OPTION("syms", 'S', "FILE",
		   "The names for a gmon.out: a gmon.syms, or what nm prints "
		   "(default: the .syms beside it)"),
	PRF_READING_OPTIONS_SELECTION,
	PRF_READING_OPTIONS_END,
};

static error_t
take_word(struct annotate *annotate, char *word)
{
	if (!annotate->wanted && !*word)
		return prf_reading_refuse(&annotate->reading,
					  "FUNCTION is empty");
	if (!annotate->wanted) {
		annotate->only_inlined = prf_name_columns_unmark(word);
		annotate->wanted = word;
	} else if (annotate->n_words < 2) {
		annotate->words[annotate->n_words++] = word;
	} else {
		return prf_reading_refuse(&annotate->reading,
					  "more than one profile; give one, or "
					  "a program and its gmon.out");
	}
	return 0;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct annotate *annotate = state->input;

	switch (key) {
	case KEY_ALL:
		annotate->is_whole = true;
		return 0;
	case KEY_NO_SOURCE:
		annotate->no_source = true;
		return 0;
	case KEY_SOURCE:
		annotate->source_root = arg;
		return 0;
	case KEY_CSV:
		annotate->format = CSV;
		return 0;
	case KEY_JSON:
		annotate->format = JSON;
		return 0;
	case KEY_FULL_NAMES:
		annotate->full_names = true;
		return 0;
	case 'S':
		annotate->syms = arg;
		return 0;
	case ARGP_KEY_ARG:
		return take_word(annotate, arg);
	default:
		return prf_reading_take(&annotate->reading, key, arg);
	}
}

const struct argp prf_annotate_parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FUNCTION|FILE [PROFILE]\nFUNCTION|FILE PROGRAM GMON.OUT",
	.doc = "Print the source and the instructions of a function, or a "
	       "source file, with the time that each line took; from a "
	       "trace, a pprof file or a gmon.out, by default the newest of "
	       "them here.",
};

static int
fail(const struct annotate *annotate, int status, const struct prf_error *err)
{
	return prf_reading_fail(&annotate->reading, status, err);
}

/* What FUNCTION|FILE is searched in, and what was found. */
struct search {
	const struct annotate *annotate;
	const struct prf_report_file *file;
	const struct prf_profile *profile;
	struct prf_style style;
	struct prf_binary_lines lines;
	struct prf_functions functions, inlined;
	struct prf_found_function function, inlined_function;
};

static void
clear_search(struct search *search)
{
	prf_found_function_clear(&search->function);
	prf_found_function_clear(&search->inlined_function);
	prf_functions_clear(&search->functions);
	prf_functions_clear(&search->inlined);
	prf_binary_lines_clear(&search->lines);
}

/* --- What is printed */

static int
print_text(const struct search *search, const struct prf_annotation *annotation,
	   const char *shown, const struct prf_annotation_look *look)
{
	const struct prf_figures *figures = search->annotate->reading.figures;
	int rc = prf_report_header_print(search->file, figures, search->profile,
					 look->style, stdout);

	if (rc == 0)
		prf_report_header_triggers(figures, stdout);
	if (rc == 0)
		rc = prf_annotation_heading_print(annotation, shown, &look->all,
						  look->style, stdout);
	return rc ? rc : prf_annotation_print(annotation, look, stdout);
}

static int
print_json(const struct search *search, const struct prf_annotation *annotation,
	   const struct prf_annotation_look *look)
{
	struct prf_json json = {.out = stdout};

	prf_json_object(&json, NULL);
	prf_json_text(&json, "format", "profrun-annotate");
	prf_json_number(&json, "version", PRF_ANNOTATION_EXPORT_VERSION);
	prf_report_header_json(search->file, search->annotate->reading.figures,
			       search->profile, &json);
	int rc = prf_annotation_export(
		annotation, look, prf_report_header_period_ns(search->profile),
		&json);
	prf_json_end(&json);
	return rc;
}

static int
print_in_format(const struct search *search,
		const struct prf_annotation *annotation, const char *shown,
		const struct prf_annotation_look *look)
{
	switch (search->annotate->format) {
	case CSV:
		return prf_annotation_export_csv(
			annotation, look,
			prf_report_header_period_ns(search->profile), stdout);
	case JSON:
		return print_json(search, annotation, look);
	case FOR_PEOPLE:
		break;
	}
	return print_text(search, annotation, shown, look);
}

/* Whom a source file is asked of that is not here, and when a binary was built. */
struct supply {
	const struct prf_messages *messages;
	struct prf_binary_lines *lines;
};

static int
ask_for_source(void *arg, const struct prf_annotated_line *line,
	       const char *path)
{
	const struct supply *supply = arg;
	struct prf_error warning = {0};
	struct prf_progress *progress =
		prf_progress_begin(supply->messages, "asking for", path, -1);
	int fd = prf_binary_lines_find_source(supply->lines, line->binary, path,
					      &warning);

	prf_progress_end(progress);
	if (*warning.text)
		prf_message_warn(supply->messages, "%s", warning.text);
	return fd;
}

static time_t
time_built(void *arg, const struct prf_binary *binary)
{
	const struct supply *supply = arg;
	struct stat st = {0};
	PRF_AUTO(prf_auto_close)
	int fd = prf_binary_lines_open(supply->lines, binary);

	return fd >= 0 && fstat(fd, &st) == 0 ? st.st_mtim.tv_sec : 0;
}

/* SHOWN: the name of the function; NULL: it is a file. */
static int
print(struct search *search, const struct prf_annotation *annotation,
      const char *shown)
{
	const struct annotate *annotate = search->annotate;
	struct supply supply = {&annotate->reading.messages, &search->lines};
	const struct prf_annotation_look look = {
		.all = search->profile->total,
		.doubt = prf_figures_doubt(annotate->reading.figures),
		.source_root = annotate->source_root,
		.supply = {ask_for_source, time_built, &supply},
		.is_whole = annotate->is_whole,
		.no_source = annotate->no_source,
		.style = &search->style,
	};
	struct prf_error err = {0};

	int rc = print_in_format(search, annotation, shown, &look);
	if (rc == 0 && (fflush(stdout) || ferror(stdout)))
		rc = prf_error_set(&err, -EIO, "standard output: %m");
	else if (rc)
		prf_error_set(&err, rc, "out of memory");
	return rc ? fail(annotate, PRF_EXIT_FAILED, &err) : PRF_EXIT_OK;
}

static int
complain_of_no_bytes(const struct annotate *annotate,
		     const struct prf_function *function)
{
	struct prf_error err;

	prf_error_set(&err, -ENOENT,
		      "%s: is in %s, whose instructions are in no file",
		      annotate->wanted, function->binary->name);
	return fail(annotate, PRF_EXIT_NOTHING, &err);
}

static void
warn_of_lines(struct search *search)
{
	prf_binary_lines_warn(&search->lines);
	prf_message_warn_all(&search->annotate->reading.messages,
			     &search->lines.warnings);
}

static int
annotate_found(struct search *search, const struct prf_found_function *found,
	       bool is_inlined)
{
	const struct annotate *annotate = search->annotate;
	const struct prf_function *function = found->function;
	PRF_AUTO(prf_annotation_clear) struct prf_annotation annotation = {0};
	struct prf_error err = {0};

	if (function->binary->kind != PRF_BINARY_FILE)
		return complain_of_no_bytes(annotate, function);
	struct prf_progress *progress =
		prf_progress_begin(&annotate->reading.messages,
				   "reading debug information", NULL, -1);
	int rc = (is_inlined ? prf_annotate_inlined : prf_annotate_function)(
		&annotation, search->profile, function->binary, function->name,
		&search->lines, &err);
	prf_progress_end(progress);
	if (rc == -ENOMEM)
		return fail(annotate, PRF_EXIT_FAILED, &err);
	if (rc && (!annotation.n_lines || annotate->no_source))
		return fail(annotate, PRF_EXIT_NOTHING, &err);
	warn_of_lines(search);
	if (rc)
		prf_message_warn(&annotate->reading.messages, "%s", err.text);
	if (found->n > 1)
		prf_message_note(&annotate->reading.messages,
				 "%zu functions match %s; %s has the most "
				 "ticks; also %s",
				 found->n, annotate->wanted, found->shown,
				 found->others);
	return print(search, &annotation, found->shown);
}

/* -ENOENT: no file is called so; else the exit status. */
static int
annotate_file(struct search *search)
{
	const struct annotate *annotate = search->annotate;
	PRF_AUTO(prf_annotation_clear) struct prf_annotation annotation = {0};
	struct prf_error err = {0};
	struct prf_progress *progress =
		prf_progress_begin(&annotate->reading.messages,
				   "reading debug information", NULL, -1);
	int rc = prf_annotate_file(&annotation, search->profile,
				   annotate->wanted, &search->lines, &err);

	prf_progress_end(progress);
	if (rc == -ENOENT && !annotation.n_lines)
		return rc;
	if (rc == -ENOMEM)
		return fail(annotate, PRF_EXIT_FAILED, &err);
	if (annotate->no_source) {
		prf_error_set(&err, -ENOENT,
			      "%s: is a source file; --no-source is of "
			      "functions alone",
			      annotate->wanted);
		return fail(annotate, PRF_EXIT_NOTHING, &err);
	}
	warn_of_lines(search);
	if (rc)
		prf_message_warn(&annotate->reading.messages, "%s", err.text);
	return print(search, &annotation, NULL);
}

static int
find_inlined(struct search *search)
{
	struct prf_progress *progress =
		prf_progress_begin(&search->annotate->reading.messages,
				   "reading debug information", NULL, -1);
	int rc = prf_inlined_functions_of(search->profile, &search->lines,
					  &search->inlined);

	prf_progress_end(progress);
	return rc ? rc
		  : prf_function_search(
			    &search->inlined, true, search->annotate->wanted,
			    &search->style, &search->inlined_function);
}

/* --- All of it */

/* "hash.c" is a part of the name of hash.constprop.0, too. */
static bool
may_be_file(const char *wanted)
{
	return strpbrk(wanted, "./") != NULL;
}

static int
fail_for_want_of_memory(const struct annotate *annotate)
{
	struct prf_error err;

	prf_error_set(&err, -ENOMEM, "out of memory");
	return fail(annotate, PRF_EXIT_FAILED, &err);
}

/* The one with the most ticks of those whose names are not known; NULL: none. */
static const struct prf_binary *
find_nameless(const struct prf_profile *profile)
{
	const struct prf_binary *found = NULL;

	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (binary->kind == PRF_BINARY_FILE && binary->is_offsets &&
		    binary->total.ticks > (found ? found->total.ticks : 0))
			found = binary;
	}
	return found;
}

static int
complain_of_nothing(struct search *search)
{
	const struct prf_profile *profile = search->profile;
	const struct prf_binary *nameless = find_nameless(profile);
	struct prf_error err;

	warn_of_lines(search);
	if (nameless) {
		prf_error_set(
			&err, -ENOENT,
			"%s: is not among the names that are known; those "
			"in %s, which has %.0f %% of the ticks, are not",
			search->annotate->wanted, nameless->name,
			prf_share_percent(&nameless->total, &profile->total));
		return fail(search->annotate, PRF_EXIT_NOTHING, &err);
	}
	prf_error_set(&err, -ENOENT,
		      "%s: no function or source file of that name has ticks",
		      search->annotate->wanted);
	return fail(search->annotate, PRF_EXIT_NOTHING, &err);
}

/* What is called so comes before what has it in its name, a function before a
 * file, and both before what is inlined. */
static int
annotate_best(struct search *search)
{
	const struct annotate *annotate = search->annotate;
	const struct prf_found_function *function = &search->function,
					*inlined = &search->inlined_function;
	bool is_part = function->how == PRF_FOUND_PART;
	int rc = -ENOENT;

	if (function->how == PRF_FOUND_NAME)
		return annotate_found(search, function, false);
	if (!annotate->only_inlined &&
	    (!is_part || may_be_file(annotate->wanted)))
		rc = annotate_file(search);
	if (rc != -ENOENT)
		return rc;
	if (find_inlined(search))
		return fail_for_want_of_memory(annotate);
	if (inlined->how == PRF_FOUND_NAME || (inlined->function && !is_part))
		return annotate_found(search, inlined, true);
	return is_part ? annotate_found(search, function, false)
		       : complain_of_nothing(search);
}

static int
annotate_profile(const struct annotate *annotate,
		 const struct prf_report_file *file,
		 const struct prf_profile *profile)
{
	PRF_AUTO(clear_search)
	struct search search = {
		.annotate = annotate,
		.file = file,
		.profile = profile,
		.style = prf_terminal_style(stdout, 0, annotate->full_names),
		.lines.symfs = annotate->reading.wanted.symfs,
	};
	int rc = annotate->only_inlined
			 ? 0
			 : prf_functions_of(profile, &search.functions);

	if (rc == 0)
		rc = prf_function_search(&search.functions, false,
					 annotate->wanted, &search.style,
					 &search.function);
	return rc ? fail_for_want_of_memory(annotate) : annotate_best(&search);
}

static int
run(struct annotate *annotate)
{
	PRF_AUTO(prf_profile_sum_clear) struct prf_profile_sum sum = {0};
	PRF_AUTO(prf_report_file_clear) struct prf_report_file file = {0};
	PRF_AUTO(prf_figures_clear) struct prf_figures figures = {0};
	struct prf_error err = {0};

	annotate->reading.figures = &figures;
	if (prf_profile_sum_init(&sum, NULL, &err))
		return fail(annotate, PRF_EXIT_FAILED, &err);
	if (prf_report_file_find(&file, annotate->words, annotate->n_words,
				 &err) ||
	    prf_report_file_read(&file, annotate->syms, &annotate->reading,
				 &sum, &err))
		return fail(annotate, PRF_EXIT_UNREADABLE, &err);
	if (file.is_newest && annotate->format == CSV)
		prf_message_note(&annotate->reading.messages,
				 "annotation of %s, the newest profile here",
				 file.path);
	return annotate_profile(annotate, &file, prf_profile_sum_whole(&sum));
}

int
prf_cmd_annotate(const struct prf_options *options,
		 const struct prf_messages *messages)
{
	struct annotate annotate = {.reading.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_annotate_parser, options->program,
				   &annotate, &err);

	if (!rc && annotate.reading.help)
		return prf_reading_help(&prf_annotate_parser, "annotate",
					messages);
	if (!rc && !annotate.wanted)
		rc = prf_error_set(&err, -EINVAL,
				   "annotate: which? Give a function or a "
				   "source file");
	return rc ? fail(&annotate, PRF_EXIT_FAILED, &err) : run(&annotate);
}
