#include "live/sampler.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/life/attach.h"
#include "live/proc/clock.h"
#include "live/control/demand.h"
#include "live/control/jobcontrol.h"
#include "live/life/launch.h"
#include "live/loop.h"
#include "live/random.h"
#include "live/ring/ring_take.h"
#include "live/stopped/copy_stack.h"
#include "live/control/relay.h"
#include "live/control/schedule.h"
#include "live/control/takeover.h"
#include "live/proc/reach.h"
#include "live/proc/status.h"
#include "live/tracer.h"
#include "live/trigger/stop_cost.h"
#include "live/wall/wall.h"

/* --- The triggers */

static void
close_triggers(struct prf_watch *watch)
{
	for (size_t i = 0; i < watch->n_triggers; i++)
		watch->triggers[i]->ops->close(watch->triggers[i]);
}

/* So many stops a second take less than 1 % of a thread's time, also in a slow
 * virtual machine. */
enum { FEW_STOPS_HZ = 100 };

/* What a stop takes of a thread's CPU time, if the first trigger is one that stops
 * threads: a few threads that another one has are not worth the trial.  (Of the
 * wall time it is a part, and is to be counted.) */
static void
try_stop(struct prf_watch *watch, const struct prf_trigger_ops *ops)
{
	const struct prf_sampler_config *config = watch->config;
	bool often = config->period_ns < 1000000000 / FEW_STOPS_HZ;

	if (!watch->n_triggers && !ops->without_stops && often &&
	    config->clock != PRF_CLOCK_WALL && !watch->stop_ns)
		watch->stop_ns = prf_stop_cost_try();
}

static int
open_trigger(struct prf_watch *watch, const struct prf_trigger_ops *ops,
	     uint64_t *random, struct prf_error *err)
{
	try_stop(watch, ops);
	struct prf_trigger_config config = {
		.period_ns = watch->config->period_ns,
		.clock = watch->config->clock,
		.attached = watch->attached,
		.seed = prf_random_next(random),
		.stop_ns = watch->stop_ns,
		.call_graph = watch->config->call_graph,
		.kernel = watch->config->kernel,
		.stack_needs = watch->config->stack_needs,
		.take = prf_ring_take,
		.take_arg = watch->ring_taker,
	};
	size_t i = watch->n_triggers;
	int rc = ops->open(&config, &watch->triggers[i], err);

	if (rc)
		return rc;
	watch->stats->trigger[i].name = ops->name;
	watch->stats->trigger[i].from_outside =
		prf_triggers_interrupts_calls(ops);
	watch->stats->trigger[i].bound_by_tick = ops->bound_by_tick;
	watch->stats->trigger[i].without_stops = ops->without_stops;
	watch->n_triggers++;
	return 0;
}

/* A thread that blocks the signal of the trigger that was asked for has another:
 * any that this machine has. */
static void
open_spare_triggers(struct prf_watch *watch, uint64_t *random)
{
	const struct prf_trigger_ops *named = watch->config->trigger;
	struct prf_error why;

	for (size_t i = 0; prf_triggers[i]; i++)
		if (prf_triggers[i] != named)
			watch->n_spare += !open_trigger(watch, prf_triggers[i],
							random, &why);
}

/* (No thread can block the stops of interrupt; a test's trigger is alone.) */
static int
open_named_trigger(struct prf_watch *watch, bool with_interrupt,
		   uint64_t *random, struct prf_error *err)
{
	const struct prf_trigger_ops *ops = watch->config->trigger;
	struct prf_error why = {0};
	int rc = open_trigger(watch, ops, random, &why);

	if (!rc && ops != &prf_trigger_interrupt) {
		if (with_interrupt)
			rc = open_trigger(watch, &prf_trigger_interrupt, random,
					  &why);
		else if (prf_triggers_find(ops->name) == ops)
			open_spare_triggers(watch, random);
	}
	return rc ? prf_error_set(err, rc, "trigger %s: %s", ops->name,
				  why.text)
		  : 0;
}

static void
note_refused(struct prf_sampler_stats *stats, const struct prf_trigger_ops *ops,
	     const struct prf_error *why)
{
	if (!stats->refused_trigger[0])
		snprintf(stats->refused_trigger, sizeof stats->refused_trigger,
			 "%s: %.140s", ops->name, why->text);
}

