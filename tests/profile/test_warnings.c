#include "profile/warnings.h"

#include <stdio.h>

#include "support/suite.h"

START_TEST(what_is_said_twice_is_one_line)
{
	struct prf_warnings warnings = {0};

	prf_warnings_add(&warnings, "a");
	prf_warnings_add(&warnings, "b");
	prf_warnings_add(&warnings, "a");
	ck_assert_uint_eq(warnings.n, 2);
	ck_assert_str_eq(warnings.lines[0], "a");
	ck_assert_str_eq(warnings.lines[1], "b");
	ck_assert_ptr_null(warnings.lines[2]);
	ck_assert_uint_eq(warnings.n_more, 0);
	prf_warnings_clear(&warnings);
	ck_assert_uint_eq(warnings.n, 0);
}
END_TEST

START_TEST(what_there_is_no_room_for_is_counted)
{
	struct prf_warnings warnings = {0};
	char text[16];

	for (int i = 0; i < PRF_MAX_WARNINGS + 5; i++) {
		snprintf(text, sizeof text, "%d", i);
		prf_warnings_add(&warnings, text);
	}
	ck_assert_uint_eq(warnings.n, PRF_MAX_WARNINGS);
	ck_assert_uint_eq(warnings.n_more, 5);
	ck_assert_ptr_null(warnings.lines[PRF_MAX_WARNINGS]);
	prf_warnings_clear(&warnings);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("warnings");
	TCase *tcase = tcase_create("warnings");

	tcase_add_test(tcase, what_is_said_twice_is_one_line);
	tcase_add_test(tcase, what_there_is_no_room_for_is_counted);
	suite_add_tcase(suite, tcase);
	return suite;
}
