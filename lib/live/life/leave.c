#include "live/life/leave.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "live/control/demand.h"
#include "live/proc/clock.h"
#include "live/life/death.h"
#include "live/stopped/resume.h"
#include "live/stopped/retry.h"
#include "live/proc/position.h"
#include "live/stopped/sandbox.h"
#include "live/trigger/take_back.h"
#include "live/proc/status.h"

/* For an attached process to be stopped; and for a thread, before another is
 * asked. */
#define PATIENCE_NS 2000000000ULL
#define REMIND_EVERY_NS 50000000ULL
/* For a thread whose registers are not its own (overdue.h). */
#define OVERDUE_PATIENCE_NS 30000000000ULL

/* --- Which thread to stop */

/* Calls that end with EINTR after any stop.  They are made again, but wait for
 * their whole time-out then; all others go on where they were. */
static const long touchy_calls[] = {
	SYS_epoll_pwait, SYS_rt_sigtimedwait, SYS_semop,
	SYS_semtimedop,  SYS_io_getevents,    SYS_io_uring_enter,
#ifdef SYS_epoll_wait
	SYS_epoll_wait,
#endif
};

/* Calls that lose nothing by a stop: the kernel goes on with them. */
static const long steady_calls[] = {
	SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_wait4, SYS_waitid,
#ifdef SYS_poll
	SYS_poll,
#endif
};

static bool
is_in(const long *calls, size_t n, long call)
{
	for (size_t i = 0; i < n; i++)
		if (calls[i] == call)
			return true;
	return false;
}

/* How much a stop would disturb a thread: the less, the better. */
enum disturbance {
	NONE,
	LITTLE,
	MORE,
	MOST,
	IN_VAIN, /* it has ended, or is a worker of the kernel's */
};

static enum disturbance
disturbance(struct prf_task *task)
{
	struct prf_position position;
	int rc = prf_position_read(task->process->pid, task->tid, &position);

	task->slept_at =
		!rc && position.syscall != PRF_NO_SYSCALL ? position.pc : 0;
	/* It can be in a write that is cut short, but hardly is. */
	if (rc == -EAGAIN)
		return LITTLE;
	if (rc)
		return MOST;
	if (!position.pc && !position.sp)
		return IN_VAIN;
	if (is_in(steady_calls, sizeof steady_calls / sizeof *steady_calls,
		  position.syscall))
		return NONE;
	return is_in(touchy_calls, sizeof touchy_calls / sizeof *touchy_calls,
		     position.syscall)
		       ? MOST
		       : MORE;
}

/* The thread of PROCESS to stop.  One that was asked to and has not stopped
 * (it waits for the child of a vfork, or is a zombie whose threads live on)
 * is passed over, and so is one that may be killed for a call of ours, or that
 * makes none.
 * NULL: there is no other. */