static uint64_t
seed_of(const struct prf_sampler_config *config)
{
	uint64_t random = config->seed;

	if (!random &&
	    getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
		random = prf_clock_ns(CLOCK_MONOTONIC);
	return random;
}

static int
open_triggers(struct prf_watch *watch, bool with_interrupt,
	      struct prf_error *err)
{
	uint64_t random = seed_of(watch->config);
	int rc = 0;

	if (watch->config->trigger)
		return open_named_trigger(watch, with_interrupt, &random, err);
	/* A trigger that this machine does not have is left out. */
	for (size_t i = 0; prf_triggers[i]; i++) {
		rc = open_trigger(watch, prf_triggers[i], &random, err);
		if (rc)
			note_refused(watch->stats, prf_triggers[i], err);
	}
	return watch->n_triggers ? 0 : rc;
}

/* --- A run */

/* A thread's files are opened one at a time, but threads can be many: what
 * this process may open is raised to its limit.  (The program's own limit was
 * settled when it was forked.) */
static void
raise_open_files(struct rlimit *before)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, before);
	limit = *before;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* The profile has what the program has done from RUN's start on. */
static void
note_times(struct prf_watch *watch, struct prf_run *run)
{
	prf_watch_note_pause(watch);
	run->stats.wall_ns = prf_clock_ns(CLOCK_MONOTONIC) - run->start_ns;
	run->stats.own_cpu_ns = prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static void
watch_to_the_end(struct prf_watch *watch, const struct prf_relay *relay,
		 struct prf_run *run)
{
	struct rlimit open_files;

	raise_open_files(&open_files);
	prf_loop_run(watch, relay);
	setrlimit(RLIMIT_NOFILE, &open_files);
	note_times(watch, run);
}

static long
options_of(const struct prf_sampler_config *config, bool attached)
{
	long options = PRF_WATCH_OPTIONS;

	if (config->follow == PRF_FOLLOW_ALL)
		options |= PRF_WATCH_OPTIONS_FOLLOW;
	return attached ? options : options | PRF_WATCH_OPTIONS_LAUNCH;
}

static int
run_launched(struct prf_watch *watch, struct prf_launch *launch,
	     const struct prf_relay *relay, char *const argv[],
	     struct prf_run *run, struct prf_error *err)
{
	watch->pid = launch->pid;
	int rc = prf_watch_begin(watch, err);
	if (!rc)
		rc = prf_watch_add_launched(watch);
	if (rc) {
		prf_launch_abandon(launch);
		return rc;
	}
	prf_launch_go(launch);
	run->start_ns = prf_clock_ns(CLOCK_MONOTONIC);
	watch_to_the_end(watch, relay, run);

	run->wait_status = watch->wait_status;
	/* What does not even end when it is killed is not waited for. */
	if (watch->killed && !watch->first_ended)
		run->wait_status = SIGKILL;
	run->left = !watch->first_ended && !watch->killed;
	run->asked_ns = watch->asked_ns;
	int exec_errno = prf_launch_errno(launch);
	if (!watch->image_begun && exec_errno)
		return prf_error_set(err, -exec_errno, "%s: %s", argv[0],
				     strerror(exec_errno));
	run->pid = launch->pid;
	return watch->failed;
}

/* --- The thread that traces */

/* What the thread that traces is to do, and how that went. */
struct session {
	struct prf_watch watch;
	struct prf_relay relay;
	char *const *argv; /* of the program to launch; else NULL, and */
	const pid_t *pids; /* what to attach to */
	size_t n_pids;
	struct prf_run *run;
	struct prf_error *err;
	struct prf_reach *reach; /* what it reads of them */
	pid_t tid;               /* of that thread */
	int rc;
};

/* The wall clock tells what it still owes before the processes' ends are
 * told. */
static void
end(struct prf_watch *watch)
{
	prf_wall_free(watch->wall);
	watch->wall = NULL;
	prf_tracer_end(watch);
}

static int
launch_and_watch(struct session *session)
{
	struct prf_watch *watch = &session->watch;
	struct prf_launch_signals signals = session->relay.before;
	struct prf_launch launch;

	if (watch->config->blocked)
		signals.mask = *watch->config->blocked;
	signals.ignores_setxid = watch->config->ignores_setxid;
	int rc = prf_launch_fork(session->argv, &signals, watch->options,
				 &launch, session->err);
	if (rc)
		return rc;
	rc = run_launched(watch, &launch, &session->relay, session->argv,
			  session->run, session->err);
	end(watch);
	return rc;
}

static int
attach_and_watch(struct session *session)
{
	struct prf_watch *watch = &session->watch;
	struct rlimit open_files;

	session->run->start_ns = prf_clock_ns(CLOCK_MONOTONIC);
	int rc = prf_watch_begin(watch, session->err);
	raise_open_files(&open_files);
	for (size_t i = 0; !rc && i < session->n_pids; i++)
		rc = prf_attach(watch, session->pids[i], session->err);
	if (!rc && watch->config->started)
		rc = watch->config->started(watch->config->started_arg,
					    session->pids[0]);
	if (!rc) {
		session->run->pid = session->pids[0];
		watch_to_the_end(watch, &session->relay, session->run);
		session->run->left = prf_tasks_count(watch->tasks) > 0;
		session->run->asked_ns = watch->asked_ns;
		rc = watch->failed;
	}
	end(watch);
	setrlimit(RLIMIT_NOFILE, &open_files);
	return rc;
}

static void *
trace(void *arg)
{
	struct session *session = arg;

	session->tid = gettid();
	prf_reach_show(session->reach);
	session->rc = session->argv ? launch_and_watch(session)
				    : attach_and_watch(session);
	return NULL;
}

/* Have all ended that the run began with and those that are traced, or the time for
 * which it attaches?  (A program that was launched is not killed just because that is
 * over.) */
static bool
is_over(const void *arg)
{
	const struct session *session = arg;

	if (!session->argv &&
	    prf_clock_ns(CLOCK_MONOTONIC) >= session->watch.until_ns)
		return true;
	if (session->argv && prf_status_find_living(session->watch.pid))
		return false;
	for (size_t i = 0; i < session->n_pids; i++)
		if (prf_status_find_living(session->pids[i]))
			return false;
	return !prf_status_find_traced(session->tid);
}

static void
tell(const struct session *session, const char *line)
{
	const struct prf_sampler_config *config = session->watch.config;

	if (config->tell)
		config->tell(config->tell_arg, line);
}

static void
tell_held(const void *arg)
{
	tell(arg, "the program's memory is waited for, which somebody else has "
		  "to bring (userfaultfd, FUSE): a signal ends the run");
}

/* How the program that was launched has ended; if it has not, it is killed. */
static int
end_launched(const struct prf_watch *watch)
{
	int wait_status;

	if (watch->first_ended)
		return watch->wait_status;
	prf_watch_kill(watch);
	if (waitpid(watch->pid, &wait_status, WNOHANG | __WALL) == watch->pid &&
	    (WIFEXITED(wait_status) || WIFSIGNALED(wait_status)))
		return wait_status;
	return SIGKILL;
}

/* The thread that traces is held, and all that it may still use stays.  What has
 * been counted is whole without it. */
static void
end_without_tracer(struct session *session)
{
	struct prf_watch *watch = &session->watch;
	struct prf_run *run = session->run;

	tell(session, session->argv
			      ? "the program's memory does not come "
				"(userfaultfd, FUSE): it is killed, and the "
				"run ends"
			      : "the program's memory does not come "
				"(userfaultfd, FUSE): the run ends; timers "
				"may stay, whose signal SIGURG is ignored by "
				"default");
	if (prf_relay_take(&session->relay, 0).end)
		run->asked_ns = prf_clock_ns(CLOCK_MONOTONIC);
	run->pid = session->argv ? watch->pid : session->pids[0];
	prf_wall_free(watch->wall);
	watch->wall = NULL;
	prf_tracer_abandon(watch);
	note_times(watch, run);
	if (session->argv)
		run->wait_status = end_launched(watch);
	else
		run->left = prf_tasks_count(watch->tasks) > 0;
}

/* When the thread that traces ends, the kernel lets go of all that it traces
 * just as it is, and nothing has to be stopped for that.  *IS_HELD: it has not
 * ended, and never will. */
static int
trace_in_thread(struct session *session, bool *is_held)
{
	struct prf_takeover takeover = {
		.reach = calloc(1, sizeof *takeover.reach),
		.is_over = is_over,
		.held = tell_held,
		.arg = session,
	};

	session->reach = takeover.reach;
	int rc = takeover.reach ? -pthread_create(&takeover.thread, NULL, trace,
						  session)
				: -ENOMEM;
	if (rc) {
		free(takeover.reach);
		return prf_error_set(session->err, rc, "no thread: %s",
				     strerror(-rc));
	}
	*is_held = !prf_takeover_await(&takeover);
	if (*is_held) {
		end_without_tracer(session);
		return 0;
	}
	free(takeover.reach);
	return session->rc;
}

static void
clear(struct session *session)
{
	struct prf_watch *watch = &session->watch;

	prf_wall_free(watch->wall);
	prf_copier_free(watch->copier);
	prf_ring_taker_free(watch->ring_taker);
	close_triggers(watch);
}

static int
run_session(struct session *session)
{
	struct prf_watch *watch = &session->watch;
	const struct prf_sampler_config *config = watch->config;
	bool is_held = false;

	/* To attach takes its time, too: then it begins anew. */
	watch->until_ns =
		prf_schedule_new(prf_clock_ns(CLOCK_MONOTONIC),
				 config->delay_ns, config->duration_ns)
			.end_ns;
	int rc = prf_relay_open(&session->relay, session->argv != NULL,
				watch->config->toggle_signal, session->err);

	if (rc)
		return rc;
	/* A process that is attached to has to be stopped from outside:
	 * interrupt. */
	watch->ring_taker = prf_ring_taker_new(watch);
	rc = watch->ring_taker
		     ? open_triggers(watch, !session->argv, session->err)
		     : prf_error_set(session->err, -ENOMEM, "out of memory");
	if (!rc && watch->config->clock == PRF_CLOCK_WALL)
		rc = prf_wall_new(watch, seed_of(watch->config), &watch->wall,
				  session->err);
	if (!rc && watch->config->call_graph) {
		watch->copier = prf_copier_new();
		if (!watch->copier)
			rc = prf_error_set(session->err, -ENOMEM,
					   "out of memory");
		else
			prf_copier_ask(watch->copier,
				       watch->config->stack_needs);
	}
	if (!rc)
		rc = trace_in_thread(session, &is_held);
	if (!is_held)
		clear(session);
	session->run->sigchld = session->relay.before.sigchld;
	session->relay.leaves_child = session->argv && session->run->left;
	prf_relay_close(&session->relay);
	return rc;
}

/* --- What is offered */

int
prf_sampler_run(const struct prf_sampler_config *config, char *const argv[],
		struct prf_sink *sink, struct prf_run *run,
		struct prf_error *err)
{
	bool lives_on = config->duration_ns != 0;
	struct session session = {
		.watch =
			{
				.config = config,
				.attached = lives_on,
				.options = options_of(config, lives_on),
				.sink = sink,
				.stats = &run->stats,
			},
		.argv = argv,
		.run = run,
		.err = err,
	};

	*run = (struct prf_run){0};
	return run_session(&session);
}

int
prf_sampler_attach(const struct prf_sampler_config *config, const pid_t *pids,
		   size_t n_pids, struct prf_sink *sink, struct prf_run *run,
		   struct prf_error *err)
{
	struct session session = {
		.watch =
			{
				.config = config,
				.attached = true,
				.options = options_of(config, true),
				.sink = sink,
				.stats = &run->stats,
			},
		.pids = pids,
		.n_pids = n_pids,
		.run = run,
		.err = err,
	};

	*run = (struct prf_run){0};
	return run_session(&session);
}

/* False: the program has ended, or cannot be waited for. */
static bool
note_stop(struct prf_job *job, pid_t waited, int wait_status, uint64_t now_ns)
{
	if (waited <= 0 ||
	    (!WIFSTOPPED(wait_status) && !WIFCONTINUED(wait_status)))
		return false;
	prf_jobcontrol_note(job, 0, now_ns);
	if (WIFSTOPPED(wait_status))
		prf_jobcontrol_note(job, WSTOPSIG(wait_status), now_ns);
	return true;
}

/* Waits until there may be news.  Returns what waitpid(2) does; 0: the
 * program has not ended.  If somebody demands an end, it is left as if the last
 * signal had killed it. */
static pid_t
await_a_while(const struct prf_relay *relay, struct prf_job *job,
	      struct prf_demand *demand, int *wait_status)
{
	const int options = WNOHANG | WUNTRACED | WCONTINUED;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct pollfd polled = {relay->fd, POLLIN, 0};
	struct prf_relay_news news = prf_relay_take(relay, job->pid);

	prf_jobcontrol_take(job, &news, news.stop_sender == job->pid, now_ns);
	if (news.ask && news.ask_sender != job->pid &&
	    prf_demand_asked(demand, now_ns)) {
		*wait_status = news.ask;
		return job->pid;
	}
	pid_t waited = waitpid(job->pid, wait_status, options);
	if (note_stop(job, waited, *wait_status, now_ns))
		return 0;
	if (waited)
		return waited;
	if (prf_jobcontrol_due_ns(job) <= now_ns)
		prf_jobcontrol_follow(job);
	else
		poll(&polled, 1, prf_jobcontrol_wait_ms(job, now_ns, -1));
	return 0;
}

int
prf_sampler_await(struct prf_run *run, struct prf_error *err)
{
	struct prf_relay relay;
	pid_t waited = 0;
	int rc = prf_relay_open(&relay, true, 0, err);

	if (rc)
		return rc;
	struct prf_job job = {.pid = run->pid};
	while (waited == 0)
		waited = await_a_while(&relay, &job, &run->demand,
				       &run->wait_status);
	if (waited < 0)
		rc = prf_error_set(err, -errno,
				   "the program cannot be waited for: %s",
				   strerror(errno));
	run->left = rc != 0;
	relay.before.sigchld = run->sigchld;
	prf_relay_close(&relay);
	return rc;
}
