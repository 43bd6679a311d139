#include "live/birth.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live/begin.h"
#include "live/clock.h"
#include "live/creator.h"
#include "live/death.h"
#include "live/look.h"
#include "live/mapwatch.h"
#include "live/privilege.h"
#include "live/status.h"
#include "live/wall.h"

/* --- Whose child is it? */

static bool
is_thread_of(const struct prf_process *process, pid_t tid)
{
	return !syscall(SYS_tgkill, process->pid, tid, 0) || errno == EPERM;
}

/* Dead or alive, we have still to wait for it.  (Its parent may have to after
 * us.) */
static bool
is_ours(pid_t tid)
{
	struct prf_process_status status;

	return !prf_process_status_read(tid, &status) &&
	       status.tracer == gettid();
}

/* PROCESS begins as a copy of PARENT (NULL: not known). */
static int
tell_fork(struct prf_tracer *tracer, const struct prf_process *process,
	  const struct prf_process *parent)
{
	const struct prf_life fork = {
		.kind = PRF_LIFE_FORK,
		.pid = process->pid,
		.tid = process->pid,
		.parent = parent ? parent->pid : 0,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.name = "",
	};

	return prf_sink_life(tracer->sink, &fork);
}

/* A process that is another's copy runs the same program. */
static struct prf_process *
begin_process(struct prf_tracer *tracer, pid_t pid,
	      const struct prf_process *parent)
{
	struct prf_process *process =
		prf_processes_add(&tracer->processes, pid);

	if (!process)
		return NULL;
	tracer->stats->processes++;
	/* Timers are not inherited. */
	process->swept = tracer->leaving;
	if (!parent)
		return process;
	process->addr_bytes = parent->addr_bytes;
	process->syscall_insn = parent->syscall_insn;
	process->is_left_alone = parent->lets_children_go;
	process->takes_signals = parent->takes_signals;
	if ((parent->maps &&
	     prf_mapwatch_copy(parent->maps, pid, &process->maps)) ||
	    tell_fork(tracer, process, parent)) {
		prf_processes_remove(&tracer->processes, process);
		return NULL;
	}
	return process;
}

/* clone() can make either.  One that has stopped, run and ended before its
 * creator could tell of it is no news. */
static void
add_child(struct prf_tracer *tracer, pid_t tid, const struct prf_task *creator)
{
	struct prf_process *process = creator->process;
	struct prf_task *task = NULL;

	if (!is_thread_of(process, tid)) {
		if (!is_ours(tid))
			return;
		process = begin_process(tracer, tid, process);
	}
	if (process)
		task = prf_tasks_add(tracer->tasks, tid, process);
	if (!task) {
		prf_tracer_give_up(tracer, -ENOMEM, "out of memory");
		return;
	}
	if (process == creator->process)
		prf_creator_note(task, creator->tid);
}

struct prf_task *
prf_birth_find(struct prf_tracer *tracer, pid_t tid)
{
	struct prf_process_status status;
	struct prf_process *process;

	if (prf_process_status_read(tid, &status))
		status = (struct prf_process_status){.pid = tid};
	process = prf_processes_find(&tracer->processes, status.pid);
	if (!process)
		process = begin_process(
			tracer, status.pid,
			prf_processes_find(&tracer->processes, status.parent));
	return process ? prf_tasks_add(tracer->tasks, tid, process) : NULL;
}

/* --- Threads and processes */

void
prf_birth_tell_thread(struct prf_tracer *tracer, const struct prf_task *task)
{
	const struct prf_life thread = {
		.kind = PRF_LIFE_THREAD,
		.pid = task->process->pid,
		.tid = task->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.name = "",
	};

	prf_sink_life(tracer->sink, &thread);
}

static bool
is_followed(const struct prf_tracer *tracer, const struct prf_task *task)
{
	const struct prf_process *process = task->process;

	if (task->tid != process->pid || process->pid == tracer->pid)
		return true;
	if (tracer->leaving && !tracer->attached)
		return false;
	return tracer->config->follow == PRF_FOLLOW_ALL &&
	       !process->is_left_alone;
}

