/* perf's task clock on each thread.  It needs a permission that many
 * machines do not give, but it is not bound to the kernel's tick: samples
 * come at any rate and at random times, so that no program can run in step
 * with them.
 *
 * The signal is a SIGTRAP with our cookie.  A thread that blocks SIGTRAP is
 * not stopped by it, and may accept it: one, since the clock stands still then.
 * Once that is found out, the thread is stopped a last time by signal 33, which
 * C libraries let no program block, and given to another trigger.
 *
 * The clock is an alarm and no more.  What time it is, the scheduler knows:
 * that goes on when the clock stands still, and does not leave out the time of
 * switching from thread to thread. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "core/sample.h"
#include "live/proc/clock.h"
#include "live/proc/descriptor.h"
#include "live/kept.h"
#include "live/trigger/gaps.h"
#include "live/random.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "live/stopped/accept.h"
#include "live/stopped/sandbox.h"
#include "live/trigger/stop_cost.h"
#include "live/trigger/taskclock.h"
#include "live/trigger/trigger_list.h"

enum { CALL_SIGNAL = 33 };

enum { PACE_CLAIMS = 64 }; /* after so many, gaps keep pace */

/* How long a thread waits for its turn is looked at after every so many samples
 * of it, for the first time after FIRST_TIMED_CLAIM. */
enum { TIMED_CLAIMS = 32, FIRST_TIMED_CLAIM = 8 };

struct perf_trigger {
	struct prf_trigger base;
	struct prf_gaps gaps;
	bool user_only;
	bool once; /* clocks stand still after each signal */
	uint64_t cookie;
	uint64_t stop_ns; /* that a stop usually takes; 0: that is let be */
	unsigned n_claims;
};

/* What is kept for a thread. */
struct perf_thread {
	struct prf_kept base;
	int fd;       /* its task clock */
	int times_fd; /* its schedstat, or -1 */
	struct prf_own_time own;
	uint64_t fires_ns; /* when the clock is to stop it */
	uint64_t n_slices; /* that it had when the clock was started */
	struct prf_stop_cost stops;
	unsigned n_claims;
	struct prf_gap gap; /* up to its next sample */
	bool asked_to_stop; /* a last stop has been asked for */
};

/* The siginfo of perf's signal, as the kernel lays it out. */
struct trap_abi {
	int32_t signal, error, code, padding;
	uint64_t addr, data;
};
enum { TRAP_CODE = 6 };

static void
perf_close(struct prf_trigger *trigger)
{
	free(trigger);
}

static struct prf_taskclock_config
clock_config(const struct perf_trigger *perf, uint64_t period_ns)
{
	return (struct prf_taskclock_config){
		.period_ns = period_ns,
		.cookie = perf->cookie,
		.user_only = perf->user_only,
		.once = perf->once,
	};
}

/* May we open such a clock?  One for this thread shows it. */
static int
try_clock(struct perf_trigger *perf, struct prf_error *err)
{
	struct prf_taskclock_config config =
		clock_config(perf, perf->gaps.period_ns);
	int fd;

	config.disabled = true;
	int rc = prf_taskclock_open(0, &config, &fd, err);
	if (rc)
		return rc;
	close(fd);
	enum prf_taskclock_blocked blocked = prf_taskclock_try_blocked();
	perf->once = blocked == PRF_TASKCLOCK_WAITS;
	if (blocked == PRF_TASKCLOCK_KILLS)
		return prf_error_set(err, -EPERM,
				     "perf_event_open: its signal would kill "
				     "on this kernel (before Linux 5.18)");
	return 0;
}

/* (Where we are not killed but let go, it is no better: a clock that expires in
 * a system call can raise its signal when that returns, and has been closed long
 * before.) */
static int
perf_open(const struct prf_trigger_config *config, struct prf_trigger **out,
	  struct prf_error *err)
{
	if (config->attached)
		return prf_error_set(err, -ENOTSUP,
				     "its signal would kill a program that "
				     "lives on when profrun is killed");
	struct perf_trigger *perf = calloc(1, sizeof *perf);
	if (!perf)
		return prf_error_set(err, -ENOMEM, "out of memory");
	perf->base.ops = &prf_trigger_perf;
	prf_gaps_init(&perf->gaps, config->period_ns, config->seed);
	perf->user_only = config->clock == PRF_CLOCK_USER;
	perf->cookie = prf_random_next(&perf->gaps.random);
	perf->stop_ns = config->stop_ns;
	int rc = try_clock(perf, err);
	if (rc) {
		perf_close(&perf->base);
		return rc;
	}
	*out = &perf->base;
	return 0;
}

