/* tracer.h - the traced program's stops: waited for, classified, and each
 * answered as it calls for. */
#ifndef PRF_LIVE_TRACER_H
#define PRF_LIVE_TRACER_H

#include <stdbool.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "live/sampler.h"
#include "live/tasks.h"
#include "live/trigger.h"

struct prf_wall;

struct prf_tracer {
	/* Given. */
	pid_t pid; /* of the program: its first thread */
	const struct prf_sampler_config *config;
	struct prf_sink *sink;                          /* lent */
	struct prf_sampler_stats *stats;                /* lent */
	struct prf_trigger *triggers[PRF_MAX_TRIGGERS]; /* lent; to be tried in
							 * this order */
	size_t n_triggers;
	struct prf_wall *wall; /* lent; NULL: not with this clock */

	/* Its own. */
	struct prf_tasks *tasks;
	struct prf_process process;
	bool image_begun; /* exec has been seen */
	bool ended;       /* the program is gone; wait_status says how */
	int wait_status;
	int failed; /* a negative errno value: the program has been killed */
	struct prf_error *err;
	uint64_t checked_cpu_ns, checked_ticks; /* of the whole process */
};

/* PID has been seized with PRF_TRACER_OPTIONS and is about to call exec. */
int prf_tracer_begin(struct prf_tracer *tracer,
		     struct prf_error *err) PRF_MUST_CHECK;
/* Answers the stops there are, as many as may pass before other things must be
 * seen to; never blocks.  True: there may be more. */
bool prf_tracer_drain(struct prf_tracer *tracer);
void prf_tracer_end(struct prf_tracer *tracer);

#define PRF_TRACER_OPTIONS                                                     \
	(PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |        \
	 PTRACE_O_TRACESYSGOOD)

#endif
