#include "live/control/jobcontrol.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live/proc/status.h"
#include "live/watch.h"

/* --- When */

/* A program that was asked to stop may first put things in order, for
 * ASKED_FOR_NS; the others of the job may stop PATIENCE_NS later; and a
 * program that stops unasked may go on within UNASKED_NS, as if it had not
 * stopped. */
#define ASKED_FOR_NS 5000000000ULL
#define PATIENCE_NS 1000000000ULL
#define UNASKED_NS 100000000ULL

static bool
was_asked(const struct prf_job *job)
{
	return job->asked_by && job->stopped_ns < job->asked_ns + ASKED_FOR_NS;
}

uint64_t
prf_jobcontrol_due_ns(const struct prf_job *job)
{
	if (!job->stopped || job->followed)
		return UINT64_MAX;
	if (!was_asked(job))
		return job->others_run ? UINT64_MAX
				       : job->stopped_ns + UNASKED_NS;

	uint64_t since_ns = job->stopped_ns > job->asked_ns ? job->stopped_ns
							    : job->asked_ns;

	return job->others_run ? since_ns + PATIENCE_NS : since_ns;
}

int
prf_jobcontrol_wait_ms(const struct prf_job *job, uint64_t now_ns, int most_ms)
{
	uint64_t due_ns = prf_jobcontrol_due_ns(job);

	if (due_ns <= now_ns)
		return 0;
	/* A moment late rather than early: so the caller wakes once, not
	 * twice. */
	uint64_t ms = (due_ns - now_ns) / 1000000 + 1;

	if (due_ns == UINT64_MAX || (most_ms >= 0 && ms > (uint64_t)most_ms))
		return most_ms;
	return (int)ms;
}

void
prf_jobcontrol_note(struct prf_job *job, int signal, uint64_t now_ns)
{
	if (signal && !job->stopped)
		job->stopped_ns = now_ns;
	if (!signal)
		job->followed = false;
	job->stopped = signal;
	job->signal = signal;
}

/* --- Which processes are stopped */

/* A first thread that has ended before the others never stops. */
static bool
has_ended(const struct prf_task *task)
{
	struct prf_process_status status;

	return task->tid == task->process->pid &&
	       !prf_status_read_process(task->tid, &status) && status.is_zombie;
}

/* The signal that all of PROCESS's threads are stopped by; 0: not all are
 * stopped. */
static int
stopped_by(const struct prf_process *process)
{
	int signal = 0;

	if (!process->n_stopped)
		return 0;
	for (const struct prf_task *task = process->tasks; task;
	     task = task->sibling) {
		if (!task->stopped_by && !has_ended(task))
			return 0;
		if (task->stopped_by)
			signal = task->stopped_by;
	}
	return signal;
}

/* Does another process of the job run?  (The program may have made a job of
 * its own.) */
static bool
does_another_run(const struct prf_job *job, const struct prf_watch *watch)
{
	const pid_t ours = getpgrp(), its = getpgid(job->pid);

	for (const struct prf_process *process = watch->processes.first;
	     process; process = process->next) {
		pid_t group = getpgid(process->pid);

		if (process->pid != job->pid &&
		    (group == ours || group == its) && !stopped_by(process))
			return true;
	}
	return false;
}

void
prf_jobcontrol_update(struct prf_job *job, const struct prf_watch *watch,
		      uint64_t now_ns)
{
	const struct prf_task *task = prf_tasks_find(watch->tasks, job->pid);

	if (!task) {
		/* What it has left behind does not decide whether we stop. */
		prf_jobcontrol_note(job, job->asked_by, job->asked_ns);
	} else {
		/* It may have stopped again since. */
		if (task->process->went_on != job->went_on)
			prf_jobcontrol_note(job, 0, now_ns);
		job->went_on = task->process->went_on;
		prf_jobcontrol_note(job, stopped_by(task->process), now_ns);
	}
	job->others_run =
		job->stopped && !job->followed && does_another_run(job, watch);
}

/* --- What this process is asked */

/* Has the program been continued since it was seen to stop?  (It may have
 * stopped once more.) */
