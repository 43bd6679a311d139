#include "view/annotate/annotation_heading.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "view/table/plain.h"

#define LONG "a_name_that_is_so_long_that_hardly_anything_else_has_room"

/* 10 of 20 ticks. */
static struct prf_binary short_binary = {.name = (char *)"app"},
			 long_binary = {.name = (char *)LONG ".so"};
static struct prf_function outer[] = {
	{.name = "one", .binary = &short_binary, .count = {6, 6}},
	{.name = LONG LONG, .binary = &short_binary, .count = {4, 4}},
};

/* To be free()d. */
static char *
printed(const struct prf_annotation *annotation, const char *shown,
	size_t width)
{
	const struct prf_count all = {20, 20};
	const struct prf_style style = {.width = width};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_annotation_heading_print(annotation, shown, &all,
						      &style, out),
			 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static void
check(const struct prf_annotation *annotation, const char *shown, size_t width,
      const char *expected)
{
	char *text = printed(annotation, shown, width);

	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(a_file_has_none)
{
	const struct prf_annotation annotation = {0};

	check(&annotation, NULL, 80, "");
}
END_TEST

START_TEST(a_line_that_has_room_is_whole)
{
	const struct prf_annotation annotation = {
		.function = "f",
		.binary = &short_binary,
		.count = {10, 10},
	};

	check(&annotation, "f [int]", 80,
	      "  function  f [int] in app, 50.00 % of the ticks are its own\n"
	      "\n");
}
END_TEST

START_TEST(the_end_of_a_name_that_is_cut_is_there)
{
	const struct prf_annotation annotation = {
		.function = "f",
		.binary = &short_binary,
		.count = {10, 10},
	};

	check(&annotation, LONG " [int]", 80,
	      "  function  a_name_t...e_has_room [int] in app, 50.00 % of the "
	      "ticks are its own\n\n");
	check(&annotation, LONG " [int]", 0,
	      "  function  " LONG " [int] in app, 50.00 % of the ticks are its "
	      "own\n\n");
}
END_TEST

START_TEST(no_line_is_wider_than_the_terminal)
{
	const struct prf_annotation annotation = {
		.function = "f",
		.binary = &long_binary,
		.count = {10, 10},
		.is_inlined = _i % 2,
		.into = {.all = outer, .n = 2},
	};

	for (size_t width = 80; width < 300; width++) {
		char *text = printed(&annotation, LONG LONG, width);

		for (char *line = strtok(text, "\n"); line;
		     line = strtok(NULL, "\n"))
			ck_assert_msg(prf_plain_width(line) <= width,
				      "in %zu: %s", width, line);
		free(text);
	}
}
END_TEST

START_TEST(what_it_is_inlined_into_is_told)
{
	const struct prf_annotation annotation = {
		.function = "f",
		.binary = &short_binary,
		.count = {10, 10},
		.is_inlined = true,
		.into = {.all = outer, .n = 2},
	};

	check(&annotation, "f", 80,
	      "  function  f (inlined) in app, 50.00 % of the ticks in all\n"
	      "  into      one, 30.00 %\n"
	      "            a_name_that_is_so_l...ng_that_hardly_anything_"
	      "else_has_room, 20.00 %\n\n");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("annotation_heading");
	TCase *tcase = tcase_create("annotation_heading");

	tcase_add_test(tcase, a_file_has_none);
	tcase_add_test(tcase, a_line_that_has_room_is_whole);
	tcase_add_test(tcase, the_end_of_a_name_that_is_cut_is_there);
	tcase_add_loop_test(tcase, no_line_is_wider_than_the_terminal, 0, 2);
	tcase_add_test(tcase, what_it_is_inlined_into_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
