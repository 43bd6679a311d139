/* trigger.h - what makes a thread stop to be sampled: a row of a table.
 *
 * The stop should be the thread's own act.  One asked for from outside sets
 * "signal pending" wherever the thread is: reads and writes come back short,
 * calls fail with EINTR, and more samples than should be are at system
 * calls. */
#ifndef PRF_LIVE_TRIGGER_TRIGGER_H
#define PRF_LIVE_TRIGGER_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "live/arch.h"
#include "live/stop.h"
#include "live/tasks.h"

enum prf_clock {
	PRF_CLOCK_CPU,  /* user and system time, as profil(2) */
	PRF_CLOCK_USER, /* user time alone */
	PRF_CLOCK_WALL, /* all of it: triggers sample CPU time, wall.h the
			 * rest */
};

struct prf_injection;
struct prf_ring_record;
struct prf_stack_needs;

/* Takes what the kernel has noted of TASK, which was not stopped for it: a
 * mapping, a sample that stands for TICKS, TICKS that were lost, or those that it
 * has run unsampled. */
typedef void prf_trigger_take(void *arg, struct prf_task *task,
			      const struct prf_ring_record *record,
			      uint32_t ticks);

struct prf_trigger_config {
	uint64_t period_ns;
	enum prf_clock clock;
	/* The program may outlive us, with what was made inside it. */
	bool attached;
	uint64_t seed; /* of its random choices */
	/* What a stop usually takes of the CPU time of a thread.  Ticks are
	 * not to stand for it.  0: they are to, as it is too little, or not
	 * known. */
	uint64_t stop_ns;
	bool call_graph; /* samples are to have stacks */
	/* Lent: whose stacks are deeper than a trigger without stops has them.
	 * NULL: nobody tells. */
	const struct prf_stack_needs *stack_needs;
	bool kernel; /* and to tell where in the kernel a thread was */
	/* For a trigger that does without stops; NULL: there is none to be. */
	prf_trigger_take *take;
	void *take_arg;
};

struct prf_thread_status;
struct prf_trigger;

/* What a trigger says of a stop. */
struct prf_claim {
	bool ours;        /* the trigger caused the stop */
	uint32_t ticks;   /* periods that it stands for; 0: none was due */
	uint64_t stop_ns; /* of the thread's CPU time that went into the stop,
			   * and that no ticks stand for */
	bool brief;       /* the thread runs for a moment each time, so that a
			   * stop from outside is mostly too late */
	int pass_on;      /* a signal that goes on to the program all the same;
			   * 0: none */
};

/* A stopped thread, which can be made to call. */
struct prf_stopped {
	pid_t tid;
	struct prf_regs regs;
	struct prf_injection **overdue; /* where one is kept; NULL: nowhere */
};

/* TASK, whose registers are still to be read. */
static inline struct prf_stopped
prf_stopped_of(struct prf_task *task)
{
	return (struct prf_stopped){
		.tid = task->tid,
		.overdue = &task->overdue,
	};
}

