#include "live/processes.h"

#include <unistd.h>

#include "support/suite.h"

static struct prf_processes processes;

static void
set_up(void)
{
	processes = (struct prf_processes){0};
	for (pid_t pid = 1; pid <= 3; pid++)
		ck_assert_ptr_nonnull(prf_processes_add(&processes, pid));
}

static void
tear_down(void)
{
	prf_processes_clear(&processes);
}

START_TEST(each_process_is_found_by_its_id)
{
	ck_assert_uint_eq(processes.n, 3);
	for (pid_t pid = 1; pid <= 3; pid++)
		ck_assert_int_eq(prf_processes_find(&processes, pid)->pid, pid);
	ck_assert_ptr_null(prf_processes_find(&processes, 4));
}
END_TEST

/* The first, the last and the one between. */
START_TEST(a_removed_process_is_gone_and_the_others_stay)
{
	prf_processes_remove(&processes, prf_processes_find(&processes, _i));
	ck_assert_uint_eq(processes.n, 2);
	for (pid_t pid = 1; pid <= 3; pid++)
		ck_assert(!!prf_processes_find(&processes, pid) == (pid != _i));
}
END_TEST

START_TEST(what_stops_have_taken_is_not_used_by_the_process)
{
	struct prf_process process = {.pid = getpid()};

	for (volatile int turns = 0; turns < 10000000; turns++)
		;
	uint64_t all_ns = prf_processes_usage(&process).cpu_ns;
	process.stops_ns = all_ns / 2;
	uint64_t less_ns = prf_processes_usage(&process).cpu_ns;
	process.stops_ns = UINT64_MAX;

	ck_assert_uint_ge(less_ns, all_ns - all_ns / 2);
	ck_assert_uint_lt(less_ns, all_ns);
	ck_assert_uint_eq(prf_processes_usage(&process).cpu_ns, 0);
}
END_TEST

START_TEST(a_cleared_list_is_empty_and_can_be_used)
{
	prf_processes_clear(&processes);
	ck_assert_uint_eq(processes.n, 0);
	ck_assert_ptr_null(processes.first);
	ck_assert_ptr_nonnull(prf_processes_add(&processes, 9));
	ck_assert_ptr_eq(prf_processes_find(&processes, 9), processes.first);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("processes");
	TCase *tcase = tcase_create("processes");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, each_process_is_found_by_its_id);
	tcase_add_loop_test(
		tcase, a_removed_process_is_gone_and_the_others_stay, 1, 4);
	tcase_add_test(tcase, what_stops_have_taken_is_not_used_by_the_process);
	tcase_add_test(tcase, a_cleared_list_is_empty_and_can_be_used);
	suite_add_tcase(suite, tcase);
	return suite;
}
