#include "live/ring/ring_gaps.h"

#include <math.h>

#include "live/random.h"
#include "support/suite.h"

enum {
	PERIOD_NS = 1000000,
	TOGETHER_NS = 32000000,
	SEED = 5,
	N_LIVES = 20000,
};

static struct prf_ring_gaps gaps;

static void
set_up(void)
{
	prf_ring_gaps_init(&gaps, PERIOD_NS, TOGETHER_NS, SEED);
}

/* One thread as the kernel samples it: once, and beside that it repeats a period
 * until it is told another. */
struct life {
	struct prf_ring_gap gap;
	uint64_t now_ns;
	uint32_t ticks, n_samples;
	unsigned n_waiting; /* samples that the kernel has not told of */
};

static void
take(struct life *life)
{
	life->ticks += prf_ring_gaps_take(&gaps, &life->gap, life->now_ns);
	life->n_samples++;
	life->n_waiting++;
}

/* Another period, LATE_NS after a sample; the kernel has it TOLD_NS later. */
static uint64_t
redraw(struct life *life, uint64_t late_ns, uint64_t told_ns)
{
	uint64_t period_ns;

	life->n_waiting = 0;
	life->now_ns += late_ns;
	period_ns = prf_ring_gaps_redraw(&gaps, &life->gap, life->now_ns);
	if (!period_ns)
		return life->gap.due_ns - life->now_ns;
	life->now_ns += told_ns;
	return period_ns;
}

/* Early samples are looked for. */
static struct life
live(uint64_t life_ns, uint64_t late_ns, uint64_t told_ns)
{
	struct life life = {0};

	prf_ring_gaps_begin(&gaps, &life.gap, 0);
	uint64_t period_ns = life.gap.period_ns;
	if (life.gap.first_ns <= life_ns) {
		life.now_ns = life.gap.first_ns;
		take(&life);
		period_ns -= life.now_ns;
	}
	while (life.now_ns + period_ns <= life_ns) {
		life.now_ns += period_ns;
		take(&life);
		if (life.gap.is_steady && life.n_waiting < gaps.n_at_once)
			continue;
		period_ns = redraw(&life, late_ns, told_ns);
	}
	return life;
}

/* In the mean, at any length.  Where the kernel is told late, ticks of short threads
 * are owed, and as much as it is late may be missing. */
START_TEST(ticks_are_the_time_that_a_thread_lives)
{
	static const double lengths[] = {0.1, 0.5, 1, 1.3, 2.5, 7.75, 40.4};
	static const double lates[] = {0, 0.1, 0.7};
	uint64_t life_ns = (uint64_t)(lengths[_i] * PERIOD_NS);

	for (size_t late = 0; late < 3; late++) {
		uint64_t late_ns = (uint64_t)(lates[late] * PERIOD_NS);
		double ticks = 0, owed = 0;

		for (int i = 0; i < N_LIVES; i++) {
			struct life life =
				live(life_ns, late_ns, PERIOD_NS / 10);

			ticks += life.ticks;
			owed += prf_ring_gaps_owed(&gaps, &life.gap, life_ns);
		}
		ck_assert_double_eq_tol((ticks + owed) / N_LIVES, lengths[_i],
					0.02 + 0.025 * lengths[_i] +
						lates[late]);
		ck_assert_double_le(owed / N_LIVES, 0.02 + 0.75 * lates[late]);
	}
}
END_TEST

/* Nobody looks for it, and the first period goes on. */
START_TEST(a_thread_that_is_left_alone_has_the_ticks_of_its_life)
{
	static const double lives[] = {0.5, 1, 1.5, 2, 3, 12};
	uint64_t life_ns = (uint64_t)(lives[_i] * PERIOD_NS), ticks = 0;
	uint64_t owed = 0;

	for (int i = 0; i < N_LIVES; i++) {
		struct life life = {0};

		prf_ring_gaps_begin(&gaps, &life.gap, 0);
		life.now_ns = life.gap.first_ns;
		if (life.now_ns <= life_ns)
			take(&life);
		for (life.now_ns = life.gap.period_ns; life.now_ns <= life_ns;
		     life.now_ns += life.gap.period_ns)
			take(&life);
		ticks += life.ticks;
		owed += prf_ring_gaps_owed(&gaps, &life.gap, life_ns);
	}
	ck_assert_double_eq_tol((double)(ticks + owed) / N_LIVES, lives[_i],
				0.02 * lives[_i]);
	ck_assert_double_le((double)owed / N_LIVES, 0.75);
}
END_TEST

