#include "view/merge_objects.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/scope.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_merge, prf_merge_free);

#define HEAD "# gmon.syms 1\n"

/* A list of one object, [LO, HI) of gmon.out, SHIFT above its own addresses. */
static int
take(struct prf_merge *merge, unsigned lo, unsigned hi, unsigned shift,
     const char *build_id, const char *path, const struct prf_merge_list **list,
     struct prf_error *err)
{
	char text[512];
	int n = snprintf(text, sizeof text,
			 HEAD "# object %x %x %x %s %s\n%016x T [end]\n", lo,
			 hi, shift, build_id, path, hi);

	return prf_merge_list_find(merge, text, (size_t)n, list, err);
}

static const struct prf_merged_object *
taken(struct prf_merge *merge, unsigned lo, unsigned shift,
      const char *build_id, const char *path)
{
	const struct prf_merge_list *list;
	struct prf_error err = {0};

	ck_assert_msg(!take(merge, lo, lo + 0x1000, shift, build_id, path,
			    &list, &err),
		      "%s", err.text);
	return list->objects[0];
}

static void
assert_refused(struct prf_merge *merge, unsigned lo, unsigned shift,
	       const char *build_id, const char *path, const char *error)
{
	const struct prf_merge_list *list;
	struct prf_error err = {0};

	ck_assert_int_eq(take(merge, lo, lo + 0x1000, shift, build_id, path,
			      &list, &err),
			 -EINVAL);
	ck_assert_msg(strstr(err.text, error), "%s", err.text);
}

START_TEST(a_program_is_the_same_wherever_it_lies_and_whatever_its_path)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	const struct prf_merged_object *one =
		taken(merge, 0x2000, 0, "ab", "/b");

	ck_assert(one->is_program && !one->by_name);
	ck_assert_ptr_eq(taken(merge, 0x4000, 0, "ab", "/a"), one);
	ck_assert_ptr_eq(taken(merge, 0x1000, 0, "ab", "/c"), one);
	ck_assert_uint_eq(merge->n_objects, 1);
	/* The first of its paths, and all that it has been. */
	ck_assert_str_eq(one->path, "/a");
	ck_assert_uint_eq(one->lo, 0x1000);
	ck_assert_uint_eq(one->hi, 0x5000);
}
END_TEST

START_TEST(without_a_build_id_a_program_has_its_path_and_its_place)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	const struct prf_merged_object *one =
		taken(merge, 0x1000, 0, "-", "/a");

	ck_assert_ptr_eq(taken(merge, 0x1000, 0, "-", "/a"), one);
	assert_refused(merge, 0x2000, 0, "-", "/a", "another program");
	assert_refused(merge, 0x1000, 0, "-", "/b", "another program");
	assert_refused(merge, 0x1000, 0, "ab", "/a", "another program");
}
END_TEST

START_TEST(other_objects_differ_by_path_and_by_build_id)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	const struct prf_merged_object *one =
		taken(merge, 0x1000, 0x1000, "ab", "/a");

	ck_assert(!one->is_program);
	ck_assert_ptr_eq(taken(merge, 0x5000, 0x5000, "ab", "/a"), one);
	ck_assert_ptr_ne(taken(merge, 0x1000, 0x1000, "cd", "/a"), one);
	ck_assert_ptr_ne(taken(merge, 0x1000, 0x1000, "ab", "/b"), one);
	ck_assert_uint_eq(merge->n_objects, 3);
	/* At their own addresses. */
	ck_assert_uint_eq(one->lo, 0);
	ck_assert_uint_eq(one->hi, 0x1000);
}
END_TEST

START_TEST(all_have_a_program_or_none_has)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *with = prf_merge_new();
	PRF_AUTO(prf_merge_auto) struct prf_merge *without = prf_merge_new();

	taken(with, 0x1000, 0, "ab", "/a");
	assert_refused(with, 0x1000, 0x1000, "cd", "/b", "no program");
	taken(without, 0x1000, 0x1000, "cd", "/b");
	assert_refused(without, 0x1000, 0, "ab", "/a", "a program");
}
END_TEST

static const struct {
	const char *object, *name;
	bool fixed;
} places[] = {
	{"[kernel]", "[kernel]:read", true},
	{"[kernel]", "[kernel]:syscall_600", false},
	{"[jit]", "[kernel]:read", false},
	{"[unknown]", "[unknown]", false},
	{"/bin/a", "main", false},
};

START_TEST(only_system_calls_with_a_name_keep_their_places)
{
	ck_assert_int_eq(prf_merge_objects_has_fixed_place(places[_i].object,
							   places[_i].name),
			 places[_i].fixed);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("merge_objects");
	TCase *tcase = tcase_create("merge_objects");

	tcase_add_test(
		tcase,
		a_program_is_the_same_wherever_it_lies_and_whatever_its_path);
	tcase_add_test(tcase,
		       without_a_build_id_a_program_has_its_path_and_its_place);
	tcase_add_test(tcase, other_objects_differ_by_path_and_by_build_id);
	tcase_add_test(tcase, all_have_a_program_or_none_has);
	tcase_add_loop_test(tcase,
			    only_system_calls_with_a_name_keep_their_places, 0,
			    sizeof places / sizeof *places);
	suite_add_tcase(suite, tcase);
	return suite;
}
