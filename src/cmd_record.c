#include "cmd_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/queue.h"
#include "core/scope.h"
#include "exit_status.h"
#include "live/procfs.h"
#include "live/sampler.h"
#include "outname.h"
#include "output.h"
#include "signals.h"
#include "summary.h"
#include "view/gmonfiles.h"
#include "view/whole.h"
#include "view/profile.h"

PRF_DEFINE_AUTO(prf_whole, prf_whole_free);

/* Samples that may wait while an object's names are read: some tens of
 * thousands. */
enum { QUEUE_BYTES = 8 << 20 };

/* What the sampler fills, and the profile at the end of it. */
struct measured {
	struct prf_sink *queue; /* owns what is behind it */
	struct prf_profile *profile;
};

static int
open_measured(const struct prf_options *options, struct measured *measured,
	      struct prf_error *err)
{
	const struct prf_profile_config config = {
		/* One classic file for each object has no place for the
		 * kernel: there, as in profil(2), a system call's time is
		 * the caller's. */
		.kernel_apart = !options->split,
	};

	measured->profile = prf_profile_new(&config);
	if (!measured->profile)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_queue_sink_new(&measured->profile->base, QUEUE_BYTES,
				    &measured->queue, err);
	if (rc < 0)
		measured->profile->base.ops->free(&measured->profile->base);
	return rc;
}

static void
close_measured(struct measured *measured)
{
	if (measured->queue)
		measured->queue->ops->free(measured->queue);
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

static void
tell(void *arg, const char *line)
{
	prf_message_note(arg, "%s", line);
}

static int
run_program(const struct prf_options *options, struct prf_sink *sink,
	    const struct prf_messages *messages, struct prf_run *run,
	    struct prf_error *err)
{
	const struct prf_sampler_config config = {
		.period_ns = prf_options_period_ns(options),
		.clock = options->clock,
		.follow = PRF_FOLLOW_EXEC,
		.trigger = options->trigger ? prf_trigger_find(options->trigger)
					    : NULL,
		.started = started,
		.delay_ns = options->delay_ns,
		.duration_ns = options->duration_ns,
		.toggle_signal = options->toggle_signal,
		.tell = tell,
		.tell_arg = (void *)messages,
		.tell_more = options->verbosity > 0,
	};

	prf_signals_catch();
	return options->action == PRF_ACTION_ATTACH
		       ? prf_sampler_attach(&config, options->pids,
					    options->n_pids, sink, run, err)
		       : prf_sampler_run(&config, options->program, sink, run,
					 err);
}

/* --- The files */

/* Says which FILE it was that RC and ERR are about. */
static int
blame(const struct prf_outfile *file, int rc, struct prf_error *err)
{
	const struct prf_error why = *err;

	return rc == 0 ? 0
		       : prf_error_set(err, rc, "%s: %s",
				       prf_outfile_path(file), why.text);
}

/* Both files are written before either gets its name. */
static int
write_pair(const struct prf_whole *whole, uint32_t rate_hz,
	   struct prf_outfile *gmon, struct prf_outfile *symbols,
	   struct prf_error *err)
{
	int rc = blame(gmon,
		       prf_gmonfiles_write_ticks(whole, rate_hz,
						 prf_outfile_stream(gmon), err),
		       err);

	if (rc == 0 && symbols)
		rc = blame(symbols,
			   prf_gmonfiles_write_syms(
				   whole, prf_outfile_stream(symbols), err),
			   err);
	if (rc == 0 && symbols)
		rc = prf_outfile_commit(symbols, err);
	return rc < 0 ? rc : prf_outfile_commit(gmon, err);
}

static int
record_whole(const struct prf_profile *profile,
	     const struct prf_options *options, const struct prf_output *output,
	     FILE *summary, struct prf_error *err)
{
	PRF_AUTO(prf_whole_auto) struct prf_whole *whole = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *gmon = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *symbols = NULL;
	int rc = prf_whole_new(profile, &whole, err);

	if (rc == 0)
		rc = prf_output_begin(output, profile->pid, &gmon, &symbols,
				      err);
	if (rc == 0)
		rc = write_pair(whole, options->rate_hz, gmon, symbols, err);
	if (rc == 0 && summary && profile->program)
		prf_summary_print_commands(
			profile->program, prf_outfile_path(gmon),
			symbols ? prf_outfile_path(symbols) : NULL,
			"the whole process", summary);
	return rc;
}

static int
record_object(const struct prf_object *object,
	      const struct prf_profile *profile,
	      const struct prf_options *options,
	      const struct prf_output *output, const char *name, FILE *summary,
	      struct prf_error *err)
{
	PRF_AUTO(prf_whole_auto) struct prf_whole *whole = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *gmon = NULL;
	PRF_AUTO(free_outfile) struct prf_outfile *symbols = NULL;
	PRF_AUTO(prf_auto_free) char *symbols_name = prf_outname_symbols(name);

	if (!symbols_name)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = prf_whole_new_single(object, profile->addr_bytes, &whole, err);
	if (rc == 0)
		rc = prf_output_begin_split(output, name, &gmon, err);
	if (rc == 0)
		rc = prf_output_begin_split(output, symbols_name, &symbols,
					    err);
	if (rc == 0)
		rc = write_pair(whole, options->rate_hz, gmon, symbols, err);
	if (rc == 0 && summary)
		prf_summary_print_commands(object, prf_outfile_path(gmon),
					   prf_outfile_path(symbols),
					   object->name, summary);
	return rc;
}

/* A pair of files for each object that has ticks; for the program anyway. */
static int
record_split(const struct prf_profile *profile,
	     const struct prf_options *options, const struct prf_output *output,
	     FILE *summary, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free)
	const char **paths = calloc(profile->n_objects + 1, sizeof *paths);
	char **names = NULL;

	if (!paths)
		return prf_error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < profile->n_objects; i++)
		paths[i] = profile->objects[i]->name;
	int rc = prf_output_split_names(output, profile->pid, paths,
					profile->n_objects, &names, err);
	for (size_t i = 0; rc == 0 && i < profile->n_objects; i++) {
		const struct prf_object *object = profile->objects[i];

		if (object->total.ticks || object == profile->program)
			rc = record_object(object, profile, options, output,
					   names[i], summary, err);
	}
	prf_outname_free(names, profile->n_objects);
	return rc;
}

