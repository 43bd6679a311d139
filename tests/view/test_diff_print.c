#include "view/table/diff_print.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "view/made_diff.h"

static const struct made_row rows[] = {
	{"hot", "prog", 1000, 2000, 0, 0},  {"main", "prog", 1000, 1000, 0, 0},
	{"late", "prog", 0, 300, 0, 0},     {"early", "prog", 300, 0, 0, 0},
	{"read", "[kernel]", 50, 51, 0, 0},
};

enum { N = sizeof rows / sizeof *rows };

static char *text;

static void
print(struct prf_diff *diff, const struct prf_style *style, size_t n_more)
{
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	prf_diff_print_header(diff, out);
	ck_assert_int_eq(prf_diff_print_table(diff, diff->rows,
					      diff->n - n_more, n_more, style,
					      out),
			 0);
	prf_diff_print_footer(diff, out);
	ck_assert_int_eq(fclose(out), 0);
}

static void
end(void)
{
	free(text);
	text = NULL;
}

static void
has(const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in\n%s", part, text);
}

START_TEST(a_screen_tells_what_and_how_much)
{
	static const struct prf_style style = {.width = 80};
	struct prf_diff diff = made_difference(rows, N);

	print(&diff, &style, 1);
	has("  old       old.trace: 2350 samples at 1000 Hz, 2.35 s\n"
	    "            ./prog --all\n");
	has("  new       new.trace: 3351 samples at 1000 Hz, 3.35 s\n");
	has("  The whole run took 43 % longer (3.35 s instead of 2.35 s of CPU "
	    "time).\n");
	has("*  42.55  59.68  +17.13 ");
	has("*    new   8.95   +8.95 ");
	has("*  12.77   gone  -12.77 ");
	has("~  42.55  29.84  -12.71 ");
	has("  and 1 more line\n");
	has("\n* slower or faster than chance explains   ~ only its share: "
	    "others changed\n");
	has("  5 functions compared, of which 5 had samples enough to show a "
	    "change: 3 have\n  changed.\n");
	has("or compare\n  several runs (--old A B --new C D).\n");
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		ck_assert_uint_le(strcspn(line, "\n"), 80);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(what_is_certain_has_a_colour)
{
	static const struct prf_style style = {.width = 80,
					       .has_colours = true};
	struct prf_diff diff = made_difference(rows, N);

	print(&diff, &style, 0);
	has("\033[31m +17.13\033[m");
	has("\033[32m -12.77\033[m");
	has("  -12.71  ");
	prf_diff_clear(&diff);
}
END_TEST

/* Ticks of the new run for 1000 of the old one. */
static const struct {
	uint64_t ticks;
	const char *text;
} times[] = {
	{1000, "The whole run took as long (1.00 s instead of 1.00 s"},
	{1005, "took 0.5 % longer"},
	{1080, "took 8 % longer"},
	{900, "took 10 % less time"},
	{2500, "took 2.5 times as long"},
};

START_TEST(the_time_is_told_in_a_line)
{
	static const struct prf_style style;
	const struct made_row one = {"f", "prog", 1000, times[_i].ticks, 0, 0};
	struct prf_diff diff = made_difference(&one, 1);

	print(&diff, &style, 0);
	has(times[_i].text);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(times_that_differ_are_told_apart)
{
	static const struct prf_style style;
	const struct made_row one = {"f", "prog", 148, 154, 0, 0};
	struct prf_diff diff = made_difference(&one, 1);

	print(&diff, &style, 0);
	has("took 4 % longer (0.154 s instead of 0.148 s of CPU time)");
	ck_assert_ptr_null(strstr(text, "0.1540 s"));
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(long_names_are_cut_on_a_terminal)
{
	static const struct prf_style style = {.width = 80}, whole;
	const struct made_row one = {
		"a_function_whose_name_is_very_much_longer_than_a_line",
		"libwith_a_long_name.so.1.2.3",
		100,
		100,
		0,
		0};
	struct prf_diff diff = made_difference(&one, 1);

	print(&diff, &style, 0);
	ck_assert_ptr_null(strstr(text, one.name));
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		ck_assert_uint_le(strcspn(line, "\n"), 80);
	end();
	print(&diff, &whole, 0);
	has(one.name);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(of_a_path_the_end_is_told)
{
	static const struct prf_style style = {.width = 80};
	const struct made_row one = {
		"/a/long/path/to/what/was/built/elsewhere/hot.c:17",
		"prog",
		100,
		100,
		0,
		0};
	struct prf_diff diff = made_diff(&one, 1);

	for (size_t i = 0; i < 2; i++)
		diff.runs[i].rows.rows[0].is_path = true;
	diff.by = PRF_ROWS_BY_LINE;
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	print(&diff, &style, 0);
	has("  .../hot.c:17  prog");
	prf_diff_clear(&diff);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("diff_print");
	TCase *tcase = tcase_create("diff_print");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, a_screen_tells_what_and_how_much);
	tcase_add_test(tcase, what_is_certain_has_a_colour);
	tcase_add_loop_test(tcase, the_time_is_told_in_a_line, 0,
			    sizeof times / sizeof *times);
	tcase_add_test(tcase, times_that_differ_are_told_apart);
	tcase_add_test(tcase, long_names_are_cut_on_a_terminal);
	tcase_add_test(tcase, of_a_path_the_end_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
