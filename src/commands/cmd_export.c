#include "src/commands/cmd_export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/rawsamples.h"
#include "core/scope.h"
#include "src/output/progress.h"
#include "profile/binary_lines.h"
#include "profile/origin.h"
#include "src/exit_status.h"
#include "src/message.h"
#include "src/options/pattern.h"
#include "src/output/insist.h"
#include "src/output/record_files.h"
#include "src/output/record_streams.h"
#include "src/output/target.h"
#include "src/commands/figures.h"
#include "src/commands/newest.h"
#include "src/commands/profile_file.h"
#include "src/commands/reading.h"
#include "src/commands/recording.h"
#include "src/commands/sample_filter.h"
#include "view/export/export_format.h"
#include "view/export/timeline.h"
#include "view/table/listing.h"

struct export
{
	struct prf_reading reading; /* the first member */
	const char *format, *output, *path;
	struct prf_matching matching; /* of text and samples */
	bool split, all_symbols, inherit_counts, full_names;
};

/* CPU time for lines where a format can do without them. */
#define LINES_BUDGET_NS UINT64_C(1000000000)

enum { KEY_SPLIT = 256, KEY_ALL_SYMBOLS, KEY_INHERIT_COUNTS, KEY_FULL_NAMES };

static const struct argp_option option_table[] = {
	PRF_OPTION("format", 'f', "FORMAT", "What to write: one of a table"),
	PRF_OPTION("output", 'o', "FILE",
		   "File to write, for gmon a pattern (default: that of a run, "
		   "or of text standard output)"),
	PRF_OPTION("split", KEY_SPLIT, NULL, "As when recording"),
	PRF_OPTION("all-symbols", KEY_ALL_SYMBOLS, NULL, "As when recording"),
	PRF_OPTION("inherit-counts", KEY_INHERIT_COUNTS, NULL,
		   "As when recording"),
	PRF_OPTION("full-names", KEY_FULL_NAMES, NULL,
		   "Write functions with parameters and template arguments"),
	PRF_READING_OPTIONS_MATCH("samples"),
	PRF_READING_OPTIONS_SELECTION,
	PRF_READING_OPTIONS_END,
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct export *export = state->input;

	switch (key) {
	case 'f':
		export->format = arg;
		return 0;
	case 'o':
		export->output = arg;
		return 0;
	case KEY_SPLIT:
		export->split = true;
		return 0;
	case KEY_ALL_SYMBOLS:
		export->all_symbols = true;
		return 0;
	case KEY_INHERIT_COUNTS:
		export->inherit_counts = true;
		return 0;
	case KEY_FULL_NAMES:
		export->full_names = true;
		return 0;
	case PRF_READING_KEY_FOCUS:
	case PRF_READING_KEY_IGNORE:
		return prf_reading_take_match(&export->reading, key, arg,
					      &export->matching);
	case ARGP_KEY_ARG:
		if (export->path)
			return prf_reading_refuse(
				&export->reading,
				"more than one file; give one");
		export->path = arg;
		return 0;
	default:
		return prf_reading_take(&export->reading, key, arg);
	}
}

static int
fail(const struct export *export, int status, const struct prf_error *err)
{
	return prf_reading_fail(&export->reading, status, err);
}

/* --- gmon */

static int
count_to_files(const struct export *export,
	       const struct prf_recording *recording,
	       const struct prf_options *as_recorded, struct prf_output *output)
{
	PRF_AUTO(prf_counted_clear) struct prf_counted counted = {0};
	const struct prf_messages *messages = &export->reading.messages;
	PRF_AUTO(prf_record_files_clear) struct prf_record_files files;
	struct prf_error err = {0};
	FILE *summary = prf_message_summary(messages);

	prf_record_files_init(&files, as_recorded, output);
	const struct prf_collector_config config = {
		.kernel_apart = !export->split,
		.call_graph = true,
		.inherit_counts = export->inherit_counts,
		.each = prf_record_files_each(&files),
		.ended = prf_record_files_write,
		.arg = &files,
	};
	int rc = prf_recording_count(recording, &export->reading, &config,
				     &counted, &err);
	int status = rc ? fail(export, PRF_EXIT_UNREADABLE, &err) : 0;
	if (!rc)
		prf_record_files_finish(&files, counted.profile);
	if (prf_record_files_complain(&files, messages) && !status)
		status = PRF_EXIT_FAILED;
	if (!status && summary)
		prf_record_files_print(&files, summary);
	return status;
}

