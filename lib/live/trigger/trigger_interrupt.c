/* PTRACE_INTERRUPT at random times, for threads that run just then: the
 * fallback where nothing may be injected.  A read or write that is under way
 * can come back short; after an EINTR the call is made again (retry.h).
 *
 * From another processor this would be biased: between the request and its
 * arrival the thread runs on, and it stops at its next system call, which
 * would be charged with most of the ticks.  So the tracer first goes to the
 * thread's processor and sleeps there; the timer that wakes it interrupts
 * the thread wherever it is, and there it stays until the tracer sleeps
 * again. */

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "live/kept.h"
#include "live/random.h"
#include "live/proc/status.h"
#include "live/proc/thread_files.h"
#include "live/trigger/start.h"
#include "live/trigger/trigger_list.h"

/* A stop takes so much more of a thread's time where the tracer wakes, three times
 * for each, on the thread's processor. */
enum { STOP_WITH_TRACER = 2 };

struct interrupt_trigger {
	struct prf_trigger base;
	uint64_t period_ns;
	uint64_t stop_ns; /* that a stop takes of a thread's time */
	uint64_t random;
	int timer_fd;
	cpu_set_t own_cpus; /* where the tracer may run */
	bool can_move;      /* own_cpus is known, and this is no machine of
			     * one CPU */
	struct interrupt_thread **threads;
	size_t n_threads, room;
	/* A round visits the threads one after the other. */
	size_t cursor;
	struct interrupt_thread *aimed; /* the tracer sleeps on its processor */
	int aimed_cpu, misses;
	uint64_t aimed_cpu_ns; /* that it had run when the tracer fell asleep */
	bool disturbed; /* the tracer was woken by something else meanwhile */
};

/* What is kept for a thread. */
struct interrupt_thread {
	struct prf_kept base;
	struct prf_task *task;          /* lent */
	struct prf_thread_files *files; /* as it is asked for */
	uint64_t charged_ns; /* CPU time that ticks were counted for, or
			      * that is not to be counted */
	uint64_t first_cpu_ns, first_slice, first_sleeps; /* when this trigger
							   * got it */
	uint64_t n_stops; /* by this trigger, since then */
	bool is_brief;    /* when that was last found out */
	bool advanced;    /* its first stop has been credited */
};

/* How often a thread may have moved on before it is left for the next round. */
enum { MAX_MISSES = 2 };

/* The tracer runs wherever it may. */
static void
go_anywhere(const struct interrupt_trigger *interrupt)
{
	if (interrupt->can_move)
		sched_setaffinity(0, sizeof interrupt->own_cpus,
				  &interrupt->own_cpus);
}

/* No thread is aimed at any more. */
static void
lower(struct interrupt_trigger *interrupt)
{
	interrupt->aimed = NULL;
	go_anywhere(interrupt);
}

static void
interrupt_close(struct prf_trigger *trigger)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;

	if (interrupt->timer_fd >= 0)
		close(interrupt->timer_fd);
	free(interrupt->threads);
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
	interrupt->stop_ns = STOP_WITH_TRACER * config->stop_ns;
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

	lower(interrupt);
	interrupt->cursor = 0;
	if (interrupt->n_threads)
		wake_after(interrupt, (0.5 + u) * (double)interrupt->period_ns);
}

static void
free_thread(struct prf_kept *kept)
{
	struct interrupt_thread *thread = (struct interrupt_thread *)kept;

	prf_thread_files_free(thread->files);
	free(thread);
}

/* Room for one thread more. */
static int
make_room(struct interrupt_trigger *interrupt)
{
	if (interrupt->n_threads < interrupt->room)
		return 0;
	size_t room = interrupt->room ? interrupt->room * 2 : 64;
	struct interrupt_thread **grown = reallocarray(
		interrupt->threads, room, sizeof *interrupt->threads);
	if (!grown)
		return -ENOMEM;
	interrupt->threads = grown;
	interrupt->room = room;
	return 0;
}

/* 0: it has ended. */
static uint64_t
read_sleeps(const struct prf_task *task)
{
	struct prf_thread_status status;

	return prf_status_read_thread(task->process->pid, task->tid, &status)
		       ? 0
		       : status.sleeps;
}

static int
interrupt_arm(struct prf_trigger *trigger, struct prf_task *task,
	      const struct prf_stopped *by, struct prf_error *err)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	struct interrupt_thread *thread = calloc(1, sizeof *thread);
	struct prf_schedstat times;

	(void)by;
	if (thread)
		thread->files =
			prf_thread_files_new(task->process->pid, task->tid);
	if (!thread || !thread->files || make_room(interrupt)) {
		if (thread)
			free_thread(&thread->base);
		return prf_error_set(err, -ENOMEM, "out of memory");
	}
	int rc = prf_thread_files_times(thread->files, &times);
	if (rc) {
		free_thread(&thread->base);
		return prf_error_set(err, rc == -ENOENT ? -ESRCH : rc,
				     "its CPU time cannot be read");
	}
	thread->base.owner = trigger;
	thread->base.free = free_thread;
	thread->task = task;
	thread->first_cpu_ns = times.cpu_ns;
	thread->first_slice = times.n_slices;
	thread->first_sleeps = read_sleeps(task);
	/* What it ran before this trigger had it is not counted here. */
	thread->charged_ns =
		task->owed_from_ns ? task->owed_from_ns : times.cpu_ns;
	prf_kept_add(&task->kept, &thread->base);
	interrupt->threads[interrupt->n_threads++] = thread;
	if (interrupt->n_threads == 1)
		wait_for_round(interrupt);
	return 0;
}

