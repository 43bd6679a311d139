#include "profile/hash_index.h"

#include <errno.h>

#include "support/suite.h"

static struct prf_hash_index index_;

static void
clear(void)
{
	prf_hash_index_free(&index_);
}

/* How often NUMBER comes up in a search for HASH; *PASSED: others that do. */
static size_t
search(uint32_t hash, uint32_t number, size_t *passed)
{
	size_t n = 0, at = hash;
	uint32_t found;

	*passed = 0;
	for (; (found = prf_hash_index_next(&index_, hash, &at)); at++) {
		n += found == number;
		*passed += found != number;
	}
	return n;
}

static void
fill(uint32_t n, uint32_t (*hash_of)(uint32_t number))
{
	ck_assert_int_eq(prf_hash_index_clear(&index_, n), 0);
	ck_assert(!prf_hash_index_is_full(&index_, n));
	for (uint32_t i = 1; i <= n; i++)
		prf_hash_index_add(&index_, hash_of(i), i);
}

static uint32_t
spread(uint32_t number)
{
	return prf_hash_index_hash(number / 7, number);
}

static uint32_t
equal(uint32_t number)
{
	(void)number;
	return UINT32_MAX;
}

START_TEST(each_number_is_found_once_and_hardly_any_other)
{
	const uint32_t n = 100000;
	size_t n_passed = 0, passed;

	fill(n, spread);
	for (uint32_t i = 1; i <= n; i++) {
		ck_assert_uint_eq(search(spread(i), i, &passed), 1);
		n_passed += passed;
	}
	ck_assert_uint_lt(n_passed, n / 100);
	for (uint32_t i = n + 1; i <= 2 * n; i++)
		ck_assert_uint_eq(search(spread(i), i, &passed), 0);
}
END_TEST

/* Around the end of the table, too. */
START_TEST(numbers_of_one_hash_come_one_after_the_other)
{
	size_t passed;

	fill(100, equal);
	for (uint32_t i = 1; i <= 100; i++) {
		ck_assert_uint_eq(search(UINT32_MAX, i, &passed), 1);
		ck_assert_uint_eq(passed, 99);
	}
}
END_TEST

START_TEST(a_search_ends_where_the_number_belongs)
{
	size_t passed, at = 5;

	fill(0, equal);
	ck_assert_uint_eq(prf_hash_index_next(&index_, 5, &at), 0);
	prf_hash_index_put(&index_, at, 5, 77);
	ck_assert_uint_eq(search(5, 77, &passed), 1);
}
END_TEST

START_TEST(nothing_has_no_room)
{
	ck_assert(prf_hash_index_is_full(&index_, 1));
	ck_assert_int_eq(prf_hash_index_clear(&index_, (size_t)1 << 31),
			 -ENOMEM);
	ck_assert(prf_hash_index_is_full(&index_, 1));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("hash_index");
	TCase *tcase = tcase_create("hash_index");

	tcase_add_checked_fixture(tcase, NULL, clear);
	tcase_add_test(tcase, each_number_is_found_once_and_hardly_any_other);
	tcase_add_test(tcase, numbers_of_one_hash_come_one_after_the_other);
	tcase_add_test(tcase, a_search_ends_where_the_number_belongs);
	tcase_add_test(tcase, nothing_has_no_room);
	suite_add_tcase(suite, tcase);
	return suite;
}
