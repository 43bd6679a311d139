#include "live/control/demand.h"

#include "support/suite.h"

static const uint64_t begin_ns = 5000000000, ms = 1000000;

START_TEST(the_third_signal_in_time_is_a_demand)
{
	struct prf_demand demand = {0};

	ck_assert(!prf_demand_asked(&demand, begin_ns));
	ck_assert(!prf_demand_asked(&demand, begin_ns + 1500 * ms));
	ck_assert(prf_demand_asked(&demand, begin_ns + 3000 * ms));
}
END_TEST

START_TEST(three_that_take_longer_are_none)
{
	struct prf_demand demand = {0};

	for (unsigned n = 0; n < 10; n++)
		ck_assert(!prf_demand_asked(&demand, begin_ns + n * 1501 * ms));
}
END_TEST

START_TEST(those_of_one_moment_are_one)
{
	struct prf_demand demand = {0};

	for (unsigned n = 0; n < 10; n++)
		ck_assert(!prf_demand_asked(&demand, begin_ns + n));
	ck_assert(!prf_demand_is_another(begin_ns, begin_ns + 9));
	ck_assert(!prf_demand_asked(&demand, begin_ns + 100 * ms));
	ck_assert(prf_demand_asked(&demand, begin_ns + 200 * ms));
}
END_TEST

/* The clock may have begun a moment ago. */
START_TEST(what_has_not_come_does_not_count)
{
	struct prf_demand demand = {0};

	ck_assert(prf_demand_is_another(0, 1));
	ck_assert(!prf_demand_asked(&demand, 1));
	ck_assert(!prf_demand_asked(&demand, 100 * ms));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("demand");
	TCase *tcase = tcase_create("demand");

	tcase_add_test(tcase, the_third_signal_in_time_is_a_demand);
	tcase_add_test(tcase, three_that_take_longer_are_none);
	tcase_add_test(tcase, those_of_one_moment_are_one);
	tcase_add_test(tcase, what_has_not_come_does_not_count);
	suite_add_tcase(suite, tcase);
	return suite;
}
