/* kin.h - the processes of a family that live, and their threads. */
#ifndef PRF_VIEW_KIN_H
#define PRF_VIEW_KIN_H

#include <stdbool.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "view/mapped.h"
#include "view/profile.h"
#include "view/program.h"
#include "view/tree.h"

struct prf_kin;

/* A thread that had ticks. */
struct prf_kin_thread {
	pid_t tid; /* stays first, see kin.c */
	struct prf_kin *process;
	LIST_ENTRY(prf_kin_thread) link;
	struct prf_count count;
	struct prf_profile *profile; /* if it has one of its own */
};

/* A process. */
struct prf_kin {
	pid_t pid; /* stays first, see kin.c */
	bool is_first, has_ticks;
	bool main_is_out; /* of the first: see struct prf_ended */
	unsigned n_execs;
	struct prf_program *program;
	struct prf_mapped mapped;
	struct prf_branch *branch;     /* lent */
	struct prf_profile *profile;   /* NULL: no tick yet */
	struct prf_profile *inherited; /* NULL: nothing */
	LIST_HEAD(, prf_kin_thread) threads;
};

/* All zero: none live. */
struct prf_kins {
	void *processes, *threads; /* trees by id, see tsearch(3) */
	struct prf_kin *latest;    /* that was found: it is asked for again */
};

/* These return NULL if there is none. */
struct prf_kin *prf_kins_search(struct prf_kins *kins, pid_t pid);
/* The same, but who was found last is known at once. */
static inline struct prf_kin *
prf_kins_find(struct prf_kins *kins, pid_t pid)
{
	return kins->latest && kins->latest->pid == pid
		       ? kins->latest
		       : prf_kins_search(kins, pid);
}

struct prf_kin_thread *prf_kins_find_thread(const struct prf_kins *kins,
					    pid_t tid);
struct prf_kin *prf_kins_any(const struct prf_kins *kins);

/* One that there is not yet, without a program.  NULL: out of memory. */
struct prf_kin *prf_kins_add(struct prf_kins *kins, pid_t pid);
struct prf_kin_thread *prf_kins_add_thread(struct prf_kins *kins,
					   struct prf_kin *process, pid_t tid);

/* With all it owns, threads too. */
void prf_kins_remove(struct prf_kins *kins, struct prf_kin *process);
void prf_kins_remove_thread(struct prf_kins *kins,
			    struct prf_kin_thread *thread);

#endif
