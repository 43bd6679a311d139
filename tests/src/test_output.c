#include "src/output/output.h"
#include "src/output/outname.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char work[] = "/tmp/prf-output-XXXXXX";
static char program[] = "/bin/sort";
static char *program_argv[] = {program, NULL};
static struct prf_output output;
static struct prf_error err;

static void
setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(work));
	ck_assert_int_eq(chdir(work), 0);
	/* The devices themselves are not ours to be replaced. */
	ck_assert_int_eq(symlink("/dev/null", "null"), 0);
	ck_assert_int_eq(symlink("/dev/full", "full"), 0);
}

static void
teardown(void)
{
	char command[64];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", work);
	ck_assert_int_eq(system(command), 0);
}

static int
open_output(const char *pattern, bool split)
{
	struct prf_options options = {
		.output = pattern,
		.output_given = pattern,
		.formats = PRF_FORMAT_GMON,
		.program = program_argv,
		.split = split,
	};

	return prf_output_open(&options, &output, &err);
}

static void
check_name(struct prf_output_owner owner, const char *expected)
{
	char *name = NULL;

	if (!owner.program)
		owner.program = "/usr/bin/cc1 (deleted)";
	ck_assert_int_eq(prf_output_name(&output, &owner, &name, &err), 0);
	ck_assert_str_eq(name, expected);
	free(name);
}

#define MAIN(n)                                                                \
	{                                                                      \
		.pid = 7, .is_main = true, .n_execs = (n)                      \
	}

START_TEST(each_process_has_its_name_and_what_was_before_an_exec_a_number)
{
	ck_assert_int_eq(open_output("gmon.%p.out", false), 0);
	check_name((struct prf_output_owner){.pid = 8}, "gmon.8.out");
	check_name((struct prf_output_owner){.pid = 9, .n_execs = 1},
		   "gmon.9.out");
	check_name((struct prf_output_owner){.pid = 10, .is_earlier = true},
		   "gmon.10.out.0");
	check_name((struct prf_output_owner){.pid = 7,
					     .n_execs = 2,
					     .is_earlier = true},
		   "gmon.7.out.2");
	check_name((struct prf_output_owner)MAIN(3), "gmon.7.out");
	/* a process id that comes again */
	check_name((struct prf_output_owner){.pid = 9, .n_execs = 1},
		   "gmon.9.out.2");
	check_name((struct prf_output_owner){.pid = 9}, "gmon.9.out.1");
	check_name((struct prf_output_owner){.pid = 9}, "gmon.9.out.3");
	prf_output_close(&output);
}
END_TEST

/* That of a run; another process that asked would get another. */
START_TEST(a_pattern_without_a_process_is_one_name)
{
	ck_assert_int_eq(open_output("gmon.out", false), 0);
	check_name((struct prf_output_owner){.is_main = true}, "gmon.out");
	check_name((struct prf_output_owner){.pid = 9}, "gmon.out.1");
	prf_output_close(&output);
}
END_TEST

START_TEST(a_pattern_can_tell_processes_and_threads_apart)
{
	ck_assert_int_eq(open_output("%n.%p", false), 0);
	check_name((struct prf_output_owner){.pid = 8}, "cc1.8");
	check_name((struct prf_output_owner)MAIN(0), "sort.7");
	check_name((struct prf_output_owner){.pid = 8, .is_earlier = true},
		   "cc1.8.0");
	prf_output_close(&output);
	ck_assert_int_eq(open_output("x.%t", false), 0);
	check_name((struct prf_output_owner){.pid = 8, .tid = 9}, "x.9");
	check_name((struct prf_output_owner){.pid = 8, .tid = 9}, "x.9.1");
	prf_output_close(&output);
}
END_TEST

/* "a1" as 2 and "a" as 12 are one name. */
START_TEST(no_two_files_of_a_run_have_one_name_whatever_the_pattern)
{
	ck_assert_int_eq(open_output("%n%p", false), 0);
	check_name((struct prf_output_owner){.pid = 2, .program = "/bin/a1"},
		   "a12");
	check_name((struct prf_output_owner){.pid = 12, .program = "/bin/a"},
		   "a12.1");
	prf_output_close(&output);
}
END_TEST

/* --- A gmon.out of something else */

static const char by_another[] = "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
static const char by_profrun[] = "gmon\1\0\0\0profrun\0\0\0\0";

static void
put(const char *name, const void *bytes, size_t n_bytes)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, n_bytes, file), n_bytes);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(a_gmon_out_of_something_else_keeps_its_name)
{
	const struct prf_output_owner run = {.is_main = true};

	put("gmon.out", by_another, 20);
	ck_assert_int_eq(open_output("gmon.out", false), 0);
	ck_assert_ptr_null(output.moved);
	ck_assert(prf_output_is_foreign(&output, "gmon.out"));
	check_name(run, "gmon.out.profrun");
	ck_assert_str_eq(output.moved, "gmon.out");
	check_name(run, "gmon.out.1");
	prf_output_close(&output);
	ck_assert_ptr_null(output.moved);
}
END_TEST

