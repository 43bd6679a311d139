/* A timer on each thread's own CPU clock, made inside the program by two
 * system calls.  Its signal is raised by the thread itself on its way back to
 * user mode (Linux 5.9), so that nothing is cut short, and we see it before it
 * is delivered and take it away: the program never does.
 *
 * Signal 33 is the C library's own: sigfillset leaves it out, so that programs
 * that block all signals do not block it.  A program that does so by hand gets
 * the interrupt trigger. */
#include "live/trigger.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/clock.h"
#include "live/cpu_timer.h"
#include "live/creator.h"
#include "live/inject.h"
#include "live/procfs.h"
#include "live/random.h"
#include "live/status.h"

enum { TIMER_SIGNAL = 33 };

/* Timers of ended threads that a process may keep: to delete one takes two
 * stops.  The kernel counts them against the pending signals that the user may
 * have, so it is a part of these.  Where the program lives on if we die, they
 * may be left for good. */
enum { IDLE_PART = 16, MOST_IDLE = 4096, MOST_IDLE_ATTACHED = 64 };

/* In a program that lives on if we die, timers do, too: there it is one that
 * is ignored unless the program asks for it. */
enum { ATTACHED_TIMER_SIGNAL = SIGURG };

struct timer_trigger {
	struct prf_trigger base;
	uint64_t period_ns, tick_ns;
	bool user_only;
	int signal;
	size_t most_idle; /* timers of ended threads, in each process */
	uint64_t random;
	int cookie; /* in si_value: ours, not a namesake */
	/* How many seccomp filters this process itself runs under: a program
	 * with as many has the same ones. */
	unsigned own_mode, own_filters;
	bool filters_allow; /* and they let timers be made */
};

/* Do the filters that we run under let timers be made?  Tried in a child: an
 * answer may be death. */
static bool
timers_can_be_made(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct sigevent event = {.sigev_notify = SIGEV_NONE};
		struct itimerspec never = {0};
		timer_t timer;

		_exit(timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) ||
		      timer_settime(timer, 0, &never, NULL));
	}
	if (child < 0)
		return false;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* How many timers of ended threads a process may keep. */
static size_t
most_idle(bool attached)
{
	rlim_t most = attached ? MOST_IDLE_ATTACHED : MOST_IDLE;
	struct rlimit pending;

	if (getrlimit(RLIMIT_SIGPENDING, &pending))
		return MOST_IDLE_ATTACHED;
	/* RLIM_INFINITY is the greatest of all. */
	return pending.rlim_cur / IDLE_PART < most
		       ? pending.rlim_cur / IDLE_PART
		       : most;
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
	timer->period_ns = config->period_ns;
	timer->user_only = config->clock == PRF_CLOCK_USER;
	timer->signal = config->attached ? ATTACHED_TIMER_SIGNAL : TIMER_SIGNAL;
	timer->most_idle = most_idle(config->attached);
	timer->random = config->seed;
	timer->cookie = (int)prf_random_next(&timer->random);
	timer->tick_ns = prf_clock_tick_ns();
	if (!prf_thread_status_read(getpid(), getpid(), &own) &&
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
	int rc = prf_thread_status_read(pid, tid, status);

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
check_seccomp(const struct timer_trigger *timer, pid_t pid, pid_t tid,
	      struct prf_thread_status *status, struct prf_error *err)
{
	int rc = read_status(pid, tid, status, err);

	if (rc || may_call(timer, status))
		return rc;
	return prf_error_set(err, -EPERM, "it runs under a seccomp filter");
}

/* May CALLER make a timer for TASK?  Of *STATUS the own id is TASK's. */
static int
check_caller(const struct timer_trigger *timer, const struct prf_task *task,
	     pid_t caller, struct prf_thread_status *status,
	     struct prf_error *err)
{
	if (caller == task->tid && !prf_creator_status_read(task, status) &&
	    may_call(timer, status))
		return 0;
	int rc = check_seccomp(timer, task->process->pid, caller, status, err);
	if (!rc && caller != task->tid)
		rc = read_status(task->process->pid, task->tid, status, err);
	return rc;
}

/* That of thread TID, as its own program numbers it. */
static struct prf_cpu_timer
timer_of(struct timer_trigger *timer, pid_t tid)
{
	double u = prf_random_unit(&timer->random);

	return (struct prf_cpu_timer){
		.tid = tid,
		.user_only = timer->user_only,
		.signal = timer->signal,
		.cookie = timer->cookie,
		.first_ns = prf_first_expiry_ns(timer->period_ns,
						timer->tick_ns, u),
		.period_ns = timer->period_ns,
	};
}

/* Deletes timers of ended threads, until KEPT are left or AT_ONCE are gone. */
static int
delete_idle(struct prf_injection *injection, struct prf_process *process,
	    size_t kept, size_t at_once)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < at_once && process->n_idle_timers > kept;
	     i++)
		rc = prf_cpu_timer_delete(
			injection,
			process->idle_timers[--process->n_idle_timers]);
	return rc;
}

