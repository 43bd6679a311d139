#include "profile/programs.h"

#include <string.h>

#include "support/suite.h"

static void
add(struct prf_programs *programs, const char *path, uint32_t ticks)
{
	struct prf_count count = {0};

	prf_count_add(&count, ticks, 0);
	ck_assert_int_eq(prf_programs_add(programs, path, 1, &count), 0);
}

START_TEST(a_program_is_one_in_all_processes)
{
	struct prf_programs programs = {0};
	const struct prf_count count = {5, 7};
	char path[] = "/bin/cc1";

	add(&programs, path, 3);
	strcpy(path, "xxxxxxx"); /* it was copied */
	add(&programs, "/bin/ld", 1);
	add(&programs, "/bin/cc1", 4);
	ck_assert_int_eq(prf_programs_add(&programs, "/bin/cc1", 8, &count), 0);
	ck_assert_uint_eq(programs.n, 2);
	ck_assert_str_eq(programs.rows[0].path, "/bin/cc1");
	ck_assert_uint_eq(programs.rows[0].n_processes, 10);
	ck_assert_uint_eq(programs.rows[0].count.ticks, 12);
	ck_assert_double_eq(programs.rows[0].count.squares, 9 + 16 + 7);
	ck_assert_uint_eq(programs.rows[1].n_processes, 1);
	prf_programs_clear(&programs);
	ck_assert_uint_eq(programs.n, 0);
}
END_TEST

START_TEST(the_most_ticks_come_first_and_equals_by_path)
{
	static const char *const sorted[] = {"/z", "/a", "/b", "/c"};
	struct prf_programs programs = {0};

	prf_programs_sort(&programs);
	add(&programs, "/c", 1);
	add(&programs, "/b", 2);
	add(&programs, "/a", 2);
	add(&programs, "/z", 9);
	prf_programs_sort(&programs);
	for (size_t i = 0; i < 4; i++)
		ck_assert_str_eq(programs.rows[i].path, sorted[i]);
	add(&programs, "/b", 1); /* is found where it is now */
	ck_assert_uint_eq(programs.rows[2].count.ticks, 3);
	prf_programs_clear(&programs);
}
END_TEST

START_TEST(a_program_is_called_by_the_last_part_of_its_path)
{
	static const char *const names[][2] = {
		{"/usr/bin/make", "make"},      {"make", "make"}, {"", "?"},
		{"/ends/with/", "/ends/with/"}, {"/", "/"},
	};
	struct prf_program_row row = {.path = (char *)names[_i][0]};

	ck_assert_str_eq(prf_programs_name(&row), names[_i][1]);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("programs");
	TCase *tcase = tcase_create("programs");

	tcase_add_test(tcase, a_program_is_one_in_all_processes);
	tcase_add_test(tcase, the_most_ticks_come_first_and_equals_by_path);
	tcase_add_loop_test(
		tcase, a_program_is_called_by_the_last_part_of_its_path, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}