static void
warn_all(const struct prf_profile *profile, const struct prf_messages *messages)
{
	for (char **line = profile->warnings; line && *line; line++)
		prf_message_warn(messages, "%s", *line);
}

/* What the profile refused after the queue had taken it. */
static void
settle_losses(const struct prf_sink *queue, struct prf_sampler_stats *stats,
	      const struct prf_messages *messages)
{
	struct prf_queue_losses losses = prf_queue_sink_losses(queue);

	stats->ticks -= losses.ticks;
	stats->samples -= losses.samples;
	stats->refused += losses.ticks;
	if (losses.code)
		prf_message_warn(messages,
				 "%" PRIu64 " ticks and %" PRIu64
				 " mappings could not be counted: %s",
				 losses.ticks, losses.others,
				 strerror(-losses.code));
}

static int
write_all(const struct measured *measured, const struct prf_options *options,
	  const struct prf_output *output, struct prf_run *run,
	  const struct prf_messages *messages, struct prf_error *err)
{
	const struct prf_profile *profile = measured->profile;
	FILE *summary = prf_message_summary(messages);
	int rc = measured->queue->ops->finish(measured->queue, err);

	if (rc < 0)
		return rc;
	settle_losses(measured->queue, &run->stats, messages);
	warn_all(profile, messages);
	if (summary && prf_summary_print(options, profile, run, summary) < 0)
		return prf_error_set(err, -ENOMEM, "out of memory");
	return (options->split ? record_split : record_whole)(
		profile, options, output, summary, err);
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
warn_of(const struct prf_messages *messages,
	const struct prf_sampler_stats *stats)
{
	if (stats->unarmed)
		prf_message_warn(messages,
				 "%" PRIu64 " of %" PRIu64
				 " threads could not be watched: %s",
				 stats->unarmed, stats->threads,
				 stats->fallback_reason);
	else if (stats->fallback_reason[0])
		prf_message_warn(messages,
				 "some threads were stopped from outside, "
				 "their reads and writes may be short: %s",
				 stats->fallback_reason);
}

/* What is owned here is freed before end_as may end the process. */
static int
record(const struct prf_options *options, const struct prf_messages *messages,
       struct prf_output *output, struct prf_run *run)
{
	PRF_AUTO(close_measured) struct measured measured = {0};
	struct prf_error err = {0};
	int rc = open_measured(options, &measured, &err);

	if (rc < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	rc = run_program(options, measured.queue, messages, run, &err);
	if (rc < 0)
		return fail(messages,
			    run->pid || options->action == PRF_ACTION_ATTACH
				    ? PRF_EXIT_FAILED
				    : prf_exit_of_error(rc),
			    &err);
	warn_of(messages, &run->stats);
	rc = write_all(&measured, options, output, run, messages, &err);
	return rc < 0 ? fail(messages, PRF_EXIT_FAILED, &err) : PRF_EXIT_OK;
}

/* How it all ends: an attached program has no end that would be ours. */
static int
end(const struct prf_options *options, const struct prf_messages *messages,
    struct prf_run *run)
{
	struct prf_error err;

	if (options->action == PRF_ACTION_ATTACH)
		return PRF_EXIT_OK;
	if (run->left) {
		/* What came while the files were written. */
		prf_signals_pass_early(run->pid);
		if (prf_sampler_await(run, &err) < 0)
			return fail(messages, PRF_EXIT_FAILED, &err);
	}
	return end_as(run->wait_status);
}

static int
record_as(const struct prf_options *options,
	  const struct prf_messages *messages)
{
	struct prf_output output;
	struct prf_run run = {0};
	struct prf_error err = {0};

	if (prf_output_open(options, &output, &err) < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	int status = record(options, messages, &output, &run);
	prf_output_close(&output);
	return status ? status : end(options, messages, &run);
}

int
prf_cmd_record(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	struct prf_options named = *options;
	char names[PRF_MAX_PIDS][PRF_THREAD_NAME_BYTES];
	char *program[PRF_MAX_PIDS + 1] = {NULL};

	if (options->action == PRF_ACTION_RUN)
		return record_as(options, messages);
	/* The first of them gives the files their name. */
	for (size_t i = 0; i < options->n_pids; i++) {
		pid_t pid = options->pids[i];

		prf_thread_name_read(pid, pid, names[i]);
		program[i] = names[i];
	}
	named.program = program;
	return record_as(&named, messages);
}
