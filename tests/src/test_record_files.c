#include "src/record_files.h"

#include "support/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char work[] = "/tmp/prf-record-XXXXXX";
static char prog[] = "/bin/sort";
static char *prog_argv[] = {prog, NULL};
static struct prf_options options;
static struct prf_output output;
static struct prf_record_files files;
static struct prf_family *family;

static void
setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(work));
	ck_assert_int_eq(chdir(work), 0);
}

static void
teardown(void)
{
	char command[64];

	family->base.ops->free(&family->base);
	prf_record_files_clear(&files);
	prf_output_close(&output);
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", work);
	ck_assert_int_eq(system(command), 0);
}

static void
begin(const char *pattern, bool split)
{
	const struct prf_exec exec = {.pid = 10,
				      .path = "/bin/sort",
				      .command = "sort -r",
				      .addr_bytes = 8};
	const struct prf_family_config config = {
		.ended = prf_record_files_write,
		.arg = &files,
	};

	options = (struct prf_options){.output = pattern,
				       .output_given = pattern,
				       .formats = PRF_FORMAT_GMON,
				       .program = prog_argv,
				       .split = split,
				       .rate_hz = 100};
	ck_assert_int_eq(prf_output_open(&options, &output, NULL), 0);
	prf_record_files_init(&files, &options, &output);
	family = prf_family_new(&config);
	ck_assert_ptr_nonnull(family);
	ck_assert_int_eq(family->base.ops->exec(&family->base, &exec), 0);
}

/* A child PID of the first process, with TICKS. */
static void
child_with(pid_t pid, uint32_t ticks)
{
	struct prf_life life = {
		.kind = PRF_LIFE_FORK, .pid = pid, .parent = 10, .name = ""};
	const struct prf_frame frame = {0x1000, PRF_FRAME_PC};
	const struct prf_sample sample = {.pid = pid,
					  .ticks = ticks,
					  .syscall = PRF_NO_SYSCALL,
					  .n_frames = 1,
					  .frames = &frame};

	ck_assert_int_eq(prf_sink_life(&family->base, &life), 0);
	ck_assert_int_eq(family->base.ops->sample(&family->base, &sample), 0);
	life.kind = PRF_LIFE_EXIT;
	ck_assert_int_eq(prf_sink_life(&family->base, &life), 0);
}

static void
busy_child(pid_t pid)
{
	child_with(pid, 1);
}

static void
finish(void)
{
	ck_assert_int_eq(family->base.ops->finish(&family->base, NULL), 0);
}

static bool
is_there(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

static char *
printed(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_record_files_print(&files, out);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static uint64_t
complaints(char **text)
{
	size_t size;
	struct prf_messages messages = {.verbosity = -1};

	messages.stream = open_memstream(text, &size);
	uint64_t n = prf_record_files_complain(&files, &messages);
	ck_assert_int_eq(fclose(messages.stream), 0);
	return n;
}

START_TEST(a_program_has_its_files_as_soon_as_it_has_ended)
{
	begin("gmon.out", false);
	busy_child(11);
	ck_assert(is_there("gmon.out.11"));
	ck_assert(is_there("gmon.out.11.syms"));
	ck_assert(!is_there("gmon.out"));
	finish();
	ck_assert(is_there("gmon.out"));
	ck_assert(is_there("gmon.syms"));
	char *text = printed();
	ck_assert_str_eq(text, "\n  gmon.out.11    # sort -r\n");
	free(text);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_does_not_lose_the_others)
{
	char *text;

	begin("gmon.out", false);
	ck_assert_int_eq(mkdir("gmon.out.12", 0777), 0);
	busy_child(11);
	busy_child(12);
	busy_child(13);
	finish();
	ck_assert(is_there("gmon.out.11"));
	ck_assert(is_there("gmon.out.13"));
	ck_assert(is_there("gmon.out"));
	ck_assert_uint_eq(complaints(&text), 1);
	ck_assert_str_eq(text, "profrun: gmon.out.12: Is a directory\n");
	free(text);
}
END_TEST

START_TEST(of_many_files_and_many_failures_the_first_are_told)
{
	enum { N = 30 };
	char name[32], *text;

	begin("gmon.out", false);
	for (pid_t pid = 100; pid < 100 + N; pid++) {
		snprintf(name, sizeof name, "gmon.out.%d", (int)pid);
		if (pid % 2)
			ck_assert_int_eq(mkdir(name, 0777), 0);
		busy_child(pid);
	}
	finish();
	text = printed();
	ck_assert_ptr_nonnull(strstr(text, "  gmon.out.100  "));
	ck_assert_ptr_nonnull(strstr(text, "  gmon.out.114  "));
	ck_assert_ptr_null(strstr(text, "  gmon.out.116  "));
	ck_assert_ptr_nonnull(strstr(text, "  and 7 more\n"));
	free(text);
	ck_assert_uint_eq(complaints(&text), N / 2);
	ck_assert_ptr_nonnull(strstr(text, "gmon.out.115: "));
	ck_assert_ptr_null(strstr(text, "gmon.out.117: "));
	ck_assert_ptr_nonnull(
		strstr(text, "profrun: 7 more files could not be written\n"));
	free(text);
}
END_TEST

START_TEST(of_many_files_those_with_the_most_ticks_are_told_in_line)
{
	char *text;

	begin("gmon.out", false);
	for (uint32_t i = 0; i < 40; i++)
		child_with(80 + (pid_t)i, i == 5 ? 1000 : i + 1);
	finish();
	text = printed();
	ck_assert_str_eq(text, "\n"
			       "  gmon.out.85     # sort -r\n"
			       "  gmon.out.113    # sort -r\n"
			       "  gmon.out.114    # sort -r\n"
			       "  gmon.out.115    # sort -r\n"
			       "  gmon.out.116    # sort -r\n"
			       "  gmon.out.117    # sort -r\n"
			       "  gmon.out.118    # sort -r\n"
			       "  gmon.out.119    # sort -r\n"
			       "  and 32 more\n");
	free(text);
}
END_TEST

START_TEST(beside_a_device_there_are_no_files)
{
	begin("/dev/null", false);
	busy_child(11);
	finish();
	ck_assert_int_ne(access("/dev/null.11", F_OK), 0);
	ck_assert_uint_eq(files.n_left_out, 1);
	char *text = printed();
	ck_assert_ptr_nonnull(strstr(text, "no file for 1 more"));
	free(text);
}
END_TEST

START_TEST(each_program_can_be_split)
{
	begin("x", true);
	busy_child(11);
	finish();
	ck_assert(is_there("x.11.unknown"));
	ck_assert(is_there("x.11.unknown.syms"));
	ck_assert(!is_there("x.11"));
	char *text = printed();
	ck_assert_str_eq(text, "\n  x.11.*    # sort -r\n");
	free(text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("record_files");
	TCase *tcase = tcase_create("record_files");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_program_has_its_files_as_soon_as_it_has_ended);
	tcase_add_test(tcase,
		       a_file_that_cannot_be_written_does_not_lose_the_others);
	tcase_add_test(tcase,
		       of_many_files_and_many_failures_the_first_are_told);
	tcase_add_test(
		tcase,
		of_many_files_those_with_the_most_ticks_are_told_in_line);
	tcase_add_test(tcase, beside_a_device_there_are_no_files);
	tcase_add_test(tcase, each_program_can_be_split);
	suite_add_tcase(suite, tcase);
	return suite;
}
