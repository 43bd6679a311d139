/* tasks.h - the threads that are traced, by their ids and by the processes they
 * belong to. */
#ifndef PRF_LIVE_TASKS_H
#define PRF_LIVE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/processes.h"
#include "live/stopped/repair.h"
#include "live/stopped/stack_place.h"

struct prf_injection;
struct prf_kept;
struct prf_trigger;
struct prf_wall_thread;

struct prf_task {
	pid_t tid;
	struct prf_process *process; /* lent */
	bool fresh;                  /* has not run since it was first seen */
	bool begins; /* it begins to run: all that it has run is to count */
	bool is_replaced; /* another thread has executed a program, and has its
			   * id and its files in /proc */
	pid_t creator;    /* the thread that made it, until it runs;
				      * 0: not known */
	struct prf_trigger *trigger; /* that stops it; NULL: none (yet) */
	bool waits_for_stop;         /* a better trigger can have it as soon
				      * as a thread of its process is stopped */
	uint64_t signals_blocked;    /* that it, or the thread that made it,
				      * was found to block: no trigger with one
				      * of them gets it */
	uint64_t ticks;              /* that its samples stand for */
	uint64_t stops_ns;           /* of its CPU time: taken by our stops */
	int stopped_by;              /* job control's signal; 0: it is not */
	bool was_stopped;            /* by that, until its latest stop */

	unsigned holds_ours; /* a signal of a trigger that had it may wait for
			      * it: how often that is still looked for */

	struct prf_kept *kept;  /* what triggers keep for it */
	bool interrupt_pending; /* PTRACE_INTERRUPT not yet answered */
	uint64_t slept_at;      /* where it would have gone on when it was asked
				 * to stop; 0: it was awake, or it has moved */
	uint64_t owed_from_ns;  /* of its CPU time: the next trigger
				      * is to count it from there; 0: from
				      * when it gets the thread, or BEGINS */

	struct prf_wall_thread *wall; /* its wall time, or NULL */

	struct prf_injection *overdue; /* for overdue.h; mostly NULL */

	/* For pending.h; NULL: no sample is pending. */
	struct prf_regs *due_at;

	/* For retry.h: where the call is that it makes again. */
	uint64_t rewound_pc; /* 0: none */
	bool rewound_eintr;  /* it had failed with EINTR */
	struct prf_repair_chain repairs;
	struct prf_repair_excuse excuse;

	struct prf_stack_place stack;

	/* For ring_take.h: its page faults when they were last counted, and
	 * whether they were more than before. */
	uint64_t faults_at_ns, n_faults;
	bool has_faulted;

	/* For check.h. */
	uint64_t checked_cpu_ns, checked_ticks;
	uint64_t mask_cpu_ns, mask_ticks; /* at the last look at its mask */
	int n_blocked; /* looks in turn at which all signals were blocked */
	uint64_t blocked_from_ns; /* what it has run since then is uncounted */

	struct prf_task *next; /* of the same bucket */
	/* Of the same process. */
	struct prf_task *sibling, **sibling_link;
};

struct prf_tasks;

struct prf_tasks *prf_tasks_new(void); /* NULL: out of memory */
void prf_tasks_free(struct prf_tasks *tasks);
size_t prf_tasks_count(const struct prf_tasks *tasks);
/* NULL: not known. */
struct prf_task *prf_tasks_find(const struct prf_tasks *tasks, pid_t tid);
/* A new task, fresh; NULL: out of memory. */
struct prf_task *prf_tasks_add(struct prf_tasks *tasks, pid_t tid,
			       struct prf_process *process);
void prf_tasks_remove(struct prf_tasks *tasks, struct prf_task *task);
/* Clears all of TASK but its id and its process: no trigger has it any more. */
void prf_tasks_forget_past(struct prf_task *task);
/* Job control has stopped TASK by SIGNAL; 0: it is not stopped any more. */
void prf_tasks_note_stop(struct prf_task *task, int signal);
/* Calls VISIT for each; it may remove the task it is given. */
void prf_tasks_each(struct prf_tasks *tasks,
		    void (*visit)(void *arg, struct prf_task *task), void *arg);
void prf_tasks_each_of(struct prf_process *process,
		       void (*visit)(void *arg, struct prf_task *task),
		       void *arg);

#endif
