#include "live/life/leave.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "live/proc/stat.h"
#include "live/stopped/inject.h"
#include "support/refuse.h"
#include "support/suite.h"
#include "traced.h"
#include "uring_worker.h"
#include "watching.h"

static struct prf_watch *const watch = &prf_watching.watch;
static struct prf_task *task;

/* A child that the trigger has, as if it had been attached to, or launched. */
static void
begin_child(void (*run)(void), bool attached)
{
	pid_t child = prf_traced_sleeper(run);

	watch->attached = attached;
	watch->pid = attached ? 0 : child;
	task = prf_watching_add(child);
	prf_watching_arm(task);
}

static void
sleep_for_ever(void)
{
	for (;;)
		pause();
}

static bool
is_done(void)
{
	prf_leave_remind(watch);
	return prf_leave_is_done(watch);
}

static bool
is_told(void)
{
	prf_leave_remind(watch);
	return *prf_watching.told;
}

START_TEST(nobody_is_stopped_where_nothing_of_ours_is_left)
{
	begin_child(sleep_for_ever, true);
	task->trigger = NULL;
	ck_assert(!prf_leave_is_done(watch));
	prf_leave_begin(watch);
	ck_assert(prf_leave_is_done(watch));
	ck_assert(!task->interrupt_pending);
	ck_assert_uint_eq(prf_watching.n_swept, 0);
}
END_TEST

/* A thread that has registers of ours would not survive to be left. */
START_TEST(a_thread_in_a_call_of_ours_is_waited_for_but_not_for_ever)
{
	begin_child(sleep_for_ever, true);
	task->trigger = NULL;
	task->overdue = calloc(1, sizeof *task->overdue);
	prf_leave_begin(watch);
	watch->leave_until_ns = prf_clock_ns(CLOCK_MONOTONIC);
	prf_watching_until(is_told);
	ck_assert(!prf_leave_is_done(watch));
	ck_assert_ptr_nonnull(strstr(prf_watching.told, "is waited for"));
	/* A machine that has just begun knows no time so long ago. */
	watch->leave_until_ns = 0;
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC);
	ck_assert(prf_leave_is_done(watch) == (now_ns > 30000000000));
}
END_TEST

/* As timeout(1) sends them. */
START_TEST(two_signals_of_one_moment_ask_once)
{
	bool is_one;

	begin_child(sleep_for_ever, true);
	/* However long others have the processor meanwhile. */
	do {
		watch->insisted = false;
		watch->asked_ns = 0;
		prf_leave_asked(watch);
		uint64_t first_ns = watch->asked_ns;
		prf_leave_asked(watch);
		is_one = watch->asked_ns == first_ns;
		ck_assert(is_one != watch->insisted);
	} while (!is_one);
	watch->asked_ns = 1;
	prf_leave_asked(watch);
	ck_assert(watch->insisted);
	ck_assert(prf_leave_is_done(watch));
}
END_TEST

START_TEST(an_attached_process_is_swept_once_and_runs_on)
{
	begin_child(sleep_for_ever, true);
	prf_leave_begin(watch);
	ck_assert(!prf_leave_is_done(watch));
	prf_watching_until(is_done);
	ck_assert_uint_eq(prf_watching.n_swept, 1);
	ck_assert(task->process->swept);
	/* The end of the thread that traces will let it go. */
	ck_assert_int_eq(prf_watching_tracer_of(task->tid), gettid());
	ck_assert(!prf_watching_is_stopped(task->tid, task->tid));
}
END_TEST

START_TEST(a_launched_process_is_swept_and_then_let_go)
{
	begin_child(sleep_for_ever, false);
	pid_t child = task->tid;
	prf_leave_begin(watch);
	prf_watching_until(is_done);
	ck_assert_uint_eq(prf_watching.n_swept, 1);
	ck_assert_int_eq(prf_watching_tracer_of(child), 0);
	ck_assert_uint_eq(prf_watching.recorder.n_lives[PRF_LIFE_LEAVE], 1);
	ck_assert_uint_eq(watch->processes.n, 0);
}
END_TEST

static bool
is_swept_once(void)
{
	return prf_watching.n_swept > 0;
}

START_TEST(a_sweep_that_fails_is_tried_again)
{
	prf_watching.sweep_answer = -ETIMEDOUT;
	begin_child(sleep_for_ever, _i);
	pid_t child = task->tid;
	prf_leave_begin(watch);
	prf_watching_until(is_swept_once);
	ck_assert(!task->process->swept);
	ck_assert(!prf_leave_is_done(watch));
	prf_watching.sweep_answer = 0;
	prf_watching_until(is_done);
	ck_assert_uint_eq(prf_watching.n_swept, 2);
	ck_assert_str_eq(prf_watching.told, "");
	ck_assert_int_eq(prf_watching_tracer_of(child), _i ? gettid() : 0);
}
END_TEST

START_TEST(what_cannot_be_swept_is_left_with_a_word)
{
	prf_watching.sweep_answer = -ECANCELED;
	begin_child(sleep_for_ever, true);
	prf_leave_begin(watch);
	prf_watching_until(is_done);
	ck_assert_ptr_nonnull(strstr(prf_watching.told, "could not be made"));
}
END_TEST

static bool
is_kept(void)
{
	prf_leave_remind(watch);
	return task->process->keeps_ours;
}

/* That is said, and leaving waits for the end of the process. */
static void
check_is_kept_to_its_end(void)
{
	ck_assert(!prf_leave_is_done(watch));
	ck_assert_ptr_nonnull(strstr(prf_watching.told, "not let go"));
	kill(task->tid, SIGKILL);
	prf_watching_to_the_end();
	ck_assert(prf_leave_is_done(watch));
}

