#include "trace_addends.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/gmon_read.h"
#include "core/scope.h"
#include "mainprogram.h"
#include "recording.h"
#include "view/gmonfiles.h"
#include "view/whole.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);
PRF_DEFINE_AUTO(prf_whole, prf_whole_free);

/* What becomes of the programs of a trace as they end. */
struct addends {
	struct prf_merge *merge;
	const struct prf_recording *recording;
	struct prf_mainprogram main;
	uint64_t left_out, left_out_ticks;
	int rc; /* of the first that failed, with FAILURE */
	struct prf_error failure;
};

/* --- One profile */

typedef int write_part(const struct prf_whole *whole, uint32_t rate_hz,
		       FILE *out, struct prf_error *err);

static int
write_ticks(const struct prf_whole *whole, uint32_t rate_hz, FILE *out,
	    struct prf_error *err)
{
	return prf_gmonfiles_write_ticks(whole, rate_hz, out, err);
}

static int
write_list(const struct prf_whole *whole, uint32_t rate_hz, FILE *out,
	   struct prf_error *err)
{
	(void)rate_hz;
	return prf_gmonfiles_write_syms(whole, out, err);
}

/* What a file would hold; *TEXT is to be free()d, also after a failure. */
static int
write_to_memory(const struct prf_whole *whole, uint32_t rate_hz,
		write_part *write, char **text, size_t *n_bytes,
		struct prf_error *err)
{
	FILE *out = open_memstream(text, n_bytes);

	if (!out)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = write(whole, rate_hz, out, err);
	if (fclose(out) && !rc)
		rc = prf_error_set(err, -ENOMEM, "out of memory");
	return rc;
}

static int
add_profile(const struct addends *addends, const struct prf_profile *profile,
	    const char *name, struct prf_error *err)
{
	PRF_AUTO(prf_whole_auto) struct prf_whole *whole = NULL;
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;
	PRF_AUTO(prf_auto_free) char *ticks = NULL;
	PRF_AUTO(prf_auto_free) char *list = NULL;
	uint32_t rate_hz = prf_recording_rate_hz(addends->recording);
	size_t ticks_bytes, list_bytes;
	int rc = prf_whole_new(profile, &whole, err);

	if (!rc)
		rc = write_to_memory(whole, rate_hz, write_ticks, &ticks,
				     &ticks_bytes, err);
	if (!rc)
		rc = write_to_memory(whole, rate_hz, write_list, &list,
				     &list_bytes, err);
	if (!rc)
		rc = prf_gmon_parse(ticks, ticks_bytes, NULL, &gmon, err);
	return rc ? rc
		  : prf_merge_add(addends->merge, name, gmon, list, list_bytes,
				  err);
}

/* --- All of a trace */

/* The first process goes by the trace's name; to be free()d. */
static char *
name_of(const struct addends *addends, const struct prf_ended *ended)
{
	char *name = NULL;
	int n = ended->is_main
			? asprintf(&name, "%s", addends->recording->path)
			: asprintf(&name, "%s:%d", addends->recording->path,
				   (int)ended->pid);

	return n < 0 ? NULL : name;
}

static int
add_ended(const struct addends *addends, const struct prf_ended *ended,
	  struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = name_of(addends, ended);
	struct prf_error why = {0};

	if (!name)
		return prf_error_set(err, -ENOMEM, "out of memory");
	if (!ended->profile)
		return prf_error_set(err, ended->failure->code, "%s: %s", name,
				     ended->failure->text);
	int rc = add_profile(addends, ended->profile, name, &why);
	return rc ? prf_error_set(err, rc, "%s: %s", name, why.text) : 0;
}

static void
leave_out(struct addends *addends, const struct prf_ended *ended)
{
	addends->left_out++;
	if (ended->profile)
		addends->left_out_ticks += ended->profile->total.ticks;
}

static void
on_ended(void *arg, const struct prf_ended *ended)
{
	struct addends *addends = arg;

	if (addends->rc)
		return;
	if (prf_mainprogram_is(&addends->main, ended->program))
		addends->rc = add_ended(addends, ended, &addends->failure);
	else
		leave_out(addends, ended);
}

/* What is amiss is said when it is played for its ticks. */
static int
find_main(const char *path, struct prf_mainprogram *main, struct prf_error *err)
{
	const struct prf_reading quiet = {.messages.verbosity = -1};
	struct prf_recording recording;
	int rc = prf_recording_open(path, &recording, err);

	if (rc)
		return rc;
	rc = prf_recording_play(&recording, &quiet, &main->base, NULL, err);
	prf_recording_close(&recording);
	return rc;
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void
warn_left_out(const struct addends *addends,
	      const struct prf_messages *messages)
{
	prf_message_warn(messages,
			 "%s: %" PRIu64 " tick%s of %" PRIu64
			 " other program%s, which do not fit into one sum, are "
			 "left out; profrun export writes a gmon.out for each",
			 addends->recording->path, addends->left_out_ticks,
			 plural(addends->left_out_ticks), addends->left_out,
			 plural(addends->left_out));
}

static int
add_all(struct addends *addends, const struct prf_reading *reading,
	struct prf_error *err)
{
	PRF_AUTO(prf_counted_clear) struct prf_counted counted = {0};
	const struct prf_family_config config = {
		.kernel_apart = true,
		.ended = on_ended,
		.arg = addends,
	};
	int rc = prf_recording_count(addends->recording, reading, &config,
				     &counted, err);

	if (rc)
		return rc;
	if (addends->rc)
		*err = addends->failure;
	else if (addends->left_out)
		warn_left_out(addends, &reading->messages);
	return addends->rc;
}

int
prf_trace_addends_add(struct prf_merge *merge, const char *path,
		      const struct prf_reading *reading, struct prf_error *err)
{
	struct prf_recording recording;
	struct addends addends = {.merge = merge, .recording = &recording};

	prf_mainprogram_begin(&addends.main);
	int rc = find_main(path, &addends.main, err);
	if (!rc)
		rc = prf_recording_open(path, &recording, err);
	if (!rc) {
		rc = add_all(&addends, reading, err);
		prf_recording_close(&recording);
	}
	prf_mainprogram_clear(&addends.main);
	return rc;
}
