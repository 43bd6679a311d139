/* family.h - the sink that counts for all processes of a run: each program of
 * each process has a profile of its own.
 *
 * A process that gets no tick costs its place in the table of processes and its
 * list of mappings, until it ends.  A program that ends (by exec, or with its
 * process) is settled at once and handed out; what stays are its functions in
 * the totals and its branch in the tree. */
#ifndef PRF_VIEW_FAMILY_H
#define PRF_VIEW_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/sample.h"
#include "view/objectfile.h"
#include "view/profile.h"
#include "view/threads.h"
#include "view/totals.h"
#include "view/tree.h"
#include "view/warnings.h"

/* A program that has ended with ticks, or the main one. */
struct prf_ended {
	pid_t pid;
	pid_t tid; /* 0, but with each_thread: the thread's */
	/* Exec calls of the process before this program.  An earlier program is
	 * one that ended by the next exec; the others were the last of their
	 * process. */
	unsigned n_execs;
	bool is_earlier;
	/* Of the first process of all, the last program (and main thread): it
	 * is handed out even without ticks. */
	bool is_main;
	const struct prf_program *program;
	/* Settled, with what it has inherited.  NULL: FAILURE tells why. */
	const struct prf_profile *profile;
	const struct prf_error *failure;
};

struct prf_family_config {
	bool kernel_apart;       /* as in struct prf_profile_config */
	const char *perfmap_dir; /* as well */
	/* After fork a profile starts with what its parent's has counted, as
	 * profil(2) documents it; such ticks are in what is handed out, and
	 * nowhere else.  Not with each_thread. */
	bool inherit_counts;
	/* How files are found; all zero: as usual. */
	struct prf_objectfile_way way;
	/* CLOCK_REALTIME - CLOCK_MONOTONIC where this was recorded; 0: it is
	 * happening now. */
	int64_t realtime_offset_ns;
	bool threads;     /* fill prf_family.threads */
	bool each_thread; /* a profile for each thread of a program */
	/* Called in the sink's thread; ENDED lasts for the call. */
	void (*ended)(void *arg, const struct prf_ended *ended);
	void *arg;
};

struct prf_family {
	struct prf_sink base;
	/* To be read when finished. */
	struct prf_totals totals;
	struct prf_tree tree;
	struct prf_threads threads; /* sorted */
	struct prf_warnings warnings;
	uint64_t n_processes; /* in all */
	uint64_t n_idle;      /* of them: without ticks */
};

/* As SINK->base; freed through it.  NULL: out of memory.  What is told of a
 * process that is not known (neither by FORK nor by exec, or ended) is refused
 * with -ESRCH. */
struct prf_family *prf_family_new(const struct prf_family_config *config);

#endif
