#include "live/sampler.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/check.h"
#include "live/clock.h"
#include "live/attach.h"
#include "live/launch.h"
#include "live/leave.h"
#include "live/random.h"
#include "live/relay.h"
#include "live/schedule.h"
#include "live/tracer.h"
#include "live/wall.h"

/* --- The triggers */

static void
close_triggers(struct prf_tracer *tracer)
{
	for (size_t i = 0; i < tracer->n_triggers; i++)
		tracer->triggers[i]->ops->close(tracer->triggers[i]);
}

static int
open_trigger(struct prf_tracer *tracer, const struct prf_trigger_ops *ops,
	     uint64_t *random, struct prf_error *err)
{
	struct prf_trigger_config config = {
		.period_ns = tracer->config->period_ns,
		.clock = tracer->config->clock,
		.attached = tracer->attached,
		.seed = prf_random_next(random),
	};
	size_t i = tracer->n_triggers;
	int rc = ops->open(&config, &tracer->triggers[i], err);

	if (rc)
		return rc;
	tracer->stats->trigger[i].name = ops->name;
	tracer->stats->trigger[i].from_outside = ops->repairs_eintr;
	tracer->n_triggers++;
	return 0;
}

static int
open_only_trigger(struct prf_tracer *tracer, bool with_interrupt,
		  uint64_t *random, struct prf_error *err)
{
	const struct prf_trigger_ops *ops = tracer->config->trigger;
	struct prf_error why = {0};
	int rc = open_trigger(tracer, ops, random, &why);

	if (!rc && with_interrupt && ops != &prf_trigger_interrupt)
		rc = open_trigger(tracer, &prf_trigger_interrupt, random, &why);
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
open_triggers(struct prf_tracer *tracer, bool with_interrupt,
	      struct prf_error *err)
{
	uint64_t random = seed_of(tracer->config);
	int rc = 0;

	if (tracer->config->trigger)
		return open_only_trigger(tracer, with_interrupt, &random, err);
	/* One that this machine does not have is done without. */
	for (const struct prf_trigger_ops *const *ops =
		     prf_triggers_for(tracer->config->period_ns);
	     *ops && tracer->n_triggers < PRF_MAX_TRIGGERS; ops++) {
		rc = open_trigger(tracer, *ops, &random, err);
		if (rc)
			note_refused(tracer->stats, *ops, err);
	}
	return tracer->n_triggers ? 0 : rc;
}

/* --- The loop */

enum { CHECK_EVERY_MS = 1000, REMIND_EVERY_MS = 50 };

struct loop {
	struct prf_tracer *tracer;
	const struct prf_relay *relay;
	struct prf_schedule schedule;
	struct pollfd polled[2 + PRF_MAX_TRIGGERS]; /* relay, triggers, wall */
	uint64_t checked_ns;
	bool more;      /* stops are left to be answered */
	bool mentioned; /* that others live on */
};

static struct loop
begin_loop(struct prf_tracer *tracer, const struct prf_relay *relay)
{
	const struct prf_sampler_config *config = tracer->config;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct loop loop = {
		.tracer = tracer,
		.relay = relay,
		.schedule = prf_schedule_new(now_ns, config->delay_ns,
					     config->duration_ns),
		.polled = {{relay->fd, POLLIN, 0}},
		.checked_ns = now_ns,
	};

	for (size_t i = 0; i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];

		loop.polled[i + 1] =
			(struct pollfd){trigger->ops->fd(trigger), POLLIN, 0};
	}
	loop.polled[1 + tracer->n_triggers] =
		(struct pollfd){prf_wall_fd(tracer->wall), POLLIN, 0};
	prf_tracer_pause(tracer, config->delay_ns > 0);
	return loop;
}

static int
wait_ms(const struct loop *loop)
{
	if (loop->more)
		return 0;
	return prf_schedule_wait_ms(
		&loop->schedule, prf_clock_ns(CLOCK_MONOTONIC),
		loop->tracer->leaving ? REMIND_EVERY_MS : CHECK_EVERY_MS);
}

static void
tell_of_toggle(const struct loop *loop)
{
	const struct prf_sampler_config *config = loop->tracer->config;

	if (config->tell_more && config->tell)
		config->tell(config->tell_arg,
			     loop->schedule.toggled_off
				     ? "counting is off until the next such "
				       "signal"
				     : "counting is on");
}

