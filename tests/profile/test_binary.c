#include "profile/binary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "space/files.h"
#include "support/made.h"
#include "support/suite.h"

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1040, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

/* Text as that of made_elf(), and a build-id of one byte. */
static void
make_with_id(const char *name, char id)
{
	char note[20] = {4, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U'};
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	size_t size;

	note[16] = id;
	elf_builder_section(builder, &(struct elf_section){
					     .name = ".text",
					     .flags = SHF_ALLOC | SHF_EXECINSTR,
					     .vaddr = MADE_TEXT,
					     .size = 0x1000});
	elf_builder_section(builder,
			    &(struct elf_section){.name = ".note.gnu.build-id",
						  .type = SHT_NOTE,
						  .flags = SHF_ALLOC,
						  .bytes = note,
						  .size = sizeof note});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R | PF_X,
						  .p_offset = MADE_TEXT,
						  .p_vaddr = MADE_TEXT,
						  .p_filesz = 0x1000,
						  .p_memsz = 0x1000});
	elf_builder_symbols(builder, SHT_SYMTAB, 0, fg, 2);
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	elf_write(made_path(name), bytes, size);
	free(bytes);
}

static struct prf_binary *
binary_of(const char *name)
{
	struct prf_file *file = made_file(name);
	struct prf_binary *binary = prf_binary_new_file(file);

	ck_assert_ptr_nonnull(binary);
	prf_files_drop(file);
	return binary;
}

static struct prf_binary *
binary_of_fg(void)
{
	made_elf("lib", fg, 2);
	return binary_of("lib");
}

static void
add(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks)
{
	ck_assert_int_eq(prf_binary_count(binary, vaddr, ticks, 0), 0);
}

static void
add_name(struct prf_binary *binary, const char *name, uint32_t ticks)
{
	struct prf_count count = {0};

	prf_count_add(&count, ticks, 0);
	ck_assert_int_eq(prf_binary_count_name(binary, name, &count), 0);
}

/* --- What it has */

struct points {
	char text[1024]; /* "vaddr=ticks " for each counter with ticks */
	uint64_t end, ticks;
};

static int
put_points(void *arg, const struct prf_tick_range *range)
{
	struct points *points = arg;

	ck_assert_uint_ge(range->vaddr, points->end);
	points->end = range->vaddr + range->n * PRF_HIST_BIN_BYTES;
	for (size_t i = 0; i < range->n; i++) {
		size_t used = strlen(points->text);
		uint64_t ticks = prf_tick_range_at(range, i);

		points->ticks += ticks;
		if (ticks)
			snprintf(points->text + used,
				 sizeof points->text - used, "%llx=%llu ",
				 (unsigned long long)(range->vaddr + 2 * i),
				 (unsigned long long)ticks);
	}
	return 0;
}

static struct points
points_of(const struct prf_binary *binary)
{
	struct points points = {0};

	ck_assert_int_eq(prf_binary_walk(binary, put_points, &points), 0);
	return points;
}

static void
check_points(const struct prf_binary *binary, const char *text)
{
	ck_assert_str_eq(points_of(binary).text, text);
}

/* Each symbol of a list: "vaddr=name ". */
static void
check_symbols(const struct prf_binary *binary, const char *text)
{
	char found[256] = "";

	for (size_t i = 0; i < binary->symbols.n; i++)
		snprintf(found + strlen(found), sizeof found - strlen(found),
			 "%llx=%s ",
			 (unsigned long long)binary->symbols.all[i].vaddr,
			 binary->symbols.all[i].name);
	ck_assert_str_eq(found, text);
}

static struct prf_count
sum_of_tally(const struct prf_tally *tally)
{
	struct prf_count sum = {0};

	for (size_t i = 0; i < tally->n_slots; i++)
		prf_count_merge(&sum, &tally->slots[i].count);
	return sum;
}

static void
check_count(const struct prf_count *left, const struct prf_count *right)
{
	ck_assert_uint_eq(left->ticks, right->ticks);
	ck_assert_double_eq_tol(left->squares, right->squares, 1e-6);
}

