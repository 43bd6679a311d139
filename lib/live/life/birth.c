#include "live/life/birth.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live/kept.h"
#include "live/life/begin.h"
#include "live/proc/clock.h"
#include "live/life/death.h"
#include "live/stopped/resume.h"
#include "live/stopped/mapwatch.h"
#include "live/life/privilege.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "live/wall/wall.h"

/* --- Whose child is it? */

static bool
is_thread_of(const struct prf_process *process, pid_t tid)
{
	return !syscall(SYS_tgkill, process->pid, tid, 0) || errno == EPERM;
}

/* Do we still have to wait for TID, dead or alive?  (Its parent may have to
 * after us.) */
static bool
is_ours(pid_t tid)
{
	struct prf_process_status status;

	return !prf_status_read_process(tid, &status) &&
	       status.tracer == gettid();
}

/* PROCESS begins as a copy of PARENT (NULL: not known). */
static int
tell_fork(struct prf_watch *watch, const struct prf_process *process,
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

	return prf_sink_life(watch->sink, &fork);
}

/* Adds a process that is a copy of PARENT and runs the same program; NULL:
 * it is not known whose copy. */
static struct prf_process *
begin_process(struct prf_watch *watch, pid_t pid, struct prf_process *parent)
{
	struct prf_process *process = prf_processes_add(&watch->processes, pid);

	if (!process)
		return NULL;
	watch->stats->processes++;
	/* Timers are not inherited. */
	process->swept = watch->leaving;
	if (!parent)
		return process;
	/* What the parent has mapped, and has been counted, is the child's. */
	prf_watch_collect_process(parent);
	process->addr_bytes = parent->addr_bytes;
	process->syscall_insn = parent->syscall_insn;
	process->is_left_alone = parent->lets_children_go;
	process->takes_signals = parent->takes_signals;
	if ((parent->maps &&
	     prf_mapwatch_copy(parent->maps, pid, &process->maps)) ||
	    tell_fork(watch, process, parent)) {
		prf_processes_remove(&watch->processes, process);
		return NULL;
	}
	return process;
}

/* clone() can make a thread or a process.  One that has stopped, run and
 * ended before its creator's event is not ours any more. */
static void
add_child(struct prf_watch *watch, pid_t tid, const struct prf_task *creator)
{
	struct prf_process *process = creator->process;
	struct prf_task *task = NULL;

	if (!is_thread_of(process, tid)) {
		if (!is_ours(tid))
			return;
		process = begin_process(watch, tid, process);
	}
	if (process)
		task = prf_tasks_add(watch->tasks, tid, process);
	if (!task) {
		prf_watch_give_up(watch, -ENOMEM, "out of memory");
		return;
	}
	task->signals_blocked = creator->signals_blocked;
	if (process == creator->process)
		task->creator = creator->tid;
}

struct prf_task *
prf_birth_find(struct prf_watch *watch, pid_t tid)
{
	struct prf_process_status status;
	struct prf_process *process;

	if (prf_status_read_process(tid, &status))
		status = (struct prf_process_status){.pid = tid};
	process = prf_processes_find(&watch->processes, status.pid);
	if (!process)
		process = begin_process(
			watch, status.pid,
			prf_processes_find(&watch->processes, status.parent));
	return process ? prf_tasks_add(watch->tasks, tid, process) : NULL;
}

/* --- Threads and processes */

void
prf_birth_tell_thread(struct prf_watch *watch, const struct prf_task *task)
{
	const struct prf_life thread = {
		.kind = PRF_LIFE_THREAD,
		.pid = task->process->pid,
		.tid = task->tid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.name = "",
	};

	prf_sink_life(watch->sink, &thread);
}

static bool
is_followed(const struct prf_watch *watch, const struct prf_task *task)
{
	const struct prf_process *process = task->process;

	if (task->tid != process->pid || process->pid == watch->pid)
		return true;
	if (watch->leaving && !watch->attached)
		return false;
	return watch->config->follow == PRF_FOLLOW_ALL &&
	       !process->is_left_alone;
}

/* This is said once. */
static void
mention_left_alone(struct prf_watch *watch, const struct prf_process *process)
{
	char line[128];

	if (!process->is_left_alone || watch->stats->left_alone++ ||
	    !watch->config->tell)
		return;
	snprintf(line, sizeof line,
		 "a debugger runs (gdb, strace or the like): what it starts is "
		 "its own to trace, and not in the profile");
	watch->config->tell(watch->config->tell_arg, line);
}

