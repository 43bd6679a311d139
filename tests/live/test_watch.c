#include "live/watch.h"

#include <errno.h>

#include "support/suite.h"

/* A sink that has no room for stacks, or for nothing. */
struct narrow {
	struct prf_sink base;
	int answer_to_stack, answer;
	unsigned n_stacks, n_bare;
};

static int
take(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct narrow *narrow = (struct narrow *)sink;

	narrow->n_stacks += sample->stack_copy != NULL;
	narrow->n_bare += sample->stack_copy == NULL;
	ck_assert_int_eq(sample->stack_copy != NULL,
			 sample->stack_copy_bytes > 0);
	ck_assert_uint_eq(sample->ticks, 3);
	return sample->stack_copy ? narrow->answer_to_stack : narrow->answer;
}

static const struct prf_sink_ops ops = {.sample = take};

static const char stack[] = "stack";
static const struct prf_sample with_stack = {
	.ticks = 3,
	.stack_copy = stack,
	.stack_copy_bytes = sizeof stack,
};
static const struct prf_sample bare = {.ticks = 3};

static const struct {
	const struct prf_sample *sample;
	int answer_to_stack, answer;
	int rc;
	unsigned n_stacks, n_bare;
	uint64_t stackless;
} cases[] = {
	{&with_stack, 0, 0, 0, 1, 0, 0},
	{&with_stack, -ENOBUFS, 0, 0, 1, 1, 3},
	{&with_stack, -ENOBUFS, -ENOBUFS, -ENOBUFS, 1, 1, 0},
	{&with_stack, -EIO, 0, -EIO, 1, 0, 0},
	{&bare, 0, 0, 0, 0, 1, 0},
	{&bare, 0, -ENOBUFS, -ENOBUFS, 0, 1, 0},
};

START_TEST(a_sample_without_room_for_its_stack_is_sent_without_it)
{
	struct narrow narrow = {
		.base = {&ops},
		.answer_to_stack = cases[_i].answer_to_stack,
		.answer = cases[_i].answer,
	};
	struct prf_sampler_stats stats = {0};
	struct prf_watch watch = {.sink = &narrow.base, .stats = &stats};

	ck_assert_int_eq(prf_watch_send(&watch, cases[_i].sample),
			 cases[_i].rc);
	ck_assert_uint_eq(narrow.n_stacks, cases[_i].n_stacks);
	ck_assert_uint_eq(narrow.n_bare, cases[_i].n_bare);
	ck_assert_uint_eq(stats.stackless, cases[_i].stackless);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("watch");
	TCase *tcase = tcase_create("core");

	tcase_add_loop_test(
		tcase, a_sample_without_room_for_its_stack_is_sent_without_it,
		0, (int)(sizeof cases / sizeof *cases));
	suite_add_tcase(suite, tcase);
	return suite;
}
