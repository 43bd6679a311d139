#include "profile/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "core/random.h"
#include "support/suite.h"

START_TEST(an_empty_tally_has_no_entries)
{
	struct prf_tally tally = {0};
	size_t n = 99;

	ck_assert_ptr_null(prf_tally_sorted(&tally, &n));
	ck_assert_uint_eq(n, 0);
	prf_tally_clear(&tally);
}
END_TEST

START_TEST(no_ticks_leave_no_entry)
{
	struct prf_tally tally = {0};
	size_t n;

	ck_assert_int_eq(prf_tally_add(&tally, 7, 0, 0), 0);
	ck_assert_ptr_null(prf_tally_sorted(&tally, &n));
	ck_assert_uint_eq(n, 0);
	prf_tally_clear(&tally);
}
END_TEST

START_TEST(ticks_and_their_squares_add)
{
	struct prf_tally tally = {0};
	size_t n;

	ck_assert_int_eq(prf_tally_add(&tally, UINT64_MAX, 3, 0), 0);
	ck_assert_int_eq(prf_tally_add(&tally, UINT64_MAX, UINT32_MAX, 0), 0);
	ck_assert_int_eq(prf_tally_add(&tally, 0, 1, 0), 0);
	struct prf_tally_entry *sorted = prf_tally_sorted(&tally, &n);
	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(sorted[0].key, 0);
	ck_assert_uint_eq(sorted[0].count.ticks, 1);
	ck_assert_uint_eq(sorted[1].key, UINT64_MAX);
	ck_assert_uint_eq(sorted[1].count.ticks, UINT64_C(0x100000002));
	ck_assert_double_eq(sorted[1].count.squares,
			    9.0 + 4294967295.0 * 4294967295.0);
	free(sorted);
	prf_tally_clear(&tally);
}
END_TEST

/* Keys that share all bits that a careless hash looks at. */
static const unsigned shifts[] = {0, 4, 12, 32, 44};

enum { N_KEYS = 5000 };

START_TEST(it_grows_and_tells_all_in_order)
{
	struct prf_tally tally = {0};
	size_t n;

	for (uint64_t round = 1; round <= 2; round++)
		for (uint64_t i = N_KEYS; i-- > 0;)
			ck_assert_int_eq(prf_tally_add(&tally, i << shifts[_i],
						       (uint32_t)i + 1, 0),
					 0);
	struct prf_tally_entry *sorted = prf_tally_sorted(&tally, &n);
	ck_assert_uint_eq(n, N_KEYS);
	for (uint64_t i = 0; i < n; i++) {
		ck_assert_uint_eq(sorted[i].key, i << shifts[_i]);
		ck_assert_uint_eq(sorted[i].count.ticks, 2 * (i + 1));
	}
	free(sorted);
	prf_tally_clear(&tally);
}
END_TEST

START_TEST(random_keys_are_counted_like_in_an_array)
{
	static uint64_t model[512];
	struct random random = random_begin();
	struct prf_tally tally = {0};
	size_t n, at = 0;

	for (int i = 0; i < 20000; i++) {
		uint64_t key = random_below(&random, 512);
		uint32_t ticks = (uint32_t)random_below(&random, 4);

		ck_assert_int_eq(prf_tally_add(&tally, key, ticks, 0), 0);
		model[key] += ticks;
	}
	struct prf_tally_entry *sorted = prf_tally_sorted(&tally, &n);
	for (uint64_t key = 0; key < 512; key++) {
		if (!model[key])
			continue;
		ck_assert_msg(at < n && sorted[at].key == key &&
				      sorted[at].count.ticks == model[key],
			      RANDOM_WHERE "key %llu", RANDOM_IS(&random),
			      (unsigned long long)key);
		at++;
	}
	ck_assert_uint_eq(at, n);
	free(sorted);
	prf_tally_clear(&tally);
}
END_TEST

