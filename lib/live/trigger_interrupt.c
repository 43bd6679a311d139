/* PTRACE_INTERRUPT at random times, for threads that run just then: the
 * fallback where nothing may be injected.  A read or write that is under way
 * can come back short; an EINTR is repaired by the tracer.
 *
 * From another processor this would be biased: between the request and its
 * arrival a thread runs on, and it stops at the next system call that it makes,
 * which is charged with most of the ticks.  So the tracer first goes to the
 * thread's processor and sleeps there; the timer that wakes it interrupts the
 * thread wherever it is, and there it stays until the tracer sleeps again. */
#include "live/trigger.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/random.h"
#include "live/standing.h"
#include "live/status.h"

struct interrupt_trigger {
	struct prf_trigger base;
	uint64_t period_ns;
	uint64_t random;
	int timer_fd;
	cpu_set_t own_cpus; /* where the tracer may run */
	bool can_move;      /* it is known, on a machine of some size */
	struct prf_task **tasks;
	size_t n_tasks, room;
	/* A round visits the tasks one after the other. */
	size_t cursor;
	struct prf_task *aimed; /* the tracer sleeps on its processor */
	int aimed_cpu, misses;
	uint64_t aimed_cpu_ns; /* that it had run when the tracer fell asleep */
	bool disturbed; /* the tracer was woken by something else meanwhile */
};

/* How often a thread may have moved on before it is left for the next round. */
enum { MAX_MISSES = 2 };

static void
interrupt_close(struct prf_trigger *trigger)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;

	if (interrupt->timer_fd >= 0)
		close(interrupt->timer_fd);
	free(interrupt->tasks);
	free(interrupt);
}

static int
interrupt_open(const struct prf_trigger_config *config,
	       struct prf_trigger **out, struct prf_error *err)
{
	struct interrupt_trigger *interrupt = calloc(1, sizeof *interrupt);

	if (!interrupt)
		return prf_error_set(err, -ENOMEM, "out of memory");
	interrupt->base.ops = &prf_trigger_interrupt;
	interrupt->period_ns = config->period_ns;
	interrupt->random = config->seed;
	interrupt->timer_fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	interrupt->can_move = !sched_getaffinity(0, sizeof interrupt->own_cpus,
						 &interrupt->own_cpus);
	if (interrupt->timer_fd < 0) {
		int rc = prf_error_set(err, -errno, "interrupt trigger: %s",
				       strerror(errno));
		interrupt_close(&interrupt->base);
		return rc;
	}
	*out = &interrupt->base;
	return 0;
}

static void
wake_after(const struct interrupt_trigger *interrupt, double ns)
{
	struct itimerspec spec = {
		.it_value = {(time_t)(ns / 1e9), (long)ns % 1000000000},
	};

	if (!spec.it_value.tv_sec && !spec.it_value.tv_nsec)
		spec.it_value.tv_nsec = 1;
	timerfd_settime(interrupt->timer_fd, 0, &spec, NULL);
}

/* The next round comes after a random time, so that no program can run in
 * step with it.  The mean is the period. */
static void
wait_for_round(struct interrupt_trigger *interrupt)
{
	double u = prf_random_unit(&interrupt->random);

	interrupt->aimed = NULL;
	interrupt->cursor = 0;
	if (interrupt->can_move)
		sched_setaffinity(0, sizeof interrupt->own_cpus,
				  &interrupt->own_cpus);
	if (interrupt->n_tasks)
		wake_after(interrupt, (0.5 + u) * (double)interrupt->period_ns);
}

