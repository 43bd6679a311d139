#include "src/output/outfile.h"
#include "support/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test is in a directory of its own, and gone to. */
static char work[] = "/tmp/prf-outfile-XXXXXX";
static struct prf_outdir *dir;
static struct prf_error err;

static void
setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(work));
	ck_assert_int_eq(chdir(work), 0);
	ck_assert_int_eq(prf_outdir_open(".", &dir, NULL), 0);
}

static void
teardown(void)
{
	prf_outdir_close(dir);
	ck_assert_int_eq(chdir("/"), 0);
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", work);
	ck_assert_int_eq(system(command), 0);
}

static void
put(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void
check_content(const char *name, const char *expected)
{
	char text[64] = "";
	FILE *file = fopen(name, "r");

	ck_assert_msg(file != NULL, "%s is not there", name);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	ck_assert_str_eq(text, expected);
}

static int
count_files(void)
{
	DIR *here = opendir(".");
	int n = -2; /* . and .. */

	while (readdir(here))
		n++;
	closedir(here);
	return n;
}

static struct prf_outfile *
begin(const char *name, const char *text)
{
	struct prf_outfile *file = NULL;
	int rc = prf_outdir_check(dir, name, &err);

	if (rc == 0)
		rc = prf_outfile_create(dir, name, &file, &err);
	ck_assert_msg(rc == 0, "%s", err.text);
	fputs(text, prf_outfile_stream(file));
	return file;
}

START_TEST(the_file_appears_only_when_it_is_whole)
{
	struct prf_outfile *file = begin("x", "new");

	fflush(prf_outfile_stream(file));
	ck_assert_int_lt(access("x", F_OK), 0);
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	check_content("x", "new");
	prf_outfile_free(file);
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(what_was_there_stays_until_then)
{
	put("x", "old");
	struct prf_outfile *file = begin("x", "new");

	fflush(prf_outfile_stream(file));
	check_content("x", "old");
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	check_content("x", "new");
	prf_outfile_free(file);
}
END_TEST

START_TEST(without_a_commit_nothing_is_left)
{
	put("x", "old");
	prf_outfile_free(begin("x", "new"));
	check_content("x", "old");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* --- On the disk */

static struct {
	int n, refuse_errno;
	off_t bytes; /* of the last one */
	bool has_name;
} synced;

/* In the place of the C library's. */
int
fdatasync(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	synced.n++;
	synced.bytes = st.st_size;
	synced.has_name = access("x", F_OK) == 0;
	errno = synced.refuse_errno;
	return synced.refuse_errno ? -1 : 0;
}

START_TEST(what_is_synchronized_is_whole_and_has_no_name_yet)
{
	struct prf_outfile *file = begin("x", "new");

	ck_assert_int_eq(prf_outfile_sync(file, &err), 0);
	ck_assert_int_eq(synced.n, 1);
	ck_assert_int_eq(synced.bytes, 3);
	ck_assert(!synced.has_name);
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	ck_assert_int_eq(synced.n, 1);
	prf_outdir_sync(dir);
	prf_outfile_free(file);
	check_content("x", "new");
}
END_TEST

START_TEST(a_file_system_that_does_not_synchronize_is_put_up_with)
{
	static const int reasons[] = {EINVAL, ENOSYS, EROFS};
	struct prf_outfile *file = begin("x", "new");

	synced.refuse_errno = reasons[_i];
	ck_assert_int_eq(prf_outfile_sync(file, &err), 0);
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	prf_outfile_free(file);
	check_content("x", "new");
}
END_TEST

START_TEST(what_does_not_reach_the_disk_is_a_failure)
{
	struct prf_outfile *file = begin("x", "new");

	synced.refuse_errno = ENOSPC;
	ck_assert_int_eq(prf_outfile_sync(file, &err), -ENOSPC);
	ck_assert_str_eq(err.text, "x: No space left on device");
	prf_outfile_free(file);
	ck_assert_int_eq(count_files(), 0);
}
END_TEST

START_TEST(a_device_is_not_synchronized)
{
	ck_assert_int_eq(symlink("/dev/null", "x"), 0);
	struct prf_outfile *file = begin("x", "new");

	ck_assert_int_eq(prf_outfile_sync(file, &err), 0);
	ck_assert_int_eq(synced.n, 0);
	prf_outfile_free(file);
}
END_TEST

START_TEST(the_umask_decides_the_mode)
{
	struct stat st;

	umask(027);
	struct prf_outfile *file = begin("x", "new");
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	prf_outfile_free(file);
	ck_assert_int_eq(stat("x", &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
}
END_TEST

START_TEST(a_program_that_is_run_does_not_get_it)
{
	struct prf_outfile *file = begin("x", "new");

	for (int fd = 3; fd < 64; fd++) {
		char link[64], path[128] = "";
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		if (readlink(link, path, sizeof path - 1) > 0 &&
		    strstr(path, "prf-outfile"))
			ck_assert(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	prf_outfile_free(file);
}
END_TEST

START_TEST(two_files_can_be_written_at_once)
{
	struct prf_outfile *one = begin("one", "1");
	struct prf_outfile *two = begin("two", "2");

	ck_assert_int_eq(prf_outfile_commit(two, &err), 0);
	ck_assert_int_eq(prf_outfile_commit(one, &err), 0);
	check_content("one", "1");
	check_content("two", "2");
	prf_outfile_free(one);
	prf_outfile_free(two);
	ck_assert_int_eq(count_files(), 2);
}
END_TEST

START_TEST(to_go_elsewhere_does_not_move_the_file)
{
	struct prf_outfile *file = begin("x", "new");

	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	prf_outfile_free(file);
	ck_assert_int_eq(chdir(work), 0);
	check_content("x", "new");
}
END_TEST

START_TEST(a_full_disk_is_told_as_such)
{
	ck_assert_int_eq(symlink("/dev/full", "x"), 0);
	struct prf_outfile *file = begin("x", "new");
	/* The reason outlasts what is written after it. */
	fflush(prf_outfile_stream(file));
	errno = 0;

	ck_assert_int_eq(prf_outfile_commit(file, &err), -ENOSPC);
	ck_assert_str_eq(err.text, "x: No space left on device");
	prf_outfile_free(file);
}
END_TEST

START_TEST(after_a_failed_write_the_old_file_is_still_there)
{
	struct rlimit limit = {4, 4};

	signal(SIGXFSZ, SIG_IGN);
	put("x", "old");
	struct prf_outfile *file = begin("x", "too long");
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(prf_outfile_commit(file, &err), -EFBIG);
	ck_assert_str_eq(err.text, "x: File too large");
	prf_outfile_free(file);
	check_content("x", "old");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(a_directory_that_is_gone_is_told_at_the_end)
{
	struct prf_outfile *file = begin("x", "new");

	ck_assert_int_eq(system("rm -f .profrun.*"), 0);
	ck_assert_int_eq(prf_outfile_commit(file, &err), -ENOENT);
	prf_outfile_free(file);
}
END_TEST

START_TEST(a_link_is_written_through)
{
	put("real", "old and long");
	ck_assert_int_eq(symlink("real", "x"), 0);
	ck_assert(prf_outdir_in_place(dir, "x"));
	ck_assert(!prf_outdir_in_place(dir, "real"));
	ck_assert(!prf_outdir_in_place(dir, "none"));
	struct prf_outfile *file = begin("x", "new");
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	prf_outfile_free(file);
	check_content("real", "new");
	ck_assert_int_eq(count_files(), 2);
}
END_TEST

/* FIFOs that nobody reads, and links of others, as root makes them. */
START_TEST(a_fifo_without_a_reader_is_not_waited_for)
{
	struct prf_outfile *file = NULL;

	ck_assert_int_eq(mkfifo("f", 0666), 0);
	ck_assert_int_eq(symlink("f", "x"), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "f", &err), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "x", &err), 0);
	ck_assert_int_eq(prf_outfile_create(dir, "f", &file, &err), -ENXIO);
	ck_assert_str_eq(err.text, "f: nobody reads this FIFO");
	ck_assert_int_eq(prf_outfile_create(dir, "x", &file, &err), -ENXIO);

	int reader = open("f", O_RDONLY | O_NONBLOCK);
	ck_assert_int_ge(reader, 0);
	ck_assert_int_eq(prf_outfile_create(dir, "f", &file, &err), 0);
	fputs("new", prf_outfile_stream(file));
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	prf_outfile_free(file);
	char text[8] = "";
	ck_assert_int_eq(read(reader, text, sizeof text - 1), 3);
	ck_assert_str_eq(text, "new");
	close(reader);
}
END_TEST

START_TEST(another_users_link_is_not_followed)
{
	enum { US = 65532, OTHER = 65533 };
	static const struct {
		uid_t link, dir;
		bool is_followed;
	} cases[] = {
		{US, 0, true},     {0, 0, true},       {OTHER, OTHER, true},
		{OTHER, 0, false}, {OTHER, US, false},
	};
	struct prf_outfile *file = NULL;

	if (geteuid() != 0)
		return; /* nobody else can make such a link */
	put("real", "old");
	ck_assert_int_eq(chmod("real", 0666), 0);
	ck_assert_int_eq(symlink("real", "x"), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "x", &err), 0); /* ours yet */
	ck_assert_int_eq(lchown("x", cases[_i].link, 0), 0);
	ck_assert_int_eq(chown(".", cases[_i].dir, 0), 0);
	ck_assert_int_eq(chmod(".", 0777), 0);
	ck_assert_int_eq(seteuid(US), 0);
	int checked = prf_outdir_check(dir, "x", &err);
	int rc = prf_outfile_create(dir, "x", &file, &err);
	ck_assert_int_eq(seteuid(0), 0);
	prf_outfile_free(file);
	ck_assert_int_eq(checked, cases[_i].is_followed ? 0 : -ELOOP);
	ck_assert_int_eq(rc, cases[_i].is_followed ? 0 : -ELOOP);
	check_content("real", cases[_i].is_followed ? "" : "old");
}
END_TEST

/* Another user who may write to the directory exchanges it for a FIFO, which is
 * ours. */
static void *
exchange(void *stop)
{
	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED))
		renameat2(AT_FDCWD, "x", AT_FDCWD, "y", RENAME_EXCHANGE);
	return NULL;
}

/* Who reads it would have the file, or nobody: that is seen before it is opened. */
START_TEST(nor_is_one_that_leads_to_a_fifo)
{
	enum { US = 65532, OTHER = 65533 };

	if (geteuid() != 0)
		return;
	ck_assert_int_eq(mkfifo("fifo", 0666), 0);
	ck_assert_int_eq(chmod("fifo", 0666), 0);
	ck_assert_int_eq(symlink("fifo", "x"), 0);
	ck_assert_int_eq(lchown("x", OTHER, 0), 0);
	ck_assert_int_eq(chmod(".", 0777), 0);
	ck_assert_int_eq(seteuid(US), 0);
	int others = prf_outdir_check(dir, "x", &err);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(others, -ELOOP);
	ck_assert_ptr_nonnull(strstr(err.text, "another user's"));
	ck_assert_int_eq(lchown("x", US, 0), 0);
	ck_assert_int_eq(seteuid(US), 0);
	int ours = prf_outdir_check(dir, "x", &err);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(ours, 0);
}
END_TEST

START_TEST(nor_is_one_that_comes_in_between)
{
	enum { OTHER = 65533, TRIES = 20000 };
	bool stop = false;
	pthread_t thread;
	int n_created = 0;

	if (geteuid() != 0)
		return;
	put("real", "old");
	ck_assert_int_eq(mkfifo("x", 0666), 0);
	int reader = open("x", O_RDONLY | O_NONBLOCK);
	ck_assert_int_ge(reader, 0);
	ck_assert_int_eq(prf_outdir_check(dir, "x", &err), 0);
	ck_assert_int_eq(symlink("real", "y"), 0);
	ck_assert_int_eq(lchown("y", OTHER, 0), 0);
	pthread_create(&thread, NULL, exchange, &stop);
	for (int i = 0; i < TRIES; i++) {
		struct prf_outfile *file = NULL;
		int rc = prf_outfile_create(dir, "x", &file, &err);

		ck_assert_msg(rc == 0 || rc == -ESTALE || rc == -ELOOP, "%s",
			      err.text);
		n_created += rc == 0;
		prf_outfile_free(file);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	close(reader);
	check_content("real", "old");
	ck_assert_int_gt(n_created, 0);
}
END_TEST

START_TEST(a_link_leads_where_it_says_from_its_own_directory)
{
	struct prf_outdir *other = NULL, *fds = NULL;
	struct prf_outfile *file = NULL;
	char name[16];

	ck_assert_int_eq(mkdir("d", 0777), 0);
	put("d/real", "old");
	ck_assert_int_eq(symlink("real", "d/x"), 0);
	ck_assert_int_eq(prf_outdir_open("d", &other, &err), 0);
	ck_assert_int_eq(prf_outdir_check(other, "x", &err), 0);
	ck_assert_int_eq(prf_outfile_create(other, "x", &file, &err), 0);
	prf_outfile_free(file);
	prf_outdir_close(other);
	check_content("d/real", "");

	/* What has no name can be written, too, as by /dev/fd. */
	int ends[2];
	char text[8] = "";
	ck_assert_int_eq(pipe(ends), 0);
	snprintf(name, sizeof name, "%d", ends[1]);
	ck_assert_int_eq(prf_outdir_open("/proc/self/fd", &fds, &err), 0);
	ck_assert_int_eq(prf_outdir_check(fds, name, &err), 0);
	ck_assert_int_eq(prf_outfile_create(fds, name, &file, &err), 0);
	fputs("new", prf_outfile_stream(file));
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	prf_outfile_free(file);
	prf_outdir_close(fds);
	ck_assert_int_eq(read(ends[0], text, sizeof text - 1), 3);
	ck_assert_str_eq(text, "new");
}
END_TEST

/* --- What was a file, or was not there, and is none any more */

START_TEST(what_has_changed_since_the_check_is_not_written)
{
	static const char *const commands[] = {"mkfifo x", "ln -s real x",
					       "mkdir x", "rm f; ln -s real f",
					       "rm l; mkfifo l"};
	static const char *const names[] = {"x", "x", "x", "f", "l"};
	const char *name = names[_i];
	struct prf_outfile *file = NULL;

	put("real", "old");
	ck_assert_int_eq(mkfifo("f", 0666), 0);
	ck_assert_int_eq(symlink("real", "l"), 0);
	ck_assert_int_eq(prf_outdir_check(dir, name, &err), 0);
	ck_assert(!prf_outdir_has_changed(dir, name));
	ck_assert_int_eq(system(commands[_i]), 0);
	ck_assert(prf_outdir_has_changed(dir, name));
	ck_assert_int_lt(prf_outfile_create(dir, name, &file, &err), 0);
	check_content("real", "old");

	/* Who checks it again means it so. */
	if (_i == 2)
		return;
	ck_assert_int_eq(prf_outdir_check(dir, name, &err), 0);
	ck_assert(!prf_outdir_has_changed(dir, name));
}
END_TEST

START_TEST(a_file_that_is_another_file_or_gone_has_not_changed)
{
	put("x", "old");
	ck_assert_int_eq(symlink("x", "l"), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "x", &err), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "l", &err), 0);
	ck_assert_int_eq(unlink("x"), 0);
	ck_assert(!prf_outdir_has_changed(dir, "x"));
	put("x", "other");
	ck_assert(!prf_outdir_has_changed(dir, "x"));
	ck_assert_int_eq(unlink("l"), 0);
	put("l", "other");
	ck_assert(!prf_outdir_has_changed(dir, "l"));
}
END_TEST

START_TEST(a_directory_cannot_be_the_file)
{
	struct prf_outfile *file = NULL;

	ck_assert_int_eq(mkdir("d", 0777), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "d", &err), -EISDIR);
	ck_assert_str_eq(err.text, "d: Is a directory");
	ck_assert_int_eq(prf_outfile_create(dir, "d", &file, &err), -EISDIR);
	ck_assert_ptr_null(file);
	ck_assert_int_eq(prf_outdir_check(dir, "..", &err), -EISDIR);
	ck_assert_int_lt(prf_outdir_check(dir, "", &err), 0);
}
END_TEST

START_TEST(a_name_that_is_too_long_is_told_before)
{
	char name[300];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	ck_assert_int_eq(prf_outdir_check(dir, name, &err), -ENAMETOOLONG);
}
END_TEST

START_TEST(a_check_changes_nothing)
{
	put("real", "old");
	ck_assert_int_eq(symlink("real", "x"), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "real", &err), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "x", &err), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "none", &err), 0);
	check_content("real", "old");
	ck_assert_int_eq(count_files(), 2);
}
END_TEST

