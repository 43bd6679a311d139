#include "live/tracer.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/birth.h"
#include "live/clock.h"
#include "live/death.h"
#include "live/leave.h"
#include "live/look.h"
#include "live/wall.h"

void
prf_tracer_give_up(struct prf_tracer *tracer, int code, const char *format, ...)
{
	char text[sizeof tracer->err->text];
	va_list args;

	if (!tracer->failed) {
		tracer->failed = code;
		if (format) {
			va_start(args, format);
			vsnprintf(text, sizeof text, format, args);
			va_end(args);
			prf_error_set(tracer->err, code, "%s", text);
		}
	}
	if (!tracer->pid)
		prf_leave_begin(tracer);
	for (const struct prf_process *process = tracer->processes.first;
	     process && tracer->pid; process = process->next)
		kill(process->pid, SIGKILL);
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
	tracer->stats->foreign++;
	prf_task_note_stop(task, stop->signal);
	ptrace(PTRACE_LISTEN, task->tid, NULL, NULL);
}

/* A task's first stop, INTERRUPT's, or the news that job control lets it go
 * on. */
static void
on_trap(struct prf_tracer *tracer, struct prf_task *task,
	const struct prf_stop *stop)
{
	if (task->fresh) {
		prf_birth_on_first_stop(tracer, task);
		return;
	}
	if (prf_look_claimed(tracer, task, stop))
		return;
	tracer->stats->foreign++;
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

/* --- All stops */

static void (*const handlers[PRF_N_STOP_KINDS])(struct prf_tracer *,
						struct prf_task *,
						const struct prf_stop *) = {
	[PRF_STOP_EXITED] = prf_death_on_end,
	[PRF_STOP_KILLED] = prf_death_on_end,
	[PRF_STOP_SIGNAL] = on_signal,
	[PRF_STOP_GROUP] = on_group_stop,
	[PRF_STOP_TRAP] = on_trap,
	[PRF_STOP_BIRTH] = prf_birth_on_event,
	[PRF_STOP_EXEC] = prf_birth_on_exec,
	[PRF_STOP_SYSCALL] = prf_birth_on_exec_done,
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
	if (task && stop->kind != PRF_STOP_GROUP)
		prf_task_note_stop(task, 0);
	/* A new task's first stop can come before its parent's event; job
	 * control may have stopped it before it began.  An exec brings back a
	 * first thread that had ended before we came. */
	if (!task &&
	    (stop->kind == PRF_STOP_TRAP || stop->kind == PRF_STOP_GROUP ||
	     stop->kind == PRF_STOP_EXEC)) {
		task = prf_birth_find(tracer, stop->tid);
		if (!task)
			prf_tracer_give_up(tracer, -ENOMEM, "out of memory");
	}
	if (!task || (tracer->leaving && prf_leave_claimed(tracer, task, stop)))
		return;
	handlers[stop->kind](tracer, task, stop);
}

/* The first process's end is heard of even if it is no longer traced. */
static void
note_end(struct prf_tracer *tracer, const struct prf_stop *stop)
{
	if (stop->tid == tracer->pid &&
	    (stop->kind == PRF_STOP_EXITED || stop->kind == PRF_STOP_KILLED)) {
		tracer->first_ended = true;
		tracer->wait_status = stop->wait_status;
	}
	tracer->ended =
		tracer->first_ended && prf_tasks_count(tracer->tasks) == 0;
}

static void
answer(struct prf_tracer *tracer, pid_t tid, int wait_status)
{
	struct prf_stop stop = prf_stop_of_wait(tid, wait_status);

	handle(tracer, &stop);
	note_end(tracer, &stop);
}

/* Answers the next stop, of thread TID or (0) of any, if there is one. */
static bool
answer_stop_of(struct prf_tracer *tracer, pid_t tid)
{
	int wait_status;
	pid_t stopped = prf_stop_take(tid, &wait_status);

	if (stopped)
		answer(tracer, stopped, wait_status);
	return stopped;
}

static bool
answer_stop(struct prf_tracer *tracer)
{
	return answer_stop_of(tracer, 0);
}

static bool
is_end(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
	       info->si_code == CLD_DUMPED;
}

/* Answers the next end, if there is one; it has to be accounted for before it is
 * taken.  Whoever traces is told of stops as well, whatever it asks for.  Children
 * that this process had before it became profrun are waited for too, or their news
 * would be told for ever. */
static bool
answer_end(struct prf_tracer *tracer)
{
	siginfo_t info = {0};
	int wait_status;

	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL))
		if (errno != EINTR) {
			lose_program(tracer, errno);
			return false;
		}
	if (!info.si_pid)
		return false;
	if (!is_end(&info))
		return answer_stop_of(tracer, info.si_pid);
	prf_death_account(tracer, info.si_pid);
	if (waitpid(info.si_pid, &wait_status, WNOHANG | __WALL) == info.si_pid)
		answer(tracer, info.si_pid, wait_status);
	return true;
}

