#include "live/loop.h"

#include <poll.h>
#include <stdio.h>

#include "live/trigger/check.h"
#include "live/proc/clock.h"
#include "live/control/demand.h"
#include "live/control/jobcontrol.h"
#include "live/life/begin.h"
#include "live/life/leave.h"
#include "live/life/wants_tracer.h"
#include "live/control/schedule.h"
#include "live/tracer.h"
#include "live/wall/wall.h"

enum { COLLECT_EVERY_MS = 1000, REMIND_EVERY_MS = 50 };

/* After a check comes a rest of so many times as long as it took: where
 * threads are many, checks are rarer. */
enum { REST = 100 };

/* Of so many checks, one is of the signal masks of all threads that run. */
enum { MASKS_EVERY = 5 };

/* What is polled, in this order; after the triggers, the wall clock. */
enum { RELAY, TRIGGERS };

struct loop {
	struct prf_watch *watch;
	const struct prf_relay *relay;
	struct prf_schedule schedule;
	struct pollfd polled[TRIGGERS + PRF_MAX_TRIGGERS + 1];
	int every_ms; /* it wakes at least so often, and checks */
	uint64_t check_ns, collect_ns; /* when the next ones are due */
	unsigned n_checks;
	struct prf_job job;
	struct prf_demand demand;
	bool more;      /* stops are left to be answered */
	bool mentioned; /* it has been said that others live on */
};

static struct loop
begin_loop(struct prf_watch *watch, const struct prf_relay *relay)
{
	const struct prf_sampler_config *config = watch->config;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct loop loop = {
		.watch = watch,
		.relay = relay,
		.job.pid = watch->pid,
		.schedule = prf_schedule_new(now_ns, config->delay_ns,
					     config->duration_ns),
		.every_ms = prf_check_every_ms(config->period_ns),
		.collect_ns = now_ns + COLLECT_EVERY_MS * 1000000ULL,
	};

	watch->until_ns = loop.schedule.end_ns;
	prf_tracer_pause(watch, config->delay_ns > 0);
	return loop;
}

static int
until_collecting_ms(const struct loop *loop, uint64_t now_ns, int most_ms)
{
	uint64_t ms = loop->collect_ns > now_ns
			      ? (loop->collect_ns - now_ns) / 1000000 + 1
			      : 0;

	return ms < (uint64_t)most_ms ? (int)ms : most_ms;
}

static int
wait_ms(const struct loop *loop)
{
	const uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	bool reminds = loop->watch->leaving && loop->every_ms > REMIND_EVERY_MS;
	int most_ms = reminds ? REMIND_EVERY_MS : loop->every_ms;

	if (loop->more)
		return 0;
	most_ms = until_collecting_ms(loop, now_ns, most_ms);
	most_ms = prf_jobcontrol_wait_ms(&loop->job, now_ns, most_ms);
	return prf_schedule_wait_ms(&loop->schedule, now_ns, most_ms);
}

/* Fills in what to poll.  Is there more than signals? */
static bool
set_polled(struct loop *loop)
{
	const struct prf_watch *watch = loop->watch;
	struct pollfd *wall = &loop->polled[TRIGGERS + watch->n_triggers];
	bool more = watch->wall;

	loop->polled[RELAY] = (struct pollfd){loop->relay->fd, POLLIN, 0};
	for (size_t i = 0; i < watch->n_triggers; i++) {
		struct prf_trigger *trigger = watch->triggers[i];
		int fd = trigger->ops->fd(trigger);

		loop->polled[TRIGGERS + i] = (struct pollfd){fd, POLLIN, 0};
		more |= fd >= 0;
	}
	*wall = (struct pollfd){prf_wall_fd(watch->wall), POLLIN, 0};
	return more;
}

static void
tell_change(const struct loop *loop, enum prf_sampler_change change)
{
	const struct prf_sampler_config *config = loop->watch->config;

	if (config->changed)
		config->changed(config->changed_arg, change);
}

static void
tell_of_toggle(const struct loop *loop)
{
	const struct prf_sampler_config *config = loop->watch->config;

	tell_change(loop, loop->schedule.toggled_off ? PRF_SAMPLER_PAUSES
						     : PRF_SAMPLER_COUNTS);
	if (config->tell_more && config->tell)
		config->tell(config->tell_arg,
			     loop->schedule.toggled_off
				     ? "counting is off until the next such "
				       "signal"
				     : "counting is on");
}

/* After the program's end, what it was asked before does not matter any
 * more. */
static struct prf_job *
job_of(struct loop *loop)
{
	if (loop->watch->first_ended && loop->job.pid)
		loop->job = (struct prf_job){0};
	return &loop->job;
}

/* The program gets these signals, and may do with them what it likes; what it
 * sends itself is its own affair. */
static void
take_ask(struct loop *loop, pid_t sender)
{
	struct prf_watch *watch = loop->watch;

	if (prf_tasks_find(watch->tasks, sender) ||
	    !prf_demand_asked(&loop->demand, prf_clock_ns(CLOCK_MONOTONIC)))
		return;
	if (watch->config->tell && !watch->killed)
		watch->config->tell(watch->config->tell_arg,
				    "the program does not end by the signals "
				    "that it was sent: it is killed");
	prf_leave_demanded(watch);
}

