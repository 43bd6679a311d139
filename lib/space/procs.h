/* procs.h - the processes of a run: who lives, as which program, and what is
 * mapped in each of them.
 *
 * It is told what happens to processes, by the events of core/sample.h, and
 * answers what lies at an address of one of them.  Memory grows with the
 * processes that live at the same time and with what they have mapped. */
#ifndef PRF_SPACE_PROCS_H
#define PRF_SPACE_PROCS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "space/mapped.h"
#include "space/objectfile.h"
#include "space/program.h"

struct prf_proc {
	pid_t pid;     /* stays first, see procs.c */
	bool is_first; /* of all that were added */
	unsigned n_execs;
	struct prf_program *program; /* held; never NULL in a table */
	struct prf_mapped mapped;
	void *counts; /* what the owner of the table keeps for it */
	LIST_ENTRY(prf_proc) others;
};

struct prf_procs {
	void *tree; /* by pid, see tsearch(3) */
	LIST_HEAD(, prf_proc) all;
	struct prf_proc *latest; /* that was found: it is asked for again */
	struct prf_files *files;
	uint64_t n_added;
	size_t n_mapped; /* ranges and files of all processes */
	size_t n_mapped_max;
	/* While it is the same, every address of every process is where it
	 * was. */
	uint64_t n_changes;
	/* CLOCK_REALTIME - CLOCK_MONOTONIC where the events were recorded; 0:
	 * they happen now. */
	int64_t realtime_offset_ns;
	/* Is told what is amiss with a file that is read; or NULL. */
	void (*warn)(void *arg, const char *line);
	void *warn_arg;
};

/* An empty table whose files are found by WAY (NULL: as usual).  -ENOMEM. */
int prf_procs_init(struct prf_procs *procs,
		   const struct prf_objectfile_way *way) PRF_MUST_CHECK;
void prf_procs_clear(struct prf_procs *procs); /* takes all zero, too */

/* NULL: there is none. */
struct prf_proc *prf_procs_search(struct prf_procs *procs, pid_t pid);
/* The same, but who was found last is known at once. */
static inline struct prf_proc *
prf_procs_find(struct prf_procs *procs, pid_t pid)
{
	return procs->latest && procs->latest->pid == pid
		       ? procs->latest
		       : prf_procs_search(procs, pid);
}
/* Any that lives; NULL: none does. */
struct prf_proc *prf_procs_any(const struct prf_procs *procs);
/* Calls VISIT for all that live. */
void prf_procs_walk(const struct prf_procs *procs,
		    void (*visit)(struct prf_proc *proc, void *arg), void *arg);

/* What EXEC has begun, now or when it was recorded.  NULL: out of memory. */
struct prf_program *prf_procs_program(const struct prf_procs *procs,
				      const struct prf_exec *exec);
/* The process PID, new or not, becomes PROGRAM (taken over; NULL: out of
 * memory), with nothing mapped.  NULL: out of memory; it is as it was. */
struct prf_proc *prf_procs_become(struct prf_procs *procs, pid_t pid,
				  struct prf_program *program);
/* A copy of its parent, if that is known; a process of the same number, whose
 * end was not told, is removed.  If all together would have too much mapped, it has
 * nothing.  NULL: out of memory. */
struct prf_proc *prf_procs_fork(struct prf_procs *procs,
				const struct prf_life *life);
/* -ESRCH: of a process that is not known; -E2BIG: it, or all together, would
 * have too much mapped; -ENOMEM. */
int prf_procs_map(struct prf_procs *procs,
		  const struct prf_mapping *map) PRF_MUST_CHECK;
void prf_procs_remove(struct prf_procs *procs, struct prf_proc *proc);

/* Where an address of a process is. */
struct prf_location {
	/* FILE, VDSO; ANON: code without a file; NONE: nothing is known of
	 * code there. */
	enum prf_mapping_kind kind;
	struct prf_file *file; /* that was read; NULL: ANON, NONE */
	/* The file's own; its offset where FILE has no names; else ADDR. */
	uint64_t vaddr;
};

/* Where ADDR of PROC is, now.  It always has an answer; the first one in a file
 * reads that file. */
struct prf_location prf_procs_locate(struct prf_procs *procs,
				     const struct prf_proc *proc,
				     uint64_t addr);
/* The file that PROC's program is in; NULL: it is not mapped, or not known. */
struct prf_file *prf_procs_program_file(struct prf_procs *procs,
					const struct prf_proc *proc);

/* The range that ADDR of PROC is in, of a file whose code is read, with its bias,
 * for unwinding; NULL: there is none.  It lasts until something is mapped.  Of
 * one table, this or prf_procs_locate() is asked: each reads files in its own
 * way. */
const struct prf_space_range *prf_procs_code(const struct prf_proc *proc,
					     uint64_t addr);

#endif
