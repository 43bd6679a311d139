/* What a queue's thread does now and then. */
#include "core/queue.h"

#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/queued.h"
#include "support/suite.h"

static sem_t made;
static unsigned n_made;

/* What the recorder had when the call was made. */
static char seen[64];

static void
make(void *arg)
{
	ck_assert_ptr_eq(arg, &made);
	snprintf(seen, sizeof seen, "%.60s", recorder.text);
	n_made++;
	sem_post(&made);
}

static void
begin(uint64_t every_ns)
{
	sem_init(&made, 0, 0);
	n_made = 0;
	queued_begin(prf_queue_sink_new, 1 << 20);
	prf_queue_sink_every(queue, every_ns, make, &made);
}

static void
finish(void)
{
	struct prf_error err;

	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	queue->ops->free(queue);
}

/* As in a program that has worked for a while, and sleeps since. */
START_TEST(a_round_comes_without_another_event)
{
	begin(1000000);
	ck_assert_int_eq(queued_give_sample(1), 0);
	sem_wait(&made);
	ck_assert_str_eq(seen, "s1 ");
	ck_assert_int_eq(queued_give_sample(2), 0);
	sem_wait(&made);
	ck_assert_str_eq(seen, "s1 s2 ");
	finish();
}
END_TEST

START_TEST(without_news_there_is_no_round)
{
	begin(1);
	ck_assert_int_eq(queued_give_sample(1), 0);
	sem_wait(&made);
	finish();
	ck_assert_uint_eq(n_made, 1);
}
END_TEST

/* As a file that cannot be written while the disk is full. */
static void
fail_twice(void *arg)
{
	if (n_made < 2)
		prf_queue_sink_again(queue);
	make(arg);
}

START_TEST(a_round_that_asks_for_it_comes_again_without_news)
{
	begin(1);
	prf_queue_sink_every(queue, 1, fail_twice, &made);
	ck_assert_int_eq(queued_give_sample(1), 0);
	for (unsigned i = 0; i < 3; i++)
		sem_wait(&made);
	finish();
	ck_assert_uint_eq(n_made, 3);
}
END_TEST

START_TEST(rounds_are_as_far_apart_as_was_said)
{
	const uint64_t hour_ns = UINT64_C(3600000000000);

	begin(hour_ns);
	for (unsigned i = 0; i < 1000; i++)
		ck_assert_int_eq(queued_give_sample(i), 0);
	finish();
	ck_assert_uint_eq(n_made, 0);
}
END_TEST

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* When the rounds began and ended. */
static uint64_t begun_ns[2], ended_ns[2];

static void
make_slowly(void *arg)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	unsigned n = n_made;

	if (n < 2)
		begun_ns[n] = now_ns();
	nanosleep(&pause, NULL);
	if (n < 2)
		ended_ns[n] = now_ns();
	make(arg);
}

START_TEST(rounds_that_take_long_are_far_apart)
{
	begin(1);
	prf_queue_sink_every(queue, 1, make_slowly, &made);
	ck_assert_int_eq(queued_give_sample(1), 0);
	sem_wait(&made);
	ck_assert_int_eq(queued_give_sample(2), 0);
	sem_wait(&made);
	finish();
	ck_assert_uint_ge(begun_ns[1] - ended_ns[0],
			  20 * (ended_ns[0] - begun_ns[0]));
}
END_TEST

START_TEST(a_steady_round_needs_no_event)
{
	sem_init(&made, 0, 0);
	n_made = 0;
	queued_begin(prf_queue_sink_new, 1 << 20);
	uint64_t first_ns = now_ns() + 2000000;
	prf_queue_sink_steadily(queue, first_ns, 1000000, make, &made);
	for (unsigned i = 0; i < 3; i++)
		sem_wait(&made);
	ck_assert_uint_ge(now_ns(), first_ns + 2000000);
	/* Nor does it wait for events to gather. */
	ck_assert_uint_lt(now_ns(), first_ns + 1000000000);
	ck_assert_str_eq(seen, "");
	finish();
}
END_TEST

START_TEST(a_steady_round_that_takes_long_leaves_others_out_and_comes_again)
{
	sem_init(&made, 0, 0);
	n_made = 0;
	queued_begin(prf_queue_sink_new, 1 << 20);
	prf_queue_sink_steadily(queue, now_ns(), 3000000, make_slowly, &made);
	sem_wait(&made);
	sem_wait(&made);
	finish();
	ck_assert_uint_ge(begun_ns[1] - begun_ns[0], 5000000);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("queue_rounds");
	TCase *tcase = tcase_create("queue_rounds");

	tcase_add_test(tcase, a_round_comes_without_another_event);
	tcase_add_test(tcase, without_news_there_is_no_round);
	tcase_add_test(tcase,
		       a_round_that_asks_for_it_comes_again_without_news);
	tcase_add_test(tcase, rounds_are_as_far_apart_as_was_said);
	tcase_add_test(tcase, rounds_that_take_long_are_far_apart);
	tcase_add_test(tcase, a_steady_round_needs_no_event);
	tcase_add_test(
		tcase,
		a_steady_round_that_takes_long_leaves_others_out_and_comes_again);
	suite_add_tcase(suite, tcase);
	return suite;
}
