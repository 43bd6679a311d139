#include "src/options/pattern.h"
#include "support/suite.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct prf_pattern_values values = {
	.pid = 4711,
	.program = "/usr/bin/sort",
};

static void
check_name(const char *pattern, const char *expected)
{
	struct prf_error err = {0};
	char *name = NULL;
	int rc = prf_pattern_name(pattern, &values, &name, &err);

	ck_assert_msg(rc == 0, "%s: %s", pattern, err.text);
	ck_assert_str_eq(name, expected);
	free(name);
}

static void
check_directory(const char *pattern, const char *expected)
{
	char *directory = NULL;

	ck_assert_int_eq(
		prf_pattern_directory(pattern, &values, &directory, NULL), 0);
	ck_assert_str_eq(directory, expected);
	free(directory);
}

START_TEST(text_stands_for_itself)
{
	check_name("gmon.out", "gmon.out");
	check_name("a b.out", "a b.out");
}
END_TEST

START_TEST(pid_and_program_are_put_in)
{
	check_name("%n.%p.out", "sort.4711.out");
	check_name("%p%p", "47114711");
	check_name("100%%", "100%");
	check_name("%%p", "%p");
}
END_TEST

START_TEST(intervals_have_numbers_where_there_are_any)
{
	char *name = NULL;
	struct prf_error err;

	values.interval = 17;
	check_name("p.%i.pb.gz", "p.17.pb.gz");
	values.interval = 0;
	ck_assert_int_eq(prf_pattern_name("%i", &values, &name, &err), -EINVAL);
	ck_assert_str_eq(err.text, "%i numbers the files of --every alone");
}
END_TEST

START_TEST(the_host_is_this_one)
{
	char host[HOST_NAME_MAX + 1] = "";

	ck_assert_int_eq(gethostname(host, sizeof host - 1), 0);
	check_name("%h", host);
}
END_TEST

START_TEST(the_rank_is_that_of_whatever_started_it)
{
	static const char *const variables[] = {
		"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID",
		"MV2_COMM_WORLD_RANK",
	};
	size_t n = sizeof variables / sizeof *variables;

	for (size_t i = 0; i < n; i++)
		unsetenv(variables[i]);
	check_name("%r", "0");
	values.rank = "5";
	check_name("%r", "5");
	for (size_t i = 0; i < n; i++) {
		setenv(variables[i], "", 1);
		check_name("%r", "5");
		setenv(variables[i], "17", 1);
		check_name("%r", "17");
		unsetenv(variables[i]);
	}
	values.rank = NULL;
}
END_TEST

START_TEST(a_variable_is_put_in)
{
	setenv("PRF_TEST_a1", "value", 1);
	check_name("x%q{PRF_TEST_a1}y", "xvaluey");
	setenv("PRF_TEST_a1", "", 1);
	check_name("x%q{PRF_TEST_a1}y", "xy");
}
END_TEST

START_TEST(a_variable_cannot_choose_the_directory)
{
	setenv("PRF_TEST_A", "../../etc/\npasswd\177", 1);
	check_name("x%q{PRF_TEST_A}", "x.._.._etc__passwd_");
	setenv("OMPI_COMM_WORLD_RANK", "/1", 1);
	check_name("%r", "_1");
	unsetenv("OMPI_COMM_WORLD_RANK");
}
END_TEST

START_TEST(a_variable_that_is_not_there_is_an_error)
{
	struct prf_error err;
	char *name = NULL;

	unsetenv("PRF_TEST_NONE");
	ck_assert_int_eq(
		prf_pattern_name("%q{PRF_TEST_NONE}", &values, &name, &err),
		-ENOENT);
	ck_assert_ptr_null(name);
	ck_assert_str_eq(err.text, "%q{PRF_TEST_NONE}: there is no such "
				   "environment variable; set it");
}
END_TEST