static int
export_gmon(const struct export *export, const struct prf_recording *recording)
{
	PRF_AUTO(prf_auto_free)
	char *name = prf_recording_program(recording);
	char *program[] = {name, NULL};
	const char *pattern = export->output ? export->output : "gmon.out";
	const struct prf_options as_recorded = {
		.rate_hz = prf_recording_rate_hz(recording),
		.formats = PRF_FORMAT_GMON,
		.output = pattern,
		.output_given = pattern,
		.split = export->split,
		.all_symbols = export->all_symbols,
		.inherit_counts = export->inherit_counts,
		.program = program,
	};
	struct prf_insist insist = {0};
	struct prf_output output;
	struct prf_error err = {0};

	if (!name)
		prf_error_set(&err, -ENOMEM, "out of memory");
	if (!name || prf_pattern_check(pattern, &err) ||
	    prf_output_open(&as_recorded, &output, &err))
		return fail(export, PRF_EXIT_FAILED, &err);
	output.keeps_old = true;
	prf_insist_begin_alone(&insist, output.dir);
	int status = count_to_files(export, recording, &as_recorded, &output);
	prf_insist_end(&insist);
	prf_output_close(&output);
	return status;
}

/* --- Formats of one stream */

/* Plays to SINK and gives TARGET, if it was all written, its name. */
static int
play_to_target(const struct export *export,
	       const struct prf_recording *recording, struct prf_sink *sink,
	       struct prf_target *target)
{
	struct prf_sink *played;
	struct prf_error err = {0};

	if (prf_recording_play(recording, &export->reading, sink, &played,
			       &err))
		return fail(export,
			    ferror(target->stream) ? PRF_EXIT_FAILED
						   : PRF_EXIT_UNREADABLE,
			    &err);
	played->ops->free(played);
	return prf_target_commit(target, &err) < 0
		       ? fail(export, PRF_EXIT_FAILED, &err)
		       : PRF_EXIT_OK;
}

typedef int new_listing(FILE *, const struct prf_pctrace_info *,
			struct prf_lookup *, struct prf_sink **,
			struct prf_error *);

/* A listing of the samples that are wanted. */
static int
new_matching(const struct export *export, const struct prf_recording *recording,
	     new_listing *new_sink, FILE *out, struct prf_lookup *lookup,
	     struct prf_sink **sink, struct prf_error *err)
{
	struct prf_sink *listing;
	int rc = new_sink(out, prf_pctrace_info(recording->trace), lookup,
			  &listing, err);

	if (!rc)
		rc = prf_sample_filter_new(&export->matching, lookup, listing,
					   sink, err);
	else
		return rc;
	if (rc)
		listing->ops->free(listing);
	return rc;
}

static int
export_listing(const struct export *export,
	       const struct prf_recording *recording, new_listing *new_sink)
{
	PRF_AUTO(prf_target_close) struct prf_target target = {0};
	const struct prf_objectfile_way way =
		prf_wanted_way(&export->reading.wanted);
	struct prf_warnings warnings = {0};
	struct prf_lookup *lookup = prf_lookup_new(&way, &warnings);
	struct prf_error err = {0};
	struct prf_sink *sink;
	int rc = lookup ? prf_target_open(&target, export->output, false, &err)
			: prf_error_set(&err, -ENOMEM, "out of memory");

	if (rc == 0)
		rc = new_matching(export, recording, new_sink, target.stream,
				  lookup, &sink, &err);
	int status = rc ? fail(export, PRF_EXIT_FAILED, &err)
			: play_to_target(export, recording, sink, &target);
	prf_lookup_free(lookup);
	prf_message_warn_all(&export->reading.messages, &warnings);
	prf_warnings_clear(&warnings);
	return status;
}

