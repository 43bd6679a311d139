/* process.h - the processes that are watched. */
#ifndef PRF_LIVE_PROCESS_H
#define PRF_LIVE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "live/creator.h"

struct prf_mapwatch;
struct prf_task;

/* What a process has used, with all of its threads, those that have ended too
 * (but without its children). */
struct prf_usage {
	uint64_t cpu_ns;             /* by the kernel's exact clock */
	uint64_t user_us, system_us; /* by its accounting, in steps of
				      * 1/CLK_TCK */
	bool unknown;                /* that clock could not be read */
};

/* PID may be a zombie, but must not have been reaped. */
struct prf_usage prf_usage_read(pid_t pid);
/* Adds to *SUM what USAGE is more than SINCE. */
void prf_usage_add(struct prf_usage *sum, const struct prf_usage *usage,
		   const struct prf_usage *since);

struct prf_process {
	pid_t pid;
	struct prf_mapwatch *maps; /* owned; NULL before exec */
	uint64_t syscall_insn;     /* where one stands in it, or 0 */
	uint8_t addr_bytes;        /* 4 or 8 */
	bool lets_children_go;     /* it traces them itself */
	bool takes_signals;        /* all that are sent to it, blocked or not */
	bool is_left_alone;        /* it is such a child */
	bool swept;                /* holds nothing of ours any more */
	bool keeps_ours;           /* nothing can be swept out of it */
	bool waits_for_stop;       /* some of its threads do, see there */
	bool untidy;               /* something is to go that was made in it
				     * for a thread that lives on */

	struct prf_creator creator; /* of its latest thread */
	struct prf_task *tasks;     /* that are traced; see tasks.h */
	size_t n_stopped;           /* of them, by job control */
	unsigned went_on;           /* how often one of them was not any more */
	uint64_t ticks;             /* of all of them, those that ended too */
	struct prf_usage since;     /* before that nothing is counted */
	struct prf_usage used;      /* when it ended */

	/* Timers of threads that have ended: they are the process's, and stay
	 * until it deletes them. */
	int *idle_timers;
	size_t n_idle_timers, idle_timers_room;

	/* For the watch over threads that nothing stops. */
	uint64_t checked_cpu_ns, checked_ticks;

	struct prf_process *next, **link; /* in the list */
};

/* All zero is an empty list. */
struct prf_processes {
	struct prf_process *first;
	size_t n;
};

/* A new process, with nothing known of it; NULL: out of memory. */
struct prf_process *prf_processes_add(struct prf_processes *processes,
				      pid_t pid);
/* NULL: it is not watched. */
struct prf_process *prf_processes_find(const struct prf_processes *processes,
				       pid_t pid);
/* PROCESS has no task any more. */
void prf_processes_remove(struct prf_processes *processes,
			  struct prf_process *process);
void prf_processes_clear(struct prf_processes *processes);

#endif