static bool
has_gone_on(pid_t pid)
{
	const int any = WCONTINUED | WSTOPPED | WNOHANG | WNOWAIT | __WALL;
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)pid, &info, any) && info.si_pid;
}

/* If PID leads a process group, the others there go on with it. */
static void
let_go_on(pid_t pid)
{
	pid_t group = getpgid(pid);

	kill(group == pid ? -pid : pid, SIGCONT);
}

void
prf_jobcontrol_take(struct prf_job *job, const struct prf_relay_news *news,
		    bool known, uint64_t now_ns)
{
	if (news->stop) {
		job->asked_by = news->stop;
		job->asked_ns = now_ns;
		job->followed = false;
		if (job->pid && news->stop_sender && !known)
			kill(job->pid, news->stop);
	}
	if (news->go_on) {
		job->asked_by = 0;
		if (job->pid && job->stopped && !has_gone_on(job->pid))
			let_go_on(job->pid);
	}
}

/* --- To stop */

/* Has PROGRAM's stop ended?  (For a traced program it does not end before its
 * tracer says so.) */
static bool
is_over(pid_t program)
{
	const uint64_t continued = 1ULL << (SIGCONT - 1);
	struct prf_process_status status;

	return prf_status_read_process(program, &status) ||
	       !status.is_stopped || status.signals_pending & continued;
}

/* Another process may continue the program, or kill it, and know nothing of
 * PARENT, which has to go on then, too: it does, late by a tenth of the time
 * that it was stopped, or by a quarter of a second.  This loop runs until
 * PARENT kills this process, or has ended. */
_Noreturn static void
watch_over(pid_t parent, pid_t program)
{
	enum { LEAST_MS = 5, MOST_MS = 250 };
	int ms = LEAST_MS;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int64_t slept_ms = 0; getppid() == parent; slept_ms += ms) {
		if (slept_ms > 10 * ms && ms < MOST_MS)
			ms = (int)(slept_ms / 10);
		const struct timespec pause = {.tv_nsec = ms * 1000000L};

		nanosleep(&pause, NULL);
		if (is_over(program))
			kill(parent, SIGCONT);
	}
	_exit(0);
}

/* The watcher blocks all signals. -1: it could not be made. */
static pid_t
begin_watch(pid_t program)
{
	const pid_t parent = getpid();
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t watcher = fork();
	if (watcher == 0)
		watch_over(parent, program);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return watcher;
}

static void
end_watch(pid_t watcher)
{
	if (watcher < 0)
		return;
	kill(watcher, SIGKILL);
	waitpid(watcher, NULL, 0);
}

/* Stops this process by SIGNAL; by SIGSTOP, if SIGNAL would not. */
static void
stop_by(int signal)
{
	struct sigaction action;
	sigset_t set, before;

	if (sigaction(signal, NULL, &action) || action.sa_handler != SIG_DFL)
		signal = SIGSTOP;
	raise(signal);
	sigemptyset(&set);
	sigaddset(&set, signal);
	pthread_sigmask(SIG_UNBLOCK, &set, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Has SIGCONT come, from the watcher or another?  Takes it: it no longer
 * counts when the program has stopped again. */
static bool
was_let_go_on(void)
{
	const struct timespec at_once = {0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	return sigtimedwait(&set, NULL, &at_once) == SIGCONT;
}

/* A shell that continues us gives the terminal to our process group.  The
 * program's group, HOLDER, gets it back if it is another. */
static void
hand_terminal_on(int terminal, pid_t holder)
{
	if (holder != getpgrp() && tcgetpgrp(terminal) == getpgrp())
		tcsetpgrp(terminal, holder);
}

void
prf_jobcontrol_follow(struct prf_job *job)
{
	if (job->pid && has_gone_on(job->pid))
		return;
	job->followed = true;
	job->asked_by = 0;

	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	pid_t holder = tcgetpgrp(terminal);
	pid_t watcher = job->pid ? begin_watch(job->pid) : -1;

	stop_by(job->signal);
	end_watch(watcher);
	if (was_let_go_on() && job->pid && !has_gone_on(job->pid))
		let_go_on(job->pid);
	if (holder > 0 && holder == getpgid(job->pid))
		hand_terminal_on(terminal, holder);
	if (terminal >= 0)
		close(terminal);
}
