#include "live/trigger/gaps.h"

#include <math.h>
#include <stdint.h>

#include "live/random.h"
#include "support/suite.h"

enum { PERIOD_NS = 10000000, SEED = 20, N_DRAWN = 20000 };

static struct prf_gaps
make_gaps(uint64_t period_ns)
{
	struct prf_gaps gaps;

	prf_gaps_init(&gaps, period_ns, SEED);
	return gaps;
}

/* The sum of squares that a chi-square test takes, for bins of equal chance. */
static double
chi_square(const unsigned *bins, size_t n_bins)
{
	double all = 0, sum = 0;

	for (size_t i = 0; i < n_bins; i++)
		all += bins[i];
	for (size_t i = 0; i < n_bins; i++) {
		double due = all / (double)n_bins;

		sum += (bins[i] - due) * (bins[i] - due) / due;
	}
	return sum;
}

/* The ticks of a thread that lives for LIFE_NS and is always looked at in time.
 * From its look number CROWDED_FROM on it has to wait for processors. */
static uint64_t
ticks_of_life(struct prf_gaps *gaps, uint64_t life_ns, unsigned crowded_from)
{
	struct prf_gap gap = prf_gaps_begin(gaps);
	uint64_t now_ns = 0, ticks = 0;

	for (unsigned n = 1;; n++) {
		now_ns += prf_gaps_wait_ns(&gap, now_ns);
		if (now_ns >= life_ns)
			return ticks;
		gap.crowded = n >= crowded_from;
		ticks += prf_gaps_take(gaps, &gap, now_ns);
	}
}

/* Over many lives of this length, in ticks. */
static double
mean_error(struct prf_gaps *gaps, double life_ticks, unsigned crowded_from)
{
	uint64_t life_ns = (uint64_t)(life_ticks * PERIOD_NS);
	double sum = 0;

	for (int i = 0; i < N_DRAWN; i++)
		sum += (double)ticks_of_life(gaps, life_ns, crowded_from) -
		       life_ticks;
	return sum / N_DRAWN;
}

START_TEST(each_stratum_has_one_look)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	struct prf_gap gap = prf_gaps_begin(&gaps);

	for (unsigned i = 0; i < N_DRAWN; i++) {
		ck_assert_uint_eq(gap.due_ns / PERIOD_NS, i);
		ck_assert_uint_eq(prf_gaps_take(&gaps, &gap, gap.due_ns), 1);
	}
}
END_TEST

START_TEST(all_moments_of_a_stratum_have_the_same_chance)
{
	enum { N_BINS = 20 };
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	struct prf_gap gap = prf_gaps_begin(&gaps);
	unsigned bins[N_BINS] = {0};

	for (int i = 0; i < N_DRAWN; i++) {
		bins[gap.due_ns % PERIOD_NS / (PERIOD_NS / N_BINS)]++;
		prf_gaps_take(&gaps, &gap, gap.due_ns);
	}
	/* 19 degrees of freedom: one in a thousand is beyond. */
	ck_assert_double_lt(chi_square(bins, N_BINS), 43.8);
}
END_TEST

START_TEST(a_moment_says_nothing_of_the_moment_in_the_next_stratum)
{
	enum { N_PARTS = 4 };
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	struct prf_gap gap = prf_gaps_begin(&gaps);
	unsigned bins[N_PARTS * N_PARTS] = {0};
	unsigned last = 0;

	for (int i = 0; i < N_DRAWN; i++) {
		unsigned part = (unsigned)(gap.due_ns % PERIOD_NS /
					   (PERIOD_NS / N_PARTS));

		bins[N_PARTS * last + part]++;
		last = part;
		prf_gaps_take(&gaps, &gap, gap.due_ns);
	}
	/* 15 degrees of freedom at most: one in a thousand is beyond. */
	ck_assert_double_lt(chi_square(bins, N_PARTS * N_PARTS), 37.7);
}
END_TEST

