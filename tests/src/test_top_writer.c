#include "src/top/top_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "support/suite.h"

/* The ends of a terminal or a pipe: where it is written, and where it is read. */
static int writes, reads;

static void
open_terminal(void)
{
	struct termios modes;

	reads = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (reads < 0 || grantpt(reads) || unlockpt(reads))
		prf_skip("no terminal");
	writes = open(ptsname(reads), O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_ge(writes, 0);
	ck_assert_int_eq(tcgetattr(writes, &modes), 0);
	cfmakeraw(&modes);
	ck_assert_int_eq(tcsetattr(writes, TCSANOW, &modes), 0);
}

static void
open_pipe(void)
{
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	reads = ends[0];
	writes = ends[1];
	fcntl(reads, F_SETFL, O_NONBLOCK);
}

static void (*const open_both[])(void) = {open_terminal, open_pipe};

/* More than either has room for. */
enum { MUCH = 1 << 20 };

/* No two places that are near each other are alike. */
static char
byte_at(size_t i)
{
	return (char)('a' + (i + i / 4096) % 23);
}

static void
write_much(int fd)
{
	char bytes[4096];

	for (size_t at = 0; at < MUCH; at += sizeof bytes) {
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = byte_at(at + i);
		ck_assert_int_eq(write(fd, bytes, sizeof bytes), sizeof bytes);
	}
}

/* Reads what there is, which is to be from byte N on; returns how much. */
static size_t
read_on(size_t n)
{
	char bytes[4096];
	ssize_t got = read(reads, bytes, sizeof bytes);

	for (ssize_t i = 0; i < got; i++)
		ck_assert_int_eq(bytes[i], byte_at(n + (size_t)i));
	return got > 0 ? (size_t)got : 0;
}

START_TEST(who_does_not_read_is_not_waited_for_and_gets_it_later)
{
	struct prf_top_writer writer;
	size_t n = 0;

	open_both[_i]();
	ck_assert_int_eq(prf_top_writer_open(&writer, writes), 0);
	prf_top_writer_begin(&writer);
	write_much(writes);
	prf_top_writer_end(&writer);
	ck_assert_int_eq(prf_top_writer_give(&writer, 0), -EAGAIN);
	ck_assert_int_eq(prf_top_writer_give(&writer, 30), -EAGAIN);
	while (prf_top_writer_give(&writer, 0))
		n += read_on(n);
	while (n < MUCH)
		n += read_on(n);
	ck_assert_uint_eq(read_on(n), 0);
	prf_top_writer_close(&writer);
}
END_TEST

START_TEST(what_is_kept_is_in_order_and_what_is_not_goes_there_at_once)
{
	struct prf_top_writer writer;
	char bytes[8] = "";

	open_both[_i]();
	ck_assert_int_eq(prf_top_writer_open(&writer, writes), 0);
	for (int i = 0; i < 2; i++) {
		prf_top_writer_begin(&writer);
		ck_assert_int_eq(write(writes, "b", 1), 1);
		prf_top_writer_end(&writer);
		ck_assert_int_eq(write(writes, "a", 1), 1);
		prf_top_writer_begin(&writer);
		ck_assert_int_eq(write(writes, "c", 1), 1);
		prf_top_writer_end(&writer);
		ck_assert_int_eq(dprintf(writer.kept, "d"), 1);
		ck_assert_int_eq(prf_top_writer_give(&writer, 0), 0);
	}
	for (size_t n = 0; n < sizeof bytes;) {
		ssize_t got = read(reads, bytes + n, sizeof bytes - n);

		n += got > 0 ? (size_t)got : 0;
	}
	ck_assert_mem_eq(bytes, "abcdabcd", sizeof bytes);
	ck_assert_int_eq(fcntl(writes, F_GETFL) & O_NONBLOCK, 0);
	ck_assert_int_eq(fcntl(writes, F_GETFD), FD_CLOEXEC);
	prf_top_writer_close(&writer);
}
END_TEST

START_TEST(what_fails_is_lost_and_told)
{
	struct prf_top_writer writer;
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(full, 0);
	ck_assert_int_eq(prf_top_writer_open(&writer, full), 0);
	dprintf(writer.kept, "x");
	ck_assert_int_eq(prf_top_writer_give(&writer, 0), -ENOSPC);
	ck_assert_int_eq(prf_top_writer_give(&writer, 0), 0);
	prf_top_writer_close(&writer);
}
END_TEST

START_TEST(a_file_is_written_where_others_write_it)
{
	char name[] = "quick.XXXXXX", bytes[4] = "";
	int fd = mkostemp(name, O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	unlink(name);
	ck_assert_int_eq(write(fd, "a", 1), 1);
	int quick = prf_top_open_quick(fd);
	ck_assert_int_ge(quick, 0);
	ck_assert_int_eq(write(quick, "b", 1), 1);
	ck_assert_int_eq(write(fd, "c", 1), 1);
	ck_assert_int_eq(pread(fd, bytes, sizeof bytes, 0), 3);
	ck_assert_str_eq(bytes, "abc");
	ck_assert_int_eq(prf_top_open_quick(-1), -EBADF);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("top_writer");
	TCase *tcase = tcase_create("top_writer");

	tcase_add_loop_test(
		tcase, who_does_not_read_is_not_waited_for_and_gets_it_later, 0,
		2);
	tcase_add_loop_test(
		tcase,
		what_is_kept_is_in_order_and_what_is_not_goes_there_at_once, 0,
		2);
	tcase_add_test(tcase, what_fails_is_lost_and_told);
	tcase_add_test(tcase, a_file_is_written_where_others_write_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
