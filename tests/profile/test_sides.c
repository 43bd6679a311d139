#include "profile/sides.h"

#include <math.h>

#include "support/suite.h"

/* 100 of 1000 samples in the old run, and 60 of 400 in two new ones. */
static const struct prf_count totals[] = {{1000, 1000}, {200, 200}, {200, 200}};
static const struct prf_count counts[] = {{100, 100}, {20, 20}, {40, 40}};
static const struct prf_sides usual = {
	.old.times = 1, .new.times = 1, .df = INFINITY};

static struct prf_sides
made(double times, bool is_beside)
{
	const struct prf_sides_runs runs = {
		.n_old = 1, .n = 3, .totals = totals, .is_beside = is_beside};
	struct prf_sides sides = usual;

	sides.new.times = times;
	return prf_sides_in(&sides, counts, &runs);
}

START_TEST(samples_of_all_runs_of_a_side_are_added_up)
{
	const struct prf_sides sides = made(1, false);

	ck_assert_double_eq(sides.old.seen.k, 100);
	ck_assert_double_eq(sides.new.seen.k, 60);
	ck_assert_double_eq(sides.new.seen.n, 400);
	ck_assert_double_eq_tol(prf_side_share(&sides.new), 0.15, 1e-12);
	ck_assert_double_eq_tol(prf_sides_share(&sides), 0.125, 1e-12);
}
END_TEST

START_TEST(what_is_beside_the_totals_is_a_part_of_both)
{
	const struct prf_sides sides = made(1, true);

	ck_assert_double_eq(sides.old.seen.n, 1100);
	ck_assert_double_eq(sides.new.seen.n, 460);
}
END_TEST

START_TEST(a_difference_is_told_in_standard_deviations)
{
	const struct prf_sides sides = made(1, false);
	double spread = sqrt(0.125 * 0.875 * (1.0 / 1000 + 1.0 / 400));

	ck_assert_double_eq_tol(prf_sides_spread(&sides), spread, 1e-12);
	ck_assert_double_eq_tol(prf_sides_deviation(&sides), 0.05 / spread,
				1e-9);
}
END_TEST

START_TEST(a_side_that_varies_more_is_worth_less)
{
	const struct prf_sides sides = made(4, false);

	ck_assert_double_eq(prf_side_worth(&sides.new).n, 100);
	ck_assert_double_eq_tol(prf_sides_spread(&sides),
				sqrt(0.125 * 0.875 * (1.0 / 1000 + 1.0 / 100)),
				1e-12);
}
END_TEST

START_TEST(of_nothing_there_is_no_difference)
{
	ck_assert_double_eq(prf_sides_deviation(&usual), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("sides");
	TCase *tcase = tcase_create("sides");

	tcase_add_test(tcase, samples_of_all_runs_of_a_side_are_added_up);
	tcase_add_test(tcase, what_is_beside_the_totals_is_a_part_of_both);
	tcase_add_test(tcase, a_difference_is_told_in_standard_deviations);
	tcase_add_test(tcase, a_side_that_varies_more_is_worth_less);
	tcase_add_test(tcase, of_nothing_there_is_no_difference);
	suite_add_tcase(suite, tcase);
	return suite;
}
