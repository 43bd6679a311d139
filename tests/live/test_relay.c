#include "live/control/relay.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/suite.h"

static struct prf_relay relay;
static struct prf_error err;

static void
open_relay(int toggle_signal)
{
	ck_assert_int_eq(prf_relay_open(&relay, true, toggle_signal, &err), 0);
}

/* By its descriptor, or by waiting for it. */
static bool is_awaited;

static void
read_it(void)
{
	is_awaited = false;
}

static void
await_it(void)
{
	is_awaited = true;
}

/* What stands in the relay. */
static struct prf_relay_news
take(pid_t pid)
{
	struct pollfd polled = {relay.fd, POLLIN, 0};

	ck_assert_int_eq(poll(&polled, 1, 0), 1);
	return is_awaited ? prf_relay_await(&relay, pid, 0)
			  : prf_relay_take(&relay, pid);
}

/* --- A program that tells what it gets */

static struct program {
	pid_t pid;
	int said_fd;
} program;

_Noreturn static void
tell_signals(int to_fd)
{
	siginfo_t info;
	sigset_t all;

	sigfillset(&all);
	for (;;)
		if (sigwaitinfo(&all, &info) > 0 &&
		    write(to_fd, &info, sizeof info) != sizeof info)
			_exit(1);
}

static void
begin_program(void)
{
	sigset_t all, before;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	program.pid = fork();
	if (program.pid == 0)
		tell_signals(fds[1]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(fds[1]);
	program.said_fd = fds[0];
}

static void
end_program(void)
{
	kill(program.pid, SIGKILL);
	ck_assert_int_eq(waitpid(program.pid, NULL, 0), program.pid);
	close(program.said_fd);
}

static siginfo_t
note(void)
{
	siginfo_t info;

	ck_assert_int_eq(read(program.said_fd, &info, sizeof info),
			 sizeof info);
	return info;
}

/* Nothing has come before a signal that is sent now, and would come last. */
static void
check_nothing_was_said(void)
{
	kill(program.pid, SIGRTMAX);
	ck_assert_int_eq(note().si_signo, SIGRTMAX);
}

/* --- Somebody who sends signals */

/* Runs SEND in another process, to its end; its id. */
static pid_t
by_another(void (*send)(pid_t to, int signal), int signal)
{
	pid_t to = getpid(), sender = fork();
	int status;

	if (sender == 0) {
		send(to, signal);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(sender, &status, 0), sender);
	ck_assert_int_eq(status, 0);
	return sender;
}

static void
send_plainly(pid_t to, int signal)
{
	if (kill(to, signal))
		_exit(1);
}

static void
send_with_value(pid_t to, int signal)
{
	if (sigqueue(to, signal, (union sigval){.sival_int = 100 + signal}))
		_exit(1);
}

/* As the kernel would: one may say so to oneself. */
static void
send_as_kernel(int signal)
{
	siginfo_t info = {.si_code = SI_KERNEL};

	ck_assert_int_eq(syscall(SYS_rt_sigqueueinfo, getpid(), signal, &info),
			 0);
}

/* Not to be taken are those of children and of job control, and what the C
 * library keeps for itself. */
static bool
is_taken(int signal)
{
	static const int others[] = {SIGKILL, SIGSTOP, SIGCHLD,
				     SIGCONT, SIGTSTP, SIGTTIN,
				     SIGTTOU, 32,      33};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i] == signal)
			return false;
	return true;
}

/* --- What is passed on */

START_TEST(a_signal_is_passed_on_to_the_program)
{
	if (!is_taken(_i))
		return;
	begin_program();
	open_relay(0);
	by_another(send_plainly, _i);
	ck_assert(!take(program.pid).end);
	siginfo_t info = note();
	ck_assert_int_eq(info.si_signo, _i);
	ck_assert_int_eq(info.si_code, SI_USER);
	prf_relay_close(&relay);
	end_program();
}
END_TEST

START_TEST(what_was_sent_along_is_passed_on)
{
	if (!is_taken(_i))
		return;
	begin_program();
	open_relay(0);
	pid_t sender = by_another(send_with_value, _i);
	take(program.pid);
	siginfo_t info = note();
	ck_assert_int_eq(info.si_signo, _i);
	ck_assert_int_eq(info.si_code, SI_QUEUE);
	ck_assert_int_eq(info.si_pid, sender);
	ck_assert_uint_eq(info.si_uid, getuid());
	ck_assert_int_eq(info.si_value.sival_int, 100 + _i);
	prf_relay_close(&relay);
	end_program();
}
END_TEST

enum { QUEUED = 50 };

