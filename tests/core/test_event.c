#include "core/sink/event.h"

#include <errno.h>
#include <stdlib.h>

#include "core/event_log.h"
#include "support/suite.h"

enum { N_EVENTS = 2000 };

/* A sink that gives an event to one log, and keeps a copy for another. */
struct keeper {
	struct prf_sink base;
	struct event_log seen;
	struct prf_event *kept[N_EVENTS];
	size_t n;
};

static int
keep(struct prf_sink *sink, enum prf_event_kind kind, const void *what)
{
	struct keeper *keeper = (struct keeper *)sink;
	size_t n_bytes = prf_event_bytes(kind, what);
	struct prf_event *event = malloc(n_bytes); /* and no byte more */

	ck_assert(event && keeper->n < N_EVENTS);
	ck_assert_uint_eq(n_bytes % _Alignof(struct prf_event), 0);
	prf_event_put(event, n_bytes, kind, what);
	ck_assert_uint_eq(event->n_bytes, n_bytes);
	keeper->kept[keeper->n++] = event;
	return 0;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_sink *seen = &((struct keeper *)sink)->seen.base;

	return keep(sink, PRF_EVENT_EXEC, exec) || seen->ops->exec(seen, exec);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct prf_sink *seen = &((struct keeper *)sink)->seen.base;

	return keep(sink, PRF_EVENT_MAPPING, map) ||
	       seen->ops->mapping(seen, map);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_sink *seen = &((struct keeper *)sink)->seen.base;

	return keep(sink, PRF_EVENT_SAMPLE, sample) ||
	       seen->ops->sample(seen, sample);
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	return keep(sink, PRF_EVENT_LIFE, life) ||
	       prf_sink_life(&((struct keeper *)sink)->seen.base, life);
}

static int
on_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	return keep(sink, PRF_EVENT_FIGURE, figure) ||
	       prf_sink_figure(&((struct keeper *)sink)->seen.base, figure);
}

static const struct prf_sink_ops keeper_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.figure = on_figure,
};

static struct keeper keeper;

/* What the events pointed to is gone when the copies are given. */
START_TEST(a_copy_is_the_event_when_the_event_is_gone)
{
	struct random random = random_begin();
	struct event_log again;
	bool has[PRF_EVENT_FIGURE + 1] = {false};

	keeper.base.ops = &keeper_ops;
	event_log_begin(&keeper.seen);
	event_log_begin(&again);
	event_log_give_any(&random, N_EVENTS, &keeper.base);
	ck_assert_uint_eq(keeper.n, N_EVENTS);
	for (size_t i = 0; i < N_EVENTS; i++) {
		has[keeper.kept[i]->kind] = true;
		ck_assert_int_eq(prf_event_give(keeper.kept[i], &again.base),
				 0);
		free(keeper.kept[i]);
	}
	event_log_check_same(&keeper.seen, &again);
	for (size_t kind = 0; kind <= PRF_EVENT_FIGURE; kind++)
		ck_assert_msg(has[kind], "no event of kind %zu", kind);
	event_log_end(&keeper.seen);
	event_log_end(&again);
}
END_TEST

static int
check_copy(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	ck_assert_uint_eq(sample->n_frames, 2);
	ck_assert_uint_eq(sample->frames[1].addr, 2);
	ck_assert_uint_eq(sample->stack_copy_bytes, 5);
	ck_assert_str_eq(sample->stack_copy, "copy");
	ck_assert_uint_eq(sample->kernel->n, 2);
	ck_assert_str_eq(sample->kernel->names[0], "inner");
	ck_assert_str_eq(sample->kernel->names[1], "outer");
	return 0;
}

START_TEST(what_a_stack_is_made_of_comes_along)
{
	const struct prf_sink_ops ops = {.sample = check_copy};
	const struct prf_frame frames[] = {{1, PRF_FRAME_PC},
					   {2, PRF_FRAME_RETURN}};
	struct prf_sink sink = {&ops};
	char memory[] = "copy", inner[] = "inner";
	const char *const names[] = {inner, "outer"};
	const struct prf_kernel_functions kernel = {2, names};
	const struct prf_sample sample = {
		.ticks = 1,
		.n_frames = 2,
		.frames = frames,
		.stack_copy = memory,
		.stack_copy_bytes = sizeof memory,
		.kernel = &kernel,
	};

	size_t n_bytes = prf_event_bytes(PRF_EVENT_SAMPLE, &sample);
	struct prf_event *event = malloc(n_bytes);
	ck_assert_ptr_nonnull(event);
	prf_event_put(event, n_bytes, PRF_EVENT_SAMPLE, &sample);
	memory[0] = inner[0] = '-';
	ck_assert_int_eq(prf_event_give(event, &sink), 0);
	free(event);
}
END_TEST

static int
refuse(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	(void)sample;
	return -ENOBUFS;
}

START_TEST(a_sink_is_free_to_refuse_or_to_ignore_it)
{
	const struct prf_sink_ops ops = {.sample = refuse};
	const struct prf_frame pc = {1, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.ticks = 3,
		.n_frames = 1,
		.frames = &pc,
	};
	const struct prf_figure figure = {"cpu_ns", 1};
	struct prf_sink sink = {&ops};
	uint64_t room[32];

	size_t n_bytes = prf_event_bytes(PRF_EVENT_SAMPLE, &sample);
	ck_assert_uint_le(n_bytes, sizeof room);
	prf_event_put(room, n_bytes, PRF_EVENT_SAMPLE, &sample);
	const struct prf_event *event = (const void *)room;
	ck_assert_int_eq(prf_event_give(event, &sink), -ENOBUFS);
	ck_assert_uint_eq(prf_event_ticks(event), 3);

	n_bytes = prf_event_bytes(PRF_EVENT_FIGURE, &figure);
	ck_assert_uint_le(n_bytes, sizeof room);
	prf_event_put(room, n_bytes, PRF_EVENT_FIGURE, &figure);
	ck_assert_int_eq(prf_event_give(event, &sink), 0);
	ck_assert_uint_eq(prf_event_ticks(event), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("event");
	TCase *tcase = tcase_create("event");

	tcase_add_test(tcase, a_copy_is_the_event_when_the_event_is_gone);
	tcase_add_test(tcase, what_a_stack_is_made_of_comes_along);
	tcase_add_test(tcase, a_sink_is_free_to_refuse_or_to_ignore_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
