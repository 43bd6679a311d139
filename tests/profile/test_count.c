#include "profile/count.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "core/random.h"
#include "support/suite.h"

static struct prf_count
count_of_samples(uint64_t n, uint32_t weight)
{
	return (struct prf_count){n * weight, (double)n * weight * weight};
}

/* --- The interval of samples of one tick */

static struct prf_interval
interval_of(uint64_t k, uint64_t n)
{
	const struct prf_count count = count_of_samples(k, 1),
			       total = count_of_samples(n, 1);

	return prf_count_interval(&count, &total);
}

/* That of N samples K fall into a part whose share is P. */
static double
chance_of(uint64_t k, uint64_t n, double p)
{
	double in = (double)k, out = (double)(n - k);

	return exp(lgamma((double)n + 1) - lgamma(in + 1) - lgamma(out + 1) +
		   in * log(p) + out * log1p(-p));
}

/* How likely it is that the interval of N samples has the share P in it. */
static double
coverage_of(uint64_t n, double p)
{
	double mean = (double)n * p, reach = 9 * sqrt(mean * (1 - p)) + 20;
	uint64_t first = (uint64_t)fmax(0, mean - reach);
	uint64_t last = (uint64_t)fmin((double)n, mean + reach);
	double covered = 0;

	for (uint64_t k = first; k <= last; k++) {
		struct prf_interval interval = interval_of(k, n);

		if (interval.lo <= p && p <= interval.hi)
			covered += chance_of(k, n, p);
	}
	return covered;
}

/* Shares from 0.1 % to 99.9 %, of all of which the ends are the worst. */
START_TEST(an_interval_covers_every_share_of_any_number_of_samples)
{
	const double last = log(0.999 / 0.001), step = 0.05;
	double sum = 0;
	int n_cases = 0;

	for (uint64_t n = 1; n <= 10000; n += 1 + n / 8)
		for (double odds = -last; odds <= last; odds += step) {
			double p = 1 / (1 + exp(-odds));
			double coverage = coverage_of(n, p);

			ck_assert_msg(coverage >= 0.93,
				      "%.3f of %g in %" PRIu64, coverage, p, n);
			sum += coverage;
			n_cases++;
		}
	/* Nor is it wider than it need be. */
	ck_assert_double_le(sum / n_cases, 0.98);
}
END_TEST

START_TEST(an_interval_never_leaves_the_whole)
{
	for (uint64_t n = 1; n <= 3000; n += 1 + n / 50)
		for (uint64_t k = 0; k <= n; k++) {
			struct prf_interval interval = interval_of(k, n);
			double share = (double)k / (double)n;

			ck_assert_double_ge(interval.lo, 0);
			ck_assert_double_le(interval.lo, share);
			ck_assert_double_ge(interval.hi, share);
			ck_assert_double_le(interval.hi, 1);
			ck_assert_double_gt(interval.hi - interval.lo, 0.001);
		}
}
END_TEST

/* As Newcombe has them (Statistics in Medicine 17, 1998, table I, method 4). */
START_TEST(intervals_are_those_of_the_literature)
{
	static const struct {
		uint64_t k, n;
		double lo, hi;
	} known[] = {
		{81, 263, 0.2535, 0.3682},
		{15, 148, 0.0598, 0.1644},
		{0, 20, 0.0000, 0.2005},
		{1, 29, 0.0018, 0.1963},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct prf_interval found = interval_of(known[i].k, known[i].n);

		ck_assert_double_eq_tol(found.lo, known[i].lo, 0.00006);
		ck_assert_double_eq_tol(found.hi, known[i].hi, 0.00006);
	}
}
END_TEST

START_TEST(one_sample_says_hardly_anything)
{
	const struct prf_count late = count_of_samples(1, 400);
	const struct prf_interval one = interval_of(1, 1),
				  four_hundred =
					  prf_count_interval(&late, &late);

	ck_assert_double_lt(one.lo, 0.1);
	ck_assert_double_eq(one.hi, 1);
	ck_assert_double_eq(four_hundred.lo, one.lo);
	ck_assert_double_eq(four_hundred.hi, 1);
}
END_TEST

