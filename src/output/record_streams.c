#include "config.h"

#include "core/clock_ns.h"
#include "src/output/record_streams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "core/pctrace.h"
#include "core/rawsamples.h"
#include "core/scope.h"
#include "core/tee.h"
#include "image/buildid.h"
#include "src/options/pattern.h"
#include "src/output/quoted.h"
#include "src/output/summary.h"
#include "view/table/plain.h"

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* --- What is true of the whole trace */

const char *
prf_record_streams_clock(const struct prf_options *options)
{
	static const char *const names[] = {
		[PRF_CLOCK_CPU] = "cpu",
		[PRF_CLOCK_USER] = "user",
		[PRF_CLOCK_WALL] = "wall",
	};

	return names[options->clock];
}

/* To be free()d; NULL: out of memory. */
static char *
join(char *const *words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && words[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", words[i]);
	if (out)
		fclose(out);
	return text;
}

static int
begin_trace(struct prf_record_stream *stream, struct prf_error *err)
{
	const struct prf_options *options = stream->all->options;
	struct utsname machine = {0};

	uname(&machine);
	const struct prf_pctrace_info info = {
		.recorder = PACKAGE_STRING,
		.host = machine.nodename,
		.command = stream->all->command,
		.machine = machine.machine,
		.order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "big"
								: "little",
		.clock = prf_record_streams_clock(options),
		.trigger = options->trigger ? options->trigger : "auto",
		.period_ns = prf_options_period_ns(options),
		.realtime_ns = stream->all->realtime_ns,
		.monotonic_ns = stream->all->monotonic_ns,
	};
	return prf_pctrace_sink_new(prf_outfile_stream(stream->file), &info,
				    &stream->filter.next, err);
}

/* --- Its name, and what had that before */

#define OLD ".old"

/* What STREAM is called, with SUFFIX; NULL: out of memory. */
static char *
old_name(const struct prf_record_stream *stream, const char *suffix)
{
	char *name;

	return asprintf(&name, "%s%s", stream->name, suffix) < 0 ? NULL : name;
}

/* FILE is there as it is written; or, when it is whole, what was there has its
 * name with SUFFIX. */
static int
name_file(const struct prf_record_stream *stream, struct prf_outfile *file,
	  const char *suffix, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *old = old_name(stream, suffix);

	if (!stream->all->output->keeps_old)
		return prf_outfile_place(file, err);
	return old ? prf_outfile_keep_old(file, old, err) : no_memory(err);
}

/* --- Raw samples */

/* The .maps file says what was mapped where; there is none beside a device. */
static int
begin_maps(struct prf_record_stream *stream, const char *name,
	   struct prf_error *err)
{
	const struct prf_output *output = stream->all->output;
	PRF_AUTO(prf_auto_free) char *maps = NULL;

	if (prf_outdir_in_place(output->dir, name))
		return 0;
	if (asprintf(&maps, "%s.maps", name) < 0)
		return no_memory(err);
	int rc = prf_outfile_create(output->dir, maps, &stream->maps, err);
	stream->has_maps = !rc;
	return rc ? rc : name_file(stream, stream->maps, OLD ".maps", err);
}

static int
begin_raw(struct prf_record_stream *stream, struct prf_error *err)
{
	return prf_rawsamples_sink_new(
		prf_outfile_stream(stream->file),
		stream->maps ? prf_outfile_stream(stream->maps) : NULL,
		stream->all->options->max_samples, &stream->filter.next, err);
}

/* --- Begin: at the first event, which tells the process */

static int
open_files(struct prf_record_stream *stream, struct prf_error *err)
{
	struct prf_output *output = stream->all->output;
	bool is_trace = stream->format == PRF_FORMAT_PCSAMPLE;
	struct prf_error why = {0};
	int rc = is_trace ? 0 : begin_maps(stream, stream->name, err);

	if (rc == 0)
		rc = prf_outfile_create(output->dir, stream->name,
					&stream->file, err);
	if (rc)
		return rc;
	if (!stream->path)
		stream->path = strdup(prf_outfile_path(stream->file));
	if (!stream->path)
		return no_memory(err);
	rc = (is_trace ? begin_trace : begin_raw)(stream, &why);
	if (rc)
		return prf_error_set(err, rc, "%s: %s", stream->path, why.text);
	/* By now it is a trace: an older one can go. */
	return name_file(stream, stream->file, OLD, err);
}

static int
begin_files(struct prf_record_stream *stream, struct prf_error *err)
{
	struct prf_output *output = stream->all->output;
	int rc = prf_output_stream_name(output, stream->format, stream->pid,
					&stream->name, err);

	if (rc)
		return rc;
	stream->is_in_place = prf_outdir_in_place(output->dir, stream->name);
	if (stream->format == PRF_FORMAT_PCSAMPLE &&
	    stream->all->options->max_trace_bytes &&
	    !(stream->past = prf_record_past_new()))
		return no_memory(err);
	return open_files(stream, err);
}

/* --- Begin again: a trace that has reached its limit */

/* What a file has at least, however much has to be told again. */
enum { MIN_SAMPLES = 1024 };

/* The first reason counts: write(2)'s own, where that failed. */
static int
finish_files(struct prf_record_stream *stream, struct prf_error *err)
{
	struct prf_error why = {0};
	int rc = stream->filter.next->ops->finish(stream->filter.next, &why);
	int rc_file = prf_outfile_commit(stream->file, err);

	if (stream->maps && !rc_file)
		rc_file = prf_outfile_commit(stream->maps, err);
	if (rc && !rc_file)
		rc_file = prf_error_set(err, rc, "%s: %s", stream->path,
					why.text);
	return rc_file;
}

static void
close_files(struct prf_record_stream *stream)
{
	if (stream->filter.next)
		stream->filter.next->ops->free(PRF_TAKE(stream->filter.next));
	prf_outfile_free(PRF_TAKE(stream->file));
	prf_outfile_free(PRF_TAKE(stream->maps));
}

/* The trace ends, as FILE.old, and another begins with what is needed of it. */
static int
begin_again(struct prf_record_stream *stream, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *old = old_name(stream, OLD);
	int rc = old ? finish_files(stream, err) : no_memory(err);

	close_files(stream);
	if (!rc)
		rc = prf_outdir_rename(stream->all->output->dir, stream->name,
				       old, err);
	if (rc)
		return rc;
	stream->dropped += stream->old_samples;
	stream->old_samples = stream->samples;
	stream->samples = 0;
	rc = open_files(stream, err);
	if (!rc && prf_record_past_give(stream->past, stream->filter.next))
		rc = prf_error_set(err, -EIO, "%s: could not be begun again",
				   stream->path);
	return rc;
}

static void
limit(struct prf_record_stream *stream)
{
	if (!stream->past || stream->failure.code ||
	    stream->samples < MIN_SAMPLES ||
	    prf_outfile_bytes(stream->file) <
		    stream->all->options->max_trace_bytes)
		return;
	if (begin_again(stream, &stream->failure))
		close_files(stream);
}

static void
remember(struct prf_record_stream *stream, enum prf_event_kind kind,
	 const void *what)
{
	if (stream->past)
		prf_record_past_add(stream->past, kind, what);
}

/* --- The sink */

/* Are the events of PID written? 0: yes; 1: the format has no room for them;
 * else the reason why they cannot be. */
static int
admit(struct prf_record_stream *stream, pid_t pid)
{
	if (!stream->pid) {
		stream->pid = pid;
		if (begin_files(stream, &stream->failure))
			return stream->failure.code;
	}
	if (!stream->filter.next)
		return stream->failure.code;
	return stream->format == PRF_FORMAT_RAW && pid != stream->pid;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_record_stream *stream = (struct prf_record_stream *)sink;
	int rc = admit(stream, exec->pid);

	remember(stream, PRF_EVENT_EXEC, exec);
	return rc ? rc < 0 ? rc : 0 : prf_filter_exec(sink, exec);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct prf_record_stream *stream = (struct prf_record_stream *)sink;
	int rc = admit(stream, map->pid);

	remember(stream, PRF_EVENT_MAPPING, map);
	return rc ? rc < 0 ? rc : 0 : prf_filter_mapping(sink, map);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_record_stream *stream = (struct prf_record_stream *)sink;

	limit(stream);
	int rc = admit(stream, sample->pid);
	stream->samples += rc == 0;
	if (rc > 0)
		stream->others += sample->ticks;
	return rc ? rc < 0 ? rc : 0 : prf_filter_sample(sink, sample);
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct prf_record_stream *stream = (struct prf_record_stream *)sink;
	int rc = admit(stream, life->pid);

	remember(stream, PRF_EVENT_LIFE, life);
	return rc ? rc < 0 ? rc : 0 : prf_filter_life(sink, life);
}

static int
on_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct prf_record_stream *stream = (struct prf_record_stream *)sink;

	/* They are of the whole run, and a part of it is in another file. */
	return stream->filter.next && !stream->old_samples
		       ? prf_filter_figure(sink, figure)
		       : 0;
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct prf_record_stream *stream = (struct prf_record_stream *)sink;
	struct prf_error failure = {0};

	(void)err;
	if (!stream->filter.next)
		return 0;
	if (stream->format == PRF_FORMAT_RAW)
		stream->unstored =
			prf_rawsamples_sink_stats(stream->filter.next).unstored;
	if (finish_files(stream, &failure) && !stream->failure.code)
		stream->failure = failure;
	return 0;
}