static void
listen(struct loop *loop)
{
	struct prf_tracer *tracer = loop->tracer;
	struct prf_relay_word word = prf_relay_take(
		loop->relay, tracer->first_ended ? 0 : tracer->pid);

	for (unsigned i = 0; i < word.toggles; i++)
		prf_schedule_toggle(&loop->schedule);
	if (word.toggles)
		tell_of_toggle(loop);
	if (word.end)
		prf_leave_begin(tracer);
}

static void
keep_schedule(struct loop *loop)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	prf_tracer_pause(loop->tracer,
			 !prf_schedule_looks(&loop->schedule, now_ns));
	if (prf_schedule_is_over(&loop->schedule, now_ns))
		prf_leave_begin(loop->tracer);
	if (loop->tracer->leaving)
		prf_leave_remind(loop->tracer);
}

static void
serve_triggers(const struct loop *loop)
{
	for (size_t i = 0; i < loop->tracer->n_triggers; i++) {
		struct prf_trigger *trigger = loop->tracer->triggers[i];

		if (loop->polled[i + 1].revents & POLLIN)
			trigger->ops->due(trigger);
	}
	if (loop->polled[1 + loop->tracer->n_triggers].revents & POLLIN)
		prf_wall_due(loop->tracer->wall);
}

/* The program has ended, but not what it has started. */
static void
mention_others(struct loop *loop)
{
	const struct prf_tracer *tracer = loop->tracer;
	char line[128];

	if (loop->mentioned || !tracer->pid || !tracer->first_ended ||
	    tracer->leaving || !tracer->config->tell)
		return;
	loop->mentioned = true;
	snprintf(line, sizeof line,
		 "the program has ended, but left %zu process%s behind: "
		 "waiting for %s (Ctrl-C lets go)",
		 tracer->processes.n, tracer->processes.n == 1 ? "" : "es",
		 tracer->processes.n == 1 ? "it" : "them");
	tracer->config->tell(tracer->config->tell_arg, line);
}

static void
check(struct loop *loop)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (now_ns - loop->checked_ns < CHECK_EVERY_MS * 1000000ULL)
		return;
	loop->checked_ns = now_ns;
	prf_check_deaf(loop->tracer);
	mention_others(loop);
}

/* To look for stops takes longer the more threads there are: not just because
 * the wall clock has something to do. */
static void
answer(struct loop *loop, int n_ready)
{
	const struct pollfd *wall = &loop->polled[1 + loop->tracer->n_triggers];

	if (!loop->more && n_ready == 1 && wall->revents & POLLIN)
		return;
	listen(loop);
	loop->more = prf_tracer_drain(loop->tracer);
}