START_TEST(nothing_of_nothing_can_be_anything)
{
	const struct prf_count none = {0};
	const struct prf_interval interval = prf_count_interval(&none, &none);

	ck_assert_double_eq(interval.lo, 0);
	ck_assert_double_eq(interval.hi, 1);
	ck_assert_double_eq(prf_count_samples(&none), 0);
}
END_TEST

/* --- Of samples of several ticks */

START_TEST(samples_of_many_ticks_are_no_more_than_samples)
{
	const struct prf_count heavy = count_of_samples(30, 7),
			       heavy_total = count_of_samples(100, 7);
	const struct prf_interval expected = interval_of(30, 100),
				  found = prf_count_interval(&heavy,
							     &heavy_total);

	ck_assert_double_eq_tol(prf_count_samples(&heavy), 30, 1e-12);
	ck_assert_double_eq_tol(found.lo, expected.lo, 1e-12);
	ck_assert_double_eq_tol(found.hi, expected.hi, 1e-12);
}
END_TEST

/* 900 samples of a tick, and one of 100. */
START_TEST(one_heavy_sample_is_uncertain_and_so_is_all_but_it)
{
	const struct prf_count light = count_of_samples(900, 1),
			       heavy = count_of_samples(1, 100);
	struct prf_count total = light;

	prf_count_merge(&total, &heavy);
	struct prf_interval of_heavy = prf_count_interval(&heavy, &total);
	struct prf_interval of_light = prf_count_interval(&light, &total);

	ck_assert_double_gt(of_heavy.hi - of_heavy.lo, 0.3);
	ck_assert_double_eq_tol(of_heavy.lo, 1 - of_light.hi, 1e-12);
	ck_assert_double_eq_tol(of_heavy.hi, 1 - of_light.lo, 1e-12);
}
END_TEST

/* Runs of samples, of which a part P falls into the function; their weights are
 * 1 to MOST.  The shares of about 95 of 100 runs are within their interval. */
START_TEST(the_interval_of_weighted_samples_holds_in_simulation)
{
	static const struct {
		double p;
		int n_samples;
		uint32_t most;
	} cases[] = {{0.5, 400, 1}, {0.3, 400, 4},   {0.2, 400, 20},
		     {0.7, 400, 9}, {0.01, 400, 50}, {0.2, 12, 9},
		     {0.9, 50, 50}, {0.02, 30, 20},  {0.995, 400, 9}};
	const int n_runs = 4000, n_samples = cases[_i].n_samples;
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
		struct prf_interval found = prf_count_interval(&part, &total);
		within += found.lo <= cases[_i].p && cases[_i].p <= found.hi;
	}
	/* 95 % of 4000 is 3800 with a deviation of 14. */
	ck_assert_msg(within >= 3720, RANDOM_WHERE "%d of %d",
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
	tcase_add_test(tcase,
		       an_interval_covers_every_share_of_any_number_of_samples);
	tcase_add_test(tcase, an_interval_never_leaves_the_whole);
	tcase_add_test(tcase, intervals_are_those_of_the_literature);
	tcase_add_test(tcase, one_sample_says_hardly_anything);
	tcase_add_test(tcase, nothing_of_nothing_can_be_anything);
	tcase_add_test(tcase, samples_of_many_ticks_are_no_more_than_samples);
	tcase_add_test(tcase,
		       one_heavy_sample_is_uncertain_and_so_is_all_but_it);
	tcase_add_loop_test(
		tcase, the_interval_of_weighted_samples_holds_in_simulation, 0,
		9);
	tcase_add_test(tcase, certain_ticks_count_as_a_sample_each);
	suite_add_tcase(suite, tcase);
	return suite;
}
