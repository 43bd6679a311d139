#include "space/objectfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/made.h"

static void
write_file(const char *name, const char *text)
{
	elf_write(made_path(name), text, strlen(text));
}

static int
open_mapped(const struct prf_mapping *map)
{
	struct prf_objectfile_finder *finder = prf_objectfile_finder_new();
	struct stat st;

	ck_assert_ptr_nonnull(finder);
	int fd = prf_objectfile_open(finder, map, &st);
	if (fd >= 0)
		ck_assert_uint_eq(st.st_ino, map->inode);
	prf_objectfile_finder_free(finder);
	return fd;
}

/* What is opened for MAP has this text. */
static void
check_text(const struct prf_mapping *map, const char *text)
{
	char read_text[64] = {0};
	int fd = open_mapped(map);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_ge(read(fd, read_text, sizeof read_text - 1), 0);
	ck_assert_str_eq(read_text, text);
	close(fd);
}

START_TEST(a_file_is_found_by_its_path)
{
	write_file("lib", "this one");
	struct prf_mapping map = made_mapping("lib", 0x1000);
	check_text(&map, "this one");
}
END_TEST

START_TEST(a_file_is_found_whatever_device_the_maps_tell)
{
	write_file("lib", "this one");
	struct prf_mapping map = made_mapping("lib", 0x1000);
	map.dev++;
	check_text(&map, "this one");
}
END_TEST

START_TEST(a_file_that_was_replaced_is_refused)
{
	write_file("lib", "old");
	write_file("new", "new");
	struct prf_mapping map = made_mapping("lib", 0x1000);
	ck_assert_int_eq(rename(made_path("new"), map.path), 0);
	ck_assert_int_eq(open_mapped(&map), -ENOENT);
}
END_TEST

START_TEST(a_file_that_is_gone_is_not_found)
{
	write_file("lib", "old");
	struct prf_mapping map = made_mapping("lib", 0x1000);
	ck_assert_int_eq(unlink(map.path), 0);
	ck_assert_int_eq(open_mapped(&map), -ENOENT);
}
END_TEST

/* Its number is that of the file: only the type tells them apart, and only
 * without being opened. */
START_TEST(a_fifo_is_refused_and_does_not_wait)
{
	ck_assert_int_eq(mkfifo(made_path("lib"), 0600), 0);
	struct prf_mapping map = made_mapping("lib", 0x1000);
	ck_assert_int_eq(open_mapped(&map), -ENOENT);
}
END_TEST

START_TEST(a_directory_or_a_device_is_refused)
{
	static const char *const paths[] = {"/", "/dev/null"};
	struct prf_mapping map = {.pid = getpid(), .path = paths[_i]};
	struct stat file;

	ck_assert_int_eq(stat(map.path, &file), 0);
	map.inode = file.st_ino;
	ck_assert_int_eq(open_mapped(&map), -ENOENT);
}
END_TEST

START_TEST(why_a_file_that_is_there_cannot_be_opened_is_said)
{
	struct rlimit limit, before;

	write_file("lib", "this one");
	struct prf_mapping map = made_mapping("lib", 0x1000);
	int next = dup(0);
	ck_assert_int_ge(next, 0);
	close(next);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = (rlim_t)next;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	int fd = open_mapped(&map);
	setrlimit(RLIMIT_NOFILE, &before);
	ck_assert_int_eq(fd, -EMFILE);
}
END_TEST

/* No process has this number; who does not live has no /proc. */
START_TEST(a_file_is_found_when_its_process_is_no_more)
{
	write_file("lib", "this one");
	struct prf_mapping map = made_mapping("lib", 0x1000);
	map.pid = 0x7ffffff0;
	check_text(&map, "this one");
}
END_TEST

START_TEST(a_path_that_is_too_long_for_any_file_is_not_found)
{
	static char path[8192];
	const struct prf_mapping map = {.pid = getpid(), .path = path};

	memset(path, 'a', sizeof path - 1);
	path[0] = '/';
	ck_assert_int_eq(open_mapped(&map), -ENAMETOOLONG);
}
END_TEST

