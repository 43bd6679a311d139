#include "live/trigger/triggers.h"

#include "support/suite.h"

START_TEST(triggers_are_found_by_name)
{
	ck_assert_ptr_eq(prf_triggers_find("timer"), &prf_trigger_timer);
	ck_assert_ptr_eq(prf_triggers_find("interrupt"),
			 &prf_trigger_interrupt);
	ck_assert_ptr_eq(prf_triggers_find("ring"), &prf_trigger_ring);
	ck_assert_ptr_null(prf_triggers_find("Timer"));
	ck_assert_ptr_null(prf_triggers_find(""));
}
END_TEST

/* What does not stop a thread is best; interrupt is the last resort. */
START_TEST(they_are_tried_in_this_order)
{
	const struct prf_trigger_ops *const order[] = {
		&prf_trigger_ring,
		&prf_trigger_timer,
		&prf_trigger_interrupt,
		NULL,
	};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		ck_assert_ptr_eq(prf_triggers[i], order[i]);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("triggers");
	TCase *tcase = tcase_create("triggers");

	tcase_add_test(tcase, triggers_are_found_by_name);
	tcase_add_test(tcase, they_are_tried_in_this_order);
	suite_add_tcase(suite, tcase);
	return suite;
}
