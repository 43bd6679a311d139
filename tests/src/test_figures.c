#include "core/event_log.h"
#include "src/figures.h"
#include "support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Each with a value of its own, so that none can stand for another. */
static const struct prf_run run = {
	.stats =
		{
			.ticks = 1,
			.samples = 2,
			.late = 3,
			.stale_map = 4,
			.gone = 5,
			.unseen = 6,
			.refused = 7,
			.in_kernel = 8,
			.paused = 9,
			.early = 10,
			.foreign = 11,
			.eintr_repaired = 12,
			.processes = 13,
			.left_alone = 14,
			.unreached = 15,
			.programs = 16,
			.threads = 17,
			.unarmed = 18,
			.cpu_ns = UINT64_MAX,
			.cpu_unknown = 19,
			.user_us = 20,
			.system_us = 21,
			.wall_ns = 22,
			.own_cpu_ns = 23,
		},
};

START_TEST(each_counter_has_its_figure)
{
	struct event_log log;

	event_log_begin(&log);
	ck_assert_int_eq(prf_figures_give(&run, &log.base), 0);
	log.text[log.n_bytes] = '\0';
	ck_assert_str_eq(log.text, "figure ticks 1\n"
				   "figure samples 2\n"
				   "figure ticks.late 3\n"
				   "figure ticks.stale_map 4\n"
				   "figure ticks.lost.gone 5\n"
				   "figure ticks.lost.unseen 6\n"
				   "figure ticks.lost.refused 7\n"
				   "figure ticks.lost.in_kernel 8\n"
				   "figure ticks.paused 9\n"
				   "figure stops.early 10\n"
				   "figure stops.foreign 11\n"
				   "figure calls.repaired 12\n"
				   "figure processes 13\n"
				   "figure processes.left_alone 14\n"
				   "figure processes.unreached 15\n"
				   "figure programs 16\n"
				   "figure threads 17\n"
				   "figure threads.unarmed 18\n"
				   "figure cpu_ns 18446744073709551615\n"
				   "figure cpu_unknown 19\n"
				   "figure user_us 20\n"
				   "figure system_us 21\n"
				   "figure wall_ns 22\n"
				   "figure own_cpu_ns 23\n");
	event_log_end(&log);
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
	ck_assert_int_eq(prf_figures_give(&run, &log.base), 0);
	for (size_t i = 0, at = 0; i < log.n_events; at = log.ends[i++]) {
		ck_assert_int_eq(sscanf(log.text + at, "figure %63s", name), 1);
		snprintf(wanted, sizeof wanted, "%s", name);
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
	ck_assert_int_eq(prf_figures_give(&run, &all.base), 0);
	ck_assert_int_eq(prf_figures_give(&run, &log.base), -ENOSPC);
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

	ck_assert_int_eq(prf_figures_give(&run, &deaf), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("figures");
	TCase *tcase = tcase_create("figures");

	tcase_add_test(tcase, each_counter_has_its_figure);
	tcase_add_test(tcase, the_manual_has_each_figure);
	tcase_add_test(tcase,
		       a_figure_that_is_refused_keeps_none_of_the_others);
	tcase_add_test(tcase, a_sink_without_figures_is_no_failure);
	suite_add_tcase(suite, tcase);
	return suite;
}
