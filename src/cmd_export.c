#include "cmd_export.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/rawsamples.h"
#include "core/scope.h"
#include "exit_status.h"
#include "option_fault.h"
#include "outfile.h"
#include "pattern.h"
#include "record_files.h"
#include "record_streams.h"
#include "recording.h"
#include "view/family.h"
#include "view/listing.h"

struct export
{
	const char *format, *output, *path;
	struct prf_wanted wanted;
	bool split, inherit_counts, help;
	struct prf_messages messages;
	struct prf_error *err; /* of the parser */
};

#define OPTION(long_name, letter, value, text)                                 \
	{                                                                      \
		.name = (long_name), .key = (letter), .arg = (value),          \
		.doc = (text)                                                  \
	}

enum { KEY_SPLIT = 256, KEY_INHERIT_COUNTS, KEY_HELP };

static const struct argp_option option_table[] = {
	OPTION("format", 'f', "FORMAT",
	       "gmon (default), raw, text (a line for each sample) or json"),
	OPTION("output", 'o', "FILE",
	       "File to write, for gmon a pattern (default: gmon.out, "
	       "pcsamples.raw, or standard output)"),
	OPTION("split", KEY_SPLIT, NULL, "As when recording"),
	OPTION("inherit-counts", KEY_INHERIT_COUNTS, NULL, "As when recording"),
	OPTION("time", PRF_WANTED_KEY_TIME, "FROM-TO",
	       "Only samples of that time, in seconds since the begin"),
	OPTION("pid", PRF_WANTED_KEY_PID, "PID", "Only samples of a process"),
	OPTION("tid", PRF_WANTED_KEY_TID, "TID", "Only samples of a thread"),
	OPTION("symfs", PRF_WANTED_KEY_SYMFS, "DIR",
	       "Look for the program's files below DIR"),
	OPTION("quiet", 'q', NULL, "Print nothing but errors"),
	OPTION("help", KEY_HELP, NULL, "Print this help"),
	{0},
};

static error_t
parse_argument(struct export *export, char *arg)
{
	if (export->path) {
		prf_error_set(export->err, -EINVAL,
			      "export: more than one trace; give one");
		return EINVAL;
	}
	export->path = arg;
	return 0;
}

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
	case KEY_INHERIT_COUNTS:
		export->inherit_counts = true;
		return 0;
	case 'q':
		export->messages.verbosity = -1;
		return 0;
	case KEY_HELP:
		export->help = true;
		return 0;
	case ARGP_KEY_ARG:
		return parse_argument(export, arg);
	default:
		break;
	}
	int rc = prf_wanted_parse(key, arg, &export->wanted, export->err);
	return rc == -ENOENT ? ARGP_ERR_UNKNOWN : -rc;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "TRACE",
	.doc = "Write a trace, as profrun -f pcsample records one, in another "
	       "format.",
};

static int
fail(const struct export *export, int status, const struct prf_error *err)
{
	prf_message_error(&export->messages, "%s", err->text);
	return status;
}

/* --- gmon */

static int64_t
realtime_offset_ns(const struct prf_pctrace_info *info)
{
	return info->realtime_ns && info->monotonic_ns
		       ? (int64_t)(info->realtime_ns - info->monotonic_ns)
		       : 0;
}

/* The program's name, for %n: the first word of the command. */
static char *
program_of(const struct prf_pctrace_info *info)
{
	return strndup(info->command, strcspn(info->command, " "));
}

static void
warn_all(const struct prf_warnings *warnings,
	 const struct prf_messages *messages)
{
	for (size_t i = 0; i < warnings->n; i++)
		prf_message_warn(messages, "%s", warnings->lines[i]);
}

static int
play_to_files(const struct export *export,
	      const struct prf_recording *recording,
	      const struct prf_options *as_recorded, struct prf_output *output)
{
	struct prf_record_files files;
	struct prf_error err = {0};
	struct prf_sink *sink;
	FILE *summary = prf_message_summary(&export->messages);
	const struct prf_family_config config = {
		.kernel_apart = !export->split,
		.inherit_counts = export->inherit_counts,
		.each_thread = as_recorded->each_thread,
		.way = prf_wanted_way(&export->wanted),
		.realtime_offset_ns =
			realtime_offset_ns(prf_pctrace_info(recording->trace)),
		.ended = prf_record_files_write,
		.arg = &files,
	};
	struct prf_family *family = prf_family_new(&config);

	if (!family) {
		prf_error_set(&err, -ENOMEM, "out of memory");
		return fail(export, PRF_EXIT_FAILED, &err);
	}
	prf_record_files_init(&files, as_recorded, output);
	int rc = prf_recording_play(recording, &export->wanted, &family->base,
				    &sink, &export->messages, &err);
	int status = rc ? fail(export, PRF_EXIT_UNREADABLE, &err) : 0;
	if (!rc) {
		warn_all(&family->warnings, &export->messages);
		sink->ops->free(sink);
	}
	if (prf_record_files_complain(&files, &export->messages) && !status)
		status = PRF_EXIT_FAILED;
	if (!status && summary)
		prf_record_files_print(&files, summary);
	prf_record_files_clear(&files);
	return status;
}

