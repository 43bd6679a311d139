/* Which binaries are one, what they are added to each other, and what is left when
 * one is taken out. */
#include "profile/binary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "profile/counted_binary.h"

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
	elf_builder_symbols(builder, SHT_SYMTAB, 0, binary_fg, 2);
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	elf_write(made_path(name), bytes, size);
	free(bytes);
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
	const struct prf_count of_left = binary_sum_of_tally(&left->lumps);
	const struct prf_count of_right = binary_sum_of_tally(&right->lumps);
	const struct binary_points points = binary_points_of(left);

	check_count(&left->total, &right->total);
	check_count(&of_left, &of_right);
	binary_check_points(right, points.text);
	ck_assert_uint_eq(points.ticks, left->total.ticks);
	ck_assert_uint_eq(left->lo, right->lo);
	ck_assert_uint_eq(left->hi, right->hi);
}

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

/* Ticks that some counters have more than once. */
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
	const struct binary_points before = binary_points_of(right);
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	check_same_ticks(left, both);
	binary_check_points(right, before.text); /* as it was */
	prf_binary_free(right);
	check_same_ticks(left, both);
	ck_assert_int_eq(left->form == PRF_BINARY_BY_TEXT,
			 one == two && one <= COPY);
	if (left->form == PRF_BINARY_BY_ADDRESS && (one <= DETACHED))
		binary_check_symbols(left, one == COPY || two == COPY
						   ? "1000=f 1040=g "
						     "1080=[copy+0x1080] "
						   : "1000=f 1040=g "
						     "1080=[lib+0x1080] ");
	prf_binary_free(left);
	prf_binary_free(both);
}
END_TEST

/* Each of them may be detached, and the part may be of the copy. */
enum { DETACHED_PART = 1, DETACHED_WHOLE = 2, PART_OF_COPY = 4, N_PARTS = 8 };

/* What is left of two when one of them is taken out is the other. */
START_TEST(what_was_counted_before_can_be_taken_out)
{
	struct random random = random_begin();

	make_forms();
	struct prf_binary *whole = in_form(SAME_FILE), *later = in_form(COPY);
	struct prf_binary *part = in_form(_i & PART_OF_COPY ? COPY : SAME_FILE);
	add_random(part, whole, &random);
	add_random(later, whole, &random);
	part->no_cfi_ticks = 2;
	whole->no_cfi_ticks = 7;
	if (_i & DETACHED_PART)
		ck_assert_int_eq(prf_binary_detach(part), 0);
	if (_i & DETACHED_WHOLE)
		ck_assert_int_eq(prf_binary_detach(whole), 0);
	const struct binary_points before = binary_points_of(part);
	ck_assert_int_eq(prf_binary_subtract(whole, part), 0);
	check_same_ticks(whole, later);
	ck_assert_uint_eq(whole->no_cfi_ticks, 5);
	binary_check_points(part, before.text); /* as it was */
	prf_binary_free(whole);
	prf_binary_free(part);
	prf_binary_free(later);
}
END_TEST

START_TEST(what_is_no_part_cannot_be_taken_out)
{
	make_forms();
	struct prf_binary *whole = in_form(SAME_FILE);
	struct prf_binary *part = in_form(SAME_FILE);

	binary_add(whole, MADE_TEXT, 5);
	binary_add(part, MADE_TEXT + (_i ? 2 : 0), _i ? 1 : 6);
	ck_assert_int_eq(prf_binary_subtract(whole, part), -ERANGE);
	prf_binary_free(whole);
	prf_binary_free(part);
}
END_TEST

START_TEST(names_are_taken_out_of_names)
{
	struct prf_binary *both = prf_binary_new(PRF_BINARY_KERNEL, "");
	struct prf_binary *earlier = prf_binary_new(PRF_BINARY_KERNEL, "");

	binary_add_name(both, "read", 5);
	binary_add_name(both, "write", 1);
	binary_add_name(earlier, "read", 3);
	ck_assert_int_eq(prf_binary_subtract(both, earlier), 0);
	ck_assert_uint_eq(both->names.all[0].count.ticks, 2);
	ck_assert_uint_eq(both->names.all[1].count.ticks, 1);
	ck_assert_uint_eq(both->total.ticks, 3);
	ck_assert_int_eq(prf_binary_subtract(both, earlier), -ERANGE);
	prf_binary_free(both);
	prf_binary_free(earlier);
}
END_TEST

START_TEST(names_are_added_to_names)
{
	static const enum prf_binary_kind kinds[] = {
		PRF_BINARY_KERNEL, PRF_BINARY_JIT, PRF_BINARY_UNKNOWN};
	struct prf_binary *left = prf_binary_new(kinds[_i], "");
	struct prf_binary *right = prf_binary_new(kinds[_i], "");

	binary_add_name(left, "read", 2);
	binary_add_name(right, "read", 3);
	binary_add_name(right, "write", 1);
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
	binary_add(left, 0x1000, 2);
	binary_add(right, 0x1000, 3);
	binary_add(right, 0x1001, 1);
	ck_assert_int_eq(prf_binary_merge(left, right), 0);
	prf_binary_free(right);
	ck_assert_uint_eq(left->addrs.n_entries, 2);
	ck_assert_uint_eq(binary_sum_of_tally(&left->addrs).ticks, 6);
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

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("binary_sum");
	TCase *tcase = tcase_create("binary_sum");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_loop_test(tcase,
			    any_form_can_be_added_to_any_and_no_tick_goes, 0,
			    N_FORMS * N_FORMS);
	tcase_add_loop_test(tcase, what_was_counted_before_can_be_taken_out, 0,
			    N_PARTS);
	tcase_add_loop_test(tcase, what_is_no_part_cannot_be_taken_out, 0, 2);
	tcase_add_test(tcase, names_are_taken_out_of_names);
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
	suite_add_tcase(suite, tcase);
	return suite;
}
