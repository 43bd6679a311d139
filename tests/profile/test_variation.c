#include "profile/variation.h"

#include <math.h>
#include <stdbool.h>

#include "profile/made_runs.h"
#include "support/suite.h"

enum { FUNCTIONS = 60, MOST_RUNS = 8, SAMPLES = 5000 };

/* Shares that fall, as those of real programs do. */
static void
fall(double *shares)
{
	for (int i = 0; i < FUNCTIONS; i++)
		shares[i] = 1.0 / (i + 4);
}

/* Of RUNS runs, by function and run. */
static void
make(struct random *random, double spread, size_t runs, size_t samples,
     struct prf_sampled *sampled)
{
	double shares[FUNCTIONS];

	fall(shares);
	for (size_t run = 0; run < runs; run++) {
		struct prf_count counts[FUNCTIONS];
		struct prf_count all = made_run(random, shares, FUNCTIONS,
						spread, samples, 1, counts);

		for (size_t i = 0; i < FUNCTIONS; i++)
			sampled[i * runs + run] =
				prf_count_sampled(&counts[i], &all);
	}
}

static const struct prf_varying *
nothing_known(void)
{
	static struct prf_varying varying[FUNCTIONS];

	for (int i = 0; i < FUNCTIONS; i++)
		varying[i] = (struct prf_varying){.times = 1, .df = INFINITY};
	return varying;
}

START_TEST(runs_that_do_not_vary_are_taken_for_usual_ones)
{
	struct random random = random_begin();
	struct prf_sampled sampled[FUNCTIONS * 2];
	struct prf_variation variation;
	int n_usual = 0;

	for (int i = 0; i < 20; i++) {
		make(&random, 0, 2, SAMPLES, sampled);
		ck_assert_int_eq(prf_variation_of_pair(sampled, nothing_known(),
						       FUNCTIONS, &variation),
				 0);
		n_usual += variation.square == 0.03 * 0.03;
		ck_assert_double_le(sqrt(variation.square), 0.1);
	}
	ck_assert_int_ge(n_usual, 9);
	/* Its lump bounds what many samples are worth. */
	ck_assert_double_ge(prf_variation_times(&variation, 0.01, 1e6), 100);
}
END_TEST

START_TEST(a_pair_of_runs_tells_how_much_they_vary)
{
	struct random random = random_begin();
	struct prf_sampled sampled[FUNCTIONS * 2];
	struct prf_variation variation;
	double sum = 0;

	for (int i = 0; i < 20; i++) {
		make(&random, 0.05, 2, 20 * SAMPLES, sampled);
		ck_assert_int_eq(prf_variation_of_pair(sampled, nothing_known(),
						       FUNCTIONS, &variation),
				 0);
		sum += sqrt(variation.square) / 20;
	}
	/* Some vary by more than most: so it is taken for somewhat more. */
	ck_assert_double_ge(sum, 0.05);
	ck_assert_double_le(sum, 0.09);
}
END_TEST

START_TEST(another_program_does_not_make_runs_vary_without_bounds)
{
	struct random random = random_begin();
	struct prf_sampled sampled[FUNCTIONS * 2];
	struct prf_variation variation;

	make(&random, 1, 2, 20 * SAMPLES, sampled);
	ck_assert_int_eq(prf_variation_of_pair(sampled, nothing_known(),
					       FUNCTIONS, &variation),
			 0);
	ck_assert_double_eq(variation.square, 0.1 * 0.1);
}
END_TEST

START_TEST(few_functions_tell_nothing)
{
	const struct prf_sampled sampled[] = {
		{50, 100}, {20, 100}, {50, 100}, {80, 100}};
	struct prf_variation variation;

	ck_assert_int_eq(
		prf_variation_of_pair(sampled, nothing_known(), 2, &variation),
		0);
	ck_assert_double_eq(variation.square, 0.03 * 0.03);
}
END_TEST

/* How runs vary, and how many there are on each side. */
static const struct {
	double spread;
	size_t runs;
} several[] = {{0, 2}, {0, 4}, {0.05, 2}, {0.05, 4}, {0.2, 3}};

START_TEST(several_runs_tell_how_much_they_vary)
{
	struct random random = random_begin();
	struct prf_sampled sampled[FUNCTIONS * MOST_RUNS];
	struct prf_varying varying[FUNCTIONS];
	struct prf_variation variation;
	double spread = several[_i].spread, sum = 0, times = 0;
	size_t runs = several[_i].runs;
	const struct prf_variation_runs all = {
		.n_old = runs,
		.n_new = runs,
		.n_functions = FUNCTIONS,
		.sampled = sampled,
	};

	for (int i = 0; i < 10; i++) {
		make(&random, spread, 2 * runs, 4 * SAMPLES, sampled);
		prf_variation_of_runs(&all, &variation, varying);
		sum += variation.square / 10;
		for (int j = 0; j < FUNCTIONS; j++) {
			ck_assert_double_ge(varying[j].df,
					    2 * (double)runs - 2);
			times += varying[j].times / 10 / FUNCTIONS;
		}
	}
	ck_assert_double_eq_tol(sqrt(sum), spread, 0.015 + 0.15 * spread);
	ck_assert_double_eq_tol(times, 1, 0.15);
}
END_TEST

START_TEST(a_function_that_varies_by_itself_is_known_for_it)
{
	enum { RUNS = 6, ODD = 3 };
	struct random random = random_begin();
	struct prf_sampled sampled[FUNCTIONS * RUNS];
	struct prf_varying varying[FUNCTIONS];
	struct prf_variation variation;
	const struct prf_variation_runs all = {
		.n_old = RUNS / 2,
		.n_new = RUNS / 2,
		.n_functions = FUNCTIONS,
		.sampled = sampled,
	};

	make(&random, 0.02, RUNS, SAMPLES, sampled);
	for (int run = 0; run < RUNS; run++)
		sampled[ODD * RUNS + run].k *= run % 2 ? 1.5 : 0.5;
	prf_variation_of_runs(&all, &variation, varying);
	for (int i = 0; i < FUNCTIONS; i++)
		if (i != ODD)
			ck_assert_double_gt(varying[ODD].times,
					    3 * varying[i].times);
}
END_TEST

START_TEST(runs_without_samples_are_no_matter)
{
	const struct prf_sampled sampled[] = {{0, 0}, {0, 0}, {0, 10}};
	struct prf_varying varying[1];
	struct prf_variation variation;
	const struct prf_variation_runs all = {
		.n_old = 2, .n_new = 1, .n_functions = 1, .sampled = sampled};

	prf_variation_of_runs(&all, &variation, varying);
	ck_assert(!isnan(varying[0].times));
	ck_assert_double_eq(variation.square, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("variation");
	TCase *tcase = tcase_create("variation");

	tcase_add_test(tcase, runs_that_do_not_vary_are_taken_for_usual_ones);
	tcase_add_test(tcase, a_pair_of_runs_tells_how_much_they_vary);
	tcase_add_test(tcase,
		       another_program_does_not_make_runs_vary_without_bounds);
	tcase_add_test(tcase, few_functions_tell_nothing);
	tcase_add_loop_test(tcase, several_runs_tell_how_much_they_vary, 0,
			    sizeof several / sizeof *several);
	tcase_add_test(tcase, a_function_that_varies_by_itself_is_known_for_it);
	tcase_add_test(tcase, runs_without_samples_are_no_matter);
	suite_add_tcase(suite, tcase);
	return suite;
}
