#include "live/life/death.h"

#include <sys/ptrace.h>

#include "live/proc/clock.h"
#include "live/proc/procfs.h"
#include "live/proc/schedstat.h"
#include "live/wall/wall.h"

void
prf_death_forget(struct prf_watch *watch, struct prf_task *task)
{
	prf_wall_end(watch->wall, task);
	if (task->trigger)
		task->trigger->ops->forget(task->trigger, task);
	prf_tasks_remove(watch->tasks, task);
}

/* --- Threads */

/* TASK is dead and not reaped yet, or about to be let go. */
static void
add_in_step(void *arg, struct prf_task *task)
{
	struct prf_watch *watch = arg;
	struct prf_trigger *trigger = task->trigger;

	if (trigger && trigger->ops->in_step_ns)
		watch->stats->in_step_ns +=
			trigger->ops->in_step_ns(trigger, task);
}

/* Is TASK's name worth reading?  (The wall clock's ticks are not in
 * task->ticks.) */
static bool
is_of_interest(const struct prf_watch *watch, const struct prf_task *task)
{
	return watch->config->every_thread || watch->wall || task->ticks;
}

/* Has the sink been told of TASK?  Not of one that was killed before its
 * first stop; the first thread of a process is told with the process. */
static bool
is_known(const struct prf_task *task)
{
	return !task->fresh || task->tid == task->process->pid;
}

static void
tell_end(struct prf_watch *watch, const struct prf_task *task)
{
	char name[PRF_THREAD_NAME_BYTES] = "";
	struct prf_life end = {
		.kind = PRF_LIFE_END,
		.pid = task->process->pid,
		.tid = task->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.name = name,
	};

	if (!watch->sink->ops->life || !is_known(task))
		return;
	if (is_of_interest(watch, task)) {
		prf_procfs_read_name(end.pid, end.tid, name);
		if (prf_schedstat_read_cpu(end.pid, end.tid, &end.cpu_ns) ||
		    end.cpu_ns < task->stops_ns)
			end.cpu_ns = 0;
		else
			end.cpu_ns -= task->stops_ns;
	}
	prf_sink_life(watch->sink, &end);
}

static void
note_end(struct prf_process *process)
{
	process->used = prf_processes_usage(process);
	prf_procfs_read_name(process->pid, process->pid, process->name);
}

void
prf_death_note_unseen(struct prf_watch *watch, const struct prf_task *task)
{
	if (task->trigger)
		prf_watch_lose(watch, &watch->stats->unseen,
			       task->trigger->ops->unseen(task->trigger, task));
}

void
prf_death_account(struct prf_watch *watch, pid_t tid)
{
	struct prf_task *task = prf_tasks_find(watch->tasks, tid);

	if (!task)
		return;
	prf_wall_end(watch->wall, task);
	prf_watch_flush(task);
	prf_death_note_unseen(watch, task);
	add_in_step(watch, task);
	tell_end(watch, task);
	/* The first thread's end is told when no other is left; if it had ended
	 * before we came, it is not told to us. */
	if (tid == task->process->pid ||
	    !prf_tasks_find(watch->tasks, task->process->pid))
		note_end(task->process);
}

/* --- Processes */

static void
forget_each(void *arg, struct prf_task *task)
{
	prf_death_forget(arg, task);
}

static void
note_unseen(struct prf_watch *watch, const struct prf_process *process)
{
	if (!watch->paused && process->used.cpu_ns >= process->since.cpu_ns)
		prf_unseen_add(&watch->stats->unseen_of, process->name,
			       process->used.cpu_ns - process->since.cpu_ns,
			       process->ticks - process->ticks_before);
}

/* PROCESS has ended or is let go: KIND says which. */
static void
end_process(struct prf_watch *watch, struct prf_process *process,
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

	if (!watch->paused)
		prf_usage_add(&watch->used, &process->used, &process->since);
	if (kind == PRF_LIFE_EXIT)
		note_unseen(watch, process);
	if (watch->leaving && !process->swept)
		watch->n_unswept--;
	prf_tasks_each_of(process, forget_each, watch);
	prf_processes_remove(&watch->processes, process);
	prf_sink_life(watch->sink, &end);
}

void
prf_death_on_end(struct prf_watch *watch, struct prf_task *task,
		 const struct prf_stop *stop)
{
	struct prf_process *process = task->process;

	if (task->tid == process->pid) {
		end_process(watch, process, PRF_LIFE_EXIT, stop->wait_status);
		return;
	}
	prf_death_forget(watch, task);
	/* Only the first thread's end would say how the process ends. */
	if (!process->tasks)
		end_process(watch, process, PRF_LIFE_LEAVE, 0);
}

/* TASK lives on.  What it was called is known from now on, as of one that ends. */
static void
leave_task(void *arg, struct prf_task *task)
{
	struct prf_watch *watch = arg;

	prf_wall_end(watch->wall, task);
	add_in_step(watch, task);
	tell_end(watch, task);
}

void
prf_death_leave(struct prf_watch *watch, struct prf_process *process)
{
	prf_watch_flush_process(process);
	process->used = prf_processes_usage(process);
	prf_tasks_each_of(process, leave_task, watch);
	end_process(watch, process, PRF_LIFE_LEAVE, 0);
}

void
prf_death_abandon(struct prf_watch *watch, struct prf_process *process)
{
	struct prf_life end = {
		.kind = PRF_LIFE_LEAVE,
		.pid = process->pid,
		.tid = process->pid,
		.name = "",
	};

	for (const struct prf_task *task = process->tasks; task;
	     task = task->sibling)
		tell_end(watch, task);
	process->used = prf_processes_usage(process);
	if (!watch->paused)
		prf_usage_add(&watch->used, &process->used, &process->since);
	end.time_ns = prf_clock_ns(CLOCK_MONOTONIC);
	end.cpu_ns = process->used.cpu_ns;
	prf_sink_life(watch->sink, &end);
}

void
prf_death_let_go(struct prf_watch *watch, struct prf_task *task)
{
	bool last = task->process->tasks == task && !task->sibling;
	pid_t tid = task->tid;

	prf_watch_flush(task);
	/* When it runs, it may end at once, and nothing is known of it. */
	if (last) {
		prf_death_leave(watch, task->process);
	} else {
		leave_task(watch, task);
		prf_death_forget(watch, task);
	}
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
}
