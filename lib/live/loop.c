#include "live/loop.h"

#include <poll.h>
#include <stdio.h>

#include "live/check.h"
#include "live/clock.h"
#include "live/jobcontrol.h"
#include "live/leave.h"
#include "live/schedule.h"
#include "live/wall.h"

enum { MENTION_AFTER_MS = 1000, REMIND_EVERY_MS = 50 };

/* A check rests for so many times as long as it takes: where threads are many, it
 * comes less often. */
enum { REST = 100 };

/* What is polled, in this order; after the triggers, the wall clock. */
enum { RELAY, TRIGGERS };

struct loop {
	struct prf_tracer *tracer;
	const struct prf_relay *relay;
	struct prf_schedule schedule;
	struct pollfd polled[TRIGGERS + PRF_MAX_TRIGGERS + 1];
	int every_ms; /* it looks up, whatever comes, and checks */
	uint64_t check_ns, mention_ns; /* when, next */
	struct prf_job job;
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
		.job.pid = tracer->pid,
		.schedule = prf_schedule_new(now_ns, config->delay_ns,
					     config->duration_ns),
		.every_ms = prf_check_every_ms(config->period_ns),
		.mention_ns = now_ns + MENTION_AFTER_MS * 1000000ULL,
	};

	prf_tracer_pause(tracer, config->delay_ns > 0);
	return loop;
}

static int
wait_ms(const struct loop *loop)
{
	const uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	bool reminds =
		loop->tracer->leaving && loop->every_ms > REMIND_EVERY_MS;
	int most_ms = reminds ? REMIND_EVERY_MS : loop->every_ms;

	if (loop->more)
		return 0;
	most_ms = prf_job_wait_ms(&loop->job, now_ns, most_ms);
	return prf_schedule_wait_ms(&loop->schedule, now_ns, most_ms);
}

/* Is there more to poll for than signals? */
static bool
set_polled(struct loop *loop)
{
	const struct prf_tracer *tracer = loop->tracer;
	struct pollfd *wall = &loop->polled[TRIGGERS + tracer->n_triggers];
	bool more = tracer->wall;

	loop->polled[RELAY] = (struct pollfd){loop->relay->fd, POLLIN, 0};
	for (size_t i = 0; i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];
		int fd = trigger->ops->fd(trigger);

		loop->polled[TRIGGERS + i] = (struct pollfd){fd, POLLIN, 0};
		more |= fd >= 0;
	}
	*wall = (struct pollfd){prf_wall_fd(tracer->wall), POLLIN, 0};
	return more;
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

/* What the program was asked before its end is over. */
static struct prf_job *
job_of(struct loop *loop)
{
	if (loop->tracer->first_ended && loop->job.pid)
		loop->job = (struct prf_job){0};
	return &loop->job;
}

static void
heed(struct loop *loop, const struct prf_relay_word *word)
{
	struct prf_tracer *tracer = loop->tracer;

	for (unsigned i = 0; i < word->toggles; i++)
		prf_schedule_toggle(&loop->schedule);
	if (word->toggles)
		tell_of_toggle(loop);
	if (word->end)
		prf_leave_begin(tracer);
	prf_job_hear(job_of(loop), word,
		     word->stop_sender &&
			     prf_tasks_find(tracer->tasks, word->stop_sender),
		     prf_clock_ns(CLOCK_MONOTONIC));
}

/* The program has stopped: so do we, if nothing is left to be heard. */
static void
follow_stop(struct loop *loop)
{
	const struct prf_tracer *tracer = loop->tracer;
	struct prf_job *job = job_of(loop);
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct pollfd words = {loop->relay->words_fd, POLLIN, 0};

	if (!tracer->pid || tracer->leaving)
		return;
	prf_job_look(job, tracer, now_ns);
	if (prf_job_due_ns(job) > now_ns || loop->more || poll(&words, 1, 0))
		return;
	prf_job_follow(job);
	loop->more = true;
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

		if (loop->polled[TRIGGERS + i].revents & POLLIN)
			trigger->ops->due(trigger);
	}
	if (loop->polled[TRIGGERS + loop->tracer->n_triggers].revents & POLLIN)
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

/* How much later a check that is made now is to be followed by another. */
static uint64_t
check_now(const struct loop *loop)
{
	const uint64_t every_ns = (uint64_t)loop->every_ms * 1000000;
	const uint64_t begin_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	prf_check_deaf(loop->tracer);
	uint64_t took_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;

	return took_ns * REST > every_ns ? took_ns * REST : every_ns;
}

static void
check(struct loop *loop)
{
	const uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (now_ns >= loop->check_ns)
		loop->check_ns = now_ns + check_now(loop);
	if (now_ns >= loop->mention_ns) {
		loop->mention_ns = now_ns + MENTION_AFTER_MS * 1000000ULL;
		mention_others(loop);
	}
}

/* To look for stops takes longer the more threads there are: not just because
 * the wall clock has something to do. */
static bool
is_for_wall_alone(const struct loop *loop, int n_ready)
{
	const struct pollfd *wall =
		&loop->polled[TRIGGERS + loop->tracer->n_triggers];

	return !loop->more && n_ready == 1 && wall->revents & POLLIN;
}

/* Waits for whatever comes first, and answers stops. */
static void
await(struct loop *loop)
{
	const pid_t pid = job_of(loop)->pid;
	const int ms = wait_ms(loop);
	struct prf_relay_word word;

	if (set_polled(loop)) {
		int n_ready = poll(loop->polled,
				   TRIGGERS + loop->tracer->n_triggers + 1, ms);
		if (is_for_wall_alone(loop, n_ready))
			return;
		word = prf_relay_take(loop->relay, pid);
	} else {
		word = prf_relay_await(loop->relay, pid, ms);
	}
	heed(loop, &word);
	loop->more = prf_tracer_drain(loop->tracer, word.child);
}

void
prf_loop_run(struct prf_tracer *tracer, const struct prf_relay *relay)
{
	struct loop loop = begin_loop(tracer, relay);

	while (!tracer->ended && !prf_leave_is_done(tracer)) {
		await(&loop);
		if (tracer->ended)
			break;
		follow_stop(&loop);
		keep_schedule(&loop);
		serve_triggers(&loop);
		check(&loop);
	}
}
