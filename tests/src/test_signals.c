#include "src/signals.h"
#include "src/exit_status.h"
#include "support/suite.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs BODY in a child; its wait status. */
static int
status_of(void (*body)(void))
{
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		body();
		_exit(111);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

/* Two of them the C library keeps for itself. */
static const int deadly[] = {SIGSEGV, SIGTERM, 32, 33, 34, 64};
static int dies_of;

/* Whatever the process has done against it. */
static void
die_of_blocked_and_ignored(void)
{
	const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} ignored = {.handler = SIG_IGN};
	const uint64_t all = ~UINT64_C(0);
	struct rlimit any = {RLIM_INFINITY, RLIM_INFINITY};

	setrlimit(RLIMIT_CORE, &any);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
	syscall(SYS_rt_sigaction, dies_of, &ignored, NULL, sizeof all);
	prf_signals_die_of(dies_of);
}

START_TEST(it_dies_of_the_signal_without_a_core)
{
	dies_of = deadly[_i];
	int status = status_of(die_of_blocked_and_ignored);

	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), dies_of);
	ck_assert(!WCOREDUMP(status));
}
END_TEST

static void *
do_nothing(void *arg)
{
	return arg;
}

/* With threads, the C library has a handler for one of its own. */
static void
die_in_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, do_nothing, NULL);
	prf_signals_die_of(dies_of);
}

START_TEST(it_dies_of_the_signal_with_threads)
{
	dies_of = deadly[_i];
	int status = status_of(die_in_threads);

	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), dies_of);
}
END_TEST

static void
die_of_nothing(void)
{
	prf_signals_die_of(SIGCHLD);
}

START_TEST(a_signal_that_does_not_kill_returns)
{
	int status = status_of(die_of_nothing);

	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 111);
}
END_TEST

START_TEST(an_error_has_the_status_that_env_would_give)
{
	ck_assert_int_eq(prf_exit_of_error(-ENOENT), PRF_EXIT_NOT_FOUND);
	ck_assert_int_eq(prf_exit_of_error(-EACCES), PRF_EXIT_CANNOT_RUN);
	ck_assert_int_eq(prf_exit_of_error(-ENOEXEC), PRF_EXIT_CANNOT_RUN);
	ck_assert_int_eq(prf_exit_of_error(-ENOTDIR), PRF_EXIT_CANNOT_RUN);
	ck_assert_int_eq(prf_exit_of_error(-EPERM), PRF_EXIT_FAILED);
	ck_assert_int_eq(prf_exit_of_error(-ENOMEM), PRF_EXIT_FAILED);
}
END_TEST

START_TEST(a_signal_is_known_by_name_and_number)
{
	ck_assert_int_eq(prf_signal_number("USR2"), SIGUSR2);
	ck_assert_int_eq(prf_signal_number("sigusr2"), SIGUSR2);
	ck_assert_int_eq(prf_signal_number("SigHup"), SIGHUP);
	ck_assert_int_eq(prf_signal_number("12"), 12);
	ck_assert_int_eq(prf_signal_number("64"), SIGRTMAX);
	static const char *const none[] = {"",    "0",   "-1",     "65",
					   "SIG", "1x",  "SIGSIG", " 12x",
					   "XYZ", "USR", "USR22"};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ck_assert_msg(prf_signal_number(none[i]) == 0, "'%s'", none[i]);
}
END_TEST

START_TEST(what_profrun_needs_cannot_be_had)
{
	ck_assert(prf_signal_can_be_had(SIGUSR1));
	ck_assert(prf_signal_can_be_had(SIGUSR2));
	ck_assert(prf_signal_can_be_had(SIGRTMIN));
	static const int needed[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGINT, SIGTERM,
				     SIGHUP,  SIGSEGV, SIGTSTP, 33};
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		ck_assert(!prf_signal_can_be_had(needed[i]));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("signals");
	TCase *tcase = tcase_create("signals");

	tcase_add_loop_test(tcase, it_dies_of_the_signal_without_a_core, 0,
			    sizeof deadly / sizeof *deadly);
	tcase_add_loop_test(tcase, it_dies_of_the_signal_with_threads, 0,
			    sizeof deadly / sizeof *deadly);
	tcase_add_test(tcase, a_signal_that_does_not_kill_returns);
	tcase_add_test(tcase, a_signal_is_known_by_name_and_number);
	tcase_add_test(tcase, what_profrun_needs_cannot_be_had);
	tcase_add_test(tcase, an_error_has_the_status_that_env_would_give);
	suite_add_tcase(suite, tcase);
	return suite;
}
