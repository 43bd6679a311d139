#include "live/leave.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "live/clock.h"
#include "live/death.h"
#include "live/look.h"
#include "live/procfs.h"

/* For an attached process to be stopped. */
#define PATIENCE_NS 2000000000ULL

/* --- Whom to stop */

/* Calls that end with EINTR after any stop.  They are made again, but wait for
 * their whole time-out then; all others go on where they were. */
static const long touchy_calls[] = {
	SYS_epoll_pwait, SYS_rt_sigtimedwait, SYS_semop,
	SYS_semtimedop,  SYS_io_getevents,    SYS_io_uring_enter,
#ifdef SYS_epoll_wait
	SYS_epoll_wait,
#endif
};

static bool
is_touchy(long call)
{
	for (size_t i = 0; i < sizeof touchy_calls / sizeof *touchy_calls; i++)
		if (touchy_calls[i] == call)
			return true;
	return false;
}

/* How much a stop would disturb TASK: the less, the better. */
static int
disturbance(const struct prf_task *task)
{
	enum { NOT, LITTLE, MORE };
	char first[32];

	if (prf_thread_syscall_read(task->process->pid, task->tid, first,
				    sizeof first))
		return MORE;
	if (first[0] == 'r')
		return NOT;
	return is_touchy(strtol(first, NULL, 10)) ? MORE : LITTLE;
}

static struct prf_task *
choose(const struct prf_process *process)
{
	enum { ENOUGH = 64 };
	struct prf_task *best = NULL;
	int least = 0, n = 0;

	for (struct prf_task *task = process->tasks; task && n < ENOUGH;
	     task = task->sibling, n++) {
		int now = disturbance(task);

		if (!best || now < least) {
			best = task;
			least = now;
		}
	}
	return best;
}

/* --- What is done at its stop */

static void
stop_task(void *arg, struct prf_task *task)
{
	(void)arg;
	if (!ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL))
		task->interrupt_pending = true;
}

/* Removes what was made inside TASK's process, by TASK. */
static void
sweep(struct prf_tracer *tracer, struct prf_task *task)
{
	struct prf_stopped by = {.tid = task->tid};

	if (task->process->swept || prf_arch.read(task->tid, &by.regs))
		return;
	for (size_t i = 0; i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];

		if (trigger->ops->sweep)
			trigger->ops->sweep(trigger, task->process, &by);
	}
	task->process->swept = true;
	tracer->n_unswept--;
}

/* A signal of ours that is on its way must not find it alone. */
static bool
has_pending(const struct prf_task *task)
{
	struct prf_thread_status status;

	return !prf_thread_status_read(task->process->pid, task->tid,
				       &status) &&
	       status.signals_pending;
}

bool
prf_leave_claimed(struct prf_tracer *tracer, struct prf_task *task,
		  const struct prf_stop *stop)
{
	if (stop->kind != PRF_STOP_TRAP && stop->kind != PRF_STOP_GROUP)
		return false;
	prf_look_repair(tracer, task);
	sweep(tracer, task);
	if (tracer->attached) {
		/* Job control's stop stays one. */
		if (stop->kind == PRF_STOP_GROUP)
			return false;
		prf_task_resume(task, 0);
	} else if (stop->kind == PRF_STOP_TRAP && has_pending(task)) {
		prf_task_resume(task, 0);
		stop_task(NULL, task);
	} else {
		prf_death_let_go(tracer, task);
	}
	return true;
}

/* --- All of them */

static bool
is_asked(const struct prf_process *process)
{
	for (const struct prf_task *task = process->tasks; task;
	     task = task->sibling)
		if (task->interrupt_pending)
			return true;
	return false;
}

static void
ask_each(void *arg, struct prf_task *task)
{
	if (!task->interrupt_pending)
		stop_task(arg, task);
}

void
prf_leave_remind(struct prf_tracer *tracer)
{
	for (struct prf_process *process = tracer->processes.first; process;
	     process = process->next)
		if (!tracer->attached)
			prf_tasks_each_of(process, ask_each, NULL);
		else if (!process->swept && process->tasks &&
			 !is_asked(process))
			stop_task(NULL, choose(process));
}

void
prf_leave_begin(struct prf_tracer *tracer)
{
	if (tracer->leaving)
		return;
	tracer->leaving = true;
	tracer->leave_until_ns = prf_clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
	tracer->n_unswept = tracer->processes.n;
	/* What the fallback trigger has asked for is as good. */
	prf_leave_remind(tracer);
}

bool
prf_leave_is_done(const struct prf_tracer *tracer)
{
	if (!tracer->leaving)
		return false;
	if (!tracer->attached)
		return prf_tasks_count(tracer->tasks) == 0;
	return tracer->n_unswept == 0 ||
	       prf_clock_ns(CLOCK_MONOTONIC) > tracer->leave_until_ns;
}
