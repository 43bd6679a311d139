/* sampler.h - runs a program and samples it: a source of samples. */
#ifndef PRF_LIVE_SAMPLER_H
#define PRF_LIVE_SAMPLER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "live/control/demand.h"
#include "live/sampler_config.h"
#include "live/sampler_stats.h"
#include "live/trigger/triggers.h"

struct prf_run {
	pid_t pid;         /* 0: it never ran */
	bool left;         /* it lives on; wait_status is not known */
	uint64_t asked_ns; /* when it was asked to end, by a signal that was
			    * for this process; 0: it was not */
	int wait_status;   /* of the program, as from waitpid(2) */
	uint64_t start_ns; /* when it began, by CLOCK_MONOTONIC */
	struct sigaction sigchld; /* of this process, before */
	struct prf_demand demand; /* for an end, of what has been left */
	struct prf_sampler_stats stats;
};

/* Runs ARGV and samples all of its threads and descendants, as CONFIG says,
 * until all of them have ended, or CONFIG's duration has.  The samples go
 * into SINK, which is neither finished nor freed.  Signals that are sent to
 * this process alone are passed on to the program, which is killed if they
 * demand an end (control/demand.h); when the program has ended and others live
 * on, such a signal makes the sampler let them go. 0:
 * it ran, however it ended, see RUN->wait_status; if it has not ended
 * (RUN->left), call prf_sampler_await(), until when SIGCHLD has its default
 * action.  Else a negative errno value: with
 * RUN->pid == 0 the program could not be started (exec's own errno; -EPERM:
 * ptrace is refused); with RUN->pid set, the profiler failed and the program
 * was killed. */
int prf_sampler_run(const struct prf_sampler_config *config, char *const argv[],
		    struct prf_sink *sink, struct prf_run *run,
		    struct prf_error *err) PRF_MUST_CHECK;
/* Waits for the program that RUN left, passing signals on to it; if they demand
 * an end (control/demand.h), it is as if the last had ended it, though it runs
 * on. */
int prf_sampler_await(struct prf_run *run,
		      struct prf_error *err) PRF_MUST_CHECK;

/* Samples processes that run already, until they end, CONFIG's duration
 * ends, or a signal asks this process to end; leaves them as they were.
 * -ESRCH, -EPERM, -EBUSY and others with the reason in ERR: one of them
 * cannot be traced, and none is. */
int prf_sampler_attach(const struct prf_sampler_config *config,
		       const pid_t *pids, size_t n_pids, struct prf_sink *sink,
		       struct prf_run *run,
		       struct prf_error *err) PRF_MUST_CHECK;

#endif
