#include "live/proc/procfs.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "support/suite.h"

START_TEST(the_auxiliary_vector_is_that_of_this_process)
{
	uint64_t value = 0;

	ck_assert_int_eq(prf_procfs_find_auxv(getpid(), sizeof(void *),
					      AT_PAGESZ, &value),
			 0);
	ck_assert_uint_eq(value, getauxval(AT_PAGESZ));
	ck_assert_int_eq(
		prf_procfs_find_auxv(getpid(), sizeof(void *), 4711, &value),
		-ENOENT);
}
END_TEST

START_TEST(a_file_of_any_length_is_read_whole)
{
	char name[] = "/tmp/prf-slurp-XXXXXX";
	int fd = mkstemp(name);
	size_t size;

	ck_assert_int_ge(fd, 0);
	for (int i = 0; i < 5000; i++)
		ck_assert_int_eq(write(fd, "abc", 3), 3);
	char *text = prf_procfs_slurp(name, &size);
	ck_assert_uint_eq(size, 15000);
	ck_assert_uint_eq(strlen(text), 15000);
	free(text);
	text = prf_procfs_slurp_fd(fd, &size);
	ck_assert_uint_eq(size, 15000);
	free(text);
	ck_assert_int_eq(ftruncate(fd, PRF_PROCFS_MAX_BYTES + 1), 0);
	ck_assert_ptr_null(prf_procfs_slurp(name, &size));
	ck_assert_int_eq(errno, EFBIG);
	close(fd);
	unlink(name);
	ck_assert_ptr_null(prf_procfs_slurp(name, &size));
}
END_TEST

START_TEST(a_small_file_is_cut_where_there_is_no_more_room)
{
	char text[8];
	int fd = prf_procfs_open(getpid(), gettid(), "status");

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(prf_procfs_read(getpid(), gettid(), "status", text,
					 sizeof text),
			 0);
	ck_assert_mem_eq(text, "Name:\t", 6);
	ck_assert_uint_eq(strlen(text), sizeof text - 1);
	memset(text, 'x', sizeof text);
	/* Each time from its beginning. */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(prf_procfs_pread(fd, text, sizeof text), 0);
		ck_assert_mem_eq(text, "Name:\t", 6);
		ck_assert_uint_eq(strlen(text), sizeof text - 1);
	}
	close(fd);
}
END_TEST

START_TEST(a_thread_that_is_not_there_has_no_file_and_no_name)
{
	char text[8], name[PRF_THREAD_NAME_BYTES] = "x";

	ck_assert_int_eq(
		prf_procfs_read(getpid(), 1, "stat", text, sizeof text),
		-ENOENT);
	ck_assert_int_eq(prf_procfs_open(getpid(), 1, "stat"), -ENOENT);
	prf_procfs_read_name(getpid(), 1, name);
	ck_assert_str_eq(name, "");
}
END_TEST

START_TEST(the_proc_that_is_mounted_here_will_do)
{
	struct prf_error err = {0};

	ck_assert_msg(!prf_procfs_check(&err), "%s", err.text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("procfs");
	TCase *tcase = tcase_create("procfs");

	tcase_add_test(tcase, the_auxiliary_vector_is_that_of_this_process);
	tcase_add_test(tcase, a_file_of_any_length_is_read_whole);
	tcase_add_test(tcase, a_small_file_is_cut_where_there_is_no_more_room);
	tcase_add_test(tcase,
		       a_thread_that_is_not_there_has_no_file_and_no_name);
	tcase_add_test(tcase, the_proc_that_is_mounted_here_will_do);
	suite_add_tcase(suite, tcase);
	return suite;
}
