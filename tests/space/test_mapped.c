#include "space/mapped.h"

#include "support/made.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>

static const struct elf_symbol one[] = {
	{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

static const uint64_t at = 0x7f0000001000;

static void
map(struct prf_mapped *mapped, const struct prf_mapping *mapping)
{
	ck_assert_int_eq(prf_mapped_set(mapped, made_files(), mapping, 8), 0);
}

static void
begin(struct prf_mapped *mapped)
{
	made_elf("lib", one, 1);
	*mapped = (struct prf_mapped){0};
}

START_TEST(a_file_that_is_mapped_twice_is_held_once)
{
	struct prf_mapped mapped;

	begin(&mapped);
	const struct prf_mapping first = made_mapping("lib", at);
	const struct prf_mapping second = made_mapping("lib", at + 0x10000);
	map(&mapped, &first);
	map(&mapped, &second);
	ck_assert_uint_eq(mapped.n_files, 1);
	ck_assert_uint_eq(mapped.files[0]->n_users, 1);
	ck_assert_ptr_eq(prf_space_at(&mapped.space, second.addr)->file,
			 mapped.files[0]);
	prf_mapped_clear(&mapped);
}
END_TEST

/* Ticks that were counted in it need its names. */
START_TEST(what_is_unmapped_is_held_until_all_is_cleared)
{
	struct prf_mapped mapped;

	begin(&mapped);
	struct prf_mapping mapping = made_mapping("lib", at);
	map(&mapped, &mapping);
	mapping.kind = PRF_MAPPING_NONE;
	map(&mapped, &mapping);
	ck_assert_ptr_null(prf_space_at(&mapped.space, at));
	ck_assert_uint_eq(mapped.n_files, 1);
	prf_mapped_clear(&mapped);
	ck_assert_uint_eq(mapped.n_files, 0);
}
END_TEST

START_TEST(a_mapping_of_no_bytes_changes_nothing)
{
	struct prf_mapped mapped;

	begin(&mapped);
	struct prf_mapping mapping = made_mapping("lib", at);
	map(&mapped, &mapping);
	mapping.kind = PRF_MAPPING_NONE;
	mapping.size = 0;
	map(&mapped, &mapping);
	ck_assert_ptr_nonnull(prf_space_at(&mapped.space, at));
	prf_mapped_clear(&mapped);
}
END_TEST

/* As of a damaged trace, where a space has an end. */
START_TEST(what_cannot_be_mapped_leaves_nothing_behind)
{
	struct prf_mapped mapped;

	begin(&mapped);
	struct prf_mapping mapping = made_mapping("lib", at);
	map(&mapped, &mapping);
	mapped.n_files = PRF_MAPPED_FILES_MAX;
	mapped.files = reallocarray(mapped.files, mapped.n_files,
				    sizeof(*mapped.files));
	ck_assert_ptr_nonnull(mapped.files);
	for (size_t i = 1; i < mapped.n_files; i++)
		mapped.files[i] = prf_files_hold(mapped.files[0]);
	mapping.inode++;
	ck_assert_int_eq(prf_mapped_set(&mapped, made_files(), &mapping, 8),
			 -E2BIG);
	ck_assert_ptr_null(prf_space_at(&mapped.space, at));
	prf_mapped_clear(&mapped);
}
END_TEST

START_TEST(a_copy_holds_the_files_for_itself)
{
	struct prf_mapped mapped, copy;

	begin(&mapped);
	ck_assert_int_eq(prf_mapped_copy(&copy, &mapped), 0);
	ck_assert_uint_eq(copy.n_files, 0);
	const struct prf_mapping mapping = made_mapping("lib", at);
	map(&mapped, &mapping);
	ck_assert_int_eq(prf_mapped_copy(&copy, &mapped), 0);
	ck_assert_uint_eq(mapped.files[0]->n_users, 2);
	prf_mapped_clear(&mapped);
	ck_assert_str_eq(prf_space_at(&copy.space, at)->file->name, "lib");
	prf_mapped_clear(&copy);
}
END_TEST

/* From the first mapped byte to the last, in whatever order they came. */
START_TEST(a_file_knows_how_much_of_it_was_mapped)
{
	static const uint64_t offs[] = {0x5000, 0x2000, 0x8001};
	struct prf_mapped mapped;

	begin(&mapped);
	struct prf_mapping mapping = made_mapping("lib", at);
	for (int i = 0; i < 3; i++) {
		mapping.file_off = offs[(i + _i) % 3];
		map(&mapped, &mapping);
	}
	ck_assert_uint_eq(mapped.files[0]->off_lo, 0x2000);
	ck_assert_uint_eq(mapped.files[0]->off_hi, 0x9002);
	prf_mapped_clear(&mapped);
}
END_TEST

/* As a damaged trace can have it. */
START_TEST(a_mapping_beyond_all_offsets_is_of_no_part_of_its_file)
{
	static const uint64_t offs[] = {UINT64_MAX, UINT64_MAX - 0x800,
					UINT64_MAX - 0xfff,
					UINT64_MAX - 0x1000};
	struct prf_mapped mapped;

	begin(&mapped);
	struct prf_mapping mapping = made_mapping("lib", at);
	mapping.file_off = offs[_i];
	map(&mapped, &mapping);
	ck_assert_uint_eq(mapped.files[0]->off_lo, 0);
	ck_assert_uint_eq(mapped.files[0]->off_hi, 0);
	prf_mapped_clear(&mapped);
}
END_TEST

START_TEST(a_part_of_a_mapping_leads_back_to_the_whole)
{
	static const uint8_t id[] = {1, 2, 3};
	struct prf_mapped mapped;

	begin(&mapped);
	struct prf_mapping mapping = made_mapping("lib", at), hole = mapping;
	mapping.build_id = id;
	mapping.build_id_bytes = sizeof id;
	map(&mapped, &mapping);
	hole.kind = PRF_MAPPING_NONE;
	hole.size = 0x100;
	map(&mapped, &hole);
	const struct prf_mapping told = prf_mapped_mapping(
		prf_space_at(&mapped.space, at + 0x100), 4711);
	ck_assert_int_eq(told.pid, 4711);
	ck_assert_int_eq(told.kind, PRF_MAPPING_FILE);
	ck_assert_uint_eq(told.addr, mapping.addr);
	ck_assert_uint_eq(told.size, mapping.size);
	ck_assert_uint_eq(told.file_off, mapping.file_off);
	ck_assert_uint_eq(told.dev, mapping.dev);
	ck_assert_uint_eq(told.inode, mapping.inode);
	ck_assert_str_eq(told.path, mapping.path);
	ck_assert_uint_eq(told.build_id_bytes, sizeof id);
	ck_assert_mem_eq(told.build_id, id, sizeof id);
	prf_mapped_clear(&mapped);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("mapped");
	TCase *tcase = tcase_create("mapped");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, a_file_that_is_mapped_twice_is_held_once);
	tcase_add_test(tcase, what_is_unmapped_is_held_until_all_is_cleared);
	tcase_add_test(tcase, a_mapping_of_no_bytes_changes_nothing);
	tcase_add_test(tcase, what_cannot_be_mapped_leaves_nothing_behind);
	tcase_add_test(tcase, a_copy_holds_the_files_for_itself);
	tcase_add_loop_test(tcase, a_file_knows_how_much_of_it_was_mapped, 0,
			    3);
	tcase_add_loop_test(
		tcase, a_mapping_beyond_all_offsets_is_of_no_part_of_its_file,
		0, 4);
	tcase_add_test(tcase, a_part_of_a_mapping_leads_back_to_the_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
