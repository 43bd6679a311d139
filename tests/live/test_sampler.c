#include "live/sampler.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/queue.h"
#include "sampling.h"
#include "support/suite.h"
#include "traced.h"

static const struct {
	const char *way;
	int status, signal;
	double cpu_s;
} ways[] = {
	{"return", 7, 0, 0.2},      {"exit", 7, 0, 0.2},
	{"_exit", 7, 0, 0.2},       {"abort", 0, SIGABRT, 0.2},
	{"segv", 0, SIGSEGV, 0.2},  {"term", 0, SIGTERM, 0.2},
	{"kill", 0, SIGKILL, 0.2},  {"leader", 7, 0, 0.4},
	{"exec", 7, 0, 0.4},        {"leader_exec", 7, 0, 0.6},
	{"thread_exec", 7, 0, 0.4},
};
enum { N_WAYS = sizeof ways / sizeof *ways };

START_TEST(a_program_ends_in_its_own_way_and_all_its_time_is_seen)
{
	int way = _i % N_WAYS;
	char arguments[64];

	prf_sampling.config.trigger = prf_sampling_triggers[_i / N_WAYS];
	snprintf(arguments, sizeof arguments, "%s 0.2 7", ways[way].way);
	prf_sampling_run_workload("deaths", arguments);
	if (ways[way].signal)
		ck_assert_int_eq(WTERMSIG(prf_sampling.run.wait_status),
				 ways[way].signal);
	else
		prf_sampling_check_exit(7);
	ck_assert_double_ge((double)prf_sampling.run.stats.cpu_ns / 1e9,
			    ways[way].cpu_s);
	ck_assert_uint_eq(prf_sampling.run.stats.cpu_unknown, 0);
	prf_sampling_check_ticks();
}
END_TEST

/* It has those of its start: some milliseconds, or where the machine is emulated as
 * much as its CPU time tells. */
START_TEST(a_sleeper_has_no_ticks)
{
	uint64_t slept_ticks = 300000000 / prf_sampling.config.period_ns;

	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	prf_sampling_run_workload("idle", "0.3");
	prf_sampling_check_exit(0);
	ck_assert_uint_le(prf_sampling.run.stats.ticks,
			  slept_ticks / 6 +
				  prf_sampling.run.stats.cpu_ns /
					  prf_sampling.config.period_ns);
}
END_TEST

START_TEST(one_trigger_that_is_asked_for_is_the_only_one)
{
	prf_sampling.config.trigger = &prf_trigger_interrupt;
	prf_sampling_run_workload("deaths", "return 0.1");
	ck_assert_str_eq(prf_sampling.run.stats.trigger[0].name, "interrupt");
	ck_assert_ptr_null(prf_sampling.run.stats.trigger[1].name);
	ck_assert_uint_eq(prf_sampling.run.stats.trigger[0].threads, 1);
	ck_assert_str_eq(prf_sampling.run.stats.fallback_reason, "");
}
END_TEST

START_TEST(what_the_sink_refuses_is_counted_as_refused)
{
	prf_sampling.recorder.answer = -ENOBUFS;
	prf_sampling_run_workload("deaths", "return 0.2 7");
	prf_sampling_check_exit(7);
	ck_assert_uint_eq(prf_sampling.run.stats.ticks, 0);
	ck_assert_uint_ge(prf_sampling.run.stats.refused, 10);
	ck_assert_uint_eq(prf_sampling.run.stats.refused,
			  prf_sampling.run.stats.trigger[0].ticks);
}
END_TEST

START_TEST(a_queue_between_loses_nothing)
{
	struct prf_sink *queue;

	ck_assert_int_eq(prf_queue_sink_new(&prf_sampling.recorder.base,
					    1 << 20, &queue, &prf_sampling.err),
			 0);
	ck_assert_int_eq(
		prf_sampling_run(queue, prf_workload("deaths"), "return 0.2"),
		0);
	ck_assert_int_eq(queue->ops->finish(queue, &prf_sampling.err), 0);
	queue->ops->free(queue);
	prf_sampling_check_sums();
	prf_sampling_check_ticks();
	ck_assert_uint_eq(prf_sampling.recorder.n_execs, 1);
	ck_assert_uint_gt(prf_sampling.recorder.n_mappings, 1);
}
END_TEST

static int
start_not(void *arg, pid_t pid)
{
	*(pid_t *)arg = pid;
	return -EXDEV;
}

START_TEST(a_program_that_must_not_start_is_killed)
{
	pid_t pid = 0;

	prf_sampling.config.started = start_not;
	prf_sampling.config.started_arg = &pid;
	ck_assert_int_eq(prf_sampling_run(&prf_sampling.recorder.base,
					  prf_workload("idle"), "1000"),
			 -EXDEV);
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(prf_sampling.run.pid, pid);
	ck_assert_int_eq(kill(pid, 0), -1);
	ck_assert_int_eq(errno, ESRCH);
}
END_TEST

START_TEST(a_program_that_is_not_there_never_ran)
{
	ck_assert_int_eq(prf_sampling_run(&prf_sampling.recorder.base,
					  "/nowhere/at/all", ""),
			 -ENOENT);
	ck_assert_int_eq(prf_sampling.run.pid, 0);
	ck_assert_ptr_nonnull(strstr(prf_sampling.err.text, "/nowhere/at/all"));
	ck_assert_uint_eq(prf_sampling.recorder.n_execs, 0);
}
END_TEST

