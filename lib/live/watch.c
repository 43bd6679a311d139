#include "live/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "live/proc/clock.h"

int
prf_watch_begin(struct prf_watch *watch, struct prf_error *err)
{
	enum { PATIENCE_NS = 2000000000 };

	watch->err = err;
	watch->first_ended = watch->pid == 0;
	watch->patience_ns = PATIENCE_NS;
	watch->tasks = prf_tasks_new();
	return watch->tasks ? 0 : prf_error_set(err, -ENOMEM, "out of memory");
}

int
prf_watch_add_launched(struct prf_watch *watch)
{
	struct prf_process *process =
		prf_processes_add(&watch->processes, watch->pid);
	struct prf_task *task =
		process ? prf_tasks_add(watch->tasks, watch->pid, process)
			: NULL;
	if (!task)
		return prf_error_set(watch->err, -ENOMEM, "out of memory");
	/* The thread is not new; its program is, and that begins with exec. */
	task->fresh = false;
	watch->stats->threads = 1;
	watch->stats->processes = 1;
	return 0;
}

void
prf_watch_note_pause(struct prf_watch *watch)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (watch->paused)
		watch->stats->paused_ns += now_ns - watch->paused_since_ns;
	watch->paused_since_ns = now_ns;
}

int
prf_watch_send(struct prf_watch *watch, const struct prf_sample *sample)
{
	struct prf_sample bare = *sample;
	int rc = watch->sink->ops->sample(watch->sink, sample);

	if (rc != -ENOBUFS || !sample->stack_copy)
		return rc;
	bare.stack_copy = NULL;
	bare.stack_copy_bytes = 0;
	rc = watch->sink->ops->sample(watch->sink, &bare);
	if (!rc)
		watch->stats->stackless += sample->ticks;
	return rc;
}

void
prf_watch_lose(const struct prf_watch *watch, uint64_t *counter, uint64_t ticks)
{
	*(watch->paused ? &watch->stats->paused : counter) += ticks;
}

static void
flush_task(void *arg, struct prf_task *task)
{
	(void)arg;
	prf_watch_flush(task);
}

void
prf_watch_flush(struct prf_task *task)
{
	struct prf_trigger *trigger = task->trigger;

	if (trigger && trigger->ops->flush)
		trigger->ops->flush(trigger, task);
}

void
prf_watch_flush_process(struct prf_process *process)
{
	prf_tasks_each_of(process, flush_task, NULL);
}

void
prf_watch_collect_task(struct prf_task *task)
{
	struct prf_trigger *trigger = task->trigger;

	if (trigger && trigger->ops->collect)
		trigger->ops->collect(trigger, task);
}

static void
collect_task(void *arg, struct prf_task *task)
{
	(void)arg;
	prf_watch_collect_task(task);
}

void
prf_watch_collect_process(struct prf_process *process)
{
	prf_tasks_each_of(process, collect_task, NULL);
}

void
prf_watch_collect(const struct prf_watch *watch)
{
	for (struct prf_process *process = watch->processes.first; process;
	     process = process->next)
		prf_watch_collect_process(process);
}

void
prf_watch_give_up(struct prf_watch *watch, int code, const char *format, ...)
{
	char text[sizeof watch->err->text];
	va_list args;

	if (!watch->failed) {
		watch->failed = code;
		if (format) {
			va_start(args, format);
			vsnprintf(text, sizeof text, format, args);
			va_end(args);
			prf_error_set(watch->err, code, "%s", text);
		}
	}
	prf_watch_kill(watch);
}

void
prf_watch_kill(const struct prf_watch *watch)
{
	for (const struct prf_process *process = watch->processes.first;
	     process && watch->pid; process = process->next)
		kill(process->pid, SIGKILL);
}