static void
on_free(struct prf_sink *sink)
{
	struct prf_record_stream *stream = (struct prf_record_stream *)sink;

	close_files(stream);
	prf_record_past_free(PRF_TAKE(stream->past));
}

static const struct prf_sink_ops stream_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.figure = on_figure,
	.finish = on_finish,
	.free = on_free,
};

/* --- All of them */

static int
find_id(void *finder, const struct prf_mapping *map, struct stat *st,
	uint8_t bytes[PRF_BUILDID_MAX_BYTES])
{
	return prf_objectfile_build_id(finder, map, st, bytes);
}

static int
stat_path(void *finder, const struct prf_mapping *map, struct stat *st)
{
	return prf_objectfile_stat_path(finder, map, st);
}

/* All streams behind a sink that fills in the build-ids. */
static int
join_streams(struct prf_record_streams *streams, struct prf_sink **out,
	     struct prf_error *err)
{
	const struct prf_buildid_way way = {
		.find = find_id,
		.stat_path = stat_path,
		.arg = streams->finder,
	};
	struct prf_sink *sinks[PRF_N_STREAMS], *tee;

	for (size_t i = 0; i < streams->n; i++)
		sinks[i] = &streams->streams[i].filter.base;
	int rc = prf_tee_sink_new(sinks, streams->n, &tee, err);
	if (rc)
		return rc;
	rc = prf_buildid_sink_new(tee, &way, out, err);
	if (rc)
		tee->ops->free(tee);
	return rc;
}

