#include "src/commands/profile_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon/gmon_format.h"
#include "core/gmon_read.h"
#include "core/scope.h"
#include "src/output/progress.h"
#include "src/commands/recording.h"
#include "src/output/outname.h"
#include "view/pprof/cpuprofile.h"
#include "view/pprof/pprof_read.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

static int
share(void *arg, const struct prf_binary *binary, const char *name,
      uint64_t ticks)
{
	/* How many samples those were the file does not tell. */
	const struct prf_count count = {ticks, (double)ticks};

	return prf_spread_add(arg, binary, name, &count);
}

int
prf_profile_sum_init(struct prf_profile_sum *sum, struct prf_spread *spread,
		     struct prf_error *err)
{
	*sum = (struct prf_profile_sum){
		.profile = prf_profile_new(),
		.spread = spread,
	};
	if (sum->profile)
		sum->gmons = prf_gmon_source_new(sum->profile,
						 spread ? share : NULL, spread);
	return sum->gmons ? 0 : no_memory(err);
}

void
prf_profile_sum_clear(struct prf_profile_sum *sum)
{
	prf_gmon_source_free(sum->gmons);
	prf_profile_free(sum->profile);
	prf_counted_clear(&sum->only);
	prf_infile_clear(&sum->gmon);
	prf_infile_clear(&sum->syms);
	*sum = (struct prf_profile_sum){0};
}

struct prf_profile *
prf_profile_sum_whole(const struct prf_profile_sum *sum)
{
	return sum->only.profile ? sum->only.profile : sum->profile;
}

/* Of several files, of which gmon.outs know neither inodes nor the program that
 * the run was to profile: so that the order of the files does not tell which
 * binaries are one, and which program leads (its ticks do). */
static int
add_profile(struct prf_profile_sum *sum, struct prf_profile *profile,
	    struct prf_error *err)
{
	prf_profile_forget_inodes(profile);
	int rc = prf_profile_add(sum->profile, profile, err);

	prf_profile_forget_inodes(sum->profile);
	sum->profile->program = NULL;
	return !rc && prf_profile_detach(sum->profile) ? no_memory(err) : rc;
}

static int
begin_file(struct prf_profile_sum *sum, const char *path, struct prf_error *err)
{
	int rc = sum->only.profile ? add_profile(sum, sum->only.profile, err)
				   : 0;

	prf_counted_clear(&sum->only);
	if (!rc && sum->spread && prf_spread_begin(sum->spread, path))
		rc = no_memory(err);
	sum->n_files++;
	return rc;
}

/* --- A gmon.out */

/* The list of PATH; *TEXT is NULL where there is none. */
static int
read_list(struct prf_profile_sum *sum, const char *path, const char *syms_path,
	  const char **text, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *beside = prf_outname_symbols(path);

	*text = NULL;
	if (!beside)
		return no_memory(err);
	int rc = prf_infile_read(&sum->syms, syms_path ? syms_path : beside,
				 err);
	if (rc == -ENOENT && !syms_path)
		return 0;
	*text = rc ? NULL : sum->syms.bytes;
	return rc;
}

int
prf_profile_sum_add_gmon(struct prf_profile_sum *sum, const char *path,
			 const char *syms_path, struct prf_error *err)
{
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;
	struct prf_error why = {0};
	const char *list;
	int rc = prf_infile_read(&sum->gmon, path, err);

	if (rc)
		return rc;
	rc = prf_gmon_parse(sum->gmon.bytes, sum->gmon.n_bytes, NULL, &gmon,
			    &why);
	if (rc)
		return prf_error_set(err, rc, "%s: %s", path, why.text);
	rc = read_list(sum, path, syms_path, &list, err);
	if (!rc)
		rc = begin_file(sum, path, err);
	if (rc)
		return rc;
	rc = prf_gmon_source_add(sum->gmons, gmon, list, sum->syms.n_bytes,
				 &why);
	return rc ? prf_error_set(err, rc, "%s: %s", path, why.text) : 0;
}

/* --- What was counted elsewhere */

/* COUNTED may be taken over. */
static int
add_counted(struct prf_profile_sum *sum, const char *path,
	    struct prf_counted *counted, struct prf_error *err)
{
	struct prf_error why = {0};
	int rc = begin_file(sum, path, err);

	if (!rc && sum->spread &&
	    prf_spread_add_all(sum->spread, counted->profile))
		rc = no_memory(err);
	if (rc)
		return rc;
	rc = prf_gmon_source_next(sum->gmons, true, &why);
	if (!rc && sum->n_files == 1) {
		sum->only = *counted;
		*counted = (struct prf_counted){0};
	} else if (!rc) {
		rc = add_profile(sum, counted->profile, &why);
	}
	return rc ? prf_error_set(err, rc, "%s: %s", path, why.text) : 0;
}

/* --- A trace */

/* A rank is a file of its own, as it is where each leaves one. */
static void
add_rank(void *arg, const struct prf_ended *ended)
{
	struct prf_profile_sum *sum = arg;
	char name[32];

	if (ended->rank < 0 || sum->parts_rc)
		return;
	snprintf(name, sizeof name, "rank %" PRId32, ended->rank);
	sum->parts_rc =
		ended->profile ? prf_spread_begin(sum->ranks, name) : -ENOMEM;
	if (!sum->parts_rc)
		sum->parts_rc = prf_spread_add_all(sum->ranks, ended->profile);
}

/* So many that each is short beside what is compared. */
enum { PARTS = 128 };

static void
tell_part(void *arg, const struct prf_ended *ended)
{
	struct prf_profile_sum *sum = arg;

	if (ended->profile)
		sum->part(sum->part_arg, ended->profile);
	else
		sum->parts_rc = -ENOMEM;
}

