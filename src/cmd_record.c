#include "cmd_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/scope.h"
#include "exit_status.h"
#include "live/sampler.h"
#include "live/trigger.h"
#include "output.h"
#include "signals.h"

/* ==== THE VIEW: from here to the next such line is what is plugged in. ==== */

/* The sink that becomes the profile. */
static int
make_profile(const struct prf_options *options, struct prf_sink **profile,
	     struct prf_error *err)
{
	(void)options;
	(void)profile;
	return prf_error_set(err, -ENOSYS, "no view is built in");
}

/* The whole process in one gmon.out, and its symbol list unless that is NULL;
 * both at the addresses of one layout. */
static int
write_profile(struct prf_sink *profile, const struct prf_options *options,
	      FILE *gmon, FILE *symbols, struct prf_error *err)
{
	(void)profile;
	(void)options;
	(void)gmon;
	(void)symbols;
	return prf_error_set(err, -ENOSYS, "no view is built in");
}

/* A gmon.out for each object, at the object's own vaddrs: the paths of the
 * profile's objects, prf_output_split_names, and for each of them
 * prf_output_begin_split, its ticks, prf_outfile_commit. */
static int
write_split(struct prf_sink *profile, const struct prf_output *output,
	    pid_t pid, struct prf_error *err)
{
	(void)profile;
	(void)output;
	(void)pid;
	return prf_error_set(err, -ENOSYS, "no view is built in");
}

static void
write_summary(struct prf_sink *profile, const struct prf_options *options,
	      const struct prf_run *run, FILE *out)
{
	(void)profile;
	(void)options;
	(void)run;
	(void)out;
}

/* ========================================================================= */

static void
free_profile(struct prf_sink **profile)
{
	if (*profile)
		(*profile)->ops->free(*profile);
}

static void
free_outfile(struct prf_outfile **file)
{
	prf_outfile_free(*file);
}

static int
started(void *arg, pid_t pid)
{
	(void)arg;
	prf_signals_pass_early(pid);
	return 0;
}

static int
run_program(const struct prf_options *options, struct prf_sink *profile,
	    struct prf_run *run, struct prf_error *err)
{
	const struct prf_sampler_config config = {
		.period_ns = (UINT64_C(1000000000) + options->rate_hz / 2) /
			     options->rate_hz,
		.clock = options->clock,
		.trigger = options->trigger ? prf_trigger_find(options->trigger)
					    : NULL,
		.started = started,
	};

	prf_signals_catch();
	return prf_sampler_run(&config, options->program, profile, run, err);
}

/* Both files are written before either gets its name. */
static int
write_whole(struct prf_sink *profile, const struct prf_options *options,
	    const struct prf_output *output, pid_t pid, struct prf_error *err)
{
	PRF_AUTO(free_outfile) struct prf_outfile *gmon = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *symbols = NULL;
	int rc = prf_output_begin(output, pid, &gmon, &symbols, err);

	if (rc == 0)
		rc = write_profile(profile, options, prf_outfile_stream(gmon),
				   symbols ? prf_outfile_stream(symbols) : NULL,
				   err);
	if (rc == 0 && symbols)
		rc = prf_outfile_commit(symbols, err);
	return rc < 0 ? rc : prf_outfile_commit(gmon, err);
}

static int
write_files(struct prf_sink *profile, const struct prf_options *options,
	    const struct prf_output *output, pid_t pid, struct prf_error *err)
{
	int rc = profile->ops->finish(profile, err);

	if (rc < 0)
		return rc;
	if (options->split)
		return write_split(profile, output, pid, err);
	return write_whole(profile, options, output, pid, err);
}

/* The program's own end, as the shell is to see it. */
static int
end_as(int wait_status)
{
	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	prf_signals_die_of(WTERMSIG(wait_status));
	return 128 + WTERMSIG(wait_status);
}

static int
fail(const struct prf_messages *messages, int status,
     const struct prf_error *err)
{
	prf_message_error(messages, "%s", err->text);
	return status;
}

/* What the summary alone would say too softly. */
static void
warn_of(const struct prf_messages *messages, const struct prf_run *run)
{
	if (*run->stats.fallback_reason)
		prf_message_warn(
			messages,
			"some threads were stopped from outside, their "
			"reads and writes may be short: %s",
			run->stats.fallback_reason);
}

/* What is owned here is freed before end_as may end the process. */
static int
record(const struct prf_options *options, const struct prf_messages *messages,
       struct prf_output *output, struct prf_run *run)
{
	PRF_AUTO(free_profile) struct prf_sink *profile = NULL;
	struct prf_error err = {0};
	int rc = make_profile(options, &profile, &err);

	if (rc < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	rc = run_program(options, profile, run, &err);
	if (rc < 0)
		return fail(messages,
			    run->pid ? PRF_EXIT_FAILED : prf_exit_of_error(rc),
			    &err);
	warn_of(messages, run);
	rc = write_files(profile, options, output, run->pid, &err);

	FILE *summary = prf_message_summary(messages);
	if (summary)
		write_summary(profile, options, run, summary);
	if (rc < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	return PRF_EXIT_OK;
}

int
prf_cmd_record(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	struct prf_output output;
	struct prf_run run = {0};
	struct prf_error err = {0};

	if (prf_output_open(options, &output, &err) < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	int status = record(options, messages, &output, &run);
	prf_output_close(&output);
	return status ? status : end_as(run.wait_status);
}
