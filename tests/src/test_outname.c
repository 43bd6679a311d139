#include "src/output/outname.h"
#include "support/suite.h"

#include <errno.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
check_symbols(const char *name, const char *expected)
{
	char *symbols = prf_outname_symbols(name);

	ck_assert_ptr_nonnull(symbols);
	ck_assert_str_eq(symbols, expected);
	free(symbols);
}

START_TEST(the_symbol_list_stands_beside_the_profile)
{
	check_symbols("gmon.out", "gmon.syms");
	check_symbols("x.4711.out", "x.4711.syms");
	check_symbols("x", "x.syms");
	check_symbols("x.outer", "x.outer.syms");
	check_symbols("out", "out.syms");
	check_symbols(".out", ".out.syms");
}
END_TEST

static void
check_split(const char *const *objects, const char *const *expected, size_t n)
{
	char **names = NULL;

	ck_assert_int_eq(
		prf_outname_split("gmon.out", objects, n, &names, NULL), 0);
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(names[i], expected[i]);
	prf_outname_free(names, n);
}

START_TEST(an_object_is_called_without_its_directory)
{
	static const char *const objects[] = {"/usr/lib/libc.so.6", "./a.out",
					      "prog", "[vdso]", "[kernel]"};
	static const char *const expected[] = {
		"gmon.out.libc.so.6", "gmon.out.a.out", "gmon.out.prog",
		"gmon.out.vdso", "gmon.out.kernel"};

	check_split(objects, expected, 5);
}
END_TEST

START_TEST(what_a_shell_would_mind_becomes_an_underscore)
{
	static const char *const objects[] = {
		"/a/b c", "/a/\n\033[2J", "/a/'~$", "/a/\xc3\xa4", "/a/", ""};
	static const char *const expected[] = {
		"gmon.out.b_c",      "gmon.out.__2J", "gmon.out.___",
		"gmon.out.\xc3\xa4", "gmon.out.",     "gmon.out.~2"};

	check_split(objects, expected, 6);
}
END_TEST

START_TEST(objects_of_one_name_are_numbered_in_their_order)
{
	static const char *const objects[] = {"/a/x", "/b/x", "/b/y", "/c/x"};
	static const char *const expected[] = {"gmon.out.x", "gmon.out.x~2",
					       "gmon.out.y", "gmon.out.x~3"};

	check_split(objects, expected, 4);
}
END_TEST

START_TEST(an_object_with_a_number_in_its_name_stays_apart)
{
	static const char *const objects[] = {"/a/x~2", "/a/x", "/b/x",
					      "/c/x~2"};
	static const char *const expected[] = {
		"gmon.out.x_2", "gmon.out.x", "gmon.out.x~2", "gmon.out.x_2~2"};

	check_split(objects, expected, 4);
}
END_TEST

START_TEST(no_name_is_too_long_for_a_file)
{
	char object[2 * NAME_MAX];
	const char *objects[2] = {object, object};
	char **names = NULL;

	memset(object, 'x', sizeof object - 1);
	object[sizeof object - 1] = '\0';
	ck_assert_int_eq(
		prf_outname_split("gmon.out", objects, 2, &names, NULL), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_le(strlen(names[i]), NAME_MAX);
		ck_assert_uint_ge(strlen(names[i]), NAME_MAX - 16);
	}
	ck_assert_str_ne(names[0], names[1]);
	prf_outname_free(names, 2);
}
END_TEST

START_TEST(many_objects_all_get_their_own_name)
{
	enum { N = 20000 };
	static const char *objects[N];
	char **names = NULL, last[32];

	for (int i = 0; i < N; i++)
		objects[i] = "/x/same";
	ck_assert_int_eq(prf_outname_split("o", objects, N, &names, NULL), 0);
	snprintf(last, sizeof last, "o.same~%d", N);
	ck_assert_str_eq(names[0], "o.same");
	ck_assert_str_eq(names[N - 1], last);
	prf_outname_free(names, N);
}
END_TEST

START_TEST(no_objects_have_no_names)
{
	char **names = NULL;

	ck_assert_int_eq(prf_outname_split("o", NULL, 0, &names, NULL), 0);
	prf_outname_free(names, 0);
	prf_outname_free(NULL, 3);
}
END_TEST

START_TEST(a_name_and_its_symbol_list_are_given_once)
{
	struct prf_outnames names = {0};

	ck_assert_int_eq(prf_outnames_claim(&names, "gmon.out"), 0);
	ck_assert_int_eq(prf_outnames_claim(&names, "gmon.out"), -EEXIST);
	ck_assert_int_eq(prf_outnames_claim(&names, "gmon.out.1"), 0);
	ck_assert_int_eq(prf_outnames_claim(&names, "gmon"), -EEXIST);
	ck_assert_int_eq(prf_outnames_claim(&names, "gmon.syms"), -EEXIST);
	ck_assert_int_eq(prf_outnames_claim(&names, ""), 0);
	prf_outnames_clear(&names);
	ck_assert_int_eq(prf_outnames_claim(&names, "gmon.out"), 0);
	prf_outnames_clear(&names);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("outname");
	TCase *tcase = tcase_create("outname");

	tcase_add_test(tcase, the_symbol_list_stands_beside_the_profile);
	tcase_add_test(tcase, an_object_is_called_without_its_directory);
	tcase_add_test(tcase, what_a_shell_would_mind_becomes_an_underscore);
	tcase_add_test(tcase, objects_of_one_name_are_numbered_in_their_order);
	tcase_add_test(tcase, an_object_with_a_number_in_its_name_stays_apart);
	tcase_add_test(tcase, no_name_is_too_long_for_a_file);
	tcase_add_test(tcase, many_objects_all_get_their_own_name);
	tcase_add_test(tcase, no_objects_have_no_names);
	tcase_add_test(tcase, a_name_and_its_symbol_list_are_given_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