START_TEST(ticks_are_the_time_to_one_however_late_looks_are)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	struct prf_gap gap = prf_gaps_begin(&gaps);
	uint64_t random = SEED, now_ns = 0, ticks = 0;

	for (int i = 0; i < N_DRAWN; i++) {
		double late = prf_random_unit(&random);

		now_ns += prf_gaps_wait_ns(&gap, now_ns) +
			  (uint64_t)(late * late * 5 * PERIOD_NS);
		ticks += prf_gaps_take(&gaps, &gap, now_ns);
		ck_assert_double_eq_tol((double)ticks,
					(double)now_ns / PERIOD_NS, 1);
	}
}
END_TEST

START_TEST(a_short_life_has_its_part_of_a_tick_on_average)
{
	static const double lives[] = {0.03, 0.1, 0.5, 0.97, 1, 1.5, 2.7};
	struct prf_gaps gaps = make_gaps(PERIOD_NS);

	for (size_t i = 0; i < sizeof lives / sizeof *lives; i++)
		ck_assert_double_eq_tol(mean_error(&gaps, lives[i], UINT32_MAX),
					0, 0.015);
}
END_TEST

START_TEST(looks_are_no_closer_than_the_floor)
{
	struct prf_gaps gaps = make_gaps(3 * PRF_GAPS_FLOOR_NS);
	struct prf_gap gap = prf_gaps_begin(&gaps);
	uint64_t now_ns = 0, n_at_floor = 0;

	for (unsigned i = 0; i < N_DRAWN; i++) {
		uint64_t wait_ns = prf_gaps_wait_ns(&gap, now_ns);

		ck_assert_uint_ge(wait_ns, PRF_GAPS_FLOOR_NS);
		ck_assert_uint_ge(now_ns + wait_ns, gap.due_ns);
		n_at_floor += wait_ns == PRF_GAPS_FLOOR_NS;
		now_ns += wait_ns;
		gap.crowded = i > N_DRAWN / 2;
		prf_gaps_take(&gaps, &gap, now_ns);
	}
	/* Of those with strata, the square of a third and half of that. */
	ck_assert_double_eq_tol((double)n_at_floor / (N_DRAWN / 2), 0.0556,
				0.01);
}
END_TEST

START_TEST(a_look_is_worth_what_was_due_by_then)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	static const struct {
		uint64_t now_ns;
		uint32_t ticks;
	} rows[] = {
		{999, 0}, /* not yet */
		{1000, 1},
		{PERIOD_NS - 1, 1},
		{UINT64_C(3) * PERIOD_NS, 3},
		{UINT64_MAX, UINT32_MAX},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct prf_gap gap = {
			.due_ns = 1000,
			.paid_ns = PERIOD_NS,
			.worth = 1,
		};

		ck_assert_uint_eq(prf_gaps_take(&gaps, &gap, rows[i].now_ns),
				  rows[i].ticks);
	}
}
END_TEST

START_TEST(a_period_below_the_floor_makes_looks_worth_more)
{
	struct prf_gaps gaps = make_gaps(PRF_GAPS_FLOOR_NS / 4);
	struct prf_gap gap = prf_gaps_begin(&gaps);
	const uint64_t stratum_ns = 2 * PRF_GAPS_FLOOR_NS;

	for (unsigned i = 0; i < 100; i++) {
		ck_assert_uint_eq(gap.due_ns / stratum_ns, i);
		ck_assert_uint_eq(prf_gaps_take(&gaps, &gap, gap.due_ns), 8);
	}
}
END_TEST

/* A gap that ends now, of a thread that waits for processors. */
static struct prf_gap
make_crowded(double ahead_ticks)
{
	const uint64_t now_ns = UINT64_C(1000) * PERIOD_NS;

	return (struct prf_gap){
		.due_ns = now_ns,
		.paid_ns =
			now_ns + (uint64_t)(int64_t)(ahead_ticks * PERIOD_NS),
		.worth = 1,
		.memoryless = true,
		.crowded = true,
	};
}

