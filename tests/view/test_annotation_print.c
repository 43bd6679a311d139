#include "view/annotate/annotation_print.h"

#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "support/suite.h"

/* Of 10 ticks of the function, which are half of all, 3 are of no line. */
static struct prf_annotated_line lines[] = {
	{.file = "no_such_file.c", .line = 5, .count = {7, 7}},
};
static struct prf_annotated_code code[] = {
	{0x1000, 1, (char *)"first", 0, {7, 7}},
	{0x1001, 1, (char *)"second", PRF_ANNOTATED_NO_LINE, {3, 3}},
	{0x1002, 1, (char *)"third", PRF_ANNOTATED_NO_LINE, {0, 0}},
};

/* What is printed of the first N_CODE instructions; to be free()d. */
static char *
printed(size_t n_code, uint64_t ticks, bool is_whole)
{
	static const struct prf_style style;
	const struct prf_annotation annotation = {
		.function = "f",
		.count = {ticks, (double)ticks},
		.lines = lines,
		.n_lines = 1,
		.code = code,
		.n_code = n_code,
	};
	const struct prf_annotation_look look = {
		.all = {20, 20},
		.is_whole = is_whole,
		.style = &style,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_annotation_print(&annotation, &look, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(instructions_of_no_line_are_behind_those_of_lines)
{
	PRF_AUTO(prf_auto_free) char *text = printed(3, 10, false);
	const char *line = strstr(text, "1000:  first");

	ck_assert_ptr_nonnull(line);
	line = strstr(line, "\n  no line: 15.00 %\n");
	ck_assert_ptr_nonnull(line);
	ck_assert_ptr_nonnull(strstr(line, "1001:  second\n"));
	ck_assert_ptr_null(strstr(text, "third"));
}
END_TEST

START_TEST(all_of_them_are_there_where_all_is_wanted)
{
	PRF_AUTO(prf_auto_free) char *text = printed(3, 10, true);

	ck_assert_ptr_nonnull(strstr(text, "1002:  third\n"));
}
END_TEST

/* As of a file that is another by now. */
START_TEST(their_ticks_are_told_where_no_instructions_are_known)
{
	PRF_AUTO(prf_auto_free) char *text = printed(0, 10, false);

	ck_assert_ptr_nonnull(strstr(text, "\n  no line: 15.00 %\n"));
}
END_TEST

START_TEST(where_all_have_lines_nothing_is_said_of_others)
{
	PRF_AUTO(prf_auto_free) char *text = printed(1, 7, false);
	PRF_AUTO(prf_auto_free) char *whole = printed(1, 7, true);

	ck_assert_ptr_null(strstr(text, "no line"));
	ck_assert_ptr_null(strstr(whole, "no line"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("annotation_print");
	TCase *tcase = tcase_create("annotation_print");

	tcase_add_test(tcase,
		       instructions_of_no_line_are_behind_those_of_lines);
	tcase_add_test(tcase, all_of_them_are_there_where_all_is_wanted);
	tcase_add_test(tcase,
		       their_ticks_are_told_where_no_instructions_are_known);
	tcase_add_test(tcase, where_all_have_lines_nothing_is_said_of_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
