#include "live/stopped/stack_place.h"

#include <string.h>

#include "support/suite.h"

static const struct prf_stack_mapping stack = {0x100000, 0x200000, false};
static const struct prf_stack_mapping other = {0x800000, 0x810000, false};

START_TEST(nothing_is_known_at_first)
{
	struct prf_stack_place place = {0};

	ck_assert_ptr_null(prf_stack_place_find(&place, 0));
	ck_assert_ptr_null(prf_stack_place_find(&place, 0x180000));
}
END_TEST

START_TEST(the_first_stack_is_the_usual_one)
{
	struct prf_stack_place place = {0};

	prf_stack_place_learn(&place, &stack);
	ck_assert_ptr_eq(prf_stack_place_find(&place, 0x100000), &place.usual);
	ck_assert_ptr_eq(prf_stack_place_find(&place, 0x1fffff), &place.usual);
	ck_assert_ptr_null(prf_stack_place_find(&place, 0xfffff));
	ck_assert_ptr_null(prf_stack_place_find(&place, 0x200000));
	ck_assert(!prf_stack_place_is_elsewhere(&place, 0x180000));
}
END_TEST

START_TEST(a_stack_that_has_grown_is_the_same)
{
	const struct prf_stack_mapping grown = {0x80000, 0x200000, false};
	struct prf_stack_place place = {0};

	prf_stack_place_learn(&place, &stack);
	prf_stack_place_learn(&place, &grown);
	ck_assert_ptr_eq(prf_stack_place_find(&place, 0x90000), &place.usual);
	ck_assert_uint_eq(place.other.end, 0);
}
END_TEST

START_TEST(another_one_is_known_beside_the_usual_one)
{
	struct prf_stack_place place = {0};

	prf_stack_place_learn(&place, &stack);
	prf_stack_place_learn(&place, &other);
	ck_assert_ptr_eq(prf_stack_place_find(&place, 0x808000), &place.other);
	ck_assert(prf_stack_place_is_elsewhere(&place, 0x808000));
	ck_assert_ptr_eq(prf_stack_place_find(&place, 0x180000), &place.usual);
	ck_assert(!prf_stack_place_is_elsewhere(&place, 0x180000));
}
END_TEST

START_TEST(who_stays_elsewhere_has_moved)
{
	struct prf_stack_place place = {0};
	int n = 0;

	prf_stack_place_learn(&place, &stack);
	prf_stack_place_learn(&place, &other);
	while (prf_stack_place_is_elsewhere(&place, 0x808000)) {
		prf_stack_place_visit(&place, 0x808000, false);
		ck_assert_int_lt(n++, 100);
	}
	ck_assert_int_gt(n, 1);
	ck_assert_uint_eq(place.usual.end, other.end);
	ck_assert(prf_stack_place_is_elsewhere(&place, 0x180000));
}
END_TEST

START_TEST(visits_between_are_no_move)
{
	struct prf_stack_place place = {0};

	prf_stack_place_learn(&place, &stack);
	prf_stack_place_learn(&place, &other);
	for (int i = 0; i < 100; i++) {
		prf_stack_place_visit(&place, 0x808000, false);
		ck_assert(prf_stack_place_is_elsewhere(&place, 0x808000));
		prf_stack_place_visit(&place, 0x180000, false);
		ck_assert(!prf_stack_place_is_elsewhere(&place, 0x180000));
	}
}
END_TEST

START_TEST(who_stays_in_a_handler_has_not_moved)
{
	struct prf_stack_place place = {0};

	prf_stack_place_learn(&place, &stack);
	prf_stack_place_learn(&place, &other);
	for (int i = 0; i < 100; i++) {
		prf_stack_place_visit(&place, 0x808000, i % 10 != 0);
		ck_assert(prf_stack_place_is_elsewhere(&place, 0x808000));
	}
	ck_assert_uint_eq(place.usual.end, stack.end);
}
END_TEST

static const struct {
	struct prf_stack_mapping mapping;
	uint64_t sp;
	size_t n_bytes;
} sizes[] = {
	{{0x100000, 0x200000, false}, 0x1ff000, 0x1000},
	{{0x100000, 0x200000, false}, 0x100000, 1 << 20},
	{{0x100000, 0x300000, true}, 0x100000, 1 << 20},
	{{0x100000, 0x300000, false}, 0x100000, 64 << 10},
	{{0x1000, UINT64_MAX, false}, 0x1000, 64 << 10},
};

START_TEST(a_stack_is_copied_to_its_end_but_there_are_limits)
{
	ck_assert_uint_eq(prf_stack_place_bytes(&sizes[_i].mapping,
						sizes[_i].sp, 64 << 10),
			  sizes[_i].n_bytes);
}
END_TEST

START_TEST(the_lowest_pointer_says_where_it_goes_on)
{
	const uint64_t words[] = {1,       0x200000, 0x180010,
				  0xfffff, 0x180000, 0x1ffff8};

	ck_assert_uint_eq(
		prf_stack_place_behind(&stack, words, sizeof words, 8),
		0x180000);
	ck_assert_uint_eq(prf_stack_place_behind(&stack, words, 16, 8), 0);
	/* What is no whole word is not looked at. */
	ck_assert_uint_eq(prf_stack_place_behind(&stack, words, 5 * 8 - 1, 8),
			  0x180010);
}
END_TEST

START_TEST(a_32_bit_program_has_shorter_pointers)
{
	const uint32_t words[] = {1, 0x180020, 0x180000};

	ck_assert_uint_eq(
		prf_stack_place_behind(&stack, words, sizeof words, 4),
		0x180000);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stack_place");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, nothing_is_known_at_first);
	tcase_add_test(tcase, the_first_stack_is_the_usual_one);
	tcase_add_test(tcase, a_stack_that_has_grown_is_the_same);
	tcase_add_test(tcase, another_one_is_known_beside_the_usual_one);
	tcase_add_test(tcase, who_stays_elsewhere_has_moved);
	tcase_add_test(tcase, visits_between_are_no_move);
	tcase_add_test(tcase, who_stays_in_a_handler_has_not_moved);
	tcase_add_loop_test(tcase,
			    a_stack_is_copied_to_its_end_but_there_are_limits,
			    0, (int)(sizeof sizes / sizeof *sizes));
	tcase_add_test(tcase, the_lowest_pointer_says_where_it_goes_on);
	tcase_add_test(tcase, a_32_bit_program_has_shorter_pointers);
	suite_add_tcase(suite, tcase);
	return suite;
}
