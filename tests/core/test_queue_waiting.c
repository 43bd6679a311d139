/* A queue that lets whoever gives wait for room. */
#include "core/queue.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/queued.h"
#include "support/suite.h"

static const size_t rooms[] = {0, 1, 100, 1000, 4096, 65536, 1 << 20};

/* The smallest rooms are smaller than one event. */
START_TEST(whoever_waits_loses_nothing)
{
	struct prf_error err;
	char *at = recorder.text;

	queued_begin(prf_queue_sink_new_waiting, rooms[_i]);
	for (unsigned i = 0; i < 3000; i++) {
		if (i % 16 == 0)
			queued_give_mapping(i);
		ck_assert_int_eq(queued_give_sample(i), 0);
	}
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	for (unsigned i = 0; i < 3000; i++) {
		char expected[32];

		if (i % 16 == 0)
			snprintf(expected, sizeof expected, "m%u/lib s%u ", i,
				 i);
		else
			snprintf(expected, sizeof expected, "s%u ", i);
		ck_assert_int_eq(strncmp(at, expected, strlen(expected)), 0);
		at += strlen(expected);
	}
	ck_assert_int_eq(*at, '\0');
	queue->ops->free(queue);
}
END_TEST

/* Counts what it has given, for whoever looks on. */
static uint64_t n_given;

static void *
give_a_thousand(void *arg)
{
	(void)arg;
	for (uint64_t i = 0; i < 1000; i++) {
		ck_assert_int_eq(queued_give_sample(i), 0);
		__atomic_store_n(&n_given, i + 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static uint64_t
given(void)
{
	return __atomic_load_n(&n_given, __ATOMIC_ACQUIRE);
}

/* The sink stands still: how many are given until then depends on the room
 * alone, of which a sample with two frames takes 60 bytes or more. */
START_TEST(whoever_gives_waits_for_the_sink)
{
	const struct timespec a_while = {.tv_nsec = 1000000};
	struct prf_error err;
	pthread_t giver;
	unsigned idle = 0;

	n_given = 0;
	queued_begin(prf_queue_sink_new_waiting, 4096);
	pthread_mutex_lock(&recorder.gate);
	ck_assert_int_eq(pthread_create(&giver, NULL, give_a_thousand, NULL),
			 0);
	for (uint64_t before = 0; idle < 50; before = given()) {
		idle = given() > 20 && given() == before ? idle + 1 : 0;
		nanosleep(&a_while, NULL);
	}
	ck_assert_uint_le(given(), (4096 + 2 * 512) / 60);
	pthread_mutex_unlock(&recorder.gate);
	pthread_join(giver, NULL);
	ck_assert_int_eq(queue->ops->finish(queue, &err), 0);
	ck_assert_uint_eq(given(), 1000);
	ck_assert_ptr_nonnull(strstr(recorder.text, "s998 s999 "));
	queue->ops->free(queue);
}
END_TEST

START_TEST(a_waiting_queue_that_is_freed_gives_what_it_has_first)
{
	queued_begin(prf_queue_sink_new_waiting, 1 << 20);
	queued_give_mapping(1);
	queued_give_sample(2);
	queue->ops->free(queue);
	ck_assert_str_eq(recorder.text, "m1/lib s2 ");
	ck_assert(recorder.freed);
	ck_assert(!recorder.finished);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("queue_waiting");
	TCase *tcase = tcase_create("queue_waiting");

	tcase_add_loop_test(tcase, whoever_waits_loses_nothing, 0,
			    sizeof rooms / sizeof *rooms);
	tcase_add_test(tcase, whoever_gives_waits_for_the_sink);
	tcase_add_test(tcase,
		       a_waiting_queue_that_is_freed_gives_what_it_has_first);
	suite_add_tcase(suite, tcase);
	return suite;
}
