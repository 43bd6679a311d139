#include "live/process.h"

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

START_TEST(a_cleared_list_is_empty_and_can_be_used)
{
	prf_processes_clear(&processes);
	ck_assert_uint_eq(processes.n, 0);
	ck_assert_ptr_null(processes.first);
	ck_assert_ptr_nonnull(prf_processes_add(&processes, 9));
	ck_assert_ptr_eq(prf_processes_find(&processes, 9), processes.first);
}
END_TEST

START_TEST(only_what_was_used_since_is_added)
{
	struct prf_usage sum = {.cpu_ns = 1, .user_us = 2, .system_us = 3};
	const struct prf_usage usage = {100, 50, 20, false};
	const struct prf_usage since = {60, 50, 30, false};

	prf_usage_add(&sum, &usage, &since);
	ck_assert_uint_eq(sum.cpu_ns, 41);
	ck_assert_uint_eq(sum.user_us, 2);
	/* Accounts in steps may go back. */
	ck_assert_uint_eq(sum.system_us, 3);
	ck_assert(!sum.unknown);
	prf_usage_add(&sum, &(struct prf_usage){.unknown = true}, &since);
	ck_assert(sum.unknown);
	prf_usage_add(&sum, &usage, &since);
	ck_assert(sum.unknown);
}
END_TEST

START_TEST(ones_own_usage_grows)
{
	struct prf_usage before = prf_usage_read(getpid());
	struct prf_usage after = prf_usage_read(getpid());

	ck_assert(!before.unknown);
	ck_assert_uint_gt(after.cpu_ns, before.cpu_ns);
	ck_assert(prf_usage_read(1 << 23).unknown);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("process");
	TCase *tcase = tcase_create("process");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, each_process_is_found_by_its_id);
	tcase_add_loop_test(
		tcase, a_removed_process_is_gone_and_the_others_stay, 1, 4);
	tcase_add_test(tcase, a_cleared_list_is_empty_and_can_be_used);
	tcase_add_test(tcase, only_what_was_used_since_is_added);
	tcase_add_test(tcase, ones_own_usage_grows);
	suite_add_tcase(suite, tcase);
	return suite;
}
