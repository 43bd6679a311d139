#include "profile/binary.h"

#include <errno.h>
#include <stdlib.h>

#include "profile/counted_binary.h"
#include "space/files.h"

/* --- A new one */

START_TEST(what_is_no_file_has_a_name_and_no_path)
{
	static const char *const names[PRF_N_BINARY_KINDS] = {
		[PRF_BINARY_VDSO] = "[vdso]",
		[PRF_BINARY_JIT] = "[jit]",
		[PRF_BINARY_KERNEL] = "[kernel]",
		[PRF_BINARY_UNKNOWN] = "[unknown]",
	};
	struct prf_binary *binary =
		prf_binary_new((enum prf_binary_kind)_i, "/not/this");

	ck_assert_str_eq(binary->name, names[_i]);
	ck_assert_str_eq(binary->path, "");
	ck_assert_int_eq(prf_binary_kind_of(names[_i]), _i);
	binary_check_points(binary, "");
	ck_assert_uint_eq(binary->total.ticks, 0);
	prf_binary_free(binary);
	prf_binary_free(NULL);
}
END_TEST

START_TEST(a_file_is_called_by_the_last_part_of_its_path)
{
	static const char *const names[][2] = {
		{"/usr/lib/libc.so.6", "libc.so.6"},
		{"relative", "relative"},
		{"/ends/with/", "/ends/with/"},
		{"", ""},
	};
	struct prf_binary *binary =
		prf_binary_new(PRF_BINARY_FILE, names[_i][0]);

	ck_assert_str_eq(binary->path, names[_i][0]);
	ck_assert_str_eq(binary->name, names[_i][1]);
	ck_assert_int_eq(binary->form, PRF_BINARY_BY_ADDRESS);
	ck_assert_int_eq(prf_binary_kind_of(binary->name), PRF_BINARY_FILE);
	prf_binary_free(binary);
}
END_TEST

START_TEST(the_name_of_no_kind_is_a_files)
{
	static const char *const names[] = {"[file]", "[kernel] ", "kernel",
					    ""};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_int_eq(prf_binary_kind_of(names[i]), PRF_BINARY_FILE);
}
END_TEST

/* --- Counting */

START_TEST(a_file_with_text_is_counted_at_its_vaddrs)
{
	struct prf_binary *binary = binary_of_fg();

	ck_assert_int_eq(binary->form, PRF_BINARY_BY_TEXT);
	ck_assert_uint_eq(binary->lo, 0x1000);
	ck_assert_uint_eq(binary->hi, 0x2000);
	ck_assert(!binary->is_offsets);
	binary_add(binary, 0x1041, 3);
	for (uint32_t ticks = 1; ticks < 4; ticks++) {
		ck_assert_int_eq(prf_binary_count(binary, 0xfff, ticks, 0),
				 -ERANGE);
		ck_assert_int_eq(prf_binary_count(binary, 0x2000, ticks, 0),
				 -ERANGE);
	}
	ck_assert_uint_eq(binary->total.ticks, 3);
	ck_assert_double_eq(binary->total.squares, 9);
	ck_assert_uint_eq(binary_sum_of_tally(&binary->lumps).ticks, 3);
	binary_check_points(binary, "1040=3 ");
	prf_binary_free(binary);
}
END_TEST

START_TEST(a_file_has_what_is_in_its_text)
{
	static const uint64_t inside[] = {0x1000, 0x1041, 0x1fff};
	static const uint64_t outside[] = {0, 0xfff, 0x2000, UINT64_MAX};
	struct prf_binary *binary = binary_of_fg();

	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
		ck_assert(prf_binary_has(binary, inside[i]));
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
		ck_assert(!prf_binary_has(binary, outside[i]));
	ck_assert_uint_eq(binary->total.ticks, 0);
	prf_binary_free(binary);
}
END_TEST

