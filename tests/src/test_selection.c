#include "core/event_log.h"
#include "core/tee.h"
#include "src/commands/selection.h"
#include "support/suite.h"

#include <errno.h>
#include <string.h>

static struct event_log seen;
static bool finished, freed;

static struct prf_sink *
new_selection(const struct prf_selection *selection)
{
	struct prf_sink *sink = NULL;

	event_log_begin(&seen);
	seen.finished = &finished;
	seen.freed = &freed;
	ck_assert_int_eq(
		prf_selection_sink_new(selection, &seen.base, &sink, NULL), 0);
	return sink;
}

static void
drop(struct prf_sink *sink)
{
	sink->ops->free(sink);
	event_log_end(&seen);
}

static int
give(struct prf_sink *sink, pid_t pid, pid_t tid, uint64_t time_ns)
{
	static const struct prf_frame frame = {0x1000, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = tid,
		.time_ns = time_ns,
		.ticks = 1,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	return sink->ops->sample(sink, &sample);
}

/* A selection, a sample, and whether it passes. */
static const struct {
	struct prf_selection selection;
	pid_t pid, tid;
	uint64_t time_ns;
	bool passes;
} cases[] = {
	{{0, UINT64_MAX, 0, 0}, 1, 1, 0, true},
	{{0, UINT64_MAX, 0, 0}, INT32_MAX, INT32_MAX, UINT64_MAX - 1, true},
	/* [from, to) */
	{{10, 20, 0, 0}, 1, 1, 9, false},
	{{10, 20, 0, 0}, 1, 1, 10, true},
	{{10, 20, 0, 0}, 1, 1, 19, true},
	{{10, 20, 0, 0}, 1, 1, 20, false},
	{{10, 10, 0, 0}, 1, 1, 10, false},
	{{20, 10, 0, 0}, 1, 1, 15, false},
	{{UINT64_MAX, UINT64_MAX, 0, 0}, 1, 1, UINT64_MAX, false},
	/* ids */
	{{0, UINT64_MAX, 7, 0}, 7, 9, 0, true},
	{{0, UINT64_MAX, 7, 0}, 9, 7, 0, false},
	{{0, UINT64_MAX, 0, 7}, 9, 7, 0, true},
	{{0, UINT64_MAX, 0, 7}, 7, 9, 0, false},
	{{0, UINT64_MAX, 7, 9}, 7, 9, 0, true},
	{{0, UINT64_MAX, 7, 9}, 7, 8, 0, false},
	{{0, UINT64_MAX, 7, 9}, 8, 9, 0, false},
	/* all of it must hold */
	{{10, 20, 7, 9}, 7, 9, 15, true},
	{{10, 20, 7, 9}, 7, 9, 20, false},
};

START_TEST(a_sample_passes_if_all_of_the_selection_says_so)
{
	struct prf_sink *sink = new_selection(&cases[_i].selection);

	ck_assert_int_eq(
		give(sink, cases[_i].pid, cases[_i].tid, cases[_i].time_ns), 0);
	ck_assert_uint_eq(seen.n_events, cases[_i].passes);
	drop(sink);
}
END_TEST

/* Any events, to DIRECT and through SELECTION to SEEN. */
static void
give_any(struct event_log *direct, const struct prf_selection *selection)
{
	struct random random = random_begin();
	struct prf_sink *sinks[2] = {&direct->base, new_selection(selection)},
			*tee;

	event_log_begin(direct);
	ck_assert_int_eq(prf_tee_sink_new(sinks, 2, &tee, NULL), 0);
	event_log_give_any(&random, 2000, tee);
	tee->ops->free(tee);
}

START_TEST(a_selection_that_lets_all_pass_changes_no_event)
{
	static const struct prf_selection open = {0, UINT64_MAX, 0, 0};
	struct event_log direct;

	give_any(&direct, &open);
	event_log_check_subset(&seen, &direct);
	/* The last moment of all is after every range. */
	ck_assert_uint_ge(seen.n_events + 10, direct.n_events);
	event_log_end(&direct);
	event_log_end(&seen);
}
END_TEST

START_TEST(what_is_no_sample_passes_any_sieve)
{
	static const struct prf_selection closed = {1, 1, 1, 1};
	struct event_log direct;
	size_t n_samples = 0, at = 0;

	give_any(&direct, &closed);
	for (size_t i = 0; i < direct.n_events; at = direct.ends[i++])
		n_samples += strncmp(direct.text + at, "sample", 6) == 0;
	ck_assert_uint_gt(n_samples, 100);
	ck_assert_uint_eq(seen.n_events, direct.n_events - n_samples);
	event_log_check_subset(&seen, &direct);
	event_log_end(&direct);
	event_log_end(&seen);
}
END_TEST

START_TEST(an_answer_is_handed_back)
{
	static const struct prf_selection selection = {0, 10, 0, 0};
	static const struct prf_life life = {
		.kind = PRF_LIFE_EXIT, .pid = 1, .tid = 1, .name = ""};
	static const struct prf_figure figure = {"ticks", 1};
	struct prf_error err = {0};
	struct prf_sink *sink = new_selection(&selection);

	seen.answer = -ENOBUFS;
	ck_assert_int_eq(give(sink, 1, 1, 5), -ENOBUFS);
	/* Left out is not refused. */
	ck_assert_int_eq(give(sink, 1, 1, 10), 0);
	ck_assert_int_eq(prf_sink_life(sink, &life), -ENOBUFS);
	ck_assert_int_eq(prf_sink_figure(sink, &figure), -ENOBUFS);
	ck_assert_int_eq(sink->ops->finish(sink, &err), -ENOBUFS);
	ck_assert_int_eq(err.code, -ENOBUFS);
	drop(sink);
}
END_TEST

START_TEST(the_inner_sink_is_finished_and_freed_with_it)
{
	static const struct prf_selection selection = {0};
	struct prf_sink *sink = new_selection(&selection);

	finished = freed = false;
	ck_assert_int_eq(sink->ops->finish(sink, NULL), 0);
	ck_assert(finished && !freed);
	sink->ops->free(sink);
	ck_assert(freed);
	event_log_end(&seen);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("selection");
	TCase *tcase = tcase_create("selection");

	tcase_add_loop_test(tcase,
			    a_sample_passes_if_all_of_the_selection_says_so, 0,
			    sizeof cases / sizeof *cases);
	tcase_add_test(tcase, a_selection_that_lets_all_pass_changes_no_event);
	tcase_add_test(tcase, what_is_no_sample_passes_any_sieve);
	tcase_add_test(tcase, an_answer_is_handed_back);
	tcase_add_test(tcase, the_inner_sink_is_finished_and_freed_with_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
