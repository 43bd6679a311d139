#include "live/trigger/triggers.h"

#include "live/proc/clock.h"
#include "support/suite.h"

START_TEST(triggers_are_found_by_name)
{
	ck_assert_ptr_eq(prf_triggers_find("timer"), &prf_trigger_timer);
	ck_assert_ptr_eq(prf_triggers_find("interrupt"),
			 &prf_trigger_interrupt);
	ck_assert_ptr_eq(prf_triggers_find("perf"), &prf_trigger_perf);
	ck_assert_ptr_null(prf_triggers_find("Timer"));
	ck_assert_ptr_null(prf_triggers_find(""));
}
END_TEST

/* Whatever the order is, interrupt is the last resort. */
START_TEST(the_first_choice_is_the_timer_up_to_the_kernels_tick)
{
	const uint64_t tick_ns = prf_clock_tick_ns();
	const struct prf_trigger_ops *slow[PRF_MAX_TRIGGERS + 1];
	const struct prf_trigger_ops *fast[PRF_MAX_TRIGGERS + 1];

	prf_triggers_order(tick_ns, slow);
	prf_triggers_order(tick_ns - 1, fast);
	ck_assert_ptr_eq(slow[0], &prf_trigger_timer);
	/* What interrupts calls is no choice for speed. */
	bool perf_first = !prf_triggers_interrupts_calls(&prf_trigger_perf);
	ck_assert_ptr_eq(fast[!perf_first], &prf_trigger_perf);
	ck_assert_ptr_eq(fast[perf_first], &prf_trigger_timer);
	ck_assert_ptr_eq(slow[2], &prf_trigger_interrupt);
	ck_assert_ptr_eq(fast[2], &prf_trigger_interrupt);
	ck_assert_ptr_null(slow[3]);
	ck_assert_ptr_null(fast[3]);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("triggers");
	TCase *tcase = tcase_create("triggers");

	tcase_add_test(tcase, triggers_are_found_by_name);
	tcase_add_test(tcase,
		       the_first_choice_is_the_timer_up_to_the_kernels_tick);
	suite_add_tcase(suite, tcase);
	return suite;
}
