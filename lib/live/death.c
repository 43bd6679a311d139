#include "live/death.h"

#include <sys/ptrace.h>

#include "live/clock.h"
#include "live/procfs.h"
#include "live/schedstat.h"
#include "live/wall.h"

void
prf_death_forget(struct prf_tracer *tracer, struct prf_task *task)
{
	prf_wall_end(tracer->wall, task);
	if (task->trigger)
		task->trigger->ops->forget(task->trigger, task);
	prf_tasks_remove(tracer->tasks, task);
}

/* --- Threads */

/* (The wall clock's ticks are not counted here.) */
static bool
is_of_interest(const struct prf_tracer *tracer, const struct prf_task *task)
{
	return tracer->config->every_thread || tracer->wall || task->ticks;
}

static void
tell_end(struct prf_tracer *tracer, const struct prf_task *task)
{
	char name[PRF_THREAD_NAME_BYTES] = "";
	struct prf_life end = {
		.kind = PRF_LIFE_END,
		.pid = task->process->pid,
		.tid = task->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.name = name,
	};

	if (!tracer->sink->ops->life)
		return;
	if (is_of_interest(tracer, task)) {
		prf_thread_name_read(end.pid, end.tid, name);
		if (prf_thread_cpu_read(end.pid, end.tid, &end.cpu_ns))
			end.cpu_ns = 0;
	}
	prf_sink_life(tracer->sink, &end);
}

void
prf_death_account(struct prf_tracer *tracer, pid_t tid)
{
	struct prf_task *task = prf_tasks_find(tracer->tasks, tid);

	if (!task)
		return;
	prf_wall_end(tracer->wall, task);
	if (task->trigger)
		tracer->stats->unseen +=
			task->trigger->ops->unseen(task->trigger, task);
	tell_end(tracer, task);
	/* The first thread's end is told when no other is left; if it had ended
	 * before we came, it is not told to us. */
	if (tid == task->process->pid ||
	    !prf_tasks_find(tracer->tasks, task->process->pid))
		task->process->used = prf_usage_read(task->process->pid);
}

/* --- Processes */

static void
forget_each(void *arg, struct prf_task *task)
{
	prf_death_forget(arg, task);
}

/* PROCESS has ended or is let go: KIND says which. */
static void
end_process(struct prf_tracer *tracer, struct prf_process *process,
	    enum prf_life_kind kind, int wait_status)
{
	const struct prf_life end = {
		.kind = kind,
		.pid = process->pid,
		.tid = process->pid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.name = "",
		.cpu_ns = process->used.cpu_ns,
		.wait_status = wait_status,
	};

	if (!tracer->paused)
		prf_usage_add(&tracer->used, &process->used, &process->since);
	if (tracer->leaving && !process->swept)
		tracer->n_unswept--;
	prf_tasks_each_of(process, forget_each, tracer);
	prf_processes_remove(&tracer->processes, process);
	prf_sink_life(tracer->sink, &end);
}

void
prf_death_on_end(struct prf_tracer *tracer, struct prf_task *task,
		 const struct prf_stop *stop)
{
	struct prf_process *process = task->process;

	if (task->tid == process->pid) {
		end_process(tracer, process, PRF_LIFE_EXIT, stop->wait_status);
		return;
	}
	prf_death_forget(tracer, task);
	/* How it ends only the first thread's end would say. */
	if (!process->tasks)
		end_process(tracer, process, PRF_LIFE_LEAVE, 0);
}

void
prf_death_leave(struct prf_tracer *tracer, struct prf_process *process)
{
	process->used = prf_usage_read(process->pid);
	end_process(tracer, process, PRF_LIFE_LEAVE, 0);
}

void
prf_death_let_go(struct prf_tracer *tracer, struct prf_task *task)
{
	bool last = task->process->tasks == task && !task->sibling;

	ptrace(PTRACE_DETACH, task->tid, NULL, NULL);
	if (last)
		prf_death_leave(tracer, task->process);
	else
		prf_death_forget(tracer, task);
}
