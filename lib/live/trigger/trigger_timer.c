/* A timer on each thread's own CPU clock, made inside the program by two
 * system calls.  Its signal is raised by the thread itself on its way back
 * to user mode (since Linux 5.9, on aarch64 5.16), so that no call is
 * interrupted; we see it before it is delivered and take it away: the program
 * never sees it.
 *
 * Signal 33 is the C library's own: sigfillset leaves it out, so that
 * programs that block all signals do not block it.  A program that does so
 * by hand gets the interrupt trigger. */

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/arch.h"
#include "live/proc/clock.h"
#include "live/proc/kernel.h"
#include "live/trigger/cpu_timer.h"
#include "live/trigger/trigger_list.h"
#include "live/kept.h"
#include "live/trigger/creator.h"
#include "live/trigger/idle_timers.h"
#include "live/stopped/accept.h"
#include "live/stopped/inject.h"
#include "live/stopped/overdue.h"
#include "live/stopped/sandbox.h"
#include "live/proc/procfs.h"
#include "live/random.h"
#include "live/proc/status.h"
#include "live/proc/timers.h"
#include "live/trigger/thread_ticks.h"

enum { TIMER_SIGNAL = 33 };

/* In a program that lives on if we die, timers do, too: there the signal is
 * one that is ignored unless the program asks for it. */
enum { ATTACHED_TIMER_SIGNAL = SIGURG };

struct timer_trigger {
	struct prf_trigger base;
	struct prf_ticks_run run;
	uint64_t stop_ns; /* that a stop takes of a thread's time */
	int signal;
	size_t most_idle; /* timers of ended threads, in each process */
	uint64_t random;
	int cookie; /* in si_value: tells our signal from another of that
		     * number */
	/* How many seccomp filters this process itself runs under: a program
	 * with as many has the same ones. */
	unsigned own_mode, own_filters;
	bool filters_allow; /* and they let us make timers */
};

/* What is kept for a thread. */
struct timer_thread {
	struct prf_kept base;
	int id;    /* the process's name for its timer */
	bool lost; /* the program has deleted that, or we have */
	struct prf_thread_ticks ticks;
};

/* What is kept for a process. */
struct timer_process {
	struct prf_kept base;
	struct prf_idle_timers idle;
	struct prf_idle_timers ticking; /* likewise, of threads that live and
					 * that another trigger has */
	unsigned n_failures;            /* to tidy, one after the other */
	struct prf_creator creator;     /* of its latest thread */
	bool catches;                   /* the timers' signal, at the time */
	uint64_t asked_ns;
};

static void
free_thread(struct prf_kept *kept)
{
	free(kept);
}

static void
free_process(struct prf_kept *kept)
{
	struct timer_process *its = (struct timer_process *)kept;

	prf_creator_clear(&its->creator);
	prf_idle_timers_clear(&its->idle);
	prf_idle_timers_clear(&its->ticking);
	free(its);
}

/* NULL: nothing is kept for it. */
static struct timer_process *
find_process(const struct timer_trigger *timer,
	     const struct prf_process *process)
{
	return (struct timer_process *)prf_kept_find(process->kept, timer);
}

/* NULL: nothing is kept for it. */
static struct timer_thread *
find_thread(const struct timer_trigger *timer, const struct prf_task *task)
{
	return (struct timer_thread *)prf_kept_find(task->kept, timer);
}

/* NULL: out of memory. */
static struct timer_process *
keep_process(const struct timer_trigger *timer, struct prf_process *process)
{
	struct timer_process *its = find_process(timer, process);

	if (its)
		return its;
	its = calloc(1, sizeof *its);
	if (!its)
		return NULL;
	its->base.owner = timer;
	its->base.free = free_process;
	prf_kept_add(&process->kept, &its->base);
	return its;
}

/* Do the filters that we run under let timers be made?  A child tries: a
 * filter may kill it for that. */
