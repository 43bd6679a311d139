#include "src/commands/newest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "core/scope.h"
#include "src/recorded.h"
#include "support/suite.h"

/* A file that begins with BYTES, written S seconds after 1970. */
static void
put(const char *path, const char *bytes, time_t s)
{
	const struct timespec times[2] = {{.tv_sec = s}, {.tv_sec = s}};

	recorded_write(path, bytes, strlen(bytes));
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

#define GMON "gmon\1"
#define TRACE "\x89pctrace"

static void
expect(const char *expected)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	struct prf_error err = {0};

	ck_assert_msg(!prf_newest_find(PRF_NEWEST_PROFILE, &name, &err), "%s",
		      err.text);
	ck_assert_str_eq(name, expected);
}

START_TEST(the_last_that_was_written_is_found)
{
	put("gmon.out", GMON, 10);
	expect("gmon.out");
	put("profrun.trace", TRACE, 20);
	expect("profrun.trace");
	put("gmon.out.3", GMON, 30);
	expect("gmon.out.3");
	put("gmon.77.out", GMON, 40);
	expect("gmon.77.out");
	put("own.trace", TRACE, 50);
	expect("own.trace");
	put("gmon.out", GMON, 60);
	expect("gmon.out");
	/* Of two the first by name. */
	put("gmon.out.0", GMON, 60);
	expect("gmon.out");
	/* What a run leaves beside it keeps more. */
	put("profrun.pb.gz", "\x1f\x8b", 60);
	expect("profrun.pb.gz");
	put("profrun.pb.gz", "\x1f\x8b", 59);
	expect("gmon.out");
	put("profrun.pb.gz", "\x1f\x8b", 60);
	put("profrun.trace", TRACE, 60);
	expect("profrun.trace");
	/* Called as -o says. */
	put("prof.out", GMON, 70);
	expect("profrun.trace");
	put("prof.syms", "# gmon.syms 2\n", 70);
	expect("prof.out");
	put("own", TRACE, 80);
	expect("own");
	put("prof.out.pb.gz", "\x1f\x8b", 90);
	expect("prof.out.pb.gz");
}
END_TEST

START_TEST(what_is_no_profile_is_passed_over)
{
	char *name = NULL;
	struct prf_error err = {0};

	put("gmon.out", GMON, 10);
	put("strace.trace", "execve(", 20);
	put("gmon.out.syms", "# gmon.syms 2\n", 20);
	put("profile", GMON, 20);
	put("packed.gz", "\x1f\x8b", 20);
	put(".trace", TRACE, 20);
	put("profrun.pb.gz", "PK", 20);
	ck_assert_int_eq(mkdir("gmon.out.d", 0700), 0);
	expect("gmon.out");
	ck_assert_int_eq(prf_newest_find(PRF_NEWEST_TRACE, &name, &err),
			 -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "no trace here"));
	ck_assert_int_eq(rmdir("gmon.out.d"), 0);
	ck_assert_int_eq(unlink("gmon.out"), 0);
	ck_assert_int_eq(prf_newest_find(PRF_NEWEST_PROFILE, &name, &err),
			 -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "no profile here"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("newest");
	TCase *tcase = tcase_create("newest");

	tcase_add_checked_fixture(tcase, recorded_enter, recorded_leave);
	tcase_add_test(tcase, the_last_that_was_written_is_found);
	tcase_add_test(tcase, what_is_no_profile_is_passed_over);
	suite_add_tcase(suite, tcase);
	return suite;
}
