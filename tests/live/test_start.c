#include "live/trigger/start.h"

#include <stdbool.h>

#include "live/random.h"
#include "support/suite.h"

#define MS 1000000.0

/* --- By a timer that the kernel looks at in its own tick */

START_TEST(the_first_expiry_is_within_the_period)
{
	uint64_t random = 1;

	for (int i = 0; i < 100000; i++) {
		uint64_t first = prf_start_expiry_ns(10000000, 4000000,
						     prf_random_unit(&random));

		ck_assert_uint_ge(first, 1);
		ck_assert_uint_le(first, 10000000);
	}
}
END_TEST

/* How many periods fit into CPU_NS, if the first ends after FIRST_NS. */
static uint32_t
periods(double cpu_ns, double first_ns, double period_ns)
{
	return cpu_ns < first_ns
		       ? 0
		       : 1 + (uint32_t)((cpu_ns - first_ns) / period_ns);
}

/* The kernel, as far as it matters: it looks at a thread's timer at ticks of
 * TICK; the thread runs from START on, for LIFE.  How many periods are counted
 * at the first look and at the last? */
static double
seen(double start, double life, double tick, double period, double first,
     double u)
{
	double last_tick = (double)(long)((start + life) / tick) * tick;
	uint32_t in_all = periods(last_tick - start, first, period), at_first;

	if (!in_all)
		return 0;
	/* The first tick that finds one. */
	double at = tick - start;
	while ((at_first = periods(at, first, period)) == 0)
		at += tick;
	return in_all - at_first +
	       prf_start_ticks((uint64_t)period, (uint64_t)tick, at_first, u);
}

static const double lives_ms[] = {0.1, 0.5, 1, 2, 3.5, 4, 5, 7, 10, 15, 37};
static const double periods_ms[] = {10, 5, 4, 3, 1, 0.25};
enum { N_LIVES = sizeof lives_ms / sizeof *lives_ms };

START_TEST(
	a_thread_is_counted_life_over_period_times_within_an_eighth_of_a_tick)
{
	const double tick = 4 * MS, period = periods_ms[_i / N_LIVES] * MS;
	const double life = lives_ms[_i % N_LIVES] * MS;
	const int rounds = 200000;
	uint64_t random = 42;
	double sum = 0;

	for (int i = 0; i < rounds; i++) {
		double start = prf_random_unit(&random) * tick;
		double first = (double)prf_start_expiry_ns(
			(uint64_t)period, (uint64_t)tick,
			prf_random_unit(&random));

		sum += seen(start, life, tick, period, first,
			    prf_random_unit(&random));
	}
	ck_assert_double_eq_tol(sum / rounds, life / period,
				tick / period / 8 + 0.004);
}
END_TEST

/* --- By stops at random times */

/* How many ticks a thread of LIFE periods is charged with, that has SHARE of a
 * processor and is stopped after random times of 0.5 to 1.5 periods. */
static double
charged(double life, double share, uint64_t *random)
{
	double credit = 0, paid = 0, cpu = prf_random_unit(random) * share;
	bool first = true;

	for (; cpu < life; cpu += (0.5 + prf_random_unit(random)) * share) {
		if (first) {
			struct prf_schedstat times = {
				.cpu_ns = (uint64_t)(1e6 * cpu + 1),
				.waited_ns =
					(uint64_t)(1e6 * cpu * (1 / share - 1)),
			};
			double u = prf_random_unit(random);
			double v = prf_random_unit(random);

			credit = (double)prf_start_credit_ns(1000000, &times, u,
							     v) /
				 1e6;
			first = false;
		}
		paid = (double)(unsigned)(credit + cpu);
	}
	return paid;
}

static const double lives_periods[] = {0.05, 0.2, 0.5, 0.8, 1.3, 2.6, 7.1};
static const double shares[] = {1, 0.5, 0.1};
enum {
	N_LIVES_PERIODS = sizeof lives_periods / sizeof *lives_periods,
	N_SHARES = 3
};

START_TEST(a_thread_is_charged_with_its_time_long_or_short_to_a_quarter_tick)
{
	const int rounds = 100000;
	double life = lives_periods[_i % N_LIVES_PERIODS],
	       share = shares[_i / N_LIVES_PERIODS];
	uint64_t random = 7;
	double sum = 0;

	for (int i = 0; i < rounds; i++)
		sum += charged(life, share, &random);
	ck_assert_double_eq_tol(sum / rounds, life, 0.25);
	/* The short ones, most of all, are not lost. */
	ck_assert_double_ge(sum / rounds, 0.6 * life);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("start");
	TCase *tcase = tcase_create("start");

	tcase_add_test(tcase, the_first_expiry_is_within_the_period);
	tcase_add_loop_test(
		tcase,
		a_thread_is_counted_life_over_period_times_within_an_eighth_of_a_tick,
		0, N_LIVES * (int)(sizeof periods_ms / sizeof *periods_ms));
	tcase_add_loop_test(
		tcase,
		a_thread_is_charged_with_its_time_long_or_short_to_a_quarter_tick,
		0, N_LIVES_PERIODS * N_SHARES);
	suite_add_tcase(suite, tcase);
	return suite;
}
