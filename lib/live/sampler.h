/* sampler.h - runs a program and looks at it: a source of samples. */
#ifndef PRF_LIVE_SAMPLER_H
#define PRF_LIVE_SAMPLER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "live/trigger.h"

enum { PRF_MAX_TRIGGERS = 4 };

enum prf_follow {
	PRF_FOLLOW_ALL,  /* all descendants, through all their programs */
	PRF_FOLLOW_EXEC, /* this process alone, through its programs */
	PRF_FOLLOW_NONE, /* this process alone, until it is another program */
};

struct prf_sampler_config {
	uint64_t period_ns; /* of one tick; >= 1000 */
	enum prf_clock clock;
	enum prf_follow follow;
	/* What makes a thread stop: a row of prf_triggers, or a test's own.
	 * NULL chooses for each thread. */
	const struct prf_trigger_ops *trigger;
	/* Ticks count after DELAY_NS, for DURATION_NS (0: to the end), and not
	 * between two TOGGLE_SIGNALs (0: none) that this process gets. */
	uint64_t delay_ns, duration_ns;
	int toggle_signal;
	/* Threads that had no tick end with their names and CPU times, too: two
	 * files of /proc for each. */
	bool every_thread;
	/* The signals that the program begins with blocked; NULL: those that
	 * are here. */
	const sigset_t *blocked;
	/* Called with one line that cannot wait; may be NULL. */
	void (*tell)(void *arg, const char *line);
	void *tell_arg;
	bool tell_more; /* when counting begins and ends, too */
	/* If not 0: the seed of all random choices, so that a test can repeat
	 * them. */
	uint64_t seed;
	/* Called once, when exec has succeeded and the program is about to run
	 * its first instruction; may be NULL.  If it returns not 0, the program
	 * is killed and that value returned. */
	int (*started)(void *arg, pid_t pid);
	void *started_arg;
};

struct prf_trigger_stats {
	const char *name;
	bool from_outside;       /* its stops can cut calls short */
	uint64_t ticks, samples; /* that it brought */
	uint64_t threads;        /* that it was given */
};

/* With the wall clock. */
struct prf_wall_stats {
	uint64_t blocked;    /* of ticks: the thread was blocked */
	uint64_t waiting;    /* of ticks: it waited for a processor */
	uint64_t together;   /* of these: came with another one's look */
	uint64_t looks;      /* at threads that were not stopped for it */
	uint64_t hidden;     /* threads that could not be looked at so */
	uint64_t threads_ns; /* that all threads have lived */
};

struct prf_sampler_stats {
	/* Ticks by what became of them. */
	uint64_t ticks;     /* taken by the sink */
	uint64_t samples;   /* looks that those came with */
	uint64_t late;      /* of ticks: came with a later look */
	uint64_t stale_map; /* of ticks: their mapping was not verified */
	uint64_t gone;      /* due, but the thread could not be looked at */
	uint64_t unseen;    /* after a thread's last look, when it ended */
	uint64_t refused;   /* the sink would not take them */
	uint64_t in_kernel; /* with the user clock: fell in a system call */
	uint64_t paused;    /* when they were not to count */
	/* Stops that were no ticks. */
	uint64_t early;   /* ours, but no whole tick was due */
	uint64_t foreign; /* the program's own: signals, job control */
	uint64_t eintr_repaired;
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
	uint64_t cpu_ns;      /* of all threads, by the kernel's exact clock */
	uint64_t cpu_unknown; /* 1: that clock could not be read */
	uint64_t user_us, system_us; /* by the kernel's accounting, the
				      * program's own, in steps of 1/CLK_TCK */
	uint64_t wall_ns;
	uint64_t own_cpu_ns; /* of the profiling process */
};

struct prf_run {
	pid_t pid;       /* 0: it never ran */
	bool left;       /* it lives on; wait_status is not known */
	int wait_status; /* of the program, as from waitpid(2) */
	struct prf_sampler_stats stats;
};

/* Runs ARGV, with all of its threads and descendants (as CONFIG says) looked at
 * and the samples put into SINK (which is neither finished nor freed), to the
 * end of all of them, or to that of CONFIG's duration.  Signals that are sent to
 * this process alone are passed on to the program; when that has ended and
 * others live on, they let those go.
 * 0: it ran, however it ended, see RUN->wait_status; if it has not ended
 * (RUN->left), it is to be awaited.  Else a negative errno value: with
 * RUN->pid == 0 the program could not be started (exec's own errno; -EPERM:
 * ptrace is refused); with RUN->pid set, the profiler failed and the program
 * was killed. */
int prf_sampler_run(const struct prf_sampler_config *config, char *const argv[],
		    struct prf_sink *sink, struct prf_run *run,
		    struct prf_error *err) PRF_MUST_CHECK;
/* Waits for the program that RUN left, passing signals on to it. */
int prf_sampler_await(struct prf_run *run,
		      struct prf_error *err) PRF_MUST_CHECK;

/* Looks at processes that run already, until they end, CONFIG's duration has,
 * or a signal asks this process to; leaves them as they were.  -ESRCH, -EPERM,
 * -EBUSY and others with the reason in ERR: one of them cannot be had, and none
 * was. */
int prf_sampler_attach(const struct prf_sampler_config *config,
		       const pid_t *pids, size_t n_pids, struct prf_sink *sink,
		       struct prf_run *run,
		       struct prf_error *err) PRF_MUST_CHECK;

#endif
