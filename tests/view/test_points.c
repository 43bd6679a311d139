#include "view/points.h"

#include "support/suite.h"
#include "view/made.h"

static const struct elf_symbol two[] = {
	{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1040, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

static void
add(struct prf_object *object, uint64_t vaddr, uint32_t ticks)
{
	ck_assert_int_eq(prf_object_add(object, vaddr, ticks, 0), 0);
}

static void
settle(struct prf_object *object)
{
	struct prf_error err = {0};

	ck_assert_msg(!prf_object_settle(object, NULL, 0, &err), "%s",
		      err.text);
}

static void
check_next(struct prf_points *points, uint64_t vaddr, uint64_t ticks)
{
	struct prf_point point = {0};

	ck_assert(prf_points_next(points, &point));
	ck_assert_uint_eq(point.vaddr, vaddr);
	ck_assert_uint_eq(point.ticks, ticks);
}

START_TEST(an_object_without_ticks_has_no_points)
{
	struct prf_point point;

	made_elf("lib", two, 2);
	struct prf_object *object = made_mapped_object("lib");
	settle(object);
	struct prf_points points = {.object = object};
	ck_assert(!prf_points_next(&points, &point));
	ck_assert(!prf_points_next(&points, &point));
	prf_object_free(object);
}
END_TEST

START_TEST(points_ascend_from_text_to_text)
{
	struct prf_point point;

	made_elf("lib", two, 2);
	struct prf_object *object = made_mapped_object("lib");
	add(object, 0x1ffe, 5);
	add(object, 0x1040, 3);
	add(object, 0x103f, 2);
	add(object, 0x1000, 1);
	add(object, 0x1041, 4);
	settle(object);
	struct prf_points points = {.object = object};
	check_next(&points, 0x1000, 1);
	check_next(&points, 0x103e, 2);
	check_next(&points, 0x1040, 7);
	check_next(&points, 0x1ffe, 5);
	ck_assert(!prf_points_next(&points, &point));
	made_check_object(object);
	prf_object_free(object);
}
END_TEST

START_TEST(a_text_is_told_at_once_with_all_its_points)
{
	struct prf_points_text text;
	struct prf_point point;

	made_elf("lib", two, 2);
	struct prf_object *object = made_mapped_object("lib");
	add(object, 0x1041, 3);
	add(object, 0x107f, 2);
	settle(object);
	struct prf_points points = {.object = object};
	do /* the page of these has others */
		ck_assert(prf_points_next_text(&points, &text));
	while (text.lo < 0x1040);
	ck_assert_uint_eq(text.lo, 0x1040);
	ck_assert_uint_eq(text.n, 0x20);
	for (size_t i = 0; i < text.n; i++)
		ck_assert_uint_eq(text.ticks[i], i == 0 ? 3 : i == 31 ? 2 : 0);
	/* Not told again. */
	ck_assert(!prf_points_next(&points, &point));
	prf_object_free(object);
}
END_TEST

START_TEST(points_that_were_made_up_are_told_as_well)
{
	struct prf_points_text text;
	struct prf_point point;
	struct prf_object *object = prf_object_new(PRF_OBJECT_KERNEL, NULL);

	add(object, 1, 3);
	add(object, 0, 2);
	settle(object);
	struct prf_points points = {.object = object};
	ck_assert(!prf_points_next_text(&points, &text));
	check_next(&points, 0, 2);
	check_next(&points, 16, 3);
	ck_assert(!prf_points_next(&points, &point));
	prf_object_free(object);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("points");
	TCase *tcase = tcase_create("points");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, an_object_without_ticks_has_no_points);
	tcase_add_test(tcase, points_ascend_from_text_to_text);
	tcase_add_test(tcase, a_text_is_told_at_once_with_all_its_points);
	tcase_add_test(tcase, points_that_were_made_up_are_told_as_well);
	suite_add_tcase(suite, tcase);
	return suite;
}
