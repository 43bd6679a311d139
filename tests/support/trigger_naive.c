#include "support/trigger_naive.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { MAX_TASKS = 256 };

struct naive {
	struct prf_trigger base;
	int timer_fd;
	struct prf_task *tasks[MAX_TASKS];
	size_t n_tasks;
};

static int
naive_open(const struct prf_trigger_config *config, struct prf_trigger **out,
	   struct prf_error *err)
{
	struct naive *naive = calloc(1, sizeof *naive);
	struct timespec period = {
		(time_t)(config->period_ns / 1000000000),
		(long)(config->period_ns % 1000000000),
	};
	struct itimerspec spec = {period, period};

	if (!naive)
		return prf_error_set(err, -ENOMEM, "out of memory");
	naive->base.ops = &prf_trigger_naive;
	naive->timer_fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	timerfd_settime(naive->timer_fd, 0, &spec, NULL);
	*out = &naive->base;
	return 0;
}

static void
naive_close(struct prf_trigger *trigger)
{
	close(((struct naive *)trigger)->timer_fd);
	free(trigger);
}

/* From another processor, as happens by itself on an idle machine. */
static void
part_processors(pid_t tid)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(tid, sizeof set, &set);
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static int
naive_arm(struct prf_trigger *trigger, struct prf_task *task,
	  const struct prf_stopped *by, struct prf_error *err)
{
	struct naive *naive = (struct naive *)trigger;

	(void)by;
	if (naive->n_tasks == MAX_TASKS)
		return prf_error_set(err, -ENOSPC, "too many threads");
	naive->tasks[naive->n_tasks++] = task;
	part_processors(task->tid);
	return 0;
}

static void
naive_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	struct naive *naive = (struct naive *)trigger;

	for (size_t i = 0; i < naive->n_tasks; i++)
		if (naive->tasks[i] == task)
			naive->tasks[i--] = naive->tasks[--naive->n_tasks];
}

static uint32_t
naive_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	(void)trigger;
	(void)task;
	return 0;
}

static void
naive_due(struct prf_trigger *trigger)
{
	struct naive *naive = (struct naive *)trigger;
	uint64_t expirations;

	if (read(naive->timer_fd, &expirations, sizeof expirations) < 0)
		return;
	for (size_t i = 0; i < naive->n_tasks; i++)
		if (!ptrace(PTRACE_INTERRUPT, naive->tasks[i]->tid, NULL, NULL))
			naive->tasks[i]->interrupt_pending = true;
}

static struct prf_claim
naive_claim(struct prf_trigger *trigger, struct prf_task *task,
	    const struct prf_stop *stop)
{
	struct prf_claim claim = {0};

	(void)trigger;
	claim.ours = stop->kind == PRF_STOP_TRAP && task->interrupt_pending;
	claim.ticks = claim.ours;
	task->interrupt_pending = false;
	return claim;
}

static bool
naive_cannot_stop(const struct prf_trigger *trigger,
		  const struct prf_thread_status *status)
{
	(void)trigger;
	(void)status;
	return false;
}

static int
naive_fd(const struct prf_trigger *trigger)
{
	return ((const struct naive *)trigger)->timer_fd;
}

const struct prf_trigger_ops prf_trigger_naive = {
	.name = "naive",
	.open = naive_open,
	.close = naive_close,
	.arm = naive_arm,
	.forget = naive_forget,
	.unseen = naive_unseen,
	.claim = naive_claim,
	.cannot_stop = naive_cannot_stop,
	.fd = naive_fd,
	.due = naive_due,
};
