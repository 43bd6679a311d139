#include "space/space.h"

#include <errno.h>

#include "core/random.h"
#include "support/suite.h"
#include "space/file.h"

static struct prf_file files[16];

static void
set(struct prf_space *space, uint64_t addr, uint64_t last,
    struct prf_file *file)
{
	const struct prf_space_range range = {
		.addr = addr,
		.last = last,
		.kind = file ? PRF_MAPPING_FILE : PRF_MAPPING_NONE,
		.file = file,
		.map_addr = addr,
		.map_size = last - addr + 1,
	};

	ck_assert_int_eq(prf_space_set(space, &range), 0);
}

static const struct prf_file *
at(const struct prf_space *space, uint64_t addr)
{
	const struct prf_space_range *range = prf_space_at(space, addr);

	return range ? range->file : NULL;
}

START_TEST(an_empty_space_holds_nothing)
{
	struct prf_space space = {0};

	ck_assert_ptr_null(prf_space_at(&space, 0));
	ck_assert_ptr_null(prf_space_at(&space, UINT64_MAX));
	set(&space, 0, UINT64_MAX, NULL);
	ck_assert_ptr_null(prf_space_at(&space, 0));
	prf_space_clear(&space);
}
END_TEST

START_TEST(a_range_holds_both_its_ends_and_no_more)
{
	struct prf_space space = {0};

	set(&space, 10, 19, &files[0]);
	ck_assert_ptr_null(at(&space, 9));
	ck_assert_ptr_eq(at(&space, 10), &files[0]);
	ck_assert_ptr_eq(at(&space, 19), &files[0]);
	ck_assert_ptr_null(at(&space, 20));
	prf_space_clear(&space);
}
END_TEST

START_TEST(the_last_address_of_all_can_be_held)
{
	struct prf_space space = {0};

	set(&space, UINT64_MAX - 3, UINT64_MAX, &files[0]);
	set(&space, UINT64_MAX, UINT64_MAX, &files[1]);
	ck_assert_ptr_eq(at(&space, UINT64_MAX - 1), &files[0]);
	ck_assert_ptr_eq(at(&space, UINT64_MAX), &files[1]);
	set(&space, 0, UINT64_MAX, &files[2]);
	ck_assert_ptr_eq(at(&space, 0), &files[2]);
	ck_assert_ptr_eq(at(&space, UINT64_MAX), &files[2]);
	ck_assert_uint_eq(space.n, 1);
	prf_space_clear(&space);
}
END_TEST

START_TEST(a_range_in_the_middle_leaves_both_ends_and_their_mapping)
{
	struct prf_space space = {0};

	set(&space, 100, 199, &files[0]);
	set(&space, 140, 149, &files[1]);
	ck_assert_uint_eq(space.n, 3);
	ck_assert_ptr_eq(at(&space, 139), &files[0]);
	ck_assert_ptr_eq(at(&space, 140), &files[1]);
	ck_assert_ptr_eq(at(&space, 149), &files[1]);
	ck_assert_ptr_eq(at(&space, 150), &files[0]);
	ck_assert_uint_eq(prf_space_at(&space, 150)->map_addr, 100);
	ck_assert_uint_eq(prf_space_at(&space, 145)->map_addr, 140);
	prf_space_clear(&space);
}
END_TEST

START_TEST(nothing_cuts_a_hole)
{
	struct prf_space space = {0};

	set(&space, 100, 199, &files[0]);
	set(&space, 140, 149, NULL);
	ck_assert_uint_eq(space.n, 2);
	ck_assert_ptr_eq(at(&space, 139), &files[0]);
	ck_assert_ptr_null(at(&space, 140));
	ck_assert_ptr_null(at(&space, 149));
	ck_assert_ptr_eq(at(&space, 150), &files[0]);
	prf_space_clear(&space);
}
END_TEST

START_TEST(ranges_whose_ends_touch_leave_each_other_alone)
{
	struct prf_space space = {0};

	set(&space, 20, 29, &files[0]);
	set(&space, 10, 19, &files[1]);
	set(&space, 30, 39, &files[2]);
	ck_assert_uint_eq(space.n, 3);
	for (uint64_t addr = 10; addr < 40; addr++)
		ck_assert_ptr_eq(at(&space, addr), &files[addr < 20   ? 1
							  : addr < 30 ? 0
								      : 2]);
	prf_space_clear(&space);
}
END_TEST

START_TEST(a_range_that_ends_before_it_begins_is_refused)
{
	struct prf_space space = {0};
	const struct prf_space_range range = {
		.addr = 10,
		.last = 9,
		.kind = PRF_MAPPING_FILE,
		.file = &files[0],
	};

	ck_assert_int_eq(prf_space_set(&space, &range), -EINVAL);
	ck_assert_uint_eq(space.n, 0);
	prf_space_clear(&space);
}
END_TEST