static bool
timers_can_be_made(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct sigevent event = {.sigev_notify = SIGEV_NONE};
		struct itimerspec never = {0};
		timer_t timer;

		/* EAGAIN is no filter's: there is no room for a timer. */
		if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer))
			_exit(errno != EAGAIN);
		_exit(timer_settime(timer, 0, &never, NULL) != 0);
	}
	if (child < 0)
		return false;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void
timer_close(struct prf_trigger *trigger)
{
	free(trigger);
}

static int
timer_open(const struct prf_trigger_config *config, struct prf_trigger **out,
	   struct prf_error *err)
{
	struct timer_trigger *timer = calloc(1, sizeof *timer);
	struct prf_thread_status own;

	if (!timer)
		return prf_error_set(err, -ENOMEM, "out of memory");
	timer->base.ops = &prf_trigger_timer;
	timer->run = (struct prf_ticks_run){
		.period_ns = config->period_ns,
		.tick_ns = prf_clock_tick_ns(),
		.user_only = config->clock == PRF_CLOCK_USER,
	};
	timer->stop_ns = config->stop_ns;
	timer->signal = config->attached ? ATTACHED_TIMER_SIGNAL : TIMER_SIGNAL;
	timer->most_idle = prf_idle_timers_most(config->attached);
	timer->random = config->seed;
	timer->cookie = (int)prf_random_next(&timer->random);
	if (!prf_status_read_thread(getpid(), getpid(), &own) &&
	    own.seccomp_mode && own.seccomp_filters) {
		timer->own_mode = own.seccomp_mode;
		timer->own_filters = own.seccomp_filters;
		timer->filters_allow = timers_can_be_made();
	}
	*out = &timer->base;
	return 0;
}

static int
read_status(pid_t pid, pid_t tid, struct prf_thread_status *status,
	    struct prf_error *err)
{
	int rc = prf_status_read_thread(pid, tid, status);

	return rc ? prf_error_set(err, rc == -ENOENT ? -ESRCH : rc,
				  "its status cannot be read")
		  : 0;
}

/* May a thread with STATUS be made to call us?  A filter could kill it for
 * that. */
static bool
may_call(const struct timer_trigger *timer,
	 const struct prf_thread_status *status)
{
	return !status->seccomp_mode ||
	       (timer->filters_allow &&
		status->seccomp_mode == timer->own_mode &&
		status->seccomp_filters == timer->own_filters);
}

static int
check_sandbox(const struct timer_trigger *timer, pid_t pid, pid_t tid,
	      struct prf_thread_status *status, struct prf_error *err)
{
	int rc = read_status(pid, tid, status, err);

	if (rc)
		return rc;
	if (!may_call(timer, status))
		return prf_error_set(err, -EPERM,
				     "it runs under a seccomp filter");
	if (prf_sandbox_dispatches(tid))
		return prf_error_set(
			err, -EPERM,
			"its system calls are dispatched to itself");
	return 0;
}

/* May CALLER make a timer for TASK?  Of *STATUS the own id is TASK's. */
static int
check_caller(const struct timer_trigger *timer, struct timer_process *its,
	     const struct prf_task *task, pid_t caller,
	     struct prf_thread_status *status, struct prf_error *err)
{
	pid_t pid = task->process->pid;

	if (caller == task->tid &&
	    !prf_creator_status_read(&its->creator, pid, task->creator,
				     task->tid, status) &&
	    may_call(timer, status))
		return 0;
	int rc = check_sandbox(timer, pid, caller, status, err);
	if (!rc && caller != task->tid)
		rc = read_status(pid, task->tid, status, err);
	return rc;
}

/* The timer for thread TID, an id in its own PID namespace.  Its clock moves by
 * ticks of the kernel, so with a first expiry anywhere in a period each of them
 * brings what it should in the mean, the first one, too: a thread is counted as
 * long as it lives, short or long. */
static struct prf_cpu_timer
timer_of(struct timer_trigger *timer, pid_t tid)
{
	double u = prf_random_unit(&timer->random);

	return (struct prf_cpu_timer){
		.tid = tid,
		.user_only = timer->run.user_only,
		.signal = timer->signal,
		.cookie = timer->cookie,
		.first_ns = 1 + (uint64_t)(u * (double)timer->run.period_ns),
		.period_ns = timer->run.period_ns,
	};
}

