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
	{NULL, 0x1000, 1, (char *)"first", 0, {7, 7}},
	{NULL, 0x1001, 1, (char *)"second", PRF_ANNOTATED_NO_LINE, {3, 3}},
	{NULL, 0x1002, 1, (char *)"third", PRF_ANNOTATED_NO_LINE, {0, 0}},
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

/* Each line has two instructions, which do not stand together: a walk through all of
 * them for each line would take minutes. */
START_TEST(instructions_stand_below_their_lines_however_many_there_are)
{
	enum { N = 200000 };
	static const struct prf_style style;
	struct prf_annotation many = {
		.count = {2 * N, 2 * N},
		.lines = calloc(N, sizeof *many.lines),
		.n_lines = N,
		.code = calloc(2 * (size_t)N, sizeof *many.code),
		.n_code = 2 * (size_t)N,
	};
	const struct prf_annotation_look look = {
		.all = many.count,
		.style = &style,
	};
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	for (uint32_t i = 0; i < N; i++)
		many.lines[i] = (struct prf_annotated_line){
			.file = "no_such_file.c",
			.line = i + 1,
			.count = {2, 2},
		};
	for (size_t i = 0; i < many.n_code; i++)
		many.code[i] = (struct prf_annotated_code){
			NULL, i, 1, (char *)"nop", i % N, {1, 1}};
	ck_assert_int_eq(prf_annotation_print(&many, &look, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	const char *line = strstr(text, "    5\n");
	ck_assert_ptr_nonnull(line);
	const char *first = strstr(line, "\n") + 1;
	ck_assert_ptr_nonnull(strstr(first, " 4:  nop\n"));
	const char *second = strstr(first, "\n") + 1;
	ck_assert_ptr_eq(strstr(second, "30d44:  nop\n"),
			 strstr(second, "\n") - strlen("30d44:  nop"));
	free(many.lines);
	free(many.code);
}
END_TEST

/* As of a header that two binaries have, of which one is older than it. */
static time_t
built(void *arg, const struct prf_binary *binary)
{
	const struct prf_binary *old = arg;

	return binary == old ? 1 : INT32_MAX;
}

START_TEST(a_source_that_is_newer_than_a_binary_is_said_to_be)
{
	static const struct prf_style style;
	static struct prf_binary old, young;
	struct prf_annotated_line own[] = {
		{.file = __FILE__,
		 .line = 1,
		 .binary = &young,
		 .count = {1, 1}},
		{.file = __FILE__,
		 .line = 2,
		 .binary = &young,
		 .count = {1, 1}},
	};
	const struct prf_annotation annotation = {
		.count = {2, 2}, .lines = own, .n_lines = 2};
	struct prf_annotation_look look = {
		.all = {2, 2},
		.supply = {NULL, built, &old},
		.style = &style,
	};

	for (int is_old = 0; is_old <= 1; is_old++) {
		PRF_AUTO(prf_auto_free) char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		ck_assert_ptr_nonnull(out);
		own[1].binary = is_old ? &old : &young;
		ck_assert_int_eq(prf_annotation_print(&annotation, &look, out),
				 0);
		ck_assert_int_eq(fclose(out), 0);
		ck_assert_ptr_null(strstr(text, "not found"));
		ck_assert_int_eq(strstr(text, "newer than") != NULL, is_old);
	}
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
	tcase_add_test(
		tcase,
		instructions_stand_below_their_lines_however_many_there_are);
	tcase_add_test(tcase,
		       a_source_that_is_newer_than_a_binary_is_said_to_be);
	suite_add_tcase(suite, tcase);
	return suite;
}