START_TEST(of_several_the_first_is_told_as_the_user_knows_it)
{
	const struct prf_output_owner eight = {.pid = 8}, nine = {.pid = 9};

	ck_assert_int_eq(mkdir("d", 0777), 0);
	put("d/x.8", by_another, 20);
	put("d/x.9", by_another, 20);
	ck_assert_int_eq(open_output("d/x.%p", false), 0);
	check_name(eight, "x.8.profrun");
	check_name(nine, "x.9.profrun");
	check_name((struct prf_output_owner){.pid = 10}, "x.10");
	ck_assert_str_eq(output.moved, "d/x.8");
	prf_output_close(&output);
}
END_TEST

/* Of profrun, no profile at all, no regular file, not there. */
START_TEST(everything_else_that_is_named_is_replaced)
{
	const struct prf_output_owner run = {.is_main = true};
	static const char *const names[] = {"ours", "text", "empty", "other",
					    "link", "fifo", "none"};

	put("ours", by_profrun, 20);
	put("text", "no profile at all, but a letter", 31);
	put("empty", "", 0);
	put("other", "gmoN\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	put("target", by_another, 20);
	ck_assert_int_eq(symlink("target", "link"), 0);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		ck_assert_int_eq(open_output(names[i], false), 0);
		ck_assert(!prf_output_is_foreign(&output, names[i]));
		check_name(run, names[i]);
		ck_assert_ptr_null(output.moved);
		prf_output_close(&output);
	}
}
END_TEST

/* What nobody has named may be anything but empty; and so a cut gmon.out, or one
 * of 4.4BSD, that was named. */
START_TEST(what_was_not_named_is_left_alone)
{
	const struct prf_output_owner run = {.is_main = true};
	static const struct {
		const char *bytes;
		size_t n;
		bool is_given, is_left;
	} files[] = {
		{"no profile at all", 17, false, true},
		{"no profile at all", 17, true, false},
		{by_another, 19, false, true},
		{by_another, 19, true, true},
		{"lowaddr,highaddrsize\x79\x18\5\0", 24, true, true},
		{by_profrun, 20, false, false},
		{"", 0, false, false},
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		put("gmon.out", files[i].bytes, files[i].n);
		ck_assert_int_eq(open_output("gmon.out", false), 0);
		if (!files[i].is_given)
			output.given = NULL;
		check_name(run,
			   files[i].is_left ? "gmon.out.profrun" : "gmon.out");
		prf_output_close(&output);
	}
}
END_TEST

/* What was no file at the beginning is meant. */
START_TEST(what_becomes_no_file_during_the_run_is_let_alone)
{
	const struct prf_output_owner run = {.is_main = true};

	ck_assert_int_eq(open_output("gmon.out", false), 0);
	if (_i)
		ck_assert_int_eq(mkfifo("gmon.out", 0600), 0);
	else
		ck_assert_int_eq(symlink("target", "gmon.out"), 0);
	check_name(run, "gmon.out.profrun");
	ck_assert_str_eq(output.moved, "gmon.out");
	prf_output_close(&output);
}
END_TEST

START_TEST(a_split_profile_is_not_in_its_way)
{
	const struct prf_output_owner run = {.is_main = true};

	put("gmon.out", by_another, 20);
	ck_assert_int_eq(open_output("gmon.out", true), 0);
	check_name(run, "gmon.out");
	ck_assert_ptr_null(output.moved);
	prf_output_close(&output);
}
END_TEST

/* --- The files */

START_TEST(a_profile_and_its_symbols_get_their_names)
{
	struct prf_outfile *gmon = NULL, *symbols = NULL;

	ck_assert_int_eq(open_output("%n.%p.out", false), 0);
	ck_assert(!output.in_place);
	ck_assert_int_eq(
		prf_output_begin(&output, "sort.7.out", &gmon, &symbols, &err),
		0);
	ck_assert_str_eq(prf_outfile_path(gmon), "sort.7.out");
	ck_assert_str_eq(prf_outfile_path(symbols), "sort.7.syms");
	prf_outfile_free(gmon);
	prf_outfile_free(symbols);
	prf_output_close(&output);
}
END_TEST

START_TEST(a_device_has_no_symbols_beside_it)
{
	struct prf_outfile *gmon = NULL, *symbols = NULL;

	ck_assert_int_eq(open_output("null", false), 0);
	ck_assert(output.in_place);
	ck_assert_int_eq(
		prf_output_begin(&output, "null", &gmon, &symbols, &err), 0);
	ck_assert_ptr_null(symbols);
	prf_outfile_free(gmon);
	prf_output_close(&output);
}
END_TEST

START_TEST(a_device_cannot_be_split)
{
	ck_assert_int_eq(open_output("null", true), -EINVAL);
	ck_assert_ptr_null(output.dir);
}
END_TEST

static int
open_formats(unsigned formats, const char *given)
{
	struct prf_options options = {
		.output = prf_formats_pattern(formats, given),
		.output_given = given,
		.formats = formats,
		.program = program_argv,
	};

	return prf_output_open(&options, &output, &err);
}