/* Says why no system call instruction was found in PID. */
static int
explain_no_insn(pid_t pid, struct prf_error *err)
{
	uint64_t vdso;
	int rc = prf_procfs_find_auxv(pid, sizeof(void *), AT_SYSINFO_EHDR,
				      &vdso);

	switch (rc) {
	case -EACCES:
	case -EPERM:
		return prf_error_set(err, -ENOSYS,
				     "it is a program that may not be read");
	case 0:
	case -ENOENT:
		return prf_error_set(err, -ENOSYS, "it has no vDSO");
	default:
		return prf_error_set(err, -ENOSYS,
				     "where its vDSO is cannot be read: %s",
				     strerror(-rc));
	}
}

/* Makes a timer for TASK, whose own id is OWN_TID, by BY: *ID.  Some of ended
 * threads go at the same time, to keep their number from growing. */
static int
make_timer(struct timer_trigger *timer, struct timer_process *its,
	   const struct prf_task *task, pid_t own_tid,
	   const struct prf_stopped *by, int *id, struct prf_error *err)
{
	enum { AT_ONCE = 2 };
	struct prf_cpu_timer made = timer_of(timer, own_tid);
	struct prf_cpu_timer_data data = prf_cpu_timer_data(&made);
	struct prf_injection injection;
	int64_t result = 0;
	int rc = prf_inject_begin(&injection, by->tid, &by->regs,
				  task->process->syscall_insn, &data,
				  sizeof data);

	if (rc)
		return prf_error_set(err, rc,
				     "its stack cannot be written to: %s",
				     strerror(-rc));
	rc = prf_cpu_timer_make(&injection, &made, id, &result);
	/* What is left of them when the time is over goes later. */
	if (!rc && prf_idle_timers_delete(&its->idle, &injection,
					  timer->most_idle, AT_ONCE))
		task->process->untidy = true;
	int rc_end = prf_overdue_or_end(&injection, by->overdue);
	if (rc == -ETIMEDOUT)
		return prf_error_set(err, rc,
				     "a call that it was made to begin did not "
				     "end within a second");
	if (rc == -ECANCELED)
		return prf_error_set(err, rc,
				     "a call of it became a signal: its calls "
				     "may be dispatched to itself");
	if (rc || rc_end)
		return prf_error_set(err, rc ? rc : rc_end,
				     "it could not be made to call: %s",
				     strerror(rc ? -rc : -rc_end));
	/* The call's error (EAGAIN: too many signals may be pending) is not
	 * one of the thread's: it is not dying. */
	if (result)
		return prf_error_set(err, -ENOTSUP,
				     "it could not make a timer: %s",
				     strerror((int)-result));
	return 0;
}

static int
timer_arm(struct prf_trigger *trigger, struct prf_task *task,
	  const struct prf_stopped *by, struct prf_error *err)
{
	struct timer_trigger *timer = (struct timer_trigger *)trigger;
	struct prf_process *process = task->process;
	struct prf_thread_status status;

	if (process->addr_bytes != sizeof(void *))
		return prf_error_set(err, -ENOSYS, "it is a 32-bit program");
	if (!process->syscall_insn)
		return explain_no_insn(process->pid, err);
	struct timer_process *its = keep_process(timer, process);
	PRF_AUTO(prf_auto_free)
	struct timer_thread *thread = calloc(1, sizeof *thread);
	if (!its || !thread)
		return prf_error_set(err, -ENOMEM, "out of memory");
	thread->base.owner = trigger;
	thread->base.free = free_thread;
	/* If TASK is to be stopped later, its own filters decide for now. */
	int rc = check_caller(timer, its, task, by ? by->tid : task->tid,
			      &status, err);
	if (rc)
		return rc;
	if (!by)
		return prf_error_set(err, -EAGAIN, "none of it is stopped");
	rc = make_timer(timer, its, task, status.own_tid, by, &thread->id, err);
	/* No thread is to try that again. */
	if (rc == -ETIMEDOUT || rc == -ECANCELED)
		process->syscall_insn = 0;
	if (rc)
		return rc;
	prf_thread_ticks_begin(&thread->ticks, &timer->run, task,
			       status.sleeps);
	prf_kept_add(&task->kept, &PRF_TAKE(thread)->base);
	return 0;
}

