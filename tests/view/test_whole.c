#include "view/whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "core/gmon.h"
#include "support/suite.h"
#include "view/made.h"

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

static const uint64_t prog = 0x555555555000, jit = 0x7f0001000000;
static const char *const files[] = {"prog", "liba", "libb", "libc"};

enum { N_FILES = sizeof files / sizeof *files };

static uint64_t
addr_of(int file)
{
	return file == 0 ? prog : 0x7f0000001000 + (uint64_t)file * 0x10000;
}

/* A profile with ticks everywhere; the events come in another order for each
 * TURN, and ticks fall elsewhere in the objects. */
static struct prf_profile *
busy(int turn)
{
	const struct prf_profile_config config = {.kernel_apart = true};
	struct prf_profile *profile = made_profile(&config);

	made_exec(profile, "prog");
	made_map_kind(profile, PRF_MAPPING_ANON, jit, 0x1000);
	for (int i = 0; i < N_FILES; i++) {
		int file = (i * 3 + turn) % N_FILES;

		made_map(profile, files[file], addr_of(file));
		made_ticks(profile, addr_of(file) + (turn * 0x600) % 0x1000, 1);
		made_call(profile, 0x10, turn % 2 ? SYS_read : SYS_futex, 2);
		made_ticks(profile, jit + (uint64_t)turn * 0x100, 4);
		made_ticks(profile, 0x10 + (uint64_t)turn, 8);
	}
	made_finish(profile);
	return profile;
}

static void
make_files(void)
{
	made_begin();
	for (int i = 0; i < N_FILES; i++)
		made_elf(files[i], fg, 2);
}

static struct prf_whole *
whole_of(const struct prf_profile *profile)
{
	struct prf_whole *whole = NULL;
	struct prf_error err = {0};

	ck_assert_msg(!prf_whole_new(profile, &whole, &err), "%s", err.text);
	return whole;
}

static const struct prf_laid *
laid_of(const struct prf_whole *whole, const char *name)
{
	for (size_t i = 0; i < whole->n; i++)
		if (strcmp(whole->laid[i].object->name, name) == 0)
			return &whole->laid[i];
	return NULL;
}

START_TEST(the_program_keeps_its_own_addresses)
{
	struct prf_profile *profile = busy(0);
	struct prf_whole *whole = whole_of(profile);

	ck_assert_ptr_eq(whole->laid[0].object, profile->program);
	ck_assert_ptr_eq(whole->image, profile->program);
	ck_assert_uint_eq(whole->addr_bytes, 8);
	ck_assert_uint_eq(whole->laid[0].shift, 0);
	ck_assert_uint_eq(whole->laid[0].lo, 0x1000);
	ck_assert_uint_eq(whole->laid[0].hi, 0x2000);
	prf_whole_free(whole);
	made_free(profile);
}
END_TEST

START_TEST(the_others_are_above_it_and_share_no_block)
{
	const uint64_t block = PRF_GMON_BLOCK_BYTES;
	struct prf_profile *profile = busy(0);
	struct prf_whole *whole = whole_of(profile);

	ck_assert_uint_eq(whole->n, N_FILES + 3);
	for (size_t i = 1; i < whole->n; i++) {
		const struct prf_laid *laid = &whole->laid[i];

		ck_assert_uint_eq(laid->shift % block, 0);
		ck_assert_uint_eq(laid->lo / block * block % (1 << 20), 0);
		ck_assert_uint_gt(laid->lo / block, (laid[-1].hi - 1) / block);
		ck_assert_uint_eq(laid->lo, laid->object->lo + laid->shift);
		ck_assert_uint_eq(laid->hi, laid->object->hi + laid->shift);
	}
	ck_assert_uint_eq(whole->end, whole->laid[whole->n - 1].hi);
	prf_whole_free(whole);
	made_free(profile);
}
END_TEST

START_TEST(they_come_by_kind_and_path)
{
	static const char *const names[] = {"prog",     "liba",  "libb",
					    "libc",     "[jit]", "[kernel]",
					    "[unknown]"};
	struct prf_profile *profile = busy(_i);
	struct prf_whole *whole = whole_of(profile);

	for (size_t i = 0; i < whole->n; i++)
		ck_assert_str_eq(whole->laid[i].object->name, names[i]);
	prf_whole_free(whole);
	made_free(profile);
}
END_TEST

START_TEST(neither_order_nor_where_ticks_fell_moves_anything)
{
	struct prf_profile *profile = busy(0), *other = busy(_i);
	struct prf_whole *whole = whole_of(profile),
			 *other_whole = whole_of(other);

	ck_assert_uint_eq(whole->n, other_whole->n);
	for (size_t i = 0; i < whole->n; i++) {
		ck_assert_str_eq(whole->laid[i].object->name,
				 other_whole->laid[i].object->name);
		ck_assert_uint_eq(whole->laid[i].lo, other_whole->laid[i].lo);
		ck_assert_uint_eq(whole->laid[i].hi, other_whole->laid[i].hi);
		ck_assert_uint_eq(whole->laid[i].shift,
				  other_whole->laid[i].shift);
	}
	prf_whole_free(whole);
	prf_whole_free(other_whole);
	made_free(profile);
	made_free(other);
}
END_TEST