static void
send_queue(pid_t to, int signal)
{
	for (int i = 0; i < QUEUED; i++)
		if (sigqueue(to, signal, (union sigval){.sival_int = i}))
			_exit(1);
}

/* Also what came before it was open. */
START_TEST(a_queue_is_passed_on_whole_and_in_order)
{
	sigset_t before;

	begin_program();
	prf_relay_hold(&before);
	by_another(send_queue, SIGRTMIN + 1);
	open_relay(0);
	by_another(send_queue, SIGRTMIN + 1);
	take(program.pid);
	for (int i = 0; i < 2 * QUEUED; i++) {
		siginfo_t info = note();

		ck_assert_int_eq(info.si_signo, SIGRTMIN + 1);
		ck_assert_int_eq(info.si_value.sival_int, i % QUEUED);
	}
	check_nothing_was_said();
	prf_relay_close(&relay);
	end_program();
}
END_TEST

static const struct {
	int signal;
	bool is_passed_on;
} from_kernel[] = {
	/* Timers and the like that are this process's. */
	{SIGALRM, true},
	{SIGVTALRM, true},
	{SIGIO, true},
	/* Of the terminal, and of limits, the program hears by itself. */
	{SIGINT, false},
	{SIGQUIT, false},
	{SIGWINCH, false},
	{SIGXCPU, false},
};

START_TEST(what_the_program_has_from_the_kernel_it_does_not_get_twice)
{
	begin_program();
	open_relay(0);
	send_as_kernel(from_kernel[_i].signal);
	take(program.pid);
	if (from_kernel[_i].is_passed_on)
		ck_assert_int_eq(note().si_signo, from_kernel[_i].signal);
	check_nothing_was_said();
	prf_relay_close(&relay);
	end_program();
}
END_TEST

START_TEST(what_our_own_writing_brings_is_ours)
{
	int fds[2];

	begin_program();
	open_relay(0);
	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	ck_assert_int_eq(write(fds[1], "", 1), -1);
	ck_assert(!take(program.pid).end);
	check_nothing_was_said();
	ck_assert_int_eq(write(fds[1], "", 1), -1);
	ck_assert(!take(0).end);
	close(fds[1]);
	prf_relay_close(&relay);
	end_program();
}
END_TEST

START_TEST(what_threads_say_to_each_other_is_theirs)
{
	begin_program();
	open_relay(0);
	pthread_kill(pthread_self(), SIGURG);
	take(program.pid);
	check_nothing_was_said();
	pthread_kill(pthread_self(), SIGTERM);
	ck_assert(!take(0).end);
	prf_relay_close(&relay);
	end_program();
}
END_TEST

/* --- What is this process's */

START_TEST(what_would_end_it_asks_it_to_end_where_nobody_else_is)
{
	if (!is_taken(_i))
		return;
	/* These tests may run under nohup(1). */
	signal(_i, SIG_DFL);
	open_relay(0);
	by_another(send_plainly, _i);
	struct prf_relay_news news = take(0);
	ck_assert_int_eq(news.end, _i != SIGURG && _i != SIGWINCH);
	ck_assert_uint_eq(news.toggles, 0);
	ck_assert(!prf_relay_take(&relay, 0).end);
	prf_relay_close(&relay);
}
END_TEST

static const struct {
	int signal;
	bool ends;
} ignored[] = {{SIGHUP, false}, {SIGUSR1, false}, {SIGPIPE, false},
	       {SIGINT, true},  {SIGQUIT, true},  {SIGTERM, true}};

START_TEST(nohup_is_respected)
{
	signal(ignored[_i].signal, SIG_IGN);
	open_relay(0);
	by_another(send_plainly, ignored[_i].signal);
	ck_assert_int_eq(take(0).end, ignored[_i].ends);
	prf_relay_close(&relay);
}
END_TEST

START_TEST(the_toggle_signal_is_counted_and_kept)
{
	begin_program();
	open_relay(SIGRTMIN);
	for (int i = 0; i < 3; i++)
		kill(getpid(), SIGRTMIN);
	struct prf_relay_news news = take(program.pid);
	ck_assert_uint_eq(news.toggles, 3);
	ck_assert(!news.end);
	ck_assert_uint_eq(prf_relay_take(&relay, program.pid).toggles, 0);
	check_nothing_was_said();
	prf_relay_close(&relay);
	end_program();
}
END_TEST

START_TEST(everything_is_given_back)
{
	sigset_t before, after;
	struct sigaction action;

	signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, NULL, &before);
	open_relay(SIGUSR2);
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
	open_relay(0);

	struct pollfd polled[] = {{relay.fd, POLLIN, 0},
				  {relay.news_fd, POLLIN, 0}};

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

