#include "live/tracer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "live/life/birth.h"
#include "live/proc/clock.h"
#include "live/life/death.h"
#include "live/life/leave.h"
#include "live/stopped/overdue.h"
#include "live/stopped/pending.h"
#include "live/stopped/resume.h"
#include "live/stopped/retry.h"
#include "live/stopped/take_sample.h"
#include "live/wall/wall.h"

/* Other code in this process has waited for the program: how it ended is not
 * known. */
static void
lose_program(struct prf_watch *watch, int code)
{
	watch->ended = true;
	if (!watch->failed)
		watch->failed = prf_error_set(
			watch->err, -code,
			"the program cannot be waited for: %s", strerror(code));
}

/* --- Signals on their way to the program */

static void
on_signal(struct prf_watch *watch, struct prf_task *task,
	  const struct prf_stop *stop)
{
	if (prf_take_sample(watch, task, stop))
		return;
	watch->stats->foreign++;
	prf_pending_note(task);
	prf_retry_before_signal(watch, task, stop->signal);
	prf_resume(task, stop->signal);
}

/* Job control has stopped TASK: it must stay stopped, and yet report what
 * comes. */
static void
on_group_stop(struct prf_watch *watch, struct prf_task *task,
	      const struct prf_stop *stop)
{
	watch->stats->foreign++;
	prf_tasks_note_stop(task, stop->signal);
	prf_retry_none(watch, task);
	ptrace(PTRACE_LISTEN, task->tid, NULL, NULL);
}

/* TASK's first stop, one by PTRACE_INTERRUPT, or one that tells of SIGCONT.  That
 * wakes all traced threads, whose calls go on but where job control had stopped
 * them: then they would have failed without us, too. */
static void
on_trap(struct prf_watch *watch, struct prf_task *task,
	const struct prf_stop *stop)
{
	if (task->fresh) {
		prf_birth_on_first_stop(watch, task);
		return;
	}
	if (prf_take_sample(watch, task, stop))
		return;
	watch->stats->foreign++;
	if (task->was_stopped)
		prf_retry_none(watch, task);
	else
		prf_retry_call(watch, task);
	prf_resume(task, 0);
}

static void
on_other_event(struct prf_watch *watch, struct prf_task *task,
	       const struct prf_stop *stop)
{
	(void)stop;
	watch->stats->foreign++;
	prf_resume(task, 0);
}

/* --- All stops */

static void (*const handlers[PRF_N_STOP_KINDS])(struct prf_watch *,
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
handle(struct prf_watch *watch, const struct prf_stop *stop)
{
	struct prf_task *task = prf_tasks_find(watch->tasks, stop->tid);

	if (!handlers[stop->kind])
		return;
	/* Any other stop cancels an interrupt that was asked for. */
	if (task && stop->kind != PRF_STOP_TRAP) {
		task->interrupt_pending = false;
		task->slept_at = 0;
	}
	if (task && stop->kind != PRF_STOP_GROUP)
		prf_tasks_note_stop(task, 0);
	/* A new thread's first stop can come before its creator's event, and
	 * job control may have stopped it before it began.  An exec brings
	 * back a first thread that had ended before we came. */
	if (!task &&
	    (stop->kind == PRF_STOP_TRAP || stop->kind == PRF_STOP_GROUP ||
	     stop->kind == PRF_STOP_EXEC)) {
		task = prf_birth_find(watch, stop->tid);
		if (!task)
			prf_watch_give_up(watch, -ENOMEM, "out of memory");
	}
	if (!task || (task->overdue && prf_overdue_answer(task, stop)) ||
	    (watch->leaving && prf_leave_claimed(watch, task, stop)))
		return;
	handlers[stop->kind](watch, task, stop);
}

/* The first process's end is reported even if it is no longer traced. */
static void
note_end(struct prf_watch *watch, const struct prf_stop *stop)
{
	if (stop->tid == watch->pid &&
	    (stop->kind == PRF_STOP_EXITED || stop->kind == PRF_STOP_KILLED)) {
		watch->first_ended = true;
		watch->wait_status = stop->wait_status;
	}
	watch->ended = watch->first_ended && prf_tasks_count(watch->tasks) == 0;
}

static void
answer(struct prf_watch *watch, pid_t tid, int wait_status)
{
	struct prf_stop stop = prf_stop_of_wait(tid, wait_status);

	handle(watch, &stop);
	/* What was launched has been killed; what ran already is let go. */
	if (watch->failed && !watch->pid)
		prf_leave_begin(watch);
	note_end(watch, &stop);
}

/* Answers the next stop, of thread TID or (0) of any, if there is one. */
static bool
answer_stop_of(struct prf_watch *watch, pid_t tid)
{
	int wait_status;
	pid_t stopped = prf_stop_take(tid, &wait_status);

	if (stopped)
		answer(watch, stopped, wait_status);
	return stopped;
}

static bool
answer_stop(struct prf_watch *watch)
{
	return answer_stop_of(watch, 0);
}

static bool
is_end(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
	       info->si_code == CLD_DUMPED;
}

/* Answers the next end, if there is one; it has to be accounted for before
 * it is taken.  The kernel tells a tracer of stops as well, even if it asks
 * for ends alone.  Children that this process had before it became profrun
 * are waited for too, or the kernel would report them for ever. */
static bool
answer_end(struct prf_watch *watch)
{
	siginfo_t info = {0};
	int wait_status;

	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL))
		if (errno != EINTR) {
			lose_program(watch, errno);
			return false;
		}
	if (!info.si_pid)
		return false;
	if (!is_end(&info))
		return answer_stop_of(watch, info.si_pid);
	prf_death_account(watch, info.si_pid);
	pid_t taken = waitpid(info.si_pid, &wait_status, WNOHANG | __WALL);
	if (taken == info.si_pid)
		answer(watch, info.si_pid, wait_status);
	else if (taken < 0 && errno != EINTR && errno != ECHILD)
		lose_program(watch, errno);
	return true;
}