START_TEST(a_check_does_not_wait_for_a_reader)
{
	ck_assert_int_eq(mkfifo("f", 0666), 0);
	ck_assert_int_eq(prf_outdir_check(dir, "f", &err), 0);
	ck_assert(prf_outdir_in_place(dir, "f"));
}
END_TEST

START_TEST(a_directory_that_takes_no_files_is_told_before)
{
	struct prf_outdir *proc = NULL;

	ck_assert_int_eq(prf_outdir_open("/proc/self", &proc, &err), 0);
	ck_assert_int_lt(prf_outdir_check(proc, "x", &err), 0);
	ck_assert_int_eq(strncmp(err.text, "/proc/self/x: ", 14), 0);
	prf_outdir_close(proc);
}
END_TEST

START_TEST(what_is_no_directory_is_told_before)
{
	struct prf_outdir *none = NULL;

	ck_assert_int_eq(prf_outdir_open("none", &none, &err), -ENOENT);
	ck_assert_str_eq(err.text, "directory none: No such file or directory");
	put("file", "");
	ck_assert_int_eq(prf_outdir_open("file", &none, &err), -ENOTDIR);
	ck_assert_ptr_null(none);
}
END_TEST

START_TEST(paths_are_told_as_the_user_knows_them)
{
	struct prf_outdir *tmp = NULL;
	struct prf_outfile *file = begin("x", "");

	ck_assert_str_eq(prf_outfile_path(file), "x");
	prf_outfile_free(file);
	ck_assert_int_eq(prf_outdir_open(work, &tmp, &err), 0);
	ck_assert_int_eq(prf_outfile_create(tmp, "y", &file, &err), 0);
	char expected[64];
	snprintf(expected, sizeof expected, "%s/y", work);
	ck_assert_str_eq(prf_outfile_path(file), expected);
	prf_outfile_free(file);
	prf_outdir_close(tmp);
}
END_TEST

