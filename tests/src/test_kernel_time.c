#include "src/output/kernel_time.h"

#include "support/suite.h"

#define MS UINT64_C(1000000)

enum { PERIOD_NS = 10000000, TICK_NS = 4000000 };

/* 10 s, all of it in the profile: 6 s in the kernel, 1 s of these in calls. */
static struct prf_sampler_stats
faulting(void)
{
	return (struct prf_sampler_stats){
		.cpu_ns = 10000 * MS,
		.system_us = 6000000,
		.ticks = 1000,
		.samples = 1000,
		.in_calls = 100,
	};
}

static uint64_t
outside_ms(const struct prf_sampler_stats *stats)
{
	return prf_kernel_time_outside_calls(stats, PERIOD_NS, TICK_NS) / MS;
}

START_TEST(what_is_in_no_call_is_told)
{
	const struct prf_sampler_stats stats = faulting();

	ck_assert_uint_eq(outside_ms(&stats), 5000);
}
END_TEST

START_TEST(what_stops_took_is_left_out)
{
	struct prf_sampler_stats stats = faulting();

	stats.stops_ns = 1500 * MS;
	ck_assert_uint_eq(outside_ms(&stats), 3500);
}
END_TEST

/* It may have been the end of a process. */
START_TEST(what_is_not_in_the_profile_is_left_out)
{
	struct prf_sampler_stats stats = faulting();

	stats.cpu_ns += 2000 * MS;
	ck_assert_uint_eq(outside_ms(&stats), 3000);
}
END_TEST

START_TEST(ticks_of_blocked_threads_are_no_cpu_time)
{
	struct prf_sampler_stats stats = faulting();

	stats.ticks += 5000;
	stats.wall.blocked = 4000;
	stats.wall.waiting = 1000;
	ck_assert_uint_eq(outside_ms(&stats), 5000);
}
END_TEST

START_TEST(a_program_that_makes_calls_alone_has_none)
{
	struct prf_sampler_stats stats = faulting();

	stats.in_calls = 600;
	ck_assert_uint_eq(outside_ms(&stats), 0);
	stats.in_calls = 200;
	stats.in_faults = 400;
	ck_assert_uint_eq(outside_ms(&stats), 0);
	stats.in_faults = 0;
	stats.in_calls = 700;
	ck_assert_uint_eq(outside_ms(&stats), 0);
}
END_TEST

/* 0.05 s are 12 of the kernel's ticks, and may be 5 or 20. */
START_TEST(what_chance_may_make_is_not_told)
{
	const struct prf_sampler_stats stats = {
		.cpu_ns = 100 * MS,
		.system_us = 50000,
		.ticks = 10,
		.samples = 10,
		.in_calls = 1,
	};

	ck_assert_uint_eq(outside_ms(&stats), 0);
}
END_TEST

START_TEST(a_run_without_ticks_has_none)
{
	const struct prf_sampler_stats stats = {0};

	ck_assert_uint_eq(outside_ms(&stats), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("kernel_time");
	TCase *tcase = tcase_create("kernel_time");

	tcase_add_test(tcase, what_is_in_no_call_is_told);
	tcase_add_test(tcase, what_stops_took_is_left_out);
	tcase_add_test(tcase, what_is_not_in_the_profile_is_left_out);
	tcase_add_test(tcase, ticks_of_blocked_threads_are_no_cpu_time);
	tcase_add_test(tcase, a_program_that_makes_calls_alone_has_none);
	tcase_add_test(tcase, what_chance_may_make_is_not_told);
	tcase_add_test(tcase, a_run_without_ticks_has_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
