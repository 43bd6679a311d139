#include "core/queue.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "core/queued.h"
#include "support/suite.h"

static queued_queue *const both[] = {
	prf_queue_sink_new,
	prf_queue_sink_new_waiting,
};

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

	queued_begin(both[_i], 1 << 20);
	ck_assert_int_eq(queue->ops->exec(queue, &exec), 0);
	queued_give_mapping(10);
	ck_assert_int_eq(queued_give_sample(11), 0);
	queued_give_mapping(20);
	ck_assert_int_eq(queued_give_sample(21), 0);
	ck_assert_int_eq(prf_sink_life(queue, &life), 0);
	ck_assert_int_eq(prf_sink_figure(queue, &figure), 0);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	ck_assert_str_eq(recorder.text, "e7/bin/x c7x -y m10/lib s11 m20/lib "
					"s21 l8worker f12cpu_ns ");
	ck_assert(recorder.finished);
	ck_assert(!recorder.freed);
	queue->ops->free(queue);
	ck_assert(recorder.freed);
}
END_TEST

static int
how_many(char kind)
{
	int n = 0;

	for (const char *c = recorder.text; *c; c++)
		n += *c == kind;
	return n;
}

START_TEST(without_room_samples_are_refused_and_mappings_are_not)
{
	struct prf_error err;
	int taken = 0, refused = 0;

	queued_begin(prf_queue_sink_new, 4096);
	pthread_mutex_lock(&recorder.gate);
	for (int i = 0; i < 1000; i++) {
		int rc = queued_give_sample(1);

		ck_assert(rc == 0 || rc == -ENOBUFS);
		*(rc ? &refused : &taken) += 1;
		queued_give_mapping(2);
	}
	pthread_mutex_unlock(&recorder.gate);
	ck_assert_int_gt(taken, 0);
	ck_assert_int_gt(refused, 900);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);

	ck_assert_int_eq(how_many('s'), taken);
	ck_assert_int_eq(how_many('m'), 1000);
	queue->ops->free(queue);
}
END_TEST

static int
give_sample_of(pid_t pid)
{
	const struct prf_frame frame = {1, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.ticks = 1,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	return queue->ops->sample(queue, &sample);
}

/* Whether or not it has room. */
static void
give_exec_of(pid_t pid)
{
	const struct prf_exec exec = {.pid = pid, .path = "", .command = ""};

	ck_assert_int_eq(queue->ops->exec(queue, &exec), 0);
}

static void
give_fork(pid_t pid, pid_t parent)
{
	const struct prf_life life = {
		.kind = PRF_LIFE_FORK,
		.pid = pid,
		.tid = pid,
		.parent = parent,
		.name = "",
	};

	ck_assert_int_eq(prf_sink_life(queue, &life), 0);
}

/* Waits until all that was given has reached the recorder. */
static void
drain(void)
{
	const struct prf_figure figure = {"drained", 0};

	ck_assert_int_eq(prf_sink_figure(queue, &figure), 0);
	for (bool is_done = false; !is_done; sched_yield()) {
		pthread_mutex_lock(&recorder.gate);
		is_done = strstr(recorder.text, figure.name);
		pthread_mutex_unlock(&recorder.gate);
	}
}

/* A program may map and exec for as long as nobody takes the events. */
START_TEST(what_says_how_samples_are_read_waits_up_to_a_bound)
{
	enum { N = 9000 };
	const struct prf_figure figure = {"n", 12};
	struct prf_error err;

	queued_begin(prf_queue_sink_new, 4096);
	pthread_mutex_lock(&recorder.gate);
	for (int i = 0; i < N; i++)
		queued_give_mapping(2);
	pthread_mutex_unlock(&recorder.gate);
	/* It would be taken for one in what was mapped before. */
	ck_assert_int_eq(queued_give_sample(1), -ENOBUFS);
	ck_assert_int_eq(prf_sink_figure(queue, &figure), 0);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);

	struct prf_losses losses = prf_queue_sink_losses(queue);
	int n_taken = how_many('m');
	ck_assert_int_gt(n_taken, 1000);
	ck_assert_int_lt(n_taken, N / 2);
	ck_assert_uint_eq(losses.others, (uint64_t)(N - n_taken));
	ck_assert_uint_eq(losses.samples, 0);
	ck_assert_int_eq(losses.code, -ENOBUFS);
	ck_assert_int_eq(how_many('s'), 0);
	ck_assert_int_eq(how_many('f'), 1);
	queue->ops->free(queue);
}
END_TEST

START_TEST(once_there_is_room_again_what_is_told_in_full_is_counted)
{
	enum { WHOLE = 1, LOST, FORKED, ITS_CHILD, NEW, OTHERS };
	struct prf_error err;

	queued_begin(prf_queue_sink_new, 4096);
	pthread_mutex_lock(&recorder.gate);
	for (int i = 0; i < 9000; i++)
		queued_give_mapping(2);
	/* These are smaller, and one of them may still have room. */
	for (int i = 0; i < 4; i++)
		give_fork(OTHERS + i, WHOLE);
	give_exec_of(LOST);
	give_fork(FORKED, WHOLE);
	pthread_mutex_unlock(&recorder.gate);
	drain();
	ck_assert_int_eq(give_sample_of(0), -ENOBUFS);
	ck_assert_int_eq(give_sample_of(LOST), -ENOBUFS);
	ck_assert_int_eq(give_sample_of(FORKED), -ENOBUFS);
	ck_assert_int_eq(give_sample_of(WHOLE), 0);
	give_fork(ITS_CHILD, LOST);
	ck_assert_int_eq(give_sample_of(ITS_CHILD), -ENOBUFS);
	give_fork(NEW, WHOLE);
	ck_assert_int_eq(give_sample_of(NEW), 0);
	give_exec_of(LOST);
	ck_assert_int_eq(give_sample_of(LOST), 0);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	ck_assert_int_eq(how_many('s'), 3);
	queue->ops->free(queue);
}
END_TEST