struct prf_trigger_ops {
	const char *name; /* as in --trigger=NAME */
	/* It stops a thread at the kernel's own ticks alone. */
	bool bound_by_tick;
	/* It stops threads wherever they are, in the middle of a call too. */
	bool from_outside;
	/* Do its stops interrupt system calls here?  NULL: they never do, or
	 * always. */
	bool (*interrupts_calls)(void);
	/* No thread stops for it: it sees where in the kernel a thread is. */
	bool without_stops;
	/* What it makes return EINTR is tried again. */
	bool repairs_eintr;
	int (*open)(const struct prf_trigger_config *config,
		    struct prf_trigger **out, struct prf_error *err);
	void (*close)(struct prf_trigger *trigger);
	/* TASK is to be sampled from now on.  BY is a stopped thread of its
	 * process, TASK itself or another; NULL: there is none. 0; -EAGAIN:
	 * one is needed; -ESRCH: it is dying; else why it cannot be done, in
	 * ERR. */
	int (*arm)(struct prf_trigger *trigger, struct prf_task *task,
		   const struct prf_stopped *by, struct prf_error *err);
	/* What was made inside PROCESS goes, by BY, one of its threads.  -EPERM:
	 * not by that one; -EINPROGRESS: there was time for a part of it.  NULL:
	 * nothing ever is. */
	int (*sweep)(struct prf_trigger *trigger, struct prf_process *process,
		     const struct prf_stopped *by);
	/* Is something left inside PROCESS that was made for tasks that are
	 * forgotten?  NULL: nothing ever is. */
	bool (*has_leftovers)(const struct prf_trigger *trigger,
			      const struct prf_process *process);
	/* It goes, by BY. 0: what is left can wait; -EAGAIN: there is more;
	 * else why not, by BY. */
	int (*tidy)(struct prf_trigger *trigger, struct prf_process *process,
		    const struct prf_stopped *by);
	/* A signal of TRIGGER's may wait for BY, one of PROCESS's threads, which
	 * blocks it: BY accepts it, so that it never comes. 0: none waits any
	 * more; else why it still may.  NULL: none ever waits. */
	int (*take_back)(const struct prf_trigger *trigger,
			 const struct prf_process *process,
			 const struct prf_stopped *by);
	/* TASK is about to end or to be another program, or ticks are about
	 * to count or not: samples of it that wait somewhere are handed on.
	 * NULL: none ever do. */
	void (*flush)(struct prf_trigger *trigger, struct prf_task *task);
	/* What has been noted of TASK so far is handed on, so that nothing waits
	 * for long; TASK is asked for no more.  NULL: as for flush. */
	void (*collect)(struct prf_trigger *trigger, struct prf_task *task);
	/* TASK has ended, or (it holds ours, then) another trigger has it from
	 * now on. */
	void (*forget)(struct prf_trigger *trigger, struct prf_task *task);
	/* TASK is dead and not reaped yet.  How many whole periods has it
	 * run for which no sample came?  They are counted as lost. */
	uint32_t (*unseen)(const struct prf_trigger *trigger,
			   const struct prf_task *task);
	/* TASK is dead and not reaped yet, or about to be let go.  How much of
	 * its CPU time was in step with what TRIGGER samples by, so that samples
	 * have met some of its work too often?  NULL: nothing ever is. */
	uint64_t (*in_step_ns)(struct prf_trigger *trigger,
			       const struct prf_task *task);
	/* TASK has stopped: was it for us? */
	struct prf_claim (*claim)(struct prf_trigger *trigger,
				  struct prf_task *task,
				  const struct prf_stop *stop);
	/* TASK has stopped for something else: does a stop for us come next?
	 * NULL: none ever waits. */
	bool (*is_pending)(const struct prf_trigger *trigger,
			   const struct prf_task *task);
	/* How many ticks TASK's sample stands for, which was claimed with TICKS
	 * and was in a system call or not.  NULL: as many. */
	uint32_t (*weigh)(struct prf_trigger *trigger, struct prf_task *task,
			  bool in_call, uint32_t ticks);
	/* Is a thread with STATUS one that this cannot stop (any more)? */
	bool (*cannot_stop)(const struct prf_trigger *trigger,
			    const struct prf_thread_status *status);
	/* TASK has run for long without a stop: has the program removed what
	 * was made inside it?  Then that is forgotten.  What only stands still
	 * goes on by this.  NULL: it cannot. */
	bool (*has_lost)(struct prf_trigger *trigger, struct prf_task *task);
	/* A descriptor to poll, or -1: nothing for now; and what to do when it
	 * is readable. */
	int (*fd)(const struct prf_trigger *trigger);
	void (*due)(struct prf_trigger *trigger);
};

struct prf_trigger {
	const struct prf_trigger_ops *ops;
};

#endif
