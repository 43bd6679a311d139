#include "live/wall/wheel.h"

#include <math.h>
#include <stddef.h>

#include "live/random.h"
#include "support/suite.h"

enum { MEAN_NS = 1000, MANY = 3000 };

static struct prf_wheel wheel;
static struct prf_wheel_item items[MANY];

static void
set_up(void)
{
	prf_wheel_begin(&wheel, MEAN_NS, 3, 0);
	for (size_t i = 0; i < MANY; i++)
		items[i] = (struct prf_wheel_item){0};
}

START_TEST(where_nothing_waits_nothing_is_next)
{
	ck_assert_uint_eq(prf_wheel_next_ns(&wheel), UINT64_MAX);
	prf_wheel_add(&wheel, items, 3, 0);
	ck_assert_uint_lt(prf_wheel_next_ns(&wheel), UINT64_MAX);
	prf_wheel_remove(&wheel, items);
	ck_assert_uint_eq(prf_wheel_next_ns(&wheel), UINT64_MAX);
	ck_assert_ptr_null(prf_wheel_take(&wheel, 100 * MEAN_NS));
}
END_TEST

START_TEST(what_waits_comes_once_and_not_before_its_moment)
{
	prf_wheel_add(&wheel, items, 1, 0);
	uint64_t ns = prf_wheel_next_ns(&wheel);
	ck_assert_ptr_null(prf_wheel_take(&wheel, ns - 1));
	ck_assert_ptr_eq(prf_wheel_take(&wheel, ns), items);
	ck_assert_ptr_null(prf_wheel_take(&wheel, ns));
}
END_TEST

/* Also when they are more than a turn ahead. */
START_TEST(each_comes_in_the_order_of_its_delay)
{
	uint64_t last = 0, n = 0;

	for (uint64_t i = 0; i < MANY; i++)
		prf_wheel_add(&wheel, &items[i], MANY - i, 0);
	for (uint64_t ns; (ns = prf_wheel_next_ns(&wheel)) != UINT64_MAX;)
		for (struct prf_wheel_item *item;
		     (item = prf_wheel_take(&wheel, ns)); n++) {
			uint64_t delay = (uint64_t)(&items[MANY] - item);
			ck_assert_uint_eq(delay, last + 1);
			last = delay;
		}
	ck_assert_uint_eq(n, MANY);
}
END_TEST

START_TEST(moments_are_as_far_apart_as_asked_and_at_random)
{
	uint64_t before = 0;
	double sum = 0, squares = 0;
	const int n = 100000;

	for (int i = 0; i < n; i++) {
		prf_wheel_add(&wheel, items, 1, before);
		uint64_t ns = prf_wheel_next_ns(&wheel);
		double gap = (double)(ns - before);

		ck_assert_ptr_eq(prf_wheel_take(&wheel, ns), items);
		sum += gap;
		squares += gap * gap;
		before = ns;
	}
	double mean = sum / n, deviation = sqrt(squares / n - mean * mean);
	ck_assert_double_le(fabs(mean - MEAN_NS), 0.02 * MEAN_NS);
	ck_assert_double_le(fabs(deviation - MEAN_NS), 0.04 * MEAN_NS);
}
END_TEST

/* While a far moment is waited for, the near ones go by. */
START_TEST(what_is_added_late_waits_from_then_on)
{
	prf_wheel_add(&wheel, &items[0], 200, 0);
	uint64_t far_ns = prf_wheel_next_ns(&wheel);
	prf_wheel_add(&wheel, &items[1], 1, far_ns / 2);
	uint64_t ns = prf_wheel_next_ns(&wheel);
	ck_assert_uint_gt(ns, far_ns / 2);
	ck_assert_uint_lt(ns, far_ns / 2 + 20 * MEAN_NS);
	ck_assert_ptr_eq(prf_wheel_take(&wheel, ns), &items[1]);
	ck_assert_uint_eq(prf_wheel_next_ns(&wheel), far_ns);
}
END_TEST

START_TEST(what_is_due_can_still_be_removed)
{
	for (int i = 0; i < 3; i++)
		prf_wheel_add(&wheel, &items[i], 1, 0);
	uint64_t ns = prf_wheel_next_ns(&wheel);
	struct prf_wheel_item *first = prf_wheel_take(&wheel, ns);
	struct prf_wheel_item *second = &items[first == &items[1] ? 2 : 1];

	/* It is due already: there is no waiting for the next. */
	ck_assert_uint_le(prf_wheel_next_ns(&wheel), ns);
	prf_wheel_remove(&wheel, second);
	ck_assert_ptr_nonnull(prf_wheel_take(&wheel, ns));
	ck_assert_ptr_null(prf_wheel_take(&wheel, ns));
	ck_assert_uint_eq(prf_wheel_next_ns(&wheel), UINT64_MAX);
	prf_wheel_remove(&wheel, second);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("wheel");
	TCase *tcase = tcase_create("wheel");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, where_nothing_waits_nothing_is_next);
	tcase_add_test(tcase, what_waits_comes_once_and_not_before_its_moment);
	tcase_add_test(tcase, each_comes_in_the_order_of_its_delay);
	tcase_add_test(tcase, moments_are_as_far_apart_as_asked_and_at_random);
	tcase_add_test(tcase, what_is_added_late_waits_from_then_on);
	tcase_add_test(tcase, what_is_due_can_still_be_removed);
	suite_add_tcase(suite, tcase);
	return suite;
}
