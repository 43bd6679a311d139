#include "src/commands/cmd_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/queue.h"
#include "core/scope.h"
#include "src/commands/kernel_names.h"
#include "src/commands/not_found.h"
#include "src/commands/watching.h"
#include "src/exit_status.h"
#include "src/options/pattern.h"
#include "src/output/counters.h"
#include "live/proc/clock.h"
#include "live/proc/procfs.h"
#include "live/control/relay.h"
#include "live/sampler.h"
#include "src/output/hints.h"
#include "src/output/insist.h"
#include "src/output/output.h"
#include "src/output/record_files.h"
#include "src/output/record_streams.h"
#include "src/output/run_doubts.h"
#include "src/signals.h"
#include "src/output/summary.h"
#include "src/output/teller.h"
#include "profile/collector.h"
#include "unwind/stack_needs.h"
#include "unwind/stacks.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

/* Samples that may wait while an object's names are read: some tens of
 * thousands; with stacks, some thousands of usual ones, and what several
 * threads bring in half a second.  It is taken only while they wait. */
enum { QUEUE_BYTES = 8 << 20, QUEUE_OF_STACKS_BYTES = 64 << 20 };

/* What the sampler fills, and what becomes of it. */
struct measured {
	struct prf_sink *queue; /* owns what is behind it */
	struct prf_collector *collector;
	struct prf_record_files files;
	struct prf_record_streams streams;
	const struct prf_record_observer *observer; /* or NULL */
	uint64_t save_every_ns, saved_ns;           /* 0: never */
	bool is_unsaved;                            /* the last time */
	uint32_t rate_hz;
	struct prf_stack_needs stack_needs;
};

/* In the queue's thread: the run goes on meanwhile.  What fails is tried again, also
 * if nothing happens any more. */
static void
save_snapshot(void *arg)
{
	struct measured *measured = arg;
	PRF_AUTO(prf_profile_auto) struct prf_profile *profile = NULL;
	struct prf_error err = {0};

	int rc = prf_collector_snapshot(measured->collector, &profile, &err);
	if (!rc)
		rc = prf_record_files_snapshot(&measured->files, profile, &err);
	measured->is_unsaved = rc;
	if (!rc)
		return;
	prf_record_files_fail_snapshot(&measured->files, &err);
	prf_queue_sink_again(measured->queue);
}

/* With an observer; what is to be saved is saved by and by. */
static void
show_snapshot(void *arg)
{
	struct measured *measured = arg;
	const struct prf_record_observer *observer = measured->observer;
	PRF_AUTO(prf_profile_auto) struct prf_profile *profile = NULL;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (measured->save_every_ns &&
	    now_ns - measured->saved_ns >= measured->save_every_ns) {
		measured->saved_ns = now_ns;
		save_snapshot(measured);
	} else if (measured->is_unsaved) {
		prf_queue_sink_again(measured->queue);
	}
	if (!prf_collector_snapshot(measured->collector, &profile, NULL))
		observer->look(observer->arg, profile, measured->rate_hz);
}

/* What was seen before an interval's end has reached the profile by then: the
 * sampler collects once a second what it was not told of, and the queue has a
 * second, too. */
#define LATENESS_NS UINT64_C(2000000000)

/* In the queue's thread: of a program that has no ticks for a while. */
static void
end_interval(void *arg)
{
	const struct measured *measured = arg;

	prf_collector_reach(measured->collector,
			    prf_clock_ns(CLOCK_MONOTONIC) - LATENESS_NS);
}

static void
begin_intervals(struct measured *measured, uint64_t every_ns)
{
	const struct prf_record_streams *streams = &measured->streams;

	measured->files.realtime_offset_ns =
		streams->realtime_ns - streams->monotonic_ns;
	if (every_ns)
		prf_queue_sink_steadily(measured->queue,
					streams->monotonic_ns + every_ns +
						LATENESS_NS,
					every_ns, end_interval, measured);
}

static void
begin_snapshots(struct measured *measured)
{
	measured->save_every_ns = prf_record_files_every_ns(&measured->files);
	measured->saved_ns = prf_clock_ns(CLOCK_MONOTONIC);
	if (measured->observer)
		prf_queue_sink_every(measured->queue,
				     measured->observer->every_ns,
				     show_snapshot, measured);
	else if (measured->save_every_ns)
		prf_queue_sink_every(measured->queue, measured->save_every_ns,
				     save_snapshot, measured);
}

