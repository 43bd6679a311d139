#include "live/ear.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/suite.h"

enum { NEVER_MS = 1000000, HELD_UP_S = 30 };

static struct prf_ear *ear;
static struct prf_error err;
static int said[2];

static void
open_ear(int every_ms, int spared)
{
	ck_assert_int_eq(pipe(said), 0);
	ck_assert_msg(prf_ear_new(said[0], every_ms, spared, &ear, &err) == 0,
		      "%s", err.text);
}

static void
close_ear(void)
{
	prf_ear_free(ear);
	close(said[0]);
	close(said[1]);
}

/* A child that goes on until it is killed, so that there is one to wait for. */
static pid_t
begin_child(void)
{
	pid_t child = fork();

	if (child == 0)
		for (;;)
			pause();
	return child;
}

static void
end_child(pid_t child)
{
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

static void
say(void)
{
	ck_assert_int_eq(write(said[1], "x", 1), 1);
}

static void
hear(void)
{
	char byte;

	ck_assert_int_eq(read(said[0], &byte, 1), 1);
}

/* Of a child there is nothing new: without a knock it would wait for ever. */
START_TEST(what_is_said_before_or_during_a_wait_ends_it)
{
	pid_t child = begin_child();

	open_ear(NEVER_MS, 0);
	for (int i = 0; i < 100; i++) {
		const struct timespec moment = {.tv_nsec = 10000L * i};

		pid_t speaker = fork();
		if (speaker == 0) {
			nanosleep(&moment, NULL);
			_exit(write(said[1], "x", 1) != 1);
		}
		/* The speaker's own end may come first. */
		while (!prf_ear_wait(ear))
			waitpid(speaker, NULL, 0);
		hear();
		waitpid(speaker, NULL, 0);
	}
	close_ear();
	end_child(child);
}
END_TEST

/* The knock for something that was heard meanwhile may still be on its way. */
START_TEST(what_is_not_heard_is_said_again)
{
	pid_t child = begin_child();

	open_ear(NEVER_MS, 0);
	say();
	for (int i = 0; i < 5; i++)
		ck_assert(prf_ear_wait(ear));
	hear();
	close_ear();
	end_child(child);
}
END_TEST

START_TEST(an_end_or_a_stop_ends_a_wait_and_is_left_to_be_taken)
{
	siginfo_t info = {0};
	pid_t child = begin_child();

	open_ear(NEVER_MS, 0);
	kill(child, SIGSTOP);
	ck_assert(!prf_ear_wait(ear));
	ck_assert_int_eq(waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG), 0);
	ck_assert_int_eq(info.si_pid, child);
	ck_assert_int_eq(info.si_code, CLD_STOPPED);
	kill(child, SIGKILL);
	ck_assert(!prf_ear_wait(ear));
	close_ear();
	ck_assert_int_eq(waitpid(child, NULL, WNOHANG), child);
}
END_TEST

START_TEST(it_knocks_once_in_a_while_in_any_case)
{
	pid_t child = begin_child();

	open_ear(5, 0);
	for (int i = 0; i < 5; i++)
		ck_assert(prf_ear_wait(ear));
	close_ear();
	end_child(child);
}
END_TEST

START_TEST(without_children_there_is_nothing_to_wait_for)
{
	open_ear(NEVER_MS, 0);
	ck_assert(!prf_ear_wait(ear));
	close_ear();
}
END_TEST

/* Also where the usual signal to knock with is blocked, or somebody else's. */
static const int spared[] = {0, SIGURG, SIGWINCH};

START_TEST(signals_are_treated_afterwards_as_before)
{
	static const int knocks[] = {SIGURG, SIGWINCH};
	struct sigaction action;
	sigset_t before, after;
	pid_t child = begin_child();

	sigemptyset(&before);
	sigaddset(&before, SIGURG);
	sigaddset(&before, SIGWINCH);
	sigprocmask(SIG_BLOCK, &before, NULL);
	sigprocmask(SIG_SETMASK, NULL, &before);
	signal(SIGURG, SIG_IGN);

	open_ear(NEVER_MS, spared[_i]);
	sigprocmask(SIG_SETMASK, NULL, &after);
	ck_assert(!spared[_i] || sigismember(&after, spared[_i]));
	say();
	ck_assert(prf_ear_wait(ear));
	close_ear();

	sigprocmask(SIG_SETMASK, NULL, &after);
	for (size_t i = 0; i < sizeof knocks / sizeof *knocks; i++) {
		ck_assert(sigismember(&after, knocks[i]));
		sigaction(knocks[i], NULL, &action);
		ck_assert_ptr_eq(action.sa_handler,
				 knocks[i] == SIGURG ? SIG_IGN : SIG_DFL);
	}
	end_child(child);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("ear");
	TCase *tcase = tcase_create("ear");

	tcase_set_timeout(tcase, HELD_UP_S);
	tcase_add_test(tcase, what_is_said_before_or_during_a_wait_ends_it);
	tcase_add_test(tcase, what_is_not_heard_is_said_again);
	tcase_add_test(tcase,
		       an_end_or_a_stop_ends_a_wait_and_is_left_to_be_taken);
	tcase_add_test(tcase, it_knocks_once_in_a_while_in_any_case);
	tcase_add_test(tcase, without_children_there_is_nothing_to_wait_for);
	tcase_add_loop_test(tcase, signals_are_treated_afterwards_as_before, 0,
			    sizeof spared / sizeof *spared);
	suite_add_tcase(suite, tcase);
	return suite;
}
