/* careless - traces a program as one should not, so that a test of what the
 * program must not notice is seen to fail.
 *
 *	careless WAY PROGRAM [ARG...]
 *
 * Follows all threads and children, and does all that profrun does not:
 *
 *	plain		nothing but that: no call is ever repaired
 *	swallow		signals are not passed on
 *	resend		signals are sent anew, instead of being let through
 *	continue	what job control has stopped is made to go on
 *	interrupt	every thread is stopped every ms, and what ends is left so
 *	rewind		the same, and every EINTR is tried again, whatever came
 *	blocking	the same as interrupt; each stop is waited for
 *	survivor	the program outlives its tracer
 *
 * Ends as the program does; 77 if ptrace is refused. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/sample.h"
#include "live/arch.h"
#include "live/stop.h"

enum { MOST = 8192 };

static struct way {
	bool swallow, resend, go_on, interrupt, rewind, blocking, survivor;
} way;

static const struct {
	const char *name;
	struct way way;
} ways[] = {
	{"plain", {0}},
	{"swallow", {.swallow = true}},
	{"resend", {.resend = true}},
	{"continue", {.go_on = true}},
	{"interrupt", {.interrupt = true}},
	{"rewind", {.interrupt = true, .rewind = true}},
	{"blocking", {.interrupt = true, .blocking = true}},
	{"survivor", {.survivor = true}},
};

static pid_t tasks[MOST];
static size_t n_tasks;

static void
add(pid_t tid)
{
	for (size_t i = 0; i < n_tasks; i++)
		if (tasks[i] == tid)
			return;
	if (n_tasks < MOST)
		tasks[n_tasks++] = tid;
}

static void
remove_task(pid_t tid)
{
	for (size_t i = 0; i < n_tasks; i++)
		if (tasks[i] == tid)
			tasks[i] = tasks[--n_tasks];
}

static int
to_pass_on(const struct prf_stop *stop)
{
	if (stop->kind != PRF_STOP_SIGNAL || way.swallow)
		return 0;
	if (!way.resend)
		return stop->signal;
	/* It comes back to us; then it is let through. */
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, stop->tid, NULL, &info) ||
	    (info.si_code == SI_TKILL && info.si_pid == getpid()))
		return stop->signal;
	syscall(SYS_tkill, stop->tid, stop->signal);
	return 0;
}

static void
rewind_call(pid_t tid)
{
	struct prf_regs regs;

	if (!prf_arch.read(tid, &regs) && regs.syscall != PRF_NO_SYSCALL &&
	    regs.result == -EINTR && prf_arch.rewind_call(tid, &regs))
		prf_arch_write(tid, &regs);
}

static void
answer(pid_t tid, int wait_status)
{
	struct prf_stop stop = prf_stop_of_wait(tid, wait_status);

	if (stop.kind == PRF_STOP_EXITED || stop.kind == PRF_STOP_KILLED) {
		remove_task(tid);
		return;
	}
	add(tid);
	if (way.rewind)
		rewind_call(tid);
	if (stop.kind == PRF_STOP_GROUP && !way.go_on)
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, tid, NULL,
		       (void *)(intptr_t)to_pass_on(&stop));
}

/* From another processor, as happens by itself on an idle machine. */
static void
interrupt_all(pid_t program, int *end)
{
	for (size_t i = 0; i < n_tasks; i++) {
		pid_t tid = tasks[i];
		int wait_status;

		ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
		if (!way.blocking || waitpid(tid, &wait_status, __WALL) != tid)
			continue;
		if (tid == program)
			*end = wait_status;
		answer(tid, wait_status);
	}
}

/* To the end of the program; how it ended. */
static int
trace(pid_t program)
{
	const struct timespec tick = {0, 1000000};
	sigset_t child;
	int wait_status, end = 0;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (n_tasks > 0) {
		pid_t tid;

		while ((tid = waitpid(-1, &wait_status, WNOHANG | __WALL)) >
		       0) {
			if (tid == program)
				end = wait_status;
			answer(tid, wait_status);
		}
		if (tid < 0)
			break;
		if (way.interrupt)
			interrupt_all(program, &end);
		sigtimedwait(&child, NULL, &tick);
	}
	return end;
}

static pid_t
start(char **argv)
{
	long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
		       PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
		       (way.survivor ? 0 : PTRACE_O_EXITKILL);
	int go[2];
	char byte;

	if (pipe(go))
		exit(99);
	pid_t program = fork();
	if (program == 0) {
		sigset_t none;

		close(go[1]);
		if (read(go[0], &byte, 1) < 0)
			_exit(99);
		close(go[0]);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (ptrace(PTRACE_SEIZE, program, NULL, (void *)options)) {
		kill(program, SIGKILL);
		exit(errno == EPERM ? 77 : 99);
	}
	close(go[0]);
	close(go[1]);
	return program;
}

int
main(int argc, char **argv)
{
	sigset_t child;
	size_t i = 0;

	while (argc > 2 && i < sizeof ways / sizeof *ways &&
	       strcmp(ways[i].name, argv[1]))
		i++;
	if (argc < 3 || i == sizeof ways / sizeof *ways)
		return 2;
	way = ways[i].way;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	pid_t program = start(argv + 2);
	add(program);
	int end = trace(program);
	return WIFEXITED(end) ? WEXITSTATUS(end) : 128 + WTERMSIG(end);
}