static struct prf_task *
choose(const struct prf_process *process)
{
	enum { ENOUGH = 64 };
	struct prf_task *best = NULL;
	enum disturbance least = IN_VAIN;
	int n = 0;

	for (struct prf_task *task = process->tasks; task && n < ENOUGH;
	     task = task->sibling) {
		if (task->interrupt_pending ||
		    prf_sandbox_is_own(process->pid, task->tid))
			continue;
		enum disturbance now = disturbance(task);

		if (now < least) {
			best = task;
			least = now;
		}
		n += now != IN_VAIN;
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

/* Of a process that is swept no signal comes any more; each thread for which one
 * waits has to stop, too. */
static void
ask_holder(void *arg, struct prf_task *task)
{
	if (!task->interrupt_pending && prf_take_back_is_due(arg, task) &&
	    !prf_sandbox_is_own(task->process->pid, task->tid))
		stop_task(NULL, task);
}

static void
note_swept(struct prf_watch *watch, struct prf_process *process)
{
	process->swept = true;
	watch->n_unswept--;
	if (watch->attached)
		prf_tasks_each_of(process, ask_holder, watch);
}

/* Makes TASK, if it has to be, remove what was made inside its process; where that
 * fails, another thread may be asked.  False: TASK made no call. */
static bool
sweep(struct prf_watch *watch, struct prf_task *task)
{
	int failed = 0;
	struct prf_stopped by = prf_stopped_of(task);

	if (task->process->swept || prf_arch.read(task->tid, &by.regs))
		return false;
	if (prf_arch.note_sleep)
		prf_arch.note_sleep(&by.regs, task->slept_at);
	for (size_t i = 0; i < watch->n_triggers; i++) {
		struct prf_trigger *trigger = watch->triggers[i];
		int rc = trigger->ops->sweep
				 ? trigger->ops->sweep(trigger, task->process,
						       &by)
				 : 0;

		if (rc == -EPERM)
			return false;
		failed = failed ? failed : rc;
	}
	if (!failed)
		note_swept(watch, task->process);
	else if (failed != -ESRCH && failed != -EINPROGRESS)
		task->process->n_failed_sweeps++;
	return true;
}

/* Is a signal about to come to TASK?  If it is ours, it must not come after
 * we have left.  (One that TASK blocks has been taken back, or is not ours.) */
static bool
has_pending(const struct prf_task *task)
{
	struct prf_thread_status status;

	return !prf_status_read_thread(task->process->pid, task->tid,
				       &status) &&
	       (status.signals_pending & ~status.signals_blocked);
}

bool
prf_leave_claimed(struct prf_watch *watch, struct prf_task *task,
		  const struct prf_stop *stop)
{
	if (stop->kind != PRF_STOP_TRAP && stop->kind != PRF_STOP_GROUP)
		return false;
	bool group = stop->kind == PRF_STOP_GROUP;
	task->interrupt_pending = false;
	if (group || task->was_stopped)
		prf_retry_none(watch, task);
	else
		prf_retry_call(watch, task);
	bool called = sweep(watch, task);
	if (task->process->swept && prf_take_back_is_due(watch, task)) {
		prf_take_back(watch, task);
		called = true;
	}
	if (watch->attached && (task->fresh || (group && !called)))
		return false;
	if (watch->attached) {
		/* By its calls TASK has left job control's stop, and will
		 * enter it again. */
		if (group)
			stop_task(NULL, task);
		prf_resume(task, 0);
	} else if (!task->process->swept) {
		/* It is let go after another thread has removed what could
		 * kill it. */
		prf_resume(task, 0);
	} else if (stop->kind == PRF_STOP_TRAP && has_pending(task)) {
		/* It is asked again when it has had that: a stop that is asked
		 * for comes before any signal. */
		prf_resume(task, 0);
	} else {
		prf_death_let_go(watch, task);
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

static bool
is_any_asked(const struct prf_watch *watch)
{
	for (const struct prf_process *process = watch->processes.first;
	     process; process = process->next)
		if (is_asked(process))
			return true;
	return false;
}

/* A first thread that has ended, and whose others have been let go, never
 * stops: it need not be let go. */
static bool
is_remainder(const struct prf_task *task)
{
	const struct prf_process *process = task->process;
	struct prf_process_status status;

	return task->tid == process->pid && process->tasks == task &&
	       !task->sibling && !prf_status_read_process(task->tid, &status) &&
	       status.is_zombie;
}

static void
ask_each(void *arg, struct prf_task *task)
{
	if (!task->interrupt_pending)
		stop_task(arg, task);
	else if (is_remainder(task))
		prf_death_leave(arg, task->process);
}

static bool
may_any_call(const struct prf_process *process)
{
	for (const struct prf_task *task = process->tasks; task;
	     task = task->sibling)
		if (!prf_sandbox_is_own(process->pid, task->tid))
			return true;
	return false;
}

/* None of PROCESS's threads may, or can, be made to call, to remove what is in it:
 * WHY. */
static void
give_up_sweeping(struct prf_watch *watch, struct prf_process *process,
		 const char *why)
{
	char line[192];

	process->keeps_ours = true;
	if (watch->attached) {
		process->swept = true;
		watch->n_unswept--;
	}
	if (!watch->config->tell)
		return;
	snprintf(line, sizeof line,
		 watch->attached
			 ? "process %d keeps timers, whose signal SIGURG is "
			   "ignored by default: %s"
			 : "process %d is not let go: it has timers, and %s; "
			   "waiting for its end",
		 process->pid, why);
	watch->config->tell(watch->config->tell_arg, line);
}

/* Has it been tried for long enough?  (A try can take a second.  What was launched
 * is not left with timers, which would kill it: there threads that do not stop are
 * waited for.) */
static bool
is_in_vain(const struct prf_watch *watch, const struct prf_process *process)
{
	enum { MOST_SWEEPS = 3 };

	return process->n_failed_sweeps >= MOST_SWEEPS ||
	       (watch->attached &&
		prf_clock_ns(CLOCK_MONOTONIC) + REMIND_EVERY_NS >
			watch->leave_until_ns);
}

static void
ask_one(struct prf_process *process)
{
	struct prf_task *task = process->swept ? NULL : choose(process);

	if (task)
		stop_task(NULL, task);
}

static void
ask(struct prf_watch *watch, struct prf_process *process)
{
	if (process->keeps_ours)
		return;
	bool is_due = !process->swept && process->tasks;
	if (is_due && !may_any_call(process))
		give_up_sweeping(watch, process,
				 "its seccomp filter might kill it for "
				 "deleting them");
	else if (is_due && is_in_vain(watch, process))
		give_up_sweeping(watch, process,
				 "it could not be made to delete them");
	else if (watch->attached)
		ask_one(process);
	else
		prf_tasks_each_of(process, ask_each, watch);
}

static bool
is_any_overdue(const struct prf_watch *watch)
{
	for (const struct prf_process *process = watch->processes.first;
	     process; process = process->next)
		for (const struct prf_task *task = process->tasks; task;
		     task = task->sibling)
			if (task->overdue)
				return true;
	return false;
}

static void
tell_of_overdue(struct prf_watch *watch)
{
	if (watch->told_of_overdue || !watch->config->tell)
		return;
	watch->told_of_overdue = true;
	watch->config->tell(
		watch->config->tell_arg,
		"a thread is in a call that it was made to begin, and "
		"is waited for, since it could not go on as it is; "
		"another signal ends that");
}

void
prf_leave_remind(struct prf_watch *watch)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct prf_process *next;

	if (now_ns < watch->remind_ns)
		return;
	watch->remind_ns = now_ns + REMIND_EVERY_NS;
	if (now_ns > watch->leave_until_ns && is_any_overdue(watch))
		tell_of_overdue(watch);
	for (struct prf_process *process = watch->processes.first; process;
	     process = next) {
		next = process->next;
		ask(watch, process);
	}
}

/* Is there something of ours in it? */
static bool
holds_ours(const struct prf_watch *watch, const struct prf_process *process)
{
	for (const struct prf_task *task = process->tasks; task;
	     task = task->sibling)
		if (task->trigger && task->trigger->ops->sweep)
			return true;
	for (size_t i = 0; i < watch->n_triggers; i++) {
		const struct prf_trigger *trigger = watch->triggers[i];

		if (trigger->ops->has_leftovers &&
		    trigger->ops->has_leftovers(trigger, process))
			return true;
	}
	return false;
}

void
prf_leave_begin(struct prf_watch *watch)
{
	if (watch->leaving)
		return;
	watch->leaving = true;
	watch->leave_until_ns = prf_clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
	for (struct prf_process *process = watch->processes.first; process;
	     process = process->next) {
		process->swept = false;
		process->n_failed_sweeps = 0;
		watch->n_unswept++;
		if (!holds_ours(watch, process))
			note_swept(watch, process);
	}
	prf_leave_remind(watch);
}

void
prf_leave_asked(struct prf_watch *watch)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (!prf_demand_is_another(watch->asked_ns, now_ns))
		return;
	watch->insisted = watch->asked_ns != 0;
	watch->asked_ns = now_ns;
	prf_leave_begin(watch);
}

void
prf_leave_demanded(struct prf_watch *watch)
{
	if (watch->killed)
		return;
	watch->killed = true;
	watch->leave_until_ns = prf_clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
	prf_watch_kill(watch);
}

bool
prf_leave_is_done(const struct prf_watch *watch)
{
	if (watch->killed)
		return prf_clock_ns(CLOCK_MONOTONIC) > watch->leave_until_ns;
	if (!watch->leaving)
		return false;
	if (watch->insisted)
		return true;
	if (!watch->attached)
		return prf_tasks_count(watch->tasks) == 0;
	/* A thread that we have woken must not be left before it can make
	 * its call again; and one that has registers of ours would not survive it. */
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	if (now_ns < watch->leave_until_ns + OVERDUE_PATIENCE_NS &&
	    is_any_overdue(watch))
		return false;
	return (watch->n_unswept == 0 && !is_any_asked(watch)) ||
	       now_ns > watch->leave_until_ns;
}
