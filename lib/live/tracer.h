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
	pid_t pid;     /* of the program that was launched; 0: none was */
	bool attached; /* to what runs already; or it was launched for a while,
			* to be let go in the same way */
	long options;  /* of ptrace, for all that is traced */
	const struct prf_sampler_config *config;
	struct prf_sink *sink;                          /* lent */
	struct prf_sampler_stats *stats;                /* lent */
	struct prf_trigger *triggers[PRF_MAX_TRIGGERS]; /* lent; to be tried in
							 * this order */
	size_t n_triggers;
	struct prf_wall *wall; /* lent; NULL: not with this clock */

	/* Its own. */
	struct prf_tasks *tasks;
	struct prf_processes processes;
	bool image_begun; /* the first process's exec has been seen */
	bool first_ended; /* the first process; wait_status says how */
	int wait_status;
	bool ended;  /* it, and all that is watched */
	bool paused; /* ticks that come are dropped */
	bool told_of_privilege;
	/* It is on its way out: see leave.h. */
	bool leaving;
	uint64_t leave_until_ns, remind_ns;
	size_t n_unswept;      /* processes that may hold something of ours */
	struct prf_usage used; /* by processes that ended */
	int failed;            /* a negative errno value: the run is over */
	struct prf_error *err;
};

int prf_tracer_begin(struct prf_tracer *tracer,
		     struct prf_error *err) PRF_MUST_CHECK;
/* TRACER->pid has been seized with its options and is about to call exec. */
int prf_tracer_add_launched(struct prf_tracer *tracer) PRF_MUST_CHECK;
/* From now on ticks are dropped, or not any more; the time meanwhile does not
 * count either. */
void prf_tracer_pause(struct prf_tracer *tracer, bool paused);
/* Answers the stops there are, as many as may pass before other things must be
 * seen to; never blocks.  FIRST is said to have one (0: nobody in particular).
 * True: there may be more. */
bool prf_tracer_drain(struct prf_tracer *tracer, pid_t first);
/* Lets go of what is still traced, tells the sink, and sums up. */
void prf_tracer_end(struct prf_tracer *tracer);

/* Something is wrong with us, not with the program: what was launched is not left
 * behind half watched, what ran already is let go.  FORMAT may be NULL: the
 * reason stands in TRACER->err already. */
void prf_tracer_give_up(struct prf_tracer *tracer, int code, const char *format,
			...) __attribute__((format(printf, 3, 4)));

#define PRF_TRACER_OPTIONS                                                     \
	(PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD)
/* So that children are traced, too. */
#define PRF_TRACER_OPTIONS_FOLLOW (PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)
/* So that nothing that was launched outlives us with a timer inside. */
#define PRF_TRACER_OPTIONS_LAUNCH PTRACE_O_EXITKILL

#endif
