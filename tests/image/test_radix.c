#include "image/radix.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static struct prf_radix_key keys[MOST], room[MOST];

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int
by_key_and_at(const void *a, const void *b)
{
	const struct prf_radix_key *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static void
check_as_qsort(size_t n)
{
	static struct prf_radix_key expected[MOST];

	memcpy(expected, keys, n * sizeof *keys);
	qsort(expected, n, sizeof *expected, by_key_and_at);
	const struct prf_radix_key *sorted = prf_radix_sort(keys, room, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(sorted[i].key, expected[i].key);
		ck_assert_uint_eq(sorted[i].at, expected[i].at);
	}
}

/* Some digits the same, many keys the same, or neither. */
static const uint64_t masks[] = {
	UINT64_MAX, 0x7f, 0xff00ff, UINT64_MAX << 56, 0x8000000000000001, 0,
};

START_TEST(keys_come_in_order_and_equal_ones_in_their_own)
{
	static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, MOST};
	uint64_t state = 0x9e3779b97f4a7c15;

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		for (size_t at = 0; at < counts[i]; at++)
			keys[at] = (struct prf_radix_key){
				next_random(&state) & masks[_i], at};
		check_as_qsort(counts[i]);
	}
}
END_TEST

START_TEST(a_constant_in_all_keys_is_no_matter)
{
	for (size_t at = 0; at < MOST; at++)
		keys[at] = (struct prf_radix_key){
			0xffffffff00000000 | (MOST - at), at};
	check_as_qsort(MOST);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("radix");
	TCase *tcase = tcase_create("radix");

	tcase_add_loop_test(tcase,
			    keys_come_in_order_and_equal_ones_in_their_own, 0,
			    sizeof masks / sizeof *masks);
	tcase_add_test(tcase, a_constant_in_all_keys_is_no_matter);
	suite_add_tcase(suite, tcase);
	return suite;
}