START_TEST(a_regular_file_can_be_read_and_nothing_else)
{
	static const char *const others[] = {"none", "directory", "fifo",
					     "link", ""};
	char text[8] = "";

	put("x", "old");
	ck_assert_int_eq(mkdir("directory", 0777), 0);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(symlink("x", "link"), 0);
	FILE *file = prf_outdir_read(dir, "x");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fcntl(fileno(file), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
	ck_assert_str_eq(text, "old");
	fclose(file);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert_msg(!prf_outdir_read(dir, others[i]), "%s",
			      others[i]);
}
END_TEST

START_TEST(what_is_removed_is_gone_and_nothing_else)
{
	put("x", "old");
	put("y", "old");
	ck_assert_int_eq(mkdir("directory", 0777), 0);
	prf_outdir_remove(dir, "x");
	prf_outdir_remove(dir, "x");
	prf_outdir_remove(dir, "directory");
	ck_assert_int_lt(access("x", F_OK), 0);
	ck_assert_int_eq(access("y", F_OK), 0);
	ck_assert_int_eq(access("directory", F_OK), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("outfile");
	TCase *tcase = tcase_create("outfile");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_file_appears_only_when_it_is_whole);
	tcase_add_test(tcase, what_was_there_stays_until_then);
	tcase_add_test(tcase, without_a_commit_nothing_is_left);
	tcase_add_test(tcase,
		       what_is_synchronized_is_whole_and_has_no_name_yet);
	tcase_add_loop_test(
		tcase, a_file_system_that_does_not_synchronize_is_put_up_with,
		0, 3);
	tcase_add_test(tcase, what_does_not_reach_the_disk_is_a_failure);
	tcase_add_test(tcase, a_device_is_not_synchronized);
	tcase_add_test(tcase, the_umask_decides_the_mode);
	tcase_add_test(tcase, a_program_that_is_run_does_not_get_it);
	tcase_add_test(tcase, two_files_can_be_written_at_once);
	tcase_add_test(tcase, to_go_elsewhere_does_not_move_the_file);
	tcase_add_test(tcase, a_full_disk_is_told_as_such);
	tcase_add_test(tcase, after_a_failed_write_the_old_file_is_still_there);
	tcase_add_test(tcase, a_directory_that_is_gone_is_told_at_the_end);
	tcase_add_test(tcase, a_link_is_written_through);
	tcase_add_test(tcase, a_fifo_without_a_reader_is_not_waited_for);
	tcase_add_loop_test(tcase, another_users_link_is_not_followed, 0, 5);
	tcase_add_test(tcase, nor_is_one_that_leads_to_a_fifo);
	tcase_add_test(tcase, nor_is_one_that_comes_in_between);
	tcase_add_test(tcase,
		       a_link_leads_where_it_says_from_its_own_directory);
	tcase_add_loop_test(
		tcase, what_has_changed_since_the_check_is_not_written, 0, 5);
	tcase_add_test(tcase,
		       a_file_that_is_another_file_or_gone_has_not_changed);
	tcase_add_test(tcase, a_directory_cannot_be_the_file);
	tcase_add_test(tcase, a_name_that_is_too_long_is_told_before);
	tcase_add_test(tcase, a_check_changes_nothing);
	tcase_add_test(tcase, a_check_does_not_wait_for_a_reader);
	tcase_add_test(tcase, a_directory_that_takes_no_files_is_told_before);
	tcase_add_test(tcase, what_is_no_directory_is_told_before);
	tcase_add_test(tcase, paths_are_told_as_the_user_knows_them);
	tcase_add_test(tcase, a_regular_file_can_be_read_and_nothing_else);
	tcase_add_test(tcase, what_is_removed_is_gone_and_nothing_else);
	suite_add_tcase(suite, tcase);
	return suite;
}