/* Once for all of them. */
static void
mention_left_alone(struct prf_tracer *tracer, const struct prf_process *process)
{
	char line[128];

	if (!process->is_left_alone || tracer->stats->left_alone++ ||
	    !tracer->config->tell)
		return;
	snprintf(line, sizeof line,
		 "a debugger runs (gdb, strace or the like): what it starts is "
		 "its own to trace, and not in the profile");
	tracer->config->tell(tracer->config->tell_arg, line);
}

void
prf_birth_on_first_stop(struct prf_tracer *tracer, struct prf_task *task)
{
	if (!is_followed(tracer, task)) {
		mention_left_alone(tracer, task->process);
		prf_death_let_go(tracer, task);
		return;
	}
	/* Nobody knows of it yet, nor of a program that it would be a copy
	 * of. */
	if (!task->process->maps && prf_begin_image(tracer, task)) {
		prf_tracer_give_up(tracer, -ENOMEM, "out of memory");
		return;
	}
	task->fresh = false;
	tracer->stats->threads++;
	if (task->tid != task->process->pid)
		prf_birth_tell_thread(tracer, task);
	if (!tracer->leaving)
		prf_begin_task(tracer, task);
	task->creator = 0;
	prf_task_resume(task, 0);
}

void
prf_birth_on_event(struct prf_tracer *tracer, struct prf_task *task,
		   const struct prf_stop *stop)
{
	unsigned long tid = 0;

	(void)stop;
	if (!ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &tid) &&
	    !prf_tasks_find(tracer->tasks, (pid_t)tid))
		add_child(tracer, (pid_t)tid, task);
	prf_task_resume(task, 0);
}

/* --- Programs */

struct others {
	struct prf_tracer *tracer;
	const struct prf_task *survivor;
};

static void
forget_other(void *arg, struct prf_task *task)
{
	const struct others *others = arg;

	if (task != others->survivor)
		prf_death_forget(others->tracer, task);
}

/* The other threads are gone without a word, timers and mappings with them.
 * The call of exec is still under way: a call made now would lose its result,
 * so the new image begins at the end of this one. */
void
prf_birth_on_exec(struct prf_tracer *tracer, struct prf_task *task,
		  const struct prf_stop *stop)
{
	struct others others = {tracer, task};
	unsigned long former = 0;

	(void)stop;
	/* Before exec it had another id, if it was not the first thread. */
	ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &former);
	if ((pid_t)former == task->tid)
		prf_wall_end(tracer->wall, task);
	else
		prf_wall_lose(tracer->wall, task);
	prf_tasks_each_of(task->process, forget_other, &others);
	task->fresh = false;
	if (task->trigger)
		task->trigger->ops->forget(task->trigger, task);
	task->process->n_idle_timers = 0;
	/* Another thread may stand behind its id now, with its own clock. */
	prf_task_forget_past(task);
	ptrace(PTRACE_SYSCALL, task->tid, NULL, NULL);
}

static bool
is_first_program(const struct prf_tracer *tracer, const struct prf_task *task)
{
	return task->process->pid == tracer->pid && !tracer->image_begun;
}

void
prf_birth_on_exec_done(struct prf_tracer *tracer, struct prf_task *task,
		       const struct prf_stop *stop)
{
	bool first = is_first_program(tracer, task);
	int rc;

	(void)stop;
	if (!first && tracer->config->follow == PRF_FOLLOW_NONE) {
		prf_death_let_go(tracer, task);
		return;
	}
	rc = prf_begin_image(tracer, task);
	if (rc) {
		prf_tracer_give_up(tracer, rc, "the profile cannot take it: %s",
				   strerror(-rc));
		return;
	}
	tracer->stats->programs++;
	prf_privilege_check(tracer, task->process);
	if (first) {
		tracer->image_begun = true;
		rc = tracer->config->started
			     ? tracer->config->started(
				       tracer->config->started_arg, tracer->pid)
			     : 0;
	}
	if (rc) {
		prf_tracer_give_up(tracer, rc, NULL);
		return;
	}
	if (!tracer->leaving)
		prf_begin_task(tracer, task);
	prf_task_resume(task, 0);
}
