#include "src/commands/not_found.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/suite.h"

static void
expect_behind(const char *before, const char *name, const char *text)
{
	struct prf_error err = {0};

	ck_assert_int_eq(prf_not_found_explain(name, before, &err), -ENOENT);
	ck_assert_msg(!!strstr(err.text, text), "%s: %s", name, err.text);
}

static void
expect(const char *name, const char *text)
{
	expect_behind("profrun", name, text);
}

START_TEST(a_word_is_looked_for_in_PATH)
{
	ck_assert_int_eq(setenv("PATH", "/nowhere:/bin:/usr/bin", 1), 0);
	expect("no-such-program", "no-such-program: not found in PATH");
	expect("", "not found in PATH");
	/* It is there, and so something else was not. */
	expect("sh", "interpreter");
	ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
	expect("sh", "not found in PATH");
	/* An empty part is this directory. */
	ck_assert_int_eq(chdir("/bin"), 0);
	ck_assert_int_eq(setenv("PATH", "/nowhere:", 1), 0);
	expect("sh", "interpreter");
	ck_assert_int_eq(unsetenv("PATH"), 0);
	expect("sh", "interpreter");
}
END_TEST

START_TEST(a_path_is_looked_at_itself)
{
	expect("/no/such/program", "/no/such/program: no such file");
	expect("/bin/sh", "interpreter");
}
END_TEST

START_TEST(a_value_that_is_a_word_is_told_how_it_is_written)
{
	expect_behind("-g", "dwarf", "PATH; for stacks write --call-graph=cfi");
	expect_behind("--call-graph", "lbr", "--call-graph=auto");
	expect_behind("-g", "fp", "--call-graph=fp");
	expect_behind("-g", "no-such", "no-such: not found in PATH");
	expect_behind("-w", "fp", "fp: not found in PATH");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("not_found");
	TCase *tcase = tcase_create("not_found");

	tcase_add_test(tcase, a_word_is_looked_for_in_PATH);
	tcase_add_test(tcase, a_path_is_looked_at_itself);
	tcase_add_test(tcase, a_value_that_is_a_word_is_told_how_it_is_written);
	suite_add_tcase(suite, tcase);
	return suite;
}
