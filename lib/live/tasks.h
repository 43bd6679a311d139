/* tasks.h - the threads that are traced, by their ids, and the processes they
 * belong to. */
#ifndef PRF_LIVE_TASKS_H
#define PRF_LIVE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/repair.h"

struct prf_mapwatch;
struct prf_trigger;
struct prf_wall_thread;

/* A program image that runs.  (One for now: whoever follows children makes
 * more.) */
struct prf_process {
	pid_t pid;
	struct prf_mapwatch *maps; /* owned; NULL before exec */
	uint64_t syscall_insn;     /* where one stands in it, or 0 */
	uint8_t addr_bytes;        /* 4 or 8 */
};

struct prf_task {
	pid_t tid;
	struct prf_process *process; /* lent */
	bool fresh;                  /* has not run since it was first seen */
	struct prf_trigger *trigger; /* who stops it; NULL: nobody (yet) */
	uint64_t ticks;              /* that were counted for it */

	/* For triggers. */
	bool interrupt_pending; /* PTRACE_INTERRUPT not yet answered */
	uint64_t charged_ns;    /* CPU time that ticks were counted for */
	bool advanced;          /* it has been given a start, see there */
	int syscall_fd;         /* /proc/.../syscall, or -1 */

	struct prf_wall_thread *wall; /* its account of wall time, or NULL */

	/* For the repair of EINTR: where the call is that it makes again. */
	uint64_t rewound_pc; /* 0: none */
	struct prf_repair_chain repairs;

	/* For the watch over threads that nothing stops. */
	uint64_t checked_cpu_ns, checked_ticks;

	struct prf_task *next; /* of the same bucket */
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
/* Calls VISIT for each; it may remove the task it is given. */
void prf_tasks_each(struct prf_tasks *tasks,
		    void (*visit)(void *arg, struct prf_task *task), void *arg);

#endif
