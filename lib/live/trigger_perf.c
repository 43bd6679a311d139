/* perf's task clock on each thread.  It needs a permission that many machines
 * do not give, but it is bound to no tick: looks come at any rate and at random
 * times, so that no program can be in step with them.
 *
 * The signal is a SIGTRAP with our cookie.  A thread that blocks SIGTRAP is not
 * stopped by it; once that is found out, it is called in by signal 33, which C
 * libraries let nobody block, to be handed over to another trigger. */
#include "live/trigger.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "live/clock.h"
#include "live/descriptor.h"
#include "live/gaps.h"
#include "live/random.h"
#include "live/schedstat.h"
#include "live/status.h"
#include "live/taskclock.h"

enum { CALL_SIGNAL = 33 };

enum { PACE_CLAIMS = 64 }; /* after so many, gaps keep pace */

/* The task clock leaves out what it takes to switch from thread to thread, and
 * does not tell how long a thread waits for its turn: every so many looks at one,
 * the kernel is asked, first after these. */
enum { TIMED_CLAIMS = 32, FIRST_TIMED_CLAIM = 8 };

struct perf_trigger {
	struct prf_trigger base;
	struct prf_gaps gaps;
	bool user_only;
	uint64_t cookie;
	unsigned n_claims;
};

/* What a siginfo of perf's says, as the kernel lays it out. */
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
	};
}

/* Can we have such a clock, one of our own as well as any? */
static int
try_clock(const struct perf_trigger *perf, struct prf_error *err)
{
	struct prf_taskclock_config config =
		clock_config(perf, perf->gaps.period_ns);
	int fd;

	config.disabled = true;
	int rc = prf_taskclock_open(0, &config, &fd, err);
	if (rc)
		return rc;
	close(fd);
	if (!prf_taskclock_may_be_blocked())
		return prf_error_set(err, -EPERM,
				     "perf_event_open: its signal would kill "
				     "on this kernel (before Linux 5.18)");
	return 0;
}

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
	int rc = try_clock(perf, err);
	if (rc) {
		perf_close(&perf->base);
		return rc;
	}
	*out = &perf->base;
	return 0;
}

static void
perf_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	(void)trigger;
	if (task->perf_fd >= 0)
		close(task->perf_fd);
	task->perf_fd = -1;
}

