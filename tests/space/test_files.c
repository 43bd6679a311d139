#include "space/files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/made.h"

static const struct elf_symbol one[] = {
	{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_files *files;

static void
setup(void)
{
	made_begin();
	files = prf_files_new(NULL);
	ck_assert_ptr_nonnull(files);
}

static void
teardown(void)
{
	prf_files_free(files);
	made_end();
}

static struct prf_file *
take(const char *name)
{
	struct prf_mapping map = made_mapping(name, 0x7f0000001000);
	struct prf_file *file = prf_files_take(files, &map, 8);

	ck_assert_ptr_nonnull(file);
	return file;
}

static void
read_names(struct prf_file *file)
{
	struct prf_error warning;
	struct prf_mapping map = made_mapping(file->name, 0x7f0000001000);

	prf_files_read(file, &map, &warning);
	ck_assert_msg(!warning.code, "%s", warning.text);
}

START_TEST(all_who_map_a_file_have_the_same)
{
	made_elf("lib", one, 1);
	made_elf("other", one, 1);
	struct prf_file *first = take("lib"), *second = take("lib");
	struct prf_file *other = take("other");

	ck_assert_ptr_eq(first, second);
	ck_assert_ptr_ne(first, other);
	ck_assert_uint_eq(first->n_users, 2);
	ck_assert_ptr_eq(prf_files_hold(other), other);
	for (int i = 0; i < 2; i++) {
		prf_files_drop(first);
		prf_files_drop(other);
	}
	prf_files_drop(NULL);
}
END_TEST

START_TEST(files_are_numbered_as_they_come_and_no_number_comes_again)
{
	made_elf("lib", one, 1);
	made_elf("other", one, 1);
	struct prf_file *first = take("lib"), *second = take("other");

	ck_assert_uint_eq(first->index, 0);
	ck_assert_uint_eq(second->index, 1);
	prf_files_drop(first); /* was not read, and is forgotten */
	first = take("lib");
	ck_assert_uint_eq(first->index, 2);
	prf_files_drop(first);
	prf_files_drop(second);
}
END_TEST

START_TEST(files_are_opened_when_they_are_mapped_and_not_read)
{
	made_elf("lib", one, 1);
	struct prf_file *file = take("lib");

	ck_assert(!file->is_read);
	ck_assert_int_ge(file->fd, 0);
	ck_assert_int_eq(unlink(file->path), 0);
	struct prf_mapping map = {.kind = PRF_MAPPING_FILE, .path = file->path};
	struct prf_error warning;
	prf_files_read(file, &map, &warning);
	ck_assert_int_eq(warning.code, 0);
	ck_assert_ptr_nonnull(file->image);
	prf_files_drop(file);
}
END_TEST

START_TEST(what_was_read_is_not_read_again_for_the_next)
{
	made_elf("lib", one, 1);
	struct prf_file *file = take("lib");
	read_names(file);
	const struct prf_image *image = file->image;

	prf_files_drop(file);
	file = take("lib");
	ck_assert(file->is_read);
	ck_assert_ptr_eq(file->image, image);
	prf_files_drop(file);
}
END_TEST

START_TEST(what_was_not_used_and_has_changed_is_read_again)
{
	static const struct elf_symbol another = {"h",        0x1000,   0x80,
						  STB_GLOBAL, STT_FUNC, 1};

	made_elf("lib", one, 1);
	struct prf_file *file = take("lib");
	read_names(file);
	prf_files_drop(file);
	made_elf("lib", &another, 1); /* the same inode */
	file = take("lib");
	ck_assert(!file->is_read);
	read_names(file);
	ck_assert_str_eq(file->functions[0].name, "h");
	prf_files_drop(file);
}
END_TEST

START_TEST(what_is_held_and_has_been_written_again_is_another_for_the_next)
{
	static const struct elf_symbol another[] = {
		{"h", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
		{"i", 0x1040, 0x40, STB_GLOBAL, STT_FUNC, 1},
	};

	made_elf("lib", one, 1);
	struct prf_file *old = take("lib");
	read_names(old);
	ck_assert_ptr_eq(take("lib"), old);
	made_elf("lib", another, 2); /* the same inode */
	struct prf_file *file = take("lib");
	ck_assert_ptr_ne(file, old);
	read_names(file);
	ck_assert_str_eq(file->functions[0].name, "h");
	ck_assert_str_eq(old->functions[0].name, "f");
	prf_files_drop(old);
	prf_files_drop(old);
	ck_assert_ptr_eq(take("lib"), file);
	prf_files_drop(file);
	prf_files_drop(file);
}
END_TEST

START_TEST(another_name_of_what_is_held_does_not_make_it_another)
{
	made_elf("lib", one, 1);
	struct prf_file *file = take("lib");
	read_names(file);
	ck_assert_int_eq(link(made_path("lib"), made_path("more")), 0);
	ck_assert_ptr_eq(take("lib"), file);
	prf_files_drop(file);
	prf_files_drop(file);
}
END_TEST

/* As test programs that are built, run and removed, one after the other. */
START_TEST(hundreds_of_files_that_come_and_go_leave_few_open_and_few_kept)
{
	struct prf_file *all[300];
	char name[16];
	int highest = 0;

	made_elf("lib", one, 1);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "lib%d", i);
		ck_assert_int_eq(link(made_path("lib"), made_path(name)), 0);
		all[i] = take(name);
		if (all[i]->fd > highest)
			highest = all[i]->fd;
	}
	ck_assert_int_lt(highest, 200);
	for (int i = 0; i < 300; i++)
		read_names(all[i]); /* also those that were not opened */
	for (int i = 0; i < 300; i++)
		prf_files_drop(all[i]);
	struct prf_file *first = take("lib0"), *last = take("lib299");
	ck_assert(!first->is_read);
	ck_assert(last->is_read);
	prf_files_drop(first);
	prf_files_drop(last);
}
END_TEST

START_TEST(a_vdso_of_the_other_class_is_another_and_not_read)
{
	const struct prf_mapping map = {
		.kind = PRF_MAPPING_VDSO, .size = 0x2000, .path = ""};
	struct prf_file *own = prf_files_take(files, &map, sizeof(void *));
	struct prf_file *other =
		prf_files_take(files, &map, 12 - sizeof(void *));
	struct prf_error warning;

	ck_assert_ptr_ne(own, other);
	prf_files_read(other, &map, &warning);
	ck_assert_int_eq(warning.code, 0);
	ck_assert_ptr_null(other->image);
	prf_files_drop(own);
	prf_files_drop(other);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("files");
	TCase *tcase = tcase_create("files");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, all_who_map_a_file_have_the_same);
	tcase_add_test(
		tcase,
		files_are_numbered_as_they_come_and_no_number_comes_again);
	tcase_add_test(tcase,
		       files_are_opened_when_they_are_mapped_and_not_read);
	tcase_add_test(tcase, what_was_read_is_not_read_again_for_the_next);
	tcase_add_test(tcase, what_was_not_used_and_has_changed_is_read_again);
	tcase_add_test(
		tcase,
		what_is_held_and_has_been_written_again_is_another_for_the_next);
	tcase_add_test(tcase,
		       another_name_of_what_is_held_does_not_make_it_another);
	tcase_add_test(
		tcase,
		hundreds_of_files_that_come_and_go_leave_few_open_and_few_kept);
	tcase_add_test(tcase,
		       a_vdso_of_the_other_class_is_another_and_not_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
