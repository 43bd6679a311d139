#include "live/trigger/thread_ticks.h"

#include <time.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "live/proc/status.h"
#include "support/suite.h"

enum { PERIOD_NS = 1000000, TICK_NS = 4000000 };

static struct prf_process process;
static struct prf_task task;
static struct prf_ticks_run run;
static struct prf_thread_ticks ticks;

/* The thread is this one. */
static void
set_up(void)
{
	process = (struct prf_process){.pid = getpid()};
	task = (struct prf_task){.tid = gettid(), .process = &process};
	run = (struct prf_ticks_run){.period_ns = PERIOD_NS,
				     .tick_ns = TICK_NS};
	ticks = (struct prf_thread_ticks){0};
}

static void
run_for(uint64_t ns)
{
	uint64_t from_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	while (prf_clock_ns(CLOCK_THREAD_CPUTIME_ID) - from_ns < ns)
		;
}

/* What N samples of one period each are given. */
static uint64_t
take(unsigned n)
{
	uint64_t taken = 0;

	for (unsigned i = 0; i < n; i++)
		taken += prf_thread_ticks_take(&ticks, &run, &task, false, 1,
					       0.5);
	return taken;
}

START_TEST(time_that_no_sample_has_seen_is_paid_for_by_later_ones)
{
	prf_thread_ticks_begin(&ticks, &run, &task, 0);
	ck_assert(ticks.weighs);
	run_for(100 * (uint64_t)PERIOD_NS);
	ck_assert_uint_ge(take(200), 100);
}
END_TEST

START_TEST(samples_that_the_thread_has_no_time_for_are_fewer_ticks)
{
	uint64_t cpu_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	prf_thread_ticks_begin(&ticks, &run, &task, 0);
	uint64_t taken = take(2000);
	cpu_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	/* The kernel brings the time up to date at its ticks. */
	ck_assert_uint_le(taken, 100 + 2 * (cpu_ns + TICK_NS) / PERIOD_NS);
}
END_TEST

START_TEST(user_mode_alone_has_no_clock_to_follow)
{
	run.user_only = true;
	prf_thread_ticks_begin(&ticks, &run, &task, 0);
	ck_assert(!ticks.weighs);
	run_for(10 * (uint64_t)PERIOD_NS);
	ck_assert_uint_eq(take(100), 100);
	ck_assert_uint_eq(prf_thread_ticks_end(&ticks, &run, &task), 0);
	ck_assert_double_eq(run.pace.due, 0);
}
END_TEST

START_TEST(a_thread_whose_times_cannot_be_read_has_the_ticks_that_come)
{
	task.tid = 1; /* one of another process */
	prf_thread_ticks_begin(&ticks, &run, &task, 0);
	ck_assert(!ticks.weighs);
	ck_assert_uint_eq(take(100), 100);
}
END_TEST

START_TEST(one_that_was_just_made_has_neither_run_nor_slept)
{
	run_for(PERIOD_NS);
	task.creator = getpid();
	prf_thread_ticks_begin(&ticks, &run, &task, 7);
	ck_assert(ticks.weighs);
	ck_assert_uint_eq(ticks.weigh.from.cpu_ns, 0);
	ck_assert_uint_eq(ticks.sleeps, 0);
	task.creator = 0;
	prf_thread_ticks_begin(&ticks, &run, &task, 7);
	ck_assert_uint_eq(ticks.sleeps, 7);
}
END_TEST

START_TEST(our_stops_are_not_its_time)
{
	run_for(10 * (uint64_t)PERIOD_NS);
	task.stops_ns = UINT64_MAX;
	prf_thread_ticks_begin(&ticks, &run, &task, 0);
	ck_assert_uint_eq(ticks.weigh.from.cpu_ns, 0);
}
END_TEST

START_TEST(the_pace_learns_of_threads_that_worked_and_of_no_short_ones)
{
	prf_thread_ticks_begin(&ticks, &run, &task, 0);
	run.period_ns = 1000 * (uint64_t)1000000000;
	ck_assert_uint_eq(prf_thread_ticks_end(&ticks, &run, &task), 0);
	ck_assert_double_eq(run.pace.due, 0);
	run.period_ns = PERIOD_NS;
	run_for(20 * (uint64_t)PERIOD_NS);
	/* Too short to show a rhythm. */
	run.tick_ns = 1000 * (uint64_t)1000000000;
	ck_assert_uint_eq(prf_thread_ticks_end(&ticks, &run, &task), 0);
	ck_assert_double_ge(run.pace.due, 10);
}
END_TEST

/* It has run in bursts for many ticks, and no sample has met it: each begins and
 * ends between two ticks. */
START_TEST(bursts_that_no_tick_meets_are_in_step)
{
	const struct timespec nap = {0, 1000};
	struct prf_thread_status status;

	run.tick_ns = PERIOD_NS;
	ck_assert_int_eq(prf_status_read_thread(getpid(), gettid(), &status),
			 0);
	prf_thread_ticks_begin(&ticks, &run, &task, status.sleeps);
	for (unsigned i = 0; i < 200; i++) {
		run_for(PERIOD_NS);
		nanosleep(&nap, NULL);
	}
	uint64_t in_step_ns = prf_thread_ticks_end(&ticks, &run, &task);
	ck_assert_uint_ge(in_step_ns, 190 * (uint64_t)PERIOD_NS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("thread_ticks");
	TCase *tcase = tcase_create("thread_ticks");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase,
		       time_that_no_sample_has_seen_is_paid_for_by_later_ones);
	tcase_add_test(tcase,
		       samples_that_the_thread_has_no_time_for_are_fewer_ticks);
	tcase_add_test(tcase, user_mode_alone_has_no_clock_to_follow);
	tcase_add_test(
		tcase,
		a_thread_whose_times_cannot_be_read_has_the_ticks_that_come);
	tcase_add_test(tcase, one_that_was_just_made_has_neither_run_nor_slept);
	tcase_add_test(tcase, our_stops_are_not_its_time);
	tcase_add_test(
		tcase,
		the_pace_learns_of_threads_that_worked_and_of_no_short_ones);
	tcase_add_test(tcase, bursts_that_no_tick_meets_are_in_step);
	suite_add_tcase(suite, tcase);
	return suite;
}
