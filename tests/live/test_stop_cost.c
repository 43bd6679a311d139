#include "live/trigger/stop_cost.h"

#include <stdbool.h>
#include <stdlib.h>

#include "support/suite.h"
#include "traced.h"

enum { USUALLY_NS = 14000, IN_NS = 10000, BACK_NS = 4000 };

/* --- On a child */

/* A stop is a system call or two, and no millisecond, in what machine ever. */
START_TEST(a_stop_takes_microseconds)
{
	struct prf_regs regs;

	prf_traced_spinner(NULL, &regs); /* where ptrace is refused: a skip */
	uint64_t stop_ns = prf_stop_cost_try();

	ck_assert_uint_gt(stop_ns, 200);
	ck_assert_uint_lt(stop_ns, 2000000);
}
END_TEST

/* --- One thread */

START_TEST(a_new_threads_stops_take_what_is_usual)
{
	struct prf_stop_cost cost = prf_stop_cost_new(USUALLY_NS);

	ck_assert_uint_eq(prf_stop_cost_usual_ns(&cost), USUALLY_NS);
	ck_assert_uint_eq(prf_stop_cost_back_ns(&cost), BACK_NS);
}
END_TEST

START_TEST(a_stop_takes_the_way_in_and_the_way_back)
{
	struct prf_stop_cost cost = prf_stop_cost_new(USUALLY_NS);

	ck_assert_uint_eq(prf_stop_cost_note(&cost, IN_NS, true), USUALLY_NS);
	ck_assert_uint_eq(prf_stop_cost_note(&cost, 6000, true),
			  6000 + BACK_NS);
}
END_TEST

START_TEST(what_is_usual_follows_the_thread)
{
	struct prf_stop_cost cost = prf_stop_cost_new(USUALLY_NS);

	for (int i = 0; i < 1000; i++)
		prf_stop_cost_note(&cost, 20000, true);
	ck_assert_uint_ge(prf_stop_cost_usual_ns(&cost), 27900);
	ck_assert_uint_le(prf_stop_cost_usual_ns(&cost), 28000);
}
END_TEST

/* The thread was in the kernel for a page, say. */
START_TEST(what_takes_too_long_was_no_stop)
{
	struct prf_stop_cost cost = prf_stop_cost_new(USUALLY_NS);

	ck_assert_uint_eq(prf_stop_cost_note(&cost, 500000, true), USUALLY_NS);
	ck_assert_uint_eq(prf_stop_cost_usual_ns(&cost), USUALLY_NS);
}
END_TEST

START_TEST(what_is_left_of_a_system_call_was_no_stop)
{
	struct prf_stop_cost cost = prf_stop_cost_new(USUALLY_NS);

	ck_assert_uint_eq(prf_stop_cost_note(&cost, 19000, false), USUALLY_NS);
	ck_assert_uint_eq(prf_stop_cost_note(&cost, 5000, false),
			  5000 + BACK_NS);
	ck_assert_uint_eq(prf_stop_cost_usual_ns(&cost), USUALLY_NS);
}
END_TEST

/* --- Its time without stops */

enum { BORN_NS = 1000000 };

START_TEST(a_stop_is_left_out_of_all_later_time)
{
	struct prf_own_time own = {.born_cpu_ns = BORN_NS};

	ck_assert_uint_eq(
		prf_own_time_leave_out(&own, BORN_NS + 50000, USUALLY_NS),
		USUALLY_NS);
	ck_assert_uint_eq(prf_own_time_ns(&own, BORN_NS + 50000),
			  50000 - USUALLY_NS);
	ck_assert_uint_eq(prf_own_time_ns(&own, BORN_NS + 90000),
			  90000 - USUALLY_NS);
}
END_TEST

/* As where the thread has come back to a trigger: its new clock has begun, and
 * what a stop takes is known from before. */
START_TEST(a_clock_that_has_just_begun_is_not_taken_below_zero)
{
	struct prf_own_time own = {.born_cpu_ns = BORN_NS};

	ck_assert_uint_eq(
		prf_own_time_leave_out(&own, BORN_NS + 3000, USUALLY_NS), 3000);
	ck_assert_uint_eq(prf_own_time_ns(&own, BORN_NS + 3000), 0);
	ck_assert_uint_eq(prf_own_time_ns(&own, BORN_NS + 10000), 7000);
}
END_TEST

/* The kernel's figure may be older than what is known. */
START_TEST(a_thread_has_not_used_less_than_when_it_was_born)
{
	struct prf_own_time own = {.born_cpu_ns = BORN_NS};

	ck_assert_uint_eq(prf_own_time_ns(&own, BORN_NS - 1), 0);
	ck_assert_uint_eq(prf_own_time_leave_out(&own, BORN_NS - 1, USUALLY_NS),
			  0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stop_cost");
	TCase *tcase = tcase_create("stop_cost");

	tcase_add_test(tcase, a_stop_takes_microseconds);
	tcase_add_test(tcase, a_new_threads_stops_take_what_is_usual);
	tcase_add_test(tcase, a_stop_takes_the_way_in_and_the_way_back);
	tcase_add_test(tcase, what_is_usual_follows_the_thread);
	tcase_add_test(tcase, what_takes_too_long_was_no_stop);
	tcase_add_test(tcase, what_is_left_of_a_system_call_was_no_stop);
	tcase_add_test(tcase, a_stop_is_left_out_of_all_later_time);
	tcase_add_test(tcase,
		       a_clock_that_has_just_begun_is_not_taken_below_zero);
	tcase_add_test(tcase, a_thread_has_not_used_less_than_when_it_was_born);
	suite_add_tcase(suite, tcase);
	return suite;
}
