#include "view/table/report_processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* --- The tree */

static struct prf_tree tree;
static const struct prf_style style = {.width = 80};

static struct prf_branch *
add(struct prf_branch *parent, pid_t pid, const char *command, uint32_t ticks)
{
	const struct prf_exec exec = {
		.pid = pid, .path = "/bin/x", .command = command};
	struct prf_program *program = prf_program_new(&exec);
	struct prf_branch *branch =
		prf_tree_add(parent ? parent : &tree.root, pid, program);

	ck_assert_ptr_nonnull(branch);
	prf_program_drop(program);
	for (uint32_t i = 0; i < ticks; i++)
		prf_count_add(&branch->count, 1, 0);
	return branch;
}

static void
end_all(void)
{
	struct prf_branch *branch;

	do {
		branch = prf_tree_next(&tree, NULL);
		while (branch && branch->ended)
			branch = prf_tree_next(&tree, branch);
		if (branch)
			prf_tree_end(&tree, branch);
	} while (branch);
}

static char *
text_of(uint64_t n_idle, size_t max)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(prf_report_tree(&tree, n_idle, max, &style, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static void
check(uint64_t n_idle, size_t max, const char *expected)
{
	char *text = text_of(n_idle, max);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void
setup(void)
{
	prf_tree_init(&tree);
}

static void
teardown(void)
{
	prf_tree_clear(&tree);
}

/* make, sh (no ticks), cc1 and as under it, and ld. */
static void
add_build(void)
{
	struct prf_branch *make = add(NULL, 10, "make -j2", 10);
	struct prf_branch *shell = add(make, 11, "/bin/sh -c cc", 0);

	add(shell, 12, "/usr/lib/gcc/cc1 a.c", 60);
	add(shell, 13, "as a.s", 5);
	add(make, 14, "ld -o a", 25);
	end_all();
}

START_TEST(children_are_below_their_parents)
{
	add_build();
	check(3, 10,
	      "\n"
	      "  self %    95 % interval    ticks      PID  process\n"
	      "   10.00   5.16 ..  18.04       10       10  make -j2\n"
	      "   60.00  49.70 ..  69.53       60       12    cc1 a.c\n"
	      "    5.00   1.85 ..  11.83        5       13    as a.s\n"
	      "   25.00  17.11 ..  34.84       25       14    ld -o a\n");
}
END_TEST

START_TEST(what_is_not_shown_is_summed_up)
{
	add_build();
	char *text = text_of(1, 2);

	ck_assert_ptr_nonnull(strstr(text, "  12  cc1 a.c\n"));
	ck_assert_ptr_nonnull(strstr(text, "  14  ld -o a\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "\n   15.00                        15  in 2 more "
			     "processes\n"));
	ck_assert_ptr_null(strstr(text, "make"));
	free(text);
}
END_TEST

START_TEST(of_one_program_there_is_nothing_to_tell)
{
	add(NULL, 1, "alone", 7);
	end_all();
	check(0, 10, "");
}
END_TEST

START_TEST(one_of_several_processes_may_have_all_ticks)
{
	add(NULL, 1, "sh run", 0);
	add(NULL, 2, "work", 7);
	end_all();
	check(1, 10,
	      "\n"
	      "  self %    95 % interval    ticks      PID  process\n"
	      "  100.00  56.09 .. 100.00        7        2  work\n");
}
END_TEST

START_TEST(without_ticks_there_is_nothing_to_tell)
{
	add(NULL, 1, "sh run", 0);
	end_all();
	check(2, 10, "");
}
END_TEST

START_TEST(a_command_is_cut_to_the_width_and_cannot_steer_a_terminal)
{
	char command[301] = "\033[2J";
	struct prf_branch *parent = NULL;

	memset(command + 4, 'x', sizeof command - 5);
	for (pid_t pid = 1; pid < 40; pid++)
		parent = add(parent, pid, command, 1);
	end_all();
	char *text = text_of(0, 40);
	size_t n = 0;

	ck_assert_ptr_null(strchr(text, '\033'));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		ck_assert_uint_le(strlen(line), 80);
		if (strstr(line, "?[2Jxxx"))
			n++;
	}
	ck_assert_uint_eq(n, 39);
	free(text);
}
END_TEST

/* --- Programs */

static char *
programs_text(const struct prf_programs *programs, uint64_t n_idle, size_t max)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_report_programs(programs, n_idle, max, &style, out);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static void
check_programs(const struct prf_programs *programs, uint64_t n_idle, size_t max,
	       const char *expected)
{
	char *text = programs_text(programs, n_idle, max);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void
add_program(struct prf_programs *programs, const char *path,
	    uint64_t n_processes, uint64_t ticks)
{
	const struct prf_count count = {ticks, (double)ticks};

	ck_assert_int_eq(prf_programs_add(programs, path, n_processes, &count),
			 0);
	prf_programs_sort(programs);
}

START_TEST(a_program_has_a_line_however_many_processes_ran_it)
{
	struct prf_programs programs = {0};

	add_program(&programs, "/usr/bin/make", 1, 10);
	add_program(&programs, "/usr/lib/gcc/cc1", 4, 50);
	add_program(&programs, "", 1, 20);
	add_program(&programs, "/usr/lib/gcc/cc1", 4, 20);
	check_programs(
		&programs, 3, 10,
		"\n"
		"  self %    95 % interval    ticks  processes  program\n"
		"   70.00  59.89 ..  78.55       70          8  cc1\n"
		"   20.00  12.92 ..  29.44       20          1  ?\n"
		"   10.00   5.16 ..  18.04       10          1  make\n"
		"  and 3 processes without ticks\n");
	check_programs(
		&programs, 1, 1,
		"\n"
		"  self %    95 % interval    ticks  processes  program\n"
		"   70.00  59.89 ..  78.55       70          8  cc1\n"
		"   30.00                        30  in 2 more programs\n"
		"  and 1 process without ticks\n");
	prf_programs_clear(&programs);
}
END_TEST

START_TEST(of_one_process_no_program_is_told)
{
	struct prf_programs programs = {0};

	check_programs(&programs, 7, 10, "");
	add_program(&programs, "/bin/alone", 1, 10);
	check_programs(&programs, 0, 10, "");
	char *text = programs_text(&programs, 1, 10);
	ck_assert_ptr_nonnull(strstr(text, "  alone\n  and 1 process w"));
	free(text);
	add_program(&programs, "/bin/alone", 1, 1);
	text = programs_text(&programs, 0, 10);
	ck_assert_ptr_nonnull(strstr(text, "11          2  alone\n"));
	ck_assert_ptr_null(strstr(text, "without ticks"));
	free(text);
	prf_programs_clear(&programs);
}
END_TEST

START_TEST(a_program_cannot_steer_a_terminal)
{
	struct prf_programs programs = {0};

	add_program(&programs, "/bin/\033[2J\n", 2, 10);
	char *text = programs_text(&programs, 0, 10);
	ck_assert_ptr_nonnull(strstr(text, "  ?[2J?\n"));
	free(text);
	prf_programs_clear(&programs);
}
END_TEST

/* --- Threads */

static char *
threads_text(struct prf_thread_rows *threads, size_t max)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_thread_rows_sort(threads);
	prf_report_threads(threads, max, &style, out);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(threads_have_their_ids_names_and_shares)
{
	static const struct prf_thread_row rows[] = {
		{10, 10, "main", {30, 30}},
		{10, 11, "wo\033rker", {60, 60}},
		{10, 12, "", {10, 10}},
	};
	struct prf_thread_rows threads = {0};

	char *text = threads_text(&threads, 10);
	ck_assert_str_eq(text, "");
	free(text);
	for (size_t i = 0; i < 3; i++)
		prf_thread_rows_add(&threads, &rows[i]);
	text = threads_text(&threads, 10);
	ck_assert_str_eq(
		text,
		"\n"
		"  self %    95 % interval    ticks      PID      TID  thread\n"
		"   60.00  49.70 ..  69.53       60       10       11  "
		"wo?rker\n"
		"   30.00  21.45 ..  40.11       30       10       10  main\n"
		"   10.00   5.16 ..  18.04       10       10       12  ?\n");
	free(text);
	text = threads_text(&threads, 1);
	ck_assert_ptr_nonnull(strstr(
		text,
		"   40.00                        40  in 2 more threads\n"));
	free(text);
	prf_thread_rows_clear(&threads);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("report_processes");
	TCase *tcase = tcase_create("report_processes");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, children_are_below_their_parents);
	tcase_add_test(tcase, what_is_not_shown_is_summed_up);
	tcase_add_test(tcase, of_one_program_there_is_nothing_to_tell);
	tcase_add_test(tcase, one_of_several_processes_may_have_all_ticks);
	tcase_add_test(tcase, without_ticks_there_is_nothing_to_tell);
	tcase_add_test(
		tcase,
		a_command_is_cut_to_the_width_and_cannot_steer_a_terminal);
	tcase_add_test(tcase,
		       a_program_has_a_line_however_many_processes_ran_it);
	tcase_add_test(tcase, of_one_process_no_program_is_told);
	tcase_add_test(tcase, a_program_cannot_steer_a_terminal);
	tcase_add_test(tcase, threads_have_their_ids_names_and_shares);
	suite_add_tcase(suite, tcase);
	return suite;
}
