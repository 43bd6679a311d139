/* collector_config.h - what a collector is told, what it hands out, and what it shows
 * of itself. */
#ifndef PRF_PROFILE_COLLECTOR_CONFIG_H
#define PRF_PROFILE_COLLECTOR_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/error.h"
#include "core/sample.h"
#include "profile/profile.h"
#include "profile/warnings.h"
#include "space/objectfile.h"
#include "space/program.h"

/* What has a profile besides the run. */
enum prf_collect_each {
	PRF_COLLECT_RUN,     /* nothing has */
	PRF_COLLECT_PROGRAM, /* of each process */
	PRF_COLLECT_THREAD,  /* of each program */
	PRF_COLLECT_RANK,    /* of an MPI program: with all its processes */
};

/* A program or thread that has ended with ticks, or the main one; with
 * intervals, what such a one, or the run, had in one of them. */
struct prf_ended {
	pid_t pid;
	pid_t tid; /* 0, but with PRF_COLLECT_THREAD: the thread's */
	/* Exec calls of the process before this program.  An earlier program is
	 * one that ended by the next exec; the others were the last of their
	 * process. */
	unsigned n_execs;
	bool is_earlier;
	/* Of an MPI program; -1: of none.  With PRF_COLLECT_RANK PROGRAM is the
	 * rank's first, and what is of no rank is handed out together, as rank 0
	 * if there is no other. */
	int32_t rank;
	/* Of the first process of all, the last program (and main thread): it
	 * is handed out even without ticks. */
	bool is_main;
	/* With intervals: which one, from 1; else 0. */
	uint64_t interval;
	uint64_t from_ns, to_ns;           /* of it; CLOCK_MONOTONIC */
	const struct prf_program *program; /* NULL: the run, of no process */
	/* With what it has inherited.  NULL: FAILURE tells why. */
	const struct prf_profile *profile;
	const struct prf_error *failure;
};

struct prf_collector_config {
	/* Time in system calls is the kernel's, by their names; else it is
	 * charged to the PC after the call, as profil(2) does. */
	bool kernel_apart;
	bool call_graph;          /* fill the profile's call tree */
	uint32_t rate_hz;         /* of ticks */
	struct prf_origin origin; /* of the run; lent */
	bool threads;             /* fill the profile's rows of threads */
	bool by_thread;           /* keep its call tree by thread (owners.h) */
	bool flat_calls;          /* begin that without any stack, too */
	enum prf_collect_each each;
	/* After fork the profile of a program starts with what its parent's has
	 * counted, as profil(2) documents it; such ticks are in what is handed
	 * out, and nowhere else.  With PRF_COLLECT_PROGRAM alone. */
	bool inherit_counts;
	/* What was counted is handed out, and begun anew, as often as that,
	 * first at BEGUN_NS (CLOCK_MONOTONIC) and as much more; the last
	 * interval ends with the run.  0: only what has ended is.  Without
	 * INHERIT_COUNTS. */
	uint64_t every_ns, begun_ns;
	/* The same whenever it is 1/N_PARTS of all so far, and some ticks more.
	 * 0: never.  With PRF_COLLECT_RUN, without EVERY_NS, of a run that is
	 * over: maps of JIT code are read once. */
	size_t n_parts;
	/* How files are found; all zero: as usual. */
	struct prf_objectfile_way way;
	/* Where JIT compilers leave their maps; NULL: in /tmp of the process,
	 * as long as it lives, else in ours. */
	const char *perfmap_dir;
	/* What a thread is called that goes on, after an interval or a snapshot;
	 * NAME stays "" if that is not known.  NULL: nobody knows. */
	void (*thread_name)(pid_t pid, pid_t tid,
			    char name[PRF_THREAD_NAME_BYTES]);
	/* CLOCK_REALTIME - CLOCK_MONOTONIC where this was recorded; 0: it is
	 * happening now. */
	int64_t realtime_offset_ns;
	/* Called in the sink's thread; ENDED lasts for the call. */
	void (*ended)(void *arg, const struct prf_ended *ended);
	void *arg;
};

struct prf_collector {
	struct prf_sink base;
	/* Of the run so far; complete when the sink is finished. */
	struct prf_profile *profile;
	struct prf_warnings warnings;
};

#endif