START_TEST(what_waited_makes_room_for_as_much_again)
{
	enum { N = 250, ROUNDS = 20 };
	struct prf_error err;

	queued_begin(prf_queue_sink_new, 4096);
	for (int i = 1; i <= ROUNDS; i++) {
		for (int n = 0; n < N; n++)
			queued_give_mapping(2);
		for (bool is_done = false; !is_done; sched_yield()) {
			pthread_mutex_lock(&recorder.gate);
			is_done = how_many('m') == i * N;
			pthread_mutex_unlock(&recorder.gate);
		}
	}
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	ck_assert_uint_eq(prf_queue_sink_losses(queue).others, 0);
	queue->ops->free(queue);
}
END_TEST

START_TEST(room_is_given_back)
{
	struct prf_error err;

	queued_begin(prf_queue_sink_new, 4096);
	for (int i = 0; i < 5000; i++)
		while (queued_give_sample(1))
			sched_yield();
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	queue->ops->free(queue);
}
END_TEST

enum { N_GIVERS = 4, N_EACH = 1000 };

/* Addresses are the giver's number in thousands, and a number in order. */
static void *
give_in_order(void *arg)
{
	uint64_t giver = *(const uint64_t *)arg;

	for (uint64_t i = 0; i < N_EACH; i++)
		while (queued_give_sample(giver * N_EACH + i))
			sched_yield();
	return NULL;
}

START_TEST(of_several_givers_each_keeps_its_order)
{
	const uint64_t givers[N_GIVERS] = {1, 2, 3, 4};
	unsigned long next[N_GIVERS] = {0};
	pthread_t threads[N_GIVERS];
	struct prf_error err;

	queued_begin(prf_queue_sink_new, 4096);
	for (int i = 0; i < N_GIVERS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
						give_in_order,
						(void *)&givers[i]),
				 0);
	for (int i = 0; i < N_GIVERS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	for (char *at = recorder.text; *at;) {
		ck_assert_int_eq(*at, 's');
		unsigned long addr = strtoul(at + 1, &at, 10);
		unsigned long giver = addr / N_EACH - 1;

		ck_assert_uint_lt(giver, N_GIVERS);
		ck_assert_uint_eq(addr % N_EACH, next[giver]++);
		at++;
	}
	for (int i = 0; i < N_GIVERS; i++)
		ck_assert_uint_eq(next[i], N_EACH);
	queue->ops->free(queue);
}
END_TEST

START_TEST(what_the_sink_refuses_is_counted_and_the_rest_goes_on)
{
	struct prf_error err;

	queued_begin(both[_i], 1 << 20);
	recorder.refuse = -ENOMEM;
	queued_give_mapping(1);
	queued_give_sample(2);
	queued_give_sample(3);
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
	queued_begin(prf_queue_sink_new, 1 << 20);
	queued_give_sample(1);
	queue->ops->free(queue);
	ck_assert(recorder.freed);
	ck_assert(!recorder.finished);
}
END_TEST

static int
check_build_id(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	ck_assert_str_eq(map->path, "/lib/y");
	ck_assert_uint_eq(map->build_id_bytes, 3);
	ck_assert_mem_eq(map->build_id, "\1\0\2", 3);
	return queued_note('b', 0, "");
}

START_TEST(a_build_id_is_kept_with_its_mapping)
{
	struct prf_sink_ops ops = queued_ops;
	uint8_t build_id[] = {1, 0, 2};
	const struct prf_mapping map = {
		.size = 1,
		.path = "/lib/y",
		.build_id = build_id,
		.build_id_bytes = sizeof build_id,
	};
	struct prf_error err;

	queued_begin(prf_queue_sink_new, 1 << 20);
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

	tcase_add_loop_test(tcase, events_come_out_as_they_went_in, 0, 2);
	tcase_add_test(tcase,
		       without_room_samples_are_refused_and_mappings_are_not);
	tcase_add_test(tcase,
		       what_says_how_samples_are_read_waits_up_to_a_bound);
	tcase_add_test(
		tcase,
		once_there_is_room_again_what_is_told_in_full_is_counted);
	tcase_add_test(tcase, what_waited_makes_room_for_as_much_again);
	tcase_add_test(tcase, room_is_given_back);
	tcase_add_test(tcase, of_several_givers_each_keeps_its_order);
	tcase_add_loop_test(
		tcase, what_the_sink_refuses_is_counted_and_the_rest_goes_on, 0,
		2);
	tcase_add_test(tcase, a_build_id_is_kept_with_its_mapping);
	tcase_add_test(tcase, a_queue_can_be_freed_unfinished);
	suite_add_tcase(suite, tcase);
	return suite;
}
