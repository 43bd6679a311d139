#include "live/wall/wall.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "sampling.h"
#include "support/sample_sink.h"
#include "support/suite.h"
#include "traced.h"
#include "waiting_calls.h"

/* A sink that knows where ticks went, by system call. */
enum { MAX_CALLS = 1024 };

struct by_call {
	struct prf_sink base;
	uint64_t ticks, certain, no_processor, no_call, in[MAX_CALLS];
	int answer;
};

static int
take_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct by_call *calls = (struct by_call *)sink;

	if (calls->answer)
		return calls->answer;
	ck_assert_uint_ge(sample->ticks, 1);
	ck_assert_uint_le(sample->certain, sample->ticks);
	calls->ticks += sample->ticks;
	calls->certain += sample->certain;
	if (sample->syscall == PRF_NO_PROCESSOR)
		calls->no_processor += sample->ticks;
	else if (sample->syscall == PRF_NO_SYSCALL)
		calls->no_call += sample->ticks;
	else if (sample->syscall >= 0 && sample->syscall < MAX_CALLS)
		calls->in[sample->syscall] += sample->ticks;
	return 0;
}

static const struct prf_sink_ops by_call_ops = PRF_SAMPLE_SINK_OPS(take_sample);

static struct by_call calls;

static void
set_up(void)
{
	prf_sampling_set_up();
	prf_sampling.config.clock = PRF_CLOCK_WALL;
	calls = (struct by_call){.base.ops = &by_call_ops};
}

static double
ticks_in(uint64_t ns)
{
	return (double)ns / PRF_SAMPLING_PERIOD_NS;
}

/* Every tick is of some kind. */
static void
check_kinds(void)
{
	const struct prf_sampler_stats *stats = &prf_sampling.run.stats;
	uint64_t running = 0;

	for (int i = 0; i < PRF_MAX_TRIGGERS; i++)
		running += stats->trigger[i].ticks;
	ck_assert_uint_eq(running + stats->wall.blocked + stats->wall.waiting,
			  stats->ticks + stats->gone + stats->refused);
	ck_assert_uint_eq(stats->ticks,
			  stats->samples + stats->late + stats->wall.together);
	ck_assert_uint_eq(calls.ticks, stats->ticks);
	ck_assert_uint_eq(calls.no_processor, stats->wall.waiting);
	ck_assert_uint_eq(stats->wall.hidden, 0);
}

/* What one run has, or several have. */
struct sums {
	double found, expected, luck;
};

static void
add_run(struct sums *sums)
{
	const struct prf_sampler_stats *stats = &prf_sampling.run.stats;

	sums->found += (double)(stats->ticks + stats->gone + stats->unseen +
				stats->wall.stopped);
	sums->expected += ticks_in(stats->wall.threads_ns);
	/* A tick or two for each thread is a matter of luck. */
	sums->luck += 3 + 3 * sqrt((double)stats->threads);
}

static bool
is_all_time(const struct sums *sums)
{
	return fabs(sums->found - sums->expected) <=
	       sums->luck + 0.02 * sums->expected;
}

/* All ticks are the time of all threads. */
static void
run(const char *workload, const char *arguments)
{
	struct sums sums = {0};

	for (int n = 0; n < PRF_SAMPLING_MOST_RUNS; n++) {
		prf_sampling_begin_again();
		calls = (struct by_call){.base.ops = &by_call_ops};
		int rc = prf_sampling_run(&calls.base, prf_workload(workload),
					  arguments);

		ck_assert_msg(rc == 0, "%s: %s", workload,
			      prf_sampling.err.text);
		prf_sampling_check_exit(0);
		check_kinds();
		add_run(&sums);
		if (is_all_time(&sums))
			return;
	}
	ck_abort_msg("%.0f ticks of %.0f", sums.found, sums.expected);
}

static uint64_t
in_call(int number)
{
	/* The C library may prefer its successor. */
	return calls.in[number] +
	       (number == SYS_nanosleep ? calls.in[SYS_clock_nanosleep] : 0);
}

static const struct {
	const char *way;
	int number;
} sleeps[] = {
	{"1 poll", POLL_CALL},
	{"1 nanosleep", SYS_nanosleep},
	{"1 futex", SYS_futex},
};

