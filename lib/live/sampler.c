#include "live/sampler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/check.h"
#include "live/launch.h"
#include "live/random.h"
#include "live/tracer.h"

/* Those that a person or a program sends to end or to steer a program.  From a
 * terminal they reach the program without us. */
static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM,
				SIGHUP, SIGUSR1, SIGUSR2};

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* --- The signals that this process gets */

struct signals {
	int fd; /* signalfd: of SIGCHLD and those that are passed on */
	sigset_t before;
};

static int
open_signals(struct signals *signals, struct prf_error *err)
{
	sigset_t taken;

	sigemptyset(&taken);
	sigaddset(&taken, SIGCHLD);
	for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		sigaddset(&taken, passed_on[i]);
	pthread_sigmask(SIG_BLOCK, &taken, &signals->before);
	signals->fd = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd < 0) {
		int rc = prf_error_set(err, -errno, "signalfd: %s",
				       strerror(errno));
		pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
		return rc;
	}
	return 0;
}

static void
close_signals(struct signals *signals)
{
	close(signals->fd);
	pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
}

/* A key on the terminal signals the whole job: the program has it already. */
static void
pass_on(const struct signals *signals, pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(signals->fd, &info, sizeof info) == sizeof info)
		if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
			kill(pid, (int)info.ssi_signo);
}

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

static int
open_triggers(struct prf_tracer *tracer, struct prf_error *err)
{
	uint64_t random = tracer->config->seed;
	int rc = 0;

	if (!random &&
	    getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
		random = clock_ns(CLOCK_MONOTONIC);
	if (tracer->config->trigger)
		return open_trigger(tracer, tracer->config->trigger, &random,
				    err);
	for (const struct prf_trigger_ops *const *ops = prf_triggers;
	     !rc && *ops && tracer->n_triggers < PRF_MAX_TRIGGERS; ops++)
		rc = open_trigger(tracer, *ops, &random, err);
	return rc;
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
watch(struct prf_tracer *tracer, const struct signals *signals)
{
	struct pollfd polled[1 + PRF_MAX_TRIGGERS];
	uint64_t check_ns = clock_ns(CLOCK_MONOTONIC);

	polled[0] = (struct pollfd){signals->fd, POLLIN, 0};
	for (size_t i = 0; i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];

		polled[i + 1] =
			(struct pollfd){trigger->ops->fd(trigger), POLLIN, 0};
	}
	while (!tracer->ended) {
		poll(polled, 1 + tracer->n_triggers, CHECK_EVERY_MS);
		/* Threads that wait for us come first. */
		prf_tracer_drain(tracer);
		if (tracer->ended)
			break;
		if (polled[0].revents)
			pass_on(signals, tracer->pid);
		serve_triggers(tracer, polled + 1);
		uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
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
raise_open_files(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int
run_traced(struct prf_tracer *tracer, struct prf_launch *launch,
	   const struct signals *signals, char *const argv[],
	   struct prf_run *run, struct prf_error *err)
{
	uint64_t start_ns = clock_ns(CLOCK_MONOTONIC);
	int rc = prf_tracer_begin(tracer, err);

	if (rc) {
		kill(launch->pid, SIGKILL);
		prf_launch_go(launch);
		waitpid(launch->pid, NULL, __WALL);
		prf_launch_errno(launch);
		return rc;
	}
	raise_open_files();
	prf_launch_go(launch);
	watch(tracer, signals);

	run->wait_status = tracer->wait_status;
	run->stats.wall_ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
	run->stats.own_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
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
	struct signals signals;

	*run = (struct prf_run){0};
	struct prf_tracer tracer = {
		.config = config,
		.sink = sink,
		.stats = &run->stats,
	};
	int rc = open_triggers(&tracer, err);
	if (!rc)
		rc = open_signals(&signals, err);
	if (rc) {
		close_triggers(&tracer);
		return rc;
	}
	rc = prf_launch_fork(argv, &signals.before, PRF_TRACER_OPTIONS, &launch,
			     err);
	if (!rc) {
		tracer.pid = launch.pid;
		rc = run_traced(&tracer, &launch, &signals, argv, run, err);
		prf_tracer_end(&tracer);
	}
	close_signals(&signals);
	close_triggers(&tracer);
	return rc;
}
