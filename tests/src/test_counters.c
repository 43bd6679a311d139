#include "core/event_log.h"
#include "src/output/counters.h"
#include "support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each with a value of its own, so that none can stand for another. */
static const struct prf_run run = {
	.stats =
		{
			.ticks = 1,
			.samples = 2,
			.late = 3,
			.stale_map = 4,
			.stackless = 36,
			.gone = 5,
			.unseen = 6,
			.refused = 7,
			.no_room = 38,
			.in_step_ns = 39,
			.in_kernel = 8,
			.paused = 9,
			.early = 10,
			.foreign = 11,
			.eintr_repaired = 12,
			.eintr_left = 41,
			.processes = 13,
			.left_alone = 14,
			.unreached = 15,
			.programs = 16,
			.threads = 17,
			.unarmed = 18,
			.cpu_ns = UINT64_MAX,
			.in_calls = 35,
			.in_faults = 40,
			.unsampled = 42,
			.brief = 37,
			.stops_ns = 34,
			.cpu_unknown = 19,
			.user_us = 20,
			.system_us = 21,
			.wall_ns = 22,
			.paused_ns = 45,
			.own_cpu_ns = 23,
			.trigger = {{.name = "ring"},
				    {.name = "timer", .ticks = 43},
				    {.name = "interrupt", .ticks = 44}},
			.wall =
				{
					.blocked = 24,
					.waiting = 25,
					.together = 26,
					.samples = 27,
					.torn = 37,
					.hidden = 28,
					.stopped = 36,
					.threads_ns = 29,
				},
		},
};

static const struct prf_profile_counters profile = {
	.outside = 30,
	.saturated = 31,
	.idle = 32,
	.programs = 33,
};

/* What the counters of the profile have lost is known later. */
START_TEST(ticks_that_are_lost_are_summed_up)
{
	ck_assert_uint_eq(prf_counters_lost(&run), 5 + 6 + 36 + 38 + 7 + 8);
}
END_TEST

START_TEST(each_counter_of_a_run_has_its_figure)
{
	struct event_log log;

	event_log_begin(&log);
	ck_assert_int_eq(prf_counters_give(&run, &log.base), 0);
	log.text[log.n_bytes] = '\0';
	ck_assert_str_eq(log.text, "figure ticks.by.timer 43\n"
				   "figure ticks.by.interrupt 44\n"
				   "figure ticks 1\n"
				   "figure samples 2\n"
				   "figure ticks.late 3\n"
				   "figure ticks.in_calls 35\n"
				   "figure ticks.in_faults 40\n"
				   "figure ticks.unsampled 42\n"
				   "figure ticks.blocked 24\n"
				   "figure ticks.waiting 25\n"
				   "figure ticks.together 26\n"
				   "figure ticks.brief 37\n"
				   "figure ticks.stale_map 4\n"
				   "figure ticks.stackless 36\n"
				   "figure ticks.lost.gone 5\n"
				   "figure ticks.lost.unseen 6\n"
				   "figure ticks.lost.stopped 36\n"
				   "figure ticks.lost.no_room 38\n"
				   "figure ticks.lost.refused 7\n"
				   "figure ticks.lost.in_kernel 8\n"
				   "figure ticks.paused 9\n"
				   "figure stops.early 10\n"
				   "figure stops.foreign 11\n"
				   "figure calls.repaired 12\n"
				   "figure calls.not_repaired 41\n"
				   "figure processes 13\n"
				   "figure processes.left_alone 14\n"
				   "figure processes.unreached 15\n"
				   "figure programs 16\n"
				   "figure threads 17\n"
				   "figure threads.unarmed 18\n"
				   "figure threads.hidden 28\n"
				   "figure samples.unstopped 27\n"
				   "figure stacks.torn 37\n"
				   "figure cpu_unknown 19\n"
				   "figure cpu_ns 18446744073709551615\n"
				   "figure in_step_ns 39\n"
				   "figure stops_ns 34\n"
				   "figure user_us 20\n"
				   "figure system_us 21\n"
				   "figure wall_ns 22\n"
				   "figure paused_ns 45\n"
				   "figure threads_ns 29\n"
				   "figure own_cpu_ns 23\n");
	event_log_end(&log);
}
END_TEST

/* What -v prints; the caller's to free. */
static char *
printed(const struct prf_run *of_run, const struct prf_profile_counters *counts)
{
	char *text = NULL;
	size_t n_bytes;
	FILE *out = open_memstream(&text, &n_bytes);

	prf_counters_print(of_run, counts, out);
	fclose(out);
	return text;
}

