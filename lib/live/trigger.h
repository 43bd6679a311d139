/* trigger.h - what makes a thread stop to be looked at: a row of a table.
 *
 * The stop should be the thread's own act.  One asked for from outside sets
 * "signal pending" wherever the thread is: reads and writes come back short,
 * calls fail with EINTR, and the PC is drawn to system calls. */
#ifndef PRF_LIVE_TRIGGER_H
#define PRF_LIVE_TRIGGER_H

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
	PRF_CLOCK_WALL, /* all of it: triggers tell of CPU time, wall.h of the
			 * rest */
};

struct prf_trigger_config {
	uint64_t period_ns;
	enum prf_clock clock;
	/* What it makes inside the program may outlive us there. */
	bool attached;
	uint64_t seed; /* of its random choices */
};

struct prf_thread_status;
struct prf_thread_times;
struct prf_trigger;

/* What a trigger says of a stop. */
struct prf_claim {
	bool ours;      /* the stop is the trigger's: nothing to pass on */
	uint32_t ticks; /* periods that it stands for; 0: none was due */
	bool hand_over; /* another trigger is to have the thread, now that it
			 * has stopped */
};

/* A stopped thread, which can be made to call. */
struct prf_stopped {
	pid_t tid;
	struct prf_regs regs;
};

struct prf_trigger_ops {
	const char *name, *help; /* as in --trigger=NAME */
	/* It stops threads wherever they are, in the middle of a call too. */
	bool from_outside;
	/* What it makes return EINTR is tried again. */
	bool repairs_eintr;
	int (*open)(const struct prf_trigger_config *config,
		    struct prf_trigger **out, struct prf_error *err);
	void (*close)(struct prf_trigger *trigger);
	/* TASK is to be looked at from now on.  BY is a stopped thread of its
	 * process, TASK itself or another; NULL: there is none.  0; -EAGAIN:
	 * one is needed; -ESRCH: it is dying; else why it cannot be done, in
	 * ERR. */
	int (*arm)(struct prf_trigger *trigger, struct prf_task *task,
		   const struct prf_stopped *by, struct prf_error *err);
	/* What was made inside PROCESS goes, by BY, one of its threads.  -EPERM:
	 * not by that one.  NULL: nothing ever is. */
	int (*sweep)(struct prf_trigger *trigger, struct prf_process *process,
		     const struct prf_stopped *by);
	/* What was made inside PROCESS for tasks that are forgotten goes, by
	 * BY.  NULL: nothing is left. */
	int (*tidy)(struct prf_trigger *trigger, struct prf_process *process,
		    const struct prf_stopped *by);
	/* TASK has ended, or is looked at by another trigger from now on. */
	void (*forget)(struct prf_trigger *trigger, struct prf_task *task);
	/* TASK is dead and not reaped yet.  How many whole periods has it run
	 * that no look has come for?  They are lost, and counted as that. */
	uint32_t (*unseen)(const struct prf_trigger *trigger,
			   const struct prf_task *task);
	/* TASK has stopped: was it for us? */
	struct prf_claim (*claim)(struct prf_trigger *trigger,
				  struct prf_task *task,
				  const struct prf_stop *stop);
	/* Can a thread with STATUS not be stopped by this (any more)? */
	bool (*is_deaf)(const struct prf_trigger *trigger,
			const struct prf_thread_status *status);
	/* TASK runs, and has gone deaf: sees to it that it comes to a stop of
	 * its own once more, to be handed over.  NULL, or not 0: that cannot
	 * be. */
	int (*call_in)(struct prf_trigger *trigger, struct prf_task *task);
	/* A descriptor to poll, or -1: nothing for now; and what to do when it
	 * is readable. */
	int (*fd)(const struct prf_trigger *trigger);
	void (*due)(struct prf_trigger *trigger);
};

struct prf_trigger {
	const struct prf_trigger_ops *ops;
};

/* All there are; ends with NULL. */
extern const struct prf_trigger_ops prf_trigger_timer;
extern const struct prf_trigger_ops prf_trigger_perf;
extern const struct prf_trigger_ops prf_trigger_interrupt;
extern const struct prf_trigger_ops *const prf_triggers[];

/* The same, in the order in which they are tried where ticks are to be
 * PERIOD_NS long: shorter than the kernel's own, perf's comes first. */
const struct prf_trigger_ops *const *prf_triggers_for(uint64_t period_ns);

/* By name; NULL if there is none. */
const struct prf_trigger_ops *prf_trigger_find(const char *name);

/* When a thread's timer is to expire first, in ns of its clock from now, for
 * U uniform in [0, 1).  The kernel looks at CPU timers only at its own tick of
 * TICK_NS, so a uniform phase would lose half a tick of every thread, and all
 * of a short one.  With this, a thread that lives for c ns is expected to be
 * counted c / PERIOD_NS times, short or long, to within an eighth of
 * TICK_NS / PERIOD_NS. */
uint64_t prf_first_expiry_ns(uint64_t period_ns, uint64_t tick_ns, double u);

/* How many ticks the first look at a thread stands for, which has come with
 * TICKS; U uniform in [0, 1).  Where the kernel's tick is longer than the period,
 * TICKS say how long the thread had run when it was met; but all threads of its
 * length that were not met are to be counted, too, and one tick of the kernel's
 * stands for all of its time. */
uint32_t prf_first_ticks(uint64_t period_ns, uint64_t tick_ns, uint32_t ticks,
			 double u);

/* What a thread is taken to have run already, at the first stop that finds it
 * after it has run for TIMES; U and V uniform in [0, 1).  Ticks are counted when
 * a stop shows that a period is full, so the time after a thread's last stop
 * would be lost, half a period or so, and all of a thread that is shorter: a
 * whole period makes up for both.  Where threads wait for a processor they are
 * found more often than they run, and the last stop is nearer to the end. */
uint64_t prf_interrupt_start_ns(uint64_t period_ns,
				const struct prf_thread_times *times, double u,
				double v);

#endif