static void
add_stream(struct prf_record_streams *streams, enum prf_format format)
{
	if (streams->options->formats & format)
		streams->streams[streams->n++] = (struct prf_record_stream){
			.filter.base.ops = &stream_ops,
			.all = streams,
			.format = format,
		};
}

int
prf_record_streams_begin(struct prf_record_streams *streams,
			 const struct prf_options *options,
			 struct prf_output *output, struct prf_error *err)
{
	*streams = (struct prf_record_streams){
		.options = options,
		.output = output,
		.realtime_ns = prf_clock_ns(CLOCK_REALTIME),
		.monotonic_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.command = join(options->program),
	};
	add_stream(streams, PRF_FORMAT_PCSAMPLE);
	add_stream(streams, PRF_FORMAT_RAW);
	streams->finder = prf_objectfile_finder_new();
	return streams->command && streams->finder ? 0 : no_memory(err);
}

struct prf_sink *
prf_record_streams_one(struct prf_record_streams *streams)
{
	return &streams->streams[0].filter.base;
}

int
prf_record_streams_sink(struct prf_record_streams *streams,
			struct prf_sink *family, struct prf_sink **out,
			struct prf_error *err)
{
	struct prf_sink *sinks[2] = {family};

	*out = family;
	if (!streams->n)
		return 0;
	int rc = join_streams(streams, &sinks[1], err);
	if (rc)
		return rc;
	rc = prf_tee_sink_new(sinks, 2, out, err);
	if (rc)
		sinks[1]->ops->free(sinks[1]);
	return rc;
}