/* The same ticks, however they are kept. */
static void
check_same_ticks(const struct prf_binary *left, const struct prf_binary *right)
{
	const struct prf_count of_left = sum_of_tally(&left->lumps);
	const struct prf_count of_right = sum_of_tally(&right->lumps);
	const struct points points = points_of(left);

	check_count(&left->total, &right->total);
	check_count(&of_left, &of_right);
	check_points(right, points.text);
	ck_assert_uint_eq(points.ticks, left->total.ticks);
	ck_assert_uint_eq(left->lo, right->lo);
	ck_assert_uint_eq(left->hi, right->hi);
}

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
	check_points(binary, "");
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
	add(binary, 0x1041, 3);
	for (uint32_t ticks = 1; ticks < 4; ticks++) {
		ck_assert_int_eq(prf_binary_count(binary, 0xfff, ticks, 0),
				 -ERANGE);
		ck_assert_int_eq(prf_binary_count(binary, 0x2000, ticks, 0),
				 -ERANGE);
	}
	ck_assert_uint_eq(binary->total.ticks, 3);
	ck_assert_double_eq(binary->total.squares, 9);
	ck_assert_uint_eq(sum_of_tally(&binary->lumps).ticks, 3);
	check_points(binary, "1040=3 ");
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
	ck_assert_uint_eq(sum_of_tally(&binary->lumps).ticks, cases[_i].lump);
	prf_binary_free(binary);
}
END_TEST

START_TEST(a_file_that_is_not_elf_is_counted_at_its_offsets)
{
	elf_write(made_path("blob"), "no ELF at all", 13);
	struct prf_binary *binary = binary_of("blob");

	ck_assert_int_eq(binary->form, PRF_BINARY_BY_ADDRESS);
	ck_assert(binary->is_offsets);
	check_symbols(binary, "0=[blob] ");
	add(binary, 0, 1);
	add(binary, 0x1001, 2);
	add(binary, 0x1000, 4);
	add(binary, UINT64_MAX, 8);
	check_points(binary, "0=1 1000=6 fffffffffffffffe=8 ");
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
	add(binary, 0x1000, 1);
	check_points(binary, "1000=1 ");
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
	add(binary, 0x2000, 1);
	ck_assert_uint_eq(binary->lo, 0x2000);
	ck_assert_uint_eq(binary->hi, 0x9000);
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
	check_symbols(binary, "0=[vdso] ");
	add(binary, 0x800, 2);
	check_points(binary, "800=2 ");
	prf_binary_free(binary);
}
END_TEST

START_TEST(jit_code_is_counted_by_address_until_it_has_names)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_JIT, "");

	binary->pid = 4711;
	add(binary, UINT64_MAX, 3);
	add(binary, 0x7f0000001001, 1);
	ck_assert_int_eq(binary->form, PRF_BINARY_BY_NAME);
	ck_assert_uint_eq(binary->addrs.n_entries, 2);
	ck_assert_uint_eq(binary->total.ticks, 4);
	ck_assert_double_eq(binary->total.squares, 10);
	check_points(binary, "");
	prf_binary_free(binary);
}
END_TEST