/* Takes the address space away until a tally cannot grow. */
START_TEST(without_memory_what_was_counted_stays)
{
	struct prf_tally tally = {0};
	struct rlimit none = {0, RLIM_INFINITY}, before;
	uint64_t n_counted = 0, sum = 0;
	int rc = 0;

	ck_assert_int_eq(prf_tally_add(&tally, 0, 1, 0), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
	none.rlim_max = before.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
	/* The heap may have room for some time. */
	while (!rc && n_counted < 10000000)
		rc = prf_tally_add(&tally, ++n_counted, 1, 0);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
	ck_assert_int_eq(rc, -ENOMEM);
	ck_assert_uint_eq(tally.n_entries, n_counted);
	for (size_t i = 0; i < tally.n_slots; i++)
		sum += tally.slots[i].count.ticks;
	ck_assert_uint_eq(sum, n_counted);
	ck_assert_int_eq(prf_tally_add(&tally, n_counted, 1, 0), 0);
	prf_tally_clear(&tally);
}
END_TEST

START_TEST(two_tallies_are_merged_key_by_key)
{
	struct prf_tally one = {0}, two = {0};
	size_t n;

	for (uint64_t key = 0; key < 100; key++) {
		ck_assert_int_eq(prf_tally_add(&one, key, 2, 0), 0);
		ck_assert_int_eq(prf_tally_add(&two, key + 50, 3, 0), 0);
	}
	ck_assert_int_eq(prf_tally_merge(&one, &two), 0);
	struct prf_tally_entry *sorted = prf_tally_sorted(&one, &n);
	ck_assert_uint_eq(n, 150);
	for (uint64_t key = 0; key < 150; key++) {
		ck_assert_uint_eq(sorted[key].count.ticks, key < 50    ? 2
							   : key < 100 ? 5
								       : 3);
		ck_assert_double_eq(sorted[key].count.squares, key < 50    ? 4
							       : key < 100 ? 13
									   : 9);
	}
	free(sorted);
	prf_tally_clear(&one);
	prf_tally_clear(&two);
}
END_TEST

START_TEST(counts_are_added_as_they_are)
{
	const struct prf_count count = {5, 13}, none = {0};
	struct prf_tally tally = {0};

	ck_assert_int_eq(prf_tally_add_count(&tally, 7, &none), 0);
	ck_assert_uint_eq(tally.n_entries, 0);
	ck_assert_int_eq(prf_tally_add(&tally, 7, 3, 1), 0);
	ck_assert_int_eq(prf_tally_add_count(&tally, 7, &count), 0);
	size_t n;
	struct prf_tally_entry *sorted = prf_tally_sorted(&tally, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(sorted[0].count.ticks, 8);
	ck_assert_double_eq(sorted[0].count.squares, 4 + 1 + 13);
	free(sorted);
	prf_tally_clear(&tally);
}
END_TEST

START_TEST(for_what_is_reserved_there_is_room)
{
	struct prf_tally tally = {0};

	for (uint64_t key = 0; key < 1000; key++) {
		ck_assert_int_eq(prf_tally_reserve(&tally), 0);
		size_t n_slots = tally.n_slots;
		ck_assert_int_eq(prf_tally_add(&tally, key, 1, 0), 0);
		ck_assert_uint_eq(tally.n_slots, n_slots);
	}
	prf_tally_clear(&tally);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("tally");
	TCase *tcase = tcase_create("tally");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, an_empty_tally_has_no_entries);
	tcase_add_test(tcase, no_ticks_leave_no_entry);
	tcase_add_test(tcase, ticks_and_their_squares_add);
	tcase_add_loop_test(tcase, it_grows_and_tells_all_in_order, 0,
			    (int)(sizeof shifts / sizeof *shifts));
	tcase_add_test(tcase, random_keys_are_counted_like_in_an_array);
	if (!IS_SANITIZED)
		tcase_add_test(tcase, without_memory_what_was_counted_stays);
	tcase_add_test(tcase, two_tallies_are_merged_key_by_key);
	tcase_add_test(tcase, counts_are_added_as_they_are);
	tcase_add_test(tcase, for_what_is_reserved_there_is_room);
	suite_add_tcase(suite, tcase);
	return suite;
}
