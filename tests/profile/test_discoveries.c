#include "profile/discoveries.h"

#include <math.h>

#include "support/suite.h"

enum { MANY = 15 };

/* The example of Benjamini and Hochberg (1995), where four are believed. */
static const double example[MANY] = {
	0.0278, 0.0001, 0.6528, 0.0095, 0.0459, 0.3240, 0.0004, 0.7590,
	1.0000, 0.0201, 0.0344, 0.4262, 0.0298, 0.5719, 0.0019,
};

START_TEST(four_of_the_example_are_believed)
{
	struct prf_question questions[MANY];
	int n = 0;

	for (int i = 0; i < MANY; i++)
		questions[i] = (struct prf_question){.log_p = log(example[i]),
						     .least_log_p = -INFINITY,
						     .weight = 1};
	ck_assert_int_eq(prf_discoveries_find(questions, MANY, 0.05), 0);
	for (int i = 0; i < MANY; i++) {
		ck_assert(questions[i].asked);
		ck_assert_int_eq(questions[i].rate <= 0.05,
				 example[i] <= 0.0095);
		n += questions[i].rate <= 0.05;
	}
	ck_assert_int_eq(n, 4);
	/* The fourth of 15: 0.0095 * 15 / 4. */
	ck_assert_double_eq_tol(questions[3].rate, 0.035625, 1e-9);
	ck_assert_double_eq_tol(questions[8].rate, 1, 1e-9);
}
END_TEST

START_TEST(what_could_not_be_believed_is_not_asked)
{
	struct prf_question questions[101];

	/* A hundred of which no outcome is below 0.02, and one. */
	for (int i = 0; i < 101; i++)
		questions[i] = (struct prf_question){.log_p = log(0.02),
						     .least_log_p = log(0.02),
						     .weight = 1};
	questions[50] = (struct prf_question){
		.log_p = log(0.03), .least_log_p = log(1e-9), .weight = 1};
	ck_assert_int_eq(prf_discoveries_find(questions, 101, 0.05), 0);
	for (int i = 0; i < 101; i++)
		ck_assert_int_eq(questions[i].asked, i == 50);
	ck_assert_double_eq_tol(questions[50].rate, 0.03, 1e-12);
	ck_assert_double_eq(questions[0].rate, 1);
}
END_TEST

START_TEST(what_matters_more_is_believed_sooner)
{
	struct prf_question questions[2] = {
		{.log_p = log(0.04), .least_log_p = -INFINITY, .weight = 9},
		{.log_p = log(0.04), .least_log_p = -INFINITY, .weight = 1},
	};

	ck_assert_int_eq(prf_discoveries_find(questions, 2, 0.05), 0);
	ck_assert_double_eq_tol(questions[0].rate, 0.04 / 0.9, 1e-12);
	ck_assert_double_eq_tol(questions[1].rate, 0.2, 1e-12);
}
END_TEST

START_TEST(no_question_has_no_answer)
{
	ck_assert_int_eq(prf_discoveries_find(NULL, 0, 0.05), 0);
}
END_TEST

START_TEST(of_equal_ones_all_or_none_are_believed)
{
	struct prf_question questions[3] = {
		{.log_p = log(0.04), .least_log_p = log(0.001), .weight = 1},
		{.log_p = log(0.04), .least_log_p = log(0.001), .weight = 1},
		{.log_p = log(0.04), .least_log_p = log(0.001), .weight = 1},
	};

	ck_assert_int_eq(prf_discoveries_find(questions, 3, 0.05), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_double_eq_tol(questions[i].rate, 0.04, 1e-12);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("discoveries");
	TCase *tcase = tcase_create("discoveries");

	tcase_add_test(tcase, four_of_the_example_are_believed);
	tcase_add_test(tcase, what_could_not_be_believed_is_not_asked);
	tcase_add_test(tcase, what_matters_more_is_believed_sooner);
	tcase_add_test(tcase, no_question_has_no_answer);
	tcase_add_test(tcase, of_equal_ones_all_or_none_are_believed);
	suite_add_tcase(suite, tcase);
	return suite;
}
