#include "src/commands/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/pctrace/pctrace_format.h"
#include "core/queue.h"
#include "core/scope.h"
#include "src/output/progress.h"

/* --- What is wanted of it */

static uint64_t
after(uint64_t begun_ns, uint64_t ns)
{
	return ns > UINT64_MAX - begun_ns ? UINT64_MAX : begun_ns + ns;
}

static struct prf_selection
selection_of(const struct prf_wanted *wanted,
	     const struct prf_pctrace_info *info)
{
	return (struct prf_selection){
		.from_ns = wanted->from_ns
				   ? after(info->monotonic_ns, wanted->from_ns)
				   : 0,
		.to_ns = wanted->to_ns
				 ? after(info->monotonic_ns, wanted->to_ns)
				 : UINT64_MAX,
		.pid = wanted->pid,
		.tid = wanted->tid,
	};
}

/* "of process 77 of thread 78 in that time". */
static void
describe(const struct prf_wanted *wanted, char *text, size_t size)
{
	int used = 0;

	text[0] = '\0';
	if (wanted->pid)
		used = snprintf(text, size, " of process %d", wanted->pid);
	if (wanted->tid)
		used += snprintf(text + used, size - (size_t)used,
				 " of thread %d", wanted->tid);
	if (wanted->from_ns || wanted->to_ns)
		snprintf(text + used, size - (size_t)used, " in that time");
}

/* -ENOENT: a part is wanted, and no sample was of it. */
static int
check_passed(const struct prf_recording *recording,
	     const struct prf_wanted *wanted, uint64_t n_passed,
	     uint64_t n_samples, struct prf_error *err)
{
	char what[100];

	describe(wanted, what, sizeof what);
	return !*what || n_passed
		       ? 0
		       : prf_error_set(err, -ENOENT,
				       "%s: no samples%s; the trace has "
				       "%" PRIu64,
				       recording->path, what, n_samples);
}

/* --- The file */

static int
open_regular(const char *path, struct prf_error *err)
{
	struct stat st;
	PRF_AUTO(prf_auto_close)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	if (!S_ISREG(st.st_mode))
		return prf_error_set(err, -EINVAL,
				     "%s: is not a regular file; give one, or "
				     "- for standard input",
				     path);
	int own = fd;
	fd = -1; /* it is the caller's */
	return own;
}

bool
prf_input_begins(const char *path, const char *bytes, size_t n)
{
	PRF_AUTO(prf_auto_close)
	int fd = strcmp(path, "-") ? open_regular(path, NULL) : -1;
	char begin[64];

	return fd >= 0 && n <= sizeof begin &&
	       read(fd, begin, n) == (ssize_t)n && memcmp(begin, bytes, n) == 0;
}

bool
prf_input_is_list(const char *path)
{
	static const char begin[] = "# gmon.syms";

	return prf_input_begins(path, begin, strlen(begin));
}

int
prf_input_open(const char *path, FILE **out, struct prf_error *err)
{
	if (strcmp(path, "-") == 0) {
		*out = stdin;
		return 0;
	}
	PRF_AUTO(prf_auto_close) int fd = open_regular(path, err);
	if (fd < 0)
		return fd;
	*out = fdopen(fd, "r");
	if (!*out)
		return prf_error_set(err, -errno, "%s: %m", path);
	fd = -1; /* it is the stream's */
	return 0;
}

bool
prf_recording_is_trace(const char *path)
{
	return prf_input_begins(path, PRF_PCTRACE_MAGIC,
				PRF_PCTRACE_MAGIC_BYTES);
}

int
prf_recording_open(const char *path, struct prf_recording *recording,
		   struct prf_error *err)
{
	struct prf_error why = {0};

	*recording = (struct prf_recording){.path = path};
	int rc = prf_input_open(path, &recording->file, err);
	if (rc)
		return rc;
	rc = prf_pctrace_open(recording->file, &recording->trace, &why);
	if (rc) {
		prf_recording_close(recording);
		prf_error_set(err, rc, "%s: %s", path, why.text);
	}
	return rc;
}

