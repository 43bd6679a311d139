#include "live/proc/kernel.h"

#include <sys/personality.h>

#include "support/suite.h"

START_TEST(releases_are_in_the_order_of_their_numbers)
{
	ck_assert(prf_kernel_release_is_before("5.10.0-30-amd64", 6, 11));
	ck_assert(prf_kernel_release_is_before("6.1.0-56-arm64", 6, 11));
	ck_assert(prf_kernel_release_is_before("6.10.14", 6, 11));
	ck_assert(prf_kernel_release_is_before("?", 6, 11));
	ck_assert(!prf_kernel_release_is_before("6.11-rc1", 6, 11));
	ck_assert(!prf_kernel_release_is_before("6.18.44-fc-v669", 6, 11));
	ck_assert(!prf_kernel_release_is_before("7.0.0", 6, 11));
}
END_TEST

/* Linux calls itself 2.6 where programs want that. */
START_TEST(the_kernel_is_asked)
{
	ck_assert(!prf_kernel_is_before(3, 0));
	ck_assert_int_ne(personality(UNAME26), -1);
	ck_assert(prf_kernel_is_before(3, 0));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("kernel");
	TCase *tcase = tcase_create("kernel");

	tcase_add_test(tcase, releases_are_in_the_order_of_their_numbers);
	tcase_add_test(tcase, the_kernel_is_asked);
	suite_add_tcase(suite, tcase);
	return suite;
}
