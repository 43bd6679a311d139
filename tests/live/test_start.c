#include "live/trigger/start.h"

#include <stdbool.h>

#include "live/random.h"
#include "support/suite.h"

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

	tcase_add_loop_test(
		tcase,
		a_thread_is_charged_with_its_time_long_or_short_to_a_quarter_tick,
		0, N_LIVES_PERIODS * N_SHARES);
	suite_add_tcase(suite, tcase);
	return suite;
}