/* How far the next look of such a thread is. */
static uint64_t
next_gap_ns(struct prf_gaps *gaps, double ahead_ticks)
{
	struct prf_gap gap = make_crowded(ahead_ticks);
	uint64_t now_ns = gap.due_ns;

	ck_assert_uint_eq(prf_gaps_take(gaps, &gap, now_ns), 1);
	return gap.due_ns - now_ns;
}

START_TEST(who_waits_has_a_chance_of_a_look_that_does_not_depend_on_the_last)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	const uint64_t step_ns = PERIOD_NS / 2;
	unsigned n_left[4] = {0}; /* gaps that are longer than so many steps */

	for (int i = 0; i < N_DRAWN; i++) {
		uint64_t over_ns = next_gap_ns(&gaps, 0.5) - PRF_GAPS_FLOOR_NS;

		for (unsigned n = 0; n < 4; n++)
			n_left[n] += over_ns >= n * step_ns;
	}
	/* Of those that are left, exp(-1/2) outlast each step. */
	for (unsigned n = 1; n < 4; n++)
		ck_assert_double_eq_tol((double)n_left[n] / n_left[n - 1],
					0.6065, 0.03);
}
END_TEST

START_TEST(who_waits_and_is_owed_ticks_is_looked_at_sooner)
{
	static const struct {
		double ahead_ticks;
		double mean;
	} rows[] = {{0.5, 1},    {-3.5, 0.75},  {4.5, 1.25},
		    {-7.5, 0.5}, {-999.5, 0.5}, {1000.5, 1.5}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct prf_gaps gaps = make_gaps(PERIOD_NS);
		double sum_ns = 0;

		for (int n = 0; n < N_DRAWN; n++)
			sum_ns +=
				(double)next_gap_ns(&gaps, rows[i].ahead_ticks);
		ck_assert_double_eq_tol(sum_ns / N_DRAWN,
					rows[i].mean * PERIOD_NS,
					0.03 * PERIOD_NS);
	}
}
END_TEST

START_TEST(who_waits_is_paid_for_the_time_that_a_look_is_late)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);
	double sum = 0;

	for (int i = 0; i < N_DRAWN; i++) {
		struct prf_gap gap = make_crowded(0.5);

		sum += prf_gaps_take(&gaps, &gap,
				     gap.due_ns + 5 * PERIOD_NS / 4);
	}
	ck_assert_double_eq_tol(sum / N_DRAWN, 2.25, 0.02);
}
END_TEST

START_TEST(what_is_left_of_a_stratum_has_no_second_look)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS);

	for (int i = 0; i < N_DRAWN; i++) {
		struct prf_gap gap = prf_gaps_begin(&gaps);

		gap.crowded = true;
		prf_gaps_take(&gaps, &gap, gap.due_ns);
		ck_assert(gap.memoryless);
		ck_assert_uint_ge(gap.due_ns, PERIOD_NS);
	}
}
END_TEST

START_TEST(a_thread_that_begins_to_wait_keeps_its_ticks_on_average)
{
	static const double lives[] = {3.3, 9.5, 30.2, 100.7};

	for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) {
		struct prf_gaps gaps = make_gaps(PERIOD_NS);

		ck_assert_double_eq_tol(mean_error(&gaps, lives[i], 3), 0, 0.2);
	}
}
END_TEST

START_TEST(who_waits_more_than_a_sixteenth_is_crowded)
{
	const struct prf_gaps gaps = make_gaps(PERIOD_NS);
	static const struct {
		uint64_t waited_ns; /* in all its life */
		unsigned n_samples;
		bool crowded;
	} rows[] = {
		{100, 1, false},
		{100 + PERIOD_NS / 16, 1, false},
		{101 + PERIOD_NS / 8, 1, true},
		{101 + PERIOD_NS / 8, 1, false},
		{101 + PERIOD_NS, 14, false},
		{102 + 2 * PERIOD_NS, 15, true},
	};
	struct prf_gap gap = {.waited_ns = 100};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		prf_gaps_note_waits(&gaps, &gap, rows[i].waited_ns,
				    rows[i].n_samples);
		ck_assert_int_eq(gap.crowded, rows[i].crowded);
	}
}
END_TEST

