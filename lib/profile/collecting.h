/* collecting.h - a collector from the inside, for collector.c and
 * collector_end.c. */
#ifndef PRF_PROFILE_COLLECTING_H
#define PRF_PROFILE_COLLECTING_H

#include <stdbool.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "core/attr.h"
#include "image/perfmap.h"
#include "profile/collector_config.h"
#include "profile/ranks.h"
#include "space/procs.h"

/* A thread that had ticks. */
struct prf_collected_thread {
	pid_t tid; /* stays first, see by_tid() */
	struct prf_proc *proc;
	LIST_ENTRY(prf_collected_thread) link;
	struct prf_count count;
	struct prf_profile *own; /* NULL: none */
};

/* What is kept for a process that lives. */
struct prf_collected {
	bool has_ticks;                /* as any of its programs */
	bool main_is_out;              /* see struct prf_ended */
	struct prf_branch *branch;     /* of its program; lent */
	struct prf_profile *own;       /* of its program; NULL: none */
	struct prf_profile *inherited; /* NULL: nothing */
	LIST_HEAD(, prf_collected_thread) threads;
	/* The names of its program's JIT code, kept from part to part. */
	struct prf_perfmap *perfmap; /* NULL: it has none */
	bool has_perfmap;            /* it was looked for */
};

/* What is counted until it is over. */
struct prf_collected_interval {
	uint64_t number; /* 0: there are none */
	uint64_t from_ns, latest_ns;
	struct prf_profile *profile; /* with PRF_COLLECT_RUN; NULL: none yet */
};

struct prf_collecting {
	struct prf_collector collector; /* stays first */
	struct prf_collector_config config;
	struct prf_procs procs;
	void *threads; /* a tree by tid, see tsearch(3) */
	/* Those that were found last, each at its tid's place: samples come in runs,
	 * or from a few threads by turns.  NULL: none. */
	struct prf_collected_thread *latest[16];
	struct prf_ranks ranks; /* with PRF_COLLECT_RANK */
	struct prf_collected_interval interval;
	struct prf_error failure; /* the first that lost something */
};

static inline struct prf_collected *
prf_collected_of(const struct prf_proc *proc)
{
	return proc->counts;
}

/* An empty profile of ticks as CONFIG has them.  NULL: out of memory. */
struct prf_profile *
prf_collecting_new_profile(const struct prf_collector_config *config);

/* NULL: there is none. */
struct prf_collected_thread *
prf_collecting_find_thread(struct prf_collecting *counting, pid_t tid);
/* NULL: out of memory. */
struct prf_collected_thread *
prf_collecting_add_thread(struct prf_collecting *counting,
			  struct prf_proc *proc, pid_t tid);

/* THREAD, called NAME ("": not known), is counted no more, and is freed.
 * IS_EARLIER: its process goes on as another program. */
void prf_collecting_end_thread(struct prf_collecting *counting,
			       struct prf_collected_thread *thread,
			       const char *name, bool is_earlier);
/* PROC goes on, if IS_EARLIER, to become another program. */
void prf_collecting_end_program(struct prf_collecting *counting,
				struct prf_proc *proc, bool is_earlier);
/* PROC has ended with its program, and is freed. */
void prf_collecting_end_process(struct prf_collecting *counting,
				struct prf_proc *proc);
/* Frees PROC, whose program has ended or never began. */
void prf_collecting_remove(struct prf_collecting *counting,
			   struct prf_proc *proc);
/* With intervals the first one begins.  -ENOMEM. */
int
prf_collecting_begin_intervals(struct prf_collecting *counting) PRF_MUST_CHECK;
/* Something has happened at TIME_NS: perhaps in the next interval. */
void prf_collecting_reach(struct prf_collecting *counting, uint64_t time_ns);
/* A sample was counted: perhaps a part is complete. */
void prf_collecting_counted(struct prf_collecting *counting);
/* With intervals of the run: hands out the last one. */
void prf_collecting_end_intervals(struct prf_collecting *counting);
/* Hands out the profile of each rank, all of whose processes have ended. */
void prf_collecting_end_ranks(struct prf_collecting *counting);
/* All processes of PROFILE, of the run, are in it.  -ENOMEM: some JIT code has no
 * names. */
int prf_collecting_finish(const struct prf_collecting *counting,
			  struct prf_profile *profile) PRF_MUST_CHECK;
/* As prf_collector_snapshot(). */
int prf_collecting_snapshot(struct prf_collecting *counting,
			    struct prf_profile **profile,
			    struct prf_error *err) PRF_MUST_CHECK;

#endif
