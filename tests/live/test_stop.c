#include "live/stop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

/* Wait statuses as the kernel packs them. */
#define EXITED(code) ((code) << 8)
#define KILLED(signal) (signal)
#define STOPPED(signal) ((signal) << 8 | 0x7f)
#define EVENT(event, signal) ((event) << 16 | STOPPED(signal))

static const struct {
	const char *what;
	int wait_status;
	enum prf_stop_kind kind;
	int signal;
} rows[] = {
	{"exit 0", EXITED(0), PRF_STOP_EXITED, 0},
	{"exit 7", EXITED(7), PRF_STOP_EXITED, 0},
	{"killed", KILLED(SIGKILL), PRF_STOP_KILLED, SIGKILL},
	{"dumped core", KILLED(SIGSEGV) | 0x80, PRF_STOP_KILLED, SIGSEGV},
	{"a signal", STOPPED(SIGUSR1), PRF_STOP_SIGNAL, SIGUSR1},
	{"the timer's signal", STOPPED(33), PRF_STOP_SIGNAL, 33},
	{"a real SIGTRAP", STOPPED(SIGTRAP), PRF_STOP_SIGNAL, SIGTRAP},
	{"SIGSTOP before it stops", STOPPED(SIGSTOP), PRF_STOP_SIGNAL, SIGSTOP},
	{"a call", STOPPED(SIGTRAP | 0x80), PRF_STOP_SYSCALL, SIGTRAP | 0x80},
	{"a first stop", EVENT(PTRACE_EVENT_STOP, SIGTRAP), PRF_STOP_TRAP,
	 SIGTRAP},
	{"stopped by SIGSTOP", EVENT(PTRACE_EVENT_STOP, SIGSTOP),
	 PRF_STOP_GROUP, SIGSTOP},
	{"stopped by ^Z", EVENT(PTRACE_EVENT_STOP, SIGTSTP), PRF_STOP_GROUP,
	 SIGTSTP},
	{"clone", EVENT(PTRACE_EVENT_CLONE, SIGTRAP), PRF_STOP_BIRTH, SIGTRAP},
	{"fork", EVENT(PTRACE_EVENT_FORK, SIGTRAP), PRF_STOP_BIRTH, SIGTRAP},
	{"vfork", EVENT(PTRACE_EVENT_VFORK, SIGTRAP), PRF_STOP_BIRTH, SIGTRAP},
	{"exec", EVENT(PTRACE_EVENT_EXEC, SIGTRAP), PRF_STOP_EXEC, SIGTRAP},
	{"seccomp", EVENT(PTRACE_EVENT_SECCOMP, SIGTRAP), PRF_STOP_OTHER_EVENT,
	 SIGTRAP},
	{"continued", 0xffff, PRF_STOP_NONE, 0},
};

START_TEST(each_status_is_the_stop_that_it_says)
{
	struct prf_stop stop = prf_stop_of_wait(123, rows[_i].wait_status);

	ck_assert_int_eq(stop.tid, 123);
	ck_assert_int_eq(stop.wait_status, rows[_i].wait_status);
	ck_assert_msg(stop.kind == rows[_i].kind, "%s: kind %d", rows[_i].what,
		      (int)stop.kind);
	ck_assert_msg(stop.signal == rows[_i].signal, "%s: signal %d",
		      rows[_i].what, stop.signal);
}
END_TEST

START_TEST(the_end_of_a_thread_that_was_stopped_is_not_taken_for_its_stop)
{
	int status = 0;
	siginfo_t info;
	pid_t child = fork();
	pid_t asked = _i == 0 ? child : 0; /* that one, or any */

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		raise(SIGSTOP);
		_exit(7);
	}
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOWAIT),
			 0);
	ck_assert_int_eq(prf_stop_take(asked, &status), child);
	ck_assert_int_eq(status, STOPPED(SIGSTOP));
	ck_assert_int_eq(prf_stop_take(asked, &status), 0);
	kill(child, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
			 0);
	ck_assert_int_eq(prf_stop_take(asked, &status), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, KILLED(SIGKILL));
}
END_TEST

static int
try_until_known(pid_t child, int *status)
{
	int rc;

	do
		rc = prf_stop_try(child, status);
	while (rc == -EAGAIN);
	return rc;
}

/* A thread that is seized is asked to stop, and killed then. */
START_TEST(a_stop_is_taken_and_an_end_is_said)
{
	int status = 0;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0)
		for (;;)
			pause();
	if (ptrace(PTRACE_SEIZE, child, NULL, NULL))
		prf_skip("ptrace is refused");
	ck_assert_int_eq(prf_stop_try(child, &status), -EAGAIN);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert_int_eq(try_until_known(child, &status), 0);
	ck_assert_int_eq(status, EVENT(PTRACE_EVENT_STOP, SIGTRAP));
	kill(child, SIGKILL);
	ck_assert_int_eq(try_until_known(child, &status), -ESRCH);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, KILLED(SIGKILL));
	ck_assert_int_eq(try_until_known(child, &status), -ESRCH);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stop");
	TCase *tcase = tcase_create("stop");

	tcase_add_loop_test(tcase, each_status_is_the_stop_that_it_says, 0,
			    (int)(sizeof rows / sizeof *rows));
	tcase_add_loop_test(
		tcase,
		the_end_of_a_thread_that_was_stopped_is_not_taken_for_its_stop,
		0, 2);
	tcase_add_test(tcase, a_stop_is_taken_and_an_end_is_said);
	suite_add_tcase(suite, tcase);
	return suite;
}
