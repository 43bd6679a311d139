#include "space/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/made.h"
#include "support/suite.h"

static int
open_path(const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

START_TEST(a_copy_has_the_bytes_and_the_file_is_told_of)
{
	enum { N = (2 << 20) + 17 };
	char *bytes = malloc(N), *copied = calloc(1, N);
	struct stat st, own;

	for (size_t i = 0; i < N; i++)
		bytes[i] = (char)(i * 7 + i / 4096);
	elf_write(made_path("file"), bytes, N);
	const struct prf_fetch what = {.open = open_path,
				       .arg = made_path("file")};
	int fd = prf_fetch_copy(&what, &st);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(pread(fd, copied, N, 0), N);
	ck_assert_mem_eq(copied, bytes, N);
	ck_assert_int_eq(fstat(fd, &own), 0);
	ck_assert_int_eq(own.st_size, N);
	close(fd);
	ck_assert_int_eq(stat(made_path("file"), &own), 0);
	ck_assert_uint_eq(st.st_ino, own.st_ino);
	ck_assert_int_eq(st.st_size, N);
	st = (struct stat){0};
	ck_assert_int_eq(prf_fetch_stat(&what, &st), 0);
	ck_assert_uint_eq(st.st_ino, own.st_ino);
	free(bytes);
	free(copied);
}
END_TEST

/* Every other byte. */
static int
pick_half(int from, int to)
{
	char bytes[4];

	if (read(from, bytes, sizeof bytes) != sizeof bytes)
		return -EIO;
	return write(to, &bytes[1], 1) == 1 && write(to, &bytes[3], 1) == 1
		       ? 0
		       : -EIO;
}

START_TEST(what_is_picked_is_all_that_is_copied)
{
	const struct prf_fetch what = {
		.open = open_path, .arg = made_path("file"), .pick = pick_half};
	char copied[8] = {0};
	struct stat st;

	elf_write(made_path("file"), "abcd", 4);
	int fd = prf_fetch_copy(&what, &st);
	ck_assert_int_eq(pread(fd, copied, sizeof copied, 0), 2);
	ck_assert_str_eq(copied, "bd");
	close(fd);
	elf_write(made_path("file"), "ab", 2);
	ck_assert_int_eq(prf_fetch_copy(&what, &st), -EIO);
}
END_TEST

START_TEST(why_it_cannot_be_opened_is_told)
{
	const struct prf_fetch what = {.open = open_path,
				       .arg = made_path("none")};
	struct stat st;

	ck_assert_int_eq(prf_fetch_copy(&what, &st), -ENOENT);
	ck_assert_int_eq(prf_fetch_stat(&what, &st), -ENOENT);
}
END_TEST

/* To open a FIFO waits for who writes. */
START_TEST(what_never_answers_is_left_behind)
{
	const struct prf_fetch what = {.open = open_path,
				       .arg = made_path("fifo")};
	struct stat st;

	ck_assert_int_eq(mkfifo(made_path("fifo"), 0600), 0);
	ck_assert_int_eq(prf_fetch_copy(&what, &st), -ETIMEDOUT);
	ck_assert_int_eq(prf_fetch_stat(&what, &st), -ETIMEDOUT);
	int fd = open(made_path("fifo"), O_WRONLY | O_NONBLOCK);
	ck_assert_int_ge(fd, 0); /* they wait still, and now end */
	close(fd);
}
END_TEST

/* The time for all answers is over before that for one. */
START_TEST(what_is_too_slow_is_not_called_silent)
{
	const struct prf_fetch what = {
		.open = open_path, .arg = made_path("fifo"), .most_ms = 1};
	struct stat st;

	ck_assert_int_eq(mkfifo(made_path("fifo"), 0600), 0);
	ck_assert_int_eq(prf_fetch_copy(&what, &st), -ETIME);
	int fd = open(made_path("fifo"), O_WRONLY | O_NONBLOCK);
	if (fd >= 0) /* it waits already */
		close(fd);
}
END_TEST

enum { SOON_MS = 500 };

/* Continues process PID when the parent of this one has ended, and more than
 * SOON_MS have passed since. */
static void
continue_later(pid_t pid, pid_t parent)
{
	const struct timespec a_while = {.tv_nsec = SOON_MS * 1000000L};

	while (getppid() == parent)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	nanosleep(&a_while, NULL);
	nanosleep(&a_while, NULL);
	kill(pid, SIGCONT);
	_exit(0);
}

/* Stops the one that asks until the answers have been there for long. */
static int
open_while_stopped(const void *path)
{
	pid_t asking = getppid(), own = getpid();

	if (fork() == 0)
		continue_later(asking, own);
	kill(asking, SIGSTOP);
	return open_path(path);
}

START_TEST(answers_that_came_while_we_were_stopped_are_taken)
{
	const struct prf_fetch what = {.open = open_while_stopped,
				       .arg = made_path("file"),
				       .most_ms = SOON_MS};
	struct stat st;

	elf_write(made_path("file"), "bytes", 5);
	int fd = prf_fetch_copy(&what, &st);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(st.st_size, 5);
}
END_TEST

START_TEST(what_is_too_large_is_not_copied)
{
	struct stat st;

	elf_write(made_path("huge"), "", 0);
	ck_assert_int_eq(truncate(made_path("huge"), (off_t)1 << 40), 0);
	const struct prf_fetch what = {.open = open_path,
				       .arg = made_path("huge")};
	ck_assert_int_eq(prf_fetch_copy(&what, &st), -EFBIG);
	ck_assert_int_eq(prf_fetch_stat(&what, &st), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("fetch");
	TCase *tcase = tcase_create("fetch");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, a_copy_has_the_bytes_and_the_file_is_told_of);
	tcase_add_test(tcase, what_is_picked_is_all_that_is_copied);
	tcase_add_test(tcase, why_it_cannot_be_opened_is_told);
	tcase_add_test(tcase, what_never_answers_is_left_behind);
	tcase_add_test(tcase, what_is_too_slow_is_not_called_silent);
	tcase_add_test(tcase,
		       answers_that_came_while_we_were_stopped_are_taken);
	tcase_add_test(tcase, what_is_too_large_is_not_copied);
	suite_add_tcase(suite, tcase);
	return suite;
}
