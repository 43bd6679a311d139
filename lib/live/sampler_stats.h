/* sampler_stats.h - what a sampler counts: each tick by what became of it, and
 * what else a run was like. */
#ifndef PRF_LIVE_SAMPLER_STATS_H
#define PRF_LIVE_SAMPLER_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "live/trigger/trigger_list.h"
#include "live/unseen.h"

struct prf_trigger_stats {
	const char *name;
	bool from_outside;       /* its stops can cut calls short */
	bool without_stops;      /* it sees the kernel, too */
	bool bound_by_tick;      /* it has no more samples than the kernel
				  * has ticks */
	uint64_t ticks, samples; /* that it brought */
	uint64_t threads;        /* that it was given */
};

/* With the wall clock. */
struct prf_wall_stats {
	uint64_t blocked;    /* of ticks: the thread was blocked */
	uint64_t waiting;    /* of ticks: it waited for a processor */
	uint64_t together;   /* of these: those beyond the first of a sample */
	uint64_t samples;    /* samples of threads that were not stopped for
			      * them */
	uint64_t stopped;    /* ticks: of time off the processor where no
			      * position could be seen, as in our stops */
	uint64_t torn;       /* stacks that were thrown away, as the thread
			      * went on meanwhile */
	uint64_t hidden;     /* threads that could not be sampled so */
	uint64_t threads_ns; /* that all threads have lived */
};

struct prf_sampler_stats {
	/* Ticks by what became of them. */
	uint64_t ticks;     /* taken by the sink */
	uint64_t samples;   /* that those came with */
	uint64_t late;      /* of ticks: those beyond the first of a sample */
	uint64_t in_calls;  /* of ticks: fell in a system call */
	uint64_t in_faults; /* of ticks: fell in a page fault; only a trigger
			     * that does not stop threads knows */
	uint64_t unsampled; /* of ticks: fell in what the kernel does as it
			     * switches to a thread or ends it, as the
			     * thread's exact CPU time tells; the same */
	uint64_t brief;     /* of ticks: of threads that were stopped from
			     * outside, and run for a moment each time */
	uint64_t stale_map; /* of ticks: their mapping was not verified */
	uint64_t gone;      /* due, but the thread could not be sampled */
	uint64_t unseen;    /* after a thread's last sample, when it ended */
	uint64_t no_room;   /* the kernel had no room for their samples */
	uint64_t refused;   /* the sink would not take them */
	uint64_t in_kernel; /* with the user clock: fell in a system call */
	uint64_t paused;    /* came in a pause, or would have been lost then */
	uint64_t stackless; /* of ticks: there was no room for the stack, or
			     * it was torn */
	/* Stops that were no ticks. */
	uint64_t early;   /* ours, but no whole tick was due */
	uint64_t foreign; /* the program's own: signals, job control */
	uint64_t eintr_repaired;
	uint64_t
		eintr_left; /* calls that were not, where that cannot be done */
	struct prf_trigger_stats trigger[PRF_MAX_TRIGGERS];
	struct prf_wall_stats wall;
	/* Why some thread was not given to the first trigger; "" if none. */
	char fallback_reason[128];
	/* Which trigger had to be done without, and why; "" if none. */
	char refused_trigger[160];
	/* Processes, threads and their time. */
	uint64_t processes;  /* watched in all */
	uint64_t programs;   /* that those began to run */
	uint64_t threads;    /* of them, in all */
	uint64_t unarmed;    /* of them: that nothing could be made to stop */
	uint64_t left_alone; /* processes that a debugger has started */
	uint64_t unreached;  /* descendants that could not be attached to */
	/* Why not the first of them; "" if none. */
	char unreached_reason[256];
	uint64_t cpu_ns;      /* of all threads, by the kernel's exact clock,
			       * without */
	uint64_t stops_ns;    /* what our stops have taken of it */
	uint64_t in_step_ns;  /* of cpu_ns: of threads in step with what
			       * they were sampled by */
	uint64_t cpu_unknown; /* 1: that clock could not be read */
	uint64_t user_us, system_us; /* of cpu_ns and stops_ns, in the
				      * proportion of the kernel's ticks */
	uint64_t wall_ns;
	uint64_t paused_ns;          /* of it: ticks were not to count */
	uint64_t own_cpu_ns;         /* of the profiling process */
	struct prf_unseen unseen_of; /* processes that have ended */
};

#endif
