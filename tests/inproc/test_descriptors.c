/* A program that is exec'd by the one that is profiled gets no file of ours. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc/monitorfile.h"
#include "inproc/threadlist.h"
#include "support/suite.h"

static bool was_open[256];

/* Those of this process, but for the directory itself.  How many were not open
 * before; each must be closed by exec. */
static unsigned
check_new_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	unsigned n = 0;

	ck_assert_ptr_nonnull(dir);
	while ((entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] == '.' || fd == dirfd(dir) ||
		    fd >= (int)(sizeof was_open) || was_open[fd])
			continue;
		ck_assert_msg(fcntl(fd, F_GETFD) & FD_CLOEXEC,
			      "descriptor %d is left open by exec", fd);
		n++;
	}
	closedir(dir);
	return n;
}

static void
setup(void)
{
	for (int fd = 0; fd < (int)(sizeof was_open); fd++)
		was_open[fd] = fcntl(fd, F_GETFD) >= 0;
}

static void
visit(pid_t tid, void *n_visits)
{
	(void)tid;
	ck_assert_uint_eq(check_new_descriptors(), 1);
	++*(unsigned *)n_visits;
}

START_TEST(the_list_of_threads_is_closed_by_exec)
{
	unsigned n_visits = 0;

	ck_assert_int_eq(prf_threadlist_visit(visit, &n_visits), 0);
	ck_assert_uint_ge(n_visits, 1); /* a sanitizer has a thread, too */
	ck_assert_uint_eq(check_new_descriptors(), 0);
}
END_TEST

/* A new file, and one that is written in place. */
START_TEST(the_file_of_the_monitor_is_closed_by_exec)
{
	char dir[] = "/tmp/test_descriptors.XXXXXX", path[64], target[64];
	struct prf_monitorfile *file = calloc(1, sizeof *file);

	ck_assert(file && mkdtemp(dir));
	snprintf(path, sizeof path, "%s/gmon.out", dir);
	snprintf(target, sizeof target, "%s/target", dir);
	if (_i)
		ck_assert_int_eq(symlink(target, path), 0);
	ck_assert_int_eq(prf_monitorfile_init(file, path), 0);
	for (unsigned i = 0; i < 1 << 20 && file->fd < 0; i++)
		ck_assert_int_eq(fputc('x', file->stream), 'x');
	fflush(file->stream);
	ck_assert_int_ge(file->fd, 0);
	ck_assert_uint_ge(check_new_descriptors(), 1);
	ck_assert_int_eq(prf_monitorfile_close(file, true), 0);
	prf_monitorfile_fini(file);
	free(file);
	unlink(path);
	unlink(target);
	rmdir(dir);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("descriptors");
	TCase *tcase = tcase_create("descriptors");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, the_list_of_threads_is_closed_by_exec);
	tcase_add_loop_test(tcase, the_file_of_the_monitor_is_closed_by_exec, 0,
			    2);
	suite_add_tcase(suite, tcase);
	return suite;
}
