#include "src/output.h"
#include "src/outname.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char work[] = "/tmp/prf-output-XXXXXX";
static char program[] = "/bin/sort";
static char *program_argv[] = {program, NULL};
static struct prf_output output;
static struct prf_error err;

static void
setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(work));
	ck_assert_int_eq(chdir(work), 0);
}

static void
teardown(void)
{
	char command[64];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", work);
	ck_assert_int_eq(system(command), 0);
}

static int
open_output(const char *pattern, bool split)
{
	struct prf_options options = {
		.output = pattern,
		.program = program_argv,
		.split = split,
	};

	return prf_output_open(&options, &output, &err);
}

START_TEST(a_profile_and_its_symbols_get_their_names)
{
	struct prf_outfile *gmon = NULL, *symbols = NULL;

	ck_assert_int_eq(open_output("%n.%p.out", false), 0);
	ck_assert_int_eq(prf_output_begin(&output, 7, &gmon, &symbols, &err),
			 0);
	ck_assert_str_eq(prf_outfile_path(gmon), "sort.7.out");
	ck_assert_str_eq(prf_outfile_path(symbols), "sort.7.syms");
	prf_outfile_free(gmon);
	prf_outfile_free(symbols);
	prf_output_close(&output);
}
END_TEST

START_TEST(a_device_has_no_symbols_beside_it)
{
	struct prf_outfile *gmon = NULL, *symbols = NULL;

	ck_assert_int_eq(open_output("/dev/null", false), 0);
	ck_assert_int_eq(prf_output_begin(&output, 7, &gmon, &symbols, &err),
			 0);
	ck_assert_ptr_null(symbols);
	prf_outfile_free(gmon);
	prf_output_close(&output);
}
END_TEST

START_TEST(a_device_cannot_be_split)
{
	ck_assert_int_eq(open_output("/dev/null", true), -EINVAL);
	ck_assert_ptr_null(output.dir);
}
END_TEST

START_TEST(a_symbol_list_that_cannot_be_is_told_before)
{
	ck_assert_int_eq(mkdir("gmon.syms", 0777), 0);
	ck_assert_int_eq(open_output("gmon.out", false), -EISDIR);
	ck_assert_str_eq(err.text, "gmon.syms: Is a directory");
	ck_assert_int_eq(open_output("gmon.out", true), 0);
	prf_output_close(&output);
}
END_TEST

START_TEST(a_directory_that_is_not_there_is_told_before)
{
	ck_assert_int_eq(open_output("none/gmon.out", false), -ENOENT);
	ck_assert_str_eq(err.text, "directory none: No such file or directory");
}
END_TEST

START_TEST(each_object_gets_a_file_in_the_same_directory)
{
	static const char *const objects[] = {"/lib/libc.so.6", "/bin/sort"};
	struct prf_outfile *file = NULL;
	char **names = NULL;

	ck_assert_int_eq(mkdir("d", 0777), 0);
	ck_assert_int_eq(open_output("d/x.%p", true), 0);
	ck_assert_int_eq(
		prf_output_split_names(&output, 7, objects, 2, &names, &err),
		0);
	ck_assert_int_eq(prf_output_begin_split(&output, names[0], &file, &err),
			 0);
	ck_assert_str_eq(prf_outfile_path(file), "d/x.7.libc.so.6");
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	ck_assert_int_eq(access("d/x.7.libc.so.6", F_OK), 0);
	prf_outfile_free(file);
	prf_outname_free(names, 2);
	prf_output_close(&output);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("output");
	TCase *tcase = tcase_create("output");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_profile_and_its_symbols_get_their_names);
	tcase_add_test(tcase, a_device_has_no_symbols_beside_it);
	tcase_add_test(tcase, a_device_cannot_be_split);
	tcase_add_test(tcase, a_symbol_list_that_cannot_be_is_told_before);
	tcase_add_test(tcase, a_directory_that_is_not_there_is_told_before);
	tcase_add_test(tcase, each_object_gets_a_file_in_the_same_directory);
	suite_add_tcase(suite, tcase);
	return suite;
}