static void
act_on(struct loop *loop, const struct prf_relay_news *news)
{
	struct prf_watch *watch = loop->watch;

	for (unsigned i = 0; i < news->toggles; i++)
		prf_schedule_toggle(&loop->schedule);
	if (news->toggles)
		tell_of_toggle(loop);
	if (news->end)
		prf_leave_asked(watch);
	if (news->ask)
		take_ask(loop, news->ask_sender);
	prf_jobcontrol_take(
		job_of(loop), news,
		news->stop_sender &&
			prf_tasks_find(watch->tasks, news->stop_sender),
		prf_clock_ns(CLOCK_MONOTONIC));
}

/* If the program has stopped, this process stops, too, unless there are
 * signals left to read. */
static void
follow_stop(struct loop *loop)
{
	const struct prf_watch *watch = loop->watch;
	struct prf_job *job = job_of(loop);
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct pollfd signals = {loop->relay->news_fd, POLLIN, 0};

	if (!watch->pid || watch->leaving)
		return;
	prf_jobcontrol_update(job, watch, now_ns);
	if (prf_jobcontrol_due_ns(job) > now_ns || loop->more ||
	    poll(&signals, 1, 0))
		return;
	tell_change(loop, PRF_SAMPLER_STOPS);
	prf_jobcontrol_follow(job);
	tell_change(loop, PRF_SAMPLER_GOES_ON);
	loop->more = true;
}

static void
keep_schedule(struct loop *loop)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	prf_tracer_pause(loop->watch,
			 !prf_schedule_is_on(&loop->schedule, now_ns));
	if (prf_schedule_is_over(&loop->schedule, now_ns))
		prf_leave_begin(loop->watch);
	if (loop->watch->leaving)
		prf_leave_remind(loop->watch);
}

static void
serve_triggers(const struct loop *loop)
{
	for (size_t i = 0; i < loop->watch->n_triggers; i++) {
		struct prf_trigger *trigger = loop->watch->triggers[i];

		if (loop->polled[TRIGGERS + i].revents & POLLIN)
			trigger->ops->due(trigger);
	}
	if (loop->polled[TRIGGERS + loop->watch->n_triggers].revents & POLLIN)
		prf_wall_due(loop->watch->wall);
}

/* Says that the program has ended, but not what it has started. */
static void
mention_others(struct loop *loop)
{
	const struct prf_watch *watch = loop->watch;
	char line[128];

	if (loop->mentioned || !watch->pid || !watch->first_ended ||
	    watch->leaving || !watch->config->tell)
		return;
	loop->mentioned = true;
	snprintf(line, sizeof line,
		 "the program has ended, but left %zu process%s behind: "
		 "waiting for %s (Ctrl-C lets go)",
		 watch->processes.n, watch->processes.n == 1 ? "" : "es",
		 watch->processes.n == 1 ? "it" : "them");
	watch->config->tell(watch->config->tell_arg, line);
}

/* Checks now.  Returns how much later the next check is due. */
static uint64_t
check_now(struct loop *loop)
{
	const uint64_t every_ns = (uint64_t)loop->every_ms * 1000000;
	const uint64_t begin_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	prf_check_threads(loop->watch, loop->n_checks++ % MASKS_EVERY == 0);
	uint64_t took_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;

	return took_ns * REST > every_ns ? took_ns * REST : every_ns;
}

/* What is done once a second: samples wait for no longer, however few they are. */
static void
collect(struct loop *loop)
{
	loop->collect_ns =
		prf_clock_ns(CLOCK_MONOTONIC) + COLLECT_EVERY_MS * 1000000ULL;
	prf_watch_collect(loop->watch);
	mention_others(loop);
	prf_wants_tracer_mention(loop->watch);
	prf_begin_mention_maps(loop->watch);
}

static void
check(struct loop *loop)
{
	const uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	/* Who is let go needs no other trigger. */
	if (now_ns >= loop->check_ns && !loop->watch->leaving)
		loop->check_ns = now_ns + check_now(loop);
	if (now_ns >= loop->collect_ns)
		collect(loop);
}

/* To ask for stops takes longer the more threads there are: it is not done
 * just because the wall clock has something to do. */
static bool
is_for_wall_alone(const struct loop *loop, int n_ready)
{
	const struct pollfd *wall =
		&loop->polled[TRIGGERS + loop->watch->n_triggers];

	return !loop->more && n_ready == 1 && wall->revents & POLLIN;
}

/* Waits for what comes first, and answers stops. */
static void
await(struct loop *loop)
{
	const pid_t pid = job_of(loop)->pid;
	const int ms = wait_ms(loop);
	struct prf_relay_news news;

	if (set_polled(loop)) {
		int n_ready = poll(loop->polled,
				   TRIGGERS + loop->watch->n_triggers + 1, ms);
		if (is_for_wall_alone(loop, n_ready))
			return;
		news = prf_relay_take(loop->relay, pid);
	} else {
		news = prf_relay_await(loop->relay, pid, ms);
	}
	act_on(loop, &news);
	loop->more = prf_tracer_drain(loop->watch, news.child);
}

void
prf_loop_run(struct prf_watch *watch, const struct prf_relay *relay)
{
	struct loop loop = begin_loop(watch, relay);

	while (!watch->ended && !prf_leave_is_done(watch)) {
		await(&loop);
		if (watch->ended)
			break;
		follow_stop(&loop);
		keep_schedule(&loop);
		serve_triggers(&loop);
		check(&loop);
	}
}