/* A process of the program at PATH that stays until it is killed. */
static pid_t
start(const char *path)
{
	int begun[2], stays[2];
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(begun), 0);
	ck_assert_int_eq(pipe(stays), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		dup2(stays[0], 0);
		close(stays[1]);
		fcntl(begun[0], F_SETFD, FD_CLOEXEC);
		fcntl(begun[1], F_SETFD, FD_CLOEXEC);
		execl(path, "cat", (char *)NULL);
		_exit(99);
	}
	/* The pipe closes when the program has begun. */
	close(begun[1]);
	ck_assert_int_eq(read(begun[0], &byte, 1), 0);
	close(begun[0]);
	close(stays[0]);
	return pid;
}

static void
copy_file(const char *from, const char *to)
{
	char command[1200];

	snprintf(command, sizeof command, "cp -L '%s' '%s' && chmod 700 '%s'",
		 from, to, to);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(the_program_itself_is_found_when_its_file_is_gone)
{
	const char *path = made_path("program");

	copy_file("/bin/cat", path);
	struct prf_mapping map = made_mapping("program", 0x1000);
	map.pid = start(path);
	ck_assert_int_eq(unlink(path), 0);
	int fd = open_mapped(&map);
	kill(map.pid, SIGKILL);
	ck_assert_int_eq(waitpid(map.pid, NULL, 0), map.pid);
	ck_assert_int_ge(fd, 0);
	close(fd);
}
END_TEST

/* On another device another file can have the program's number. */
START_TEST(the_program_is_not_taken_for_a_library)
{
	const char *path = made_path("program");

	copy_file("/bin/cat", path);
	struct prf_mapping map = made_mapping("program", 0x1000);
	map.pid = start(path);
	map.path = made_path("lib");
	int fd = open_mapped(&map);
	map.path = made_path("prog");
	int fd_of_part = open_mapped(&map);
	kill(map.pid, SIGKILL);
	ck_assert_int_eq(waitpid(map.pid, NULL, 0), map.pid);
	ck_assert_int_eq(fd, -ENOENT);
	ck_assert_int_eq(fd_of_part, -ENOENT);
}
END_TEST

/* What is mapped has a path without links: one leads to another file, and perhaps
 * to a file system that does not answer. */
START_TEST(no_link_is_followed_to_it)
{
	struct stat st;

	ck_assert_int_eq(mkdir(made_path("a"), 0700), 0);
	write_file("a/lib", "this one");
	struct prf_mapping map = made_mapping("a/lib", 0x1000);
	ck_assert_int_eq(prf_objectfile_stat_path(NULL, &map, &st), 0);
	ck_assert_int_eq(st.st_size, 8);
	ck_assert_int_eq(rename(made_path("a"), made_path("b")), 0);
	ck_assert_int_eq(symlink("b", made_path("a")), 0);
	ck_assert_int_eq(open_mapped(&map), -ENOENT);
	ck_assert_int_lt(prf_objectfile_stat_path(NULL, &map, &st), 0);
	map.path = made_path("b/lib");
	check_text(&map, "this one");
	ck_assert_int_eq(rename(made_path("b/lib"), made_path("b/it")), 0);
	ck_assert_int_eq(symlink("it", map.path), 0);
	ck_assert_int_eq(open_mapped(&map), -ENOENT);
}
END_TEST

enum { REFUSED, UNNOTICED, NOTICED };

static bool
begin_mounts(void)
{
	return !unshare(CLONE_NEWNS) &&
	       !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

/* A file system that nobody answers for. */
static bool
mount_silent(const char *dir)
{
	char options[64];
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	snprintf(options, sizeof options,
		 "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	return fd >= 0 && !mount("silent", dir, "fuse", 0, options);
}

/* For this process alone such a file system comes to be on DIR; is it known that
 * what MAP is of may be silent then, and not before? */
static char
hide(const char *dir, const struct prf_mapping *map)
{
	if (!begin_mounts())
		return REFUSED;
	struct prf_objectfile_finder *finder = prf_objectfile_finder_new();
	bool was_silent = prf_objectfile_may_be_silent(finder, map);
	if (!mount_silent(dir))
		return REFUSED;
	return !was_silent && prf_objectfile_may_be_silent(finder, map)
		       ? NOTICED
		       : UNNOTICED;
}

/* A process that has done so, and lives until the other end of *STAYS is closed. */
static pid_t
start_with_silent(const char *dir, const struct prf_mapping *map, int *stays)
{
	int done[2], ends[2];
	char byte;

	ck_assert_int_eq(pipe2(done, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	pid_t pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(ends[1]);
		byte = hide(dir, map);
		if (write(done[1], &byte, 1) == 1)
			(void)!read(ends[0], &byte, 1);
		_exit(0);
	}
	close(ends[0]);
	ck_assert_int_eq(read(done[0], &byte, 1), 1);
	close(done[0]);
	close(done[1]);
	*stays = ends[1];
	if (byte == REFUSED)
		prf_skip("no file system can be mounted");
	ck_assert_int_eq(byte, NOTICED);
	return pid;
}

START_TEST(what_is_mounted_for_the_program_alone_is_not_asked)
{
	int stays;

	ck_assert_int_eq(mkdir(made_path("a"), 0700), 0);
	write_file("a/lib", "this one");
	struct prf_mapping map = made_mapping("a/lib", 0x1000);
	struct prf_objectfile_finder *finder = prf_objectfile_finder_new();
	ck_assert(!prf_objectfile_may_be_silent(finder, &map));
	map.pid = start_with_silent(made_path("a"), &map, &stays);
	ck_assert(prf_objectfile_may_be_silent(finder, &map));
	map.path = made_path("b/lib");
	ck_assert(!prf_objectfile_may_be_silent(finder, &map));
	prf_objectfile_finder_free(finder);
	close(stays);
	ck_assert_int_eq(waitpid(map.pid, NULL, 0), map.pid);
}
END_TEST

/* One comes to be on DIR, and is unmounted while it is in use: then the kernel tells
 * of it where it was asked to. */
static int
use_and_unmount(const char *dir)
{
	struct statx st;

	if (!begin_mounts() || !mount_silent(dir))
		return REFUSED;
	int fd = open(dir, O_PATH | O_CLOEXEC);
	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &st) ||
	    umount2(dir, MNT_DETACH) ||
	    mount("none", "/sys/fs/fuse/connections", "fusectl", 0, NULL))
		return REFUSED;
	const struct prf_mapping map = {
		.pid = getpid(),
		.path = "/program",
		.dev = makedev(st.stx_dev_major, st.stx_dev_minor),
	};
	return prf_objectfile_may_be_silent(prf_objectfile_finder_new(), &map)
		       ? NOTICED
		       : UNNOTICED;
}

START_TEST(what_was_unmounted_while_it_was_in_use_is_not_asked)
{
	int status;

	ck_assert_int_eq(mkdir(made_path("a"), 0700), 0);
	pid_t pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(use_and_unmount(made_path("a")));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	if (WEXITSTATUS(status) == REFUSED)
		prf_skip("no file system can be mounted");
	ck_assert_int_eq(WEXITSTATUS(status), NOTICED);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("objectfile");
	TCase *tcase = tcase_create("objectfile");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, a_file_is_found_by_its_path);
	tcase_add_test(tcase, a_file_is_found_whatever_device_the_maps_tell);
	tcase_add_test(tcase, a_file_that_was_replaced_is_refused);
	tcase_add_test(tcase, a_file_that_is_gone_is_not_found);
	tcase_add_test(tcase, a_fifo_is_refused_and_does_not_wait);
	tcase_add_loop_test(tcase, a_directory_or_a_device_is_refused, 0, 2);
	tcase_add_test(tcase,
		       why_a_file_that_is_there_cannot_be_opened_is_said);
	tcase_add_test(tcase, a_file_is_found_when_its_process_is_no_more);
	tcase_add_test(tcase,
		       a_path_that_is_too_long_for_any_file_is_not_found);
	tcase_add_test(tcase,
		       the_program_itself_is_found_when_its_file_is_gone);
	tcase_add_test(tcase, the_program_is_not_taken_for_a_library);
	tcase_add_test(tcase, no_link_is_followed_to_it);
	tcase_add_test(tcase,
		       what_is_mounted_for_the_program_alone_is_not_asked);
	tcase_add_test(tcase,
		       what_was_unmounted_while_it_was_in_use_is_not_asked);
	suite_add_tcase(suite, tcase);
	return suite;
}