static int
export_text(const struct export *export, const struct prf_recording *recording)
{
	return export_listing(export, recording, prf_listing_text_new);
}

static int
export_samples(const struct export *export,
	       const struct prf_recording *recording)
{
	return export_listing(export, recording, prf_listing_json_new);
}

/* What the run itself would have written. */
static int
export_raw(const struct export *export, const struct prf_recording *recording)
{
	PRF_AUTO(prf_auto_free)
	char *name = prf_recording_program(recording);
	char *program[] = {name, NULL};
	const struct prf_options as_recorded = {
		.formats = PRF_FORMAT_RAW,
		.max_samples = PRF_MAX_SAMPLES,
		.output = prf_formats_pattern(PRF_FORMAT_RAW, export->output),
		.output_given = export->output,
		.program = program,
	};
	struct prf_record_streams streams;
	struct prf_insist insist = {0};
	struct prf_output output;
	struct prf_error err = {0};
	const struct prf_messages *messages = &export->reading.messages;
	FILE *summary = prf_message_summary(messages);

	if (!name)
		prf_error_set(&err, -ENOMEM, "out of memory");
	if (!name || prf_pattern_check(as_recorded.output, &err) ||
	    prf_output_open(&as_recorded, &output, &err))
		return fail(export, PRF_EXIT_FAILED, &err);
	output.keeps_old = true;
	if (prf_record_streams_begin(&streams, &as_recorded, &output, &err)) {
		prf_output_close(&output);
		return fail(export, PRF_EXIT_FAILED, &err);
	}
	prf_insist_begin_alone(&insist, output.dir);
	int rc = prf_recording_play(recording, &export->reading,
				    prf_record_streams_one(&streams), NULL,
				    &err);
	prf_insist_end(&insist);
	int status = rc ? fail(export, PRF_EXIT_UNREADABLE, &err) : 0;
	if (prf_record_streams_complain(&streams, messages) && !status)
		status = PRF_EXIT_FAILED;
	if (!status && summary)
		prf_record_streams_print(&streams, summary);
	prf_record_streams_clear(&streams);
	prf_output_close(&output);
	return status;
}

/* --- Formats of other tools */

/* What is to be written: a profile, or the stacks of a recording's samples. */
struct content {
	const struct prf_profile *profile;
	struct prf_stack_table *stacks; /* not finished; NULL: the profile */
};

static int
write_content(const struct export *export,
	      const struct prf_export_format *format,
	      const struct content *content, const struct prf_export_way *way,
	      FILE *out, struct prf_error *err)
{
	PRF_AUTO(prf_binary_lines_clear)
	struct prf_binary_lines lines = {.symfs = export->reading.wanted.symfs};
	struct prf_export_way with_lines = *way;

	with_lines.lines = &lines;
	if (format->needs_no_lines)
		prf_binary_lines_hurry(&lines, LINES_BUDGET_NS);
	/* It does not mix with what is written on the same terminal. */
	PRF_AUTO(prf_progress_end_auto)
	struct prf_progress *progress =
		isatty(fileno(out))
			? NULL
			: prf_progress_begin(&export->reading.messages,
					     "exporting", NULL, -1);
	int rc = content->stacks
			 ? prf_stack_table_finish(content->stacks, &with_lines)
			 : 0;
	if (rc)
		return prf_error_set(err, rc, "out of memory");
	rc = content->stacks
		     ? format->write_stacks(content->stacks, &with_lines, out,
					    err)
		     : format->write(content->profile, &with_lines, out, err);
	if (rc)
		return rc;
	prf_progress_end(PRF_TAKE(progress));
	prf_binary_lines_warn(&lines);
	prf_message_warn_all(&export->reading.messages, &lines.warnings);
	return 0;
}

static int
write_file(const struct export *export, const struct prf_export_format *format,
	   const struct content *content, const struct prf_export_way *way)
{
	PRF_AUTO(prf_target_close) struct prf_target target = {0};
	const char *path = export->output || format->is_text ? export->output
							     : format->usual;
	struct prf_error err = {0};

	return prf_target_open(&target, path, format->old_is_before, &err) ||
			       write_content(export, format, content, way,
					     target.stream, &err) ||
			       prf_target_commit(&target, &err)
		       ? fail(export, PRF_EXIT_FAILED, &err)
		       : PRF_EXIT_OK;
}

