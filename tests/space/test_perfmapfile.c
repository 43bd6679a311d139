#include "space/perfmapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/made.h"

enum { PID = 4711 };

static const char map_name[] = "perf-4711.map";

static int
read_map(time_t begun, char **text, size_t *bytes, struct prf_error *err)
{
	return prf_perfmapfile_read(made_path("."), PID, begun, text, bytes,
				    err);
}

static int
read_error(time_t begun)
{
	struct prf_error err = {0};
	char *text = NULL;
	size_t bytes;
	int rc = read_map(begun, &text, &bytes, &err);

	ck_assert_int_ne(rc, 0);
	ck_assert_ptr_null(text);
	ck_assert_int_eq(err.code, rc);
	ck_assert_ptr_nonnull(strstr(err.text, map_name));
	return rc;
}

START_TEST(a_map_is_read_whole)
{
	static const char *const maps[] = {"", "1000 10 f\n",
					   "1000 10 f\n2000 20 g h\n30"};
	char *text = NULL;
	size_t bytes;

	elf_write(made_path(map_name), maps[_i], strlen(maps[_i]));
	ck_assert_int_eq(read_map(time(NULL), &text, &bytes, NULL), 0);
	ck_assert_uint_eq(bytes, strlen(maps[_i]));
	ck_assert_mem_eq(text, maps[_i], bytes);
	free(text);
}
END_TEST

START_TEST(where_there_is_none_it_is_said)
{
	ck_assert_int_eq(read_error(0), -ENOENT);
}
END_TEST

START_TEST(the_map_of_an_earlier_process_is_refused)
{
	struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
	char *text = NULL;
	size_t bytes;

	elf_write(made_path(map_name), "1000 10 f\n", 10);
	ck_assert_int_eq(utimensat(AT_FDCWD, made_path(map_name), times, 0), 0);
	ck_assert_int_eq(read_error(1000002), -ESTALE);
	ck_assert_int_eq(read_map(1000001, &text, &bytes, NULL), 0);
	free(text);
}
END_TEST

START_TEST(a_fifo_or_a_directory_is_refused_and_does_not_wait)
{
	if (_i)
		ck_assert_int_eq(mkfifo(made_path(map_name), 0600), 0);
	else
		ck_assert_int_eq(mkdir(made_path(map_name), 0700), 0);
	ck_assert_int_eq(read_error(0), -EINVAL);
}
END_TEST

START_TEST(what_is_too_large_is_refused)
{
	elf_write(made_path(map_name), "", 0);
	ck_assert_int_eq(truncate(made_path(map_name), (off_t)1 << 31), 0);
	ck_assert_int_eq(read_error(0), -EFBIG);
}
END_TEST

/* Root gives the file away and becomes a third. */
START_TEST(the_map_of_another_user_is_refused)
{
	if (geteuid() != 0)
		return; /* nobody else can make such a file */
	elf_write(made_path(map_name), "1000 10 f\n", 10);
	ck_assert_int_eq(chmod(made_path("."), 0755), 0);
	ck_assert_int_eq(chmod(made_path(map_name), 0644), 0);
	ck_assert_int_eq(chown(made_path(map_name), 65533, 65533), 0);
	ck_assert_int_eq(seteuid(65532), 0);
	int rc = read_error(0);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(rc, -EPERM);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("perfmapfile");
	TCase *tcase = tcase_create("perfmapfile");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_loop_test(tcase, a_map_is_read_whole, 0, 3);
	tcase_add_test(tcase, where_there_is_none_it_is_said);
	tcase_add_test(tcase, the_map_of_an_earlier_process_is_refused);
	tcase_add_loop_test(tcase,
			    a_fifo_or_a_directory_is_refused_and_does_not_wait,
			    0, 2);
	tcase_add_test(tcase, what_is_too_large_is_refused);
	tcase_add_test(tcase, the_map_of_another_user_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
