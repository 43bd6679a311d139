#include "live/gaps.h"

#include <stdint.h>

#include "support/suite.h"

enum { PERIOD_NS = 10000000, SEED = 20, N_DRAWN = 20000 };

static struct prf_gaps
make_gaps(uint64_t period_ns)
{
	struct prf_gaps gaps;

	prf_gaps_init(&gaps, period_ns, SEED);
	return gaps;
}

/* The mean of many gaps, each for a thread that is owed OWED_NS. */
static double
drawn_mean_ns(struct prf_gaps *gaps, int64_t owed_ns)
{
	double sum_ns = 0;

	for (int i = 0; i < N_DRAWN; i++) {
		uint64_t gap_ns = prf_gaps_draw_ns(gaps, owed_ns);

		ck_assert_uint_ge(gap_ns, gaps->floor_ns);
		sum_ns += (double)gap_ns;
	}
	return sum_ns / N_DRAWN;
}

START_TEST(gaps_are_a_period_long_on_average)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);

	ck_assert_double_eq_tol(drawn_mean_ns(&gaps, 0), PERIOD_NS,
				0.03 * PERIOD_NS);
}
END_TEST

START_TEST(the_chance_of_a_look_does_not_depend_on_the_time_since_the_last)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	const uint64_t step_ns = PERIOD_NS / 2;
	unsigned n_left[4] = {0}; /* gaps that are longer than so many steps */

	for (int i = 0; i < N_DRAWN; i++) {
		uint64_t gap_ns = prf_gaps_draw_ns(&gaps, 0) - gaps.floor_ns;

		for (unsigned n = 0; n < 4; n++)
			n_left[n] += gap_ns >= n * step_ns;
	}
	/* Of those that are left, exp(-1/2) outlast each step. */
	for (unsigned n = 1; n < 4; n++)
		ck_assert_double_eq_tol((double)n_left[n] / n_left[n - 1],
					0.6065, 0.03);
}
END_TEST

START_TEST(who_is_owed_ticks_is_looked_at_sooner)
{
	static const struct {
		int64_t owed_ticks;
		double mean;
	} rows[] = {{4, 0.75}, {-4, 1.25}, {8, 0.5}, {1000, 0.5}, {-1000, 1.5}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct prf_gaps gaps = make_gaps(PERIOD_NS);
		double mean_ns =
			drawn_mean_ns(&gaps, rows[i].owed_ticks * PERIOD_NS);

		ck_assert_double_eq_tol(mean_ns, rows[i].mean * PERIOD_NS,
					0.03 * PERIOD_NS);
	}
}
END_TEST

START_TEST(a_period_below_the_floor_makes_longer_gaps_worth_more)
{
	struct prf_gaps gaps = make_gaps(PRF_GAPS_LOWEST_FLOOR_NS / 4);

	ck_assert_double_eq_tol(drawn_mean_ns(&gaps, 0),
				2. * PRF_GAPS_LOWEST_FLOOR_NS,
				0.06 * PRF_GAPS_LOWEST_FLOOR_NS);
	ck_assert_uint_eq(prf_gaps_ticks(&gaps, 500, 500, 0), 8);
}
END_TEST

START_TEST(a_look_is_worth_its_gap_and_the_time_since)
{
	const struct prf_gaps gaps = make_gaps(PERIOD_NS);
	static const struct {
		uint64_t end_ns, now_ns;
		double u;
		uint32_t ticks;
	} rows[] = {
		{1000, 999, 0.9, 0}, /* not yet */
		{1000, 1000, 0, 1},         {1000, 1000, 0.99, 1},
		{0, PERIOD_NS, 0, 2},       {0, PERIOD_NS / 2, 0.4, 1},
		{0, PERIOD_NS / 2, 0.5, 2}, {0, UINT64_MAX, 0, UINT32_MAX},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_uint_eq(prf_gaps_ticks(&gaps, rows[i].end_ns,
						 rows[i].now_ns, rows[i].u),
				  rows[i].ticks);
}
END_TEST

START_TEST(the_floor_rises_while_the_tracer_is_busy_and_sinks_again)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	uint64_t wall_ns = 0, own_ns = 0;
	uint64_t floor_ns = gaps.floor_ns;

	for (int i = 0; i < 40; i++) {
		prf_gaps_keep_pace(&gaps, wall_ns += 1000, own_ns += 501);
		ck_assert_uint_ge(gaps.floor_ns, floor_ns);
		floor_ns = gaps.floor_ns;
	}
	ck_assert_uint_ge(floor_ns, PRF_GAPS_HIGHEST_FLOOR_NS);
	ck_assert_uint_lt(floor_ns, 2 * PRF_GAPS_HIGHEST_FLOOR_NS);
	/* Between a quarter and a half it stays. */
	prf_gaps_keep_pace(&gaps, wall_ns += 1000, own_ns += 400);
	ck_assert_uint_eq(gaps.floor_ns, floor_ns);
	for (int i = 0; i < 40; i++)
		prf_gaps_keep_pace(&gaps, wall_ns += 1000, own_ns += 249);
	ck_assert_uint_eq(gaps.floor_ns, PRF_GAPS_LOWEST_FLOOR_NS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gaps");
	TCase *tcase = tcase_create("gaps");

	tcase_add_test(tcase, gaps_are_a_period_long_on_average);
	tcase_add_test(
		tcase,
		the_chance_of_a_look_does_not_depend_on_the_time_since_the_last);
	tcase_add_test(tcase, who_is_owed_ticks_is_looked_at_sooner);
	tcase_add_test(tcase,
		       a_period_below_the_floor_makes_longer_gaps_worth_more);
	tcase_add_test(tcase, a_look_is_worth_its_gap_and_the_time_since);
	tcase_add_test(
		tcase,
		the_floor_rises_while_the_tracer_is_busy_and_sinks_again);
	suite_add_tcase(suite, tcase);
	return suite;
}
