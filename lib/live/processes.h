/* processes.h - the processes that are watched. */
#ifndef PRF_LIVE_PROCESSES_H
#define PRF_LIVE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample.h"
#include "live/usage.h"

struct prf_kept;
struct prf_mapwatch;
struct prf_memory;
struct prf_task;

struct prf_process {
	pid_t pid;
	struct prf_mapwatch *maps; /* owned; NULL before exec */
	struct prf_memory *memory; /* likewise; NULL: not looked at yet */
	uint64_t syscall_insn;     /* the address of one in it, or 0 */
	uint8_t addr_bytes;        /* 4 or 8 */
	bool lets_children_go;     /* it is a debugger, and traces them
				    * itself */
	bool takes_signals;        /* it sees all that are sent to it,
				    * blocked or not */
	bool is_left_alone;        /* it is a debugger's child */
	bool swept;                /* holds nothing of ours any more */
	bool keeps_ours;           /* nothing of ours can be removed from it */
	unsigned n_failed_sweeps;  /* that were tried for that */
	bool told_of_maps;         /* that they are too many */
	bool waits_for_stop;       /* some of its threads do: see tasks.h */
	bool untidy;               /* triggers are to tidy() it, until they
				    * have: see trigger.h */
	struct prf_kept *kept;     /* what triggers keep for it */

	struct prf_task *tasks; /* that are traced; see tasks.h */
	size_t n_stopped;       /* how many of them job control has stopped */
	unsigned went_on;       /* how often one of them went on after that */
	uint64_t ticks;         /* of all its threads, those that ended too */
	uint64_t stops_ns;      /* likewise: that our stops have taken */
	struct prf_usage since; /* what it had used when counting began */
	uint64_t ticks_before;  /* of its ticks: those that it had then */
	struct prf_usage used;  /* when it ended */
	char name[PRF_THREAD_NAME_BYTES]; /* likewise; "": not known */

	/* For check.h. */
	uint64_t checked_cpu_ns, checked_ticks;

	struct prf_process *next, **link; /* in the list */
};

/* All zero is an empty list. */
struct prf_processes {
	struct prf_process *first;
	size_t n;
};

/* A new process, all zero but for its id; NULL: out of memory. */
struct prf_process *prf_processes_add(struct prf_processes *processes,
				      pid_t pid);
/* NULL: it is not watched. */
struct prf_process *prf_processes_find(const struct prf_processes *processes,
				       pid_t pid);
/* What PROCESS has used by now, without what our stops have taken. */
struct prf_usage prf_processes_usage(const struct prf_process *process);
/* PROCESS must have no task any more. */
void prf_processes_remove(struct prf_processes *processes,
			  struct prf_process *process);
void prf_processes_clear(struct prf_processes *processes);

#endif
