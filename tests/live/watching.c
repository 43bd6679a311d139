#include "watching.h"

#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "live/life/begin.h"
#include "live/proc/stat.h"
#include "live/proc/status.h"
#include "live/tracer.h"
#include "support/suite.h"

struct prf_watching prf_watching;

/* --- The trigger */

static int
arm(struct prf_trigger *trigger, struct prf_task *task,
    const struct prf_stopped *by, struct prf_error *err)
{
	(void)trigger;
	(void)task;
	(void)err;
	prf_watching.n_armed++;
	prf_watching.n_armed_stopped += by != NULL;
	return 0;
}

static int
sweep(struct prf_trigger *trigger, struct prf_process *process,
      const struct prf_stopped *by)
{
	(void)trigger;
	(void)process;
	(void)by;
	prf_watching.n_swept++;
	return prf_watching.sweep_answer;
}

static void
forget(struct prf_trigger *trigger, struct prf_task *task)
{
	(void)trigger;
	(void)task;
	prf_watching.n_forgotten++;
}

static uint32_t
unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	(void)trigger;
	(void)task;
	return prf_watching.n_unseen;
}

static struct prf_claim
claim(struct prf_trigger *trigger, struct prf_task *task,
      const struct prf_stop *stop)
{
	(void)trigger;
	(void)task;
	(void)stop;
	return (struct prf_claim){0};
}

static bool
cannot_stop(const struct prf_trigger *trigger,
	    const struct prf_thread_status *status)
{
	(void)trigger;
	(void)status;
	return false;
}

static const struct prf_trigger_ops counting_ops = {
	.name = "counting",
	.arm = arm,
	.sweep = sweep,
	.forget = forget,
	.unseen = unseen,
	.claim = claim,
	.cannot_stop = cannot_stop,
};
static struct prf_trigger counting = {&counting_ops};

/* --- The run */

static void
note_told(void *arg, const char *line)
{
	(void)arg;
	snprintf(prf_watching.told, sizeof prf_watching.told, "%s", line);
}

void
prf_watching_set_up(void)
{
	memset(&prf_watching, 0, sizeof prf_watching);
	prf_recorder_begin(&prf_watching.recorder);
	prf_watching.config = (struct prf_sampler_config){
		.period_ns = 10000000,
		.every_thread = true,
		.tell = note_told,
	};
	prf_watching.watch = (struct prf_watch){
		.config = &prf_watching.config,
		.options = PRF_WATCH_OPTIONS | PRF_WATCH_OPTIONS_FOLLOW,
		.sink = &prf_watching.recorder.base,
		.stats = &prf_watching.stats,
		.triggers = {&counting},
		.n_triggers = 1,
	};
	ck_assert_int_eq(
		prf_watch_begin(&prf_watching.watch, &prf_watching.err), 0);
}

void
prf_watching_tear_down(void)
{
	prf_tracer_end(&prf_watching.watch);
	prf_recorder_end(&prf_watching.recorder);
}

struct prf_task *
prf_watching_add(pid_t child)
{
	struct prf_watch *watch = &prf_watching.watch;
	struct prf_process *process =
		prf_processes_add(&watch->processes, child);

	ck_assert_ptr_nonnull(process);
	struct prf_task *task = prf_tasks_add(watch->tasks, child, process);
	ck_assert_ptr_nonnull(task);
	task->fresh = false;
	ck_assert_int_eq(prf_begin_attached(watch, process), 0);
	return task;
}

void
prf_watching_arm(struct prf_task *task)
{
	ck_assert_int_eq(prf_begin_arm(&prf_watching.watch, task, NULL), 0);
}

void
prf_watching_until(bool (*is_done)(void))
{
	while (!is_done()) {
		prf_tracer_drain(&prf_watching.watch, 0);
		usleep(500);
	}
}

static bool
is_over(void)
{
	return prf_tasks_count(prf_watching.watch.tasks) == 0;
}

void
prf_watching_to_the_end(void)
{
	prf_watching_until(is_over);
}

pid_t
prf_watching_tracer_of(pid_t pid)
{
	struct prf_process_status status;

	ck_assert_int_eq(prf_status_read_process(pid, &status), 0);
	return status.tracer;
}

bool
prf_watching_is_stopped(pid_t pid, pid_t tid)
{
	char state = prf_stat_read_state(pid, tid);

	return state == 't' || state == 'T';
}
