#include "view/table/name_columns.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* Lines of names and binaries (NULL at the end), behind BEFORE characters. */
static void
check(const char *const (*rows)[2], size_t before, size_t width,
      const char *expected)
{
	const struct prf_style style = {.width = width};
	struct prf_name_columns columns = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; rows[i][0]; i++)
		prf_name_columns_fit(&columns, rows[i][0], rows[i][1]);
	prf_name_columns_settle(&columns, before, &style);
	for (size_t i = 0; rows[i][0]; i++)
		prf_name_columns_print(&columns, rows[i][0], rows[i][1], out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, expected);
	free(text);
}

#define LONG "abcdefghijklmnopqrstuvwxyz"

static const char *const short_rows[][2] = {
	{"function", "binary"}, {"f", "libc.so.6"}, {NULL, NULL}};
static const char *const long_rows[][2] = {{"function", "binary"},
					   {LONG, "libc.so.6"},
					   {"g", "libalphabet.so.1.2.3"},
					   {NULL, NULL}};
static const char *const longest_rows[][2] = {
	{"function", "binary"}, {LONG LONG, "libc.so.6"}, {NULL, NULL}};
static const char *const names[][2] = {
	{"program", ""}, {LONG, ""}, {NULL, NULL}};

START_TEST(columns_are_as_wide_as_what_is_in_them)
{
	static const char expected[] = "  function  binary\n"
				       "  f         libc.so.6\n";

	check(short_rows, 10, 80, expected);
	check(short_rows, 10, 0, expected);
}
END_TEST

START_TEST(binaries_that_take_more_than_a_third_are_cut_before_names)
{
	check(long_rows, 8, 56,
	      "  function                    binary\n"
	      "  abcdefghijklmnopqrstuvwxyz  libc.so.6\n"
	      "  g                           libal...so.1.2.3\n");
	check(long_rows, 8, 50,
	      "  function                    binary\n"
	      "  abcdefghijklmnopqrstuvwxyz  libc.so.6\n"
	      "  g                           lib....1.2.3\n");
	check(long_rows, 8, 44,
	      "  function                binary\n"
	      "  abcdefg...opqrstuvwxyz  libc.so.6\n"
	      "  g                       lib....2.3\n");
}
END_TEST

START_TEST(a_narrow_line_has_some_of_both)
{
	check(long_rows, 30, 56,
	      "  function       binary\n"
	      "  abcd...uvwxyz  libc.so.6\n"
	      "  g              li....2.3\n");
}
END_TEST

START_TEST(a_line_that_is_full_has_a_little_of_both)
{
	check(long_rows, 90, 80,
	      "  function      binary\n"
	      "  abc...uvwxyz  l....6\n"
	      "  g             l....3\n");
}
END_TEST

START_TEST(without_a_width_nothing_is_cut_and_the_longest_sticks_out)
{
	check(long_rows, 30, 0,
	      "  function                    binary\n"
	      "  " LONG "  libc.so.6\n"
	      "  g                           libalphabet.so.1.2.3\n");
	check(longest_rows, 30, 0,
	      "  function  binary\n"
	      "  " LONG LONG "  libc.so.6\n");
}
END_TEST

START_TEST(a_table_may_have_no_binaries)
{
	check(names, 10, 32,
	      "  program\n"
	      "  abcdef...pqrstuvwxyz\n");
	check(names, 10, 0, "  program\n  " LONG "\n");
}
END_TEST

START_TEST(names_are_as_the_style_wants_them)
{
	static const struct {
		const char *name;
		bool full;
		const char *expected;
	} rows[] = {
		{"_ZN2ns1fIiEEvT_", false, "ns::f"},
		{"_ZN2ns1fIiEEvT_", true, "void ns::f<int>(int)"},
		{"_ZN2ns1fEi.cold", false, "ns::f.cold"},
		{"JS:*fib (a.js)", false, "JS:*fib (a.js)"},
		{"main", false, "main"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct prf_style style = {.full_names = rows[i].full};
		char *name = prf_name_columns_name(rows[i].name, &style);

		ck_assert_str_eq(name, rows[i].expected);
		free(name);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("name_columns");
	TCase *tcase = tcase_create("name_columns");

	tcase_add_test(tcase, columns_are_as_wide_as_what_is_in_them);
	tcase_add_test(
		tcase,
		binaries_that_take_more_than_a_third_are_cut_before_names);
	tcase_add_test(tcase, a_narrow_line_has_some_of_both);
	tcase_add_test(tcase, a_line_that_is_full_has_a_little_of_both);
	tcase_add_test(
		tcase,
		without_a_width_nothing_is_cut_and_the_longest_sticks_out);
	tcase_add_test(tcase, a_table_may_have_no_binaries);
	tcase_add_test(tcase, names_are_as_the_style_wants_them);
	suite_add_tcase(suite, tcase);
	return suite;
}