/* Deletes the timers of all threads of PROCESS that TIMER has. */
static int
delete_all(const struct timer_trigger *timer, struct prf_injection *injection,
	   const struct prf_process *process)
{
	int rc = 0;

	for (const struct prf_task *task = process->tasks; task && !rc;
	     task = task->sibling) {
		struct timer_thread *thread = find_thread(timer, task);

		if (!thread || thread->lost)
			continue;
		rc = prf_cpu_timer_delete(injection, thread->id);
		thread->lost = !rc;
	}
	return rc;
}

/* Begins calls that delete timers in PROCESS, by BY.  -ECANCELED: none of its
 * threads can be made to call. */
static int
begin_deleting(const struct timer_trigger *timer,
	       const struct prf_process *process, const struct prf_stopped *by,
	       struct prf_injection *injection)
{
	struct prf_thread_status status;
	struct prf_error why;

	if (!process->syscall_insn)
		return -ECANCELED;
	int rc = check_sandbox(timer, process->pid, by->tid, &status, &why);
	return rc ? rc
		  : prf_inject_begin(injection, by->tid, &by->regs,
				     process->syscall_insn, "", 0);
}

static int
timer_sweep(struct prf_trigger *trigger, struct prf_process *process,
	    const struct prf_stopped *by)
{
	const struct timer_trigger *timer = (struct timer_trigger *)trigger;
	struct timer_process *its = find_process(timer, process);
	struct prf_injection injection;
	int rc = begin_deleting(timer, process, by, &injection);

	if (rc)
		return rc;
	rc = delete_all(timer, &injection, process);
	if (!rc && its)
		rc = prf_idle_timers_delete(&its->ticking, &injection, 0,
					    SIZE_MAX);
	if (!rc && its)
		rc = prf_idle_timers_delete(&its->idle, &injection, 0,
					    SIZE_MAX);
	int rc_end = prf_overdue_or_end(&injection, by->overdue);
	if (rc == -ETIMEDOUT && !rc_end && injection.n_made)
		return -EINPROGRESS;
	return rc ? rc : rc_end;
}

static bool
timer_has_leftovers(const struct prf_trigger *trigger,
		    const struct prf_process *process)
{
	const struct timer_process *its =
		find_process((const struct timer_trigger *)trigger, process);

	return its && its->ticking.n + its->idle.n > 0;
}

/* The timers that still tick go first; so many at once that the thread waits for a
 * moment only. */
static int
delete_some(const struct timer_trigger *timer, struct timer_process *its,
	    struct prf_injection *injection)
{
	enum { AT_ONCE = 16 };

	return its->ticking.n
		       ? prf_idle_timers_delete(&its->ticking, injection, 0,
						AT_ONCE)
		       : prf_idle_timers_delete(&its->idle, injection,
						timer->most_idle, AT_ONCE);
}

/* What failed for RC is tried again, by another thread perhaps; but if that may
 * take a second each time, not for ever. */
static int
note_failure(struct timer_process *its, int rc)
{
	enum { MOST = 3 };

	if (rc == -EPERM || rc == -ESRCH)
		return rc;
	return ++its->n_failures < MOST ? rc : 0;
}

