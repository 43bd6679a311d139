#include "live/proc/position.h"
#include "traced.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/sample.h"
#include "live/watch.h"
#include "support/suite.h"

long prf_traced_options = PRF_WATCH_OPTIONS;

/* Memory that parent and child share: the child has come as far as its loop
 * or its sleep. */
static volatile int *arrived;

_Noreturn static void
live(int go_fd, void (*run)(void), void (*sleep)(void))
{
	char byte;

	/* The end of file says that it is traced. */
	while (read(go_fd, &byte, 1) < 0)
		;
	/* The test program's own handlers. */
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	if (run)
		run();
	*arrived = 1;
	if (sleep)
		sleep();
	for (;;)
		;
}

/* Forks and seizes, and waits until the child has arrived. */
static pid_t
start(void (*run)(void), void (*sleep)(void))
{
	int go[2];

	arrived = mmap(NULL, sizeof *arrived, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)arrived, MAP_FAILED);
	ck_assert_int_eq(pipe(go), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		close(go[1]);
		live(go[0], run, sleep);
	}
	if (ptrace(PTRACE_SEIZE, child, NULL, prf_traced_options)) {
		int code = errno;

		kill(child, SIGKILL);
		if (code == EPERM)
			prf_skip("ptrace is refused");
		ck_abort_msg("ptrace: errno %d", code);
	}
	close(go[0]);
	close(go[1]);
	while (!*arrived)
		sched_yield();
	return child;
}

int
prf_traced_wait(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, __WALL), child);
	return status;
}

int
prf_traced_go(pid_t child, int signal)
{
	ck_assert_int_eq(
		ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)signal), 0);
	return prf_traced_wait(child);
}

pid_t
prf_traced_spinner(void (*run)(void), struct prf_regs *regs)
{
	pid_t child = start(run, NULL);

	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert(WIFSTOPPED(prf_traced_wait(child)));
	ck_assert_int_eq(prf_arch.read(child, regs), 0);
	ck_assert_int_eq(regs->syscall, PRF_NO_SYSCALL);
	return child;
}

pid_t
prf_traced_runner(void (*run)(void))
{
	return start(NULL, run);
}

pid_t
prf_traced_sleeper(void (*sleep)(void))
{
	pid_t child = start(NULL, sleep);
	int fd = prf_position_open(child, child);

	ck_assert_int_ge(fd, 0);
	while (prf_position_is_running(child, child, fd))
		sched_yield();
	close(fd);
	return child;
}

const char *
prf_workload(const char *name)
{
	static char path[4096];
	const char *top = getenv("top_builddir");

	snprintf(path, sizeof path, "%s/tests/workloads/%s", top ? top : ".",
		 name);
	return path;
}
