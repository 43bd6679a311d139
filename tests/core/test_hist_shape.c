#include "core/hist/hist_shape.h"

#include <errno.h>
#include <stdlib.h>

#include "core/random.h"
#include "support/suite.h"

#define SPANS(...) ((const struct prf_span[]){__VA_ARGS__})

static struct prf_hist_shape *
must_make(const struct prf_span *spans, size_t n)
{
	struct prf_error err = {0};
	struct prf_hist_shape *shape = NULL;
	int rc = prf_hist_shape_new(spans, n, &shape, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	return shape;
}

/* The counter of PC by the search of runs; as many as there are: none. */
static size_t
bin_by_run(const struct prf_hist_shape *shape, uint64_t pc)
{
	struct prf_search_hit hit = prf_search_find(&shape->runs, pc);

	if (hit.extent == PRF_SEARCH_NONE)
		return shape->n_bins;
	return shape->run_bins[hit.extent] + prf_hist_shape_bin(hit.distance);
}

static size_t
bin_by_place(const struct prf_hist_shape *shape, uint64_t pc)
{
	return prf_hist_shape_bin(prf_search_place(&shape->search, pc));
}

START_TEST(spans_that_touch_are_one_run)
{
	struct prf_hist_shape *shape =
		must_make(SPANS({0x1000, 0x1010}, {0x1010, 0x1012},
				{0x1012, 0x1020}, {0x1022, 0x1030}),
			  4);

	ck_assert_uint_eq(shape->run_bins[1], shape->spans[3].first);
	for (uint64_t pc = 0x1000; pc < 0x1020; pc++)
		ck_assert_uint_eq(prf_search_find(&shape->runs, pc).extent, 0);
	ck_assert_uint_eq(prf_search_find(&shape->runs, 0x1021).extent,
			  PRF_SEARCH_NONE);
	ck_assert_uint_eq(prf_search_find(&shape->runs, 0x1022).extent, 1);
	prf_hist_shape_drop(shape);
}
END_TEST

START_TEST(what_is_in_no_group_has_the_last_counter)
{
	struct prf_hist_shape *shape =
		must_make(SPANS({0x1000, 0x1010},
				{UINT64_C(1) << 40, (UINT64_C(1) << 40) + 2}),
			  2);
	const uint64_t pcs[] = {0, 0xfff, UINT64_C(1) << 39, UINT64_MAX};

	for (size_t i = 0; i < sizeof pcs / sizeof *pcs; i++)
		ck_assert_uint_eq(bin_by_place(shape, pcs[i]),
				  shape->n_bins - 1);
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_le(shape->spans[i].first + shape->spans[i].n,
				  shape->n_bins - 1);
	prf_hist_shape_drop(shape);
}
END_TEST

START_TEST(the_last_user_frees_it)
{
	struct prf_hist_shape *shape = must_make(SPANS({2, 4}), 1);

	prf_hist_shape_hold(shape);
	prf_hist_shape_hold(shape);
	prf_hist_shape_drop(shape);
	prf_hist_shape_drop(shape);
	ck_assert_uint_eq(bin_by_run(shape, 2), bin_by_place(shape, 3));
	ck_assert_uint_eq(shape->n_users, 1);
	prf_hist_shape_drop(shape);
	prf_hist_shape_drop(NULL);
}
END_TEST

START_TEST(what_is_refused_makes_no_shape)
{
	static const struct refused {
		struct prf_span spans[2];
		int rc;
	} all[] = {
		{{{2, 2}, {4, 6}}, -EINVAL},
		{{{2, 4}, {5, 8}}, -EINVAL},
		{{{2, 6}, {4, 8}}, -EINVAL},
		{{{0, 2}, {2, UINT64_MAX - 1}}, -EOVERFLOW},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct prf_error err = {0};
		struct prf_hist_shape *shape = NULL;

		ck_assert_int_eq(
			prf_hist_shape_new(all[i].spans, 2, &shape, &err),
			all[i].rc);
		ck_assert_int_eq(err.code, all[i].rc);
		ck_assert_ptr_null(shape);
	}
}
END_TEST

enum { N_SPANS = 300 };

/* Some touch; of the gaps few are large enough to part groups. */
static void
lay(struct random *random, struct prf_span *spans)
{
	uint64_t at = 0x1000;

	for (size_t i = 0; i < N_SPANS; i++) {
		if (random_below(random, 3) == 0)
			at += 2 * random_below(random, 40);
		if (random_below(random, 50) == 0)
			at += UINT64_C(1) << (16 + random_below(random, 30));
		spans[i].lo = at;
		at += 2 + 2 * random_below(random, 40);
		spans[i].hi = at;
	}
}

/* The definition: counters of a span follow one another, two bytes each, and
 * those of no two spans are the same. */
START_TEST(each_2_bytes_of_text_have_a_counter_of_their_own)
{
	struct random random = random_begin();

	for (int round = 0; round < 50; round++) {
		struct prf_span spans[N_SPANS];
		size_t free_from = 0;

		lay(&random, spans);
		struct prf_hist_shape *shape = must_make(spans, N_SPANS);
		for (size_t i = 0; i < N_SPANS; i++) {
			size_t first = shape->spans[i].first;

			ck_assert_msg(first >= free_from,
				      RANDOM_WHERE "span %zu",
				      RANDOM_IS(&random), i);
			for (uint64_t pc = spans[i].lo; pc < spans[i].hi;
			     pc++) {
				size_t bin = first + (pc - spans[i].lo) / 2;

				ck_assert_uint_eq(bin_by_run(shape, pc), bin);
				ck_assert_uint_eq(bin_by_place(shape, pc), bin);
			}
			free_from = first + shape->spans[i].n;
			ck_assert_uint_eq(shape->spans[i].n,
					  (spans[i].hi - spans[i].lo) / 2);
		}
		ck_assert_uint_lt(free_from, shape->n_bins);
		prf_hist_shape_drop(shape);
	}
}
END_TEST

START_TEST(the_span_behind_a_counter_is_the_one_a_walk_finds)
{
	struct random random = random_begin();
	struct prf_span spans[N_SPANS];

	lay(&random, spans);
	struct prf_hist_shape *shape = must_make(spans, N_SPANS);
	for (int i = 0; i < 20000; i++) {
		size_t lo = random_below(&random, N_SPANS + 1), walk = lo;
		size_t at = random_below(&random, shape->n_bins + 1);

		while (walk < N_SPANS &&
		       shape->spans[walk].first + shape->spans[walk].n <= at)
			walk++;
		ck_assert_uint_eq(prf_hist_shape_span_behind(shape, lo, at),
				  walk);
	}
	prf_hist_shape_drop(shape);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("hist_shape");
	TCase *tcase = tcase_create("hist_shape");

	tcase_set_timeout(tcase, 120); /* under sanitizers */
	tcase_add_test(tcase, spans_that_touch_are_one_run);
	tcase_add_test(tcase, what_is_in_no_group_has_the_last_counter);
	tcase_add_test(tcase, the_last_user_frees_it);
	tcase_add_test(tcase, what_is_refused_makes_no_shape);
	tcase_add_test(tcase, each_2_bytes_of_text_have_a_counter_of_their_own);
	tcase_add_test(tcase,
		       the_span_behind_a_counter_is_the_one_a_walk_finds);
	suite_add_tcase(suite, tcase);
	return suite;
}