static void
watch(struct prf_tracer *tracer, const struct prf_relay *relay)
{
	struct loop loop = begin_loop(tracer, relay);

	while (!tracer->ended && !prf_leave_is_done(tracer)) {
		int n_ready = poll(loop.polled, 2 + tracer->n_triggers,
				   wait_ms(&loop));
		answer(&loop, n_ready);
		if (tracer->ended)
			break;
		keep_schedule(&loop);
		serve_triggers(&loop);
		check(&loop);
	}
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

static void
watch_to_the_end(struct prf_tracer *tracer, const struct prf_relay *relay,
		 struct prf_run *run)
{
	uint64_t start_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct rlimit open_files;

	raise_open_files(&open_files);
	watch(tracer, relay);
	setrlimit(RLIMIT_NOFILE, &open_files);
	run->stats.wall_ns = prf_clock_ns(CLOCK_MONOTONIC) - start_ns;
	run->stats.own_cpu_ns = prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static long
options_of(const struct prf_sampler_config *config, bool attached)
{
	long options = PRF_TRACER_OPTIONS;

	if (config->follow == PRF_FOLLOW_ALL)
		options |= PRF_TRACER_OPTIONS_FOLLOW;
	return attached ? options : options | PRF_TRACER_OPTIONS_LAUNCH;
}

static int
run_launched(struct prf_tracer *tracer, struct prf_launch *launch,
	     const struct prf_relay *relay, char *const argv[],
	     struct prf_run *run, struct prf_error *err)
{
	tracer->pid = launch->pid;
	int rc = prf_tracer_begin(tracer, err);
	if (!rc)
		rc = prf_tracer_add_launched(tracer);
	if (rc) {
		prf_launch_abandon(launch);
		return rc;
	}
	prf_launch_go(launch);
	watch_to_the_end(tracer, relay, run);

	run->wait_status = tracer->wait_status;
	run->left = !tracer->first_ended;
	int exec_errno = prf_launch_errno(launch);
	if (!tracer->image_begun && exec_errno)
		return prf_error_set(err, -exec_errno, "%s: %s", argv[0],
				     strerror(exec_errno));
	run->pid = launch->pid;
	return tracer->failed;
}

/* --- The thread that traces */

/* What it is to do, and how that went. */
struct session {
	struct prf_tracer tracer;
	struct prf_relay relay;
	char *const *argv; /* of the program to launch; else NULL, and */
	const pid_t *pids; /* what to attach to */
	size_t n_pids;
	struct prf_run *run;
	struct prf_error *err;
	int rc;
};

/* What the wall clock still owes is told before the processes' end. */
static void
end(struct prf_tracer *tracer)
{
	prf_wall_free(tracer->wall);
	tracer->wall = NULL;
	prf_tracer_end(tracer);
}

static int
launch_and_watch(struct session *session)
{
	struct prf_tracer *tracer = &session->tracer;
	struct prf_launch launch;
	int rc = prf_launch_fork(session->argv, &session->relay.before,
				 tracer->options, &launch, session->err);

	if (rc)
		return rc;
	rc = run_launched(tracer, &launch, &session->relay, session->argv,
			  session->run, session->err);
	end(tracer);
	return rc;
}

static int
attach_and_watch(struct session *session)
{
	struct prf_tracer *tracer = &session->tracer;
	struct rlimit open_files;
	int rc = prf_tracer_begin(tracer, session->err);

	raise_open_files(&open_files);
	for (size_t i = 0; !rc && i < session->n_pids; i++)
		rc = prf_attach(tracer, session->pids[i], session->err);
	if (!rc) {
		session->run->pid = session->pids[0];
		watch_to_the_end(tracer, &session->relay, session->run);
		session->run->left = prf_tasks_count(tracer->tasks) > 0;
		rc = tracer->failed;
	}
	end(tracer);
	setrlimit(RLIMIT_NOFILE, &open_files);
	return rc;
}

static void *
trace(void *arg)
{
	struct session *session = arg;

	session->rc = session->argv ? launch_and_watch(session)
				    : attach_and_watch(session);
	return NULL;
}

/* When the thread that traces ends, the kernel lets go of all that it traces
 * just as it is, and nothing has to be stopped for that. */
static int
trace_in_thread(struct session *session)
{
	pthread_t thread;
	int rc = -pthread_create(&thread, NULL, trace, session);

	if (rc)
		return prf_error_set(session->err, rc, "no thread: %s",
				     strerror(-rc));
	pthread_join(thread, NULL);
	return session->rc;
}

static int
run_session(struct session *session)
{
	struct prf_tracer *tracer = &session->tracer;
	int rc = prf_relay_open(&session->relay, session->argv != NULL,
				tracer->config->toggle_signal, session->err);

	if (rc)
		return rc;
	/* Who is attached to has to be stopped first. */
	rc = open_triggers(tracer, !session->argv, session->err);
	if (!rc && tracer->config->clock == PRF_CLOCK_WALL)
		rc = prf_wall_new(tracer, seed_of(tracer->config),
				  &tracer->wall, session->err);
	if (!rc && tracer->attached)
		rc = trace_in_thread(session);
	else if (!rc)
		rc = launch_and_watch(session);
	prf_wall_free(tracer->wall);
	close_triggers(tracer);
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
		.tracer =
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
		.tracer =
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

int
prf_sampler_await(struct prf_run *run, struct prf_error *err)
{
	struct prf_relay relay;
	pid_t waited = 0;
	int rc = prf_relay_open(&relay, true, 0, err);

	if (rc)
		return rc;
	struct pollfd polled = {relay.fd, POLLIN, 0};
	while (waited == 0) {
		prf_relay_take(&relay, run->pid);
		waited = waitpid(run->pid, &run->wait_status, WNOHANG);
		if (waited == 0)
			poll(&polled, 1, CHECK_EVERY_MS);
	}
	if (waited < 0)
		rc = prf_error_set(err, -errno,
				   "the program cannot be waited for: %s",
				   strerror(errno));
	run->left = rc != 0;
	prf_relay_close(&relay);
	return rc;
}