START_TEST(several_formats_have_no_room_beside_a_device)
{
	static const unsigned several[] = {
		PRF_FORMAT_GMON | PRF_FORMAT_PCSAMPLE,
		PRF_FORMAT_GMON | PRF_FORMAT_RAW,
		PRF_FORMAT_PCSAMPLE | PRF_FORMAT_RAW,
		PRF_FORMAT_GMON | PRF_FORMAT_EXPORT,
	};
	static const char *const places[] = {"null", "full", "fifo", "%n"};

	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(mkfifo("sort", 0600), 0);
	for (size_t p = 0; p < 4; p++)
		for (size_t i = 0; i < 4; i++) {
			ck_assert_int_eq(open_formats(several[i], places[p]),
					 -EINVAL);
			ck_assert_ptr_nonnull(strstr(err.text, places[p]));
			ck_assert_ptr_nonnull(strstr(err.text, "beside"));
		}
	ck_assert_int_ne(access("fifo.trace", F_OK), 0);
}
END_TEST

START_TEST(one_format_may_be_written_to_a_device)
{
	static const unsigned single[] = {PRF_FORMAT_GMON, PRF_FORMAT_PCSAMPLE,
					  PRF_FORMAT_RAW, PRF_FORMAT_EXPORT};

	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(open_formats(single[i], "null"), 0);
		prf_output_close(&output);
		ck_assert_int_eq(open_formats(single[i], "fifo"), 0);
		prf_output_close(&output);
	}
}
END_TEST

START_TEST(several_formats_stand_beside_a_file)
{
	unsigned all = PRF_FORMAT_GMON | PRF_FORMAT_PCSAMPLE | PRF_FORMAT_RAW |
		       PRF_FORMAT_EXPORT;

	ck_assert_int_eq(open_formats(all, "out"), 0);
	prf_output_close(&output);
	ck_assert_int_eq(open_formats(all, NULL), 0);
	prf_output_close(&output);
}
END_TEST

START_TEST(a_symbol_list_that_cannot_be_is_told_before)
{
	ck_assert_int_eq(mkdir("gmon.syms", 0777), 0);
	ck_assert_int_eq(open_output("gmon.out", false), -EISDIR);
	ck_assert_str_eq(err.text, "gmon.syms: Is a directory");
	ck_assert_int_eq(open_output("gmon.out", true), 0);
	prf_output_close(&output);
}
END_TEST

START_TEST(a_directory_that_is_not_there_is_told_before)
{
	ck_assert_int_eq(open_output("none/gmon.out", false), -ENOENT);
	ck_assert_str_eq(err.text, "directory none: No such file or directory");
}
END_TEST

START_TEST(the_file_of_an_object_is_in_the_same_directory)
{
	struct prf_outfile *file = NULL;

	ck_assert_int_eq(mkdir("d", 0777), 0);
	ck_assert_int_eq(open_output("d/x.%p", true), 0);
	ck_assert_int_eq(
		prf_output_begin_one(&output, "x.7.libc.so.6", &file, &err), 0);
	ck_assert_str_eq(prf_outfile_path(file), "d/x.7.libc.so.6");
	ck_assert_int_eq(prf_outfile_commit(file, &err), 0);
	ck_assert_int_eq(access("d/x.7.libc.so.6", F_OK), 0);
	prf_outfile_free(file);
	prf_output_close(&output);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("output");
	TCase *tcase = tcase_create("output");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(
		tcase,
		each_process_has_its_name_and_what_was_before_an_exec_a_number);
	tcase_add_test(tcase, a_pattern_without_a_process_is_one_name);
	tcase_add_test(tcase, a_pattern_can_tell_processes_and_threads_apart);
	tcase_add_test(
		tcase,
		no_two_files_of_a_run_have_one_name_whatever_the_pattern);
	tcase_add_test(tcase, a_gmon_out_of_something_else_keeps_its_name);
	tcase_add_test(tcase,
		       of_several_the_first_is_told_as_the_user_knows_it);
	tcase_add_test(tcase, everything_else_that_is_named_is_replaced);
	tcase_add_test(tcase, what_was_not_named_is_left_alone);
	tcase_add_loop_test(
		tcase, what_becomes_no_file_during_the_run_is_let_alone, 0, 2);
	tcase_add_test(tcase, a_split_profile_is_not_in_its_way);
	tcase_add_test(tcase, a_profile_and_its_symbols_get_their_names);
	tcase_add_test(tcase, a_device_has_no_symbols_beside_it);
	tcase_add_test(tcase, a_device_cannot_be_split);
	tcase_add_test(tcase, several_formats_have_no_room_beside_a_device);
	tcase_add_test(tcase, one_format_may_be_written_to_a_device);
	tcase_add_test(tcase, several_formats_stand_beside_a_file);
	tcase_add_test(tcase, a_symbol_list_that_cannot_be_is_told_before);
	tcase_add_test(tcase, a_directory_that_is_not_there_is_told_before);
	tcase_add_test(tcase, the_file_of_an_object_is_in_the_same_directory);
	suite_add_tcase(suite, tcase);
	return suite;
}
