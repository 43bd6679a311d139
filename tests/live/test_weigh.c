#include "live/trigger/weigh.h"

#include <math.h>

#include "live/random.h"
#include "support/suite.h"

/* --- A kernel, as far as it matters, and a thread that works in bursts.  At each
 * of its ticks that meets the thread the thread's clock moves by a tick; there
 * the timer is looked at.  The first 60 % of each burst are in A. */

static const struct prf_schedstat born;

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
	double cpu_ms, in_a, in_all, in_calls, samples;
};

/* What a thread has run. */
static struct prf_schedstat
times(double cpu_ms, uint64_t n_slices)
{
	return (struct prf_schedstat){
		.cpu_ns = (uint64_t)(1e6 * cpu_ms),
		.n_slices = n_slices,
	};
}

/* How ticks of the kernel get lost. */
struct losses {
	double part; /* of those that meet the thread: by sharing a processor */
	/* Of each burst, in the call by which it goes to sleep; with interrupts
	 * disabled the kernel has no tick. */
	double call_ms, disabled_ms;
};

struct timer {
	double period_ms, clock_ms, expiry_ms;
};

/* How many periods have ended, after one more tick of the kernel's. */
static uint32_t
tick_of(struct timer *timer)
{
	uint32_t n = 0;

	timer->clock_ms += tick_ms;
	for (; timer->expiry_ms <= timer->clock_ms; n++)
		timer->expiry_ms += timer->period_ms;
	return n;
}

static uint32_t
weigh_sample(struct prf_weigh *weigh, struct prf_weigh_pace *pace,
	     const struct timer *timer, const struct prf_schedstat *now,
	     bool in_call, uint32_t periods, double u)
{
	uint32_t ticks = prf_weigh_take(weigh, in_call, periods, u);

	if (prf_weigh_is_to_be_told(weigh))
		prf_weigh_tell(weigh, now, (uint64_t)(1e6 * timer->period_ms),
			       (uint64_t)(1e6 * tick_ms), pace);
	return ticks;
}