static int
interrupt_arm(struct prf_trigger *trigger, struct prf_task *task,
	      const struct prf_stopped *by, struct prf_error *err)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	struct prf_thread_times times;

	(void)by;
	if (interrupt->n_tasks == interrupt->room) {
		size_t room = interrupt->room ? interrupt->room * 2 : 64;
		struct prf_task **grown = reallocarray(
			interrupt->tasks, room, sizeof(*interrupt->tasks));
		if (!grown)
			return prf_error_set(err, -ENOMEM, "out of memory");
		interrupt->tasks = grown;
		interrupt->room = room;
	}
	task->standing = prf_standing_new(task->process->pid, task->tid);
	if (!task->standing)
		return prf_error_set(err, -ENOMEM, "out of memory");
	/* What it ran before it came to us is not ours to count. */
	int rc = prf_standing_times(task->standing, &times);
	if (rc) {
		prf_standing_free(PRF_TAKE(task->standing));
		return prf_error_set(err, rc == -ENOENT ? -ESRCH : rc,
				     "its CPU time cannot be read");
	}
	if (!task->charged_ns)
		task->charged_ns = times.cpu_ns;
	task->advanced = false;
	task->interrupt_pending = false;
	interrupt->tasks[interrupt->n_tasks++] = task;
	if (interrupt->n_tasks == 1)
		wait_for_round(interrupt);
	return 0;
}

static void
interrupt_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;

	if (interrupt->aimed == task)
		interrupt->aimed = NULL;
	prf_standing_free(PRF_TAKE(task->standing));
	for (size_t i = 0; i < interrupt->n_tasks; i++)
		if (interrupt->tasks[i] == task) {
			interrupt->tasks[i] =
				interrupt->tasks[--interrupt->n_tasks];
			return;
		}
}

/* A moment: long enough for others to be running again, and random. */
static void
wake_soon(struct interrupt_trigger *interrupt)
{
	wake_after(interrupt, 1e5 + 2e5 * prf_random_unit(&interrupt->random));
}

/* Goes to where TASK runs, to be woken there in a moment. */
static bool
aim(struct interrupt_trigger *interrupt, struct prf_task *task)
{
	struct prf_thread_times times;
	cpu_set_t set;
	int cpu;

	if (task->interrupt_pending || !prf_standing_runs(task->standing) ||
	    prf_standing_processor(task->standing, &cpu) || cpu >= CPU_SETSIZE)
		return false;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	/* Where the tracer may not run, it stays; the tick is then biased, but
	 * not lost. */
	if (interrupt->can_move)
		sched_setaffinity(0, sizeof set, &set);
	if (prf_standing_times(task->standing, &times))
		return false;
	interrupt->aimed = task;
	interrupt->aimed_cpu_ns = times.cpu_ns;
	interrupt->aimed_cpu = cpu;
	interrupt->disturbed = false;
	wake_soon(interrupt);
	return true;
}

/* The next task of the round that can be aimed at; else the round is over. */
static void
aim_at_next(struct interrupt_trigger *interrupt)
{
	interrupt->misses = 0;
	while (interrupt->cursor < interrupt->n_tasks)
		if (aim(interrupt, interrupt->tasks[interrupt->cursor++]))
			return;
	wait_for_round(interrupt);
}

/* Was TASK running here just now, until our timer stopped it?  One that only
 * waits for the processor was taken off it before, and that may have been at
 * the end of a system call; so may one have been when another processor woke
 * us. */
static bool
is_hit(const struct interrupt_trigger *interrupt, const struct prf_task *task)
{
	struct prf_thread_times times;
	int cpu;

	/* It may have gone to sleep meanwhile, and sleepers are let alone. */
	return !interrupt->disturbed && prf_standing_runs(task->standing) &&
	       !prf_standing_processor(task->standing, &cpu) &&
	       cpu == interrupt->aimed_cpu &&
	       !prf_standing_times(task->standing, &times) &&
	       times.cpu_ns > interrupt->aimed_cpu_ns;
}

/* Has TASK been missed for so long that a look which may be biased is better
 * than none?  What it is owed when it ends is lost. */
static bool
is_overdue(const struct interrupt_trigger *interrupt,
	   const struct prf_task *task)
{
	struct prf_thread_times times;

	return interrupt->misses >= MAX_MISSES &&
	       prf_standing_runs(task->standing) &&
	       !prf_standing_times(task->standing, &times) &&
	       (int64_t)(times.cpu_ns - task->charged_ns) >
		       (int64_t)interrupt->period_ns;
}