START_TEST(looks_become_rarer_while_the_tracer_is_busy_and_more_again)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS / 10);
	uint64_t wall_ns = 0, own_ns = 0;
	uint32_t worth = gaps.worth;

	for (int i = 0; i < 40; i++) {
		prf_gaps_keep_pace(&gaps, wall_ns += 1000, own_ns += 501);
		ck_assert_uint_ge(gaps.worth, worth);
		worth = gaps.worth;
	}
	ck_assert_uint_le(worth * gaps.period_ns, PRF_GAPS_LONGEST_NS);
	ck_assert_uint_gt(2 * worth * gaps.period_ns, PRF_GAPS_LONGEST_NS);
	/* Between a quarter and a half it stays. */
	prf_gaps_keep_pace(&gaps, wall_ns += 1000, own_ns += 400);
	ck_assert_uint_eq(gaps.worth, worth);
	for (int i = 0; i < 40; i++)
		prf_gaps_keep_pace(&gaps, wall_ns += 1000, own_ns += 249);
	ck_assert_uint_eq(gaps.worth, 1);
}
END_TEST

START_TEST(ticks_are_the_time_while_looks_become_rarer_and_more)
{
	struct prf_gaps gaps = make_gaps(PERIOD_NS / 10);
	struct prf_gap gap = prf_gaps_begin(&gaps);
	uint64_t wall_ns = 0, own_ns = 0, ticks = 0;
	double off;

	for (int i = 0; i < N_DRAWN; i++) {
		prf_gaps_keep_pace(&gaps, wall_ns += 1000,
				   own_ns += i / 8 % 2 ? 600 : 200);
		ticks += prf_gaps_take(&gaps, &gap, gap.due_ns);
		off = (double)(ticks * gaps.period_ns) - (double)gap.due_ns;
		ck_assert_double_le(fabs(off), PRF_GAPS_LONGEST_NS);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gaps");
	TCase *tcase = tcase_create("gaps");

	tcase_add_test(tcase, each_stratum_has_one_look);
	tcase_add_test(tcase, all_moments_of_a_stratum_have_the_same_chance);
	tcase_add_test(tcase,
		       a_moment_says_nothing_of_the_moment_in_the_next_stratum);
	tcase_add_test(tcase, ticks_are_the_time_to_one_however_late_looks_are);
	tcase_add_test(tcase, a_short_life_has_its_part_of_a_tick_on_average);
	tcase_add_test(tcase, looks_are_no_closer_than_the_floor);
	tcase_add_test(tcase, a_look_is_worth_what_was_due_by_then);
	tcase_add_test(tcase, a_period_below_the_floor_makes_looks_worth_more);
	tcase_add_test(
		tcase,
		who_waits_has_a_chance_of_a_look_that_does_not_depend_on_the_last);
	tcase_add_test(tcase, who_waits_and_is_owed_ticks_is_looked_at_sooner);
	tcase_add_test(tcase,
		       who_waits_is_paid_for_the_time_that_a_look_is_late);
	tcase_add_test(tcase, what_is_left_of_a_stratum_has_no_second_look);
	tcase_add_test(tcase,
		       a_thread_that_begins_to_wait_keeps_its_ticks_on_average);
	tcase_add_test(tcase, who_waits_more_than_a_sixteenth_is_crowded);
	tcase_add_test(
		tcase,
		looks_become_rarer_while_the_tracer_is_busy_and_more_again);
	tcase_add_test(tcase,
		       ticks_are_the_time_while_looks_become_rarer_and_more);
	suite_add_tcase(suite, tcase);
	return suite;
}