static struct perf_thread *
thread_of(const struct prf_trigger *trigger, const struct prf_task *task)
{
	return (struct perf_thread *)prf_kept_find(task->kept, trigger);
}

static void
free_thread(struct prf_kept *kept)
{
	const struct perf_thread *thread = (struct perf_thread *)kept;

	close(thread->fd);
	if (thread->times_fd >= 0)
		close(thread->times_fd);
	free(kept);
}

static void
perf_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	prf_kept_drop(&task->kept, trigger);
}

/* *FD is a clock for TASK, which stops it for the first time after FIRST_NS. */
static int
open_clock(const struct perf_trigger *perf, const struct prf_task *task,
	   uint64_t first_ns, int *fd, struct prf_error *err)
{
	const struct prf_taskclock_config config = clock_config(perf, first_ns);
	int rc = prf_taskclock_open(task->tid, &config, fd, err);

	if (rc || !prf_descriptor_is_one_too_many(*fd))
		return rc;
	close(*fd);
	return prf_error_set(err, -EMFILE, "too many files are open");
}

/* TASK's schedstat, which is read at each sample; -1: it is opened each time. */
static int
open_times(const struct prf_task *task)
{
	int fd = prf_schedstat_open(task->process->pid, task->tid);

	if (fd < 0 || !prf_descriptor_is_one_too_many(fd))
		return fd < 0 ? -1 : fd;
	close(fd);
	return -1;
}

/* For how long THREAD, which is stopped at NOW_NS, is to run, with the way
 * back from the stop. */
static uint64_t
run_until_next(struct perf_thread *thread, uint64_t now_ns)
{
	uint64_t run_ns = prf_gaps_wait_ns(&thread->gap, now_ns) +
			  prf_stop_cost_back_ns(&thread->stops);

	thread->fires_ns = now_ns + run_ns;
	return run_ns;
}

static int
perf_arm(struct prf_trigger *trigger, struct prf_task *task,
	 const struct prf_stopped *by, struct prf_error *err)
{
	struct perf_trigger *perf = (struct perf_trigger *)trigger;
	struct prf_schedstat times;

	(void)by;
	int rc = prf_schedstat_read(task->process->pid, task->tid, &times);
	if (rc)
		return prf_error_set(err, rc == -ENOENT ? -ESRCH : rc,
				     "its CPU time cannot be read");
	struct perf_thread *thread = calloc(1, sizeof *thread);
	if (!thread)
		return prf_error_set(err, -ENOMEM, "out of memory");
	thread->base.owner = trigger;
	thread->base.free = free_thread;
	thread->own.born_cpu_ns = times.cpu_ns;
	thread->gap = prf_gaps_begin(&perf->gaps);
	thread->gap.waited_ns = times.waited_ns;
	thread->n_slices = times.n_slices;
	thread->stops = prf_stop_cost_new(perf->stop_ns);
	rc = open_clock(perf, task, run_until_next(thread, 0), &thread->fd,
			err);
	if (rc) {
		free(thread);
		return rc;
	}
	thread->times_fd = open_times(task);
	prf_kept_add(&task->kept, &thread->base);
	return 0;
}

/* The clocks are ours, and end with their descriptors. */
static int
perf_sweep(struct prf_trigger *trigger, struct prf_process *process,
	   const struct prf_stopped *by)
{
	(void)by;
	for (struct prf_task *task = process->tasks; task; task = task->sibling)
		if (task->trigger == trigger)
			perf_forget(trigger, task);
	return 0;
}

static int
read_times(const struct prf_task *task, const struct perf_thread *thread,
	   struct prf_schedstat *times)
{
	return thread->times_fd < 0
		       ? prf_schedstat_read(task->process->pid, task->tid,
					    times)
		       : prf_schedstat_pread(thread->times_fd, times);
}

/* How far THREAD, which does not run, has come at TIMES.  That counts
 * the kernel's time too, so user time alone has a clock that is made up:
 * each sample comes when it is due. (A gap that ends in the kernel is
 * followed by another of the same length.) */
static uint64_t
clock_at(const struct perf_trigger *perf, const struct perf_thread *thread,
	 const struct prf_schedstat *times)
{
	if (perf->user_only)
		return thread->gap.due_ns;
	return prf_own_time_ns(&thread->own, times->cpu_ns);
}

