#include "profile/count.h"

#include <math.h>
#include <stdbool.h>

#include "core/random.h"
#include "support/suite.h"

static struct prf_count
count_of_samples(uint64_t n, uint32_t weight)
{
	return (struct prf_count){n * weight, (double)n * weight * weight};
}

START_TEST(the_error_of_samples_of_one_tick_is_binomial)
{
	const uint64_t n = 1000;

	for (uint64_t k = 0; k <= n; k += 50) {
		const struct prf_count count = count_of_samples(k, 1),
				       total = count_of_samples(n, 1);
		double p = (double)k / (double)n;

		ck_assert_double_eq_tol(
			prf_count_error(&count, &total),
			1.959964 * sqrt(p * (1 - p) / (double)n), 1e-12);
	}
}
END_TEST

START_TEST(samples_of_many_ticks_are_no_more_than_samples)
{
	const struct prf_count count = count_of_samples(30, 1),
			       total = count_of_samples(100, 1),
			       heavy = count_of_samples(30, 7),
			       heavy_total = count_of_samples(100, 7);

	ck_assert_double_eq_tol(prf_count_error(&count, &total),
				prf_count_error(&heavy, &heavy_total), 1e-12);
}
END_TEST

START_TEST(nothing_of_nothing_has_no_error)
{
	const struct prf_count none = {0};

	ck_assert_double_eq(prf_count_error(&none, &none), 0);
}
END_TEST

/* Runs of samples, of which a part P falls into the function; their weights are
 * 1 to MOST.  The shares of about 95 of 100 runs are within the error that is
 * told of each. */
START_TEST(the_error_of_weighted_samples_holds_in_simulation)
{
	static const struct {
		double p;
		uint32_t most;
	} cases[] = {{0.5, 1}, {0.3, 4}, {0.2, 20}, {0.7, 100}};
	const int n_runs = 4000, n_samples = 400;
	struct random random = random_begin();
	int within = 0;

	for (int run = 0; run < n_runs; run++) {
		struct prf_count part = {0}, total = {0};

		for (int i = 0; i < n_samples; i++) {
			uint32_t ticks = 1 + (uint32_t)random_below(
						     &random, cases[_i].most);
			bool hit = (double)random_below(&random, 1 << 30) <
				   cases[_i].p * (1 << 30);

			prf_count_add(&total, ticks, 0);
			if (hit)
				prf_count_add(&part, ticks, 0);
		}
		double share = (double)part.ticks / (double)total.ticks;
		within += fabs(share - cases[_i].p) <=
			  prf_count_error(&part, &total);
	}
	/* 95 % of 4000 is 3800 with a deviation of 14; the interval itself is
	 * an approximation. */
	ck_assert_msg(within >= 3720 && within <= 3860, RANDOM_WHERE "%d of %d",
		      RANDOM_IS(&random), within, n_runs);
}
END_TEST

START_TEST(certain_ticks_count_as_a_sample_each)
{
	struct prf_count once = {0}, each = {0};

	prf_count_add(&once, 10, 7);
	prf_count_add(&each, 3, 0);
	for (int i = 0; i < 7; i++)
		prf_count_add(&each, 1, 0);
	ck_assert_uint_eq(once.ticks, each.ticks);
	ck_assert_double_eq(once.squares, each.squares);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("count");
	TCase *tcase = tcase_create("count");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, the_error_of_samples_of_one_tick_is_binomial);
	tcase_add_test(tcase, samples_of_many_ticks_are_no_more_than_samples);
	tcase_add_test(tcase, nothing_of_nothing_has_no_error);
	tcase_add_loop_test(
		tcase, the_error_of_weighted_samples_holds_in_simulation, 0, 4);
	tcase_add_test(tcase, certain_ticks_count_as_a_sample_each);
	suite_add_tcase(suite, tcase);
	return suite;
}