static int
perf_arm(struct prf_trigger *trigger, struct prf_task *task,
	 const struct prf_stopped *by, struct prf_error *err)
{
	struct perf_trigger *perf = (struct perf_trigger *)trigger;
	struct prf_thread_times times;

	(void)by;
	task->clock_base_ns = 0;
	task->n_claims = 0;
	task->called_in = false;
	int rc = prf_thread_times_read(task->process->pid, task->tid, &times);
	if (rc)
		return prf_error_set(err, rc == -ENOENT ? -ESRCH : rc,
				     "its CPU time cannot be read");
	task->born_cpu_ns = times.cpu_ns;
	task->gap = prf_gaps_begin(&perf->gaps);
	task->gap.waited_ns = times.waited_ns;
	const struct prf_taskclock_config config =
		clock_config(perf, prf_gaps_wait_ns(&task->gap, 0));
	rc = prf_taskclock_open(task->tid, &config, &task->perf_fd, err);
	if (rc || !prf_descriptor_is_one_too_many(task->perf_fd))
		return rc;
	perf_forget(trigger, task);
	return prf_error_set(err, -EMFILE, "too many files are open");
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

/* How far TASK has come: the task clock, which stands still.  That counts the
 * kernel's time too, so user time alone has a clock that is made up: each look
 * comes when it is due.  (A gap that ends in the kernel is followed by another
 * of the same length.) */
static bool
read_clock(const struct perf_trigger *perf, const struct prf_task *task,
	   uint64_t *now_ns)
{
	uint64_t counted_ns = 0;

	if (perf->user_only) {
		*now_ns = task->gap.due_ns;
		return true;
	}
	if (prf_taskclock_read(task->perf_fd, &counted_ns))
		return false;
	*now_ns = task->clock_base_ns + counted_ns;
	return true;
}

/* The first time soon. */
static bool
is_to_be_timed(const struct prf_task *task)
{
	return task->n_claims % TIMED_CLAIMS == FIRST_TIMED_CLAIM;
}

/* Puts right what the task clock, at *NOW_NS, has left out by now, and notes
 * whether the thread has a processor to itself. */
static void
ask_kernel(const struct perf_trigger *perf, struct prf_task *task,
	   uint64_t *now_ns)
{
	struct prf_thread_times times;

	if (!is_to_be_timed(task) ||
	    prf_thread_times_read(task->process->pid, task->tid, &times))
		return;
	prf_gaps_note_waits(&perf->gaps, &task->gap, times.waited_ns,
			    task->n_claims < TIMED_CLAIMS ? task->n_claims
							  : TIMED_CLAIMS);
	if (perf->user_only)
		return;
	task->clock_base_ns += times.cpu_ns - task->born_cpu_ns - *now_ns;
	*now_ns = times.cpu_ns - task->born_cpu_ns;
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

static bool
is_our_call(const struct prf_task *task, const siginfo_t *info)
{
	return info->si_signo == CALL_SIGNAL && task->perf_fd >= 0 &&
	       (info->si_code == POLL_IN || info->si_code == POLL_HUP) &&
	       info->si_fd == task->perf_fd;
}

static struct prf_claim
perf_claim(struct prf_trigger *trigger, struct prf_task *task,
	   const struct prf_stop *stop)
{
	struct perf_trigger *perf = (struct perf_trigger *)trigger;
	struct prf_claim claim = {0};
	uint64_t now_ns;
	siginfo_t info;

	if (stop->kind != PRF_STOP_SIGNAL ||
	    (stop->signal != SIGTRAP && stop->signal != CALL_SIGNAL) ||
	    ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info))
		return claim;
	claim.hand_over = is_our_call(task, &info);
	claim.ours = claim.hand_over || is_our_trap(perf, &info);
	if (!claim.ours || task->perf_fd < 0 ||
	    !read_clock(perf, task, &now_ns))
		return claim;
	task->n_claims++;
	ask_kernel(perf, task, &now_ns);
	claim.ticks = prf_gaps_take(&perf->gaps, &task->gap, now_ns);
	prf_taskclock_restart(task->perf_fd,
			      prf_gaps_wait_ns(&task->gap, now_ns));
	keep_pace(perf);
	return claim;
}

/* What it would have had a look for on its way out.  What is drawn for this
 * alone is forgotten. */
static uint32_t
perf_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	const struct perf_trigger *perf = (const struct perf_trigger *)trigger;
	uint64_t now_ns;

	if (perf->user_only || task->perf_fd < 0 ||
	    !read_clock(perf, task, &now_ns))
		return 0;
	struct prf_gaps gaps = perf->gaps;
	struct prf_gap gap = task->gap;

	return prf_gaps_take(&gaps, &gap, now_ns);
}

static bool
perf_is_deaf(const struct prf_trigger *trigger,
	     const struct prf_thread_status *status)
{
	(void)trigger;
	return status->signals_blocked & (1ULL << (SIGTRAP - 1));
}

/* By a clock that ends in user mode: from there, the signal can cut nothing
 * short. */
static int
perf_call_in(struct prf_trigger *trigger, struct prf_task *task)
{
	struct perf_trigger *perf = (struct perf_trigger *)trigger;
	const struct prf_taskclock_config config = {
		.period_ns = PRF_TASKCLOCK_USER_NS,
		.user_only = true,
		.silent = true,
		.disabled = true,
	};
	struct prf_thread_status status;
	uint64_t now_ns;
	int fd;

	/* Once: the signal may be on its way. */
	if (task->called_in)
		return 0;
	int rc = prf_thread_status_read(task->process->pid, task->tid, &status);
	if (rc)
		return rc;
	if (status.signals_blocked & (1ULL << (CALL_SIGNAL - 1)))
		return -EPERM;
	rc = prf_taskclock_open(task->tid, &config, &fd, NULL);
	if (rc)
		return rc;
	/* The new clock goes on where that one was. */
	if (!perf->user_only && read_clock(perf, task, &now_ns))
		task->clock_base_ns = now_ns;
	close(task->perf_fd);
	task->perf_fd = fd;
	task->called_in = true;
	return prf_taskclock_send_once(fd, task->tid, CALL_SIGNAL);
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
	.repairs_eintr = true,
	.open = perf_open,
	.close = perf_close,
	.arm = perf_arm,
	.sweep = perf_sweep,
	.forget = perf_forget,
	.unseen = perf_unseen,
	.claim = perf_claim,
	.is_deaf = perf_is_deaf,
	.call_in = perf_call_in,
	.fd = perf_fd,
};
