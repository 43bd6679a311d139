#include "image/nested.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>

enum { TEXT = 300 };

static void
add(struct prf_nested *nested, uint64_t lo, uint64_t hi, uint32_t what)
{
	ck_assert_int_eq(prf_nested_add(nested, lo, hi, what), 0);
}

START_TEST(nothing_is_in_none)
{
	struct prf_nested nested = {0};

	ck_assert_uint_eq(prf_nested_at(&nested, 0), PRF_NESTED_NONE);
	ck_assert_int_eq(prf_nested_sort(&nested), 0);
	ck_assert_uint_eq(prf_nested_at(&nested, 0), PRF_NESTED_NONE);
	prf_nested_clear(&nested);
}
END_TEST

START_TEST(the_innermost_is_found)
{
	static const struct {
		uint64_t vaddr;
		uint32_t what;
	} wanted[] = {{0, 0},
		      {9, 0},
		      {10, 1},
		      {12, 3},
		      {13, 3},
		      {14, 2},
		      {18, 1},
		      {20, 0},
		      {99, 0},
		      {100, PRF_NESTED_NONE},
		      {200, PRF_NESTED_NONE}};
	struct prf_nested nested = {0};

	add(&nested, 12, 18, 2);
	add(&nested, 10, 20, 1);
	add(&nested, 0, 100, 0);
	add(&nested, 12, 14, 3);
	add(&nested, 200, 200, 7);
	ck_assert_int_eq(prf_nested_sort(&nested), 0);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		ck_assert_uint_eq(prf_nested_at(&nested, wanted[i].vaddr),
				  wanted[i].what);
	prf_nested_clear(&nested);
}
END_TEST

START_TEST(the_ends_of_all_addresses_are_in_range)
{
	struct prf_nested nested = {0};

	add(&nested, 0, UINT64_MAX, 1);
	add(&nested, UINT64_MAX - 1, UINT64_MAX, 2);
	ck_assert_int_eq(prf_nested_sort(&nested), 0);
	ck_assert_uint_eq(prf_nested_at(&nested, 0), 1);
	ck_assert_uint_eq(prf_nested_at(&nested, UINT64_MAX - 1), 2);
	ck_assert_uint_eq(prf_nested_at(&nested, UINT64_MAX), PRF_NESTED_NONE);
	prf_nested_clear(&nested);
}
END_TEST

/* The one that begins last; of those that begin together, the highest. */
static uint32_t
judge(const struct prf_nested_range *ranges, size_t n, uint64_t vaddr)
{
	const struct prf_nested_range *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (ranges[i].lo <= vaddr && vaddr < ranges[i].hi &&
		    (!best || ranges[i].lo > best->lo ||
		     (ranges[i].lo == best->lo && ranges[i].what > best->what)))
			best = &ranges[i];
	return best ? best->what : PRF_NESTED_NONE;
}

START_TEST(ranges_of_any_kind_are_as_said)
{
	enum { N = 12 };
	struct prf_nested_range ranges[N];
	struct prf_nested nested = {0};

	srandom((unsigned)_i + 1);
	for (uint32_t i = 0; i < N; i++) {
		uint64_t lo = (uint64_t)random() % TEXT;

		ranges[i] = (struct prf_nested_range){
			lo, lo + (uint64_t)random() % 60, i};
		add(&nested, ranges[i].lo, ranges[i].hi, i);
	}
	ck_assert_int_eq(prf_nested_sort(&nested), 0);
	ck_assert_uint_le(nested.n_steps, 2 * N);
	for (uint64_t vaddr = 0; vaddr < TEXT + 70; vaddr++)
		ck_assert_uint_eq(prf_nested_at(&nested, vaddr),
				  judge(ranges, N, vaddr));
	prf_nested_clear(&nested);
}
END_TEST

START_TEST(there_is_an_end_to_ranges)
{
	struct prf_nested nested = {0};
	uint32_t n = 0;
	int rc = 0;

	while (rc == 0 && n < UINT32_MAX) {
		rc = prf_nested_add(&nested, n, (uint64_t)n + 2, n);
		n++;
	}
	ck_assert_int_eq(rc, -E2BIG);
	prf_nested_clear(&nested);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("nested");
	TCase *tests = tcase_create("nested");

	tcase_add_test(tests, nothing_is_in_none);
	tcase_add_test(tests, the_innermost_is_found);
	tcase_add_test(tests, the_ends_of_all_addresses_are_in_range);
	tcase_add_loop_test(tests, ranges_of_any_kind_are_as_said, 0, 200);
	tcase_add_test(tests, there_is_an_end_to_ranges);
	suite_add_tcase(suite, tests);
	return suite;
}