static struct interrupt_thread *
thread_of(const struct prf_trigger *trigger, const struct prf_task *task)
{
	return (struct interrupt_thread *)prf_kept_find(task->kept, trigger);
}

static void
interrupt_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	const struct interrupt_thread *thread = thread_of(trigger, task);

	if (interrupt->aimed == thread)
		interrupt->aimed = NULL;
	for (size_t i = 0; i < interrupt->n_threads; i++)
		if (interrupt->threads[i] == thread) {
			interrupt->threads[i] =
				interrupt->threads[--interrupt->n_threads];
			break;
		}
	/* The next round is that of the next thread. */
	if (!interrupt->n_threads)
		lower(interrupt);
	prf_kept_drop(&task->kept, trigger);
}

/* After a random moment, long enough for the others to be running again. */
static void
wake_soon(struct interrupt_trigger *interrupt)
{
	wake_after(interrupt, 1e5 + 2e5 * prf_random_unit(&interrupt->random));
}

/* Does the kernel take the processor from THREAD for the tracer?  From one of a
 * real-time policy it does not: while that computes, the tracer would wait beside
 * it for as long as it takes. */
static bool
gives_way(const struct interrupt_thread *thread)
{
	int policy = sched_getscheduler(thread->task->tid);

	if (policy < 0)
		return false;
	policy &= ~SCHED_RESET_ON_FORK;
	return policy == SCHED_OTHER || policy == SCHED_BATCH ||
	       policy == SCHED_IDLE;
}

/* Moves to processor CPU, where THREAD runs.  Where the tracer may not run, or would
 * not, it stays elsewhere; the tick is then biased, but not lost. */
static void
join(const struct interrupt_trigger *interrupt,
     const struct interrupt_thread *thread, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (!gives_way(thread))
		go_anywhere(interrupt);
	else if (interrupt->can_move)
		sched_setaffinity(0, sizeof set, &set);
}

/* Moves to the processor where THREAD runs, to be woken there in a moment. */
static bool
aim(struct interrupt_trigger *interrupt, struct interrupt_thread *thread)
{
	struct prf_schedstat times;
	int cpu;

	if (thread->task->interrupt_pending ||
	    !prf_thread_files_is_running(thread->files) ||
	    prf_thread_files_processor(thread->files, &cpu) ||
	    cpu >= CPU_SETSIZE)
		return false;
	join(interrupt, thread, cpu);
	if (prf_thread_files_times(thread->files, &times))
		return false;
	interrupt->aimed = thread;
	interrupt->aimed_cpu_ns = times.cpu_ns;
	interrupt->aimed_cpu = cpu;
	interrupt->disturbed = false;
	wake_soon(interrupt);
	return true;
}

/* The next thread of the round that can be aimed at; else the round is over. */
static void
aim_at_next(struct interrupt_trigger *interrupt)
{
	interrupt->misses = 0;
	while (interrupt->cursor < interrupt->n_threads)
		if (aim(interrupt, interrupt->threads[interrupt->cursor++]))
			return;
	wait_for_round(interrupt);
}

/* Was THREAD running here just now, until our timer stopped it?  One that only
 * waits for the processor was taken off it before, and that may have been at
 * the end of a system call; so may one have been when another processor woke
 * us. */
static bool
is_hit(const struct interrupt_trigger *interrupt,
       const struct interrupt_thread *thread)
{
	struct prf_schedstat times;
	int cpu;

	/* It may have gone to sleep meanwhile, and threads that sleep are
	 * not stopped. */
	return !interrupt->disturbed &&
	       prf_thread_files_is_running(thread->files) &&
	       !prf_thread_files_processor(thread->files, &cpu) &&
	       cpu == interrupt->aimed_cpu &&
	       !prf_thread_files_times(thread->files, &times) &&
	       times.cpu_ns > interrupt->aimed_cpu_ns;
}

/* Has THREAD been missed for so long that a sample which may be biased is
 * better than none?  What it is owed when it ends is lost. */
static bool
is_overdue(const struct interrupt_trigger *interrupt,
	   const struct interrupt_thread *thread)
{
	struct prf_schedstat times;

	return interrupt->misses >= MAX_MISSES &&
	       prf_thread_files_is_running(thread->files) &&
	       !prf_thread_files_times(thread->files, &times) &&
	       (int64_t)(times.cpu_ns - thread->charged_ns) >
		       (int64_t)interrupt->period_ns;
}

static void
stop(struct prf_task *task)
{
	if (!ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL))
		task->interrupt_pending = true;
}

