#include "core/tee.h"

#include <errno.h>

#include "core/event_log.h"
#include "support/suite.h"

enum { N = 3 };
static struct event_log logs[N];
static bool finished[N], freed[N];
static struct prf_sink *tee;

static void
begin(void)
{
	struct prf_sink *sinks[N];
	struct prf_error err;

	for (int i = 0; i < N; i++) {
		event_log_begin(&logs[i]);
		logs[i].finished = &finished[i];
		logs[i].freed = &freed[i];
		finished[i] = freed[i] = false;
		sinks[i] = &logs[i].base;
	}
	ck_assert_int_eq(prf_tee_sink_new(sinks, N, &tee, &err), 0);
}

static void
end(void)
{
	tee->ops->free(tee);
	for (int i = 0; i < N; i++) {
		ck_assert(freed[i]);
		event_log_end(&logs[i]);
	}
}

static int
give_sample(uint32_t ticks)
{
	const struct prf_frame pc = {1, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.ticks = ticks,
		.n_frames = 1,
		.frames = &pc,
	};

	return tee->ops->sample(tee, &sample);
}

START_TEST(every_sink_is_given_every_event)
{
	struct random random = random_begin();

	begin();
	event_log_give_any(&random, 1000, tee);
	ck_assert_uint_eq(logs[0].n_events, 1000);
	event_log_check_same(&logs[1], &logs[0]);
	event_log_check_same(&logs[2], &logs[0]);
	end();
}
END_TEST

START_TEST(one_that_refuses_keeps_no_event_from_the_others)
{
	const struct prf_figure figure = {"name", 1};

	begin();
	logs[_i].answer = -ENOSPC;
	ck_assert_int_eq(give_sample(5), _i == 0 ? -ENOSPC : 0);
	ck_assert_int_eq(give_sample(6), _i == 0 ? -ENOSPC : 0);
	ck_assert_int_eq(prf_sink_figure(tee, &figure), _i == 0 ? -ENOSPC : 0);
	for (int i = 0; i < N; i++) {
		struct prf_losses losses = prf_tee_sink_losses(tee, (size_t)i);

		ck_assert_uint_eq(logs[i].n_events, 3);
		ck_assert_uint_eq(losses.ticks, i == _i ? 11 : 0);
		ck_assert_uint_eq(losses.samples, i == _i ? 2 : 0);
		ck_assert_uint_eq(losses.others, i == _i ? 1 : 0);
		ck_assert_int_eq(losses.code, i == _i ? -ENOSPC : 0);
	}
	end();
}
END_TEST

START_TEST(all_are_finished_and_the_first_failure_is_said)
{
	struct prf_error err = {0};

	begin();
	logs[1].answer = -EIO;
	logs[2].answer = -ENOSPC;
	ck_assert_int_eq(tee->ops->finish(tee, &err), -EIO);
	ck_assert_int_eq(err.code, -EIO);
	for (int i = 0; i < N; i++)
		ck_assert(finished[i]);
	end();
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("tee");
	TCase *tcase = tcase_create("tee");

	tcase_add_test(tcase, every_sink_is_given_every_event);
	tcase_add_loop_test(
		tcase, one_that_refuses_keeps_no_event_from_the_others, 0, N);
	tcase_add_test(tcase, all_are_finished_and_the_first_failure_is_said);
	suite_add_tcase(suite, tcase);
	return suite;
}
