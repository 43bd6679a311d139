#include "core/hist/hist_counters.h"

#include <errno.h>
#include <stdlib.h>

#include "support/suite.h"

#define BLOCK ((size_t)PRF_HIST_COUNTERS_IN_BLOCK)

static struct prf_hist_counters
must_make(size_t n_bins)
{
	struct prf_error err = {0};
	struct prf_hist_counters counters;
	int rc = prf_hist_counters_init(&counters, n_bins, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	return counters;
}

START_TEST(all_begin_at_zero_and_untouched)
{
	struct prf_hist_counters counters = must_make(3 * BLOCK);

	for (size_t i = 0; i < 3 * BLOCK; i++)
		ck_assert_uint_eq(counters.bins[i], 0);
	for (size_t i = 0; i < 3 * BLOCK; i += BLOCK / 2)
		ck_assert_uint_eq(prf_hist_counters_next(&counters, i),
				  3 * BLOCK);
	ck_assert_uint_eq(counters.saturated, 0);
	prf_hist_counters_fini(&counters);
}
END_TEST

START_TEST(what_was_counted_in_is_found_from_wherever_before_it)
{
	struct prf_hist_counters counters = must_make(10 * BLOCK);
	size_t counted = 7 * BLOCK + 5;

	prf_hist_counters_add(&counters, &counters.bins[counted], 3);
	ck_assert_uint_eq(counters.bins[counted], 3);
	for (size_t at = 0; at <= counted; at++) {
		size_t next = prf_hist_counters_next(&counters, at);

		ck_assert_uint_ge(next, at);
		ck_assert_uint_le(next, counted);
		ck_assert_uint_ge(next, 7 * BLOCK);
	}
	ck_assert_uint_eq(prf_hist_counters_next(&counters, 8 * BLOCK),
			  10 * BLOCK);
	prf_hist_counters_fini(&counters);
}
END_TEST

/* Sizes about that of a block. */
START_TEST(the_last_counter_is_found)
{
	for (size_t n = 1; n <= 2 * BLOCK + 1; n++) {
		struct prf_hist_counters counters = must_make(n);

		prf_hist_counters_touch(&counters, &counters.bins[n - 1]);
		ck_assert_uint_eq(prf_hist_counters_next(&counters, n - 1),
				  n - 1);
		ck_assert_uint_lt(prf_hist_counters_next(&counters, 0), n);
		prf_hist_counters_fini(&counters);
	}
}
END_TEST

START_TEST(a_full_counter_stays_so_and_what_it_loses_is_told)
{
	struct prf_hist_counters counters = must_make(2);
	uint32_t *bin = &counters.bins[1];

	prf_hist_counters_add(&counters, bin, UINT32_MAX - 1);
	prf_hist_counters_add(&counters, bin, 1);
	ck_assert_uint_eq(*bin, UINT32_MAX);
	ck_assert_uint_eq(counters.saturated, 0);
	prf_hist_counters_add(&counters, bin, 4);
	prf_hist_counters_add(&counters, bin, UINT32_MAX);
	ck_assert_uint_eq(*bin, UINT32_MAX);
	ck_assert_uint_eq(counters.saturated, 4 + (uint64_t)UINT32_MAX);
	ck_assert_uint_eq(counters.bins[0], 0);
	prf_hist_counters_fini(&counters);
}
END_TEST

START_TEST(more_than_is_mapped_anywhere_is_refused_and_leaves_nothing)
{
	struct prf_error err = {0};
	struct prf_hist_counters counters;

	ck_assert_int_eq(
		prf_hist_counters_init(&counters, PRF_HIST_COUNTERS_MAX, &err),
		-ENOMEM);
	ck_assert_int_eq(err.code, -ENOMEM);
	ck_assert_ptr_null(counters.bins);
	ck_assert_ptr_null(counters.touched);
	prf_hist_counters_fini(&counters);
}
END_TEST

START_TEST(fini_takes_zeros_and_leaves_zeros)
{
	struct prf_hist_counters counters = must_make(1);

	prf_hist_counters_fini(&counters);
	ck_assert_ptr_null(counters.bins);
	prf_hist_counters_fini(&counters);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("hist_counters");
	TCase *tcase = tcase_create("hist_counters");

	tcase_set_timeout(tcase, 120); /* under sanitizers */
	tcase_add_test(tcase, all_begin_at_zero_and_untouched);
	tcase_add_test(tcase,
		       what_was_counted_in_is_found_from_wherever_before_it);
	tcase_add_test(tcase, the_last_counter_is_found);
	tcase_add_test(tcase,
		       a_full_counter_stays_so_and_what_it_loses_is_told);
	tcase_add_test(
		tcase,
		more_than_is_mapped_anywhere_is_refused_and_leaves_nothing);
	tcase_add_test(tcase, fini_takes_zeros_and_leaves_zeros);
	suite_add_tcase(suite, tcase);
	return suite;
}