static void
interrupt_due(struct prf_trigger *trigger)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	struct prf_task *task = interrupt->aimed;
	uint64_t expirations;

	if (read(interrupt->timer_fd, &expirations, sizeof expirations) < 0)
		return;
	interrupt->aimed = NULL;
	bool hit = task && is_hit(interrupt, task);
	interrupt->misses += !hit;
	if (hit || (task && is_overdue(interrupt, task))) {
		if (!ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL))
			task->interrupt_pending = true;
		/* Its stop would disturb the next aim. */
		wake_soon(interrupt);
	} else if (!task || interrupt->misses >= MAX_MISSES ||
		   !aim(interrupt, task)) {
		aim_at_next(interrupt);
	}
}

uint64_t
prf_interrupt_start_ns(uint64_t period_ns, const struct prf_thread_times *times,
		       double u, double v)
{
	double runnable_ns = (double)times->cpu_ns + (double)times->waited_ns;
	double share =
		runnable_ns > 0 ? (double)times->cpu_ns / runnable_ns : 1;

	return u < share ? period_ns : (uint64_t)(v * (double)period_ns);
}

/* How many periods TASK has run and not been charged for. */
static uint32_t
charge(struct interrupt_trigger *interrupt, struct prf_task *task,
       const struct prf_thread_times *times)
{
	if (!task->advanced) {
		double u = prf_random_unit(&interrupt->random);
		double v = prf_random_unit(&interrupt->random);

		task->charged_ns -= prf_interrupt_start_ns(interrupt->period_ns,
							   times, u, v);
		task->advanced = true;
	}
	/* charged_ns began up to a period below zero: only the difference has
	 * a meaning. */
	int64_t unpaid_ns = (int64_t)(times->cpu_ns - task->charged_ns);
	if (unpaid_ns < 0)
		return 0;
	uint64_t owed = (uint64_t)unpaid_ns / interrupt->period_ns;
	uint32_t ticks = owed > UINT32_MAX ? UINT32_MAX : (uint32_t)owed;

	task->charged_ns += ticks * interrupt->period_ns;
	return ticks;
}

static struct prf_claim
interrupt_claim(struct prf_trigger *trigger, struct prf_task *task,
		const struct prf_stop *stop)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	struct prf_claim claim = {0};
	struct prf_thread_times times;

	interrupt->disturbed = true;
	claim.ours = stop->kind == PRF_STOP_TRAP && task->interrupt_pending;
	task->interrupt_pending = false;
	/* The clock is exact while the thread is stopped. */
	if (claim.ours && task->standing &&
	    !prf_standing_times(task->standing, &times))
		claim.ticks = charge(interrupt, task, &times);
	return claim;
}

static uint32_t
interrupt_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	const struct interrupt_trigger *interrupt =
		(const struct interrupt_trigger *)trigger;
	struct prf_thread_times times;

	if (prf_standing_times(task->standing, &times))
		return 0;
	/* The period that it was given at its first look is no loss. */
	int64_t unpaid_ns =
		(int64_t)(times.cpu_ns - task->charged_ns) -
		(task->advanced ? (int64_t)interrupt->period_ns : 0);
	int64_t unseen = unpaid_ns / (int64_t)interrupt->period_ns;

	return unseen < 0            ? 0
	       : unseen > UINT32_MAX ? UINT32_MAX
				     : (uint32_t)unseen;
}

static bool
interrupt_is_deaf(const struct prf_trigger *trigger,
		  const struct prf_thread_status *status)
{
	(void)trigger;
	(void)status;
	return false;
}

static int
interrupt_fd(const struct prf_trigger *trigger)
{
	const struct interrupt_trigger *interrupt =
		(const struct interrupt_trigger *)trigger;

	return interrupt->n_tasks ? interrupt->timer_fd : -1;
}

const struct prf_trigger_ops prf_trigger_interrupt = {
	.name = "interrupt",
	.help = "stops from outside, where nothing can be made inside",
	.from_outside = true,
	.repairs_eintr = true,
	.open = interrupt_open,
	.close = interrupt_close,
	.arm = interrupt_arm,
	.forget = interrupt_forget,
	.unseen = interrupt_unseen,
	.claim = interrupt_claim,
	.is_deaf = interrupt_is_deaf,
	.fd = interrupt_fd,
	.due = interrupt_due,
};