START_TEST(before_the_program_runs_there_is_no_pid)
{
	struct prf_pattern_values early = {.program = "sort"};
	char *name = NULL;

	ck_assert_int_eq(prf_pattern_name("%p", &early, &name, NULL), -EINVAL);
	ck_assert_int_eq(prf_pattern_name("%n", &early, &name, NULL), 0);
	ck_assert_str_eq(name, "sort");
	free(name);
}
END_TEST

START_TEST(a_thread_has_its_own_id)
{
	struct prf_pattern_values thread = {
		.pid = 7, .tid = 9, .program = "sort"};
	char *name = NULL;

	ck_assert_int_eq(prf_pattern_name("%p.%t", &thread, &name, NULL), 0);
	ck_assert_str_eq(name, "7.9");
	free(name);
	ck_assert_int_eq(prf_pattern_name("%t", &values, &name, NULL), -EINVAL);
}
END_TEST

START_TEST(what_a_pattern_has_can_be_asked)
{
	ck_assert(prf_pattern_has("a/%n.%p", 'p'));
	ck_assert(!prf_pattern_has("a/%n.%%p%", 'p'));
	ck_assert(!prf_pattern_has("p", 'p'));
}
END_TEST

START_TEST(the_directory_is_all_before_the_last_slash)
{
	check_directory("gmon.out", ".");
	check_directory("/gmon.out", "/");
	check_directory("a/gmon.out", "a");
	check_directory("/a/b//gmon.out", "/a/b/");
	check_directory("%n.d/x%p", "sort.d");
	check_name("/a/b/%n", "sort");
	check_name("/%p", "4711");
}
END_TEST

static const char *const good[] = {
	"gmon.out", "/tmp/%p", "%p.%t.%n.%h.%r.%%", "%q{A}", "%q{_a9}",
	"%%p/x",    "%n/%p",   ".hidden",           "a.%i",
};

START_TEST(a_good_pattern_passes)
{
	ck_assert_int_eq(prf_pattern_check(good[_i], NULL), 0);
}
END_TEST

static const char *const bad[] = {
	"",       "dir/",   "/",       "%",       "x%",   "%x",
	"%P",     "%t/x",   "%q",      "%qA",     "%q{",  "%q{}",
	"%q{A",   "%q{1A}", "%q{A-B}", "%q{A/B}", "%p/x", "a/%p/b/x",
	"%n%p/x", "a%/b",   "%%%",     "%i/x",
};

START_TEST(a_bad_pattern_is_told_what_is_wrong)
{
	struct prf_error err = {0};

	ck_assert_int_eq(prf_pattern_check(bad[_i], &err), -EINVAL);
	ck_assert_int_eq(err.code, -EINVAL);
	ck_assert_int_ne(err.text[0], '\0');
}
END_TEST

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pattern");
	TCase *tcase = tcase_create("pattern");

	tcase_add_test(tcase, text_stands_for_itself);
	tcase_add_test(tcase, pid_and_program_are_put_in);
	tcase_add_test(tcase, intervals_have_numbers_where_there_are_any);
	tcase_add_test(tcase, the_host_is_this_one);
	tcase_add_test(tcase, the_rank_is_that_of_whatever_started_it);
	tcase_add_test(tcase, a_variable_is_put_in);
	tcase_add_test(tcase, a_variable_cannot_choose_the_directory);
	tcase_add_test(tcase, a_variable_that_is_not_there_is_an_error);
	tcase_add_test(tcase, before_the_program_runs_there_is_no_pid);
	tcase_add_test(tcase, a_thread_has_its_own_id);
	tcase_add_test(tcase, what_a_pattern_has_can_be_asked);
	tcase_add_test(tcase, the_directory_is_all_before_the_last_slash);
	tcase_add_loop_test(tcase, a_good_pattern_passes, 0, N_OF(good));
	tcase_add_loop_test(tcase, a_bad_pattern_is_told_what_is_wrong, 0,
			    N_OF(bad));
	suite_add_tcase(suite, tcase);
	return suite;
}
