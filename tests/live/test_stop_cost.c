#include "live/trigger/stop_cost.h"

#include <stdbool.h>
#include <stdlib.h>

#include "support/suite.h"
#include "traced.h"

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

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stop_cost");
	TCase *tcase = tcase_create("stop_cost");

	tcase_add_test(tcase, a_stop_takes_microseconds);
	suite_add_tcase(suite, tcase);
	return suite;
}
