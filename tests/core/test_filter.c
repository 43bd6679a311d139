#include "core/sink/filter.h"

#include <errno.h>
#include <stdlib.h>

#include "core/event_log.h"
#include "support/suite.h"

static const struct prf_sink_ops all = {
	.exec = prf_filter_exec,
	.mapping = prf_filter_mapping,
	.sample = prf_filter_sample,
	.life = prf_filter_life,
	.figure = prf_filter_figure,
	.finish = prf_filter_finish,
	.free = prf_filter_free,
};
static struct event_log log_;
static struct prf_sink *sink;

static void
setup(void)
{
	struct prf_filter *filter = calloc(1, sizeof *filter);

	ck_assert_ptr_nonnull(filter);
	event_log_begin(&log_);
	*filter = (struct prf_filter){{&all}, &log_.base};
	sink = &filter->base;
}

static void
teardown(void)
{
	event_log_end(&log_);
}

START_TEST(every_event_is_handed_on)
{
	struct random random = random_begin();
	struct event_log want;

	event_log_begin(&want);
	event_log_give_run(&random, 1000, 3, sink);
	random = random_begin();
	event_log_give_run(&random, 1000, 3, &want.base);
	event_log_check_same(&log_, &want);
	event_log_end(&want);
	sink->ops->free(sink);
}
END_TEST

START_TEST(so_are_answers_and_the_end)
{
	const struct prf_exec exec = {.path = "", .command = ""};
	const struct prf_mapping map = {.path = ""};
	const struct prf_frame pc = {0};
	const struct prf_sample sample = {.n_frames = 1, .frames = &pc};
	const struct prf_life life = {.name = ""};
	const struct prf_figure figure = {"", 1};
	bool finished = false, freed = false;
	struct prf_error err;

	log_.finished = &finished;
	log_.freed = &freed;
	log_.answer = -ENOBUFS;
	ck_assert_int_eq(sink->ops->exec(sink, &exec), -ENOBUFS);
	ck_assert_int_eq(sink->ops->mapping(sink, &map), -ENOBUFS);
	ck_assert_int_eq(sink->ops->sample(sink, &sample), -ENOBUFS);
	ck_assert_int_eq(prf_sink_life(sink, &life), -ENOBUFS);
	ck_assert_int_eq(prf_sink_figure(sink, &figure), -ENOBUFS);
	ck_assert_int_eq(sink->ops->finish(sink, &err), -ENOBUFS);
	ck_assert(finished && !freed);
	sink->ops->free(sink);
	ck_assert(freed);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("filter");
	TCase *tcase = tcase_create("filter");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, every_event_is_handed_on);
	tcase_add_test(tcase, so_are_answers_and_the_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