START_TEST(what_was_launched_and_cannot_be_swept_is_not_let_go)
{
	prf_watching.sweep_answer = -ECANCELED;
	begin_child(sleep_for_ever, false);
	prf_leave_begin(watch);
	prf_watching_until(is_kept);
	check_is_kept_to_its_end();
}
END_TEST

static void
make_thread_and_sleep(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, (void *(*)(void *))sleep_for_ever, NULL);
	sleep_for_ever();
}

/* --- Seccomp filters of its own */

/* Its own: this process does not run under it. */
static void
put_filter_and_sleep(void)
{
	if (prf_refuse_call(SYS_reboot, EPERM))
		_exit(1);
	sleep_for_ever();
}

static void
begin_filtered(bool attached)
{
	begin_child(put_filter_and_sleep, attached);
	prf_leave_begin(watch);
	ck_assert_uint_eq(prf_watching.n_swept, 0);
	ck_assert(task->process->keeps_ours);
	ck_assert(!task->interrupt_pending);
}

START_TEST(a_filtered_process_that_was_attached_keeps_its_timers)
{
	begin_filtered(true);
	ck_assert(prf_leave_is_done(watch));
	ck_assert_ptr_nonnull(strstr(prf_watching.told, "keeps timers"));
}
END_TEST

START_TEST(a_filtered_process_that_was_launched_is_not_let_go)
{
	begin_filtered(false);
	prf_leave_remind(watch);
	check_is_kept_to_its_end();
}
END_TEST

/* --- Which thread is stopped */

static void *
sleep_in_futex(void *arg)
{
	static int never;

	for (;;)
		syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, NULL);
	return arg;
}

/* A wait that would have to begin anew. */
static void
sleep_in_epoll(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0);

	for (;;)
		epoll_wait(fd, &event, 1, -1);
}

static void
sleep_in_both(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_in_futex, NULL);
	sleep_in_epoll();
}

static bool
are_two(void)
{
	return prf_tasks_count(watch->tasks) == 2 &&
	       !task->process->tasks->fresh;
}

START_TEST(the_thread_is_stopped_that_is_disturbed_the_least)
{
	begin_child(sleep_in_both, true);
	prf_watching_until(are_two);
	struct prf_task *other = task->process->tasks;
	ck_assert_ptr_ne(other, task);
	while (prf_stat_read_state(task->tid, other->tid) != 'S' ||
	       prf_stat_read_state(task->tid, task->tid) != 'S')
		usleep(500);
	prf_leave_begin(watch);
	ck_assert(other->interrupt_pending);
	ck_assert(!task->interrupt_pending);
	prf_watching_until(is_done);
	ck_assert_uint_eq(prf_watching.n_swept, 1);
}
END_TEST

static void
begin_worker_and_sleep(void)
{
	prf_uring_begin_worker();
	sleep_for_ever();
}

START_TEST(a_worker_of_the_kernels_is_not_asked)
{
	begin_child(begin_worker_and_sleep, true);
	pid_t tid = prf_uring_worker_of(task->tid);
	if (!tid || ptrace(PTRACE_SEIZE, tid, NULL, NULL))
		return;
	struct prf_task *worker =
		prf_tasks_add(watch->tasks, tid, task->process);
	while (prf_stat_read_state(task->tid, tid) != 'S')
		usleep(500);
	prf_leave_begin(watch);
	ck_assert(!worker->interrupt_pending);
	ck_assert(task->interrupt_pending);
	prf_watching_until(is_done);
	ck_assert_uint_eq(prf_watching.n_swept, 1);
}
END_TEST

START_TEST(each_thread_of_a_launched_process_is_let_go)
{
	begin_child(make_thread_and_sleep, false);
	pid_t child = task->tid;
	prf_watching_until(are_two);
	pid_t other = task->process->tasks->tid;
	ck_assert_int_ne(other, child);
	prf_leave_begin(watch);
	prf_watching_until(is_done);
	ck_assert_uint_eq(prf_watching.n_swept, 1);
	ck_assert_int_eq(prf_watching_tracer_of(child), 0);
	ck_assert_int_eq(prf_watching_tracer_of(other), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("leave");
	TCase *tcase = tcase_create("leave");

	tcase_add_checked_fixture(tcase, prf_watching_set_up,
				  prf_watching_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, nobody_is_stopped_where_nothing_of_ours_is_left);
	tcase_add_test(
		tcase,
		a_thread_in_a_call_of_ours_is_waited_for_but_not_for_ever);
	tcase_add_test(tcase, two_signals_of_one_moment_ask_once);
	tcase_add_test(tcase, an_attached_process_is_swept_once_and_runs_on);
	tcase_add_test(tcase, a_launched_process_is_swept_and_then_let_go);
	tcase_add_loop_test(tcase, a_sweep_that_fails_is_tried_again, 0, 2);
	tcase_add_test(tcase, what_cannot_be_swept_is_left_with_a_word);
	tcase_add_test(tcase,
		       what_was_launched_and_cannot_be_swept_is_not_let_go);
	tcase_add_test(tcase,
		       a_filtered_process_that_was_attached_keeps_its_timers);
	tcase_add_test(tcase,
		       a_filtered_process_that_was_launched_is_not_let_go);
	tcase_add_test(tcase,
		       the_thread_is_stopped_that_is_disturbed_the_least);
	tcase_add_test(tcase, a_worker_of_the_kernels_is_not_asked);
	tcase_add_test(tcase, each_thread_of_a_launched_process_is_let_go);
	suite_add_tcase(suite, tcase);
	return suite;
}