START_TEST(a_cleared_space_can_be_used_again)
{
	struct prf_space space = {0};

	set(&space, 10, 19, &files[0]);
	prf_space_clear(&space);
	ck_assert_ptr_null(at(&space, 10));
	set(&space, 10, 19, &files[1]);
	ck_assert_ptr_eq(at(&space, 10), &files[1]);
	prf_space_clear(&space);
}
END_TEST

START_TEST(a_copy_is_as_the_space_was_and_stays_so)
{
	struct prf_space space = {0}, copy;

	ck_assert_int_eq(prf_space_copy(&copy, &space), 0);
	ck_assert_ptr_null(prf_space_at(&copy, 0));
	set(&space, 10, 19, &files[0]);
	set(&space, 30, 39, &files[1]);
	ck_assert_int_eq(prf_space_copy(&copy, &space), 0);
	set(&space, 30, 39, &files[2]);
	set(&copy, 10, 14, NULL);
	ck_assert_ptr_eq(at(&copy, 30), &files[1]);
	ck_assert_ptr_eq(at(&space, 10), &files[0]);
	ck_assert_ptr_null(at(&copy, 10));
	ck_assert_ptr_eq(at(&copy, 15), &files[0]);
	prf_space_clear(&space);
	prf_space_clear(&copy);
}
END_TEST

enum { MODEL_BYTES = 256 };

/* The first addresses there are, or the last. */
static const uint64_t bases[] = {0, UINT64_MAX - (MODEL_BYTES - 1)};

static void
check_against(const struct prf_space *space, uint64_t base,
	      struct prf_file *const *model, const struct random *random)
{
	for (size_t i = 0; i < MODEL_BYTES; i++)
		ck_assert_msg(at(space, base + i) == model[i],
			      RANDOM_WHERE "address %zu", RANDOM_IS(random), i);
	for (size_t i = 1; i < space->n; i++)
		ck_assert_msg(space->ranges[i - 1].last < space->ranges[i].addr,
			      RANDOM_WHERE "range %zu", RANDOM_IS(random), i);
}

START_TEST(it_is_as_good_as_an_array)
{
	struct prf_file *model[MODEL_BYTES] = {0};
	struct random random = random_begin();
	struct prf_space space = {0};

	for (int round = 0; round < 3000; round++) {
		uint64_t lo = random_below(&random, MODEL_BYTES);
		uint64_t most = round % 8 ? 24 : MODEL_BYTES;
		uint64_t n = 1 + random_below(&random, most);
		uint64_t hi = lo + n < MODEL_BYTES ? lo + n : MODEL_BYTES;
		struct prf_file *file =
			random_below(&random, 4)
				? &files[random_below(&random, 16)]
				: NULL;

		set(&space, bases[_i] + lo, bases[_i] + hi - 1, file);
		for (uint64_t i = lo; i < hi; i++)
			model[i] = file;
		check_against(&space, bases[_i], model, &random);
	}
	prf_space_clear(&space);
}
END_TEST

START_TEST(a_space_has_so_many_ranges_and_no_more)
{
	enum { MAX = PRF_SPACE_RANGES_MAX };
	struct prf_space space = {0};

	for (uint64_t i = 0; i < MAX; i++)
		set(&space, 10 * i, 10 * i + 8, &files[i % 16]);
	const struct prf_space_range more[] = {
		{.addr = 10 * MAX, .last = 10 * MAX, .kind = PRF_MAPPING_ANON},
		{.addr = 9, .last = 9, .kind = PRF_MAPPING_ANON},
		{.addr = 3, .last = 4}, /* makes two of one */
	};
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(prf_space_set(&space, &more[i]), -E2BIG);
	ck_assert_uint_eq(space.n, MAX);
	ck_assert_ptr_eq(at(&space, 3), &files[0]);
	set(&space, 0, 8, &files[1]);
	ck_assert_ptr_eq(at(&space, 3), &files[1]);
	set(&space, 10, 18, NULL);
	ck_assert_int_eq(prf_space_set(&space, &more[1]), 0);
	prf_space_clear(&space);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("space");
	TCase *tcase = tcase_create("space");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, an_empty_space_holds_nothing);
	tcase_add_test(tcase, a_range_holds_both_its_ends_and_no_more);
	tcase_add_test(tcase, the_last_address_of_all_can_be_held);
	tcase_add_test(
		tcase,
		a_range_in_the_middle_leaves_both_ends_and_their_mapping);
	tcase_add_test(tcase, nothing_cuts_a_hole);
	tcase_add_test(tcase, ranges_whose_ends_touch_leave_each_other_alone);
	tcase_add_test(tcase, a_range_that_ends_before_it_begins_is_refused);
	tcase_add_test(tcase, a_cleared_space_can_be_used_again);
	tcase_add_test(tcase, a_copy_is_as_the_space_was_and_stays_so);
	tcase_add_loop_test(tcase, it_is_as_good_as_an_array, 0, 2);
	tcase_add_test(tcase, a_space_has_so_many_ranges_and_no_more);
	suite_add_tcase(suite, tcase);
	return suite;
}
