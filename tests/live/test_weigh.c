#include "live/trigger/weigh.h"

#include <math.h>

#include "live/random.h"
#include "support/suite.h"

/* --- A kernel, as far as it matters, and a thread that works in bursts.  At each
 * of its ticks that meets the thread the thread's clock moves by a tick; there
 * the timer is looked at.  The first 60 % of each burst are in A. */

enum { CPU_MS = 400000 };
static const double tick_ms = 4, share_of_a = 0.6;

static const struct {
	double work_ms, sleep_ms;
} bursts[] = {{0.2, 0.6}, {1, 1.1}, {2, 3.06}, {5, 5.1}, {9, 2.2}, {30, 10}};
static const double periods_ms[] = {10, 4, 3, 1};
enum {
	N_BURSTS = sizeof bursts / sizeof *bursts,
	N_PERIODS = sizeof periods_ms / sizeof *periods_ms,
};

struct profile {
	double cpu_ms, in_a, in_all, samples;
};

/* UNSEEN: the part of the ticks that meet the thread and are lost. */
static struct profile
run(double work_ms, double sleep_ms, double period_ms, double unseen)
{
	const uint64_t period_ns = (uint64_t)(1e6 * period_ms);
	const uint64_t tick_ns = (uint64_t)(1e6 * tick_ms);
	struct prf_weigh weigh = prf_weigh_begin(0);
	struct profile profile = {0};
	uint64_t random = 7;
	double now_ms = 0, clock_ms = 0;
	double expiry_ms = prf_random_unit(&random) * period_ms;

	while (profile.cpu_ms < CPU_MS) {
		double work = work_ms * (0.95 + 0.1 * prf_random_unit(&random));
		double tick = tick_ms * ceil(now_ms / tick_ms);

		for (; tick < now_ms + work; tick += tick_ms) {
			uint32_t periods = 0, ticks;

			if (prf_random_unit(&random) < unseen)
				continue;
			clock_ms += tick_ms;
			for (; expiry_ms <= clock_ms; expiry_ms += period_ms)
				periods++;
			if (!periods)
				continue;
			if (prf_weigh_is_to_be_told(&weigh))
				prf_weigh_tell(
					&weigh,
					(uint64_t)(1e6 * (profile.cpu_ms +
							  tick - now_ms)),
					period_ns, tick_ns);
			ticks = prf_weigh_take(&weigh, periods,
					       prf_random_unit(&random));
			profile.samples += ticks > 0;
			profile.in_all += ticks;
			if (tick - now_ms < share_of_a * work)
				profile.in_a += ticks;
		}
		profile.cpu_ms += work;
		now_ms +=
			work + sleep_ms * (1 + 0.1 * prf_random_unit(&random));
	}
	return profile;
}

/* The worst that is allowed; by chance a quarter of it. */
static double
four_sigmas(const struct profile *profile)
{
	return 4 * sqrt(share_of_a * (1 - share_of_a) / profile->samples);
}

static void
check(const struct profile *profile, double period_ms)
{
	ck_assert_double_eq_tol(profile->in_a / profile->in_all, share_of_a,
				1.5 * four_sigmas(profile));
	ck_assert_double_eq_tol(profile->in_all * period_ms, profile->cpu_ms,
				0.002 * CPU_MS);
}

START_TEST(all_of_a_burst_is_seen_alike_and_all_time_is_counted)
{
	double period = periods_ms[_i / N_BURSTS];
	struct profile profile = run(bursts[_i % N_BURSTS].work_ms,
				     bursts[_i % N_BURSTS].sleep_ms, period, 0);

	check(&profile, period);
}
END_TEST

START_TEST(ticks_that_are_lost_are_made_good_for)
{
	double period = periods_ms[_i / N_BURSTS];
	struct profile profile =
		run(bursts[_i % N_BURSTS].work_ms,
		    bursts[_i % N_BURSTS].sleep_ms, period, 0.25);

	check(&profile, period);
}
END_TEST

START_TEST(a_thread_that_runs_on_is_left_as_it_is)
{
	const uint64_t ms = 1000000;
	struct prf_weigh weigh = prf_weigh_begin(5 * ms);
	uint64_t cpu_ns = 5 * ms;

	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t periods = 1 + (i % 10 == 9); /* a call in between */

		cpu_ns += periods * 10 * ms + (i % 2 ? 2 : -2) * ms;
		if (prf_weigh_is_to_be_told(&weigh))
			prf_weigh_tell(&weigh, cpu_ns, 10 * ms, 4 * ms);
		ck_assert_uint_eq(prf_weigh_take(&weigh, periods, 0.999),
				  periods);
	}
}
END_TEST

/* The samples of a second were lost: those that follow pay for it, each a part,
 * and then no more. */
START_TEST(what_is_missing_is_spread_over_many_samples)
{
	const uint64_t ms = 1000000;
	struct prf_weigh weigh = prf_weigh_begin(0);
	uint64_t cpu_ns = 1000 * ms, random = 1, sum = 0;
	uint32_t ticks = 0;

	for (int i = 0; i < 400; i++) {
		cpu_ns += 10 * ms;
		if (prf_weigh_is_to_be_told(&weigh))
			prf_weigh_tell(&weigh, cpu_ns, 10 * ms, 4 * ms);
		ticks = prf_weigh_take(&weigh, 1, prf_random_unit(&random));
		ck_assert_uint_le(ticks, 40);
		sum += ticks;
	}
	ck_assert_double_eq_tol((double)sum, 500, 4);
	ck_assert_uint_le(ticks, 3);
}
END_TEST

START_TEST(the_time_is_told_seldom)
{
	struct prf_weigh weigh = prf_weigh_begin(0);
	int n = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		if (prf_weigh_is_to_be_told(&weigh)) {
			n++;
			prf_weigh_tell(&weigh, i * 1000, 1000, 1000);
		}
		prf_weigh_take(&weigh, 1, 0);
	}
	ck_assert_int_le(n, 130);
	ck_assert_int_ge(n, 100);
}
END_TEST

START_TEST(more_than_can_be_counted_is_as_much_as_can)
{
	struct prf_weigh weigh = prf_weigh_begin(0);

	prf_weigh_take(&weigh, 1, 0);
	prf_weigh_tell(&weigh, UINT64_MAX, 1, 1);
	ck_assert_uint_eq(prf_weigh_take(&weigh, UINT32_MAX, 0), UINT32_MAX);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("weigh");
	TCase *tcase = tcase_create("weigh");

	tcase_add_loop_test(
		tcase, all_of_a_burst_is_seen_alike_and_all_time_is_counted, 0,
		N_BURSTS * N_PERIODS);
	tcase_add_loop_test(tcase, ticks_that_are_lost_are_made_good_for, 0,
			    N_BURSTS * N_PERIODS);
	tcase_add_test(tcase, a_thread_that_runs_on_is_left_as_it_is);
	tcase_add_test(tcase, what_is_missing_is_spread_over_many_samples);
	tcase_add_test(tcase, the_time_is_told_seldom);
	tcase_add_test(tcase, more_than_can_be_counted_is_as_much_as_can);
	suite_add_tcase(suite, tcase);
	return suite;
}
