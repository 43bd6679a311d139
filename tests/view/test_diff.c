#include "view/table/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "support/suite.h"
#include "view/made_diff.h"

static const struct prf_diff_row *
row_called(const struct prf_diff *diff, const char *name, const char *binary)
{
	const struct prf_diff_row *found = NULL;

	for (size_t i = 0; i < diff->n; i++)
		if (!strcmp(diff->rows[i].name, name) &&
		    !strcmp(diff->rows[i].binary, binary)) {
			ck_assert_ptr_null(found);
			found = &diff->rows[i];
		}
	ck_assert_ptr_nonnull(found);
	return found;
}

static const struct made_row usual[] = {
	{"main", "prog", 1000, 1000, 0, 0},   {"hot", "prog", 1000, 2000, 0, 0},
	{"read", "[kernel]", 500, 500, 0, 0}, {"read", "libc.so.6", 7, 7, 0, 0},
	{"late", "prog", 0, 300, 0, 0},       {"early", "prog", 300, 0, 0, 0},
};

enum { N_USUAL = sizeof usual / sizeof *usual };

START_TEST(functions_are_the_same_by_name_and_binary)
{
	struct prf_diff diff = made_difference(usual, N_USUAL);

	ck_assert_uint_eq(diff.n, N_USUAL);
	ck_assert_double_eq_tol(
		row_called(&diff, "read", "[kernel]")->change->old_share,
		500.0 / 2807, 1e-9);
	ck_assert_double_eq_tol(
		row_called(&diff, "read", "libc.so.6")->change->new_s, 0.007,
		1e-9);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(what_is_certain_and_large_comes_first)
{
	struct prf_diff diff = made_difference(usual, N_USUAL);

	ck_assert_str_eq(diff.rows[0].name, "hot");
	ck_assert_int_eq(diff.rows[0].change->verdict, PRF_CHANGE_SLOWER);
	for (size_t i = 1; i < diff.n; i++)
		ck_assert(diff.rows[i].change->verdict == PRF_CHANGE_NONE ||
			  diff.rows[i - 1].change->verdict != PRF_CHANGE_NONE);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(what_is_gone_is_in_the_old_program)
{
	static const struct made_row two[] = {{"new", "prog2", 0, 100, 0, 0},
					      {"gone", "prog1", 300, 0, 0, 0}};
	struct prf_diff both = made_diff(two, 2);

	both.runs[0].program = "prog1";
	both.runs[1].program = "prog2";
	ck_assert_int_eq(prf_diff_make(&both), 0);
	ck_assert_uint_eq(both.n, 2);
	for (size_t i = 0; i < both.n; i++)
		ck_assert_str_eq(both.rows[i].binary,
				 both.rows[i].is_gone ? "prog1" : "prog2");
	prf_diff_clear(&both);
}
END_TEST

START_TEST(new_functions_and_those_that_are_gone_are_known)
{
	struct prf_diff diff = made_difference(usual, N_USUAL);

	for (size_t i = 0; i < diff.n; i++) {
		ck_assert_int_eq(diff.rows[i].is_new,
				 strcmp(diff.rows[i].name, "late") == 0);
		ck_assert_int_eq(diff.rows[i].is_gone,
				 strcmp(diff.rows[i].name, "early") == 0);
	}
	ck_assert_int_eq(row_called(&diff, "late", "prog")->change->verdict,
			 PRF_CHANGE_SLOWER);
	ck_assert_int_eq(row_called(&diff, "early", "prog")->change->verdict,
			 PRF_CHANGE_FASTER);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(a_program_may_be_called_otherwise)
{
	static const struct made_row rows[] = {
		{"main", "prog-O1", 10, 0, 0, 0},
		{"main", "prog-O2", 0, 20, 0, 0},
		{"main", "lib.so", 5, 5, 0, 0},
	};
	struct prf_diff diff = made_diff(rows, 3);

	diff.runs[0].program = "prog-O1";
	diff.runs[1].program = "prog-O2";
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, 2);
	ck_assert_double_eq_tol(
		row_called(&diff, "main", "prog-O2")->change->old_s, 0.010,
		1e-9);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(a_function_that_is_called_as_the_old_program_stays)
{
	static const struct made_row rows[] = {
		{"fib", "fib", 10, 0, 0, 0},
		{"fib", "fib2", 0, 20, 0, 0},
	};
	struct prf_diff diff = made_diff(rows, 2);

	diff.runs[0].program = "fib";
	diff.runs[1].program = "fib2";
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, 1);
	ck_assert_double_eq_tol(row_called(&diff, "fib", "fib2")->change->old_s,
				0.010, 1e-9);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(a_program_is_its_row_however_it_is_called)
{
	static const enum prf_rows_by by[] = {
		PRF_ROWS_BY_BINARY, PRF_ROWS_BY_PROGRAM, PRF_ROWS_BY_PROCESS,
		PRF_ROWS_BY_THREAD};
	static const struct made_row rows[] = {
		{"fib", "", 10, 0, 0, 0},
		{"fib2", "", 0, 20, 0, 0},
	};
	struct prf_diff diff = made_diff(rows, 2);

	diff.by = by[_i];
	diff.runs[0].program = "fib";
	diff.runs[1].program = "fib2";
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, 1);
	ck_assert_str_eq(diff.rows[0].name, "fib2");
	prf_diff_clear(&diff);
}
END_TEST

/* Else this would take minutes. */
START_TEST(whether_a_program_is_called_otherwise_is_found_once)
{
	enum { N = 200000, LENGTH = 16 };
	PRF_AUTO(prf_auto_free)
	struct made_row *rows = calloc(2 * N, sizeof *rows);
	PRF_AUTO(prf_auto_free) char *names = calloc(N, LENGTH);

	ck_assert(rows && names);
	for (size_t i = 0; i < N; i++) {
		char *name = names + i * LENGTH;

		snprintf(name, LENGTH, "f%zu", i);
		rows[2 * i] = (struct made_row){name, "prog-O1", 1, 0, 0, 0};
		rows[2 * i + 1] =
			(struct made_row){name, "prog-O2", 0, 1, 0, 0};
	}
	struct prf_diff diff = made_diff(rows, (size_t)2 * N);
	diff.runs[0].program = "prog-O1";
	diff.runs[1].program = "prog-O2";
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, N);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(clones_that_compilers_make_are_their_function)
{
	static const struct made_row rows[] = {
		{"f", "prog", 10, 0, 20, 0},
		{"f.constprop.0", "prog", 5, 20, 15, 35},
		{"f.cold", "prog", 0, 5, 0, 0},
		{"g(int) [clone .part.0]", "prog", 0, 5, 0, 5},
		{"g(int)", "prog", 5, 0, 5, 0},
		{".plt", "prog", 1, 1, 1, 1},
	};
	struct prf_diff diff = made_diff(rows, 6);

	diff.by_total = true;
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, 3);
	const struct prf_change *f = row_called(&diff, "f", "prog")->change;
	ck_assert_double_eq_tol(f->old_s, 0.035, 1e-9);
	ck_assert_double_eq_tol(f->new_s, 0.035, 1e-9);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(a_program_that_is_there_on_both_sides_is_itself)
{
	static const struct made_row rows[] = {
		{"main", "cc1", 10, 15, 0, 0},
		{"main", "as", 10, 15, 0, 0},
	};
	struct prf_diff diff = made_diff(rows, 2);

	diff.runs[0].program = "cc1";
	diff.runs[1].program = "as";
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, 2);
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(threads_have_no_numbers_and_binaries_no_paths)
{
	static const struct made_row threads[] = {
		{"77 worker", "", 10, 0, 0, 0},
		{"78 worker", "", 10, 0, 0, 0},
		{"91 worker", "", 0, 20, 0, 0},
		{"12 ", "", 4, 4, 0, 0},
	};
	static const struct made_row binaries[] = {
		{"/old/prog", "", 10, 0, 0, 0}, {"/new/prog", "", 0, 20, 0, 0}};
	struct prf_diff diff = made_diff(threads, 4);

	diff.by = PRF_ROWS_BY_THREAD;
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, 2);
	ck_assert_double_eq_tol(row_called(&diff, "worker", "")->change->old_s,
				0.020, 1e-9);
	prf_diff_clear(&diff);
	diff = made_diff(binaries, 2);
	diff.by = PRF_ROWS_BY_BINARY;
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_uint_eq(diff.n, 1);
	ck_assert_str_eq(diff.rows[0].name, "prog");
	prf_diff_clear(&diff);
}
END_TEST

START_TEST(totals_are_compared_where_they_are_asked_for)
{
	static const struct made_row rows[] = {
		{"main", "prog", 0, 0, 3000, 4000},
		{"caller", "prog", 0, 0, 1000, 2000},
		{"slow", "prog", 1000, 2000, 1000, 2000},
		{"other", "prog", 2000, 2000, 2000, 2000},
	};
	struct prf_diff diff = made_diff(rows, 4);

	diff.by_total = true;
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_int_eq(row_called(&diff, "caller", "prog")->change->verdict,
			 PRF_CHANGE_SLOWER);
	ck_assert_int_eq(row_called(&diff, "slow", "prog")->change->verdict,
			 PRF_CHANGE_SLOWER);
	ck_assert_int_eq(row_called(&diff, "other", "prog")->change->verdict,
			 PRF_CHANGE_SHARE);
	ck_assert_int_eq(row_called(&diff, "main", "prog")->change->verdict,
			 PRF_CHANGE_NONE);
	ck_assert_double_eq(
		row_called(&diff, "main", "prog")->change->new_share, 1);
	prf_diff_clear(&diff);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("diff");
	TCase *tcase = tcase_create("diff");

	tcase_add_test(tcase, functions_are_the_same_by_name_and_binary);
	tcase_add_test(tcase, what_is_certain_and_large_comes_first);
	tcase_add_test(tcase, what_is_gone_is_in_the_old_program);
	tcase_add_test(tcase, new_functions_and_those_that_are_gone_are_known);
	tcase_add_test(tcase, a_program_may_be_called_otherwise);
	tcase_add_test(tcase,
		       a_function_that_is_called_as_the_old_program_stays);
	tcase_add_loop_test(tcase, a_program_is_its_row_however_it_is_called, 0,
			    4);
	tcase_add_test(tcase,
		       whether_a_program_is_called_otherwise_is_found_once);
	tcase_add_test(tcase, clones_that_compilers_make_are_their_function);
	tcase_add_test(tcase, a_program_that_is_there_on_both_sides_is_itself);
	tcase_add_test(tcase, threads_have_no_numbers_and_binaries_no_paths);
	tcase_add_test(tcase, totals_are_compared_where_they_are_asked_for);
	suite_add_tcase(suite, tcase);
	return suite;
}