static int
timer_tidy(struct prf_trigger *trigger, struct prf_process *process,
	   const struct prf_stopped *by)
{
	const struct timer_trigger *timer = (struct timer_trigger *)trigger;
	struct timer_process *its = find_process(timer, process);
	struct prf_injection injection;

	if (!its)
		return 0;
	int rc = begin_deleting(timer, process, by, &injection);
	if (rc)
		return note_failure(its, rc);
	rc = delete_some(timer, its, &injection);
	int rc_end = prf_overdue_or_end(&injection, by->overdue);
	if (rc || rc_end)
		return note_failure(its, rc ? rc : rc_end);
	its->n_failures = 0;
	return its->ticking.n || its->idle.n > timer->most_idle ? -EAGAIN : 0;
}

/* The timer stays. */
static void
timer_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	const struct timer_trigger *timer = (struct timer_trigger *)trigger;
	const struct timer_thread *thread = find_thread(timer, task);
	struct timer_process *its = keep_process(timer, task->process);

	if (thread && !thread->lost && its) {
		prf_idle_timers_add(task->holds_ours ? &its->ticking
						     : &its->idle,
				    thread->id);
		task->process->untidy |=
			task->holds_ours || its->idle.n > 2 * timer->most_idle;
	}
	prf_kept_drop(&task->kept, trigger);
}

/* Nothing whole: what is missing is paid for by later samples as long as there
 * are any. */
static uint32_t
timer_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	(void)trigger;
	(void)task;
	return 0;
}

static uint64_t
timer_in_step_ns(struct prf_trigger *trigger, const struct prf_task *task)
{
	struct timer_trigger *timer = (struct timer_trigger *)trigger;
	const struct timer_thread *thread = find_thread(timer, task);

	return thread ? prf_thread_ticks_end(&thread->ticks, &timer->run, task)
		      : 0;
}

static bool
is_ours(const struct timer_trigger *timer, const siginfo_t *info)
{
	return info->si_signo == timer->signal && info->si_code == SI_TIMER &&
	       info->si_value.sival_int == timer->cookie;
}

/* It blocks the signal, which no C library does. */
static bool
timer_cannot_stop(const struct prf_trigger *trigger,
		  const struct prf_thread_status *status)
{
	const struct timer_trigger *timer =
		(const struct timer_trigger *)trigger;

	return status->signals_blocked & (1ULL << (timer->signal - 1));
}

static int
timer_take_back(const struct prf_trigger *trigger,
		const struct prf_process *process, const struct prf_stopped *by)
{
	const struct timer_trigger *timer =
		(const struct timer_trigger *)trigger;
	struct prf_thread_status status;
	siginfo_t info;

	if (!prf_accept_next(by->tid, timer->signal, &info) ||
	    !is_ours(timer, &info))
		return 0;
	int rc = prf_status_read_thread(process->pid, by->tid, &status);
	if (rc)
		return rc;
	/* It is on its way, and is seen when it comes. */
	if (!timer_cannot_stop(trigger, &status))
		return 0;
	if (!process->syscall_insn || !may_call(timer, &status) ||
	    prf_sandbox_dispatches(by->tid))
		return -EPERM;
	return prf_accept(by->tid, process->syscall_insn, timer->signal,
			  by->overdue);
}

/* The signals that wait for the thread itself are few. */
static bool
timer_is_pending(const struct prf_trigger *trigger, const struct prf_task *task)
{
	enum { MOST = 8 };
	const struct timer_trigger *timer =
		(const struct timer_trigger *)trigger;
	struct __ptrace_peeksiginfo_args args = {.nr = MOST};
	siginfo_t infos[MOST];
	long n = ptrace(PTRACE_PEEKSIGINFO, task->tid, &args, infos);

	for (long i = 0; i < n; i++)
		if (is_ours(timer, &infos[i]))
			return true;
	return false;
}

/* Does TASK's process catch the timers' signal?  A program seldom begins to. */
static bool
is_caught(const struct timer_trigger *timer, const struct prf_task *task)
{
	enum { ASK_AFTER_NS = 1000000000 };
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	struct timer_process *its = keep_process(timer, task->process);
	struct prf_thread_status status;

	if (!its)
		return false;
	if ((!its->asked_ns || now_ns - its->asked_ns > ASK_AFTER_NS) &&
	    !prf_status_read_thread(task->process->pid, task->tid, &status)) {
		its->catches =
			status.signals_caught & 1ULL << (timer->signal - 1);
		its->asked_ns = now_ns;
	}
	return its->catches;
}

