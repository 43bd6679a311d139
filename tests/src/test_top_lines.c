#include "src/top/top_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static struct prf_top_data data;
static struct prf_top_state state;
static struct prf_top_lines lines;
static struct prf_top_title title = {
	.what = "prog, process 7",
	.seconds = 3,
	.window_s = 2,
};

static struct prf_count
count_of(uint64_t ticks)
{
	return (struct prf_count){ticks, (double)ticks};
}

/* Functions f0, f1, ..., with N, N - 1, ... ticks; each calls the next, and f0
 * is called by itself. */
static void
make(size_t n)
{
	struct prf_rows *rows = &data.rows[PRF_ROWS_BY_FUNCTION];
	char name[32];

	data.has[PRF_ROWS_BY_FUNCTION] = true;
	data.rate_hz = 100;
	rows->rows = calloc(n, sizeof *rows->rows);
	rows->has_totals = true;
	data.functions = calloc(n, sizeof *data.functions);
	data.arcs = calloc(n, sizeof *data.arcs);
	for (size_t i = 0; i < n; i++) {
		const struct prf_count count = count_of(n - i);

		snprintf(name, sizeof name, "f%zu", i);
		rows->rows[rows->n++] = (struct prf_row){
			.name = strdup(name),
			.binary = strdup(i % 2 ? "odd" : "even"),
			.count = count,
			.total = count_of(i + 1),
		};
		data.functions[data.n_functions++] = (struct prf_top_function){
			strdup(name), strdup(i % 2 ? "odd" : "even"), false};
		data.arcs[data.n_arcs++] =
			(struct prf_top_arc){i ? i - 1 : 0, i, count_of(i + 1)};
		prf_count_merge(&data.all, &count);
	}
}

static void
draw(size_t width, size_t height)
{
	const struct prf_style style = {.width = width};

	prf_top_lines_clear(&lines);
	ck_assert_int_eq(
		prf_top_lines_of(&data, &state, &title, &style, height, &lines),
		0);
	ck_assert_uint_le(lines.n, height);
}

static void
end(void)
{
	prf_top_lines_clear(&lines);
	prf_top_data_clear(&data);
	state = (struct prf_top_state){0};
}

/* The number of the line that has WHAT, which must be there once. */
static size_t
line_with(const char *what)
{
	size_t found = lines.n;

	for (size_t i = 0; i < lines.n; i++)
		if (strstr(lines.all[i].text, what)) {
			ck_assert_uint_eq(found, lines.n);
			found = i;
		}
	ck_assert_msg(found < lines.n, "no %s", what);
	return found;
}

START_TEST(the_rows_with_the_most_ticks_are_first)
{
	make(40);
	draw(80, 24);
	ck_assert_uint_eq(lines.n, 24);
	ck_assert_uint_eq(lines.n_rows, 40);
	ck_assert_uint_eq(lines.n_in_sight, 21);
	ck_assert_str_eq(lines.all[0].text,
			 "prog, process 7  3 s  820 samples in 2 s, 410 % of a "
			 "CPU");
	ck_assert_int_eq(lines.all[2].kind, PRF_TOP_LINE_HEADING);
	ck_assert_uint_eq(line_with(" f0 "), 3);
	ck_assert_int_eq(lines.all[3].kind, PRF_TOP_LINE_SELECTED);
	ck_assert_uint_eq(line_with(" f1 "), 4);
	ck_assert_int_eq(lines.all[4].kind, PRF_TOP_LINE_ROW);
	ck_assert_double_eq_tol(lines.all[4].percent, 100.0 * 39 / 820, 1e-9);
	for (size_t i = 0; i < lines.n; i++)
		ck_assert_uint_le(strlen(lines.all[i].text), 80);
}
END_TEST

START_TEST(the_title_tells_what_is_counted)
{
	make(1);
	draw(80, 24);
	ck_assert_str_eq(lines.all[0].text,
			 "prog, process 7  3 s  1 sample in 2 s, 0 % of a CPU");
	title.is_wall = title.is_paused = true;
	data.rate_hz = 1;
	draw(80, 24);
	title.is_wall = title.is_paused = false;
	ck_assert_str_eq(lines.all[0].text,
			 "prog, process 7  3 s  1 sample in 2 s, 0.5 threads");
	ck_assert_ptr_nonnull(strstr(lines.all[1].text, ", paused"));
}
END_TEST

static const struct {
	bool wanted, shown, is_frozen;
	const char *said;
} spans[] = {
	{false, false, false, "functions by self, of late   h"},
	{true, true, false, "functions by self, since the start   h"},
	{true, false, false, "by self, of late, next since the start   h"},
	{true, false, true,
	 "by self, of late, next since the start, frozen   "},
	{false, true, true,
	 "by self, since the start, next of late, frozen   "},
};