void
prf_recording_close(struct prf_recording *recording)
{
	prf_pctrace_close(PRF_TAKE(recording->trace));
	if (recording->file && recording->file != stdin)
		fclose(recording->file);
	recording->file = NULL;
}

uint32_t
prf_recording_rate_hz(const struct prf_recording *recording)
{
	uint64_t period_ns = prf_pctrace_info(recording->trace)->period_ns;

	if (period_ns < 100000 || period_ns > 1000000000)
		return 100;
	return (uint32_t)((1000000000 + period_ns / 2) / period_ns);
}

/* --- Playing */

/* Of samples that were read and not counted yet; this much stays in a cache. */
enum { QUEUE_BYTES = 512 << 10 };

static void
warn_of(const struct prf_recording *recording,
	const struct prf_pctrace_report *report,
	const struct prf_messages *messages)
{
	if (report->n_damaged)
		prf_message_warn(
			messages,
			"%s: damaged in %" PRIu64 " place%s; first %s; lost: "
			"%" PRIu64 " event%s with %" PRIu64 " tick%s",
			recording->path, report->n_damaged,
			prf_message_s(report->n_damaged), report->damage.text,
			report->lost_events, prf_message_s(report->lost_events),
			report->lost_ticks, prf_message_s(report->lost_ticks));
	else if (!report->has_end)
		prf_message_warn(messages,
				 "%s: was cut, or its recorder killed; what "
				 "is before is used: %" PRIu64 " sample%s",
				 recording->path, report->samples,
				 prf_message_s(report->samples));
	if (report->refused.code)
		prf_message_warn(messages,
				 "%s: %" PRIu64 " tick%s and %" PRIu64
				 " other event%s could not be used: %s",
				 recording->path, report->refused.ticks,
				 prf_message_s(report->refused.ticks),
				 report->refused.others,
				 prf_message_s(report->refused.others),
				 prf_message_reason(report->refused.code));
}

static void
add_losses(struct prf_losses *losses, struct prf_losses more)
{
	losses->ticks += more.ticks;
	losses->samples += more.samples;
	losses->others += more.others;
	if (!losses->code)
		losses->code = more.code;
}

/* Where READING asks for figures, puts what takes them before *FIRST. */
static int
note_figures(const struct prf_recording *recording,
	     const struct prf_reading *reading, struct prf_sink **first,
	     struct prf_error *err)
{
	if (!reading->figures)
		return 0;
	int rc = prf_figures_begin(reading->figures,
				   prf_pctrace_info(recording->trace), err);
	return rc ? rc
		  : prf_figures_sink_new(reading->figures, *first, first, err);
}

/* As prf_recording_play(); QUEUE is SINK, if that is a queue, else NULL. */
static int
play(const struct prf_recording *recording, const struct prf_reading *reading,
     struct prf_sink *sink, const struct prf_sink *queue,
     struct prf_sink **keep, struct prf_error *err)
{
	const struct prf_selection selection = selection_of(
		&reading->wanted, prf_pctrace_info(recording->trace));
	struct prf_pctrace_report report = {0};
	struct prf_error why = {0};
	struct prf_sink *selected;
	int rc = prf_selection_sink_new(&selection, sink, &selected, err);

	if (rc) {
		sink->ops->free(sink);
		return rc;
	}
	struct prf_sink *first = selected;
	rc = note_figures(recording, reading, &first, err);
	if (rc) {
		first->ops->free(first);
		return rc;
	}
	struct prf_progress *progress =
		prf_progress_begin(&reading->messages, "reading",
				   recording->path, fileno(recording->file));
	rc = prf_pctrace_play(recording->trace, first, &report, &why);
	if (rc)
		prf_error_set(err, rc, "%s: %s", recording->path, why.text);
	else
		rc = check_passed(recording, &reading->wanted,
				  prf_selection_sink_passed(selected),
				  report.samples, err);
	if (!rc)
		rc = first->ops->finish(first, err);
	prf_progress_end(progress);
	if (!rc && queue)
		add_losses(&report.refused, prf_queue_sink_losses(queue));
	if (!rc)
		warn_of(recording, &report, &reading->messages);
	if (reading->figures)
		reading->figures->refused_code = report.refused.code;
	if (!rc && keep)
		*keep = first;
	else
		first->ops->free(first);
	return rc;
}