static void
interrupt_due(struct prf_trigger *trigger)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	struct interrupt_thread *thread = interrupt->aimed;
	uint64_t expirations;

	if (read(interrupt->timer_fd, &expirations, sizeof expirations) < 0)
		return;
	interrupt->aimed = NULL;
	bool hit = thread && is_hit(interrupt, thread);
	interrupt->misses += !hit;
	if (hit || (thread && is_overdue(interrupt, thread))) {
		stop(thread->task);
		/* Its stop would disturb the next aim. */
		wake_soon(interrupt);
	} else if (!thread || interrupt->misses >= MAX_MISSES ||
		   !aim(interrupt, thread)) {
		aim_at_next(interrupt);
	}
}

/* How many periods THREAD has run and not been charged for. */
static uint32_t
charge(struct interrupt_trigger *interrupt, struct interrupt_thread *thread,
       const struct prf_schedstat *times)
{
	if (!thread->advanced) {
		double u = prf_random_unit(&interrupt->random);
		double v = prf_random_unit(&interrupt->random);

		thread->charged_ns -=
			prf_start_credit_ns(interrupt->period_ns, times, u, v);
		thread->advanced = true;
	}
	/* charged_ns may have begun up to a period below zero: only the
	 * difference counts. */
	int64_t unpaid_ns = (int64_t)(times->cpu_ns - thread->charged_ns);
	if (unpaid_ns < 0)
		return 0;
	uint64_t owed = (uint64_t)unpaid_ns / interrupt->period_ns;
	uint32_t ticks = owed > UINT32_MAX ? UINT32_MAX : (uint32_t)owed;

	thread->charged_ns += ticks * interrupt->period_ns;
	return ticks;
}

/* Does THREAD mostly run for less time than there is between the moment when it
 * is found running and that of the stop?  Then it is about to sleep when it is
 * stopped.  Our stops, and other threads on its processor, make it run in short
 * slices, too: of those that do, it is found out now and then how often they
 * went to sleep. */
static bool
is_brief(struct interrupt_thread *thread, const struct prf_schedstat *times)
{
	enum { BRIEF_NS = 500000, ENOUGH = 16, EVERY = 16 };
	uint64_t n_slices = times->n_slices - thread->first_slice;
	uint64_t cpu_ns = times->cpu_ns - thread->first_cpu_ns;

	if (n_slices < ENOUGH || cpu_ns / n_slices >= BRIEF_NS)
		return thread->is_brief = false;
	if (thread->n_stops % EVERY != 1)
		return thread->is_brief;
	uint64_t n = read_sleeps(thread->task) - thread->first_sleeps;
	uint64_t n_sleeps = n > thread->n_stops ? n - thread->n_stops : 0;
	return thread->is_brief =
		       n_sleeps >= ENOUGH && cpu_ns / n_sleeps < BRIEF_NS;
}

static struct prf_claim
interrupt_claim(struct prf_trigger *trigger, struct prf_task *task,
		const struct prf_stop *stop)
{
	struct interrupt_trigger *interrupt =
		(struct interrupt_trigger *)trigger;
	struct interrupt_thread *thread = thread_of(trigger, task);
	struct prf_claim claim = {0};
	struct prf_schedstat times;

	interrupt->disturbed = true;
	claim.ours = stop->kind == PRF_STOP_TRAP && task->interrupt_pending;
	task->interrupt_pending = false;
	/* The clock is exact while the thread is stopped. */
	if (claim.ours && thread &&
	    !prf_thread_files_times(thread->files, &times)) {
		claim.stop_ns = interrupt->stop_ns;
		thread->charged_ns += claim.stop_ns;
		claim.ticks = charge(interrupt, thread, &times);
		thread->n_stops++;
		claim.brief = is_brief(thread, &times);
	}
	return claim;
}

static uint32_t
interrupt_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	const struct interrupt_trigger *interrupt =
		(const struct interrupt_trigger *)trigger;
	const struct interrupt_thread *thread = thread_of(trigger, task);
	struct prf_schedstat times;

	if (!thread || prf_thread_files_times(thread->files, &times))
		return 0;
	/* The period that it was credited with at its first stop is no loss. */
	int64_t unpaid_ns =
		(int64_t)(times.cpu_ns - thread->charged_ns) -
		(thread->advanced ? (int64_t)interrupt->period_ns : 0);
	int64_t unseen = unpaid_ns / (int64_t)interrupt->period_ns;

	return unseen < 0            ? 0
	       : unseen > UINT32_MAX ? UINT32_MAX
				     : (uint32_t)unseen;
}

static bool
interrupt_cannot_stop(const struct prf_trigger *trigger,
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

	return interrupt->n_threads ? interrupt->timer_fd : -1;
}

const struct prf_trigger_ops prf_trigger_interrupt = {
	.name = "interrupt",
	.from_outside = true,
	.repairs_eintr = true,
	.open = interrupt_open,
	.close = interrupt_close,
	.arm = interrupt_arm,
	.forget = interrupt_forget,
	.unseen = interrupt_unseen,
	.claim = interrupt_claim,
	.cannot_stop = interrupt_cannot_stop,
	.fd = interrupt_fd,
	.due = interrupt_due,
};
