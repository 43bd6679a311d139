#include "core/dialect.h"

#include <stdbool.h>
#include <stddef.h>

#include "support/suite.h"

START_TEST(every_dialect_is_found_by_its_name)
{
	int n = 0;

	for (; prf_dialects()[n]; n++)
		ck_assert_ptr_eq(prf_dialect_by_name(prf_dialects()[n]->name),
				 prf_dialects()[n]);
	ck_assert_int_eq(n, 8);
	ck_assert_ptr_eq(prf_dialect_by_name("hpux"), prf_dialect_hpux());
}
END_TEST

START_TEST(no_other_name_is_a_dialect)
{
	ck_assert_ptr_null(prf_dialect_by_name(""));
	ck_assert_ptr_null(prf_dialect_by_name("SVR4"));
	ck_assert_ptr_null(prf_dialect_by_name("solaris-"));
}
END_TEST

START_TEST(text_and_kernel_differ_only_where_they_are_known_to)
{
	struct prf_dialect solaris = *prf_dialect_solaris_kernel();
	struct prf_dialect freebsd = *prf_dialect_freebsd_kernel();

	ck_assert_int_eq(solaris.scale_2, PRF_SCALE_FIRST);
	ck_assert_int_eq(solaris.full, PRF_FULL_STOP_PAST_HALF);
	ck_assert_int_eq(prf_dialect_solaris()->scale_2, PRF_SCALE_FORMULA);
	ck_assert_int_eq(prf_dialect_solaris()->full, PRF_FULL_STOP_AT_HALF);
	ck_assert_int_eq(solaris.rounding, prf_dialect_solaris()->rounding);

	ck_assert_int_eq(freebsd.rounding, PRF_ROUND_BYTES_FIRST);
	ck_assert_int_eq(prf_dialect_freebsd()->rounding,
			 PRF_ROUND_HALVE_FIRST);
	ck_assert_uint_eq(freebsd.scale_max, 0x10000);
	ck_assert_uint_eq(prf_dialect_freebsd()->scale_max, 0x10000);
	ck_assert_int_eq(freebsd.scale_1, PRF_SCALE_FORMULA);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("dialect");
	TCase *tcase = tcase_create("dialect");

	tcase_add_test(tcase, every_dialect_is_found_by_its_name);
	tcase_add_test(tcase, no_other_name_is_a_dialect);
	tcase_add_test(tcase,
		       text_and_kernel_differ_only_where_they_are_known_to);
	suite_add_tcase(suite, tcase);
	return suite;
}
