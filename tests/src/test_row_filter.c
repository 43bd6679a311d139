#include "src/commands/row_filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static struct prf_row_filter filter;
static struct prf_rows rows;

static void
add(const char *name, const char *binary)
{
	rows.rows = reallocarray(rows.rows, rows.n + 1, sizeof *rows.rows);
	ck_assert_ptr_nonnull(rows.rows);
	rows.rows[rows.n++] = (struct prf_row){
		.name = strdup(name),
		.binary = strdup(binary),
		.count = {10, 10},
	};
	rows.all.ticks += 10;
}

static void
begin(void)
{
	add("main", "app");
	add("malloc", "libc.so.6");
	add("free", "libc.so.6");
	add("app_run", "libapp.so");
}

static void
end(void)
{
	prf_matching_clear(&filter.matching);
	prf_rows_clear(&rows);
}

/* The names of the rows that are left. */
static void
expect(const char *names)
{
	char found[100] = "";

	prf_row_filter_match(&filter, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		strcat(found, i ? " " : "");
		strcat(found, rows.rows[i].name);
	}
	ck_assert_str_eq(found, names);
	ck_assert_uint_eq(rows.all.ticks, 40);
}

START_TEST(without_a_filter_all_rows_stay)
{
	expect("main malloc free app_run");
	ck_assert_uint_eq(prf_row_filter_cut(&filter, &rows).n, 0);
}
END_TEST

START_TEST(names_and_binaries_are_matched)
{
	ck_assert_int_eq(
		prf_matching_focus(&filter.matching, "^(ma|app)", NULL), 0);
	expect("main malloc app_run");
	ck_assert_int_eq(prf_matching_ignore(&filter.matching, "libc", NULL),
			 0);
	expect("main app_run");
	ck_assert_int_eq(prf_matching_ignore(&filter.matching, "^app$", NULL),
			 0);
	expect("app_run");
	ck_assert_int_eq(prf_matching_focus(&filter.matching, "nothing", NULL),
			 0);
	expect("");
}
END_TEST

START_TEST(more_rows_than_are_wanted_go_from_the_end)
{
	uint64_t ticks = 0;

	for (size_t i = 1; i < rows.n; i++)
		ticks += rows.rows[i].count.ticks;
	filter.max = 1;
	struct prf_row_rest rest = prf_row_filter_cut(&filter, &rows);
	ck_assert_uint_eq(rest.n, 3);
	ck_assert_uint_gt(ticks, 0);
	ck_assert_uint_eq(rest.ticks, ticks);
	expect("main");
}
END_TEST

START_TEST(what_is_no_expression_is_refused)
{
	struct prf_error err = {0};

	ck_assert_int_eq(prf_matching_focus(&filter.matching, "a(", &err),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "a("));
	ck_assert_int_eq(prf_matching_ignore(&filter.matching, "[", &err),
			 -EINVAL);
	expect("main malloc free app_run");
}
END_TEST

START_TEST(small_shares_can_be_left_out)
{
	rows.rows[3].count.ticks = 1;
	rows.rows[2].total.ticks = 20;
	filter.min_percent = 25;
	ck_assert_uint_eq(prf_row_filter_cut(&filter, &rows).n, 1);
	ck_assert_uint_eq(rows.n, 3);
	filter.by_total = true;
	ck_assert_uint_eq(prf_row_filter_cut(&filter, &rows).n, 0);
	filter.min_percent = 51;
	ck_assert_uint_eq(prf_row_filter_cut(&filter, &rows).n, 3);
}
END_TEST

START_TEST(of_threads_those_that_match_are_more)
{
	struct prf_thread_doing threads[] = {
		{.tid = 1, .program = "/bin/app", .name = "app", .all = {9, 9}},
		{.tid = 2, .program = "/bin/app", .name = "b", .all = {8, 8}},
		{.tid = 3, .program = "/bin/sh", .name = "sh", .all = {2, 2}},
		{.tid = 4, .program = "/bin/app", .name = "d", .all = {1, 1}},
	};
	struct prf_thread_states states = {
		.threads = threads,
		.n = 4,
		.all = {20, 20},
	};

	ck_assert_int_eq(prf_matching_ignore(&filter.matching, "/sh", NULL), 0);
	filter.min_percent = 10;
	ck_assert_uint_eq(prf_row_filter_threads(&filter, &states), 1);
	ck_assert_uint_eq(states.n, 2);
	filter.max = 1;
	ck_assert_uint_eq(prf_row_filter_threads(&filter, &states), 1);
	ck_assert_uint_eq(states.n, 1);
	ck_assert_int_eq(states.threads[0].tid, 1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("row_filter");
	TCase *tcase = tcase_create("row_filter");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, without_a_filter_all_rows_stay);
	tcase_add_test(tcase, names_and_binaries_are_matched);
	tcase_add_test(tcase, more_rows_than_are_wanted_go_from_the_end);
	tcase_add_test(tcase, what_is_no_expression_is_refused);
	tcase_add_test(tcase, small_shares_can_be_left_out);
	tcase_add_test(tcase, of_threads_those_that_match_are_more);
	suite_add_tcase(suite, tcase);
	return suite;
}
