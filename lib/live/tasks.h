/* tasks.h - the threads that are traced, by their ids and by the processes they
 * belong to. */
#ifndef PRF_LIVE_TASKS_H
#define PRF_LIVE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/gaps.h"
#include "live/process.h"
#include "live/repair.h"

struct prf_standing;
struct prf_trigger;
struct prf_wall_thread;

struct prf_task {
	pid_t tid;
	struct prf_process *process; /* lent */
	bool fresh;                  /* has not run since it was first seen */
	pid_t creator;               /* the thread that made it, until it runs;
				      * 0: not known */
	struct prf_trigger *trigger; /* who stops it; NULL: nobody (yet) */
	bool waits_for_stop;         /* a better one can have it as soon as a
				      * thread of its process is stopped */
	uint64_t ticks;              /* that were counted for it */
	int stopped_by;              /* job control's signal; 0: it is not */

	/* For triggers. */
	int timer_id;           /* the process's name for its timer */
	bool interrupt_pending; /* PTRACE_INTERRUPT not yet answered */
	uint64_t charged_ns;    /* CPU time that ticks were counted for */
	bool advanced;          /* it has been given a start, see there */
	struct prf_standing *standing; /* as it is asked for, or NULL */
	int perf_fd;                   /* its task clock, or -1 */
	uint64_t clock_base_ns;        /* to be added to what that says */
	uint64_t born_cpu_ns; /* CPU time that it had when it got that */
	unsigned n_claims;    /* looks that it has had by that */
	struct prf_gap gap;   /* up to its next look by that */
	bool called_in;       /* see there */

	struct prf_wall_thread *wall; /* its account of wall time, or NULL */

	/* For the repair of EINTR: where the call is that it makes again. */
	uint64_t rewound_pc; /* 0: none */
	struct prf_repair_chain repairs;

	/* For the watch over threads that nothing stops. */
	uint64_t checked_cpu_ns, checked_ticks;

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
/* Nothing is left of TASK but its id and its process: nobody stops it. */
void prf_task_forget_past(struct prf_task *task);
/* It has been stopped by SIGNAL of job control, or, 0, is not any more. */
void prf_task_note_stop(struct prf_task *task, int signal);
/* Calls VISIT for each; it may remove the task it is given. */
void prf_tasks_each(struct prf_tasks *tasks,
		    void (*visit)(void *arg, struct prf_task *task), void *arg);
void prf_tasks_each_of(struct prf_process *process,
		       void (*visit)(void *arg, struct prf_task *task),
		       void *arg);

#endif
