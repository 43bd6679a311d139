#include "live/tracer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/begin.h"
#include "live/clock.h"
#include "live/look.h"
#include "live/mapwatch.h"
#include "live/procfs.h"
#include "live/wall.h"

/* Something is wrong with us, not with the program: it is not left behind
 * half watched. */
static void
give_up(struct prf_tracer *tracer, int rc)
{
	if (!tracer->failed)
		tracer->failed = rc;
	kill(tracer->pid, SIGKILL);
}

/* Somebody else in this process has waited for it: how it ended is not known. */
static void
lose_program(struct prf_tracer *tracer, int code)
{
	tracer->ended = true;
	if (!tracer->failed)
		tracer->failed = prf_error_set(
			tracer->err, -code,
			"the program cannot be waited for: %s", strerror(code));
}

/* --- Signals on their way to the program */

static void
on_signal(struct prf_tracer *tracer, struct prf_task *task,
	  const struct prf_stop *stop)
{
	if (prf_look_claimed(tracer, task, stop))
		return;
	tracer->stats->foreign++;
	prf_look_settle_call(tracer, task, stop->signal);
	prf_task_resume(task, stop->signal);
}

/* Job control has stopped it: it must stay stopped, and yet be heard of. */
static void
on_group_stop(struct prf_tracer *tracer, struct prf_task *task,
	      const struct prf_stop *stop)
{
	(void)stop;
	tracer->stats->foreign++;
	ptrace(PTRACE_LISTEN, task->tid, NULL, NULL);
}

/* --- Threads and images that begin */

static bool
is_thread_of(pid_t pid, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d", pid, tid);
	return !access(path, F_OK);
}

/* A thread's first stop, INTERRUPT's, or the news that job control lets it go
 * on. */
static void
on_trap(struct prf_tracer *tracer, struct prf_task *task,
	const struct prf_stop *stop)
{
	if (!task->fresh) {
		if (prf_look_claimed(tracer, task, stop))
			return;
		tracer->stats->foreign++;
		prf_task_resume(task, 0);
		return;
	}
	/* clone() can also make a process, and those are not followed. */
	if (!is_thread_of(tracer->pid, task->tid)) {
		ptrace(PTRACE_DETACH, task->tid, NULL, NULL);
		prf_tasks_remove(tracer->tasks, task);
		return;
	}
	task->fresh = false;
	tracer->stats->threads++;
	prf_begin_task(tracer, task);
	prf_task_resume(task, 0);
}

static void
on_clone(struct prf_tracer *tracer, struct prf_task *task,
	 const struct prf_stop *stop)
{
	unsigned long tid = 0;

	(void)stop;
	if (!ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &tid) &&
	    !prf_tasks_find(tracer->tasks, (pid_t)tid) &&
	    !prf_tasks_add(tracer->tasks, (pid_t)tid, task->process))
		give_up(tracer,
			prf_error_set(tracer->err, -ENOMEM, "out of memory"));
	prf_task_resume(task, 0);
}

static void
forget_task(struct prf_tracer *tracer, struct prf_task *task)
{
	prf_wall_end(tracer->wall, task);
	if (task->trigger)
		task->trigger->ops->forget(task->trigger, task);
	prf_tasks_remove(tracer->tasks, task);
}

struct others {
	struct prf_tracer *tracer;
	pid_t survivor;
};

static void
forget_other(void *arg, struct prf_task *task)
{
	const struct others *others = arg;

	if (task->tid != others->survivor)
		forget_task(others->tracer, task);
}

/* The other threads are gone without a word, timers and mappings with them.
 * The call of exec is still under way: a call made now would lose its result,
 * so the new image begins at the end of this one. */
static void
on_exec(struct prf_tracer *tracer, struct prf_task *task,
	const struct prf_stop *stop)
{
	struct others others = {tracer, stop->tid};
	unsigned long former = 0;

	/* Before exec it had another id, if it was not the first thread. */
	ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &former);
	if ((pid_t)former == task->tid)
		prf_wall_end(tracer->wall, task);
	else
		prf_wall_lose(tracer->wall, task);
	prf_tasks_each(tracer->tasks, forget_other, &others);
	if (task->trigger)
		task->trigger->ops->forget(task->trigger, task);
	/* Another thread may stand behind its id now, with its own clock. */
	prf_task_forget_past(task);
	ptrace(PTRACE_SYSCALL, task->tid, NULL, NULL);
}

/* The end of exec: the new image has not run yet. */
static void
on_syscall(struct prf_tracer *tracer, struct prf_task *task,
	   const struct prf_stop *stop)
{
	(void)stop;
	int rc = prf_begin_image(tracer, task);
	if (rc)
		prf_error_set(tracer->err, rc, "the profile cannot take it: %s",
			      strerror(-rc));
	if (!rc && !tracer->image_begun && tracer->config->started)
		rc = tracer->config->started(tracer->config->started_arg,
					     tracer->pid);
	tracer->image_begun = true;
	if (rc) {
		give_up(tracer, rc);
		return;
	}
	prf_begin_task(tracer, task);
	prf_task_resume(task, 0);
}

