#include "live/sampler.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "live/check.h"
#include "live/clock.h"
#include "live/launch.h"
#include "live/random.h"
#include "live/relay.h"
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
		.seed = prf_random_next(random),
	};
	size_t i = tracer->n_triggers;
	int rc = ops->open(&config, &tracer->triggers[i], err);

	if (rc)
		return rc;
	tracer->stats->trigger[i].name = ops->name;
	tracer->n_triggers++;
	return 0;
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
open_triggers(struct prf_tracer *tracer, struct prf_error *err)
{
	uint64_t random = seed_of(tracer->config);
	int rc = 0;

	if (tracer->config->trigger)
		return open_trigger(tracer, tracer->config->trigger, &random,
				    err);
	/* One that this machine does not have is done without. */
	for (const struct prf_trigger_ops *const *ops = prf_triggers;
	     *ops && tracer->n_triggers < PRF_MAX_TRIGGERS; ops++)
		rc = open_trigger(tracer, *ops, &random, err);
	return tracer->n_triggers ? 0 : rc;
}

/* --- The loop */

enum { CHECK_EVERY_MS = 1000 };

static void
serve_triggers(struct prf_tracer *tracer, const struct pollfd *polled)
{
	for (size_t i = 0; i < tracer->n_triggers; i++)
		if (polled[i].revents & POLLIN)
			tracer->triggers[i]->ops->due(tracer->triggers[i]);
}

static void
watch(struct prf_tracer *tracer, const struct prf_relay *relay)
{
	struct pollfd polled[2 + PRF_MAX_TRIGGERS];
	uint64_t check_ns = prf_clock_ns(CLOCK_MONOTONIC);
	bool more = false;

	polled[0] = (struct pollfd){relay->fd, POLLIN, 0};
	for (size_t i = 0; i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];

		polled[i + 1] =
			(struct pollfd){trigger->ops->fd(trigger), POLLIN, 0};
	}
	struct pollfd *wall = &polled[1 + tracer->n_triggers];
	*wall = (struct pollfd){prf_wall_fd(tracer->wall), POLLIN, 0};
	while (!tracer->ended) {
		int n = poll(polled, 2 + tracer->n_triggers,
			     more ? 0 : CHECK_EVERY_MS);
		/* To look for stops takes longer the more threads there are:
		 * not just because the wall clock has something to do. */
		if (more || n != 1 || !(wall->revents & POLLIN)) {
			prf_relay_pass_on(relay, tracer->pid);
			more = prf_tracer_drain(tracer);
		}
		if (tracer->ended)
			break;
		serve_triggers(tracer, polled + 1);
		if (wall->revents & POLLIN)
			prf_wall_due(tracer->wall);
		uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
		if (now_ns - check_ns >= CHECK_EVERY_MS * 1000000ULL) {
			check_ns = now_ns;
			prf_check_deaf(tracer);
		}
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

static int
run_traced(struct prf_tracer *tracer, struct prf_launch *launch,
	   const struct prf_relay *relay, char *const argv[],
	   struct prf_run *run, struct prf_error *err)
{
	uint64_t start_ns = prf_clock_ns(CLOCK_MONOTONIC);
	int rc = prf_tracer_begin(tracer, err);

	if (rc) {
		prf_launch_abandon(launch);
		return rc;
	}
	struct rlimit open_files;
	raise_open_files(&open_files);
	prf_launch_go(launch);
	watch(tracer, relay);
	setrlimit(RLIMIT_NOFILE, &open_files);

	run->wait_status = tracer->wait_status;
	run->stats.wall_ns = prf_clock_ns(CLOCK_MONOTONIC) - start_ns;
	run->stats.own_cpu_ns = prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int exec_errno = prf_launch_errno(launch);
	if (!tracer->image_begun && exec_errno)
		return prf_error_set(err, -exec_errno, "%s: %s", argv[0],
				     strerror(exec_errno));
	run->pid = launch->pid;
	return tracer->failed;
}

int
prf_sampler_run(const struct prf_sampler_config *config, char *const argv[],
		struct prf_sink *sink, struct prf_run *run,
		struct prf_error *err)
{
	struct prf_launch launch;
	struct prf_relay relay;

	*run = (struct prf_run){0};
	struct prf_tracer tracer = {
		.config = config,
		.sink = sink,
		.stats = &run->stats,
	};
	int rc = prf_relay_open(&relay, err);
	if (rc)
		return rc;
	rc = open_triggers(&tracer, err);
	if (!rc && config->clock == PRF_CLOCK_WALL)
		rc = prf_wall_new(&tracer, seed_of(config), &tracer.wall, err);
	if (!rc)
		rc = prf_launch_fork(argv, &relay.before, PRF_TRACER_OPTIONS,
				     &launch, err);
	if (!rc) {
		tracer.pid = launch.pid;
		rc = run_traced(&tracer, &launch, &relay, argv, run, err);
		prf_wall_free(tracer.wall);
		tracer.wall = NULL;
		prf_tracer_end(&tracer);
	}
	prf_wall_free(tracer.wall);
	close_triggers(&tracer);
	prf_relay_close(&relay);
	return rc;
}