static int
open_queue(const struct prf_options *options, struct measured *measured,
	   struct prf_error *err)
{
	struct prf_sink *collector = &measured->collector->base, *all;
	const struct prf_objectfile_way way = {
		.finder = measured->streams.finder};
	size_t room_bytes = QUEUE_BYTES;
	int rc = prf_record_streams_sink(&measured->streams, collector, &all,
					 err);

	if (rc < 0) {
		collector->ops->free(collector);
		return rc;
	}
	if (options->call_graph) {
		room_bytes = QUEUE_OF_STACKS_BYTES;
		rc = prf_stacks_sink_new(all, options->stacks_by, &way, &all,
					 err);
		if (rc == 0)
			prf_stacks_sink_tell(all, &measured->stack_needs);
	}
	if (rc == 0)
		rc = prf_queue_sink_new(all, room_bytes, &measured->queue, err);
	if (rc < 0) {
		all->ops->free(all);
		return rc;
	}
	begin_snapshots(measured);
	begin_intervals(measured, options->every_ns);
	return 0;
}

static int
open_measured(const struct prf_options *options, struct prf_output *output,
	      struct measured *measured, struct prf_error *err)
{
	prf_record_files_init(&measured->files, options, output);
	int rc = prf_record_streams_begin(&measured->streams, options, output,
					  err);
	if (rc)
		return rc;
	const struct prf_collector_config config = {
		/* One classic file for each binary has no place for the
		 * kernel: there, as in profil(2), a system call's time is
		 * the caller's. */
		.kernel_apart = !options->split,
		.inherit_counts = options->inherit_counts,
		.every_ns = options->every_ns,
		.begun_ns = measured->streams.monotonic_ns,
		.rate_hz = options->rate_hz,
		.origin = {.command = measured->streams.command,
			   .clock = prf_record_streams_clock(options),
			   .begun_s =
				   measured->streams.realtime_ns / 1000000000,
			   .is_told = true},
		.threads = options->threads || measured->observer,
		.call_graph = options->call_graph,
		.by_thread = prf_formats_are_by_thread(options->formats),
		/* What threads did is told of them, as report -t has it. */
		.flat_calls = options->clock == PRF_CLOCK_WALL &&
			      prf_formats_are_by_thread(options->formats),
		.each = prf_record_files_each(&measured->files),
		.way = {.finder = measured->streams.finder, .ask = true},
		.thread_name = prf_procfs_read_name,
		.ended = prf_record_files_write,
		.arg = &measured->files,
	};

	measured->collector = prf_collector_new(&config);
	if (!measured->collector)
		return prf_error_set(err, -ENOMEM, "out of memory");
	return open_queue(options, measured, err);
}

static void
close_measured(struct measured *measured)
{
	if (measured->queue)
		measured->queue->ops->free(measured->queue);
	prf_record_streams_clear(&measured->streams);
	prf_record_files_clear(&measured->files);
}

static void
tell(void *arg, const char *line)
{
	prf_teller_say(arg, line);
}

/* Who waits for a profile, and what is said to them. */
struct audience {
	const struct prf_options *options;
	struct prf_teller *teller;
	const struct prf_record_observer *observer; /* or NULL */
};

static int
tell_attached(void *arg, pid_t pid)
{
	const struct audience *audience = arg;

	(void)pid;
	PRF_AUTO(prf_auto_free)
	char *line = prf_watching_line(audience->options);
	prf_teller_say(audience->teller, line);
	return 0;
}

static int
tell_observer(void *arg, pid_t pid)
{
	const struct audience *audience = arg;

	audience->observer->begun(audience->observer->arg, pid);
	return 0;
}

/* A process that runs already, and is attached to, has a stderr of its own. */
static int
begin_teller(struct prf_teller *teller, const struct prf_messages *messages,
	     bool attaches, struct prf_error *err)
{
	struct prf_messages told = *messages;

	if (attaches)
		told.summary = NULL;
	return prf_teller_begin(teller, &told, err);
}

static int
run_program(const struct prf_options *options, const struct measured *measured,
	    const struct prf_messages *messages, struct prf_teller *teller,
	    struct prf_run *run, struct prf_error *err)
{
	bool attaches = options->action == PRF_ACTION_ATTACH;
	struct audience audience = {options, teller, measured->observer};
	struct prf_sink *sink = measured->queue;
	PRF_AUTO(prf_kallsyms_auto)
	struct prf_kallsyms *kernel = prf_kernel_names(options, messages);
	sigset_t blocked;

