#include "src/output/progress.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static void
check_line(struct prf_progress_state state, size_t width, const char *expected)
{
	char *line = prf_progress_line(&state, width);

	ck_assert_ptr_nonnull(line);
	ck_assert_str_eq(line, expected);
	free(line);
}

START_TEST(a_file_is_told_with_how_far_it_is)
{
	check_line(
		(struct prf_progress_state){"reading", "a.trace", 37, 100, 2},
		80, "profrun: reading a.trace: 37 %, 2 s");
	check_line((struct prf_progress_state){"reading", "a.trace",
					       UINT64_MAX / 2, UINT64_MAX, 2},
		   80, "profrun: reading a.trace: 50 %, 2 s");
}
END_TEST

START_TEST(a_file_that_has_become_shorter_is_read)
{
	check_line(
		(struct prf_progress_state){"reading", "a.trace", 101, 100, 2},
		80, "profrun: reading a.trace: 100 %, 2 s");
}
END_TEST

START_TEST(what_has_no_size_is_told_by_its_time)
{
	check_line((struct prf_progress_state){"reading", "-", 0, 0, 3}, 80,
		   "profrun: reading -: 3 s");
	check_line((struct prf_progress_state){"exporting", NULL, 0, 0, 3}, 80,
		   "profrun: exporting: 3 s");
}
END_TEST

START_TEST(a_line_fits)
{
	static const char name[] = "/a/rather/long/path/to/some/profrun.trace";

	for (size_t width = 40; width < 90; width++) {
		const struct prf_progress_state state = {"reading", name, 1, 2,
							 100};
		char *line = prf_progress_line(&state, width);

		ck_assert_uint_le(strlen(line), width);
		ck_assert_ptr_nonnull(strstr(line, ": 50 %, 100 s"));
		free(line);
	}
}
END_TEST

START_TEST(a_name_steers_no_terminal)
{
	check_line((struct prf_progress_state){"reading", "a\033[2Jb", 0, 0, 1},
		   80, "profrun: reading a?[2Jb: 1 s");
}
END_TEST

/* A file is no terminal. */
START_TEST(nobody_is_told_where_there_is_no_terminal)
{
	FILE *out = tmpfile();
	const struct prf_messages messages = {.stream = out};

	ck_assert_ptr_nonnull(out);
	ck_assert_ptr_null(prf_progress_begin(&messages, "reading", NULL, -1));
	prf_progress_end(NULL);
	fclose(out);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("progress");
	TCase *tcase = tcase_create("progress");

	tcase_add_test(tcase, a_file_is_told_with_how_far_it_is);
	tcase_add_test(tcase, a_file_that_has_become_shorter_is_read);
	tcase_add_test(tcase, what_has_no_size_is_told_by_its_time);
	tcase_add_test(tcase, a_line_fits);
	tcase_add_test(tcase, a_name_steers_no_terminal);
	tcase_add_test(tcase, nobody_is_told_where_there_is_no_terminal);
	suite_add_tcase(suite, tcase);
	return suite;
}
