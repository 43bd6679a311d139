#include "live/life/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_END, WRITE_END };

/* The C library does not let it be asked for, or changed, but by the system call. */
enum { SETXID = 33 };

/* As the kernel lays it out; without a handler the rest of it means nothing. */
struct raw_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

bool
prf_launch_ignores_setxid(void)
{
	struct raw_action action = {0};

	return !syscall(SYS_rt_sigaction, SETXID, NULL, &action,
			sizeof action.mask) &&
	       action.handler == SIG_IGN;
}

static void
ignore_setxid(void)
{
	const struct raw_action action = {.handler = SIG_IGN};

	syscall(SYS_rt_sigaction, SETXID, &action, NULL, sizeof action.mask);
}

/* Does what exec will do, before signals are unblocked: our handlers must
 * not take what is meant for the program. */
static void
drop_handlers(void)
{
	struct sigaction action, fallback = {.sa_handler = SIG_DFL};

	for (int signal = 1; signal < NSIG; signal++)
		if (!sigaction(signal, NULL, &action) &&
		    action.sa_handler != SIG_IGN)
			sigaction(signal, &fallback, NULL);
}

/* The child, up to exec.  Async-signal-safe calls only. */
_Noreturn static void
become(char *const argv[], const struct prf_launch_signals *signals, int go_fd,
       int errno_fd)
{
	char byte;

	/* The end of file is the signal to go.  If the tracer has died, the
	 * kernel kills us (EXITKILL), or we are not traced: then exec all
	 * the same. */
	while (read(go_fd, &byte, 1) < 0 && errno == EINTR)
		;
	sigaction(SIGCHLD, &signals->sigchld, NULL);
	drop_handlers();
	if (signals->ignores_setxid)
		ignore_setxid();
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
	execvp(argv[0], argv);

	int code = errno;
	while (write(errno_fd, &code, sizeof code) < 0 && errno == EINTR)
		;
	_exit(127);
}

static int
seize_refused(struct prf_error *err, int code)
{
	const char *why =
		code == EPERM
			? "; this process is traced itself, or a security "
			  "module or seccomp filter forbids ptrace"
			: "";

	return prf_error_set(err, -code, "ptrace is refused: %s%s",
			     strerror(code), why);
}

int
prf_launch_fork(char *const argv[], const struct prf_launch_signals *signals,
		long options, struct prf_launch *launch, struct prf_error *err)
{
	int go[2], report[2];

	if (pipe2(go, O_CLOEXEC))
		return prf_error_set(err, -errno, "pipe: %s", strerror(errno));
	if (pipe2(report, O_CLOEXEC)) {
		int rc =
			prf_error_set(err, -errno, "pipe: %s", strerror(errno));
		close(go[READ_END]);
		close(go[WRITE_END]);
		return rc;
	}

	pid_t pid = fork();
	int fork_errno = errno;
	if (pid == 0) {
		close(go[WRITE_END]);
		become(argv, signals, go[READ_END], report[WRITE_END]);
	}
	close(go[READ_END]);
	close(report[WRITE_END]);
	/* An exec can wait for a file system for ever. */
	fcntl(report[READ_END], F_SETFL, O_NONBLOCK);
	*launch = (struct prf_launch){
		.pid = pid,
		.go_fd = go[WRITE_END],
		.errno_fd = report[READ_END],
	};
	int rc = 0;
	if (pid < 0)
		rc = prf_error_set(err, -fork_errno, "fork: %s",
				   strerror(fork_errno));
	else if (ptrace(PTRACE_SEIZE, pid, NULL, (void *)(uintptr_t)options))
		rc = seize_refused(err, errno);
	if (rc)
		prf_launch_abandon(launch);
	return rc;
}

void
prf_launch_go(struct prf_launch *launch)
{
	close(launch->go_fd);
	launch->go_fd = -1;
}

int
prf_launch_errno(struct prf_launch *launch)
{
	int code = 0;
	ssize_t n;

	if (launch->errno_fd < 0)
		return 0;
	do
		n = read(launch->errno_fd, &code, sizeof code);
	while (n < 0 && errno == EINTR);
	close(launch->errno_fd);
	launch->errno_fd = -1;
	return n == sizeof code ? code : 0;
}

void
prf_launch_abandon(struct prf_launch *launch)
{
	if (launch->pid > 0) {
		kill(launch->pid, SIGKILL);
		while (waitpid(launch->pid, NULL, __WALL) < 0 && errno == EINTR)
			;
	}
	prf_launch_go(launch);
	prf_launch_errno(launch);
}