START_TEST(system_calls_are_counted_by_their_names)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_KERNEL, "");

	add_name(binary, "read", 3);
	add_name(binary, "write", 1);
	add_name(binary, "read", 2);
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

	check_points(binary, "");
	add(binary, 0x1ffe, 5);
	add(binary, 0x1040, 3);
	add(binary, 0x103f, 2);
	add(binary, 0x1000, 1);
	add(binary, 0x1041, 4);
	if (_i)
		ck_assert_int_eq(prf_binary_detach(binary), 0);
	check_points(binary, "1000=1 103e=2 1040=7 1ffe=5 ");
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
	add(binary, 0x1000, 1);
	add(binary, 0x1400, 1);
	add(binary, 0x1800, 1);
	add(binary, 0x1040, 1);
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
	add(binary, 0x1001, 1);
	add(binary, 0x1062, 3);
	add(binary, 0x1064, 4);
	add(binary, 0x1050, 9);
	for (int i = 0; i < 2; i++) { /* the second time changes nothing */
		ck_assert_int_eq(prf_binary_detach(binary), 0);
		ck_assert_int_eq(binary->form, PRF_BINARY_BY_ADDRESS);
		ck_assert_uint_eq(file->n_users, 1);
		ck_assert_ptr_null(binary->file);
		check_points(binary, "1000=1 1050=9 1062=3 1064=4 ");
		check_symbols(binary, "1000=outer 1040=inner 1060=outer "
				      "1100=[lib+0x1100] ");
		ck_assert_uint_eq(binary->total.ticks, 17);
		ck_assert_double_eq(binary->total.squares, 1 + 9 + 16 + 81);
		ck_assert_uint_eq(sum_of_tally(&binary->lumps).ticks, 16);
		ck_assert_double_eq(sum_of_tally(&binary->lumps).squares, 106);
		ck_assert_uint_eq(binary->lumps.n_entries, 2); /* by piece */
		ck_assert_uint_eq(binary->hi, 0x2000);
	}
	prf_files_drop(file);
	add(binary, 0x1050, 1); /* it goes on */
	check_points(binary, "1000=1 1050=10 1062=3 1064=4 ");
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
	add(binary, 0x1000, 1);
	ck_assert_uint_eq(binary->hi, 0x6000);
	check_symbols(binary, "0=[blob] ");
	prf_binary_free(binary);
}
END_TEST

/* --- Adding: one binary in all forms that it can have */

enum form { SAME_FILE, COPY, DETACHED, LISTED, N_FORMS };

/* As a gmon.out and its list have it: with some of its names. */
static struct prf_binary *
listed(const struct prf_binary *like)
{
	struct prf_binary *binary =
		prf_binary_new(PRF_BINARY_FILE, "/somewhere/else");

	memcpy(binary->build_id, like->build_id, like->build_id_bytes);
	binary->build_id_bytes = like->build_id_bytes;
	binary->lo = like->lo;
	binary->hi = like->hi;
	ck_assert_int_eq(prf_symbol_list_append(&binary->symbols, 0x1000, "f"),
			 0);
	ck_assert_int_eq(prf_symbol_list_append(&binary->symbols, 0x1040, "g"),
			 0);
	return binary;
}

static struct prf_binary *
in_form(enum form form)
{
	struct prf_binary *binary = binary_of(form == COPY ? "copy" : "lib");

	if (form == DETACHED)
		ck_assert_int_eq(prf_binary_detach(binary), 0);
	if (form != LISTED)
		return binary;
	struct prf_binary *by_list = listed(binary);
	prf_binary_free(binary);
	return by_list;
}

static void
make_forms(void)
{
	make_with_id("lib", 7);
	make_with_id("copy", 7);
}

/* Ticks, no two of which are in one counter of 32 bits in vain. */
static void
add_random(struct prf_binary *binary, struct prf_binary *both,
	   struct random *random)
{
	for (int i = 0; i < 40; i++) {
		uint64_t vaddr = MADE_TEXT + random_below(random, 0x40) * 0x40;
		uint32_t ticks = 1 + (uint32_t)random_below(random, 70000);
		uint32_t certain = (uint32_t)random_below(random, 2) *
				   (uint32_t)random_below(random, ticks);

		ck_assert_int_eq(
			prf_binary_count(binary, vaddr, ticks, certain), 0);
		ck_assert_int_eq(prf_binary_count(both, vaddr, ticks, certain),
				 0);
	}
}

