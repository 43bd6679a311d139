#include "view/annotate/annotation_export.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* 10 of 20 ticks are of "one", on line 7, and of two instructions, of which the
 * latter has no line. */
static struct prf_binary binary = {.path = (char *)"/bin/prog"};
static struct prf_annotated_line lines[] = {
	{.file = "made.c", .directory = "/src", .line = 7, .count = {10, 10}},
	{.file = "/else/made.h", .directory = "/src", .line = 9},
};
static struct prf_annotated_code code[] = {
	{.binary = &binary,
	 .vaddr = 0x1000,
	 .n_bytes = 2,
	 .text = (char *)"nop",
	 .count = {4, 4}},
	{.binary = &binary,
	 .vaddr = 0x1002,
	 .n_bytes = 1,
	 .text = (char *)"ret \"x\"",
	 .line = (size_t)-1,
	 .count = {6, 6}},
};
static const struct prf_annotation annotation = {
	.binary = &binary,
	.function = "one",
	.count = {10, 10},
	.lines = lines,
	.n_lines = 2,
	.code = code,
	.n_code = 2,
};
enum { PERIOD_NS = 10000000 };

static char *text;

static void
end(void)
{
	free(text);
}

/* As text. */
static void
export_csv(bool is_whole, bool no_source)
{
	const struct prf_annotation_look look = {
		.all = {20, 20},
		.is_whole = is_whole,
		.no_source = no_source,
	};
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(
		prf_annotation_export_csv(&annotation, &look, PERIOD_NS, out),
		0);
	ck_assert_int_eq(fclose(out), 0);
}

/* Line NUMBER of TEXT begins with BEGIN and ends with END. */
static void
check_line(unsigned number, const char *begin, const char *line_end)
{
	char *at = text;

	while (number--)
		at = strchr(at, '\n') + 1;
	char *line = strndup(at, strcspn(at, "\n"));
	size_t n = strlen(line), n_end = strlen(line_end);
	ck_assert_msg(strncmp(line, begin, strlen(begin)) == 0 && n >= n_end &&
			      strcmp(line + n - n_end, line_end) == 0,
		      "%s", line);
	free(line);
}

static size_t
n_rows(void)
{
	size_t n = 0;

	for (const char *at = text; (at = strchr(at, '\n')); at++)
		n++;
	return n - 1;
}

START_TEST(csv_has_lines_and_then_instructions)
{
	export_csv(false, false);
	ck_assert_uint_eq(n_rows(), 3);
	check_line(1, "line,10,50.0000,", ",0.100000,\"/src/made.c\",7,,,0,");
	check_line(
		2, "instruction,4,20.0000,",
		",0.040000,\"/src/made.c\",7,0x1000,\"nop\",0,\"/bin/prog\"");
	check_line(3, "instruction,6,30.0000,",
		   ",0.060000,,,0x1002,\"ret \"\"x\"\"\",,\"/bin/prog\"");
}
END_TEST

START_TEST(lines_without_ticks_are_shown_of_the_whole)
{
	export_csv(true, false);
	ck_assert_uint_eq(n_rows(), 4);
	check_line(2, "line,0,0.0000,0.0000,",
		   ",0.000000,\"/else/made.h\",9,,,0,");
}
END_TEST

START_TEST(without_source_there_are_instructions_alone)
{
	export_csv(true, true);
	ck_assert_uint_eq(n_rows(), 2);
	check_line(1, "instruction,4,", "\"nop\",0,\"/bin/prog\"");
}
END_TEST

START_TEST(json_says_what_is_not_known)
{
	const struct prf_annotation_look look = {.all = {20, 20}};
	size_t size;
	struct prf_json json = {.out = open_memstream(&text, &size)};

	ck_assert_ptr_nonnull(json.out);
	prf_json_object(&json, NULL);
	ck_assert_int_eq(
		prf_annotation_export(&annotation, &look, PERIOD_NS, &json), 0);
	prf_json_end(&json);
	ck_assert_int_eq(fclose(json.out), 0);
	ck_assert_ptr_nonnull(strstr(text, "\"function\":\"one\""));
	ck_assert_ptr_nonnull(strstr(text, "\"binary\":\"/bin/prog\""));
	ck_assert_ptr_nonnull(strstr(text,
				     "{\"vaddr\":\"0x1002\",\"bytes\":1,"
				     "\"text\":\"ret \\\"x\\\"\","
				     "\"binary\":\"/bin/prog\",\"file\":null,"
				     "\"line\":null,\"self\":{\"ticks\":6,"));
	ck_assert_ptr_nonnull(strstr(text, "\"newer\":[]"));
}
END_TEST

static time_t
long_ago(void *arg, const struct prf_binary *of)
{
	(void)arg;
	(void)of;
	return 1;
}

/* Of two files one is here. */
START_TEST(a_source_that_is_newer_than_its_binary_is_said_to_be)
{
	struct prf_annotated_line own[] = {
		{.file = __FILE__, .line = 5, .count = {6, 6}},
		{.file = "made.c", .directory = "/src", .line = 7},
	};
	const struct prf_annotation of_file = {
		.count = {6, 6}, .lines = own, .n_lines = 2};
	const struct prf_annotation_look look = {
		.all = {20, 20},
		.is_whole = true,
		.supply = {.built = long_ago},
	};
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct prf_json json = {.out = out};

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(
		prf_annotation_export_csv(&of_file, &look, PERIOD_NS, out), 0);
	prf_json_object(&json, NULL);
	ck_assert_int_eq(
		prf_annotation_export(&of_file, &look, PERIOD_NS, &json), 0);
	prf_json_end(&json);
	ck_assert_int_eq(fclose(out), 0);
	check_line(1, "line,6,", ",5,,,1,");
	check_line(2, "line,0,", ",7,,,0,");
	ck_assert_ptr_nonnull(strstr(text, "\"newer\":[\"" __FILE__ "\"]}"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("annotation_export");
	TCase *tcase = tcase_create("annotation_export");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, csv_has_lines_and_then_instructions);
	tcase_add_test(tcase, lines_without_ticks_are_shown_of_the_whole);
	tcase_add_test(tcase, without_source_there_are_instructions_alone);
	tcase_add_test(tcase, json_says_what_is_not_known);
	tcase_add_test(tcase,
		       a_source_that_is_newer_than_its_binary_is_said_to_be);
	suite_add_tcase(suite, tcase);
	return suite;
}
