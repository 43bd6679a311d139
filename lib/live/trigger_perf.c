/* perf's task clock on each thread.  It needs a permission that many machines
 * do not give, but it is bound to no tick: looks come at any rate and at random
 * times, so that no program can be in step with them.
 *
 * A thread's CPU time is cut into cells of one period, and each cell has one
 * look, at a random place in it.  So each place of the program has the same
 * chance, ticks add up to the CPU time, and a thread shorter than a period is
 * seen as often as its length says.
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
#include "live/procfs.h"
#include "live/random.h"
#include "live/taskclock.h"

enum { CALL_SIGNAL = 33 };

/* Looks closer together than the least gap are put off; the gap grows while
 * the tracer is busy for more than half of the time, or it would let no thread
 * come on. */
enum {
	LEAST_GAP_NS = 2 * PRF_TASKCLOCK_MIN_NS,
	GREATEST_GAP_NS = 10000000,
	PACE_CLAIMS = 64, /* after so many it is looked into */
};

struct perf_trigger {
	struct prf_trigger base;
	uint64_t period_ns;
	bool user_only;
	uint64_t random, cookie;
	/* The pace. */
	uint64_t gap_ns;
	unsigned claims;
	uint64_t wall_ns, own_cpu_ns; /* when they were last looked into */
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
		clock_config(perf, perf->period_ns);
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
	struct perf_trigger *perf = calloc(1, sizeof *perf);

	if (!perf)
		return prf_error_set(err, -ENOMEM, "out of memory");
	perf->base.ops = &prf_trigger_perf;
	perf->period_ns = config->period_ns;
	perf->user_only = config->clock == PRF_CLOCK_USER;
	perf->random = config->seed;
	perf->cookie = prf_random_next(&perf->random);
	perf->gap_ns = LEAST_GAP_NS;
	if (try_clock(perf, err)) {
		perf_close(&perf->base);
		return -EPERM;
	}
	*out = &perf->base;
	return 0;
}

/* A place in the next cell. */
static uint64_t
draw_place(struct perf_trigger *perf)
{
	return (uint64_t)(prf_random_unit(&perf->random) *
			  (double)perf->period_ns);
}

static int
perf_arm(struct prf_trigger *trigger, struct prf_task *task,
	 const struct prf_regs *regs, struct prf_error *err)
{
	struct perf_trigger *perf = (struct perf_trigger *)trigger;

	(void)regs;
	task->charged_ns = 0;
	task->called_in = false;
	task->place_ns = draw_place(perf);
	task->gap_end_ns = task->place_ns;
	const struct prf_taskclock_config config =
		clock_config(perf, task->place_ns + 1);
	return prf_taskclock_open(task->tid, &config, &task->perf_fd, err);
}

static void
perf_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	(void)trigger;
	if (task->perf_fd >= 0)
		close(task->perf_fd);
	task->perf_fd = -1;
	task->charged_ns = 0;
}

/* How far TASK has come: the task clock, which stands still.  That counts the
 * kernel's time too, so user time alone has a clock that is made up: each look
 * stands for the gap before it.  (A gap that ends in the kernel is followed by
 * another of the same length.) */
static bool
read_clock(const struct perf_trigger *perf, const struct prf_task *task,
	   uint64_t *now_ns)
{
	*now_ns = task->gap_end_ns;
	return perf->user_only || !prf_taskclock_read(task->perf_fd, now_ns);
}

/* How many cells' places has TASK reached at NOW_NS that were not charged? */
static uint32_t
charge(struct perf_trigger *perf, struct prf_task *task, uint64_t now_ns)
{
	/* A cell that has had its look may not be over: then this is below
	 * zero. */
	int64_t run_ns = (int64_t)(now_ns - task->charged_ns);
	uint64_t cells = 0;

	if (run_ns < (int64_t)task->place_ns)
		return 0;
	do {
		uint64_t over = (uint64_t)run_ns / perf->period_ns;
		uint64_t passed = over ? over : 1;

		cells += passed;
		task->charged_ns += passed * perf->period_ns;
		task->place_ns = draw_place(perf);
		run_ns = (int64_t)(now_ns - task->charged_ns);
	} while (run_ns >= (int64_t)task->place_ns);
	return cells > UINT32_MAX ? UINT32_MAX : (uint32_t)cells;
}

/* The clock is set for the next place, but not too soon. */
static void
set_clock(struct perf_trigger *perf, struct prf_task *task, uint64_t now_ns)
{
	uint64_t gap_ns = task->charged_ns + task->place_ns - now_ns;

	if (gap_ns < perf->gap_ns)
		gap_ns = (uint64_t)((1 + prf_random_unit(&perf->random)) *
				    (double)perf->gap_ns);
	task->gap_end_ns = now_ns + gap_ns;
	prf_taskclock_restart(task->perf_fd, gap_ns);
}

static void
keep_pace(struct perf_trigger *perf)
{
	if (perf->claims++ % PACE_CLAIMS)
		return;
	uint64_t wall_ns = prf_clock_ns(CLOCK_MONOTONIC);
	uint64_t own_cpu_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t passed_ns = wall_ns - perf->wall_ns;
	uint64_t busy_ns = own_cpu_ns - perf->own_cpu_ns;

	if (busy_ns > passed_ns / 2 && perf->gap_ns < GREATEST_GAP_NS)
		perf->gap_ns *= 2;
	else if (busy_ns < passed_ns / 4 && perf->gap_ns > LEAST_GAP_NS)
		perf->gap_ns /= 2;
	perf->wall_ns = wall_ns;
	perf->own_cpu_ns = own_cpu_ns;
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
	claim.ticks = charge(perf, task, now_ns);
	set_clock(perf, task, now_ns);
	keep_pace(perf);
	return claim;
}

/* Places that it reached on its way out. */
static uint32_t
perf_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	const struct perf_trigger *perf = (const struct perf_trigger *)trigger;
	uint64_t now_ns;

	if (perf->user_only || task->perf_fd < 0 ||
	    !read_clock(perf, task, &now_ns))
		return 0;
	int64_t run_ns = (int64_t)(now_ns - task->charged_ns);
	if (run_ns < (int64_t)task->place_ns)
		return 0;
	uint64_t cells = (uint64_t)run_ns / perf->period_ns;

	return cells > UINT32_MAX ? UINT32_MAX : cells ? (uint32_t)cells : 1;
}

static bool
perf_is_deaf(const struct prf_thread_status *status)
{
	return status->signals_blocked & (1ULL << (SIGTRAP - 1));
}

/* By a clock that ends in user mode: from there, the signal can cut nothing
 * short. */
static int
perf_call_in(struct prf_trigger *trigger, struct prf_task *task)
{
	struct perf_trigger *perf = (struct perf_trigger *)trigger;
	const struct prf_taskclock_config config = {
		.period_ns = PRF_TASKCLOCK_MIN_NS,
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
	/* The new clock starts at zero. */
	if (!perf->user_only && read_clock(perf, task, &now_ns))
		task->charged_ns -= now_ns;
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
	.open = perf_open,
	.close = perf_close,
	.arm = perf_arm,
	.forget = perf_forget,
	.unseen = perf_unseen,
	.claim = perf_claim,
	.is_deaf = perf_is_deaf,
	.call_in = perf_call_in,
	.fd = perf_fd,
};
