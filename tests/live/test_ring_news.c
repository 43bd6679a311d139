#include "live/ring/ring_news.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "support/suite.h"

/* A ring is any descriptor that can be readable. */
enum { MANY = 200 };

static struct prf_ring_news *news;
static struct prf_error err;
static int fds[MANY], numbers[MANY], n_read[MANY];

static void
set_up(void)
{
	ck_assert_int_eq(prf_ring_news_new(&news, &err), 0);
	for (int i = 0; i < MANY; i++)
		n_read[i] = 0;
}

static void
tear_down(void)
{
	prf_ring_news_free(news);
}

static void
add(int i)
{
	fds[i] = eventfd(0, EFD_CLOEXEC);
	numbers[i] = prf_ring_news_add(news, fds[i], &n_read[i]);
	ck_assert_int_ge(numbers[i], 0);
}

static void
read_one(void *arg, void *owner)
{
	ck_assert_ptr_eq(arg, &err);
	++*(int *)owner;
}

/* Waits until the ring numbered I has been read N times. */
static void
await_news_of(int i, int n)
{
	struct pollfd polled = {prf_ring_news_fd(news), POLLIN, 0};

	while (n_read[i] < n) {
		ck_assert_int_eq(poll(&polled, 1, -1), 1);
		prf_ring_news_each(news, read_one, &err);
	}
	ck_assert_int_eq(n_read[i], n);
}

START_TEST(a_ring_with_news_is_read_once)
{
	add(0);
	add(1);
	eventfd_write(fds[1], 1);
	await_news_of(1, 1);
	eventfd_write(fds[1], 1);
	await_news_of(1, 2);
	ck_assert_int_eq(n_read[0], 0);
}
END_TEST

START_TEST(each_of_many_is_read)
{
	for (int i = 0; i < MANY; i++)
		add(i);
	for (int i = 0; i < MANY; i++)
		eventfd_write(fds[i], 1);
	for (int i = 0; i < MANY; i++)
		await_news_of(i, 1);
}
END_TEST

/* One that has news as it goes, too; its number may be given to another. */
START_TEST(a_ring_that_has_gone_is_not_read)
{
	for (int round = 0; round < MANY; round++) {
		add(0);
		eventfd_write(fds[0], 1);
		prf_ring_news_remove(news, fds[0], numbers[0]);
		close(fds[0]);
		n_read[0] = 0;
		add(1);
		eventfd_write(fds[1], 1);
		n_read[1] = 0;
		await_news_of(1, 1);
		ck_assert_int_eq(n_read[0], 0);
		prf_ring_news_remove(news, fds[1], numbers[1]);
		close(fds[1]);
	}
}
END_TEST

START_TEST(a_ring_is_read_at_its_time)
{
	const uint64_t at_ns = prf_clock_ns(CLOCK_MONOTONIC) + 20000000;

	add(0);
	add(1);
	prf_ring_news_look(news, numbers[0], at_ns + 1000000);
	prf_ring_news_look(news, numbers[1], at_ns);
	await_news_of(1, 1);
	ck_assert_uint_ge(prf_clock_ns(CLOCK_MONOTONIC), at_ns);
	await_news_of(0, 1);
	ck_assert_uint_ge(prf_clock_ns(CLOCK_MONOTONIC), at_ns + 1000000);
}
END_TEST

START_TEST(no_ring_may_be_there)
{
	prf_ring_news_each(news, read_one, &err);
	prf_ring_news_free(NULL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("ring_news");
	TCase *tcase = tcase_create("ring_news");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, a_ring_with_news_is_read_once);
	tcase_add_test(tcase, each_of_many_is_read);
	tcase_add_test(tcase, a_ring_that_has_gone_is_not_read);
	tcase_add_test(tcase, a_ring_is_read_at_its_time);
	tcase_add_test(tcase, no_ring_may_be_there);
	suite_add_tcase(suite, tcase);
	return suite;
}
