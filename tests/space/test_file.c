#include "space/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "image/buildid.h"
#include "image/vdso.h"
#include "support/suite.h"
#include "support/made.h"

static const struct elf_symbol two[] = {
	{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1040, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

START_TEST(a_file_is_called_by_the_last_part_of_its_path)
{
	static const char *const names[][2] = {
		{"/usr/lib/libc.so.6", "libc.so.6"},
		{"relative", "relative"},
		{"/ends/with/", "/ends/with/"},
		{"", ""},
	};
	const struct prf_mapping map = {
		.kind = PRF_MAPPING_FILE, .path = names[_i][0], .inode = 1};
	struct prf_file *file = prf_file_new(&map);

	ck_assert_str_eq(file->path, names[_i][0]);
	ck_assert_str_eq(file->name, names[_i][1]);
	ck_assert_int_lt(file->fd, 0);
	prf_file_free(file);
	prf_file_free(NULL);
}
END_TEST

START_TEST(the_vdso_has_a_name_and_no_path)
{
	const struct prf_mapping map = {
		.kind = PRF_MAPPING_VDSO, .path = "/not/this", .size = 0x2000};
	struct prf_file *file = prf_file_new(&map);

	ck_assert_str_eq(file->name, "[vdso]");
	ck_assert_str_eq(file->path, "");
	ck_assert_uint_eq(file->vdso_bytes, 0x2000);
	prf_file_free(file);
}
END_TEST

enum { SAME, NO_ID, OTHER_ID, SHORT_ID, ALIVE, N_VDSOS };

/* Ours, and how it was recorded; or in a process that is alive. */
START_TEST(a_vdso_has_our_names_only_if_it_is_ours)
{
	uint8_t id[PRF_BUILDID_MAX_BYTES];
	size_t size;
	struct prf_error warning;
	struct prf_mapping map = {
		.kind = PRF_MAPPING_VDSO, .addr = 0x7ffff7f00000, .path = ""};

	if (!prf_vdso(&size))
		return; /* a machine without one */
	map.size = size;
	map.build_id = id;
	map.build_id_bytes = prf_buildid_of_vdso(id);
	ck_assert_uint_gt(map.build_id_bytes, 1);
	if (_i == NO_ID || _i == ALIVE)
		map.build_id_bytes = 0;
	id[0] ^= _i == OTHER_ID;
	map.build_id_bytes -= _i == SHORT_ID;
	struct prf_file *file = prf_file_new(&map);
	if (_i != ALIVE)
		file->way.open = prf_objectfile_open_recorded;
	prf_file_read(file, &map, &warning);
	ck_assert_int_eq(warning.code, _i == SAME || _i == ALIVE ? 0 : -ENOENT);
	ck_assert_int_eq(file->image != NULL, !warning.code);
	prf_file_free(file);
}
END_TEST

START_TEST(its_functions_are_read_once_and_it_is_closed)
{
	struct prf_error warning;

	made_elf("lib", two, 2);
	struct prf_mapping map = made_mapping("lib", 0x7f0000001000);
	struct prf_file *file = prf_file_new(&map);
	prf_file_read(file, &map, &warning);
	ck_assert_msg(!warning.code, "%s", warning.text);
	ck_assert(file->is_read);
	ck_assert_int_lt(file->fd, 0);
	ck_assert_uint_eq(file->n_functions, 3);
	ck_assert_str_eq(file->functions[0].name, "f");
	ck_assert_str_eq(file->functions[1].name, "g");
	ck_assert_str_eq(file->functions[2].name, "[lib+0x1080]");
	ck_assert_uint_eq(file->lo, 0x1000);
	ck_assert_uint_eq(file->hi, 0x2000);
	ck_assert_uint_eq(file->n_pieces, 3);
	for (uint64_t vaddr = 0xffe; vaddr < 0x2002; vaddr++)
		ck_assert(prf_file_has(file, vaddr) ==
			  (prf_file_piece_at(file, vaddr) != NULL));
	const struct prf_image *image = file->image;
	prf_file_read(file, &map, &warning);
	ck_assert_ptr_eq(file->image, image);
	prf_file_free(file);
}
END_TEST

START_TEST(a_file_that_is_gone_says_so_once)
{
	struct prf_error warning;

	made_elf("lib", two, 2);
	struct prf_mapping map = made_mapping("lib", 0x7f0000001000);
	ck_assert_int_eq(unlink(map.path), 0);
	struct prf_file *file = prf_file_new(&map);
	prf_file_read(file, &map, &warning);
	ck_assert_int_eq(warning.code, -ENOENT);
	ck_assert_ptr_nonnull(strstr(warning.text, map.path));
	ck_assert_ptr_null(file->image);
	prf_file_read(file, &map, &warning);
	ck_assert_int_eq(warning.code, 0);
	prf_file_free(file);
}
END_TEST

START_TEST(what_was_opened_is_read_even_if_it_is_gone)
{
	struct prf_error warning;

	made_elf("lib", two, 2);
	struct prf_mapping map = made_mapping("lib", 0x7f0000001000);
	struct prf_file *file = prf_file_new(&map);
	prf_file_open(file, &map);
	ck_assert_int_eq(unlink(map.path), 0);
	prf_file_read(file, &map, &warning);
	ck_assert_int_eq(warning.code, 0);
	ck_assert_ptr_nonnull(file->image);
	prf_file_free(file);
}
END_TEST

/* Its inode's number can be another file's afterwards. */
START_TEST(a_file_that_was_written_again_is_another)
{
	made_elf("lib", two, 2);
	struct prf_mapping map = made_mapping("lib", 0x7f0000001000);
	struct prf_file *file = prf_file_new(&map);
	prf_file_open(file, &map);
	ck_assert(prf_file_is_same(file, &map));
	made_elf("lib", two, 1);
	struct prf_mapping again = made_mapping("lib", 0x7f0000001000);
	map.inode = again.inode;
	ck_assert(!prf_file_is_same(file, &map));
	ck_assert_int_eq(unlink(map.path), 0);
	ck_assert(!prf_file_is_same(file, &map));
	prf_file_free(file);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("file");
	TCase *tcase = tcase_create("file");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_loop_test(
		tcase, a_file_is_called_by_the_last_part_of_its_path, 0, 4);
	tcase_add_test(tcase, the_vdso_has_a_name_and_no_path);
	tcase_add_loop_test(tcase, a_vdso_has_our_names_only_if_it_is_ours, 0,
			    N_VDSOS);
	tcase_add_test(tcase, its_functions_are_read_once_and_it_is_closed);
	tcase_add_test(tcase, a_file_that_is_gone_says_so_once);
	tcase_add_test(tcase, what_was_opened_is_read_even_if_it_is_gone);
	tcase_add_test(tcase, a_file_that_was_written_again_is_another);
	suite_add_tcase(suite, tcase);
	return suite;
}
