#include "core/error.h"
#include "support/suite.h"

#include <errno.h>
#include <string.h>

START_TEST(the_code_is_returned_and_kept)
{
	struct prf_error err = {0};

	ck_assert_int_eq(prf_error_set(&err, -ENOENT, "%s: gone", "x"),
			 -ENOENT);
	ck_assert_int_eq(err.code, -ENOENT);
	ck_assert_str_eq(err.text, "x: gone");
}
END_TEST

START_TEST(without_an_error_object_the_code_is_still_returned)
{
	ck_assert_int_eq(prf_error_set(NULL, -EIO, "lost"), -EIO);
}
END_TEST

START_TEST(the_text_stays_one_line)
{
	struct prf_error err = {0};

	prf_error_set(&err, -EINVAL, "a\nb\033c\177");
	ck_assert_str_eq(err.text, "a?b?c?");
}
END_TEST

START_TEST(a_long_text_is_cut_to_fit)
{
	struct prf_error err = {0};
	char big[2000];

	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	prf_error_set(&err, -EINVAL, "%s", big);
	ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
}
END_TEST

START_TEST(percent_m_says_the_errno_of_the_call)
{
	struct prf_error err = {0};

	errno = ENOSPC;
	prf_error_set(&err, -errno, "%s: %m", "out");
	ck_assert_str_eq(err.text, "out: No space left on device");
	ck_assert_int_eq(errno, ENOSPC);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("error");
	TCase *tcase = tcase_create("error");

	tcase_add_test(tcase, the_code_is_returned_and_kept);
	tcase_add_test(tcase,
		       without_an_error_object_the_code_is_still_returned);
	tcase_add_test(tcase, the_text_stays_one_line);
	tcase_add_test(tcase, a_long_text_is_cut_to_fit);
	tcase_add_test(tcase, percent_m_says_the_errno_of_the_call);
	suite_add_tcase(suite, tcase);
	return suite;
}
