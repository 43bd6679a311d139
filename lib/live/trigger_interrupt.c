/* PTRACE_INTERRUPT at random times, for threads that run just then: the
 * fallback where nothing may be injected.  A read or write that is under way
 * can come back short; an EINTR is repaired by the tracer.
 *
 * A thread is interrupted from its own processor: from another one, it runs on
 * for a moment and then stops at the next system call that it makes, which
 * would be charged with most of the ticks. */
#include "live/trigger.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/procfs.h"
#include "live/random.h"

struct interrupt_trigger {
	struct prf_trigger base;
	uint64_t period_ns;
	uint64_t random;
	int timer_fd;
	cpu_set_t own_cpus; /* where the tracer may run */
	bool can_move;      /* it is known, on a machine of some size */
	struct prf_task **tasks;
	size_t n_tasks, room;
};

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

/* The next round comes after a random time, so that no program can run in
 * step with it.  The mean is the period. */
static void
set_timer(const struct interrupt_trigger *interrupt, double u)
{
	uint64_t ns = (uint64_t)((0.5 + u) * (double)interrupt->period_ns);
	struct itimerspec spec = {
		.it_value = {(time_t)(ns / 1000000000),
			     (long)(ns % 1000000000)},
	};

	timerfd_settime(interrupt->timer_fd, 0, &spec, NULL);
}

static int
interrupt_arm(struct prf_trigger *trigger, struct prf_task *task,
	      const struct prf_regs *regs, struct prf_error *err)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	pid_t pid = task->process->pid;
	uint64_t cpu_ns = 0;

	(void)regs;
	if (interrupt->n_tasks == interrupt->room) {
		size_t room = interrupt->room ? interrupt->room * 2 : 64;
		struct prf_task **grown = reallocarray(
			interrupt->tasks, room, sizeof(*interrupt->tasks));
		if (!grown)
			return prf_error_set(err, -ENOMEM, "out of memory");
		interrupt->tasks = grown;
		interrupt->room = room;
	}
	task->syscall_fd = prf_thread_syscall_open(pid, task->tid);
	if (task->syscall_fd < 0)
		return prf_error_set(
			err,
			task->syscall_fd == -ENOENT ? -ESRCH : task->syscall_fd,
			"/proc/%d/task/%d/syscall: %s", pid, task->tid,
			strerror(-task->syscall_fd));
	/* What it ran before it came to us is not ours to count. */
	int rc = prf_thread_cpu_read(pid, task->tid, &cpu_ns);
	if (rc)
		return prf_error_set(err, rc == -ENOENT ? -ESRCH : rc,
				     "its CPU time cannot be read");
	if (!task->charged_ns)
		task->charged_ns = cpu_ns;
	task->advanced = false;
	task->interrupt_pending = false;
	interrupt->tasks[interrupt->n_tasks++] = task;
	if (interrupt->n_tasks == 1)
		set_timer(interrupt, prf_random_unit(&interrupt->random));
	return 0;
}

static void
interrupt_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;

	for (size_t i = 0; i < interrupt->n_tasks; i++)
		if (interrupt->tasks[i] == task) {
			interrupt->tasks[i] =
				interrupt->tasks[--interrupt->n_tasks];
			return;
		}
}

/* Runs the tracer where TASK runs, so that TASK does not. */
static void
join_processor(const struct interrupt_trigger *interrupt,
	       const struct prf_task *task)
{
	cpu_set_t set;
	int cpu;

	if (!interrupt->can_move ||
	    prf_thread_processor_read(task->process->pid, task->tid, &cpu) ||
	    cpu >= CPU_SETSIZE || cpu == sched_getcpu())
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void
interrupt_if_running(const struct interrupt_trigger *interrupt,
		     struct prf_task *task)
{
	if (task->interrupt_pending || !prf_thread_is_running(task->syscall_fd))
		return;
	join_processor(interrupt, task);
	/* It may have gone to sleep meanwhile, and sleepers are let alone. */
	if (!prf_thread_is_running(task->syscall_fd))
		return;
	if (!ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL))
		task->interrupt_pending = true;
}

static void
interrupt_due(struct prf_trigger *trigger)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	uint64_t expirations;

	if (read(interrupt->timer_fd, &expirations, sizeof expirations) < 0)
		return;
	for (size_t i = 0; i < interrupt->n_tasks; i++)
		interrupt_if_running(interrupt, interrupt->tasks[i]);
	if (interrupt->can_move)
		sched_setaffinity(0, sizeof interrupt->own_cpus,
				  &interrupt->own_cpus);
	if (interrupt->n_tasks)
		set_timer(interrupt, prf_random_unit(&interrupt->random));
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
	struct prf_claim claim = {0};
	struct prf_thread_times times;

	claim.ours = stop->kind == PRF_STOP_TRAP && task->interrupt_pending;
	task->interrupt_pending = false;
	/* The clock is exact while the thread is stopped. */
	if (claim.ours &&
	    !prf_thread_times_read(task->process->pid, task->tid, &times))
		claim.ticks = charge((struct interrupt_trigger *)trigger, task,
				     &times);
	return claim;
}

static bool
interrupt_is_deaf(const struct prf_thread_status *status)
{
	(void)status;
	return false;
}

static int
interrupt_fd(const struct prf_trigger *trigger)
{
	return ((const struct interrupt_trigger *)trigger)->timer_fd;
}

const struct prf_trigger_ops prf_trigger_interrupt = {
	.name = "interrupt",
	.help = "stops from outside, where nothing can be made inside",
	.repairs_eintr = true,
	.open = interrupt_open,
	.close = interrupt_close,
	.arm = interrupt_arm,
	.forget = interrupt_forget,
	.claim = interrupt_claim,
	.is_deaf = interrupt_is_deaf,
	.fd = interrupt_fd,
	.due = interrupt_due,
};