/* How much of the time of a run, which took WALL_NS, is WANTED. */
static uint64_t
duration_of(const struct prf_wanted *wanted, uint64_t wall_ns)
{
	uint64_t end_ns = wanted->to_ns && wanted->to_ns < wall_ns
				  ? wanted->to_ns
				  : wall_ns;

	return end_ns > wanted->from_ns ? end_ns - wanted->from_ns : 0;
}

/* What is known of RECORDING, when it has been played for FIGURES. */
static struct prf_export_way
way_of(const struct export *export, const struct prf_recording *recording,
       const struct prf_figures *figures)
{
	const struct prf_pctrace_info *info =
		prf_pctrace_info(recording->trace);
	const struct prf_wanted *wanted = &export->reading.wanted;

	return (struct prf_export_way){
		.command = *info->command ? info->command : NULL,
		.full_names = export->full_names,
		.clock = prf_origin_clock(info->clock),
		.begin_ns = figures->realtime_ns
				    ? figures->realtime_ns + wanted->from_ns
				    : 0,
		.duration_ns = duration_of(wanted, figures->wall_ns),
		.lost_ticks = figures->lost,
		.doubt = prf_figures_doubt(figures),
	};
}

static int
write_counted(const struct export *export,
	      const struct prf_export_format *format,
	      const struct prf_recording *recording)
{
	PRF_AUTO(prf_counted_clear) struct prf_counted counted = {0};
	PRF_AUTO(prf_figures_clear) struct prf_figures figures = {0};
	const struct prf_collector_config config = {
		.kernel_apart = true,
		.call_graph = true,
		.threads = true,
		.by_thread = format->by_thread,
	};
	struct prf_reading reading = export->reading;
	struct prf_error err = {0};

	reading.figures = &figures;
	if (prf_recording_count(recording, &reading, &config, &counted, &err))
		return fail(export, PRF_EXIT_UNREADABLE, &err);
	const struct content content = {.profile = counted.profile};
	const struct prf_export_way way = way_of(export, recording, &figures);
	return write_file(export, format, &content, &way);
}

/* The samples of TIMELINE, which has taken all. */
static int
write_timeline(const struct export *export,
	       const struct prf_export_format *format,
	       struct prf_timeline *timeline, const struct prf_export_way *way)
{
	const struct content content = {.stacks = &timeline->stacks};

	prf_message_warn_all(&export->reading.messages, &timeline->warnings);
	return write_file(export, format, &content, way);
}

static int
write_samples(const struct export *export,
	      const struct prf_export_format *format,
	      const struct prf_recording *recording)
{
	PRF_AUTO(prf_figures_clear) struct prf_figures figures = {0};
	struct prf_reading reading = export->reading;
	const struct prf_timeline_config config =
		prf_recording_timeline(recording, &reading);
	struct prf_timeline *timeline = prf_timeline_new(&config);
	struct prf_sink *played;
	struct prf_error err = {0};

	reading.figures = &figures;
	if (!timeline) {
		prf_error_set(&err, -ENOMEM, "out of memory");
		return fail(export, PRF_EXIT_FAILED, &err);
	}
	if (prf_recording_play_beside(recording, &reading, &timeline->base,
				      &played, &err))
		return fail(export, PRF_EXIT_UNREADABLE, &err);
	const struct prf_export_way way = way_of(export, recording, &figures);
	int status = write_timeline(export, format, timeline, &way);
	played->ops->free(played);
	return status;
}

static int
write_profile(const struct export *export,
	      const struct prf_export_format *format,
	      const struct prf_profile *profile)
{
	const struct content content = {.profile = profile};
	const struct prf_export_way way = {
		.command = profile->origin.command,
		.full_names = export->full_names,
		.clock = profile->origin.clock,
		.begin_ns = profile->origin.begun_s * 1000000000,
	};

	return write_file(export, format, &content, &way);
}

