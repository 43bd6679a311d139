#include "src/signals.h"
#include "src/exit_status.h"
#include "support/suite.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
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

static void
die_of_segv(void)
{
	struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	sigset_t set;

	setrlimit(RLIMIT_CORE, &all);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGSEGV, SIG_IGN);
	prf_signals_die_of(SIGSEGV);
}

START_TEST(it_dies_of_the_signal_without_a_core)
{
	int status = status_of(die_of_segv);

	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGSEGV);
	ck_assert(!WCOREDUMP(status));
}
END_TEST

static void
die_of_caught(void)
{
	prf_signals_catch();
	prf_signals_die_of(SIGTERM);
}

START_TEST(a_caught_signal_can_still_be_died_of)
{
	int status = status_of(die_of_caught);

	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
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

static void
survive(void)
{
	prf_signals_catch();
	for (int i = 0; i < 2; i++) {
		raise(SIGINT);
		raise(SIGTERM);
		raise(SIGHUP);
		raise(SIGPIPE);
		raise(SIGXFSZ);
	}
}

START_TEST(what_is_caught_does_not_end_it)
{
	int status = status_of(survive);

	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 111);
}
END_TEST

/* The program of these: waits for its end.  As after exec(2), nothing that
 * comes to it finds our handlers. */
static pid_t
start_program(void)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		signal(SIGUSR1, SIG_DFL);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (pid == 0)
		pause();
	return pid;
}

static void
end_like(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) == pid && WIFSIGNALED(status))
		_exit(WTERMSIG(status));
	_exit(99);
}

static void
pass_early(void)
{
	prf_signals_catch();
	raise(SIGTERM);
	raise(SIGPIPE); /* is about our own output */
	pid_t pid = start_program();
	prf_signals_pass_early(pid);
	end_like(pid);
}

START_TEST(a_signal_before_the_program_runs_reaches_it)
{
	ck_assert_int_eq(WEXITSTATUS(status_of(pass_early)), SIGTERM);
}
END_TEST

static void
exec_with_ignored_hup(void)
{
	signal(SIGHUP, SIG_IGN);
	prf_signals_catch();
	execl("/bin/sh", "sh", "-c",
	      "kill -HUP $$; trap '' INT; kill -TERM $$; exit 98", (char *)0);
}

START_TEST(the_program_gets_the_dispositions_we_got)
{
	int status = status_of(exec_with_ignored_hup);

	/* HUP was ignored and is; TERM was not. */
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
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

static void
pass_twice(void)
{
	int status;

	prf_signals_catch();
	raise(SIGTERM);
	pid_t first = start_program(), second = start_program();
	prf_signals_pass_early(first);
	prf_signals_pass_early(second);
	waitpid(first, &status, 0);
	kill(second, SIGUSR1);
	end_like(second);
}

START_TEST(a_signal_is_passed_on_once)
{
	ck_assert_int_eq(WEXITSTATUS(status_of(pass_twice)), SIGUSR1);
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

	tcase_add_test(tcase, it_dies_of_the_signal_without_a_core);
	tcase_add_test(tcase, a_caught_signal_can_still_be_died_of);
	tcase_add_test(tcase, a_signal_that_does_not_kill_returns);
	tcase_add_test(tcase, what_is_caught_does_not_end_it);
	tcase_add_test(tcase, a_signal_before_the_program_runs_reaches_it);
	tcase_add_test(tcase, a_signal_is_passed_on_once);
	tcase_add_test(tcase, a_signal_is_known_by_name_and_number);
	tcase_add_test(tcase, what_profrun_needs_cannot_be_had);
	tcase_add_test(tcase, the_program_gets_the_dispositions_we_got);
	tcase_add_test(tcase, an_error_has_the_status_that_env_would_give);
	suite_add_tcase(suite, tcase);
	return suite;
}
