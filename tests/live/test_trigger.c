#include "live/trigger.h"

#include "live/clock.h"
#include "live/random.h"
#include "support/suite.h"

#define MS 1000000.0

START_TEST(triggers_are_found_by_name)
{
	ck_assert_ptr_eq(prf_trigger_find("timer"), &prf_trigger_timer);
	ck_assert_ptr_eq(prf_trigger_find("interrupt"), &prf_trigger_interrupt);
	ck_assert_ptr_eq(prf_trigger_find("perf"), &prf_trigger_perf);
	ck_assert_ptr_null(prf_trigger_find("Timer"));
	ck_assert_ptr_null(prf_trigger_find(""));
}
END_TEST

/* Whatever the order is, interrupt is the last resort. */
START_TEST(the_first_choice_is_the_timer_up_to_the_kernels_tick)
{
	const uint64_t tick_ns = prf_clock_tick_ns();
	const struct prf_trigger_ops *const *slow = prf_triggers_for(tick_ns);
	const struct prf_trigger_ops *const *fast =
		prf_triggers_for(tick_ns - 1);

	ck_assert_ptr_eq(slow[0], &prf_trigger_timer);
	ck_assert_ptr_eq(fast[0], &prf_trigger_perf);
	ck_assert_ptr_eq(fast[1], &prf_trigger_timer);
	ck_assert_ptr_eq(slow[2], &prf_trigger_interrupt);
	ck_assert_ptr_eq(fast[2], &prf_trigger_interrupt);
	ck_assert_ptr_null(slow[3]);
	ck_assert_ptr_null(fast[3]);
}
END_TEST

START_TEST(the_first_expiry_is_within_the_period)
{
	uint64_t random = 1;

	for (int i = 0; i < 100000; i++) {
		uint64_t first = prf_first_expiry_ns(10000000, 4000000,
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
	       prf_first_ticks((uint64_t)period, (uint64_t)tick, at_first, u);
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
		double first = (double)prf_first_expiry_ns(
			(uint64_t)period, (uint64_t)tick,
			prf_random_unit(&random));

		sum += seen(start, life, tick, period, first,
			    prf_random_unit(&random));
	}
	ck_assert_double_eq_tol(sum / rounds, life / period,
				tick / period / 8 + 0.004);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("trigger");
	TCase *tcase = tcase_create("trigger");

	tcase_add_test(tcase, triggers_are_found_by_name);
	tcase_add_test(tcase,
		       the_first_choice_is_the_timer_up_to_the_kernels_tick);
	tcase_add_test(tcase, the_first_expiry_is_within_the_period);
	tcase_add_loop_test(
		tcase,
		a_thread_is_counted_life_over_period_times_within_an_eighth_of_a_tick,
		0, N_LIVES * (int)(sizeof periods_ms / sizeof *periods_ms));
	suite_add_tcase(suite, tcase);
	return suite;
}