START_TEST(each_counter_has_its_line)
{
	char *text = printed(&run, &profile);

	ck_assert_str_eq(
		text,
		"           1  tick in the profile\n"
		"           2  samples they came with\n"
		"           3  ticks that came late\n"
		"          35  ticks in system calls\n"
		"          40  ticks in page faults\n"
		"          42  ticks in switches to threads, and in their "
		"ends\n"
		"          24  ticks of threads that were blocked\n"
		"          25  ticks of threads waiting for a processor\n"
		"          26  ticks that came together\n"
		"          37  ticks stopped from outside, of threads that run "
		"only briefly\n"
		"           4  ticks whose mapping was not verified\n"
		"          36  ticks whose stacks were lost\n"
		"          30  ticks outside of all binaries\n"
		"           5  ticks of threads that were gone\n"
		"           6  ticks at the ends of threads\n"
		"          36  ticks while stopped for samples\n"
		"          38  ticks that the kernel had no room for\n"
		"           7  ticks refused\n"
		"           8  ticks in the kernel, with --clock=user\n"
		"          31  ticks in full counters\n"
		"           9  ticks while counting was off\n"
		"          10  stops before a tick was due\n"
		"          11  stops of the program's own\n"
		"          12  system calls kept from EINTR\n"
		"          41  system calls that failed with EINTR by a stop\n"
		"          13  processes\n"
		"          32  processes without ticks\n"
		"          14  processes left to their debuggers\n"
		"          15  descendants that could not be attached to\n"
		"          33  programs with ticks\n"
		"          17  threads\n"
		"          18  threads that could not be watched\n"
		"          28  threads that hide where they are blocked\n"
		"          27  samples of threads that were not stopped\n"
		"          37  stacks of threads that went on meanwhile\n"
		"          19  threads without a readable clock\n");
	free(text);
}
END_TEST

START_TEST(what_is_not_there_has_no_line)
{
	static const struct prf_run no_run;
	const struct prf_profile_counters one = {.idle = 1};
	char *text = printed(&no_run, &one);

	ck_assert_str_eq(text, "           0  ticks in the profile\n"
			       "           0  samples they came with\n"
			       "           1  process without ticks\n");
	free(text);
}
END_TEST

START_TEST(the_summary_has_each_reason_to_lose_ticks)
{
	static const struct prf_loss expected[] = {
		{"of threads that were gone", 5},
		{"at the ends of threads", 6},
		{"while stopped for samples", 36},
		{"that the kernel had no room for", 38},
		{"refused", 7},
		{"in the kernel, with --clock=user", 8},
		{"in full counters", 31},
	};
	const size_t n = sizeof expected / sizeof *expected;
	struct prf_loss losses[PRF_MAX_LOSSES];

	prf_counters_losses(&run, &profile, losses);
	for (size_t i = 0; i < n; i++) {
		ck_assert_str_eq(losses[i].reason, expected[i].reason);
		ck_assert_uint_eq(losses[i].ticks, expected[i].ticks);
	}
	ck_assert_ptr_null(losses[n].reason);
}
END_TEST

/* pctrace(5) is where users look a figure up. */
START_TEST(the_manual_has_each_figure)
{
	struct event_log log;
	char page[200000], name[64], wanted[80];
	FILE *file = fopen(prf_test_file("../man/pctrace.5"), "r");

	ck_assert_ptr_nonnull(file);
	size_t n = fread(page, 1, sizeof page - 1, file);
	fclose(file);
	page[n] = '\0';
	event_log_begin(&log);
	ck_assert_int_eq(prf_counters_give(&run, &log.base), 0);
	for (size_t i = 0, at = 0; i < log.n_events; at = log.ends[i++]) {
		ck_assert_int_eq(sscanf(log.text + at, "figure %63s", name), 1);
		snprintf(wanted, sizeof wanted, ".It Li %s Ta ", name);
		ck_assert_msg(strstr(page, wanted) != NULL,
			      "pctrace(5) has no %s", name);
	}
	event_log_end(&log);
}
END_TEST

START_TEST(a_figure_that_is_refused_keeps_none_of_the_others)
{
	struct event_log all, log;

	event_log_begin(&all);
	event_log_begin(&log);
	log.answer = -ENOSPC;
	ck_assert_int_eq(prf_counters_give(&run, &all.base), 0);
	ck_assert_int_eq(prf_counters_give(&run, &log.base), -ENOSPC);
	event_log_check_same(&all, &log);
	event_log_end(&all);
	event_log_end(&log);
}
END_TEST

static int
no_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	(void)err;
	return 0;
}

START_TEST(a_sink_without_figures_is_no_failure)
{
	static const struct prf_sink_ops ops = {.finish = no_finish};
	struct prf_sink deaf = {&ops};

	ck_assert_int_eq(prf_counters_give(&run, &deaf), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("counters");
	TCase *tcase = tcase_create("counters");

	tcase_add_test(tcase, ticks_that_are_lost_are_summed_up);
	tcase_add_test(tcase, each_counter_of_a_run_has_its_figure);
	tcase_add_test(tcase, each_counter_has_its_line);
	tcase_add_test(tcase, what_is_not_there_has_no_line);
	tcase_add_test(tcase, the_summary_has_each_reason_to_lose_ticks);
	tcase_add_test(tcase, the_manual_has_each_figure);
	tcase_add_test(tcase,
		       a_figure_that_is_refused_keeps_none_of_the_others);
	tcase_add_test(tcase, a_sink_without_figures_is_no_failure);
	suite_add_tcase(suite, tcase);
	return suite;
}
