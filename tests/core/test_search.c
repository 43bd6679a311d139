#include "core/hist/search.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/random.h"
#include "support/suite.h"

/* The same by looking at each of them. */
static size_t
look(const struct prf_extent *extents, size_t n, uint64_t pc)
{
	for (size_t i = 0; i < n; i++)
		if (extents[i].first <= pc && pc <= extents[i].last)
			return i;
	return PRF_SEARCH_NONE;
}

static void
check_pc(const struct prf_search *search, const struct prf_extent *extents,
	 size_t n, uint64_t pc, struct random *random)
{
	struct prf_search_hit hit = prf_search_find(search, pc);
	size_t should = look(extents, n, pc);

	ck_assert_msg(hit.extent == should,
		      RANDOM_WHERE "pc %" PRIx64 " of %zu extents",
		      RANDOM_IS(random), pc, n);
	if (should == PRF_SEARCH_NONE)
		return;
	ck_assert_msg(hit.place == prf_search_place(search, pc) &&
			      hit.distance == pc - extents[should].first &&
			      hit.reach == extents[should].last -
						   extents[should].first,
		      RANDOM_WHERE "pc %" PRIx64 " of %zu extents",
		      RANDOM_IS(random), pc, n);
}

/* Every place where something changes, and some others. */
static void
check_search(const struct prf_extent *extents, size_t n, struct random *random)
{
	struct prf_search search;

	ck_assert_int_eq(prf_search_init(&search, extents, n), 0);
	for (size_t i = 0; i < n; i++) {
		for (int near = -1; near <= 1; near++) {
			uint64_t step = (uint64_t)(int64_t)near;

			check_pc(&search, extents, n, extents[i].first + step,
				 random);
			check_pc(&search, extents, n, extents[i].last + step,
				 random);
		}
		check_pc(&search, extents, n, random_of_any_size(random),
			 random);
	}
	check_pc(&search, extents, n, 0, random);
	check_pc(&search, extents, n, UINT64_MAX, random);
	prf_search_fini(&search);
}

/* How text may lie: sizes and gaps up to these, as powers of two. */
static const struct lie {
	unsigned log2_size, log2_gap;
	unsigned one_gap_in; /* extents that follow one another otherwise */
} lies[] = {
	{8, 0, 1},   {8, 4, 4},   {9, 22, 100}, {8, 40, 50}, {3, 57, 1},
	{30, 30, 2}, {36, 20, 3}, {1, 60, 200}, {0, 1, 1},   {57, 57, 2},
};

static size_t
make_extents(struct random *random, const struct lie *lie,
	     struct prf_extent *extents, size_t max)
{
	uint64_t at = random_of_any_size(random) >> 2;
	size_t n;

	for (n = 0; n < max; n++) {
		uint64_t gap = random_next(random) >> (63 - lie->log2_gap) >> 1;
		uint64_t reach =
			random_next(random) >> (63 - lie->log2_size) >> 1;

		if (random_below(random, lie->one_gap_in) != 0)
			gap = 0;
		if (gap > UINT64_MAX - at || reach > UINT64_MAX - at - gap)
			break;
		at += gap;
		extents[n] = (struct prf_extent){at, at + reach};
		at += reach;
		if (at++ == UINT64_MAX)
			return n + 1;
	}
	return n;
}

START_TEST(it_finds_what_looking_at_each_finds)
{
	struct random random = random_begin();
	static struct prf_extent extents[300];

	for (int round = 0; round < 1000; round++) {
		const struct lie *lie =
			&lies[round % (sizeof lies / sizeof *lies)];
		size_t max = 1 + random_below(&random, 300);
		size_t n = make_extents(&random, lie, extents, max);

		check_search(extents, n, &random);
	}
}
END_TEST

