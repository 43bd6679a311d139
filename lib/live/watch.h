/* watch.h - the state of a run: what is watched, and by what, and how far that
 * has come.  All that happens to a program's threads shares it. */
#ifndef PRF_LIVE_WATCH_H
#define PRF_LIVE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "live/processes.h"
#include "live/sampler_config.h"
#include "live/sampler_stats.h"
#include "live/tasks.h"
#include "live/trigger/trigger.h"

struct prf_copier;
struct prf_ring_taker;
struct prf_wall;

struct prf_watch {
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
	size_t n_spare;   /* of them, the last: for threads alone that block the
			 * signals of those before */
	uint64_t stop_ns; /* that a stop usually takes of a thread's CPU
			   * time; 0: too little, or not known */
	struct prf_wall *wall;             /* lent; NULL: not with this clock */
	struct prf_ring_taker *ring_taker; /* lent */
	struct prf_copier *copier; /* lent; NULL: stacks are not asked for */

	/* Its own. */
	struct prf_tasks *tasks;
	struct prf_processes processes;
	uint64_t patience_ns; /* for threads that cannot be seized yet */
	bool image_begun;     /* the first process's exec has been seen */
	bool first_ended;     /* the first process; wait_status says how */
	int wait_status;
	bool ended;        /* it, and all that is watched */
	uint64_t until_ns; /* the schedule ends (control/schedule.h) */
	bool paused;       /* ticks that come are dropped, */
	uint64_t paused_since_ns;
	bool told_of_privilege, told_of_wish, told_of_overdue;
	/* It is on its way out: see leave.h. */
	bool leaving;
	uint64_t asked_ns; /* to end, by a signal (0: it is not), */
	bool insisted;     /* and again */
	bool killed;       /* what was launched, since it did not end */
	uint64_t leave_until_ns, remind_ns;
	size_t n_unswept;      /* processes that may hold something of ours */
	struct prf_usage used; /* by processes that ended */
	int failed;            /* a negative errno value: the run is over */
	struct prf_error *err;
};

/* ERR is where the reason is put when the run fails. */
int prf_watch_begin(struct prf_watch *watch,
		    struct prf_error *err) PRF_MUST_CHECK;
/* WATCH->pid has been seized with its options and is about to call exec. */
int prf_watch_add_launched(struct prf_watch *watch) PRF_MUST_CHECK;

/* The pause that there has been until now, if there is one, is counted. */
void prf_watch_note_pause(struct prf_watch *watch);

/* Gives SAMPLE to the sink; without its stack, where there is no room for that.
 * Returns what the sink has. */
int prf_watch_send(struct prf_watch *watch,
		   const struct prf_sample *sample) PRF_MUST_CHECK;

/* TICKS are lost, as COUNTER, one of the statistics, tells; but in a pause they would
 * not have counted, and are the pause's. */
void prf_watch_lose(const struct prf_watch *watch, uint64_t *counter,
		    uint64_t ticks);

/* Samples of TASK, or of all threads of PROCESS, that its trigger has not handed
 * on yet go to the sink, before it is told of something else. */
void prf_watch_flush(struct prf_task *task);
void prf_watch_flush_process(struct prf_process *process);
/* Those that have been noted already, of TASK, of all threads of PROCESS, or of all
 * that is watched: that costs little, and nothing of a thread is read. */
void prf_watch_collect_task(struct prf_task *task);
void prf_watch_collect_process(struct prf_process *process);
void prf_watch_collect(const struct prf_watch *watch);

/* Something is wrong with us, not with the program: what was launched is killed,
 * so that it is not left behind half watched; what ran already is let go.
 * FORMAT may be NULL: the reason stands in WATCH->err already. */
void prf_watch_give_up(struct prf_watch *watch, int code, const char *format,
		       ...) __attribute__((format(printf, 3, 4)));

/* Kills all that was launched. */
void prf_watch_kill(const struct prf_watch *watch);

#define PRF_WATCH_OPTIONS                                                      \
	(PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD)
/* So that children are traced, too. */
#define PRF_WATCH_OPTIONS_FOLLOW (PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)
/* So that nothing that was launched outlives us with a timer inside. */
#define PRF_WATCH_OPTIONS_LAUNCH PTRACE_O_EXITKILL

#endif