static void
free_names(struct prf_record_stream *stream)
{
	free(PRF_TAKE(stream->name));
	free(PRF_TAKE(stream->path));
}

void
prf_record_streams_be_newest(const struct prf_record_streams *streams)
{
	for (size_t i = 0; i < streams->n; i++) {
		const struct prf_record_stream *stream = &streams->streams[i];

		if (stream->name && !stream->is_in_place)
			prf_outdir_touch(streams->output->dir, stream->name);
	}
}

void
prf_record_streams_clear(struct prf_record_streams *streams)
{
	for (size_t i = 0; i < streams->n; i++)
		free_names(&streams->streams[i]);
	streams->n = 0;
	prf_objectfile_finder_free(PRF_TAKE(streams->finder));
	free(PRF_TAKE(streams->command));
}

/* --- What is said of it */

/* Where this is the only file, it is the newest profile here. */
static void
print_trace(const struct prf_record_stream *stream, FILE *out)
{
	const struct prf_options *options = stream->all->options;
	bool is_newest = !options->output_given &&
			 options->formats == PRF_FORMAT_PCSAMPLE &&
			 !prf_pattern_rank();

	prf_summary_print_report(is_newest ? NULL : stream->path, out);
	if (options->call_graph)
		prf_summary_print_tree(is_newest ? NULL : stream->path, out);
	fputs("  profrun export -f text ", out);
	prf_quoted_print(stream->path, out);
	fputs("    # all samples\n", out);
	if (!stream->old_samples)
		return;
	fputs("  profrun report ", out);
	prf_quoted_print(stream->path, out);
	fprintf(out, ".old    # what was before: %" PRIu64 " sample%s",
		stream->old_samples, prf_message_s(stream->old_samples));
	if (stream->dropped)
		fprintf(out, "; older ones dropped: %" PRIu64, stream->dropped);
	fputc('\n', out);
}

static void
print_stream(const struct prf_record_stream *stream, FILE *out)
{
	if (stream->format == PRF_FORMAT_PCSAMPLE) {
		print_trace(stream, out);
		return;
	}
	fputs("\n  ", out);
	prf_plain_print(stream->path, out);
	fprintf(out, "    # program counters of process %d", (int)stream->pid);
	if (stream->has_maps)
		fputs("; .maps says what was mapped where", out);
	if (stream->unstored)
		fprintf(out, "; %" PRIu64 " tick%s above --samples",
			stream->unstored, prf_message_s(stream->unstored));
	if (stream->others)
		fprintf(out, "; not there: %" PRIu64 " tick%s of others",
			stream->others, prf_message_s(stream->others));
	fputc('\n', out);
}

void
prf_record_streams_print(const struct prf_record_streams *streams, FILE *out)
{
	for (size_t i = 0; i < streams->n; i++)
		if (streams->streams[i].path &&
		    !streams->streams[i].is_in_place)
			print_stream(&streams->streams[i], out);
}

uint64_t
prf_record_streams_complain(const struct prf_record_streams *streams,
			    const struct prf_messages *messages)
{
	uint64_t n = 0;

	for (size_t i = 0; i < streams->n; i++) {
		if (!streams->streams[i].failure.code)
			continue;
		prf_message_error(messages, "%s",
				  streams->streams[i].failure.text);
		n++;
	}
	return n;
}