/* Answers one after another.  True: it left some. */
static bool
answer_each(struct prf_watch *watch,
	    bool (*answer_one)(struct prf_watch *watch))
{
	/* A program that stops all the time must not keep us from the rest, nor
	 * one whose threads have to wait for a processor to do what we ask. */
	enum { MOST = 256, LONGEST_NS = 10000000 };
	uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC) + LONGEST_NS;

	for (int i = 0; i < MOST && prf_clock_ns(CLOCK_MONOTONIC) < end_ns; i++)
		if (watch->ended || !answer_one(watch))
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

/* Stops come first: a stopped thread waits for us.  To ask one thread takes
 * no time; to ask all takes longer the more threads there are, so that
 * mostly we just ask, once, whether any has something to tell. */
bool
prf_tracer_drain(struct prf_watch *watch, pid_t first)
{
	bool answered = answer_stop_of(watch, first);

	if (watch->ended || ((answered || first) && !is_anything_left()))
		return false;

	bool stops = answer_each(watch, answer_stop);
	bool ends = answer_each(watch, answer_end);

	return stops || ends;
}

void
prf_tracer_pause(struct prf_watch *watch, bool paused)
{
	if (paused == watch->paused)
		return;
	prf_watch_note_pause(watch);
	prf_wall_pause(watch->wall, paused);
	for (struct prf_process *process = watch->processes.first; process;
	     process = process->next) {
		prf_watch_flush_process(process);
		struct prf_usage now = prf_processes_usage(process);

		if (paused)
			prf_usage_add(&watch->used, &now, &process->since);
		process->since = now;
		process->ticks_before = process->ticks;
	}
	watch->paused = paused;
}

static void
note_usage(const struct prf_watch *watch)
{
	struct prf_sampler_stats *stats = watch->stats;
	struct prf_usage_modes modes = prf_usage_modes(&watch->used);

	stats->cpu_ns = watch->used.cpu_ns;
	stats->cpu_unknown = watch->used.unknown;
	stats->user_us = modes.user_ns / 1000;
	stats->system_us = modes.system_ns / 1000;
}

void
prf_tracer_end(struct prf_watch *watch)
{
	while (watch->processes.first)
		prf_death_leave(watch, watch->processes.first);
	note_usage(watch);
	prf_tasks_free(watch->tasks);
}

void
prf_tracer_abandon(struct prf_watch *watch)
{
	for (struct prf_process *process = watch->processes.first; process;
	     process = process->next)
		prf_death_abandon(watch, process);
	note_usage(watch);
}
