#include "src/commands/figures.h"

#include "core/event_log.h"
#include "support/suite.h"

static struct event_log seen;
static struct prf_figures figures;

static void
give_figure(struct prf_sink *sink, const char *name, uint64_t value)
{
	const struct prf_figure figure = {name, value};

	ck_assert_int_eq(prf_sink_figure(sink, &figure), 0);
}

START_TEST(what_is_played_is_counted_and_passed_on)
{
	const struct prf_frame frame = {0x1000, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = 1,
		.tid = 1,
		.ticks = 3,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};
	struct prf_sink *sink;

	event_log_begin(&seen);
	ck_assert_int_eq(
		prf_figures_sink_new(&figures, &seen.base, &sink, NULL), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(sink->ops->sample(sink, &sample), 0);
	ck_assert_uint_eq(figures.samples, 2);
	ck_assert_uint_eq(figures.ticks, 6);
	ck_assert(!figures.has_end);
	give_figure(sink, "ticks.late", 4);
	give_figure(sink, "ticks.lost.gone", 1);
	give_figure(sink, "ticks.lost.unseen", 2);
	give_figure(sink, "ticks.lost", 100);
	give_figure(sink, "cpu_ns", 60);
	give_figure(sink, "own_cpu_ns", 7);
	give_figure(sink, "ticks.blocked", 20);
	give_figure(sink, "ticks.waiting", 5);
	ck_assert(figures.has_end);
	ck_assert_uint_eq(figures.without_stop, 25);
	ck_assert_uint_eq(figures.late, 4);
	ck_assert_uint_eq(figures.lost, 3);
	ck_assert_uint_eq(figures.cpu_ns, 60);
	ck_assert_uint_eq(figures.threads_ns, 0);
	ck_assert_uint_eq(seen.n_events, 10);
	sink->ops->free(sink);
	event_log_end(&seen);
	prf_figures_clear(&figures);
}
END_TEST

START_TEST(triggers_with_ticks_are_kept_as_many_as_there_is_room_for)
{
	static const char longest[] = "ticks.by.interrupted_by_hand";
	struct prf_sink *sink;

	event_log_begin(&seen);
	ck_assert_int_eq(
		prf_figures_sink_new(&figures, &seen.base, &sink, NULL), 0);
	give_figure(sink, "ticks.by.ring", 0);
	give_figure(sink, "ticks.by.timer", 7);
	give_figure(sink, "ticks", 8);
	give_figure(sink, longest, 1);
	ck_assert_uint_eq(figures.n_triggers, 2);
	ck_assert_str_eq(figures.triggers[0].name, "timer");
	ck_assert_uint_eq(figures.triggers[0].ticks, 7);
	ck_assert_str_eq(figures.triggers[1].name, "interrupted_by_");
	for (int i = 0; i < 2 * PRF_FIGURES_TRIGGERS; i++)
		give_figure(sink, "ticks.by.more", 2);
	ck_assert_uint_eq(figures.n_triggers, PRF_FIGURES_TRIGGERS);
	sink->ops->free(sink);
	event_log_end(&seen);
	prf_figures_clear(&figures);
}
END_TEST

START_TEST(a_trigger_that_nobody_asked_for_is_none)
{
	struct prf_pctrace_info info = {
		.command = "app",
		.host = "here",
		.trigger = "auto",
	};

	ck_assert_int_eq(prf_figures_begin(&figures, &info, NULL), 0);
	ck_assert_str_eq(figures.asked_trigger, "");
	info.trigger = "timer";
	ck_assert_int_eq(prf_figures_begin(&figures, &info, NULL), 0);
	ck_assert_str_eq(figures.asked_trigger, "timer");
	prf_figures_clear(&figures);
}
END_TEST

START_TEST(what_a_trace_is_about_is_kept)
{
	const struct prf_pctrace_info info = {
		.command = "app x",
		.host = "here",
		.realtime_ns = 5,
		.period_ns = 10,
	};

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(prf_figures_begin(&figures, &info, NULL), 0);
	ck_assert_str_eq(figures.command, "app x");
	ck_assert_str_eq(figures.host, "here");
	ck_assert_uint_eq(figures.realtime_ns, 5);
	ck_assert_uint_eq(figures.period_ns, 10);
	prf_figures_clear(&figures);
	ck_assert_ptr_null(figures.command);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("figures");
	TCase *tcase = tcase_create("figures");

	tcase_add_test(tcase, what_is_played_is_counted_and_passed_on);
	tcase_add_test(
		tcase,
		triggers_with_ticks_are_kept_as_many_as_there_is_room_for);
	tcase_add_test(tcase, a_trigger_that_nobody_asked_for_is_none);
	tcase_add_test(tcase, what_a_trace_is_about_is_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