int
prf_profile_sum_add_trace(struct prf_profile_sum *sum, const char *path,
			  const struct prf_reading *reading,
			  struct prf_error *err)
{
	PRF_AUTO(prf_counted_clear) struct prf_counted counted = {0};
	const struct prf_collector_config config = {
		.kernel_apart = true,
		.threads = true,
		.call_graph = true,
		.by_thread = sum->states,
		.flat_calls = sum->states,
		.each = sum->ranks ? PRF_COLLECT_RANK : PRF_COLLECT_RUN,
		.n_parts = sum->part ? PARTS : 0,
		.ended = sum->ranks  ? add_rank
			 : sum->part ? tell_part
				     : NULL,
		.arg = sum,
	};
	struct prf_recording recording;
	int rc = prf_recording_open(path, &recording, err);

	if (rc)
		return rc;
	rc = prf_recording_count(&recording, reading, &config, &counted, err);
	if (!rc && sum->parts_rc)
		rc = no_memory(err);
	if (!rc)
		rc = add_counted(sum, path, &counted, err);
	/* It may lend files from the collector. */
	if (rc)
		prf_profile_sum_clear(sum);
	prf_recording_close(&recording);
	return rc;
}

/* --- A pprof file */

static bool
is_pprof(struct prf_profile_sum *sum, const char *path)
{
	const struct prf_infile *file = &sum->gmon;

	return !prf_recording_is_trace(path) &&
	       !prf_input_begins(path, PRF_GMON_COOKIE,
				 PRF_GMON_COOKIE_BYTES) &&
	       !prf_infile_read(&sum->gmon, path, NULL) &&
	       (prf_cpuprofile_is_it(file->bytes, file->n_bytes) ||
		prf_pprof_read_is_it(file->bytes, file->n_bytes));
}

/* One of gperftools, which pprof reads, too: it is counted as its run would have
 * been. */
static int
add_cpuprofile(struct prf_profile_sum *sum, const char *path,
	       const struct prf_reading *reading, struct prf_error *err)
{
	PRF_AUTO(prf_counted_clear) struct prf_counted counted = {0};
	const struct prf_infile *file = &sum->gmon;
	const struct prf_collector_config config = {
		.call_graph = true,
		.rate_hz = prf_cpuprofile_rate_hz(file->bytes, file->n_bytes),
		.origin = {.clock = "cpu", .is_told = true},
		.way = {.open = prf_objectfile_open_by_inode,
			.arg = (void *)reading->wanted.symfs,
			.ask = true},
	};
	struct prf_collector *collector = prf_collector_new(&config);
	struct prf_error why = {0};

	if (!collector)
		return no_memory(err);
	counted.sink = &collector->base;
	int rc = prf_cpuprofile_play(file->bytes, file->n_bytes, counted.sink,
				     &why);
	if (!rc)
		rc = counted.sink->ops->finish(counted.sink, &why);
	if (rc)
		return prf_error_set(err, rc, "%s: %s", path, why.text);
	prf_message_warn_all(&reading->messages, &collector->warnings);
	counted.profile = collector->profile;
	rc = add_counted(sum, path, &counted, err);
	/* It may lend files from the collector. */
	if (rc)
		prf_profile_sum_clear(sum);
	return rc;
}

int
prf_profile_sum_add_pprof(struct prf_profile_sum *sum, const char *path,
			  const struct prf_reading *reading,
			  struct prf_error *err)
{
	PRF_AUTO(prf_counted_clear) struct prf_counted counted = {0};
	const struct prf_objectfile_way way = prf_wanted_way(&reading->wanted);
	struct prf_error why = {0};
	int rc = prf_wanted_check_whole(&reading->wanted, path, "pprof file",
					err);

	if (!rc)
		rc = prf_infile_read(&sum->gmon, path, err);
	if (rc)
		return rc;
	if (prf_cpuprofile_is_it(sum->gmon.bytes, sum->gmon.n_bytes))
		return add_cpuprofile(sum, path, reading, err);
	struct prf_progress *progress =
		prf_progress_begin(&reading->messages, "reading", path, -1);
	rc = prf_pprof_read(sum->gmon.bytes, sum->gmon.n_bytes, &way,
			    &counted.profile, &why);
	prf_progress_end(progress);
	if (!rc && prf_profile_detach(counted.profile))
		rc = no_memory(&why);
	return rc ? prf_error_set(err, rc, "%s: %s", path, why.text)
		  : add_counted(sum, path, &counted, err);
}

/* --- Any of them */

enum prf_profile_kind
prf_profile_sum_kind(struct prf_profile_sum *sum, const char *path)
{
	bool is_trace = strcmp(path, "-") == 0 || prf_recording_is_trace(path);

	return is_trace              ? PRF_PROFILE_TRACE
	       : is_pprof(sum, path) ? PRF_PROFILE_PPROF
				     : PRF_PROFILE_GMON;
}

int
prf_profile_sum_add(struct prf_profile_sum *sum, const char *path,
		    const struct prf_reading *reading, struct prf_error *err)
{
	switch (prf_profile_sum_kind(sum, path)) {
	case PRF_PROFILE_TRACE:
		return prf_profile_sum_add_trace(sum, path, reading, err);
	case PRF_PROFILE_PPROF:
		return prf_profile_sum_add_pprof(sum, path, reading, err);
	case PRF_PROFILE_GMON:
		break;
	}
	int rc =
		prf_wanted_check_whole(&reading->wanted, path, "gmon.out", err);
	return rc ? rc : prf_profile_sum_add_gmon(sum, path, NULL, err);
}
