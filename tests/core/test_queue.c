#include "core/queue.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* A sink that writes down what it is given, and can be held up. */
struct recorder {
	struct prf_sink base;
	char text[65536];
	size_t used;
	int refuse; /* what it returns */
	pthread_mutex_t gate;
	bool *finished, *freed;
};

static int
note(struct recorder *recorder, char kind, long a, const char *b)
{
	pthread_mutex_lock(&recorder->gate);
	recorder->used += (size_t)snprintf(
		recorder->text + recorder->used,
		sizeof recorder->text - recorder->used, "%c%ld%s ", kind, a, b);
	pthread_mutex_unlock(&recorder->gate);
	return recorder->refuse;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	return note((struct recorder *)sink, 'e', exec->pid, exec->path) ||
	       note((struct recorder *)sink, 'c', exec->pid, exec->command);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	return note((struct recorder *)sink, 'm', (long)map->addr, map->path);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	return note((struct recorder *)sink, 's',
		    (long)sample->frames[sample->n_frames - 1].addr, "");
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	return note((struct recorder *)sink, 'l', life->tid, life->name);
}

static int
on_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	return note((struct recorder *)sink, 'f', (long)figure->value,
		    figure->name);
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)err;
	*((struct recorder *)sink)->finished = true;
	return 0;
}

static void
on_free(struct prf_sink *sink)
{
	*((struct recorder *)sink)->freed = true;
}

static const struct prf_sink_ops recorder_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.figure = on_figure,
	.finish = on_finish,
	.free = on_free,
};

static struct recorder recorder;
static bool finished, freed;
static struct prf_sink *queue;

static void
begin(size_t room_bytes)
{
	struct prf_error err;

	recorder = (struct recorder){
		.base.ops = &recorder_ops,
		.gate = PTHREAD_MUTEX_INITIALIZER,
		.finished = &finished,
		.freed = &freed,
	};
	finished = freed = false;
	ck_assert_int_eq(
		prf_queue_sink_new(&recorder.base, room_bytes, &queue, &err),
		0);
}

static int
give_sample(uint64_t addr)
{
	const struct prf_frame frames[2] = {
		{1, PRF_FRAME_PC},
		{addr, PRF_FRAME_RETURN},
	};
	const struct prf_sample sample = {
		.ticks = 3,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 2,
		.frames = frames,
	};

	return queue->ops->sample(queue, &sample);
}

static void
give_mapping(uint64_t addr)
{
	char path[] = "/lib";
	const struct prf_mapping map = {
		.addr = addr,
		.size = 1,
		.path = path,
	};

	ck_assert_int_eq(queue->ops->mapping(queue, &map), 0);
	/* It was lent for the call alone. */
	memset(path, 'x', sizeof path);
}

START_TEST(events_come_out_as_they_went_in)
{
	struct prf_error err;
	const struct prf_exec exec = {
		.pid = 7,
		.path = "/bin/x",
		.command = "x -y",
	};
	const struct prf_life life = {
		.kind = PRF_LIFE_END,
		.tid = 8,
		.name = "worker",
	};
	const struct prf_figure figure = {"cpu_ns", 12};

	begin(1 << 20);
	ck_assert_int_eq(queue->ops->exec(queue, &exec), 0);
	give_mapping(10);
	ck_assert_int_eq(give_sample(11), 0);
	give_mapping(20);
	ck_assert_int_eq(give_sample(21), 0);
	ck_assert_int_eq(prf_sink_life(queue, &life), 0);
	ck_assert_int_eq(prf_sink_figure(queue, &figure), 0);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	ck_assert_str_eq(recorder.text, "e7/bin/x c7x -y m10/lib s11 m20/lib "
					"s21 l8worker f12cpu_ns ");
	ck_assert(finished);
	ck_assert(!freed);
	queue->ops->free(queue);
	ck_assert(freed);
}
END_TEST

START_TEST(without_room_samples_are_refused_and_mappings_are_not)
{
	struct prf_error err;
	int taken = 0, refused = 0;

	begin(4096);
	pthread_mutex_lock(&recorder.gate);
	for (int i = 0; i < 1000; i++) {
		int rc = give_sample(1);

		ck_assert(rc == 0 || rc == -ENOBUFS);
		*(rc ? &refused : &taken) += 1;
		give_mapping(2);
	}
	pthread_mutex_unlock(&recorder.gate);
	ck_assert_int_gt(taken, 0);
	ck_assert_int_gt(refused, 900);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);

	int samples = 0, mappings = 0;
	for (const char *c = recorder.text; *c; c++) {
		samples += *c == 's';
		mappings += *c == 'm';
	}
	ck_assert_int_eq(samples, taken);
	ck_assert_int_eq(mappings, 1000);
	queue->ops->free(queue);
}
END_TEST

START_TEST(room_is_given_back)
{
	struct prf_error err;

	begin(4096);
	for (int i = 0; i < 5000; i++)
		while (give_sample(1))
			sched_yield();
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	queue->ops->free(queue);
}
END_TEST

START_TEST(what_the_sink_refuses_is_counted_and_the_rest_goes_on)
{
	struct prf_error err;

	begin(1 << 20);
	recorder.refuse = -ENOMEM;
	give_mapping(1);
	give_sample(2);
	give_sample(3);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);

	struct prf_losses losses = prf_queue_sink_losses(queue);
	ck_assert_uint_eq(losses.samples, 2);
	ck_assert_uint_eq(losses.ticks, 6);
	ck_assert_uint_eq(losses.others, 1);
	ck_assert_int_eq(losses.code, -ENOMEM);
	ck_assert_str_eq(recorder.text, "m1/lib s2 s3 ");
	queue->ops->free(queue);
}
END_TEST

START_TEST(a_queue_can_be_freed_unfinished)
{
	begin(1 << 20);
	give_sample(1);
	queue->ops->free(queue);
	ck_assert(freed);
	ck_assert(!finished);
}
END_TEST

static int
check_build_id(struct prf_sink *sink, const struct prf_mapping *map)
{
	ck_assert_str_eq(map->path, "/lib/y");
	ck_assert_uint_eq(map->build_id_bytes, 3);
	ck_assert_mem_eq(map->build_id, "\1\0\2", 3);
	return note((struct recorder *)sink, 'b', 0, "");
}

START_TEST(a_build_id_is_kept_with_its_mapping)
{
	struct prf_sink_ops ops = recorder_ops;
	uint8_t build_id[] = {1, 0, 2};
	const struct prf_mapping map = {
		.size = 1,
		.path = "/lib/y",
		.build_id = build_id,
		.build_id_bytes = sizeof build_id,
	};
	struct prf_error err;

	begin(1 << 20);
	ops.mapping = check_build_id;
	recorder.base.ops = &ops;
	ck_assert_int_eq(queue->ops->mapping(queue, &map), 0);
	memset(build_id, 9, sizeof build_id);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	ck_assert_str_eq(recorder.text, "b0 ");
	queue->ops->free(queue);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("queue");
	TCase *tcase = tcase_create("queue");

	tcase_add_test(tcase, events_come_out_as_they_went_in);
	tcase_add_test(tcase,
		       without_room_samples_are_refused_and_mappings_are_not);
	tcase_add_test(tcase, room_is_given_back);
	tcase_add_test(tcase,
		       what_the_sink_refuses_is_counted_and_the_rest_goes_on);
	tcase_add_test(tcase, a_build_id_is_kept_with_its_mapping);
	tcase_add_test(tcase, a_queue_can_be_freed_unfinished);
	suite_add_tcase(suite, tcase);
	return suite;
}