/* What was counted in two and added is as if it had been counted in one. */
START_TEST(any_form_can_be_added_to_any_and_no_tick_goes)
{
	enum form one = (enum form)(_i / N_FORMS);
	enum form two = (enum form)(_i % N_FORMS);
	struct random random = random_begin();

	make_forms();
	struct prf_binary *both = in_form(SAME_FILE);
	struct prf_binary *left = in_form(one), *right = in_form(two);
	ck_assert(prf_binary_is_same(left, right));
	ck_assert(prf_binary_is_same(right, left));
	add_random(left, both, &random);
	add_random(right, both, &random);
	const struct points before = points_of(right);
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	check_same_ticks(left, both);
	check_points(right, before.text); /* as it was */
	prf_binary_free(right);
	check_same_ticks(left, both);
	ck_assert_int_eq(left->form == PRF_BINARY_BY_TEXT,
			 one == two && one <= COPY);
	if (left->form == PRF_BINARY_BY_ADDRESS && (one <= DETACHED))
		check_symbols(left, one == COPY || two == COPY
					    ? "1000=f 1040=g "
					      "1080=[copy+0x1080] "
					    : "1000=f 1040=g "
					      "1080=[lib+0x1080] ");
	prf_binary_free(left);
	prf_binary_free(both);
}
END_TEST

START_TEST(names_are_added_to_names)
{
	static const enum prf_binary_kind kinds[] = {
		PRF_BINARY_KERNEL, PRF_BINARY_JIT, PRF_BINARY_UNKNOWN};
	struct prf_binary *left = prf_binary_new(kinds[_i], "");
	struct prf_binary *right = prf_binary_new(kinds[_i], "");

	add_name(left, "read", 2);
	add_name(right, "read", 3);
	add_name(right, "write", 1);
	ck_assert(prf_binary_is_same(left, right));
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	prf_binary_free(right);
	ck_assert_uint_eq(left->names.n, 2);
	ck_assert_uint_eq(left->names.all[0].count.ticks, 5);
	ck_assert_uint_eq(left->total.ticks, 6);
	ck_assert_double_eq(left->total.squares, 14);
	prf_binary_free(left);
}
END_TEST

START_TEST(jit_code_of_one_process_is_added_by_address)
{
	struct prf_binary *left = prf_binary_new(PRF_BINARY_JIT, "");
	struct prf_binary *right = prf_binary_new(PRF_BINARY_JIT, "");

	left->pid = right->pid = 7;
	add(left, 0x1000, 2);
	add(right, 0x1000, 3);
	add(right, 0x1001, 1);
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	prf_binary_free(right);
	ck_assert_uint_eq(left->addrs.n_entries, 2);
	ck_assert_uint_eq(sum_of_tally(&left->addrs).ticks, 6);
	ck_assert_uint_eq(left->total.ticks, 6);
	prf_binary_free(left);
}
END_TEST

START_TEST(of_two_paths_the_first_stays)
{
	make_forms();
	struct prf_binary *left = in_form(SAME_FILE), *right = in_form(COPY);

	if (_i)
		ck_assert_int_eq(prf_binary_merge(right, left), 0);
	else
		ck_assert_int_eq(prf_binary_merge(left, right), 0);
	const struct prf_binary *sum = _i ? right : left;
	ck_assert_str_eq(sum->path, made_path("copy"));
	ck_assert_str_eq(sum->name, "copy");
	prf_binary_free(left);
	prf_binary_free(right);
}
END_TEST

START_TEST(a_program_is_one_in_the_sum)
{
	struct prf_binary *left = binary_of_fg(), *right = binary_of("lib");

	right->is_program = true;
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	ck_assert(left->is_program);
	right->is_program = false;
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	ck_assert(left->is_program);
	prf_binary_free(left);
	prf_binary_free(right);
}
END_TEST

