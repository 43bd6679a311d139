/* sampler.h - runs a program and looks at it: a source of samples. */
#ifndef PRF_LIVE_SAMPLER_H
#define PRF_LIVE_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/error.h"
#include "core/sample.h"

struct prf_trigger_ops;

enum prf_clock {
	PRF_CLOCK_CPU,  /* user and system time, as profil(2) */
	PRF_CLOCK_USER, /* user time alone */
};

struct prf_sampler_config {
	uint64_t period_ns; /* of one tick; >= 1000 */
	enum prf_clock clock;
	/* What makes a thread stop: a row of prf_triggers, or a test's own.
	 * NULL chooses for each thread. */
	const struct prf_trigger_ops *trigger;
	/* If not 0: the seed of all random choices, so that a test can repeat
	 * them. */
	uint64_t seed;
	/* Called once before the program starts to run its first instruction
	 * (after exec succeeded); may be NULL.  Not 0: the program is killed
	 * and that value returned. */
	int (*started)(void *arg, pid_t pid);
	void *started_arg;
};

/* Ticks by what became of them; their names in the summary are these. */
struct prf_sampler_stats {
	uint64_t ticks;     /* given to the sink */
	uint64_t samples;   /* looks those ticks came with */
	uint64_t late;      /* of ticks: came with a later look (weight - 1) */
	uint64_t gone;      /* due, but the thread had ended: no PC */
	uint64_t refused;   /* the sink would not take them */
	uint64_t stale_map; /* of ticks: mapping could not be verified */
	uint64_t early;     /* looks that no whole tick was owed for */
	uint64_t foreign;   /* stops that were somebody else's */
	/* By trigger, in the order of prf_triggers: ticks and threads. */
	struct {
		const char *name;
		uint64_t ticks, samples, threads;
	} trigger[4];
	uint64_t threads; /* seen in all */
	uint64_t cpu_ns;  /* of all threads, by the kernel's exact clock */
	uint64_t user_us, system_us; /* by the kernel's accounting, own only */
	uint64_t wall_ns;
	uint64_t own_cpu_ns; /* used by the tracing thread */
	uint64_t eintr_repaired;
	/* Why the interrupt trigger had to be used for some thread, or "". */
	char fallback_reason[128];
};

struct prf_run {
	pid_t pid;
	int wait_status; /* of the program, as from waitpid(2) */
	struct prf_sampler_stats stats;
};

/* Runs ARGV to its end, all of its threads looked at, samples into SINK (not
 * finished, not freed).  0 if it ran, however it ended: see RUN->wait_status.
 * Else a negative errno value, and the program does not run: -ENOENT, -EACCES
 * ...: exec's own; -EPERM: ptrace refused; with RUN->pid == 0. */
int prf_sampler_run(const struct prf_sampler_config *config, char *const argv[],
		    struct prf_sink *sink, struct prf_run *run,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
