#include "src/mainprogram.h"
#include "support/suite.h"

#include <stdio.h>

static struct prf_mainprogram main_program;

static void
begin(void)
{
	prf_mainprogram_begin(&main_program);
}

static void
end(void)
{
	main_program.base.ops->free(&main_program.base);
	prf_mainprogram_clear(&main_program);
}

static void
exec(pid_t pid, const char *path, uint64_t inode)
{
	const struct prf_exec exec = {
		.pid = pid, .path = path, .command = "", .inode = inode};

	ck_assert_int_eq(main_program.base.ops->exec(&main_program.base, &exec),
			 0);
}

static void
life(enum prf_life_kind kind, pid_t pid, pid_t parent)
{
	const struct prf_life life = {.kind = kind,
				      .pid = pid,
				      .tid = pid,
				      .parent = parent,
				      .name = ""};

	ck_assert_int_eq(prf_sink_life(&main_program.base, &life), 0);
}

static bool
is_main(const char *path, uint64_t inode)
{
	char copy[64];
	const struct prf_program program = {.path = copy, .inode = inode};

	snprintf(copy, sizeof copy, "%s", path);
	return prf_mainprogram_is(&main_program, &program);
}

START_TEST(the_last_program_of_the_first_process_is_the_main_one)
{
	exec(10, "/bin/sh", 1);
	ck_assert(is_main("/bin/sh", 1));
	life(PRF_LIFE_FORK, 11, 10);
	exec(11, "/bin/cat", 2);
	ck_assert(is_main("/bin/sh", 1));
	exec(10, "/bin/sort", 3);
	ck_assert(is_main("/bin/sort", 3));
	ck_assert(!is_main("/bin/sh", 1));
	ck_assert(!is_main("/bin/cat", 2));
}
END_TEST

START_TEST(a_path_alone_is_not_enough)
{
	exec(10, "/bin/sh", 1);
	ck_assert(!is_main("/bin/sh", 2));
	ck_assert(!is_main("/bin/s", 1));
	ck_assert(!is_main("", 1));
}
END_TEST

START_TEST(a_number_that_comes_again_is_another_process)
{
	static const enum prf_life_kind ends[] = {PRF_LIFE_EXIT,
						  PRF_LIFE_LEAVE};

	exec(10, "/bin/sh", 1);
	life(ends[_i], 10, 0);
	life(PRF_LIFE_FORK, 10, 11);
	exec(10, "/bin/cat", 2);
	ck_assert(is_main("/bin/sh", 1));
}
END_TEST

START_TEST(the_end_of_a_thread_is_not_that_of_its_process)
{
	exec(10, "/bin/sh", 1);
	life(PRF_LIFE_THREAD, 10, 0);
	life(PRF_LIFE_END, 10, 0);
	exec(10, "/bin/cat", 2);
	ck_assert(is_main("/bin/cat", 2));
}
END_TEST

/* As a trace has it that was begun by a fork alone, or is damaged. */
START_TEST(a_program_that_was_never_told_is_the_unknown_one)
{
	life(PRF_LIFE_FORK, 10, 0);
	exec(11, "/bin/cat", 2);
	ck_assert(is_main("", 0));
	ck_assert(!is_main("/bin/cat", 2));
	exec(10, "/bin/sh", 1);
	ck_assert(is_main("/bin/sh", 1));
}
END_TEST

START_TEST(samples_and_mappings_tell_nothing)
{
	const struct prf_sample sample = {.pid = 12};
	const struct prf_mapping map = {.pid = 12, .path = "/bin/other"};

	ck_assert_int_eq(
		main_program.base.ops->sample(&main_program.base, &sample), 0);
	ck_assert_int_eq(
		main_program.base.ops->mapping(&main_program.base, &map), 0);
	exec(10, "/bin/sh", 1);
	ck_assert(is_main("/bin/sh", 1));
	ck_assert_int_eq(
		main_program.base.ops->finish(&main_program.base, NULL), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("mainprogram");
	TCase *tcase = tcase_create("mainprogram");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase,
		       the_last_program_of_the_first_process_is_the_main_one);
	tcase_add_test(tcase, a_path_alone_is_not_enough);
	tcase_add_loop_test(tcase, a_number_that_comes_again_is_another_process,
			    0, 2);
	tcase_add_test(tcase, the_end_of_a_thread_is_not_that_of_its_process);
	tcase_add_test(tcase, a_program_that_was_never_told_is_the_unknown_one);
	tcase_add_test(tcase, samples_and_mappings_tell_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