static struct profile
run(double work_ms, double sleep_ms, double period_ms,
    const struct losses *losses)
{
	struct prf_weigh_pace pace = {.due = 0};
	struct prf_weigh weigh = prf_weigh_begin(&born, &pace);
	struct profile profile = {0};
	uint64_t random = 7, n_bursts = 0;
	double now_ms = 0;
	struct timer timer = {
		.period_ms = period_ms,
		.expiry_ms = prf_random_unit(&random) * period_ms,
	};

	for (; profile.cpu_ms < CPU_MS; n_bursts++) {
		double work = work_ms * (0.95 + 0.1 * prf_random_unit(&random));
		double seen = work + losses->call_ms;
		double tick = tick_ms * ceil(now_ms / tick_ms);

		for (; tick < now_ms + seen; tick += tick_ms) {
			double at = tick - now_ms;
			bool in_call = at >= work;
			struct prf_schedstat now =
				times(profile.cpu_ms + at, n_bursts);
			uint32_t periods, ticks;

			if (prf_random_unit(&random) < losses->part)
				continue;
			periods = tick_of(&timer);
			if (!periods)
				continue;
			ticks = weigh_sample(&weigh, &pace, &timer, &now,
					     in_call, periods,
					     prf_random_unit(&random));
			profile.samples += ticks > 0;
			profile.in_all += ticks;
			profile.in_calls += in_call ? ticks : 0;
			profile.in_a += at < share_of_a * work ? ticks : 0;
		}
		profile.cpu_ms += seen + losses->disabled_ms;
		now_ms += seen + losses->disabled_ms +
			  sleep_ms * (1 + 0.1 * prf_random_unit(&random));
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
	ck_assert_double_eq_tol(profile->in_a /
					(profile->in_all - profile->in_calls),
				share_of_a, 1.5 * four_sigmas(profile));
	ck_assert_double_eq_tol(profile->in_all * period_ms, profile->cpu_ms,
				0.002 * CPU_MS);
}

START_TEST(all_of_a_burst_is_seen_alike_and_all_time_is_counted)
{
	double period = periods_ms[_i / N_BURSTS];
	struct profile profile = run(bursts[_i % N_BURSTS].work_ms,
				     bursts[_i % N_BURSTS].sleep_ms, period,
				     &(struct losses){0});

	check(&profile, period);
}
END_TEST

START_TEST(ticks_that_are_lost_are_made_good_for)
{
	double period = periods_ms[_i / N_BURSTS];
	struct profile profile = run(bursts[_i % N_BURSTS].work_ms,
				     bursts[_i % N_BURSTS].sleep_ms, period,
				     &(struct losses){.part = 0.25});

	check(&profile, period);
}
END_TEST

START_TEST(what_interrupts_disabled_hide_is_the_kernels)
{
	const struct losses losses = {.call_ms = 0.005, .disabled_ms = 0.02};
	double period = periods_ms[_i];
	struct profile profile = run(0.05, 0.1, period, &losses);

	check(&profile, period);
	ck_assert_double_eq_tol(profile.in_calls / profile.in_all, 1.0 / 3,
				0.03);
}
END_TEST

/* A thread is met by ticks for time that others had, too. */
START_TEST(what_is_too_much_is_taken_from_all_alike)
{
	struct prf_weigh_pace pace = {.due = 0};
	struct prf_weigh weigh = prf_weigh_begin(&born, &pace);
	struct timer timer = {.period_ms = 4};
	uint64_t random = 1, in_calls = 0, sum = 0;

	for (int i = 0; i < 10000; i++) {
		struct prf_schedstat now = times(0.8 * 4 * i, (uint64_t)i);
		bool in_call = prf_random_unit(&random) < 0.4;
		uint32_t ticks =
			weigh_sample(&weigh, &pace, &timer, &now, in_call, 1,
				     prf_random_unit(&random));

		in_calls += in_call ? ticks : 0;
		sum += ticks;
	}
	ck_assert_double_eq_tol((double)sum, 8000, 20);
	ck_assert_double_eq_tol((double)in_calls / (double)sum, 0.4, 0.02);
}
END_TEST

START_TEST(a_thread_that_runs_on_is_left_as_it_is)
{
	struct prf_schedstat from = times(5, 3);
	struct prf_weigh_pace pace = {.due = 0};
	struct prf_weigh weigh = prf_weigh_begin(&from, &pace);
	struct timer timer = {.period_ms = 10};
	double cpu_ms = 5;

	for (uint32_t i = 0; i < 1000; i++) {
		bool in_call = i % 10 == 9;
		uint32_t periods = in_call ? 2 : 1;

		cpu_ms += periods * timer.period_ms;
		struct prf_schedstat now =
			times(cpu_ms + (i % 2 ? 9 : -9), 3 + i);
		ck_assert_uint_eq(weigh_sample(&weigh, &pace, &timer, &now,
					       in_call, periods, 0.999),
				  periods);
	}
}
END_TEST

/* The samples of a second were lost: those that follow pay for it, each a part,
 * and then no more. */
START_TEST(what_is_missing_is_spread_over_many_samples)
{
	struct prf_weigh_pace pace = {.due = 0};
	struct prf_weigh weigh = prf_weigh_begin(&born, &pace);
	struct timer timer = {.period_ms = 10};
	double cpu_ms = 1000;
	uint64_t random = 1, sum = 0;
	uint32_t ticks = 0;

	for (int i = 0; i < 400; i++) {
		cpu_ms += timer.period_ms;
		struct prf_schedstat now = times(cpu_ms, 1);
		ticks = weigh_sample(&weigh, &pace, &timer, &now, false, 1,
				     prf_random_unit(&random));
		ck_assert_uint_le(ticks, 40);
		sum += ticks;
	}
	ck_assert_double_eq_tol((double)sum, 500, 4);
	ck_assert_uint_le(ticks, 3);
}
END_TEST

/* A processor that is shared, where a tick of the kernel meets a thread MET times
 * for each that it runs.  PART of the CPU time of threads of LIFE_MS is
 * counted. */
static double
counted_of_short(double life_ms, double met)
{
	struct prf_weigh_pace pace = {.due = 0};
	uint64_t random = 3;
	double counted = 0, cpu_ms = 0;

	for (int i = 0; i < 2000; i++, cpu_ms += life_ms) {
		struct prf_weigh weigh = prf_weigh_begin(&born, &pace);
		struct timer timer = {
			.period_ms = 10,
			.expiry_ms = prf_random_unit(&random) * 10,
		};
		double each_ms = tick_ms / met;

		for (double at = prf_random_unit(&random) * each_ms;
		     at < life_ms; at += each_ms) {
			const struct prf_schedstat now = times(at, 1);
			uint32_t periods = tick_of(&timer);

			if (periods)
				counted += weigh_sample(
					&weigh, &pace, &timer, &now, false,
					periods, prf_random_unit(&random));
		}
		const struct prf_schedstat end = times(life_ms, 1);
		prf_weigh_end(&weigh, &end, end.cpu_ns, 10000000, &pace);
	}
	return 10 * counted / cpu_ms;
}

START_TEST(short_threads_go_by_what_others_have_shown)
{
	static const double lives_ms[] = {15, 40, 100};
	static const double meetings[] = {0.85, 1, 1.2};

	for (size_t i = 0; i < 9; i++) {
		double life_ms = lives_ms[i / 3], met = meetings[i % 3];
		double part = counted_of_short(life_ms, met);

		ck_assert_msg(part > 0.95 && part < 1.05,
			      "threads of %g ms, met %g times: %g", life_ms,
			      met, part);
	}
}
END_TEST

/* They meet as many ticks as they happen to. */
START_TEST(threads_that_sleep_teach_nothing)
{
	struct prf_weigh_pace pace = {.due = 0};
	struct prf_weigh weigh = prf_weigh_begin(&born, &pace);

	const struct prf_schedstat end = times(1000, 1000);

	for (int i = 0; i < 200; i++)
		prf_weigh_take(&weigh, false, 1, 0);
	prf_weigh_end(&weigh, &end, 2 * end.cpu_ns, 10000000, &pace);
	ck_assert_double_eq(prf_weigh_pace_scale(&pace), 1);
}
END_TEST

START_TEST(the_times_are_told_seldom)
{
	struct prf_weigh_pace pace = {.due = 0};
	struct prf_weigh weigh = prf_weigh_begin(&born, &pace);
	int n = 0;

	for (int i = 0; i < 1000; i++) {
		struct prf_schedstat now = times(10 * i, 1);

		prf_weigh_take(&weigh, i % 2, 1, 0);
		if (prf_weigh_is_to_be_told(&weigh)) {
			n++;
			prf_weigh_tell(&weigh, &now, 10000000, 4000000, &pace);
		}
	}
	ck_assert_int_le(n, 130);
	ck_assert_int_ge(n, 100);
}
END_TEST

START_TEST(more_than_can_be_counted_is_as_much_as_can)
{
	const struct prf_schedstat now = {.cpu_ns = UINT64_MAX};
	struct prf_weigh_pace pace = {.due = 0};
	struct prf_weigh weigh = prf_weigh_begin(&born, &pace);

	prf_weigh_take(&weigh, false, 1, 0);
	prf_weigh_tell(&weigh, &now, 1, 1, &pace);
	ck_assert_uint_eq(prf_weigh_take(&weigh, false, UINT32_MAX, 0),
			  UINT32_MAX);
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
	tcase_add_loop_test(tcase, what_interrupts_disabled_hide_is_the_kernels,
			    0, N_PERIODS);
	tcase_add_test(tcase, what_is_too_much_is_taken_from_all_alike);
	tcase_add_test(tcase, a_thread_that_runs_on_is_left_as_it_is);
	tcase_add_test(tcase, what_is_missing_is_spread_over_many_samples);
	tcase_add_test(tcase, short_threads_go_by_what_others_have_shown);
	tcase_add_test(tcase, threads_that_sleep_teach_nothing);
	tcase_add_test(tcase, the_times_are_told_seldom);
	tcase_add_test(tcase, more_than_can_be_counted_is_as_much_as_can);
	suite_add_tcase(suite, tcase);
	return suite;
}
