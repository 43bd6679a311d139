#include "profile/large.h"

#include <stdint.h>
#include <stdlib.h>

#include "support/suite.h"

/* Elements of less, and of more than a large page. */
static const size_t sizes[] = {0, 1, 1000, PRF_LARGE_PAGE_BYTES / 4,
			       PRF_LARGE_PAGE_BYTES};

START_TEST(what_is_new_is_zero)
{
	size_t n = sizes[_i];
	uint32_t *all = prf_large_new(n, sizeof *all);

	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(all[i], 0);
	for (size_t i = 0; i < n; i++)
		all[i] = UINT32_MAX;
	free(all);
}
END_TEST

START_TEST(what_grows_keeps_what_is_in_it)
{
	size_t n = sizes[_i];
	uint32_t *all = NULL;

	for (size_t i = 0, room = 0; i < n; i++) {
		if (i == room) {
			room = 2 * room + 1;
			all = prf_large_grow(all, i, room, sizeof *all);
			ck_assert_ptr_nonnull(all);
		}
		all[i] = (uint32_t)i;
	}
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(all[i], i);
	free(all);
}
END_TEST

/* Also of an element that is far behind the last. */
START_TEST(what_is_reserved_keeps_what_is_in_it)
{
	size_t n = sizes[_i], room = 0;
	uint32_t *all = NULL;

	for (size_t i = 0; i < n; i++) {
		all = prf_large_reserve(all, i, &room, sizeof *all);
		ck_assert_ptr_nonnull(all);
		ck_assert_uint_lt(i, room);
		all[i] = (uint32_t)i;
	}
	all = prf_large_reserve(all, 3 * n, &room, sizeof *all);
	ck_assert_ptr_nonnull(all);
	ck_assert_uint_lt(3 * n, room);
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(all[i], i);
	free(all);
}
END_TEST

START_TEST(too_much_is_refused)
{
	char *all = prf_large_new(10, 1);

	ck_assert_ptr_null(prf_large_new(SIZE_MAX / 2, 4));
	ck_assert_ptr_null(prf_large_grow(all, 10, SIZE_MAX / 2, 4));
	ck_assert_int_eq(all[9], 0);
	free(all);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("large");
	TCase *tcase = tcase_create("large");
	int n = sizeof sizes / sizeof *sizes;

	tcase_add_loop_test(tcase, what_is_new_is_zero, 0, n);
	tcase_add_loop_test(tcase, what_grows_keeps_what_is_in_it, 0, n);
	tcase_add_loop_test(tcase, what_is_reserved_keeps_what_is_in_it, 0, n);
	tcase_add_test(tcase, too_much_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
