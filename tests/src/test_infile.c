#include "src/commands/infile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/suite.h"

static char directory[] = "/tmp/prf-infile-XXXXXX";

static void
enter(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
}

static void
leave(void)
{
	unlink("file");
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(directory), 0);
}

static void
write_file(const char *text)
{
	FILE *out = fopen("file", "w");

	fputs(text, out);
	fclose(out);
}

START_TEST(a_file_is_read_whole_again_and_again)
{
	struct prf_infile file = {0};

	write_file("some text");
	ck_assert_int_eq(prf_infile_read(&file, "file", NULL), 0);
	ck_assert_uint_eq(file.n_bytes, 9);
	ck_assert_mem_eq(file.bytes, "some text", 9);
	write_file("");
	ck_assert_int_eq(prf_infile_read(&file, "file", NULL), 0);
	ck_assert_uint_eq(file.n_bytes, 0);
	ck_assert_ptr_nonnull(file.bytes);
	prf_infile_clear(&file);
}
END_TEST

START_TEST(what_has_no_known_end_is_not_read)
{
	struct prf_infile file = {0};
	struct prf_error err = {0};

	ck_assert_int_eq(prf_infile_read(&file, "/dev/zero", &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "/dev/zero: "));
	ck_assert_int_eq(prf_infile_read(&file, ".", NULL), -EISDIR);
	ck_assert_int_eq(prf_infile_read(&file, "file", NULL), -ENOENT);
	ck_assert_int_eq(mkfifo("file", 0600), 0);
	ck_assert_int_eq(prf_infile_read(&file, "file", NULL), -EINVAL);
	prf_infile_clear(&file);
}
END_TEST

START_TEST(a_file_that_is_too_large_is_not_read)
{
	struct prf_infile file = {0};

	write_file("");
	ck_assert_int_eq(truncate("file", (off_t)PRF_INFILE_MAX_BYTES + 1), 0);
	ck_assert_int_eq(prf_infile_read(&file, "file", NULL), -EFBIG);
	ck_assert_uint_eq(file.room, 0);
	prf_infile_clear(&file);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("infile");
	TCase *tcase = tcase_create("infile");

	tcase_add_checked_fixture(tcase, enter, leave);
	tcase_add_test(tcase, a_file_is_read_whole_again_and_again);
	tcase_add_test(tcase, what_has_no_known_end_is_not_read);
	tcase_add_test(tcase, a_file_that_is_too_large_is_not_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