/* Why PID has no instruction for us. */
static int
explain_no_insn(pid_t pid, struct prf_error *err)
{
	uint64_t vdso;
	int rc = prf_process_auxv_find(pid, sizeof(void *), AT_SYSINFO_EHDR,
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

static int
timer_arm(struct prf_trigger *trigger, struct prf_task *task,
	  const struct prf_stopped *by, struct prf_error *err)
{
	struct timer_trigger *timer = (struct timer_trigger *)trigger;
	enum { AT_ONCE = 2 }; /* keep their number from growing */
	struct prf_thread_status status;
	struct prf_injection injection;
	int64_t result = 0;

	if (task->process->addr_bytes != sizeof(void *))
		return prf_error_set(err, -ENOSYS, "it is a 32-bit program");
	if (!task->process->syscall_insn)
		return explain_no_insn(task->process->pid, err);
	/* TASK's own filters speak for it until another calls in its place. */
	int rc = check_caller(timer, task, by ? by->tid : task->tid, &status,
			      err);
	if (rc)
		return rc;
	if (!by)
		return prf_error_set(err, -EAGAIN, "none of it is stopped");

	struct prf_cpu_timer made = timer_of(timer, status.own_tid);
	struct prf_cpu_timer_data data = prf_cpu_timer_data(&made);
	rc = prf_inject_begin(&injection, by->tid, &by->regs,
			      task->process->syscall_insn, &data, sizeof data);
	if (rc)
		return prf_error_set(err, rc,
				     "its stack cannot be written to: %s",
				     strerror(-rc));
	rc = prf_cpu_timer_make(&injection, &made, &task->timer_id, &result);
	if (!rc)
		rc = delete_idle(&injection, task->process, timer->most_idle,
				 AT_ONCE);
	int rc_end = prf_inject_end(&injection);
	if (rc || rc_end)
		return prf_error_set(err, rc ? rc : rc_end,
				     "it could not be made to call: %s",
				     strerror(rc ? -rc : -rc_end));
	/* Whatever the call says (EAGAIN: too many signals may be pending),
	 * it says nothing of the thread. */
	if (result)
		return prf_error_set(err, -ENOTSUP,
				     "it could not make a timer: %s",
				     strerror((int)-result));
	return 0;
}

static int
timer_sweep(struct prf_trigger *trigger, struct prf_process *process,
	    const struct prf_stopped *by)
{
	struct prf_thread_status status;
	struct prf_injection injection;
	struct prf_error why;
	int rc = check_seccomp((struct timer_trigger *)trigger, process->pid,
			       by->tid, &status, &why);

	if (!rc)
		rc = prf_inject_begin(&injection, by->tid, &by->regs,
				      process->syscall_insn, "", 0);
	if (rc)
		return rc;
	for (struct prf_task *task = process->tasks; task && !rc;
	     task = task->sibling)
		if (task->trigger == trigger)
			rc = prf_cpu_timer_delete(&injection, task->timer_id);
	if (!rc)
		rc = delete_idle(&injection, process, 0, SIZE_MAX);
	int rc_end = prf_inject_end(&injection);
	return rc ? rc : rc_end;
}

static int
timer_tidy(struct prf_trigger *trigger, struct prf_process *process,
	   const struct prf_stopped *by)
{
	const struct timer_trigger *timer = (struct timer_trigger *)trigger;
	enum { AT_ONCE = 16 }; /* keep a thread waiting for a moment only */
	struct prf_thread_status status;
	struct prf_injection injection;
	struct prf_error why;
	int rc = check_seccomp(timer, process->pid, by->tid, &status, &why);

	if (!rc)
		rc = prf_inject_begin(&injection, by->tid, &by->regs,
				      process->syscall_insn, "", 0);
	if (rc)
		return rc;
	/* The last one first: it may be a live thread's. */
	rc = delete_idle(&injection, process, 0, AT_ONCE);
	process->untidy = process->n_idle_timers > timer->most_idle;
	int rc_end = prf_inject_end(&injection);
	return rc ? rc : rc_end;
}

/* The timer stays.  (Without memory to remember it, it stays for good.) */
static void
timer_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	const struct timer_trigger *timer = (struct timer_trigger *)trigger;
	struct prf_process *process = task->process;

	if (process->n_idle_timers == process->idle_timers_room) {
		size_t room = 2 * process->idle_timers_room + 16;
		int *grown =
			reallocarray(process->idle_timers, room, sizeof *grown);
		if (!grown)
			return;
		process->idle_timers = grown;
		process->idle_timers_room = room;
	}
	process->idle_timers[process->n_idle_timers++] = task->timer_id;
	process->untidy |= process->n_idle_timers > 2 * timer->most_idle;
}

/* What has expired comes with the stops; the rest is less than a period, but
 * for the kernel's tick. */
static uint32_t
timer_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	(void)trigger;
	(void)task;
	return 0;
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
	if (info.si_code != SI_TIMER ||
	    info.si_value.sival_int != timer->cookie)
		return none;
	/* The kernel looks at the timer at its own tick, or not before the end
	 * of a long system call: periods missed meanwhile are the overrun. */
	uint32_t ticks =
		1 + (uint32_t)(info.si_overrun > 0 ? info.si_overrun : 0);
	if (!task->ticks)
		ticks = prf_first_ticks(timer->period_ns, timer->tick_ns, ticks,
					prf_random_unit(&timer->random));
	return (struct prf_claim){.ours = true, .ticks = ticks};
}

/* It blocks the signal, as no C library does. */
static bool
timer_is_deaf(const struct prf_trigger *trigger,
	      const struct prf_thread_status *status)
{
	const struct timer_trigger *timer =
		(const struct timer_trigger *)trigger;

	return status->signals_blocked & (1ULL << (timer->signal - 1));
}

static int
timer_fd(const struct prf_trigger *trigger)
{
	(void)trigger;
	return -1;
}

const struct prf_trigger_ops prf_trigger_timer = {
	.name = "timer",
	.help = "a CPU timer of each thread, made inside the program",
	.repairs_eintr = true,
	.open = timer_open,
	.close = timer_close,
	.arm = timer_arm,
	.sweep = timer_sweep,
	.tidy = timer_tidy,
	.forget = timer_forget,
	.unseen = timer_unseen,
	.claim = timer_claim,
	.is_deaf = timer_is_deaf,
	.fd = timer_fd,
};
