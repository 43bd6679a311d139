#include "view/annotate/source_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/made.h"
#include "support/suite.h"

static struct prf_source_text text;

static void
end(void)
{
	prf_source_text_clear(&text);
	made_end();
}

static void
make(const char *name, const char *content)
{
	FILE *file = fopen(made_path(name), "w");

	ck_assert_ptr_nonnull(file);
	fputs(content, file);
	fclose(file);
}

static int
read_text(const char *root, const char *directory, const char *file)
{
	prf_source_text_clear(&text);
	return prf_source_text_read(&text, root, directory, file);
}

START_TEST(a_file_is_read_by_line)
{
	make("a.c", "one\n\nthree");
	ck_assert_int_eq(read_text(NULL, NULL, made_path("a.c")), 0);
	ck_assert_uint_eq(text.n_lines, 3);
	ck_assert_str_eq(prf_source_text_line(&text, 1), "one");
	ck_assert_str_eq(prf_source_text_line(&text, 2), "");
	ck_assert_str_eq(prf_source_text_line(&text, 3), "three");
	ck_assert_ptr_null(prf_source_text_line(&text, 0));
	ck_assert_ptr_null(prf_source_text_line(&text, 4));
}
END_TEST

START_TEST(a_newline_at_the_end_begins_no_line)
{
	make("a.c", "one\n");
	ck_assert_int_eq(read_text(NULL, NULL, made_path("a.c")), 0);
	ck_assert_uint_eq(text.n_lines, 1);
	make("empty.c", "");
	ck_assert_int_eq(read_text(NULL, NULL, made_path("empty.c")), 0);
	ck_assert_uint_eq(text.n_lines, 0);
}
END_TEST

START_TEST(a_relative_path_begins_at_its_directory)
{
	char directory[256];

	snprintf(directory, sizeof directory, "%s", made_path(""));
	make("a.c", "here\n");
	ck_assert_int_eq(read_text(NULL, directory, "a.c"), 0);
	ck_assert_str_eq(prf_source_text_line(&text, 1), "here");
	ck_assert_int_eq(read_text(NULL, "/nowhere", "a.c"), -ENOENT);
}
END_TEST

START_TEST(below_a_root_leading_directories_may_be_missing)
{
	char root[256];

	snprintf(root, sizeof root, "%s", made_path("root"));
	ck_assert_int_eq(mkdir(root, 0700), 0);
	make("root/a.c", "below the root\n");
	ck_assert_int_eq(read_text(root, "/build/of/it", "src/a.c"), 0);
	ck_assert_str_eq(prf_source_text_line(&text, 1), "below the root");
	ck_assert_int_eq(read_text(root, NULL, "/build/of/it/b.c"), -ENOENT);
}
END_TEST

static void
make_folder(const char *name)
{
	ck_assert_int_eq(mkdir(made_path(name), 0700), 0);
}

START_TEST(no_path_leads_out_of_the_root)
{
	static const char *const directories[] = {
		NULL, "/x/sub/build", "/x/root/proj/sub/../build/."};
	char root[256];

	make_folder("root");
	make_folder("root/proj");
	snprintf(root, sizeof root, "%s", made_path("root/proj"));
	make("root/a.c", "another\n");
	ck_assert_int_eq(read_text(root, directories[_i], "../a.c"), -ENOENT);
	ck_assert_int_eq(read_text(root, directories[_i], "/../../a.c"),
			 -ENOENT);
	make("root/proj/a.c", "below the root\n");
	ck_assert_int_eq(read_text(root, directories[_i], "../a.c"), 0);
	ck_assert_str_eq(prf_source_text_line(&text, 1), "below the root");
	ck_assert_ptr_null(strstr(text.path, ".."));
}
END_TEST

START_TEST(below_a_root_the_most_of_the_whole_path_is_it)
{
	char root[256];

	make_folder("root");
	make_folder("root/lib");
	snprintf(root, sizeof root, "%s", made_path("root"));
	make("root/a.c", "of another\n");
	make("root/lib/a.c", "of lib\n");
	ck_assert_int_eq(read_text(root, "/build/of/lib", "a.c"), 0);
	ck_assert_str_eq(prf_source_text_line(&text, 1), "of lib");
	ck_assert_int_eq(read_text(root, "/build/of/lib/deep", "../a.c"), 0);
	ck_assert_str_eq(prf_source_text_line(&text, 1), "of lib");
	ck_assert_int_eq(read_text(root, "/build/of/lib", "/build/a.c"), 0);
	ck_assert_str_eq(prf_source_text_line(&text, 1), "of another");
}
END_TEST

START_TEST(a_file_that_is_open_has_the_path_that_it_is_given)
{
	make("cached", "one\ntwo\n");
	int fd = open(made_path("cached"), O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 8);
	ck_assert_int_eq(prf_source_text_read_fd(&text, fd, "/build/of/a.c"),
			 0);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_str_eq(text.path, "/build/of/a.c");
	ck_assert_uint_eq(text.n_lines, 2);
	ck_assert_str_eq(prf_source_text_line(&text, 2), "two");
	/* When it was changed is nothing that a copy of it tells. */
	ck_assert_int_eq(text.mtime.tv_sec, 0);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
	ck_assert_int_lt(read_text(NULL, NULL, made_path("")), 0);
	ck_assert_ptr_null(prf_source_text_line(&text, 1));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("view/annotate/source_text");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, made_begin, end);
	tcase_add_test(tcase, a_file_is_read_by_line);
	tcase_add_test(tcase, a_newline_at_the_end_begins_no_line);
	tcase_add_test(tcase, a_relative_path_begins_at_its_directory);
	tcase_add_test(tcase, below_a_root_leading_directories_may_be_missing);
	tcase_add_loop_test(tcase, no_path_leads_out_of_the_root, 0, 3);
	tcase_add_test(tcase, below_a_root_the_most_of_the_whole_path_is_it);
	tcase_add_test(tcase,
		       a_file_that_is_open_has_the_path_that_it_is_given);
	tcase_add_test(tcase, what_is_no_file_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
