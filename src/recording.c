#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/scope.h"
#include "rate.h"

/* --- What is wanted */

/* Seconds with perhaps a fraction, up to a day. */
static int
parse_seconds(const char *text, size_t length, uint64_t *time_ns)
{
	char word[64];

	if (length + 2 > sizeof word || strspn(text, "0123456789.") < length)
		return -EINVAL;
	snprintf(word, sizeof word, "%.*ss", (int)length, text);
	return prf_rate_parse_time(word, time_ns, NULL);
}

/* FROM-TO, either of which may be left out. */
static int
parse_range(const char *arg, struct prf_wanted *wanted, struct prf_error *err)
{
	const char *dash = strchr(arg, '-');
	int rc = dash && arg[1] ? 0 : -EINVAL;

	wanted->from_ns = wanted->to_ns = 0;
	if (!rc && dash > arg)
		rc = parse_seconds(arg, (size_t)(dash - arg), &wanted->from_ns);
	if (!rc && dash[1])
		rc = parse_seconds(dash + 1, strlen(dash + 1), &wanted->to_ns);
	if (!rc && dash[1] && wanted->to_ns <= wanted->from_ns)
		rc = -EINVAL;
	return rc ? prf_error_set(err, -EINVAL,
				  "--time=%s: not a range; give seconds since "
				  "the begin as 1.5-2, 1.5- or -2",
				  arg)
		  : 0;
}

static int
parse_id(const char *option, const char *arg, pid_t *id, struct prf_error *err)
{
	uint64_t number;

	if (prf_rate_parse_hz(arg, &number, NULL) || number < 1 ||
	    number > INT_MAX)
		return prf_error_set(err, -EINVAL, "--%s=%s: not an id", option,
				     arg);
	*id = (pid_t)number;
	return 0;
}

int
prf_wanted_parse(int key, const char *arg, struct prf_wanted *wanted,
		 struct prf_error *err)
{
	switch (key) {
	case PRF_WANTED_KEY_TIME:
		return parse_range(arg, wanted, err);
	case PRF_WANTED_KEY_PID:
		return parse_id("pid", arg, &wanted->pid, err);
	case PRF_WANTED_KEY_TID:
		return parse_id("tid", arg, &wanted->tid, err);
	case PRF_WANTED_KEY_SYMFS:
		wanted->symfs = arg;
		return 0;
	default:
		return -ENOENT;
	}
}

struct prf_objectfile_way
prf_wanted_way(const struct prf_wanted *wanted)
{
	return (struct prf_objectfile_way){
		.open = prf_objectfile_open_recorded,
		.arg = (void *)wanted->symfs,
	};
}

static uint64_t
after(uint64_t begun_ns, uint64_t ns)
{
	return ns > UINT64_MAX - begun_ns ? UINT64_MAX : begun_ns + ns;
}

static struct prf_sieve
sieve_of(const struct prf_wanted *wanted, const struct prf_pctrace_info *info)
{
	return (struct prf_sieve){
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

/* --- The file */

int
prf_input_open(const char *path, FILE **out, struct prf_error *err)
{
	struct stat st;

	if (strcmp(path, "-") == 0) {
		*out = stdin;
		return 0;
	}
	PRF_AUTO(prf_auto_close)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	if (!S_ISREG(st.st_mode))
		return prf_error_set(err, -EINVAL,
				     "%s: is not a regular file; give one, or "
				     "- for standard input",
				     path);
	*out = fdopen(fd, "r");
	if (!*out)
		return prf_error_set(err, -errno, "%s: %m", path);
	fd = -1; /* it is the stream's */
	return 0;
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

static void
warn_of(const struct prf_recording *recording,
	const struct prf_pctrace_report *report,
	const struct prf_messages *messages)
{
	if (report->n_damaged)
		prf_message_warn(
			messages,
			"%s: damaged in %" PRIu64 " places; first %s; %" PRIu64
			" events with %" PRIu64 " ticks are lost",
			recording->path, report->n_damaged, report->damage.text,
			report->lost_events, report->lost_ticks);
	else if (!report->has_end)
		prf_message_warn(messages,
				 "%s: was cut, or its recorder killed; the "
				 "%" PRIu64 " samples before are used",
				 recording->path, report->samples);
	if (report->refused.code)
		prf_message_warn(messages,
				 "%s: %" PRIu64 " ticks and %" PRIu64
				 " other events could not be used: %s",
				 recording->path, report->refused.ticks,
				 report->refused.others,
				 strerror(-report->refused.code));
}

int
prf_recording_play(const struct prf_recording *recording,
		   const struct prf_wanted *wanted, struct prf_sink *sink,
		   struct prf_sink **keep, const struct prf_messages *messages,
		   struct prf_error *err)
{
	const struct prf_sieve sieve =
		sieve_of(wanted, prf_pctrace_info(recording->trace));
	struct prf_pctrace_report report = {0};
	struct prf_error why = {0};
	struct prf_sink *sift;
	int rc = prf_sift_sink_new(&sieve, sink, &sift, err);

	if (rc) {
		sink->ops->free(sink);
		return rc;
	}
	rc = prf_pctrace_play(recording->trace, sift, &report, &why);
	if (rc)
		prf_error_set(err, rc, "%s: %s", recording->path, why.text);
	else
		rc = sift->ops->finish(sift, err);
	if (!rc)
		warn_of(recording, &report, messages);
	if (!rc && keep)
		*keep = sift;
	else
		sift->ops->free(sift);
	return rc;
}
