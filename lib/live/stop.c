#include "live/stop.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static const struct {
	int event;
	enum prf_stop_kind kind;
} event_kinds[] = {
	{PTRACE_EVENT_CLONE, PRF_STOP_BIRTH},
	{PTRACE_EVENT_FORK, PRF_STOP_BIRTH},
	{PTRACE_EVENT_VFORK, PRF_STOP_BIRTH},
	{PTRACE_EVENT_EXEC, PRF_STOP_EXEC},
};

static enum prf_stop_kind
kind_of_event(int event, int signal)
{
	/* PTRACE_EVENT_STOP: with a stopping signal it is job control's. */
	if (event == PTRACE_EVENT_STOP)
		return signal == SIGTRAP ? PRF_STOP_TRAP : PRF_STOP_GROUP;

	for (size_t i = 0; i < sizeof event_kinds / sizeof *event_kinds; i++)
		if (event_kinds[i].event == event)
			return event_kinds[i].kind;
	return PRF_STOP_OTHER_EVENT;
}

struct prf_stop
prf_stop_of_wait(pid_t tid, int wait_status)
{
	struct prf_stop stop = {
		.tid = tid,
		.kind = PRF_STOP_NONE,
		.wait_status = wait_status,
	};

	if (WIFEXITED(wait_status)) {
		stop.kind = PRF_STOP_EXITED;
	} else if (WIFSIGNALED(wait_status)) {
		stop.kind = PRF_STOP_KILLED;
		stop.signal = WTERMSIG(wait_status);
	} else if (WIFSTOPPED(wait_status)) {
		int event = (int)((unsigned)wait_status >> 16);

		stop.signal = WSTOPSIG(wait_status);
		if (event)
			stop.kind = kind_of_event(event, stop.signal);
		else if (stop.signal == (SIGTRAP | 0x80))
			stop.kind = PRF_STOP_SYSCALL;
		else
			stop.kind = PRF_STOP_SIGNAL;
	}
	return stop;
}

/* As waitid, for stops only, but with a wait status as waitpid has it.  If
 * all threads are dead, the kernel says that there are none. */
static int
take(pid_t tid, int options, siginfo_t *info, int *wait_status)
{
	enum { STOPPED = 0x7f };
	idtype_t which = tid ? P_PID : P_ALL;

	*info = (siginfo_t){0};
	if (waitid(which, (id_t)tid, info, WSTOPPED | __WALL | options))
		return -errno;
	*wait_status = info->si_status << 8 | STOPPED;
	return 0;
}

pid_t
prf_stop_take(pid_t tid, int *wait_status)
{
	siginfo_t info;

	return take(tid, WNOHANG, &info, wait_status) ? 0 : info.si_pid;
}

int
prf_stop_try(pid_t tid, int *wait_status)
{
	siginfo_t info;
	int rc = take(tid, WNOHANG, &info, wait_status);

	if (rc)
		return rc == -ECHILD ? -ESRCH : rc == -EINTR ? -EAGAIN : rc;
	return info.si_pid ? 0 : -EAGAIN;
}
