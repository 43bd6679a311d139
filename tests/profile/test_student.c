#include "profile/student.h"

#include <math.h>

#include "support/suite.h"

static const double pi = 3.14159265358979323846;

START_TEST(one_and_two_degrees_of_freedom_are_as_their_formulas_say)
{
	for (double t = 0.01; t < 1e4; t *= 1.7) {
		double one = 2 * atan(1 / t) / pi;
		double two = 2 / (t * t + 2 + t * sqrt(t * t + 2));

		ck_assert_double_eq_tol(prf_student_log_p(t, 1), log(one),
					1e-9);
		ck_assert_double_eq_tol(prf_student_log_p(-t, 2), log(two),
					1e-9);
	}
}
END_TEST

/* Of tables that are printed in books. */
static const struct {
	double df, p, t;
} rows[] = {
	{1, 0.05, 12.7062},         {4, 0.05, 2.77645},
	{10, 0.05, 2.22814},        {10, 0.01, 3.16927},
	{30, 0.05, 2.04227},        {120, 0.001, 3.37345},
	{INFINITY, 0.05, 1.959964}, {INFINITY, 0.001, 3.290527},
};

START_TEST(tables_have_the_same_values)
{
	ck_assert_double_eq_tol(prf_student_beyond(rows[_i].p, rows[_i].df),
				rows[_i].t, 1e-4);
	ck_assert_double_eq_tol(prf_student_log_p(rows[_i].t, rows[_i].df),
				log(rows[_i].p), 1e-4);
}
END_TEST

START_TEST(what_is_too_unlikely_for_a_number_still_has_a_logarithm)
{
	/* The logarithm of 2 (1 - Phi(40)). */
	ck_assert_double_eq_tol(prf_student_log_p(40, INFINITY), -803.9153,
				1e-3);
	ck_assert_double_lt(prf_student_log_p(1e5, INFINITY), -1e9);
	ck_assert_double_lt(prf_student_log_p(1e200, 4), -1e3);
	/* No step where it changes from one way to the other. */
	ck_assert_double_eq_tol(prf_student_log_p(35.355, INFINITY),
				prf_student_log_p(35.356, INFINITY), 0.05);
}
END_TEST

START_TEST(no_distance_is_certain)
{
	ck_assert_double_eq(prf_student_log_p(0, 3), 0);
	ck_assert_double_eq(prf_student_log_p(0, INFINITY), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("student");
	TCase *tcase = tcase_create("student");

	tcase_add_test(
		tcase,
		one_and_two_degrees_of_freedom_are_as_their_formulas_say);
	tcase_add_loop_test(tcase, tables_have_the_same_values, 0,
			    sizeof rows / sizeof *rows);
	tcase_add_test(tcase,
		       what_is_too_unlikely_for_a_number_still_has_a_logarithm);
	tcase_add_test(tcase, no_distance_is_certain);
	suite_add_tcase(suite, tcase);
	return suite;
}