static void
on_other_event(struct prf_tracer *tracer, struct prf_task *task,
	       const struct prf_stop *stop)
{
	(void)stop;
	tracer->stats->foreign++;
	prf_task_resume(task, 0);
}

/* --- Threads that end */

/* The program is dead, but has not been reaped: its clocks can still be read.
 * They have counted its threads, those too that vanished at an exec. */
static void
account_for(struct prf_tracer *tracer)
{
	struct prf_sampler_stats *stats = tracer->stats;
	struct prf_process_times times;

	if (prf_clock_of_process(tracer->pid, &stats->cpu_ns))
		stats->cpu_unknown = 1;
	if (!prf_process_times_read(tracer->pid, &times)) {
		stats->user_us = times.user_us;
		stats->system_us = times.system_us;
	}
}

/* TID is dead, and has not been reaped either. */
static void
count_unseen(struct prf_tracer *tracer, pid_t tid)
{
	struct prf_task *task = prf_tasks_find(tracer->tasks, tid);

	if (task)
		prf_wall_end(tracer->wall, task);
	if (task && task->trigger)
		tracer->stats->unseen +=
			task->trigger->ops->unseen(task->trigger, task);
}

static void
on_end(struct prf_tracer *tracer, struct prf_task *task,
       const struct prf_stop *stop)
{
	forget_task(tracer, task);
	/* The first thread's end is told when no other is left. */
	if (stop->tid == tracer->pid) {
		tracer->ended = true;
		tracer->wait_status = stop->wait_status;
	}
}

/* --- All stops */

static void (*const handlers[PRF_N_STOP_KINDS])(struct prf_tracer *,
						struct prf_task *,
						const struct prf_stop *) = {
	[PRF_STOP_EXITED] = on_end,
	[PRF_STOP_KILLED] = on_end,
	[PRF_STOP_SIGNAL] = on_signal,
	[PRF_STOP_GROUP] = on_group_stop,
	[PRF_STOP_TRAP] = on_trap,
	[PRF_STOP_CLONE] = on_clone,
	[PRF_STOP_EXEC] = on_exec,
	[PRF_STOP_SYSCALL] = on_syscall,
	[PRF_STOP_OTHER_EVENT] = on_other_event,
};

static void
handle(struct prf_tracer *tracer, const struct prf_stop *stop)
{
	struct prf_task *task = prf_tasks_find(tracer->tasks, stop->tid);

	if (!handlers[stop->kind])
		return;
	/* Every other stop swallows an interrupt that was asked for. */
	if (task && stop->kind != PRF_STOP_TRAP)
		task->interrupt_pending = false;
	/* A new thread's first stop can come before its parent's event; job
	 * control may have stopped it before it began. */
	if (!task &&
	    (stop->kind == PRF_STOP_TRAP || stop->kind == PRF_STOP_GROUP)) {
		task = prf_tasks_add(tracer->tasks, stop->tid,
				     &tracer->process);
		if (!task)
			give_up(tracer, prf_error_set(tracer->err, -ENOMEM,
						      "out of memory"));
	}
	if (task)
		handlers[stop->kind](tracer, task, stop);
}

/* Answers the next stop, if there is one.  Children that this process had before
 * it became profrun are waited for too, or their news would be told for ever. */
static bool
answer_next(struct prf_tracer *tracer)
{
	siginfo_t info = {0};
	int wait_status;

	while (waitid(P_ALL, 0, &info,
		      WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL))
		if (errno != EINTR) {
			lose_program(tracer, errno);
			return false;
		}
	if (!info.si_pid)
		return false;
	if (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
	    info.si_code == CLD_DUMPED) {
		count_unseen(tracer, info.si_pid);
		if (info.si_pid == tracer->pid)
			account_for(tracer);
	}
	if (waitpid(info.si_pid, &wait_status, WUNTRACED | WNOHANG | __WALL) !=
	    info.si_pid)
		return true;
	struct prf_stop stop = prf_stop_of_wait(info.si_pid, wait_status);
	handle(tracer, &stop);
	return true;
}

bool
prf_tracer_drain(struct prf_tracer *tracer)
{
	/* A program that stops all the time must not keep us from the rest. */
	enum { MOST = 256 };

	for (int i = 0; i < MOST; i++)
		if (tracer->ended || !answer_next(tracer))
			return false;
	return true;
}

int
prf_tracer_begin(struct prf_tracer *tracer, struct prf_error *err)
{
	tracer->err = err;
	tracer->process.pid = tracer->pid;
	tracer->tasks = prf_tasks_new();
	struct prf_task *task =
		tracer->tasks ? prf_tasks_add(tracer->tasks, tracer->pid,
					      &tracer->process)
			      : NULL;
	if (!task)
		return prf_error_set(err, -ENOMEM, "out of memory");
	/* What is fresh of it is the image, and that begins with exec. */
	task->fresh = false;
	tracer->stats->threads = 1;
	return 0;
}

void
prf_tracer_end(struct prf_tracer *tracer)
{
	prf_tasks_free(tracer->tasks);
	prf_mapwatch_free(tracer->process.maps);
}