/* Ticks that are certain count as a sample each, and are no lump. */
START_TEST(only_likely_ticks_that_come_together_are_a_lump)
{
	static const struct {
		uint32_t ticks, certain;
		double squares;
		uint64_t lump;
	} cases[] = {
		{1, 0, 1, 0}, {2, 1, 2, 0},  {7, 7, 7, 0},
		{2, 0, 4, 2}, {9, 6, 15, 9},
	};
	struct prf_binary *binary = binary_of_fg();

	ck_assert_int_eq(prf_binary_count(binary, 0x1000, cases[_i].ticks,
					  cases[_i].certain),
			 0);
	ck_assert_uint_eq(binary->total.ticks, cases[_i].ticks);
	ck_assert_double_eq(binary->total.squares, cases[_i].squares);
	ck_assert_uint_eq(binary_sum_of_tally(&binary->lumps).ticks,
			  cases[_i].lump);
	prf_binary_free(binary);
}
END_TEST

START_TEST(a_file_that_is_not_elf_is_counted_at_its_offsets)
{
	elf_write(made_path("blob"), "no ELF at all", 13);
	struct prf_binary *binary = binary_of("blob");

	ck_assert_int_eq(binary->form, PRF_BINARY_BY_ADDRESS);
	ck_assert(binary->is_offsets);
	binary_check_symbols(binary, "0=[blob] ");
	binary_add(binary, 0, 1);
	binary_add(binary, 0x1001, 2);
	binary_add(binary, 0x1000, 4);
	binary_add(binary, UINT64_MAX, 8);
	binary_check_points(binary, "0=1 1000=6 fffffffffffffffe=8 ");
	ck_assert_double_eq(binary->total.squares, 1 + 4 + 16 + 64);
	prf_binary_free(binary);
}
END_TEST

START_TEST(a_file_of_elf_without_text_is_counted_at_its_offsets)
{
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	size_t size;

	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R,
						  .p_filesz = 64,
						  .p_memsz = 64});
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	elf_write(made_path("data"), bytes, size);
	free(bytes);
	struct prf_binary *binary = binary_of("data");
	ck_assert(binary->is_offsets);
	binary_add(binary, 0x1000, 1);
	binary_check_points(binary, "1000=1 ");
	prf_binary_free(binary);
}
END_TEST

START_TEST(what_has_no_names_is_as_large_as_what_was_mapped)
{
	elf_write(made_path("blob"), "blob", 4);
	struct prf_file *file = made_file("blob");

	file->off_lo = 0x5000;
	file->off_hi = 0x6000;
	struct prf_binary *binary = prf_binary_new_file(file);
	ck_assert_uint_eq(binary->lo, 0x5000);
	ck_assert_uint_eq(binary->hi, 0x6000);
	file->off_lo = 0x2000; /* more of it is mapped */
	file->off_hi = 0x9000;
	binary_add(binary, 0x2000, 1);
	ck_assert_uint_eq(binary->lo, 0x2000);
	ck_assert_uint_eq(binary->hi, 0x9000);
	binary_add(binary, 0xb001, 1); /* in another file of that path */
	ck_assert_uint_eq(binary->hi, 0xb002);
	ck_assert(prf_binary_has(binary, 0x1000));
	ck_assert_uint_eq(binary->lo, 0x1000);
	ck_assert_uint_eq(binary->hi, 0xb002);
	prf_binary_free(binary);
	prf_files_drop(file);
}
END_TEST

START_TEST(a_vdso_that_cannot_be_read_is_one_function)
{
	const struct prf_mapping map = {
		.kind = PRF_MAPPING_VDSO, .size = 0x40000000, .path = ""};
	struct prf_file *file =
		prf_files_take(made_files(), &map, sizeof(void *));
	struct prf_error warning;

	prf_files_read(file, &map, &warning);
	struct prf_binary *binary = prf_binary_new_file(file);
	prf_files_drop(file);
	ck_assert_int_eq(binary->kind, PRF_BINARY_VDSO);
	binary_check_symbols(binary, "0=[vdso] ");
	binary_add(binary, 0x800, 2);
	binary_check_points(binary, "800=2 ");
	prf_binary_free(binary);
}
END_TEST

START_TEST(jit_code_is_counted_by_address_until_it_has_names)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_JIT, "");

	binary->pid = 4711;
	binary_add(binary, UINT64_MAX, 3);
	binary_add(binary, 0x7f0000001001, 1);
	ck_assert_int_eq(binary->form, PRF_BINARY_BY_NAME);
	ck_assert_uint_eq(binary->addrs.n_entries, 2);
	ck_assert_uint_eq(binary->total.ticks, 4);
	ck_assert_double_eq(binary->total.squares, 10);
	binary_check_points(binary, "");
	prf_binary_free(binary);
}
END_TEST