/* The only one whose processes have ticks: that is what a gmon.out tells of the
 * program.  NULL: there are several, or none is known. */
static struct prf_binary *
only_program(const struct prf_profile *profile)
{
	struct prf_binary *only = NULL;

	for (size_t i = 0; i < profile->n_binaries; i++) {
		struct prf_binary *binary = profile->binaries[i];

		if (!binary->is_program || !binary->program_ticks)
			continue;
		if (only)
			return NULL;
		only = binary;
	}
	return only;
}

static int
export_profile(const struct export *export,
	       const struct prf_export_format *format,
	       struct prf_profile_sum *sum)
{
	struct prf_error err = {0};

	if (prf_profile_sum_add(sum, export->path, &export->reading, &err))
		return fail(export, PRF_EXIT_UNREADABLE, &err);
	struct prf_profile *profile = prf_profile_sum_whole(sum);
	if (!profile->program)
		profile->program = only_program(profile);
	return write_profile(export, format, profile);
}

static int
export_file(const struct export *export, const struct prf_export_format *format)
{
	PRF_AUTO(prf_profile_sum_clear) struct prf_profile_sum sum = {0};
	struct prf_recording recording;
	struct prf_error err = {0};

	if (prf_profile_sum_init(&sum, NULL, &err))
		return fail(export, PRF_EXIT_FAILED, &err);
	if (prf_profile_sum_kind(&sum, export->path) == PRF_PROFILE_PPROF ||
	    prf_input_begins(export->path, "g", 1))
		return export_profile(export, format, &sum);
	if (prf_recording_open(export->path, &recording, &err))
		return fail(export, PRF_EXIT_UNREADABLE, &err);
	int status = (format->write_stacks ? write_samples : write_counted)(
		export, format, &recording);
	prf_recording_close(&recording);
	return status;
}

/* --- All of them */

static const struct own_format {
	const char *name, *about;
	bool has_matching; /* --focus and --ignore choose samples for it */
	int (*run)(const struct export *export,
		   const struct prf_recording *recording);
} own_formats[] = {
	{"gmon", "default", false, export_gmon},
	{"raw", "program counters", false, export_raw},
	{"text", "a line for each sample", true, export_text},
	{"samples", "the same in JSON", true, export_samples},
};

enum { N_OWN = sizeof own_formats / sizeof *own_formats };

/* What is called NAME; NULL: none of ours is. */
static const struct own_format *
find_own(const char *name)
{
	for (size_t i = 0; i < N_OWN; i++)
		if (strcmp(own_formats[i].name, name) == 0)
			return &own_formats[i];
	return NULL;
}

static const char *
name_at(size_t index)
{
	const struct prf_export_format *format =
		index < N_OWN ? NULL : prf_export_format(index - N_OWN);

	return index < N_OWN ? own_formats[index].name
	       : format      ? format->name
			     : NULL;
}

const char *
prf_cmd_export_word(const char *value, size_t index)
{
	return strcmp(value, "FORMAT") == 0 ? name_at(index) : NULL;
}