START_TEST(a_sleeper_is_where_it_sleeps_all_the_time)
{
	prf_sampling.config.trigger =
		prf_sampling_triggers[_i % PRF_SAMPLING_N_TRIGGERS];
	const char *way = sleeps[_i / PRF_SAMPLING_N_TRIGGERS].way;
	int number = sleeps[_i / PRF_SAMPLING_N_TRIGGERS].number;

	uint64_t least = 0, in = 0;

	/* It is there for a second; where it is between two looks that find it
	 * in different places is shared out, and looks can be late. */
	for (int n = 0; n < PRF_SAMPLING_MOST_RUNS && in <= least; n++) {
		run("idle", way);
		least += 85;
		in += in_call(number);
		ck_assert_double_le((double)in_call(number),
				    ticks_in(prf_sampling.run.stats.wall_ns) +
					    2);
	}
	ck_assert_uint_ge(in, least);
	/* It was looked at less often than it has ticks. */
	ck_assert_uint_le(prf_sampling.run.stats.wall.samples, 60);
	ck_assert_uint_ge(calls.certain, 50);
}
END_TEST

START_TEST(time_that_a_thread_runs_is_not_counted_twice)
{
	run("deaths", "return 0.5 0");
	const struct prf_sampler_stats *stats = &prf_sampling.run.stats;
	ck_assert_double_le((double)(stats->ticks - calls.no_processor),
			    ticks_in(stats->cpu_ns) +
				    0.1 * ticks_in(stats->wall_ns) + 4);
}
END_TEST

START_TEST(all_threads_are_counted_for_all_their_lives)
{
	run("waits", "0.5 100");
	const struct prf_sampler_stats *stats = &prf_sampling.run.stats;
	ck_assert_uint_eq(stats->threads, 101);
	ck_assert_uint_ge(stats->wall.threads_ns, 101 * 400000000ull);
	ck_assert_uint_le(stats->wall.threads_ns, 101 * stats->wall_ns);
	ck_assert_uint_ge(calls.in[PAUSE_CALL], 100 * 40);
}
END_TEST

START_TEST(threads_that_come_and_go_add_up)
{
	run("churn", "0.5 2");
	ck_assert_uint_ge(prf_sampling.run.stats.threads, 100);
}
END_TEST

/* The time before it is another program's, and other threads' too. */
START_TEST(an_exec_ends_some_lives_and_begins_one)
{
	run("deaths", "thread_exec 0.2 0");
}
END_TEST

/* It is a zombie until the others have ended, and that is no life. */
START_TEST(a_first_thread_that_ends_first_lives_no_longer)
{
	run("deaths", "leader 0.5 0");
	ck_assert_double_le((double)prf_sampling.run.stats.wall.threads_ns,
			    1.5 * (double)prf_sampling.run.stats.wall_ns);
}
END_TEST

START_TEST(what_the_sink_refuses_is_counted)
{
	calls.answer = -ENOBUFS;
	int rc = prf_sampling_run(&calls.base, prf_workload("idle"), "0.3");

	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(prf_sampling.run.stats.ticks, 0);
	ck_assert_uint_ge(prf_sampling.run.stats.refused, 25);
}
END_TEST

START_TEST(with_other_clocks_nobody_asks_where_threads_sleep)
{
	prf_sampling.config.clock = PRF_CLOCK_CPU;
	int rc = prf_sampling_run(&calls.base, prf_workload("idle"), "0.2");

	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(prf_sampling.run.stats.wall.samples, 0);
	ck_assert_uint_eq(prf_sampling.run.stats.wall.threads_ns, 0);
	/* Those of its start: some milliseconds, or what its CPU time tells. */
	ck_assert_uint_le(calls.ticks,
			  20 / 4 + prf_sampling.run.stats.cpu_ns /
					   prf_sampling.config.period_ns);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("wall");
	TCase *tcase = tcase_create("wall");

	tcase_add_checked_fixture(tcase, set_up, prf_sampling_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_sleeper_is_where_it_sleeps_all_the_time, 0,
			    PRF_SAMPLING_N_TRIGGERS *
				    (int)(sizeof sleeps / sizeof *sleeps));
	tcase_add_test(tcase, time_that_a_thread_runs_is_not_counted_twice);
	tcase_add_test(tcase, all_threads_are_counted_for_all_their_lives);
	tcase_add_test(tcase, threads_that_come_and_go_add_up);
	tcase_add_test(tcase, an_exec_ends_some_lives_and_begins_one);
	tcase_add_test(tcase, a_first_thread_that_ends_first_lives_no_longer);
	tcase_add_test(tcase, what_the_sink_refuses_is_counted);
	tcase_add_test(tcase,
		       with_other_clocks_nobody_asks_where_threads_sleep);
	suite_add_tcase(suite, tcase);
	return suite;
}