	int rc = begin_teller(teller, messages, attaches, err);
	if (rc)
		return rc;
	/* What would end profrun must not lose the profile. */
	prf_relay_hold(&blocked);
	const struct prf_sampler_config config = {
		.period_ns = prf_options_period_ns(options),
		.clock = options->clock,
		.follow = options->follow,
		.trigger = options->trigger
				   ? prf_triggers_find(options->trigger)
				   : NULL,
		.delay_ns = options->delay_ns,
		.duration_ns = options->duration_ns,
		.call_graph = options->call_graph,
		.stack_needs = &measured->stack_needs,
		.kernel = kernel,
		.toggle_signal = options->toggle_signal,
		.ranks = prf_pattern_has(options->output, 'r') ||
			 options->formats &
				 ~(unsigned)(PRF_FORMAT_GMON | PRF_FORMAT_RAW),
		.every_thread = options->formats & PRF_FORMAT_PCSAMPLE,
		.blocked = &blocked,
		.ignores_setxid = options->ignores_setxid,
		.tell = tell,
		.tell_arg = teller,
		.tell_more = options->verbosity > 0,
		.started = measured->observer ? tell_observer
			   : attaches         ? tell_attached
					      : NULL,
		.started_arg = &audience,
		.changed =
			measured->observer ? measured->observer->changed : NULL,
		.changed_arg =
			measured->observer ? measured->observer->arg : NULL,
	};

	return attaches ? prf_sampler_attach(&config, options->pids,
					     options->n_pids, sink, run, err)
			: prf_sampler_run(&config, options->program, sink, run,
					  err);
}

/* --- The end */

/* What was refused after the queue had taken it is no part of the profile. */
static void
settle_losses(const struct prf_sink *queue, struct prf_sampler_stats *stats)
{
	struct prf_losses losses = prf_queue_sink_losses(queue);

	stats->ticks -= losses.ticks;
	stats->samples -= losses.samples;
	stats->refused += losses.ticks;
}

/* Whatever was lost: what is there is written; and before anything is said, since
 * that may have to wait for its reader. */
static int
write_profile(struct measured *measured, struct prf_run *run,
	      struct prf_error *err)
{
	int rc = prf_counters_give(run, measured->queue);

	if (rc < 0)
		prf_error_set(err, rc, "out of memory");
	int finished = measured->queue->ops->finish(measured->queue,
						    rc < 0 ? NULL : err);
	settle_losses(measured->queue, &run->stats);
	measured->files.duration_ns = run->stats.wall_ns;
	measured->files.lost_ticks = prf_counters_lost(run);
	measured->files.doubt = prf_run_doubts_in_step(&run->stats);
	prf_record_files_finish(&measured->files, measured->collector->profile);
	prf_record_streams_be_newest(&measured->streams);
	return rc < 0 ? rc : finished;
}