/* Where three tenths of the time have samples, so has a thread that nobody looks for:
 * those that are late at its end are missing. */
START_TEST(a_part_of_the_time_has_its_ticks)
{
	static const double lives[] = {0.5, 1, 1.5, 3, 12}, part = 0.3;
	uint64_t life_ns = (uint64_t)(lives[_i] * PERIOD_NS), ticks = 0;
	uint64_t random = SEED;

	gaps.is_partial = true;
	for (int i = 0; i < N_LIVES; i++) {
		struct life life = {0};

		prf_ring_gaps_begin(&gaps, &life.gap, 0);
		do
			life.now_ns += life.gap.first_ns;
		while (prf_random_unit(&random) >= part);
		if (life.now_ns <= life_ns && life.now_ns < life.gap.period_ns)
			take(&life);
		for (life.now_ns = life.gap.period_ns; life.now_ns <= life_ns;
		     life.now_ns += life.gap.period_ns)
			if (prf_random_unit(&random) < part)
				take(&life);
		ticks += life.ticks;
	}
	ck_assert_double_eq_tol((double)ticks / N_LIVES, part * lives[_i],
				0.02 + part / 2);
}
END_TEST

/* A period that is told late: other periods are shorter for that. */
START_TEST(what_is_late_is_made_up_for)
{
	const uint64_t life_ns = 1000ULL * PERIOD_NS;
	struct life life = live(life_ns, PERIOD_NS * 3 / 4, 0);

	ck_assert_uint_ge(life.ticks, 985);
	ck_assert_uint_le(life.ticks, 1015);
}
END_TEST

START_TEST(a_thread_that_runs_on_has_a_sample_for_each_tick)
{
	struct life life = live(10000ULL * PERIOD_NS, 0, 0);

	ck_assert_uint_ge(life.ticks, 9988);
	ck_assert_uint_le(life.ticks, 10012);
	ck_assert_uint_eq(life.n_samples, life.ticks);
}
END_TEST

/* A program that does something else in each tenth of a period has a tenth of
 * the samples in each, whatever the period of its own. */
START_TEST(nothing_runs_in_step_with_samples)
{
	enum { BINS = 10, N = 40000 };
	static const double cycles[] = {0.5, 1, 2, 1.25};
	uint64_t cycle_ns = (uint64_t)(cycles[_i] * PERIOD_NS);
	unsigned bins[BINS] = {0}, n_waiting = 0;
	struct prf_ring_gap gap;

	prf_ring_gaps_begin(&gaps, &gap, 0);
	uint64_t now_ns = 0, period_ns = gap.period_ns;
	for (int i = 0; i < N; i++) {
		now_ns += period_ns;
		bins[now_ns % cycle_ns * BINS / cycle_ns] +=
			prf_ring_gaps_take(&gaps, &gap, now_ns);
		if (++n_waiting == gaps.n_at_once) {
			n_waiting = 0;
			period_ns = prf_ring_gaps_redraw(&gaps, &gap, now_ns);
		}
	}
	/* Three times what independent samples would have. */
	for (int i = 0; i < BINS; i++)
		ck_assert_double_eq_tol(bins[i], N / BINS, 3 * 3 * 63);
}
END_TEST

/* Also where the kernel is told the period as its own tick ends, and a program
 * does something else in the halves of that tick, which begin anywhere in it: the
 * most that a half has too much or too little, in percent. */
static double
most_off(uint64_t tick_ns)
{
	enum { PARTS = 8, N = 60000 };
	unsigned parts[PARTS] = {0}, n_waiting = 0, all = 0, half = 0;
	struct prf_ring_gap gap;
	double most = 0;

	prf_ring_gaps_begin(&gaps, &gap, 0);
	uint64_t now_ns = 0, told_ns = UINT64_MAX, period_ns = gap.period_ns;
	for (int i = 0; i < N; i++) {
		if (now_ns + period_ns > told_ns) {
			now_ns = told_ns;
			told_ns = UINT64_MAX;
			period_ns = prf_ring_gaps_redraw(&gaps, &gap, now_ns);
		}
		now_ns += period_ns;
		uint32_t ticks = prf_ring_gaps_take(&gaps, &gap, now_ns);
		parts[now_ns % tick_ns * PARTS / tick_ns] += ticks;
		all += ticks;
		if (++n_waiting % gaps.n_at_once == 0)
			told_ns = now_ns + tick_ns - now_ns % tick_ns;
	}
	for (int i = 0; i < PARTS / 2; i++)
		half += parts[i];
	for (int i = 0; i < PARTS; i++) {
		double off = 100.0 * half / all - 50;

		most = fmax(most, fabs(off));
		half += parts[(i + PARTS / 2) % PARTS] - parts[i];
	}
	return most;
}

