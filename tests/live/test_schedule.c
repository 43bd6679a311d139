#include "live/control/schedule.h"

#include "support/suite.h"

enum { BEGIN = 1000 };

START_TEST(without_times_it_always_looks)
{
	struct prf_schedule schedule = prf_schedule_new(BEGIN, 0, 0);

	ck_assert(prf_schedule_is_on(&schedule, BEGIN));
	ck_assert(prf_schedule_is_on(&schedule, UINT64_MAX - 1));
	ck_assert(!prf_schedule_is_over(&schedule, UINT64_MAX - 1));
	ck_assert_int_eq(prf_schedule_wait_ms(&schedule, BEGIN, 700), 700);
}
END_TEST

START_TEST(it_looks_from_the_delay_on_for_the_duration)
{
	struct prf_schedule schedule = prf_schedule_new(BEGIN, 50, 7);

	ck_assert(!prf_schedule_is_on(&schedule, BEGIN + 49));
	ck_assert(prf_schedule_is_on(&schedule, BEGIN + 50));
	ck_assert(prf_schedule_is_on(&schedule, BEGIN + 56));
	ck_assert(!prf_schedule_is_over(&schedule, BEGIN + 56));
	ck_assert(!prf_schedule_is_on(&schedule, BEGIN + 57));
	ck_assert(prf_schedule_is_over(&schedule, BEGIN + 57));
}
END_TEST

START_TEST(times_beyond_the_end_of_time_never_come)
{
	struct prf_schedule delay = prf_schedule_new(BEGIN, UINT64_MAX, 0);
	struct prf_schedule duration = prf_schedule_new(BEGIN, 5, UINT64_MAX);

	ck_assert(!prf_schedule_is_on(&delay, UINT64_MAX - 1));
	ck_assert(prf_schedule_is_on(&duration, UINT64_MAX - 1));
	ck_assert(!prf_schedule_is_over(&duration, UINT64_MAX - 1));
}
END_TEST

START_TEST(each_toggle_turns_it_over_within_its_time)
{
	struct prf_schedule schedule = prf_schedule_new(BEGIN, 10, 10);

	prf_schedule_toggle(&schedule);
	ck_assert(!prf_schedule_is_on(&schedule, BEGIN + 15));
	prf_schedule_toggle(&schedule);
	ck_assert(prf_schedule_is_on(&schedule, BEGIN + 15));
	ck_assert(!prf_schedule_is_on(&schedule, BEGIN + 5));
	prf_schedule_toggle(&schedule);
	ck_assert(prf_schedule_is_over(&schedule, BEGIN + 20));
}
END_TEST

/* Once, and not a moment too early. */
START_TEST(it_waits_past_the_next_change)
{
	const uint64_t ms = 1000000;
	struct prf_schedule schedule = prf_schedule_new(0, 5 * ms, 3 * ms);

	ck_assert_int_eq(prf_schedule_wait_ms(&schedule, 0, 1000), 6);
	ck_assert_int_eq(prf_schedule_wait_ms(&schedule, 5 * ms - 1, 1000), 1);
	ck_assert_int_eq(prf_schedule_wait_ms(&schedule, 5 * ms, 1000), 4);
	ck_assert_int_eq(prf_schedule_wait_ms(&schedule, 8 * ms, 1000), 0);
	ck_assert_int_eq(prf_schedule_wait_ms(&schedule, 0, 2), 2);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("schedule");
	TCase *tcase = tcase_create("schedule");

	tcase_add_test(tcase, without_times_it_always_looks);
	tcase_add_test(tcase, it_looks_from_the_delay_on_for_the_duration);
	tcase_add_test(tcase, times_beyond_the_end_of_time_never_come);
	tcase_add_test(tcase, each_toggle_turns_it_over_within_its_time);
	tcase_add_test(tcase, it_waits_past_the_next_change);
	suite_add_tcase(suite, tcase);
	return suite;
}