START_TEST(what_has_no_ticks_has_no_place_but_the_program)
{
	struct prf_profile *profile = made_profile(NULL);

	made_exec(profile, "prog");
	for (int i = 0; i < N_FILES; i++)
		made_map(profile, files[i], addr_of(i));
	made_ticks(profile, addr_of(2), 1);
	made_finish(profile);
	struct prf_whole *whole = whole_of(profile);
	ck_assert_uint_eq(whole->n, 2);
	ck_assert_ptr_nonnull(laid_of(whole, "prog"));
	ck_assert_ptr_nonnull(laid_of(whole, files[2]));
	prf_whole_free(whole);
	made_free(profile);
}
END_TEST

START_TEST(without_a_program_there_is_a_whole_all_the_same)
{
	struct prf_profile *profile = made_profile(NULL);

	made_map(profile, files[1], addr_of(1));
	made_ticks(profile, addr_of(1), _i);
	made_finish(profile);
	struct prf_whole *whole = whole_of(profile);
	ck_assert_ptr_null(whole->image);
	ck_assert_uint_eq(whole->addr_bytes, 8);
	ck_assert_uint_eq(whole->n, _i);
	prf_whole_free(whole);
	made_free(profile);
}
END_TEST

START_TEST(an_object_alone_is_at_its_own_addresses)
{
	struct prf_profile *profile = busy(0);

	for (size_t i = 0; i < profile->n_objects; i++) {
		const struct prf_object *object = profile->objects[i];
		struct prf_whole *whole = NULL;

		ck_assert_int_eq(prf_whole_new_single(object, 8, &whole, NULL),
				 0);
		ck_assert_uint_eq(whole->n, 1);
		ck_assert_uint_eq(whole->laid[0].shift, 0);
		ck_assert_uint_eq(whole->laid[0].lo, object->lo);
		ck_assert_uint_eq(whole->end, object->hi);
		prf_whole_free(whole);
	}
	made_free(profile);
	prf_whole_free(NULL);
}
END_TEST

/* A 32-bit program, and a file of BYTES mapped over it that has no names. */
static struct prf_profile *
small_with(uint64_t bytes)
{
	struct prf_profile *profile = made_profile(NULL);

	made_elf_kind("small", &elf_kinds[2], fg, 2);
	elf_write(made_path("blob"), "blob", 4);
	struct prf_mapping map = made_mapping("small", 0x1000);
	const struct prf_exec exec = {.pid = 1,
				      .command = "",
				      .path = map.path,
				      .inode = map.inode,
				      .addr_bytes = 4};
	made_exec_as(profile, &exec);
	made_map(profile, "small", 0x1000);
	map = made_mapping("blob", 0x10000000);
	map.size = bytes;
	made_map_as(profile, &map);
	made_ticks(profile, 0x10000000, 1);
	made_finish(profile);
	return profile;
}

START_TEST(what_fits_the_pointers_of_the_program_is_laid)
{
	struct prf_profile *profile = small_with(0x7fd00000);
	struct prf_whole *whole = whole_of(profile);

	ck_assert_uint_eq(whole->addr_bytes, 4);
	ck_assert_uint_le(whole->end, UINT32_MAX);
	prf_whole_free(whole);
	made_free(profile);
}
END_TEST

START_TEST(what_does_not_fit_them_is_refused_with_the_way_out)
{
	static const uint64_t sizes[] = {0x7ff00001, 0x80000000,
					 UINT64_MAX - 0x10000000};
	struct prf_profile *profile = small_with(sizes[_i]);
	struct prf_whole *whole = NULL;
	struct prf_error err = {0};

	ck_assert_int_eq(prf_whole_new(profile, &whole, &err), -EOVERFLOW);
	ck_assert_ptr_null(whole);
	ck_assert_ptr_nonnull(strstr(err.text, "blob"));
	ck_assert_ptr_nonnull(strstr(err.text, "--split"));
	made_free(profile);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("whole");
	TCase *tcase = tcase_create("whole");

	tcase_add_checked_fixture(tcase, make_files, made_end);
	tcase_add_test(tcase, the_program_keeps_its_own_addresses);
	tcase_add_test(tcase, the_others_are_above_it_and_share_no_block);
	tcase_add_loop_test(tcase, they_come_by_kind_and_path, 0, 4);
	tcase_add_loop_test(
		tcase, neither_order_nor_where_ticks_fell_moves_anything, 1, 4);
	tcase_add_test(tcase, what_has_no_ticks_has_no_place_but_the_program);
	tcase_add_loop_test(
		tcase, without_a_program_there_is_a_whole_all_the_same, 0, 2);
	tcase_add_test(tcase, an_object_alone_is_at_its_own_addresses);
	tcase_add_test(tcase, what_fits_the_pointers_of_the_program_is_laid);
	tcase_add_loop_test(tcase,
			    what_does_not_fit_them_is_refused_with_the_way_out,
			    0, 3);
	suite_add_tcase(suite, tcase);
	return suite;
}
