#include "src/top/top_output.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/suite.h"

enum { N_LINES = 1 << 16, LINE_BYTES = 16 };

static int
open_unnamed(void)
{
	char name[] = "kept.XXXXXX";
	int fd = mkostemp(name, O_APPEND | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	unlink(name);
	return fd;
}

/* Lines of LINE_BYTES bytes each, with their numbers. */
static void
fill(int fd)
{
	for (int i = 0; i < N_LINES; i++)
		ck_assert_int_eq(dprintf(fd, "%0*d\n", LINE_BYTES - 1, i),
				 LINE_BYTES);
}

static off_t
taken_bytes(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_size, (off_t)N_LINES * LINE_BYTES);
	return (off_t)st.st_blocks * 512;
}

/* Of what is kept, what is shown at the end. */
static char *
shown(struct prf_top_output *output)
{
	char *text = calloc(1, 2 * PRF_TOP_OUTPUT_SHOWN_BYTES);
	int terminal = open_unnamed();

	ck_assert_ptr_nonnull(text);
	output->before[STDOUT_FILENO] = fcntl(terminal, F_DUPFD_CLOEXEC, 3);
	prf_top_output_release(output);
	ck_assert_int_gt(
		pread(terminal, text, 2 * PRF_TOP_OUTPUT_SHOWN_BYTES - 1, 0),
		0);
	close(terminal);
	return text;
}

START_TEST(only_what_is_shown_takes_room)
{
	struct prf_top_output output = {open_unnamed(), {-1, -1, -1}};
	char last[LINE_BYTES + 1];

	fill(output.kept);
	off_t before = taken_bytes(output.kept);
	prf_top_output_trim(&output);
	if (taken_bytes(output.kept) == before)
		prf_skip("this file system has no holes");
	ck_assert_int_le(taken_bytes(output.kept),
			 2 * PRF_TOP_OUTPUT_SHOWN_BYTES);
	char *text = shown(&output);
	ck_assert_int_eq(
		strncmp(text, "... (983040 bytes)\n", strlen("... (983040")),
		0);
	snprintf(last, sizeof last, "%0*d\n", LINE_BYTES - 1,
		 N_LINES - PRF_TOP_OUTPUT_SHOWN_BYTES / LINE_BYTES);
	ck_assert_ptr_nonnull(strstr(text, last));
	snprintf(last, sizeof last, "%0*d\n", LINE_BYTES - 1, N_LINES - 1);
	ck_assert_ptr_nonnull(strstr(text, last));
	free(text);
}
END_TEST

START_TEST(what_is_little_is_shown_whole)
{
	struct prf_top_output output = {open_unnamed(), {-1, -1, -1}};

	dprintf(output.kept, "said\n");
	prf_top_output_trim(&output);
	char *text = shown(&output);
	ck_assert_str_eq(text, "said\n");
	ck_assert_int_eq(output.kept, -1);
	free(text);
}
END_TEST

/* Nor is it waited for by what is written later. */
START_TEST(a_terminal_that_takes_nothing_is_not_waited_for)
{
	struct prf_top_output output = {open_unnamed(), {-1, -1, -1}};
	struct stat there, full;
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	while (write(ends[1], "x", 1) == 1)
		;
	ck_assert_int_eq(fcntl(ends[1], F_SETFL, 0), 0);
	ck_assert_int_eq(fstat(ends[1], &full), 0);
	dprintf(output.kept, "said\n");
	output.before[STDOUT_FILENO] = ends[1];
	prf_top_output_release(&output);
	ck_assert_int_eq(fstat(STDOUT_FILENO, &there), 0);
	ck_assert(there.st_ino != full.st_ino || there.st_dev != full.st_dev);
	ck_assert_int_eq(output.kept, -1);
	ck_assert_int_eq(output.before[STDOUT_FILENO], -1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("top_output");
	TCase *tcase = tcase_create("top_output");

	tcase_add_test(tcase, only_what_is_shown_takes_room);
	tcase_add_test(tcase, what_is_little_is_shown_whole);
	tcase_add_test(tcase, a_terminal_that_takes_nothing_is_not_waited_for);
	suite_add_tcase(suite, tcase);
	return suite;
}