START_TEST(the_moment_of_the_redraw_does_not_matter)
{
	static const uint64_t rates_hz[] = {100, 125, 250, 500, 1000, 4000};
	static const uint64_t ticks_hz[] = {250, 1000};

	for (size_t i = 0; i < 2; i++) {
		prf_ring_gaps_init(&gaps, 1000000000 / rates_hz[_i],
				   TOGETHER_NS, SEED);
		ck_assert_double_le(most_off(1000000000 / ticks_hz[i]), 3.5);
	}
}
END_TEST

START_TEST(what_a_thread_has_run_before_counts)
{
	double ticks = 0;

	for (int i = 0; i < N_LIVES; i++) {
		struct prf_ring_gap gap;
		uint64_t before_ns = PERIOD_NS / 4, life_ns = PERIOD_NS / 2;

		prf_ring_gaps_begin(&gaps, &gap, before_ns);
		if (before_ns + gap.first_ns <= life_ns)
			ticks += prf_ring_gaps_take(&gaps, &gap, gap.first_ns);
	}
	ck_assert_double_eq_tol(ticks / N_LIVES, 0.5, 0.02);
}
END_TEST

/* Before its first sample, and when some are missing; a few are made up for by
 * and by. */
START_TEST(many_missing_samples_are_owed)
{
	struct prf_ring_gap gap;

	prf_ring_gaps_begin(&gaps, &gap, 0);
	ck_assert_uint_eq(prf_ring_gaps_owed(&gaps, &gap, PERIOD_NS * 19), 19);
	ck_assert_uint_eq(prf_ring_gaps_take(&gaps, &gap, PERIOD_NS * 5), 5);
	prf_ring_gaps_redraw(&gaps, &gap, PERIOD_NS * 5);
	ck_assert_uint_eq(prf_ring_gaps_owed(&gaps, &gap, PERIOD_NS * 12), 0);
	ck_assert_uint_eq(prf_ring_gaps_take(&gaps, &gap, PERIOD_NS * 19), 15);
	ck_assert_uint_eq(prf_ring_gaps_owed(&gaps, &gap, PERIOD_NS * 22), 0);
}
END_TEST

/* However often it is asked. */
START_TEST(what_cannot_be_sampled_has_its_ticks_in_the_mean)
{
	static const double lengths[] = {0, 0.1, 0.5, 1, 3.3};
	uint64_t rest_ns = (uint64_t)(lengths[_i] * PERIOD_NS), ticks = 0;

	for (int i = 0; i < N_LIVES; i++) {
		struct prf_ring_gap gap;

		prf_ring_gaps_begin(&gaps, &gap, 0);
		for (uint64_t part = 1; part <= 4; part++)
			ticks += prf_ring_gaps_unsampled(&gaps, &gap,
							 rest_ns * part / 4);
		ck_assert_uint_eq(prf_ring_gaps_unsampled(&gaps, &gap, rest_ns),
				  0);
	}
	ck_assert_double_eq_tol((double)ticks / N_LIVES, lengths[_i],
				0.02 + 0.025 * lengths[_i]);
}
END_TEST

/* The kernel's clock of a thread that runs is behind. */
START_TEST(what_cannot_be_sampled_may_seem_to_become_less)
{
	struct prf_ring_gap gap;

	prf_ring_gaps_begin(&gaps, &gap, 0);
	ck_assert_uint_eq(prf_ring_gaps_unsampled(&gaps, &gap, PERIOD_NS * 3),
			  3);
	ck_assert_uint_eq(prf_ring_gaps_unsampled(&gaps, &gap, PERIOD_NS * 2),
			  0);
	ck_assert_uint_eq(prf_ring_gaps_unsampled(&gaps, &gap, PERIOD_NS * 5),
			  2);
}
END_TEST

START_TEST(many_samples_too_soon_are_worth_nothing)
{
	struct prf_ring_gap gap;
	uint32_t ticks = 0;

	prf_ring_gaps_begin(&gaps, &gap, 0);
	prf_ring_gaps_take(&gaps, &gap, PERIOD_NS * 5);
	prf_ring_gaps_redraw(&gaps, &gap, PERIOD_NS * 5);
	for (int i = 1; i <= 100; i++)
		ticks += prf_ring_gaps_take(&gaps, &gap, (uint64_t)i);
	ck_assert_uint_ge(ticks, 1);
	ck_assert_uint_le(ticks, 10);
}
END_TEST