/* Of a signal that has no queue one waits at most: while ours does, one that the
 * program sends itself is lost.  (The Go runtime sends its threads SIGURG, and
 * waits for ever for a thread that has not got it.)  So a program that catches it
 * is told that there was one, as it is of urgent data, which nobody sees at once
 * either.  Returns the signal to be passed on; 0: none. */
static int
signal_in_place_of_ours(const struct timer_trigger *timer,
			const struct prf_task *task)
{
	siginfo_t info = {.si_signo = timer->signal, .si_code = SI_KERNEL};

	if (timer->signal != ATTACHED_TIMER_SIGNAL || !is_caught(timer, task) ||
	    ptrace(PTRACE_SETSIGINFO, task->tid, NULL, &info))
		return 0;
	return timer->signal;
}

static struct prf_claim
timer_claim(struct prf_trigger *trigger, struct prf_task *task,
	    const struct prf_stop *stop)
{
	struct timer_trigger *timer = (struct timer_trigger *)trigger;
	struct prf_claim none = {0};
	siginfo_t info;

	if (stop->kind != PRF_STOP_SIGNAL || stop->signal != timer->signal)
		return none;
	if (ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info))
		return none;
	if (!is_ours(timer, &info))
		return none;
	/* Periods shorter than the kernel's tick end together, and so do those
	 * that are full by the end of a long system call. */
	return (struct prf_claim){
		.ours = true,
		.ticks = 1 +
			 (uint32_t)(info.si_overrun > 0 ? info.si_overrun : 0),
		.stop_ns = find_thread(timer, task) ? timer->stop_ns : 0,
		.pass_on = signal_in_place_of_ours(timer, task),
	};
}

static uint32_t
timer_weigh(struct prf_trigger *trigger, struct prf_task *task, bool in_call,
	    uint32_t ticks)
{
	struct timer_trigger *timer = (struct timer_trigger *)trigger;
	struct timer_thread *thread = find_thread(timer, task);

	return thread ? prf_thread_ticks_take(&thread->ticks, &timer->run, task,
					      in_call, ticks,
					      prf_random_unit(&timer->random))
		      : ticks;
}

/* A program may delete timers by their numbers, also those that are not its own. */
static bool
timer_has_lost(struct prf_trigger *trigger, struct prf_task *task)
{
	const struct timer_trigger *timer = (struct timer_trigger *)trigger;
	struct timer_thread *thread = find_thread(timer, task);

	if (!thread)
		return false;
	const struct prf_timers_entry ours = {
		.id = thread->id,
		.signal = timer->signal,
		.value = (uint32_t)timer->cookie,
	};
	thread->lost = prf_timers_lacks(task->process->pid, &ours);
	return thread->lost;
}

static int
timer_fd(const struct prf_trigger *trigger)
{
	(void)trigger;
	return -1;
}

static bool
timer_interrupts_calls(void)
{
	return prf_kernel_is_before(prf_arch.timers_wait_since.major,
				    prf_arch.timers_wait_since.minor);
}

const struct prf_trigger_ops prf_trigger_timer = {
	.name = "timer",
	.bound_by_tick = true,
	.interrupts_calls = timer_interrupts_calls,
	.repairs_eintr = true,
	.open = timer_open,
	.close = timer_close,
	.arm = timer_arm,
	.sweep = timer_sweep,
	.has_leftovers = timer_has_leftovers,
	.tidy = timer_tidy,
	.take_back = timer_take_back,
	.forget = timer_forget,
	.unseen = timer_unseen,
	.in_step_ns = timer_in_step_ns,
	.claim = timer_claim,
	.is_pending = timer_is_pending,
	.weigh = timer_weigh,
	.cannot_stop = timer_cannot_stop,
	.has_lost = timer_has_lost,
	.fd = timer_fd,
};