START_TEST(system_calls_are_counted_by_their_names)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_KERNEL, "");

	binary_add_name(binary, "read", 3);
	binary_add_name(binary, "write", 1);
	binary_add_name(binary, "read", 2);
	ck_assert_uint_eq(binary->names.n, 2);
	ck_assert_uint_eq(binary->names.all[0].count.ticks, 5);
	ck_assert_uint_eq(binary->total.ticks, 6);
	ck_assert_double_eq(binary->total.squares, 14);
	prf_binary_free(binary);
}
END_TEST

/* --- Going through it */

/* With its text, or (1) detached. */
START_TEST(counters_ascend_from_text_to_text)
{
	struct prf_binary *binary = binary_of_fg();

	binary_check_points(binary, "");
	binary_add(binary, 0x1ffe, 5);
	binary_add(binary, 0x1040, 3);
	binary_add(binary, 0x103f, 2);
	binary_add(binary, 0x1000, 1);
	binary_add(binary, 0x1041, 4);
	if (_i)
		ck_assert_int_eq(prf_binary_detach(binary), 0);
	binary_check_points(binary, "1000=1 103e=2 1040=7 1ffe=5 ");
	prf_binary_free(binary);
}
END_TEST

static int
stop_at_second(void *arg, const struct prf_tick_range *range)
{
	unsigned *n = arg;

	ck_assert_uint_gt(range->n, 0);
	return ++*n == 2 ? -EPIPE : 0;
}

START_TEST(who_goes_through_it_can_stop)
{
	struct prf_binary *binary = binary_of_fg();
	unsigned n = 0;

	if (_i)
		ck_assert_int_eq(prf_binary_detach(binary), 0);
	binary_add(binary, 0x1000, 1);
	binary_add(binary, 0x1400, 1);
	binary_add(binary, 0x1800, 1);
	binary_add(binary, 0x1040, 1);
	ck_assert_int_eq(prf_binary_walk(binary, stop_at_second, &n), -EPIPE);
	ck_assert_uint_eq(n, 2);
	prf_binary_free(binary);
}
END_TEST

/* --- Detaching it */

START_TEST(what_is_detached_has_all_it_had_but_its_file)
{
	static const struct elf_symbol nested[] = {
		{"outer", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"inner", 0x1040, 0x20, STB_GLOBAL, STT_FUNC, 1},
	};

	made_elf("lib", nested, 2);
	struct prf_binary *binary = binary_of("lib");
	struct prf_file *file = prf_files_hold(binary->file);
	binary_add(binary, 0x1001, 1);
	binary_add(binary, 0x1062, 3);
	binary_add(binary, 0x1064, 4);
	binary_add(binary, 0x1050, 9);
	for (int i = 0; i < 2; i++) { /* the second time changes nothing */
		ck_assert_int_eq(prf_binary_detach(binary), 0);
		ck_assert_int_eq(binary->form, PRF_BINARY_BY_ADDRESS);
		ck_assert_uint_eq(file->n_users, 1);
		ck_assert_ptr_null(binary->file);
		binary_check_points(binary, "1000=1 1050=9 1062=3 1064=4 ");
		binary_check_symbols(binary, "1000=outer 1040=inner 1060=outer "
					     "1100=[lib+0x1100] ");
		ck_assert_uint_eq(binary->total.ticks, 17);
		ck_assert_double_eq(binary->total.squares, 1 + 9 + 16 + 81);
		ck_assert_uint_eq(binary_sum_of_tally(&binary->lumps).ticks,
				  16);
		ck_assert_double_eq(binary_sum_of_tally(&binary->lumps).squares,
				    106);
		ck_assert_uint_eq(binary->lumps.n_entries, 2); /* by piece */
		ck_assert_uint_eq(binary->hi, 0x2000);
	}
	prf_files_drop(file);
	binary_add(binary, 0x1050, 1); /* it goes on */
	binary_check_points(binary, "1000=1 1050=10 1062=3 1064=4 ");
	prf_binary_free(binary);
}
END_TEST