/* What --help says of them. */
static char *
describe_formats(void)
{
	const struct prf_export_format *format;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("What to write: ", out);
	for (size_t i = 0; i < N_OWN; i++)
		fprintf(out, "%s%s (%s)", i ? ", " : "", own_formats[i].name,
			own_formats[i].about);
	for (size_t i = 0; (format = prf_export_format(i)); i++)
		fprintf(out, ", %s (%s)", format->name, format->about);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static char *
fill_in(int key, const char *text, void *input)
{
	(void)input;
	return key == 'f' ? describe_formats() : (char *)text;
}

const struct argp prf_export_parser = {
	.options = option_table,
	.parser = parse_option,
	.help_filter = fill_in,
	.args_doc = "[FILE]",
	.doc = "Write a trace, as profrun -f pcsample records one, in another "
	       "format; for other tools also a pprof file or a gmon.out.  By "
	       "default it is the newest here.",
};

static int
refuse_format(const struct export *export, struct prf_error *err)
{
	char names[200] = "";
	size_t used = 0;

	for (size_t i = 0; name_at(i) && used < sizeof names; i++)
		used += (size_t)snprintf(names + used, sizeof names - used,
					 "%s%s",
					 !i               ? ""
					 : name_at(i + 1) ? ", "
							  : " or ",
					 name_at(i));
	return prf_error_set(err, -EINVAL, "export: -f %s: unknown; give %s",
			     export->format, names);
}

/* What else than a gmon.out cannot be; NULL: nothing was asked for. */
static const char *
option_of_gmon(const struct export *export)
{
	return export->split            ? "split"
	       : export->all_symbols    ? "all-symbols"
	       : export->inherit_counts ? "inherit-counts"
					: NULL;
}

static int
check(const struct export *export, struct prf_error *err)
{
	const struct own_format *format = find_own(export->format);

	if (!format && !prf_export_format_find(export->format))
		return refuse_format(export, err);
	if ((export->matching.has_focus || export->matching.has_ignore) &&
	    !(format && format->has_matching))
		return prf_error_set(err, -EINVAL,
				     "export: --focus and --ignore go with -f "
				     "text and samples; profrun report has "
				     "them, too");
	if (option_of_gmon(export) && !(format && format->run == export_gmon))
		return prf_error_set(err, -EINVAL,
				     "export: --%s: concerns gmon.out alone; "
				     "give -f gmon",
				     option_of_gmon(export));
	if (format && format->run == export_raw && export->reading.wanted.pid)
		return prf_error_set(err, -EINVAL,
				     "export: raw samples are of the first "
				     "process; leave --pid out");
	if (format && !format->has_matching && export->output &&
	    strcmp(export->output, "-") == 0)
		return prf_error_set(err, -EINVAL,
				     "export: -o -: -f %s writes files; give "
				     "the name of one",
				     format->name);
	if (export->inherit_counts && export->output &&
	    prf_pattern_has(export->output, 't'))
		return prf_error_set(err, -EINVAL,
				     "export: --inherit-counts: a thread "
				     "inherits nothing; leave %%t out of -o");
	if (export->inherit_counts &&
	    (!export->output || !prf_pattern_has(export->output, 'p')))
		return prf_error_set(err, -EINVAL,
				     "export: --inherit-counts: needs a file "
				     "for each process; put %%p into -o");
	return 0;
}

/* Where no file is named: the newest here. */
static int
find_newest(const struct export *export, enum prf_newest kind, char **path,
	    struct prf_error *err)
{
	int rc = prf_newest_find(kind, path, err);

	if (!rc)
		prf_message_note(&export->reading.messages,
				 "export of %s, the newest %s here", *path,
				 kind == PRF_NEWEST_TRACE ? "trace"
							  : "profile");
	return rc;
}

static int
export_trace(const struct export *export, const struct own_format *format)
{
	struct prf_recording recording;
	struct prf_error err = {0};

	if (prf_recording_open(export->path, &recording, &err))
		return fail(export, PRF_EXIT_UNREADABLE, &err);
	int status = format->run(export, &recording);
	prf_recording_close(&recording);
	return status;
}

static int
run(struct export *export)
{
	const struct own_format *own = find_own(export->format);
	PRF_AUTO(prf_auto_free) char *newest = NULL;
	struct prf_error err = {0};

	if (!export->path &&
	    find_newest(export, own ? PRF_NEWEST_TRACE : PRF_NEWEST_PROFILE,
			&newest, &err))
		return fail(export, PRF_EXIT_UNREADABLE, &err);
	if (newest)
		export->path = newest;
	return own ? export_trace(export, own)
		   : export_file(export,
				 prf_export_format_find(export->format));
}

int
prf_cmd_export(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	struct export export = {
		.reading.messages = *messages,
		.format = "gmon",
	};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_export_parser, options->program,
				   &export, &err);

	if (!rc && export.reading.help)
		return prf_reading_help(&prf_export_parser, "export", messages);
	int status = rc || check(&export, &err)
			     ? fail(&export, PRF_EXIT_FAILED, &err)
			     : run(&export);
	prf_matching_clear(&export.matching);
	return status;
}