static int
export_gmon(const struct export *export, const struct prf_recording *recording)
{
	PRF_AUTO(prf_auto_free)
	char *name = program_of(prf_pctrace_info(recording->trace));
	char *program[] = {name, NULL};
	const char *pattern = export->output ? export->output : "gmon.out";
	const struct prf_options as_recorded = {
		.rate_hz = prf_recording_rate_hz(recording),
		.formats = PRF_FORMAT_GMON,
		.output = pattern,
		.output_given = pattern,
		.split = export->split,
		.each_thread = prf_pattern_has(pattern, 't'),
		.inherit_counts = export->inherit_counts,
		.program = program,
	};
	struct prf_output output;
	struct prf_error err = {0};

	if (!name)
		prf_error_set(&err, -ENOMEM, "out of memory");
	if (!name || prf_pattern_check(pattern, &err) ||
	    prf_output_open(&as_recorded, &output, &err))
		return fail(export, PRF_EXIT_FAILED, &err);
	int status = play_to_files(export, recording, &as_recorded, &output);
	prf_output_close(&output);
	return status;
}

/* --- Formats of one stream */

/* A file that appears whole, or standard output. */
struct target {
	struct prf_outdir *dir;
	struct prf_outfile *file;
	FILE *stream;
};

static void
close_target(struct target *target)
{
	prf_outfile_free(target->file);
	prf_outdir_close(target->dir);
}

static int
open_target(struct target *target, const char *path, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *directory = NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (!path || strcmp(path, "-") == 0) {
		target->stream = stdout;
		return 0;
	}
	directory =
		slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	if (!directory)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_outdir_open(directory, &target->dir, err);
	if (rc == 0)
		rc = prf_outfile_create(target->dir, slash ? slash + 1 : path,
					&target->file, err);
	if (rc == 0)
		target->stream = prf_outfile_stream(target->file);
	return rc;
}

static int
commit_target(struct target *target, struct prf_error *err)
{
	if (target->file)
		return prf_outfile_commit(target->file, err);
	return fflush(stdout) || ferror(stdout)
		       ? prf_error_set(err, -EIO, "standard output: %m")
		       : 0;
}

/* Plays to SINK and gives TARGET, if it was all written, its name. */
static int
play_to_target(const struct export *export,
	       const struct prf_recording *recording, struct prf_sink *sink,
	       struct target *target)
{
	struct prf_sink *played;
	struct prf_error err = {0};

	if (prf_recording_play(recording, &export->wanted, sink, &played,
			       &export->messages, &err))
		return fail(export,
			    ferror(target->stream) ? PRF_EXIT_FAILED
						   : PRF_EXIT_UNREADABLE,
			    &err);
	played->ops->free(played);
	return commit_target(target, &err) < 0
		       ? fail(export, PRF_EXIT_FAILED, &err)
		       : PRF_EXIT_OK;
}

typedef int new_listing(FILE *, const struct prf_pctrace_info *,
			struct prf_lookup *, struct prf_sink **,
			struct prf_error *);

static int
export_listing(const struct export *export,
	       const struct prf_recording *recording, new_listing *new_sink)
{
	PRF_AUTO(close_target) struct target target = {0};
	const struct prf_objectfile_way way = prf_wanted_way(&export->wanted);
	struct prf_warnings warnings = {0};
	struct prf_lookup *lookup = prf_lookup_new(&way, &warnings);
	struct prf_error err = {0};
	struct prf_sink *sink;
	int rc = lookup ? open_target(&target, export->output, &err)
			: prf_error_set(&err, -ENOMEM, "out of memory");

	if (rc == 0)
		rc = new_sink(target.stream, prf_pctrace_info(recording->trace),
			      lookup, &sink, &err);
	int status = rc ? fail(export, PRF_EXIT_FAILED, &err)
			: play_to_target(export, recording, sink, &target);
	prf_lookup_free(lookup);
	warn_all(&warnings, &export->messages);
	prf_warnings_clear(&warnings);
	return status;
}

