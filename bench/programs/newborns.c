/* newborns - the least that it takes to have new threads make system calls.
 *
 *	newborns CALLS PROGRAM [ARG...]
 *
 * Traces PROGRAM, which makes threads (see spawn), and each of them begins with
 * CALLS calls of getppid, made as an injection makes them: a stop at the entry
 * and one at the exit, with the registers set before and put back at the end.
 * Nothing else is asked, prepared or put back: no signals, no memory, no thread
 * to be woken.  Ends as the program does; 77 if ptrace is refused. */
#include "work.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "live/arch.h"
#include "live/proc/clock.h"
#include "live/stopped/inject.h"
#include "live/stop.h"

/* How long it looks for a stop before it sleeps. */
enum { LOOK_NS = 40000 };

static __attribute__((noreturn)) void
refused(const char *what)
{
	fprintf(stderr, "%s is refused: %s\n", what, strerror(errno));
	exit(77);
}

/* It begins when its tracer has written to GO, and not at all if that is gone. */
static __attribute__((noreturn)) void
be_traced(char **argv, const int go[2])
{
	char byte;

	close(go[1]);
	if (read(go[0], &byte, 1) != 1)
		_exit(99);
	close(go[0]);
	execvp(argv[0], argv);
	die(argv[0]);
}

static void
run_to_call(pid_t tid)
{
	uint64_t end_ns;
	int wait_status;

	ptrace(PTRACE_SYSCALL, tid, NULL, NULL);
	end_ns = prf_clock_ns(CLOCK_MONOTONIC) + LOOK_NS;
	while (!prf_stop_take(tid, &wait_status))
		if (prf_clock_ns(CLOCK_MONOTONIC) > end_ns) {
			siginfo_t info;

			if (waitid(P_PID, (id_t)tid, &info, WSTOPPED | __WALL))
				die("a thread has ended");
			break;
		}
}

static void
make_calls(pid_t tid, unsigned calls)
{
	static uint64_t insn_addr; /* in the one program that there is */
	const uint64_t none[6] = {0};
	struct prf_regs regs, made;

	if (calls == 0)
		return;
	if (!insn_addr)
		insn_addr = prf_inject_find_insn(tid);
	if (prf_arch.read(tid, &regs))
		die("registers");
	for (unsigned i = 0; i < calls; i++) {
		made = regs;
		prf_arch.set_call(&made, insn_addr, SYS_getppid, none);
		if (prf_arch_write(tid, &made))
			die("registers");
		run_to_call(tid); /* its entry */
		run_to_call(tid); /* its exit */
	}
	if (prf_arch_write(tid, &regs))
		die("registers");
}

/* Until CHILD has ended; its wait status. */
static int
trace(pid_t child, unsigned calls)
{
	int status;

	for (;;) {
		pid_t tid = waitpid(-1, &status, __WALL);

		if (tid < 0)
			die("waitpid");
		if (!WIFSTOPPED(status)) {
			if (tid == child)
				return status;
			continue;
		}
		struct prf_stop stop = prf_stop_of_wait(tid, status);

		if (stop.kind == PRF_STOP_TRAP)
			make_calls(tid, calls);
		ptrace(PTRACE_CONT, tid, NULL,
		       stop.kind == PRF_STOP_SIGNAL ? (long)stop.signal : 0L);
	}
}

int
main(int argc, char **argv)
{
	const long options =
		PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
	unsigned calls = (unsigned)number(argc, argv, 1, 0);
	int go[2], status;
	pid_t child;

	if (argc < 3)
		usage(argv[0], "CALLS PROGRAM [ARG...]");
	if (pipe(go) || (child = fork()) < 0)
		die("fork");
	if (child == 0)
		be_traced(argv + 2, go);
	if (ptrace(PTRACE_SEIZE, child, NULL, (void *)options))
		refused("ptrace");
	if (write(go[1], "", 1) != 1)
		die("write");
	status = trace(child, calls);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