static int
print_summary(const struct measured *measured,
	      const struct prf_options *options, struct prf_run *run,
	      const struct prf_messages *messages, struct prf_error *err)
{
	FILE *summary = prf_message_summary(messages);
	const struct prf_profile *profile = measured->collector->profile;

	if (!summary)
		return 0;
	if (prf_summary_print(options, profile, run, summary) < 0)
		return prf_error_set(err, -ENOMEM, "out of memory");
	prf_record_files_print(&measured->files, summary);
	prf_record_streams_print(&measured->streams, summary);
	prf_hints_print(options, profile, run, summary);
	return 0;
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

/* Do the stops of TRIGGER interrupt system calls only because this kernel is
 * old?  (Interrupt's always do, also where it has threads for the moment alone,
 * until the first stop of one makes the timers of all.) */
static bool
is_of_old_kernel(const struct prf_trigger_stats *trigger)
{
	const struct prf_trigger_ops *ops = prf_triggers_find(trigger->name);

	return ops && !ops->from_outside;
}

/* Has a thread been stopped in a way that nobody asked for, and that it may
 * have noticed?  Then why; else NULL. */
static const char *
why_interrupted(const struct prf_options *options,
		const struct prf_sampler_stats *stats)
{
	for (size_t i = 0; i < PRF_MAX_TRIGGERS; i++)
		if (!stats->trigger[i].from_outside ||
		    !stats->trigger[i].threads)
			continue;
		else if (stats->fallback_reason[0])
			return stats->fallback_reason;
		else if (!options->trigger &&
			 is_of_old_kernel(&stats->trigger[i]))
			return "CPU timers of this kernel do not wait for the "
			       "end of a system call";
	return NULL;
}

static void
warn_of_unreached(const struct prf_messages *messages,
		  const struct prf_sampler_stats *stats)
{
	if (stats->unreached)
		prf_message_warn(messages,
				 "%" PRIu64 " descendant%s could not be "
				 "attached to, and %s not in the profile: %s",
				 stats->unreached,
				 stats->unreached == 1 ? "" : "s",
				 stats->unreached == 1 ? "is" : "are",
				 stats->unreached_reason);
}

/* What the summary alone would say too softly. */
static void
warn_of(const struct prf_messages *messages, const struct prf_options *options,
	const struct prf_sampler_stats *stats)
{
	const char *why = why_interrupted(options, stats);

	if (stats->unarmed)
		prf_message_warn(messages,
				 "%" PRIu64 " of %" PRIu64
				 " threads could not be watched: %s",
				 stats->unarmed, stats->threads,
				 stats->fallback_reason);
	if (why)
		prf_message_warn(messages,
				 "some threads were stopped from outside, "
				 "what they read, write, send or copy may be "
				 "short: %s",
				 why);
	warn_of_unreached(messages, stats);
	prf_run_doubts_rate(messages, options, stats);
	prf_run_doubts_stops(messages, stats);
	prf_run_doubts_brief(messages, stats);
	prf_run_doubts_calls(messages, stats);
	prf_run_doubts_kernel(messages, options, stats);
}

static void
warn_of_losses(const struct prf_messages *messages,
	       const struct prf_sink *queue)
{
	struct prf_losses losses = prf_queue_sink_losses(queue);

	if (losses.code)
		prf_message_warn(messages,
				 "%" PRIu64 " tick%s and %" PRIu64
				 " mapping%s could not be counted: %s",
				 losses.ticks, prf_message_s(losses.ticks),
				 losses.others, prf_message_s(losses.others),
				 prf_message_reason(losses.code));
}

/* FAILED: what write_profile() returned, and ERR why.  Returns the exit status. */
static int
tell_of_profile(const struct measured *measured,
		const struct prf_options *options, struct prf_run *run,
		const struct prf_messages *messages, int failed,
		struct prf_error *err)
{
	warn_of(messages, options, &run->stats);
	warn_of_losses(messages, measured->queue);
	prf_message_warn_all(messages, &measured->collector->warnings);
	if (!failed)
		failed = print_summary(measured, options, run, messages, err);
	uint64_t n_unwritten =
		prf_record_files_complain(&measured->files, messages) +
		prf_record_streams_complain(&measured->streams, messages);
	if (failed)
		return fail(messages, PRF_EXIT_FAILED, err);
	return n_unwritten ? PRF_EXIT_FAILED : PRF_EXIT_OK;
}

/* The run is over, unless a program lives on: what comes then is the program's. */
static void
listen_to_signals(const struct prf_options *options,
		  const struct prf_output *output, struct prf_run *run,
		  struct prf_insist *insist)
{
	if (run->left && options->action == PRF_ACTION_RUN)
		prf_insist_begin_left(insist, output->dir, run);
	else
		prf_insist_begin(insist, output->dir, run->asked_ns);
}

/* What is owned here is freed before end_as may end the process. */
static int
record(const struct prf_options *options, const struct prf_messages *messages,
       const struct prf_record_observer *observer, struct prf_output *output,
       struct prf_run *run, struct prf_insist *insist)
{
	struct prf_teller teller = {0};
	PRF_AUTO(close_measured)
	struct measured measured = {
		.observer = observer,
		.rate_hz = options->rate_hz,
	};
	struct prf_error err = {0};
	int rc = open_measured(options, output, &measured, &err);

	if (rc < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	rc = run_program(options, &measured, messages, &teller, run, &err);
	if (observer)
		observer->ended(observer->arg);
	if (rc < 0)
		run->left = false; /* it cannot be waited for */
	/* Whatever is said or written from here on may wait for its reader. */
	listen_to_signals(options, output, run, insist);
	int failed = rc < 0 ? 0 : write_profile(&measured, run, &err);
	prf_teller_end(&teller);
	if (rc == -ENOENT && !run->pid && options->action == PRF_ACTION_RUN)
		rc = prf_not_found_explain(options->program[0],
					   options->program[-1], &err);
	if (rc < 0)
		return fail(messages,
			    run->pid || options->action == PRF_ACTION_ATTACH
				    ? PRF_EXIT_FAILED
				    : prf_exit_of_error(rc),
			    &err);
	return tell_of_profile(&measured, options, run, messages, failed, &err);
}

/* How it all ends: an attached program has no end that would be ours. */
static int
end(const struct prf_options *options, const struct prf_messages *messages,
    struct prf_run *run)
{
	struct prf_error err;

	if (options->action == PRF_ACTION_ATTACH)
		return PRF_EXIT_OK;
	/* What came while the files were written is passed on, too. */
	if (run->left && prf_sampler_await(run, &err) < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	return end_as(run->wait_status);
}

/* The file that the summary goes to, if it is not stderr; all zero: it is. */
struct summary {
	struct prf_outdir *dir;
	struct prf_outfile *file;
};

/* OUTPUT has the files of the profile, which are not to be replaced by it. */
static int
open_summary(struct summary *summary, const char *path,
	     struct prf_output *output, struct prf_messages *messages,
	     struct prf_error *err)
{
	const char *name;

	if (!path)
		return 0;
	int rc = prf_outdir_open_of(path, &summary->dir, &name, err);
	if (!rc)
		rc = prf_outdir_check(summary->dir, name, err);
	if (!rc)
		rc = prf_output_reserve(output, summary->dir, name, err);
	if (!rc)
		rc = prf_outfile_create(summary->dir, name, &summary->file,
					err);
	if (!rc)
		messages->summary = prf_outfile_stream(summary->file);
	return rc;
}

static int
commit_summary(struct summary *summary, struct prf_error *err)
{
	return summary->file ? prf_outfile_commit(summary->file, err) : 0;
}

static void
close_summary(struct summary *summary)
{
	prf_outfile_free(PRF_TAKE(summary->file));
	prf_outdir_close(PRF_TAKE(summary->dir));
}

/* All files are written before the program's end becomes ours. */
static int
record_to_files(const struct prf_options *options,
		const struct prf_messages *messages,
		const struct prf_record_observer *observer, struct prf_run *run)
{
	PRF_AUTO(close_summary) struct summary summary = {0};
	struct prf_messages told = *messages;
	struct prf_insist insist = {0};
	struct prf_output output;
	struct prf_error err = {0};

	if (prf_output_open(options, &output, &err))
		return fail(messages, PRF_EXIT_FAILED, &err);
	if (open_summary(&summary, options->summary_file, &output, &told,
			 &err)) {
		prf_output_close(&output);
		return fail(messages, PRF_EXIT_FAILED, &err);
	}
	if (options->rounded_from)
		prf_message_note(&told,
				 "-i %s is not a whole number of ticks a "
				 "second: the rate is %u Hz",
				 options->rounded_from, options->rate_hz);
	insist.also = summary.dir;
	int status = record(options, &told, observer, &output, run, &insist);
	/* What never began leaves the summary of an earlier run alone. */
	if (run->pid && commit_summary(&summary, &err))
		status = fail(messages, PRF_EXIT_FAILED, &err);
	prf_insist_end(&insist);
	prf_output_close(&output);
	return status;
}

static int
record_as(const struct prf_options *options,
	  const struct prf_messages *messages,
	  const struct prf_record_observer *observer)
{
	struct prf_run run = {0};
	struct prf_error err;
	int status = record_to_files(options, messages, observer, &run);

	/* Whatever has failed: the program is not left without us. */
	if (status && run.left && options->action == PRF_ACTION_RUN &&
	    prf_sampler_await(&run, &err) < 0)
		return fail(messages, PRF_EXIT_FAILED, &err);
	return status ? status : end(options, messages, &run);
}

int
prf_cmd_record_observed(const struct prf_options *options,
			const struct prf_messages *messages,
			const struct prf_record_observer *observer)
{
	struct prf_options named = *options;
	char names[PRF_MAX_PIDS][PRF_THREAD_NAME_BYTES];
	char *program[PRF_MAX_PIDS + 1] = {NULL};
	struct prf_error err;

	if (prf_procfs_check(&err))
		return fail(messages, PRF_EXIT_FAILED, &err);
	if (options->action == PRF_ACTION_RUN)
		return record_as(options, messages, observer);
	/* The first of them gives the files their name. */
	for (size_t i = 0; i < options->n_pids; i++) {
		pid_t pid = options->pids[i];

		prf_procfs_read_name(pid, pid, names[i]);
		program[i] = names[i];
	}
	named.program = program;
	return record_as(&named, messages, observer);
}

int
prf_cmd_record(const struct prf_options *options,
	       const struct prf_messages *messages)
{
	return prf_cmd_record_observed(options, messages, NULL);
}
