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

/* What does not stop a thread is best, as long as it has all of the stacks that
 * are wanted; without, it is the timer up to the kernel's tick.  Whatever the
 * order is, interrupt is the last resort. */
START_TEST(the_first_choice_is_by_stacks_and_the_kernels_tick)
{
	static const struct {
		bool below_tick, with_stacks;
		const struct prf_trigger_ops *order[PRF_MAX_TRIGGERS + 1];
	} cases[] = {
		{false,
		 false,
		 {&prf_trigger_ring, &prf_trigger_timer, &prf_trigger_perf,
		  &prf_trigger_interrupt}},
		{true,
		 false,
		 {&prf_trigger_ring, &prf_trigger_perf, &prf_trigger_timer,
		  &prf_trigger_interrupt}},
		{false,
		 true,
		 {&prf_trigger_timer, &prf_trigger_perf,
		  &prf_trigger_interrupt}},
		{true,
		 true,
		 {&prf_trigger_perf, &prf_trigger_timer,
		  &prf_trigger_interrupt}},
	};
	const struct prf_trigger_ops *order[PRF_MAX_TRIGGERS + 1];
	size_t i = 0;

	/* What interrupts calls is no choice for speed. */
	size_t row = (size_t)_i;
	if (prf_triggers_interrupts_calls(&prf_trigger_perf))
		row &= ~(size_t)1;
	prf_triggers_order(prf_clock_tick_ns() - cases[_i].below_tick,
			   cases[_i].with_stacks, order);
	for (; cases[row].order[i]; i++)
		ck_assert_ptr_eq(order[i], cases[row].order[i]);
	ck_assert_ptr_null(order[i]);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("triggers");
	TCase *tcase = tcase_create("triggers");

	tcase_add_test(tcase, triggers_are_found_by_name);
	tcase_add_loop_test(tcase,
			    the_first_choice_is_by_stacks_and_the_kernels_tick,
			    0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