START_TEST(what_counts_by_address_keeps_its_extent_without_its_file)
{
	elf_write(made_path("blob"), "blob", 4);
	struct prf_file *file = made_file("blob");
	file->off_hi = 0x6000;
	struct prf_binary *binary = prf_binary_new_file(file);
	prf_files_drop(file);
	ck_assert_int_eq(prf_binary_detach(binary), 0);
	ck_assert_ptr_null(binary->file);
	binary_add(binary, 0x1000, 1);
	ck_assert_uint_eq(binary->hi, 0x6000);
	binary_check_symbols(binary, "0=[blob] ");
	prf_binary_free(binary);
}
END_TEST

/* --- More than a counter holds */

START_TEST(ticks_that_no_counter_holds_are_known_as_such)
{
	const uint64_t most = UINT32_MAX;
	struct prf_binary *binary = binary_of_fg(), *other = binary_of("lib");

	binary_add(binary, 0x1000, UINT32_MAX);
	ck_assert_uint_eq(prf_binary_saturated(binary), 0);
	binary_add(binary, 0x1000, 5);
	binary_check_points(binary, "1000=4294967295 ");
	ck_assert_uint_eq(prf_binary_saturated(binary), 5);
	ck_assert_int_eq(prf_binary_merge(other, binary), 0);
	ck_assert_uint_eq(other->total.ticks, most + 5);
	ck_assert_uint_eq(prf_binary_saturated(other), 5);
	ck_assert_int_eq(prf_binary_merge(other, binary), 0);
	ck_assert_uint_eq(other->total.ticks, 2 * most + 10);
	ck_assert_uint_eq(prf_binary_saturated(other), most + 10);
	ck_assert_int_eq(prf_binary_detach(other), 0);
	ck_assert_uint_eq(prf_binary_saturated(other), most + 10);
	/* What counts by address has 64 bits. */
	ck_assert_int_eq(prf_binary_merge(other, binary), 0);
	binary_check_points(other, "1000=8589934590 ");
	ck_assert_uint_eq(prf_binary_saturated(other), most + 15);
	ck_assert_uint_eq(other->total.ticks, 3 * most + 15);
	prf_binary_free(binary);
	prf_binary_free(other);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("binary");
	TCase *tcase = tcase_create("binary");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_loop_test(tcase, what_is_no_file_has_a_name_and_no_path,
			    PRF_BINARY_VDSO, PRF_N_BINARY_KINDS);
	tcase_add_loop_test(
		tcase, a_file_is_called_by_the_last_part_of_its_path, 0, 4);
	tcase_add_test(tcase, the_name_of_no_kind_is_a_files);
	tcase_add_test(tcase, a_file_with_text_is_counted_at_its_vaddrs);
	tcase_add_test(tcase, a_file_has_what_is_in_its_text);
	tcase_add_loop_test(
		tcase, only_likely_ticks_that_come_together_are_a_lump, 0, 5);
	tcase_add_test(tcase, a_file_that_is_not_elf_is_counted_at_its_offsets);
	tcase_add_test(tcase,
		       a_file_of_elf_without_text_is_counted_at_its_offsets);
	tcase_add_test(tcase, what_has_no_names_is_as_large_as_what_was_mapped);
	tcase_add_test(tcase, a_vdso_that_cannot_be_read_is_one_function);
	tcase_add_test(tcase,
		       jit_code_is_counted_by_address_until_it_has_names);
	tcase_add_test(tcase, system_calls_are_counted_by_their_names);
	tcase_add_loop_test(tcase, counters_ascend_from_text_to_text, 0, 2);
	tcase_add_loop_test(tcase, who_goes_through_it_can_stop, 0, 2);
	tcase_add_test(tcase, what_is_detached_has_all_it_had_but_its_file);
	tcase_add_test(
		tcase,
		what_counts_by_address_keeps_its_extent_without_its_file);
	tcase_add_test(tcase, ticks_that_no_counter_holds_are_known_as_such);
	suite_add_tcase(suite, tcase);
	return suite;
}
