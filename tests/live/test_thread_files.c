#include "live/proc/thread_files.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/descriptor.h"
#include "support/descriptors.h"
#include "support/suite.h"

/* There is room for more, or half of all are open, so that none is kept. */
enum room { MUCH, LITTLE, N_ROOMS };

static void
leave_room(enum room room)
{
	if (room == MUCH)
		prf_test_limit_open(1024);
	else
		prf_test_leave_little_room();
}

START_TEST(one_that_computes_runs_on_a_processor_that_it_may_run_on)
{
	struct prf_schedstat times;
	cpu_set_t allowed;
	int cpu = -1;

	ck_assert_int_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	leave_room(_i);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		for (;;)
			;
	struct prf_thread_files *its = prf_thread_files_new(child, child);
	ck_assert_ptr_nonnull(its);
	while (!prf_thread_files_is_running(its))
		sched_yield();
	ck_assert_int_eq(prf_thread_files_processor(its, &cpu), 0);
	ck_assert(CPU_ISSET(cpu, &allowed));
	ck_assert_int_eq(prf_thread_files_times(its, &times), 0);
	kill(child, SIGKILL);
	prf_thread_files_free(its);
}
END_TEST

START_TEST(its_time_is_what_it_is_now_not_what_it_was_at_first)
{
	struct prf_schedstat before, after;

	leave_room(_i);
	struct prf_thread_files *own = prf_thread_files_new(getpid(), gettid());
	ck_assert_int_eq(prf_thread_files_times(own, &before), 0);
	do
		ck_assert_int_eq(prf_thread_files_times(own, &after), 0);
	while (after.cpu_ns < before.cpu_ns + 30000000);
	prf_thread_files_free(own);
}
END_TEST

START_TEST(one_that_sleeps_does_not_run_and_one_that_is_gone_has_no_times)
{
	struct prf_schedstat times;
	int wait_status, cpu;

	leave_room(_i);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		for (;;)
			pause();
	struct prf_thread_files *its = prf_thread_files_new(child, child);
	while (prf_thread_files_is_running(its))
		sched_yield();
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, &wait_status, 0), child);
	ck_assert(!prf_thread_files_is_running(its));
	ck_assert_int_ne(prf_thread_files_times(its, &times), 0);
	ck_assert_int_ne(prf_thread_files_processor(its, &cpu), 0);
	prf_thread_files_free(its);
}
END_TEST

START_TEST(files_are_kept_open_only_where_there_is_room_for_others)
{
	int before = prf_test_n_open();

	leave_room(_i);
	struct prf_thread_files *own = prf_thread_files_new(getpid(), gettid());
	if (_i == MUCH)
		ck_assert_int_gt(prf_test_n_open(), before);
	else
		ck_assert_int_eq(prf_test_n_open(), before);
	prf_thread_files_free(own);
	ck_assert_int_eq(prf_test_n_open(), before);
}
END_TEST

START_TEST(the_last_of_the_files_that_may_be_open_are_one_too_many)
{
	prf_test_limit_open(1024);
	ck_assert(!prf_descriptor_is_one_too_many(895));
	ck_assert(prf_descriptor_is_one_too_many(896));
	prf_test_limit_open(64);
	ck_assert(!prf_descriptor_is_one_too_many(31));
	ck_assert(prf_descriptor_is_one_too_many(32));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("thread_files");
	TCase *tcase = tcase_create("thread_files");

	tcase_add_loop_test(
		tcase, one_that_computes_runs_on_a_processor_that_it_may_run_on,
		0, N_ROOMS);
	tcase_add_loop_test(tcase,
			    its_time_is_what_it_is_now_not_what_it_was_at_first,
			    0, N_ROOMS);
	tcase_add_loop_test(
		tcase,
		one_that_sleeps_does_not_run_and_one_that_is_gone_has_no_times,
		0, N_ROOMS);
	tcase_add_loop_test(
		tcase, files_are_kept_open_only_where_there_is_room_for_others,
		0, N_ROOMS);
	tcase_add_test(tcase,
		       the_last_of_the_files_that_may_be_open_are_one_too_many);
	suite_add_tcase(suite, tcase);
	return suite;
}