/* In the order of the extents, each its own, no more than was promised. */
static void
check_places(const struct prf_extent *extents, size_t n, struct random *random)
{
	struct prf_search search;
	uint64_t after = 0, text = 0;

	ck_assert_int_eq(prf_search_init(&search, extents, n), 0);
	for (size_t i = 0; i < n; i++) {
		uint64_t reach = extents[i].last - extents[i].first;
		uint64_t place = prf_search_place(&search, extents[i].first);

		ck_assert_msg(place >= after, RANDOM_WHERE "extent %zu of %zu",
			      RANDOM_IS(random), i, n);
		ck_assert_uint_eq(prf_search_place(&search, extents[i].last),
				  place + reach);
		after = place + reach + 1;
		text += reach + 1;
	}
	ck_assert_uint_eq(search.n_places, after);
	ck_assert_msg((after - text) / 4 <= text,
		      RANDOM_WHERE "%" PRIu64 " places for %" PRIu64 " pcs",
		      RANDOM_IS(random), after, text);
	ck_assert_uint_eq(prf_search_place(&search, extents[n - 1].last + 1),
			  extents[n - 1].last == UINT64_MAX &&
					  extents[0].first == 0
				  ? 0
				  : after);
	prf_search_fini(&search);
}

START_TEST(places_are_in_order_and_few_are_of_gaps)
{
	struct random random = random_begin();
	static struct prf_extent extents[300];

	for (int round = 0; round < 1000; round++) {
		const struct lie *lie =
			&lies[round % (sizeof lies / sizeof *lies)];
		size_t max = 1 + random_below(&random, 300);
		size_t n = make_extents(&random, lie, extents, max);

		check_places(extents, n, &random);
	}
}
END_TEST

START_TEST(none_hold_nothing)
{
	struct prf_search search;

	ck_assert_int_eq(prf_search_init(&search, NULL, 0), 0);
	ck_assert_uint_eq(prf_search_find(&search, 0).extent, PRF_SEARCH_NONE);
	ck_assert_uint_eq(prf_search_find(&search, UINT64_MAX).extent,
			  PRF_SEARCH_NONE);
	prf_search_fini(&search);
}
END_TEST

START_TEST(one_may_be_the_whole_address_space)
{
	struct prf_extent all = {0, UINT64_MAX};
	struct random random = random_begin();

	check_search(&all, 1, &random);
}
END_TEST

START_TEST(the_last_pc_is_found_apart_from_the_others)
{
	struct random random = random_begin();
	struct prf_extent extents[] = {
		{0, 0},
		{1, UINT64_MAX - 2},
		{UINT64_MAX, UINT64_MAX},
	};

	check_search(extents, 3, &random);
	check_search(extents + 1, 2, &random);
	check_search(extents + 2, 1, &random);
}
END_TEST

START_TEST(each_gap_twice_the_one_before_it_leaves_nothing_out)
{
	struct random random = random_begin();
	struct prf_extent extents[60];

	for (int i = 0; i < 60; i++) {
		uint64_t at = UINT64_C(1) << (i + 3);

		extents[i] = (struct prf_extent){at, at + 3};
	}
	check_search(extents, 60, &random);
}
END_TEST

START_TEST(two_hundred_thousand_are_each_found)
{
	const size_t n = 200000;
	struct random random = random_begin();
	struct prf_extent *extents = calloc(n, sizeof *extents);
	struct prf_search search;

	ck_assert_uint_eq(make_extents(&random, &lies[2], extents, n), n);
	ck_assert_int_eq(prf_search_init(&search, extents, n), 0);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(
			prf_search_find(&search, extents[i].first).extent, i);
		ck_assert_uint_eq(
			prf_search_find(&search, extents[i].last).extent, i);
	}
	prf_search_fini(&search);
	free(extents);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("search");
	TCase *tcase = tcase_create("search");

	tcase_set_timeout(tcase, 120); /* under sanitizers */
	tcase_add_test(tcase, it_finds_what_looking_at_each_finds);
	tcase_add_test(tcase, places_are_in_order_and_few_are_of_gaps);
	tcase_add_test(tcase, none_hold_nothing);
	tcase_add_test(tcase, one_may_be_the_whole_address_space);
	tcase_add_test(tcase, the_last_pc_is_found_apart_from_the_others);
	tcase_add_test(tcase,
		       each_gap_twice_the_one_before_it_leaves_nothing_out);
	tcase_add_test(tcase, two_hundred_thousand_are_each_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