START_TEST(offsets_of_a_sum_reach_as_far_as_those_of_both)
{
	static const uint64_t extents[][6] = {
		{0x1000, 0x2000, 0x4000, 0x5000, 0x1000, 0x5000},
		{0x1000, 0x9000, 0x4000, 0x5000, 0x1000, 0x9000},
		{0, 0, 0x4000, 0x5000, 0x4000, 0x5000},
		{0x4000, 0x5000, 0, 0, 0x4000, 0x5000},
		{0, 0, 0, 0, 0, 0},
	};
	const uint64_t *extent = extents[_i];
	struct prf_binary *left = prf_binary_new(PRF_BINARY_FILE, "/a");
	struct prf_binary *right = prf_binary_new(PRF_BINARY_FILE, "/a");

	left->is_offsets = right->is_offsets = true;
	left->lo = extent[0];
	left->hi = extent[1];
	right->lo = extent[2];
	right->hi = extent[3];
	ck_assert(prf_binary_is_same(left, right));
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	ck_assert_uint_eq(left->lo, extent[4]);
	ck_assert_uint_eq(left->hi, extent[5]);
	prf_binary_free(left);
	prf_binary_free(right);
}
END_TEST

/* --- Which it is */

#define PLAIN PRF_BINARY_FILE, "/a", "", 0, 0, false, 0x1000, 0x2000, 0
#define WITH_ID PRF_BINARY_FILE, "/a", "ab", 0, 0, false, 0x1000, 0x2000, 0
#define OFFSETS PRF_BINARY_FILE, "/a", "", 1, 1, true, 0x1000, 0x2000, 0
#define JIT PRF_BINARY_JIT, "", "", 0, 0, false, 0, 0, 7

struct identity {
	enum prf_binary_kind kind;
	const char *path, *build_id;
	uint64_t dev, inode;
	bool is_offsets;
	uint64_t lo, hi;
	pid_t pid;
};

static const struct {
	struct identity left, right;
	bool is_same;
} identities[] = {
	{{PLAIN}, {PLAIN}, true},
	{{PLAIN},
	 {PRF_BINARY_FILE, "/b", "", 0, 0, false, 0x1000, 0x2000, 0},
	 false},
	{{PLAIN},
	 {PRF_BINARY_FILE, "/a", "", 0, 0, false, 0x1002, 0x2000, 0},
	 false},
	{{PLAIN},
	 {PRF_BINARY_FILE, "/a", "", 0, 0, false, 0x1000, 0x2002, 0},
	 false},
	{{PLAIN},
	 {PRF_BINARY_FILE, "/a", "", 9, 9, false, 0x1000, 0x2000, 0},
	 true},
	{{PRF_BINARY_FILE, "/a", "", 1, 1, false, 0x1000, 0x2000, 0},
	 {PRF_BINARY_FILE, "/a", "", 1, 2, false, 0x1000, 0x2000, 0},
	 false},
	{{PRF_BINARY_FILE, "/a", "", 1, 1, false, 0x1000, 0x2000, 0},
	 {PRF_BINARY_FILE, "/a", "", 2, 1, false, 0x1000, 0x2000, 0},
	 false},
	{{WITH_ID}, {WITH_ID}, true},
	{{WITH_ID}, {PLAIN}, false},
	{{WITH_ID},
	 {PRF_BINARY_FILE, "/b", "ab", 3, 4, false, 0, 0x9000, 0},
	 true},
	{{WITH_ID},
	 {PRF_BINARY_FILE, "/a", "ac", 0, 0, false, 0x1000, 0x2000, 0},
	 false},
	{{WITH_ID},
	 {PRF_BINARY_FILE, "/a", "abc", 0, 0, false, 0x1000, 0x2000, 0},
	 false},
	{{OFFSETS}, {PRF_BINARY_FILE, "/a", "", 1, 1, true, 0, 0, 0}, true},
	{{OFFSETS}, {PRF_BINARY_FILE, "/a", "", 1, 2, true, 0, 0, 0}, false},
	{{OFFSETS},
	 {PRF_BINARY_FILE, "/a", "", 1, 1, false, 0x1000, 0x2000, 0},
	 false},
	{{JIT}, {JIT}, true},
	{{JIT}, {PRF_BINARY_JIT, "", "", 0, 0, false, 0, 0, 8}, false},
	{{JIT}, {PRF_BINARY_KERNEL, "", "", 0, 0, false, 0, 0, 7}, false},
};

