#include "live/ear.h"

#include <poll.h>
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
open_ear(int every_ms)
{
	ck_assert_int_eq(pipe(said), 0);
	ck_assert_msg(prf_ear_new(said[0], every_ms, &ear, &err) == 0, "%s",
		      err.text);
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

	open_ear(NEVER_MS);
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

	open_ear(NEVER_MS);
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

	open_ear(NEVER_MS);
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

	open_ear(5);
	for (int i = 0; i < 5; i++)
		ck_assert(prf_ear_wait(ear));
	close_ear();
	end_child(child);
}
END_TEST

static uint64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* (The waiter itself may be held up for more than twice that time.) */
START_TEST(who_comes_by_anyway_is_not_called)
{
	enum { EVERY_MS = 20, TURNS = 50 };
	pid_t child = begin_child();
	unsigned knocks = 0;

	open_ear(EVERY_MS);
	for (uint64_t end_ms = now_ms() + (uint64_t)TURNS * EVERY_MS;
	     now_ms() < end_ms;) {
		kill(child, SIGSTOP);
		knocks += prf_ear_wait(ear);
		ck_assert_int_eq(waitpid(child, NULL, WUNTRACED), child);
		kill(child, SIGCONT);
	}
	ck_assert_uint_lt(knocks, TURNS / 4);
	close_ear();
	end_child(child);
}
END_TEST

START_TEST(without_children_there_is_nothing_to_wait_for)
{
	open_ear(NEVER_MS);
	ck_assert(!prf_ear_wait(ear));
	close_ear();
}
END_TEST

START_TEST(the_signal_is_treated_afterwards_as_before)
{
	struct sigaction action;
	sigset_t before, after;
	pid_t child = begin_child();

	sigemptyset(&before);
	sigaddset(&before, SIGURG);
	sigprocmask(SIG_BLOCK, &before, NULL);
	signal(SIGURG, SIG_IGN);

	open_ear(NEVER_MS);
	say();
	ck_assert(prf_ear_wait(ear));
	close_ear();

	sigprocmask(SIG_SETMASK, NULL, &after);
	ck_assert(sigismember(&after, SIGURG));
	sigaction(SIGURG, NULL, &action);
	ck_assert_ptr_eq(action.sa_handler, SIG_IGN);
	end_child(child);
}
END_TEST

/* Queues SIGURG with VALUE to its parent, and waits to be killed. */
static pid_t
begin_stranger(int value)
{
	pid_t stranger = fork();

	if (stranger == 0) {
		sigqueue(getppid(), SIGURG, (union sigval){.sival_int = value});
		for (;;)
			pause();
	}
	return stranger;
}

/* While it waits, or before that; and knocks are none. */
START_TEST(a_signal_from_elsewhere_is_no_knock)
{
	siginfo_t stray;

	open_ear(NEVER_MS);
	ck_assert(!prf_ear_stray(ear, &stray));
	for (int i = 0; i < 20; i++) {
		pid_t stranger = begin_stranger(i);

		while (!prf_ear_stray(ear, &stray))
			prf_ear_wait(ear);
		ck_assert_int_eq(stray.si_signo, SIGURG);
		ck_assert_int_eq(stray.si_code, SI_QUEUE);
		ck_assert_int_eq(stray.si_pid, stranger);
		ck_assert_int_eq(stray.si_value.sival_int, i);
		ck_assert(!prf_ear_stray(ear, &stray));
		end_child(stranger);
	}
	close_ear();
}
END_TEST

START_TEST(a_stray_that_nobody_takes_is_left_for_others)
{
	struct timespec patience = {.tv_sec = HELD_UP_S};
	siginfo_t info;
	sigset_t urgent;

	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	sigprocmask(SIG_BLOCK, &urgent, NULL);
	open_ear(NEVER_MS);
	pid_t stranger = begin_stranger(7);
	struct pollfd polled = {prf_ear_stray_fd(ear), POLLIN, 0};
	while (poll(&polled, 1, -1) != 1)
		;
	close_ear();
	ck_assert_int_eq(sigtimedwait(&urgent, &info, &patience), SIGURG);
	ck_assert_int_eq(info.si_pid, stranger);
	ck_assert_int_eq(info.si_value.sival_int, 7);
	end_child(stranger);
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
	tcase_add_test(tcase, who_comes_by_anyway_is_not_called);
	tcase_add_test(tcase, without_children_there_is_nothing_to_wait_for);
	tcase_add_test(tcase, the_signal_is_treated_afterwards_as_before);
	tcase_add_test(tcase, a_signal_from_elsewhere_is_no_knock);
	tcase_add_test(tcase, a_stray_that_nobody_takes_is_left_for_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