/* Notes now and then whether THREAD has a processor to itself. */
static void
note_waits(const struct perf_trigger *perf, struct perf_thread *thread,
	   const struct prf_schedstat *times)
{
	/* The first time comes soon. */
	if (thread->n_claims % TIMED_CLAIMS == FIRST_TIMED_CLAIM)
		prf_gaps_note_waits(&perf->gaps, &thread->gap, times->waited_ns,
				    thread->n_claims < TIMED_CLAIMS
					    ? thread->n_claims
					    : TIMED_CLAIMS);
}

static void
keep_pace(struct perf_trigger *perf)
{
	if (perf->n_claims++ % PACE_CLAIMS == 0)
		prf_gaps_keep_pace(&perf->gaps, prf_clock_ns(CLOCK_MONOTONIC),
				   prf_clock_ns(CLOCK_THREAD_CPUTIME_ID));
}

/* Is it our SIGTRAP, not one of a clock or a breakpoint of the program's? */
static bool
is_our_trap(const struct perf_trigger *perf, const siginfo_t *info)
{
	struct trap_abi trap;

	memcpy(&trap, info, sizeof trap);
	return trap.signal == SIGTRAP && trap.code == TRAP_CODE &&
	       trap.data == perf->cookie;
}

/* A child that clone(2) made can end by the same number: it has the code of
 * POLL_IN, and its status where the descriptor is. */
static bool
is_our_call(const struct perf_thread *thread, const siginfo_t *info)
{
	bool is_poll = (info->si_code == POLL_IN &&
			info->si_band == (POLLIN | POLLRDNORM)) ||
		       (info->si_code == POLL_HUP &&
			info->si_band == (POLLHUP | POLLERR));

	return thread && thread->asked_to_stop &&
	       info->si_signo == CALL_SIGNAL && is_poll &&
	       info->si_fd == thread->fd;
}

/* What this stop takes of THREAD's time.  It is late by the way into the stop,
 * or by what is left of a system call, or by switches to other threads. */
static uint64_t
cost_of_stop(const struct perf_trigger *perf, const struct prf_task *task,
	     struct perf_thread *thread, const struct prf_schedstat *times)
{
	struct prf_regs regs;

	if (perf->user_only)
		return prf_stop_cost_usual_ns(&thread->stops);
	uint64_t now_ns = clock_at(perf, thread, times);
	uint64_t late_ns =
		now_ns > thread->fires_ns ? now_ns - thread->fires_ns : 0;
	bool in_one_go = times->n_slices <= thread->n_slices + 1;
	bool in_user_mode = !prf_arch.read(task->tid, &regs) &&
			    regs.syscall == PRF_NO_SYSCALL;

	return prf_stop_cost_note(&thread->stops, late_ns,
				  in_one_go && in_user_mode);
}

/* Leaves that out of THREAD's clock.  (Of the user's time it is no part.) */
static uint64_t
leave_out_stop(const struct perf_trigger *perf, const struct prf_task *task,
	       struct perf_thread *thread, const struct prf_schedstat *times)
{
	if (!perf->stop_ns)
		return 0;
	uint64_t stop_ns = cost_of_stop(perf, task, thread, times);

	if (perf->user_only)
		return stop_ns;
	return prf_own_time_leave_out(&thread->own, times->cpu_ns, stop_ns);
}

/* How many ticks TASK's sample is worth.  Sets the time of the next one. */
static uint32_t
take_ticks(struct perf_trigger *perf, const struct prf_task *task,
	   struct perf_thread *thread, uint64_t *stop_ns)
{
	struct prf_schedstat times;

	if (read_times(task, thread, &times))
		return 0;
	*stop_ns = leave_out_stop(perf, task, thread, &times);
	thread->n_claims++;
	note_waits(perf, thread, &times);
	uint64_t now_ns = clock_at(perf, thread, &times);
	uint32_t ticks = prf_gaps_take(&perf->gaps, &thread->gap, now_ns);

	thread->n_slices = times.n_slices;
	prf_taskclock_restart(thread->fd, run_until_next(thread, now_ns),
			      perf->once);
	keep_pace(perf);
	return ticks;
}