/* Whatever was asked for meanwhile. */
START_TEST(what_is_said_of_the_data_is_of_those_that_are_shown)
{
	make(1);
	state.since_begin = spans[_i].wanted;
	state.is_frozen = spans[_i].is_frozen;
	title.since_begin = spans[_i].shown;
	draw(80, 24);
	title.since_begin = false;
	ck_assert_uint_eq(line_with(spans[_i].said), 1);
}
END_TEST

START_TEST(what_is_not_there_comes_when_it_can)
{
	make(1);
	state.by = PRF_ROWS_BY_LINE;
	draw(80, 24);
	line_with("comes with the next look");
	state.is_frozen = true;
	draw(80, 24);
	line_with("comes when Space ends the freeze");
}
END_TEST

START_TEST(a_name_steers_no_terminal)
{
	make(1);
	title.what = "a\033[2Jb, process 7";
	draw(80, 24);
	title.what = "prog, process 7";
	ck_assert_uint_eq(line_with("a?[2Jb, process 7"), 0);
}
END_TEST

START_TEST(they_can_be_sorted_by_totals)
{
	make(40);
	state.by_total = true;
	draw(80, 24);
	ck_assert_uint_eq(line_with(" f39 "), 3);
	ck_assert_double_eq_tol(lines.all[3].percent, 100.0 * 40 / 820, 1e-9);
}
END_TEST

START_TEST(the_selected_one_is_scrolled_to)
{
	make(40);
	state.selected = 39;
	draw(80, 24);
	ck_assert_uint_eq(line_with(" f39 "), 23);
	ck_assert_int_eq(lines.all[23].kind, PRF_TOP_LINE_SELECTED);
}
END_TEST

START_TEST(only_what_passes_the_filter_is_shown)
{
	make(40);
	strcpy(state.filter, "EVEN");
	draw(80, 24);
	ck_assert_uint_eq(lines.n_rows, 20);
	ck_assert_ptr_nonnull(strstr(lines.all[1].text, "filter: EVEN"));
	strcpy(state.filter, "nobody");
	draw(80, 24);
	line_with("nothing passes");
}
END_TEST

START_TEST(callers_and_callees_are_shown)
{
	make(40);
	state.is_expanded = true;
	state.selected = 1;
	draw(80, 30);
	size_t caller = line_with("called by f0 in even");
	ck_assert_uint_eq(line_with("calls     f2 in even"), caller + 1);
	ck_assert_int_eq(lines.all[caller].kind, PRF_TOP_LINE_RELATIVE);
	ck_assert_uint_gt(caller, line_with(" f16 "));
}
END_TEST

START_TEST(there_is_room_for_help)
{
	make(40);
	state.shows_help = true;
	draw(80, 24);
	line_with("sort by self or by total");
	line_with(" f0 ");
}
END_TEST

START_TEST(the_smallest_terminal_has_a_row)
{
	make(40);
	state.selected = 7;
	draw(60, 5);
	line_with(" f7 ");
}
END_TEST

START_TEST(nothing_is_no_failure)
{
	draw(80, 24);
	ck_assert_uint_eq(lines.n_rows, 0);
	line_with("comes with the next look");
	data.has[PRF_ROWS_BY_FUNCTION] = true;
	draw(80, 24);
	line_with("no samples yet");
	state.is_expanded = true;
	draw(80, 24);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("top_lines");
	TCase *tcase = tcase_create("top_lines");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, the_rows_with_the_most_ticks_are_first);
	tcase_add_test(tcase, the_title_tells_what_is_counted);
	tcase_add_loop_test(tcase,
			    what_is_said_of_the_data_is_of_those_that_are_shown,
			    0, sizeof spans / sizeof *spans);
	tcase_add_test(tcase, what_is_not_there_comes_when_it_can);
	tcase_add_test(tcase, a_name_steers_no_terminal);
	tcase_add_test(tcase, they_can_be_sorted_by_totals);
	tcase_add_test(tcase, the_selected_one_is_scrolled_to);
	tcase_add_test(tcase, only_what_passes_the_filter_is_shown);
	tcase_add_test(tcase, callers_and_callees_are_shown);
	tcase_add_test(tcase, there_is_room_for_help);
	tcase_add_test(tcase, the_smallest_terminal_has_a_row);
	tcase_add_test(tcase, nothing_is_no_failure);
	suite_add_tcase(suite, tcase);
	return suite;
}