START_TEST(with_the_user_clock_no_tick_is_in_a_call)
{
	prf_sampling.config.clock = PRF_CLOCK_USER;
	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	prf_sampling_run_workload("syscalls", "0.6");
	prf_sampling_check_exit(0);
	ck_assert_uint_eq(prf_sampling.recorder.ticks_in_calls, 0);
	ck_assert_uint_le(prf_sampling.run.stats.ticks * PRF_SAMPLING_PERIOD_NS,
			  prf_sampling.run.stats.cpu_ns);
	ck_assert_uint_gt(prf_sampling.run.stats.ticks, 0);
}
END_TEST

/* Threads are ranked: the last of 4 has four tenths of the time. */
START_TEST(every_thread_is_counted_and_has_its_ticks)
{
	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	prf_sampling_run_workload("threads", "4 1");
	prf_sampling_check_exit(0);
	prf_sampling_check_ticks();
	ck_assert_uint_eq(prf_sampling.run.stats.threads, 5);
	ck_assert_uint_eq(prf_sampling.run.stats.trigger[0].threads, 5);
	ck_assert_uint_eq(prf_sampling.run.stats.unarmed, 0);

	size_t n_tids = 0;
	pid_t seen[5] = {0};
	for (uint64_t i = 0; i < prf_sampling.recorder.n_samples; i++) {
		size_t j = 0;

		while (j < n_tids && seen[j] != prf_sampling.recorder.tids[i])
			j++;
		if (j == n_tids && n_tids < 5)
			seen[n_tids++] = prf_sampling.recorder.tids[i];
	}
	ck_assert_uint_ge(n_tids, 4);
}
END_TEST

/* A thread of 6 ms is met by two ticks of the kernel at most, and by one at
 * least: shorter ones, on a busy machine, by none. */
START_TEST(many_short_threads_are_counted_by_their_time)
{
	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	prf_sampling_run_workload("churn", "1.2 6");
	prf_sampling_check_exit(0);
	ck_assert_uint_ge(prf_sampling.run.stats.threads, 150);
	ck_assert_double_ge((double)prf_sampling.run.stats.ticks,
			    0.2 * (double)prf_sampling.run.stats.cpu_ns /
				    PRF_SAMPLING_PERIOD_NS);
	ck_assert_double_le((double)prf_sampling.run.stats.ticks,
			    1.6 * (double)prf_sampling.run.stats.cpu_ns /
				    PRF_SAMPLING_PERIOD_NS);
}
END_TEST

/* An interrupt is swallowed by the stop that tells of a new thread.  The short
 * threads together take more than the first, most of it for their stops, and a
 * thread of 20 us has a tick by the ring alone: what is asked for is the first
 * thread's time, or a twentieth of it on a busy machine, where the kernel sends a
 * timer's signals so seldom. */
START_TEST(a_busy_thread_that_makes_others_is_seen)
{
	uint64_t first = 0;
	char path[4096];

	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	snprintf(path, sizeof path, "%s/tests/live/spawner",
		 getenv("top_builddir") ? getenv("top_builddir") : ".");
	ck_assert_int_eq(
		prf_sampling_run(&prf_sampling.recorder.base, path, "0.6"), 0);
	prf_sampling_check_exit(0);
	prf_sampling_check_sums();
	ck_assert_uint_ge(prf_sampling.run.stats.ticks,
			  600000000 / PRF_SAMPLING_PERIOD_NS / 20);
	ck_assert_double_le((double)prf_sampling.run.stats.ticks,
			    1.25 * (double)prf_sampling.run.stats.cpu_ns /
					    PRF_SAMPLING_PERIOD_NS +
				    4);
	for (uint64_t i = 0; i < prf_sampling.recorder.n_samples; i++)
		first += prf_sampling.recorder.tids[i] == prf_sampling.run.pid;
	ck_assert_uint_gt(first, 0);
	ck_assert_uint_ge(4 * first, prf_sampling.run.stats.samples);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("sampler");
	TCase *tcase = tcase_create("sampler");

	tcase_add_checked_fixture(tcase, prf_sampling_set_up,
				  prf_sampling_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(
		tcase, a_program_ends_in_its_own_way_and_all_its_time_is_seen,
		0, N_WAYS * PRF_SAMPLING_N_TRIGGERS);
	tcase_add_loop_test(tcase, a_sleeper_has_no_ticks, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	tcase_add_test(tcase, one_trigger_that_is_asked_for_is_the_only_one);
	tcase_add_test(tcase, what_the_sink_refuses_is_counted_as_refused);
	tcase_add_test(tcase, a_queue_between_loses_nothing);
	tcase_add_test(tcase, a_program_that_must_not_start_is_killed);
	tcase_add_test(tcase, a_program_that_is_not_there_never_ran);
	tcase_add_loop_test(tcase, with_the_user_clock_no_tick_is_in_a_call, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	tcase_add_loop_test(tcase, every_thread_is_counted_and_has_its_ticks, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	tcase_add_loop_test(tcase, many_short_threads_are_counted_by_their_time,
			    0, PRF_SAMPLING_N_TRIGGERS);
	tcase_add_loop_test(tcase, a_busy_thread_that_makes_others_is_seen, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	suite_add_tcase(suite, tcase);
	return suite;
}