/* Where some time has no samples, the clock cannot tell what is missing. */
START_TEST(samples_of_a_part_of_the_time_stand_for_themselves)
{
	struct prf_ring_gap gap;

	gaps.is_partial = true;
	prf_ring_gaps_begin(&gaps, &gap, 0);
	for (uint64_t i = 1; i <= 100; i++) {
		uint64_t now_ns = i * 10 * PERIOD_NS;

		prf_ring_gaps_redraw(&gaps, &gap, now_ns);
		ck_assert_uint_eq(prf_ring_gaps_take(&gaps, &gap, now_ns), 1);
		ck_assert_uint_eq(
			prf_ring_gaps_owed(&gaps, &gap, now_ns + PERIOD_NS * 9),
			0);
	}
}
END_TEST

/* The kernel has no shorter one than 10 us, and an interrupt takes as long in
 * some machines. */
START_TEST(where_ticks_are_short_a_sample_is_worth_several)
{
	struct prf_ring_gap gap;

	prf_ring_gaps_init(&gaps, 1000, TOGETHER_NS, SEED);
	ck_assert_uint_eq(gaps.worth, 32);
	ck_assert_uint_eq(gaps.mean_ns, 32000);
	for (int i = 0; i < 1000; i++) {
		prf_ring_gaps_begin(&gaps, &gap, 0);
		ck_assert_uint_ge(gap.first_ns, 10000);
		ck_assert_uint_eq(prf_ring_gaps_take(&gaps, &gap, gap.first_ns),
				  32);
		ck_assert_uint_ge(
			prf_ring_gaps_redraw(&gaps, &gap, gap.first_ns), 10000);
	}
}
END_TEST

START_TEST(the_kernel_tells_of_more_samples_together_at_fast_rates)
{
	static const struct {
		uint64_t period_ns;
		uint32_t n_at_once;
	} rows[] = {{10000000, 4}, {1000000, 32}, {100000, 64}, {20000, 64}};

	prf_ring_gaps_init(&gaps, rows[_i].period_ns, TOGETHER_NS, SEED);
	ck_assert_uint_eq(gaps.n_at_once, rows[_i].n_at_once);
}
END_TEST

START_TEST(a_clock_that_makes_no_sense_is_counted_within_bounds)
{
	struct prf_ring_gap gap;

	prf_ring_gaps_begin(&gaps, &gap, UINT64_MAX);
	ck_assert_uint_le(prf_ring_gaps_take(&gaps, &gap, UINT64_MAX),
			  UINT32_MAX);
	prf_ring_gaps_take(&gaps, &gap, 0);
	ck_assert_uint_ge(prf_ring_gaps_redraw(&gaps, &gap, UINT64_MAX), 10000);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("ring_gaps");
	TCase *tcase = tcase_create("ring_gaps");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_loop_test(tcase, ticks_are_the_time_that_a_thread_lives, 0,
			    7);
	tcase_add_loop_test(
		tcase, a_thread_that_is_left_alone_has_the_ticks_of_its_life, 0,
		6);
	tcase_add_loop_test(tcase, a_part_of_the_time_has_its_ticks, 0, 5);
	tcase_add_test(tcase, what_is_late_is_made_up_for);
	tcase_add_test(tcase, a_thread_that_runs_on_has_a_sample_for_each_tick);
	tcase_add_loop_test(tcase, nothing_runs_in_step_with_samples, 0, 4);
	tcase_add_loop_test(tcase, the_moment_of_the_redraw_does_not_matter, 0,
			    6);
	tcase_add_test(tcase, what_a_thread_has_run_before_counts);
	tcase_add_test(tcase, many_missing_samples_are_owed);
	tcase_add_loop_test(
		tcase, what_cannot_be_sampled_has_its_ticks_in_the_mean, 0, 5);
	tcase_add_test(tcase, what_cannot_be_sampled_may_seem_to_become_less);
	tcase_add_test(tcase, many_samples_too_soon_are_worth_nothing);
	tcase_add_test(tcase,
		       samples_of_a_part_of_the_time_stand_for_themselves);
	tcase_add_test(tcase, where_ticks_are_short_a_sample_is_worth_several);
	tcase_add_loop_test(
		tcase, the_kernel_tells_of_more_samples_together_at_fast_rates,
		0, 4);
	tcase_add_test(tcase,
		       a_clock_that_makes_no_sense_is_counted_within_bounds);
	suite_add_tcase(suite, tcase);
	return suite;
}