static struct prf_binary
as(const struct identity *identity)
{
	struct prf_binary binary = {
		.kind = identity->kind,
		.path = (char *)identity->path,
		.build_id_bytes = strlen(identity->build_id),
		.dev = identity->dev,
		.inode = identity->inode,
		.is_offsets = identity->is_offsets,
		.lo = identity->lo,
		.hi = identity->hi,
		.pid = identity->pid,
	};

	memcpy(binary.build_id, identity->build_id, binary.build_id_bytes);
	return binary;
}

START_TEST(a_binary_is_known_by_its_build_id_or_its_path_and_extent)
{
	const struct prf_binary left = as(&identities[_i].left);
	const struct prf_binary right = as(&identities[_i].right);

	ck_assert_int_eq(prf_binary_is_same(&left, &right),
			 identities[_i].is_same);
	ck_assert_int_eq(prf_binary_is_same(&right, &left),
			 identities[_i].is_same);
}
END_TEST

START_TEST(the_build_id_is_the_files_own)
{
	make_forms();
	make_with_id("other", 8);
	struct prf_binary *one = binary_of("lib"), *two = binary_of("other");

	ck_assert_uint_eq(one->build_id_bytes, 1);
	ck_assert_uint_eq(one->build_id[0], 7);
	ck_assert(!prf_binary_is_same(one, two));
	ck_assert_uint_ne(one->inode, 0);
	prf_binary_free(one);
	prf_binary_free(two);
}
END_TEST

/* --- More than a counter holds */

START_TEST(ticks_that_no_counter_holds_are_known_as_such)
{
	const uint64_t most = UINT32_MAX;
	struct prf_binary *binary = binary_of_fg(), *other = binary_of("lib");

	add(binary, 0x1000, UINT32_MAX);
	ck_assert_uint_eq(prf_binary_saturated(binary), 0);
	add(binary, 0x1000, 5);
	check_points(binary, "1000=4294967295 ");
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
	check_points(other, "1000=8589934590 ");
	ck_assert_uint_eq(prf_binary_saturated(other), most + 15);
	ck_assert_uint_eq(other->total.ticks, 3 * most + 15);
	prf_binary_free(binary);
	prf_binary_free(other);
}
END_TEST

static void
add_cases(TCase *tcase)
{
	tcase_add_loop_test(tcase, what_is_no_file_has_a_name_and_no_path,
			    PRF_BINARY_VDSO, PRF_N_BINARY_KINDS);
	tcase_add_loop_test(
		tcase, a_file_is_called_by_the_last_part_of_its_path, 0, 4);
	tcase_add_test(tcase, the_name_of_no_kind_is_a_files);
	tcase_add_test(tcase, a_file_with_text_is_counted_at_its_vaddrs);
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
}

static void
add_merge_cases(TCase *tcase)
{
	tcase_add_loop_test(tcase,
			    any_form_can_be_added_to_any_and_no_tick_goes, 0,
			    N_FORMS * N_FORMS);
	tcase_add_loop_test(tcase, names_are_added_to_names, 0, 3);
	tcase_add_test(tcase, jit_code_of_one_process_is_added_by_address);
	tcase_add_loop_test(tcase, of_two_paths_the_first_stays, 0, 2);
	tcase_add_test(tcase, a_program_is_one_in_the_sum);
	tcase_add_loop_test(
		tcase, offsets_of_a_sum_reach_as_far_as_those_of_both, 0, 5);
	tcase_add_loop_test(
		tcase, a_binary_is_known_by_its_build_id_or_its_path_and_extent,
		0, sizeof identities / sizeof *identities);
	tcase_add_test(tcase, the_build_id_is_the_files_own);
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("binary");
	TCase *counting = tcase_create("counting");
	TCase *adding = tcase_create("adding");

	tcase_add_checked_fixture(counting, made_begin, made_end);
	add_cases(counting);
	suite_add_tcase(suite, counting);
	tcase_add_checked_fixture(adding, made_begin, made_end);
	add_merge_cases(adding);
	suite_add_tcase(suite, adding);
	return suite;
}