int
prf_recording_play(const struct prf_recording *recording,
		   const struct prf_reading *reading, struct prf_sink *sink,
		   struct prf_sink **keep, struct prf_error *err)
{
	return play(recording, reading, sink, NULL, keep, err);
}

int
prf_recording_play_beside(const struct prf_recording *recording,
			  const struct prf_reading *reading,
			  struct prf_sink *sink, struct prf_sink **keep,
			  struct prf_error *err)
{
	struct prf_sink *queue;
	int rc = prf_queue_sink_new_waiting(sink, QUEUE_BYTES, &queue, err);

	if (rc) {
		sink->ops->free(sink);
		return rc;
	}
	return play(recording, reading, queue, queue, keep, err);
}

char *
prf_recording_program(const struct prf_recording *recording)
{
	const char *command = prf_pctrace_info(recording->trace)->command;

	return strndup(command, strcspn(command, " "));
}

/* --- Counting */

static int64_t
realtime_offset_ns(const struct prf_pctrace_info *info)
{
	return info->realtime_ns && info->monotonic_ns
		       ? (int64_t)(info->realtime_ns - info->monotonic_ns)
		       : 0;
}

int
prf_recording_count(const struct prf_recording *recording,
		    const struct prf_reading *reading,
		    const struct prf_collector_config *config,
		    struct prf_counted *counted, struct prf_error *err)
{
	const struct prf_pctrace_info *info =
		prf_pctrace_info(recording->trace);
	PRF_AUTO(prf_origin_clear) struct prf_origin origin = {0};
	struct prf_collector_config recorded = *config;

	if (prf_origin_tell(&origin, info->command, info->clock,
			    info->realtime_ns / 1000000000))
		return prf_error_set(err, -ENOMEM, "out of memory");
	recorded.origin = origin;
	recorded.rate_hz = prf_recording_rate_hz(recording);
	recorded.way = prf_wanted_way(&reading->wanted);
	recorded.realtime_offset_ns = realtime_offset_ns(info);
	recorded.perfmap_dir = "/tmp"; /* its processes are gone */
	struct prf_collector *collector = prf_collector_new(&recorded);
	if (!collector)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_recording_play_beside(recording, reading, &collector->base,
					   &counted->sink, err);
	if (rc)
		return rc;
	counted->profile = collector->profile;
	prf_message_warn_all(&reading->messages, &collector->warnings);
	return 0;
}

struct prf_timeline_config
prf_recording_timeline(const struct prf_recording *recording,
		       const struct prf_reading *reading)
{
	const struct prf_pctrace_info *info =
		prf_pctrace_info(recording->trace);
	const struct prf_wanted *wanted = &reading->wanted;
	uint64_t begin_ns = after(info->monotonic_ns, wanted->from_ns);

	return (struct prf_timeline_config){
		.way = prf_wanted_way(wanted),
		.rate_hz = prf_recording_rate_hz(recording),
		.begin_ns = begin_ns,
		.skipped_ns = begin_ns - info->monotonic_ns,
		.end_ns = selection_of(wanted, info).to_ns,
		.realtime_offset_ns = realtime_offset_ns(info),
	};
}

void
prf_counted_clear(struct prf_counted *counted)
{
	if (counted->sink)
		counted->sink->ops->free(counted->sink);
	else
		prf_profile_free(counted->profile);
	*counted = (struct prf_counted){0};
}