static pid_t
begin_child(void)
{
	pid_t child = fork();

	if (child == 0)
		for (;;)
			pause();
	return child;
}

/* Before the wait, and during it. */
START_TEST(whose_stop_or_end_it_is_stands_in_the_word)
{
	pid_t child = begin_child();

	open_relay(0);
	kill(child, SIGSTOP);
	ck_assert_int_eq(waitpid(child, NULL, WUNTRACED), child);
	ck_assert_int_eq(take(0).child, child);
	ck_assert_int_eq(prf_relay_take(&relay, 0).child, 0);
	for (int i = 0; i < 20; i++) {
		kill(child, SIGCONT);
		while (prf_relay_await(&relay, 0, 1).child)
			;
		kill(child, SIGSTOP);
		while (prf_relay_await(&relay, 0, 60000).child != child)
			;
	}
	kill(child, SIGKILL);
	ck_assert_int_eq(prf_relay_await(&relay, 0, 60000).child, child);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	prf_relay_close(&relay);
}
END_TEST

START_TEST(a_wait_for_nothing_ends_in_time_and_says_nothing)
{
	struct timespec before, after;

	open_relay(0);
	clock_gettime(CLOCK_MONOTONIC, &before);
	struct prf_relay_news news = prf_relay_await(&relay, 0, 1020);
	clock_gettime(CLOCK_MONOTONIC, &after);
	ck_assert(!news.child && !news.end && !news.toggles && !news.stop);
	ck_assert_int_ge((after.tv_sec - before.tv_sec) * 1000 +
				 (after.tv_nsec - before.tv_nsec) / 1000000,
			 1019);
	prf_relay_close(&relay);
}
END_TEST

/* It does not stop of them, nor are they passed on. */
START_TEST(a_word_of_job_control_is_heard)
{
	static const int signals[] = {SIGTSTP, SIGTTIN, SIGTTOU};

	ck_assert_int_eq(prf_relay_open(&relay, true, 0, &err), 0);
	kill(getpid(), signals[_i]);
	struct prf_relay_news news = take(getpid());
	ck_assert_int_eq(news.stop, signals[_i]);
	ck_assert_int_eq(news.stop_sender, getpid());
	ck_assert(!news.go_on && !news.end);
	kill(getpid(), SIGCONT);
	news = take(getpid());
	ck_assert(news.go_on);
	ck_assert_int_eq(news.stop, 0);
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

static void
add_tests(TCase *tcase)
{
	tcase_add_loop_test(tcase, a_signal_is_passed_on_to_the_program, 1,
			    NSIG);
	tcase_add_loop_test(tcase, what_was_sent_along_is_passed_on, 1, NSIG);
	tcase_add_test(tcase, a_queue_is_passed_on_whole_and_in_order);
	tcase_add_loop_test(
		tcase,
		what_the_program_has_from_the_kernel_it_does_not_get_twice, 0,
		sizeof from_kernel / sizeof *from_kernel);
	tcase_add_test(tcase, what_our_own_writing_brings_is_ours);
	tcase_add_test(tcase, what_threads_say_to_each_other_is_theirs);
	tcase_add_loop_test(
		tcase, what_would_end_it_asks_it_to_end_where_nobody_else_is, 1,
		NSIG);
	tcase_add_loop_test(tcase, nohup_is_respected, 0,
			    sizeof ignored / sizeof *ignored);
	tcase_add_test(tcase, the_toggle_signal_is_counted_and_kept);
	tcase_add_test(tcase, a_childs_stop_is_no_word);
	tcase_add_loop_test(tcase, a_word_of_job_control_is_heard, 0, 3);
	tcase_add_test(tcase, a_stop_that_nobody_has_heard_of_is_over);
	tcase_add_test(tcase, who_started_no_program_stops_by_itself);
	tcase_add_test(tcase, everything_is_given_back);
	tcase_add_test(tcase, whose_stop_or_end_it_is_stands_in_the_word);
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("relay");
	TCase *is_read = tcase_create("by its descriptor");
	TCase *awaited = tcase_create("by waiting");

	tcase_add_checked_fixture(is_read, read_it, NULL);
	add_tests(is_read);
	suite_add_tcase(suite, is_read);
	tcase_add_checked_fixture(awaited, await_it, NULL);
	add_tests(awaited);
	tcase_add_test(awaited,
		       a_wait_for_nothing_ends_in_time_and_says_nothing);
	suite_add_tcase(suite, awaited);
	return suite;
}