void
prf_birth_on_first_stop(struct prf_watch *watch, struct prf_task *task)
{
	if (!is_followed(watch, task)) {
		mention_left_alone(watch, task->process);
		prf_death_let_go(watch, task);
		return;
	}
	/* The sink does not know it yet, nor a program that it would be a
	 * copy of. */
	if (!task->process->maps && prf_begin_image(watch, task)) {
		prf_watch_give_up(watch, -ENOMEM, "out of memory");
		return;
	}
	task->fresh = false;
	watch->stats->threads++;
	if (task->tid != task->process->pid)
		prf_birth_tell_thread(watch, task);
	task->begins = true;
	if (!watch->leaving)
		prf_begin_task(watch, task);
	task->begins = false;
	task->creator = 0;
	prf_resume(task, 0);
}

void
prf_birth_on_event(struct prf_watch *watch, struct prf_task *task,
		   const struct prf_stop *stop)
{
	unsigned long tid = 0;

	(void)stop;
	/* What it has mapped is told before its child, which may be a thread and have
	 * stopped already, is sampled. */
	prf_watch_collect_task(task);
	if (!ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &tid) &&
	    !prf_tasks_find(watch->tasks, (pid_t)tid))
		add_child(watch, (pid_t)tid, task);
	prf_resume(task, 0);
}

/* --- Programs */

struct others {
	struct prf_watch *watch;
	const struct prf_task *survivor;
};

static void
forget_other(void *arg, struct prf_task *task)
{
	const struct others *others = arg;

	if (task != others->survivor)
		prf_death_forget(others->watch, task);
}

static void
note_unseen(void *arg, struct prf_task *task)
{
	prf_death_note_unseen(arg, task);
}

/* The threads of the program that ends here.  The first of them has no files in
 * /proc any more if it was another that has called exec. */
static void
end_program(struct prf_watch *watch, struct prf_task *task, pid_t caller)
{
	task->is_replaced = caller != task->tid;
	if (task->is_replaced)
		prf_wall_lose(watch->wall, task);
	else
		prf_wall_end(watch->wall, task);
	prf_watch_flush_process(task->process);
	prf_tasks_each_of(task->process, note_unseen, watch);
}

static bool
is_first_program(const struct prf_watch *watch, const struct prf_task *task)
{
	return task->process->pid == watch->pid && !watch->image_begun;
}

/* The CPU time of TASK before which its ticks were counted, as far as it had any:
 * nobody has counted what the first program has run before.  0: not known. */
static uint64_t
counted_ns(const struct prf_watch *watch, const struct prf_task *task)
{
	uint64_t cpu_ns = 0;

	if (is_first_program(watch, task))
		return 1;
	(void)!prf_schedstat_read_cpu(task->process->pid, task->tid, &cpu_ns);
	return cpu_ns;
}

/* The other threads are gone, and have no events of their own; so are timers
 * and mappings.  The call of exec has not returned: a call that we made now
 * would destroy its result, so the new program begins when exec returns, and is
 * owed what its thread runs until then. */
void
prf_birth_on_exec(struct prf_watch *watch, struct prf_task *task,
		  const struct prf_stop *stop)
{
	struct others others = {watch, task};
	unsigned long former = 0;

	(void)stop;
	/* Before exec it had another id, if it was not the first thread. */
	ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &former);
	end_program(watch, task, (pid_t)former);
	prf_tasks_each_of(task->process, forget_other, &others);
	task->fresh = false;
	if (task->trigger)
		task->trigger->ops->forget(task->trigger, task);
	prf_kept_clear(&task->process->kept);
	/* Its id may now be that of another thread, with its own clock. */
	prf_tasks_forget_past(task);
	task->owed_from_ns = counted_ns(watch, task);
	ptrace(PTRACE_SYSCALL, task->tid, NULL, NULL);
}

void
prf_birth_on_exec_done(struct prf_watch *watch, struct prf_task *task,
		       const struct prf_stop *stop)
{
	bool first = is_first_program(watch, task);
	int rc;

	(void)stop;
	if (!first && watch->config->follow == PRF_FOLLOW_NONE) {
		prf_death_let_go(watch, task);
		return;
	}
	rc = prf_begin_image(watch, task);
	if (rc) {
		prf_watch_give_up(watch, rc, "the profile cannot take it: %s",
				  strerror(-rc));
		return;
	}
	watch->stats->programs++;
	prf_privilege_check(watch, task->process);
	if (first) {
		watch->image_begun = true;
		rc = watch->config->started
			     ? watch->config->started(
				       watch->config->started_arg, watch->pid)
			     : 0;
	}
	if (rc) {
		prf_watch_give_up(watch, rc, NULL);
		return;
	}
	if (!watch->leaving)
		prf_begin_program(watch, task);
	prf_resume(task, 0);
}