static struct prf_claim
perf_claim(struct prf_trigger *trigger, struct prf_task *task,
	   const struct prf_stop *stop)
{
	struct perf_trigger *perf = (struct perf_trigger *)trigger;
	struct perf_thread *thread = thread_of(trigger, task);
	struct prf_claim claim = {0};
	siginfo_t info;

	if (stop->kind != PRF_STOP_SIGNAL ||
	    (stop->signal != SIGTRAP && stop->signal != CALL_SIGNAL) ||
	    ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info))
		return claim;
	claim.hand_over = is_our_call(thread, &info);
	claim.ours = claim.hand_over || is_our_trap(perf, &info);
	if (claim.ours && thread)
		claim.ticks = take_ticks(perf, task, thread, &claim.stop_ns);
	return claim;
}

/* What a sample now would be worth.  The random numbers that this draws are
 * forgotten. */
static uint32_t
perf_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	const struct perf_trigger *perf = (const struct perf_trigger *)trigger;
	const struct perf_thread *thread = thread_of(trigger, task);
	struct prf_schedstat times;

	if (perf->user_only || !thread || read_times(task, thread, &times))
		return 0;
	struct prf_gaps gaps = perf->gaps;
	struct prf_gap gap = thread->gap;

	return prf_gaps_take(&gaps, &gap, clock_at(perf, thread, &times));
}

static bool
perf_cannot_stop(const struct prf_trigger *trigger,
		 const struct prf_thread_status *status)
{
	(void)trigger;
	return status->signals_blocked & (1ULL << (SIGTRAP - 1));
}

/* (A thread with a filter of its own might be killed for the call.) */
static void
perf_take_back(const struct prf_trigger *trigger,
	       const struct prf_process *process, const struct prf_stopped *by)
{
	const struct perf_trigger *perf = (const struct perf_trigger *)trigger;
	struct prf_thread_status status;
	siginfo_t info;

	if (process->syscall_insn && prf_accept_next(by->tid, SIGTRAP, &info) &&
	    is_our_trap(perf, &info) &&
	    !prf_status_read_thread(process->pid, by->tid, &status) &&
	    perf_cannot_stop(trigger, &status) &&
	    !prf_sandbox_is_own(process->pid, by->tid))
		prf_accept(by->tid, process->syscall_insn, SIGTRAP);
}

/* By a clock that expires in user mode, where the signal can interrupt no
 * call. */
static int
perf_stop_once_more(struct prf_trigger *trigger, struct prf_task *task)
{
	struct perf_thread *thread = thread_of(trigger, task);
	const struct prf_taskclock_config config = {
		.period_ns = PRF_TASKCLOCK_USER_NS,
		.user_only = true,
		.silent = true,
		.disabled = true,
	};
	struct prf_thread_status status;
	int fd;

	/* Only once: the signal may be on its way. */
	if (!thread || thread->asked_to_stop)
		return 0;
	int rc = prf_status_read_thread(task->process->pid, task->tid, &status);
	if (rc)
		return rc;
	if (status.signals_blocked & (1ULL << (CALL_SIGNAL - 1)))
		return -EPERM;
	rc = prf_taskclock_open(task->tid, &config, &fd, NULL);
	if (rc)
		return rc;
	close(thread->fd);
	thread->fd = fd;
	thread->asked_to_stop = true;
	return prf_taskclock_send_once(fd, task->tid, CALL_SIGNAL);
}

/* Where the program has accepted the signal, the clock still stands. */
static bool
perf_has_lost(struct prf_trigger *trigger, struct prf_task *task)
{
	const struct perf_trigger *perf = (struct perf_trigger *)trigger;
	const struct perf_thread *thread = thread_of(trigger, task);

	if (thread && perf->once && !thread->asked_to_stop)
		prf_taskclock_restart(thread->fd, PRF_TASKCLOCK_MIN_NS, true);
	return false;
}

static int
perf_fd(const struct prf_trigger *trigger)
{
	(void)trigger;
	return -1;
}

const struct prf_trigger_ops prf_trigger_perf = {
	.name = "perf",
	.help = "perf's task clock of each thread, where that is allowed",
	.best_below_tick = true,
	.interrupts_calls = prf_taskclock_interrupts,
	.repairs_eintr = true,
	.open = perf_open,
	.close = perf_close,
	.arm = perf_arm,
	.sweep = perf_sweep,
	.forget = perf_forget,
	.unseen = perf_unseen,
	.claim = perf_claim,
	.cannot_stop = perf_cannot_stop,
	.take_back = perf_take_back,
	.has_lost = perf_has_lost,
	.stop_once_more = perf_stop_once_more,
	.fd = perf_fd,
};