/* Answers one after another; true: it left some. */
static bool
answer_each(struct prf_tracer *tracer,
	    bool (*answer_one)(struct prf_tracer *tracer))
{
	/* A program that stops all the time must not keep us from the rest, nor
	 * one whose threads have to wait for a processor to do what we ask. */
	enum { MOST = 256, LONGEST_NS = 10000000 };
	uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC) + LONGEST_NS;

	for (int i = 0; i < MOST && prf_clock_ns(CLOCK_MONOTONIC) < end_ns; i++)
		if (tracer->ended || !answer_one(tracer))
			return false;
	return true;
}

/* Whether a stop or an end is left; the kernel asks each thread for it. */
static bool
is_anything_left(void)
{
	const int any = WSTOPPED | WEXITED | WNOHANG | WNOWAIT | __WALL;
	siginfo_t info = {0};

	return waitid(P_ALL, 0, &info, any) || info.si_pid;
}

/* Stops come first: a thread waits there.  What one thread has to say is known at
 * once; the rest takes longer the more threads there are, so that mostly it is
 * just asked, once, whether there is any. */
bool
prf_tracer_drain(struct prf_tracer *tracer, pid_t first)
{
	bool answered = answer_stop_of(tracer, first);

	if (tracer->ended || ((answered || first) && !is_anything_left()))
		return false;

	bool stops = answer_each(tracer, answer_stop);
	bool ends = answer_each(tracer, answer_end);

	return stops || ends;
}

int
prf_tracer_begin(struct prf_tracer *tracer, struct prf_error *err)
{
	tracer->err = err;
	tracer->first_ended = tracer->pid == 0;
	tracer->tasks = prf_tasks_new();
	return tracer->tasks ? 0 : prf_error_set(err, -ENOMEM, "out of memory");
}

int
prf_tracer_add_launched(struct prf_tracer *tracer)
{
	struct prf_process *process =
		prf_processes_add(&tracer->processes, tracer->pid);
	struct prf_task *task =
		process ? prf_tasks_add(tracer->tasks, tracer->pid, process)
			: NULL;
	if (!task)
		return prf_error_set(tracer->err, -ENOMEM, "out of memory");
	/* What is fresh of it is the image, and that begins with exec. */
	task->fresh = false;
	tracer->stats->threads = 1;
	tracer->stats->processes = 1;
	return 0;
}

void
prf_tracer_pause(struct prf_tracer *tracer, bool paused)
{
	if (paused == tracer->paused)
		return;
	prf_wall_pause(tracer->wall, paused);
	for (struct prf_process *process = tracer->processes.first; process;
	     process = process->next) {
		struct prf_usage now = prf_usage_read(process->pid);

		if (paused)
			prf_usage_add(&tracer->used, &now, &process->since);
		process->since = now;
	}
	tracer->paused = paused;
}

void
prf_tracer_end(struct prf_tracer *tracer)
{
	struct prf_sampler_stats *stats = tracer->stats;

	while (tracer->processes.first)
		prf_death_leave(tracer, tracer->processes.first);
	stats->cpu_ns = tracer->used.cpu_ns;
	stats->cpu_unknown = tracer->used.unknown;
	stats->user_us = tracer->used.user_us;
	stats->system_us = tracer->used.system_us;
	prf_tasks_free(tracer->tasks);
}