static int
export_text(const struct export *export, const struct prf_recording *recording)
{
	return export_listing(export, recording, prf_listing_text_new);
}

static int
export_json(const struct export *export, const struct prf_recording *recording)
{
	return export_listing(export, recording, prf_listing_json_new);
}

/* What the run itself would have written. */
static int
export_raw(const struct export *export, const struct prf_recording *recording)
{
	PRF_AUTO(prf_auto_free)
	char *name = program_of(prf_pctrace_info(recording->trace));
	char *program[] = {name, NULL};
	const struct prf_options as_recorded = {
		.formats = PRF_FORMAT_RAW,
		.max_samples = INT64_MAX,
		.output = prf_formats_pattern(PRF_FORMAT_RAW, export->output),
		.output_given = export->output,
		.program = program,
	};
	struct prf_record_streams streams;
	struct prf_output output;
	struct prf_error err = {0};
	FILE *summary = prf_message_summary(&export->messages);

	if (!name)
		prf_error_set(&err, -ENOMEM, "out of memory");
	if (!name || prf_pattern_check(as_recorded.output, &err) ||
	    prf_output_open(&as_recorded, &output, &err))
		return fail(export, PRF_EXIT_FAILED, &err);
	int rc = prf_recording_play(
		recording, &export->wanted,
		prf_record_streams_one(&streams, &as_recorded, &output), NULL,
		&export->messages, &err);
	int status = rc ? fail(export, PRF_EXIT_UNREADABLE, &err) : 0;
	if (prf_record_streams_complain(&streams, &export->messages) && !status)
		status = PRF_EXIT_FAILED;
	if (!status && summary)
		prf_record_streams_print(&streams, summary);
	prf_record_streams_clear(&streams);
	prf_output_close(&output);
	return status;
}

/* --- All of them */

static const struct {
	const char *name;
	int (*run)(const struct export *export,
		   const struct prf_recording *recording);
} formats[] = {
	{"gmon", export_gmon},
	{"raw", export_raw},
	{"text", export_text},
	{"json", export_json},
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

/* Its index in the table; N_FORMATS: it is none. */
static size_t
format_of(const char *name)
{
	size_t i = 0;

	while (i < N_FORMATS && strcmp(formats[i].name, name) != 0)
		i++;
	return i;
}

static int
check(const struct export *export, struct prf_error *err)
{
	size_t format = format_of(export->format);

	if (format == N_FORMATS)
		return prf_error_set(err, -EINVAL,
				     "export: -f %s: unknown; give gmon, raw, "
				     "text or json",
				     export->format);
	if (!export->path)
		return prf_error_set(err, -EINVAL,
				     "export: no trace; use profrun export "
				     "[OPTION...] TRACE, or --help");
	if (formats[format].run == export_raw && export->wanted.pid)
		return prf_error_set(err, -EINVAL,
				     "export: raw samples are of the first "
				     "process; leave --pid out");
	return 0;
}

static int
parse(const struct prf_options *options, struct export *export,
      struct prf_error *err)
{
	int argc = 0;

	while (options->program[argc])
		argc++;
	error_t rc = argp_parse(&parser, argc, options->program,
				ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT,
				NULL, export);
	if (err->code)
		return err->code;
	if (rc)
		return prf_option_fault(option_table, argc, options->program,
					err);
	return export->help ? 0 : check(export, err);
}

int
prf_cmd_export(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	char name[] = "profrun export";
	struct prf_error err = {0};
	struct export export = {
		.format = "gmon",
		.messages = *messages,
		.err = &err,
	};
	struct prf_recording recording;

	if (parse(options, &export, &err))
		return fail(&export, PRF_EXIT_FAILED, &err);
	if (export.help) {
		argp_help(&parser, stdout,
			  ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG |
				  ARGP_HELP_DOC,
			  name);
		return PRF_EXIT_OK;
	}
	if (prf_recording_open(export.path, &recording, &err))
		return fail(&export, PRF_EXIT_UNREADABLE, &err);
	int status = formats[format_of(export.format)].run(&export, &recording);
	prf_recording_close(&recording);
	return status;
}
