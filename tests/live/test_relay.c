#include "live/relay.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

static struct prf_relay relay;
static struct prf_error err;

/* What stands in the relay when it is read. */
static struct prf_relay_word
take(pid_t pid)
{
	struct pollfd polled = {relay.fd, POLLIN, 0};

	ck_assert_int_eq(poll(&polled, 1, 0), 1);
	return prf_relay_take(&relay, pid);
}

START_TEST(what_asks_to_end_is_heard_where_nobody_else_is)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

	/* These tests may run under nohup(1). */
	signal(signals[_i], SIG_DFL);
	ck_assert_int_eq(prf_relay_open(&relay, false, 0, &err), 0);
	kill(getpid(), signals[_i]);
	struct prf_relay_word word = take(0);
	ck_assert(word.end);
	ck_assert_uint_eq(word.toggles, 0);
	ck_assert(!prf_relay_take(&relay, 0).end);
	prf_relay_close(&relay);
}
END_TEST

START_TEST(nohup_is_respected)
{
	signal(SIGHUP, SIG_IGN);
	ck_assert_int_eq(prf_relay_open(&relay, false, 0, &err), 0);
	kill(getpid(), SIGHUP);
	ck_assert(!take(0).end);
	prf_relay_close(&relay);
}
END_TEST

START_TEST(a_signal_is_passed_on_to_the_program)
{
	int status;

	ck_assert_int_eq(prf_relay_open(&relay, true, 0, &err), 0);
	pid_t child = fork();
	if (child == 0) {
		signal(_i, SIG_DFL);
		sigprocmask(SIG_SETMASK, &relay.before.mask, NULL);
		for (;;)
			pause();
	}
	kill(getpid(), _i);
	ck_assert(!take(child).end);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), _i);
	prf_relay_close(&relay);
}
END_TEST

START_TEST(the_toggle_signal_is_counted_and_kept)
{
	ck_assert_int_eq(prf_relay_open(&relay, true, SIGRTMIN, &err), 0);
	for (int i = 0; i < 3; i++)
		kill(getpid(), SIGRTMIN);
	/* Passed on to us, it would come again. */
	struct prf_relay_word word = take(getpid());
	ck_assert_uint_eq(word.toggles, 3);
	ck_assert(!word.end);
	ck_assert_uint_eq(prf_relay_take(&relay, getpid()).toggles, 0);
	prf_relay_close(&relay);
}
END_TEST

START_TEST(everything_is_given_back)
{
	sigset_t before, after;
	struct sigaction action;

	signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, NULL, &before);
	ck_assert_int_eq(prf_relay_open(&relay, true, SIGUSR2, &err), 0);
	sigprocmask(SIG_SETMASK, NULL, &after);
	ck_assert(sigismember(&after, SIGTERM));
	prf_relay_close(&relay);
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int i = 1; i < NSIG; i++)
		ck_assert_int_eq(sigismember(&after, i),
				 sigismember(&before, i));
	sigaction(SIGCHLD, NULL, &action);
	ck_assert_ptr_eq(action.sa_handler, SIG_IGN);
}
END_TEST

START_TEST(a_childs_stop_is_no_word)
{
	ck_assert_int_eq(prf_relay_open(&relay, true, 0, &err), 0);

	struct pollfd polled[] = {{relay.fd, POLLIN, 0},
				  {relay.words_fd, POLLIN, 0}};

	kill(getpid(), SIGCHLD);
	ck_assert_int_eq(poll(polled, 2, 0), 1);
	ck_assert_int_eq(polled[0].revents, POLLIN);
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(poll(polled, 2, 0), 2);
	prf_relay_take(&relay, 0);
	ck_assert_int_eq(poll(polled, 2, 0), 0);
	prf_relay_close(&relay);
}
END_TEST

/* It does not stop of them, nor are they passed on. */
START_TEST(a_word_of_job_control_is_heard)
{
	static const int signals[] = {SIGTSTP, SIGTTIN, SIGTTOU};

	ck_assert_int_eq(prf_relay_open(&relay, true, 0, &err), 0);
	kill(getpid(), signals[_i]);
	struct prf_relay_word word = take(getpid());
	ck_assert_int_eq(word.stop, signals[_i]);
	ck_assert_int_eq(word.stop_sender, getpid());
	ck_assert(!word.go_on && !word.end);
	kill(getpid(), SIGCONT);
	word = take(getpid());
	ck_assert(word.go_on);
	ck_assert_int_eq(word.stop, 0);
	ck_assert(!prf_relay_take(&relay, 0).go_on);
	prf_relay_close(&relay);
}
END_TEST

START_TEST(a_stop_that_nobody_has_heard_of_is_over)
{
	ck_assert_int_eq(prf_relay_open(&relay, true, 0, &err), 0);
	kill(getpid(), SIGTSTP);
	prf_relay_close(&relay);
	/* Otherwise this test would stop here. */
}
END_TEST

START_TEST(who_started_no_program_stops_by_itself)
{
	sigset_t mask;

	ck_assert_int_eq(prf_relay_open(&relay, false, 0, &err), 0);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	ck_assert(!sigismember(&mask, SIGTSTP));
	prf_relay_close(&relay);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("relay");
	TCase *tcase = tcase_create("relay");

	tcase_add_loop_test(
		tcase, what_asks_to_end_is_heard_where_nobody_else_is, 0, 4);
	tcase_add_test(tcase, nohup_is_respected);
	tcase_add_loop_test(tcase, a_signal_is_passed_on_to_the_program, SIGHUP,
			    SIGQUIT + 1);
	tcase_add_test(tcase, the_toggle_signal_is_counted_and_kept);
	tcase_add_test(tcase, a_childs_stop_is_no_word);
	tcase_add_loop_test(tcase, a_word_of_job_control_is_heard, 0, 3);
	tcase_add_test(tcase, a_stop_that_nobody_has_heard_of_is_over);
	tcase_add_test(tcase, who_started_no_program_stops_by_itself);
	tcase_add_test(tcase, everything_is_given_back);
	suite_add_tcase(suite, tcase);
	return suite;
}
