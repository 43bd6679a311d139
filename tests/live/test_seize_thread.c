#include "live/life/seize_thread.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "live/proc/status.h"
#include "live/watch.h"
#include "long_exec.h"

enum { MS = 1000000, S = 1000000000 };

static pid_t
begin_sleeper(void)
{
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	while (child == 0)
		pause();
	return child;
}

static pid_t
tracer_of(pid_t pid)
{
	struct prf_process_status status;

	ck_assert_int_eq(prf_status_read_process(pid, &status), 0);
	return status.tracer;
}

static void
have(pid_t tid)
{
	uint64_t patience_ns = S;
	int rc = prf_seize_thread(tid, PRF_WATCH_OPTIONS, &patience_ns);

	if (rc == -EPERM)
		prf_skip("ptrace is refused");
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(patience_ns, S);
}

START_TEST(a_thread_that_can_be_had_is_ours)
{
	pid_t child = begin_sleeper();

	have(child);
	ck_assert_int_eq(tracer_of(child), gettid());
}
END_TEST

START_TEST(one_that_cannot_be_had_takes_no_patience)
{
	pid_t child = begin_sleeper();
	uint64_t patience_ns = S;

	have(child);
	ck_assert_int_eq(prf_seize_thread(child, 0, &patience_ns), -EPERM);
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_int_eq(prf_seize_thread(child, 0, &patience_ns), -ESRCH);
	ck_assert_uint_eq(patience_ns, S);
}
END_TEST

/* Process PID is in an exec. */
static void
wait_in_vain(pid_t pid, uint64_t patience_ns, uint64_t least_ns, uint64_t left)
{
	uint64_t begin_ns = prf_clock_ns(CLOCK_MONOTONIC);

	ck_assert_int_eq(prf_seize_thread(pid, 0, &patience_ns), -ETIMEDOUT);
	ck_assert_uint_ge(prf_clock_ns(CLOCK_MONOTONIC) - begin_ns, least_ns);
	ck_assert_uint_eq(patience_ns, left);
	ck_assert_int_eq(tracer_of(pid), 0);
}

START_TEST(in_an_exec_half_of_the_patience_is_waited_for)
{
	struct prf_long_exec *exec = prf_long_exec_new();

	prf_long_exec_begin(exec);
	have(exec->thread);
	prf_long_exec_go(exec);
	wait_in_vain(exec->pid, 400 * MS, 200 * MS, 200 * MS);
	wait_in_vain(exec->pid, 100 * MS, 50 * MS, 50 * MS);
	wait_in_vain(exec->pid, 1, 10 * MS, 1);
	wait_in_vain(exec->pid, 0, 10 * MS, 0);
	/* It ends when its thread has been waited for. */
	ck_assert_int_eq(waitpid(exec->thread, NULL, __WALL), exec->thread);
	have(exec->pid);
	ck_assert_int_eq(tracer_of(exec->pid), gettid());
}
END_TEST

START_TEST(another_signal_that_is_the_same_ends_no_wait_and_finds_all_as_before)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	struct prf_long_exec *exec = prf_long_exec_new();
	struct sigaction action;
	sigset_t mask;

	prf_long_exec_begin(exec);
	have(exec->thread);
	prf_long_exec_go(exec);
	sigemptyset(&mask);
	sigaddset(&mask, SIGURG);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	raise(SIGURG);
	wait_in_vain(exec->pid, 200 * MS, 100 * MS, 100 * MS);

	sigaction(SIGURG, &ignored, NULL);
	wait_in_vain(exec->pid, 0, 10 * MS, 0);
	sigaction(SIGURG, NULL, &action);
	ck_assert(action.sa_handler == SIG_IGN);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	ck_assert_int_eq(sigismember(&mask, SIGURG), 1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("seize_thread");
	TCase *tcase = tcase_create("seize_thread");

	tcase_add_test(tcase, a_thread_that_can_be_had_is_ours);
	tcase_add_test(tcase, one_that_cannot_be_had_takes_no_patience);
	tcase_add_test(tcase, in_an_exec_half_of_the_patience_is_waited_for);
	tcase_add_test(
		tcase,
		another_signal_that_is_the_same_ends_no_wait_and_finds_all_as_before);
	suite_add_tcase(suite, tcase);
	return suite;
}
