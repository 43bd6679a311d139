#include "view/gmon/gmon_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "core/gmon.h"
#include "support/suite.h"
#include "support/made_run.h"
#include "view/made_gmon.h"

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

/* A run with ticks everywhere; the events come in another order for each TURN,
 * and ticks fell elsewhere in the binaries. */
static struct prf_collector *
busy(int turn)
{
	const struct prf_collector_config config = {.kernel_apart = true};
	struct prf_collector *run = made_run(&config);

	made_exec(run, "prog");
	made_map_kind(run, PRF_MAPPING_ANON, jit, 0x1000);
	for (int i = 0; i < N_FILES; i++) {
		int file = (i * 3 + turn) % N_FILES;

		made_map(run, files[file], addr_of(file));
		made_ticks(run, addr_of(file) + (turn * 0x600) % 0x1000, 1);
		made_call(run, 0x10, turn % 2 ? SYS_read : SYS_futex, 2);
		made_ticks(run, jit + (uint64_t)turn * 0x100, 4);
		made_ticks(run, 0x10 + (uint64_t)turn, 8);
	}
	made_finish(run);
	return run;
}

static void
make_files(void)
{
	made_begin();
	for (int i = 0; i < N_FILES; i++)
		made_elf(files[i], fg, 2);
}

static const struct prf_gmon_layout_place *
place_of(const struct prf_gmon_layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->n; i++)
		if (strcmp(layout->places[i].binary->name, name) == 0)
			return &layout->places[i];
	return NULL;
}

/* --- Where binaries are */

START_TEST(the_program_keeps_its_own_addresses)
{
	struct prf_collector *run = busy(0);
	struct prf_gmon_layout *layout = made_layout(run->profile);

	ck_assert_ptr_eq(layout->places[0].binary, run->profile->program);
	ck_assert_ptr_eq(layout->program, run->profile->program);
	ck_assert_uint_eq(layout->addr_bytes, 8);
	ck_assert(layout->has_list);
	ck_assert_uint_eq(layout->places[0].shift, 0);
	ck_assert_uint_eq(layout->places[0].lo, 0x1000);
	ck_assert_uint_eq(layout->places[0].hi, 0x2000);
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

START_TEST(the_others_are_above_it_and_share_no_block)
{
	const uint64_t block = PRF_GMON_BLOCK_BYTES;
	struct prf_collector *run = busy(0);
	struct prf_gmon_layout *layout = made_layout(run->profile);

	ck_assert_uint_eq(layout->n, N_FILES + 3);
	for (size_t i = 1; i < layout->n; i++) {
		const struct prf_gmon_layout_place *place = &layout->places[i];

		ck_assert_uint_eq(place->shift % block, 0);
		ck_assert_uint_eq(place->lo / block * block % (1 << 20), 0);
		ck_assert_uint_gt(place->lo / block,
				  (place[-1].hi - 1) / block);
		if (place->binary->form == PRF_BINARY_BY_NAME)
			continue;
		ck_assert_uint_eq(place->lo, place->binary->lo + place->shift);
		ck_assert_uint_eq(place->hi, place->binary->hi + place->shift);
	}
	ck_assert_uint_eq(layout->end, layout->places[layout->n - 1].hi);
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

START_TEST(they_come_by_kind_and_path)
{
	static const char *const names[] = {"prog",     "liba",  "libb",
					    "libc",     "[jit]", "[kernel]",
					    "[unknown]"};
	struct prf_collector *run = busy(_i);
	struct prf_gmon_layout *layout = made_layout(run->profile);

	for (size_t i = 0; i < layout->n; i++)
		ck_assert_str_eq(layout->places[i].binary->name, names[i]);
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

START_TEST(neither_order_nor_where_ticks_fell_moves_anything)
{
	struct prf_collector *run = busy(0), *other = busy(_i);
	struct prf_gmon_layout *layout = made_layout(run->profile),
			       *other_layout = made_layout(other->profile);

	ck_assert_uint_eq(layout->n, other_layout->n);
	for (size_t i = 0; i < layout->n; i++) {
		const struct prf_gmon_layout_place *place = &layout->places[i],
						   *there =
							   &other_layout
								    ->places[i];

		ck_assert_str_eq(place->binary->name, there->binary->name);
		ck_assert_uint_eq(place->lo, there->lo);
		ck_assert_uint_eq(place->hi, there->hi);
		ck_assert_uint_eq(place->shift, there->shift);
	}
	prf_gmon_layout_free(layout);
	prf_gmon_layout_free(other_layout);
	made_run_free(run);
	made_run_free(other);
}
END_TEST

START_TEST(what_has_no_ticks_has_no_place_but_the_program)
{
	struct prf_collector *run = made_run(NULL);

	made_exec(run, "prog");
	made_map(run, "prog", prog);
	made_ticks(run, prog, 1);
	for (int i = 1; i < N_FILES; i++)
		made_map(run, files[i], addr_of(i));
	if (_i)
		made_ticks(run, addr_of(2), 1);
	made_finish(run);
	struct prf_gmon_layout *layout = made_layout(run->profile);
	ck_assert_uint_eq(layout->n, 1 + (size_t)_i);
	ck_assert_ptr_nonnull(place_of(layout, "prog"));
	ck_assert(!place_of(layout, files[2]) == !_i);
	ck_assert_ptr_null(place_of(layout, files[1]));
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

START_TEST(a_program_without_ticks_has_a_place_all_the_same)
{
	struct prf_collector *run = made_run(NULL);

	made_exec(run, "prog");
	for (int i = 0; i < N_FILES; i++)
		made_map(run, files[i], addr_of(i));
	if (_i)
		made_ticks(run, addr_of(2), 1);
	made_finish(run);
	struct prf_gmon_layout *layout = made_layout(run->profile);
	ck_assert_uint_eq(layout->n, 1 + (size_t)_i);
	ck_assert_str_eq(layout->places[0].binary->name, "prog");
	ck_assert_uint_eq(layout->places[0].shift, 0);
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

START_TEST(without_a_program_there_is_a_layout_all_the_same)
{
	struct prf_collector *run = made_run(NULL);

	made_map(run, files[1], addr_of(1));
	if (_i)
		made_ticks(run, addr_of(1), 1);
	made_finish(run);
	struct prf_gmon_layout *layout = made_layout(run->profile);
	ck_assert_ptr_null(layout->program);
	ck_assert_uint_eq(layout->addr_bytes, 8);
	ck_assert_uint_eq(layout->n, (size_t)_i);
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

START_TEST(a_binary_alone_is_at_its_own_addresses)
{
	struct prf_collector *run = busy(0);

	for (size_t i = 0; i < run->profile->n_binaries; i++) {
		const struct prf_binary *binary = run->profile->binaries[i];
		struct prf_gmon_layout *layout = NULL;

		ck_assert_int_eq(prf_gmon_layout_new_single(
					 run->profile, binary, &layout, NULL),
				 0);
		ck_assert_uint_eq(layout->n, 1);
		ck_assert_ptr_eq(layout->places[0].binary, binary);
		ck_assert_uint_eq(layout->places[0].shift, 0);
		ck_assert_uint_eq(layout->places[0].lo, binary->lo);
		ck_assert_uint_eq(layout->end, layout->places[0].hi);
		if (binary->form != PRF_BINARY_BY_NAME)
			ck_assert_uint_eq(layout->end, binary->hi);
		prf_gmon_layout_free(layout);
	}
	made_run_free(run);
	prf_gmon_layout_free(NULL);
}
END_TEST

/* --- Which program it is */

static struct prf_profile *profile;

static void
begin_profile(void)
{
	profile = made_profile();
}

static void
end_profile(void)
{
	prf_profile_free(profile);
}

/* A binary of PROFILE at [LO, HI), with TICKS at LO. */
static struct prf_binary *
add_binary(const char *path, uint64_t lo, uint64_t hi, uint32_t ticks)
{
	struct prf_binary *binary = made_add_binary(profile, path, lo, hi);

	if (ticks)
		made_count(profile, binary, lo, ticks);
	return binary;
}

enum { NOBODY = 3 };

/* What three binaries are, and which of them keeps its addresses. */
static const struct {
	struct {
		uint32_t ticks;
		bool is_executed;
	} binaries[3];
	int asked_for, kept;
} choices[] = {
	/* The one that was asked for, if it has ticks... */
	{{{1, true}, {9, true}, {10, false}}, 0, 0},
	/* ...else that with the most, of those that were executed. */
	{{{0, true}, {9, true}, {10, false}}, 0, 1},
	{{{0, true}, {9, false}, {10, true}}, 0, 2},
	{{{1, true}, {2, true}, {3, true}}, NOBODY, 2},
	/* Of equals the first by path. */
	{{{2, true}, {2, true}, {2, true}}, NOBODY, 0},
	{{{1, true}, {2, true}, {2, true}}, NOBODY, 1},
	/* The one that was asked for stays, if nobody has ticks. */
	{{{0, true}, {0, true}, {7, false}}, 1, 1},
	{{{0, true}, {0, true}, {0, true}}, NOBODY, 0},
	{{{1, false}, {2, false}, {3, false}}, NOBODY, NOBODY},
};

START_TEST(which_program_keeps_its_addresses)
{
	static const char *const paths[] = {"/b/1", "/b/2", "/b/3"};
	struct prf_binary *binaries[NOBODY + 1] = {0};

	/* Whichever comes first. */
	for (int turn = 0; turn < 2; turn++) {
		for (int j = 0; j < 3; j++) {
			int i = turn ? 2 - j : j;

			binaries[i] = add_binary(paths[i], 0x1000, 0x2000,
						 choices[_i].binaries[i].ticks);
			binaries[i]->is_program =
				choices[_i].binaries[i].is_executed;
			binaries[i]->program_ticks =
				binaries[i]->is_program
					? choices[_i].binaries[i].ticks
					: 0;
		}
		profile->program = binaries[choices[_i].asked_for];
		ck_assert_ptr_eq(prf_gmon_layout_program(profile),
				 binaries[choices[_i].kept]);
		struct prf_gmon_layout *layout = made_layout(profile);
		ck_assert_ptr_eq(layout->program, binaries[choices[_i].kept]);
		if (layout->program)
			ck_assert_uint_eq(layout->places[0].shift, 0);
		prf_gmon_layout_free(layout);
		end_profile();
		begin_profile();
	}
}
END_TEST

/* --- How much room there is */

/* A program of N_BYTES-byte pointers at [0x1000, 0x2000), and one file of SIZE
 * bytes besides. */
static int
lay_out(uint8_t n_bytes, uint64_t size, struct prf_gmon_layout **layout,
	struct prf_error *err)
{
	profile->addr_bytes = n_bytes;
	profile->program = add_binary("/bin/small", 0x1000, 0x2000, 1);
	add_binary("/lib/large", 0, size, 1);
	return prf_gmon_layout_new(profile, layout, err);
}

/* Up to half of what 4 bytes can address, and a quarter of what 8 can; less a
 * megabyte, to which a file's place is rounded up. */
static const struct {
	uint8_t addr_bytes;
	uint64_t limit;
} limits[] = {
	{4, UINT64_C(1) << 31},
	{8, UINT64_C(1) << 62},
};

START_TEST(what_fits_the_pointers_of_the_program_has_a_place)
{
	const uint64_t limit = limits[_i].limit;
	struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};

	ck_assert_msg(!lay_out(limits[_i].addr_bytes,
			       limit - (1 << 20) - 0x2000, &layout, &err),
		      "%s", err.text);
	ck_assert_uint_eq(layout->addr_bytes, limits[_i].addr_bytes);
	ck_assert_uint_eq(layout->places[1].lo, 1 << 20);
	ck_assert_uint_le(layout->end, limit);
	prf_gmon_layout_free(layout);
}
END_TEST

START_TEST(what_does_not_fit_them_is_refused_with_the_way_out)
{
	const uint64_t limit = limits[_i % 2].limit;
	const uint64_t sizes[] = {limit - (1 << 20) - 0x2000 + 1,
				  limit - (1 << 20), limit, UINT64_MAX};
	struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};

	ck_assert_int_eq(lay_out(limits[_i % 2].addr_bytes, sizes[_i / 2],
				 &layout, &err),
			 -EOVERFLOW);
	ck_assert_ptr_null(layout);
	ck_assert_ptr_nonnull(strstr(err.text, "large"));
	ck_assert_ptr_nonnull(strstr(err.text, "--split"));
}
END_TEST

START_TEST(above_a_program_at_the_end_there_is_no_room)
{
	const uint64_t limit = limits[_i].limit;
	struct prf_gmon_layout *layout = NULL;

	profile->addr_bytes = limits[_i].addr_bytes;
	profile->program = add_binary("/bin/high", limit - 0x1000, limit, 1);
	ck_assert_int_eq(prf_gmon_layout_new(profile, &layout, NULL), 0);
	prf_gmon_layout_free(layout);
	add_binary("/lib/small", 0x1000, 0x1002, 1);
	ck_assert_int_eq(prf_gmon_layout_new(profile, &layout, NULL),
			 -EOVERFLOW);
}
END_TEST

START_TEST(the_machine_is_the_programs)
{
	const struct elf_kind *kind = &elf_kinds[_i];
	struct prf_collector *run = made_run(NULL);

	made_elf_kind("other", kind, fg, 2);
	made_exec(run, "other");
	made_map(run, "other", 0x10000);
	made_ticks(run, 0x10000, 1);
	made_finish(run);
	struct prf_gmon_layout *layout = made_layout(run->profile);
	ck_assert_uint_eq(layout->addr_bytes,
			  kind->class == ELFCLASS32 ? 4 : 8);
	ck_assert(layout->big_endian == (kind->order == ELFDATA2MSB));
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

/* --- Functions that are known by name */

static void
add_names(struct prf_binary *binary, const char *const *names, size_t n)
{
	const struct prf_count count = {1, 1};

	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(
			prf_binary_count_name(binary, names[i], &count), 0);
}

START_TEST(names_are_in_their_order_and_16_bytes_apart)
{
	static const char *const names[] = {"read", "b", "write", "a"};
	static const char *const sorted[] = {"a", "b", "read", "write"};
	struct prf_binary *kernel = add_binary("[kernel]", 0, 0, 0);

	add_names(kernel, names, 4);
	struct prf_gmon_layout *layout = made_layout(profile);
	const struct prf_gmon_layout_place *place = &layout->places[0];
	ck_assert_uint_eq(place->n_names, 4);
	ck_assert_uint_eq(place->hi - place->lo, 4 * 16);
	for (size_t i = 0; i < 4; i++) {
		struct prf_arc_end end = {kernel, place->sorted[i]};
		uint64_t addr;

		ck_assert_str_eq(kernel->names.all[end.vaddr].text, sorted[i]);
		ck_assert_int_eq(prf_gmon_layout_addr(layout, &end, &addr), 0);
		ck_assert_uint_eq(addr, place->lo + 16 * i);
	}
	prf_gmon_layout_free(layout);
}
END_TEST

START_TEST(an_end_of_an_arc_is_where_its_binary_is)
{
	struct prf_binary *app = add_binary("/bin/app", 0x1000, 0x2000, 1);
	struct prf_binary *lib = add_binary("/lib/lib", 0x3100, 0x4000, 1);
	struct prf_binary *none = add_binary("/lib/none", 0x1000, 0x2000, 0);
	const struct prf_arc_end in_app = {app, 0x1800}, in_lib = {lib, 0x3200},
				 in_none = {none, 0x1000};
	uint64_t addr;

	profile->program = app;
	struct prf_gmon_layout *layout = made_layout(profile);
	ck_assert_int_eq(prf_gmon_layout_addr(layout, &in_app, &addr), 0);
	ck_assert_uint_eq(addr, 0x1800);
	ck_assert_int_eq(prf_gmon_layout_addr(layout, &in_lib, &addr), 0);
	ck_assert_uint_eq(addr, 0x100000 + 0x200);
	ck_assert_int_eq(prf_gmon_layout_addr(layout, &in_none, &addr),
			 -ENOENT);
	prf_gmon_layout_free(layout);
}
END_TEST

START_TEST(a_binary_with_arcs_alone_has_a_place)
{
	struct prf_binary *app = add_binary("/bin/app", 0x1000, 0x2000, 1);
	/* Of the second nothing is known, not even its text. */
	struct prf_binary *lib = add_binary(_i ? "" : "/lib/lib", 0x1000,
					    _i ? 0x1000 : 0x2000, 0);
	const struct prf_arc arc = {{app, 0x1000}, {lib, 0x1000}, 1};
	uint64_t addr;

	ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arc), 0);
	struct prf_gmon_layout *layout = made_layout(profile);
	ck_assert_uint_eq(layout->n, 2);
	ck_assert_int_eq(prf_gmon_layout_addr(layout, &arc.to, &addr), 0);
	prf_gmon_layout_free(layout);
}
END_TEST

/* It takes as long as they are many, not as that squared: minutes. */
START_TEST(of_very_many_binaries_each_arc_has_its_place)
{
	enum { N = 20000, EACH = 10 };
	struct prf_binary **all = calloc(N, sizeof(*all));

	ck_assert_ptr_nonnull(all);
	for (unsigned i = 0; i < N; i++) {
		char name[32];

		snprintf(name, sizeof name, "/lib/%u", i);
		all[i] = add_binary(name, 0x1000, 0x2000, 0);
	}
	for (unsigned i = 0; i < N * EACH; i++) {
		const struct prf_arc arc = {{all[i % N], 0x1000 + i / N},
					    {all[(i + 1) % N], 0x1000 + i / N},
					    1};

		ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arc), 0);
	}
	struct prf_gmon_layout *layout = made_layout(profile);
	ck_assert_uint_eq(layout->n, N);
	for (unsigned i = 0; i < N; i++) {
		const struct prf_arc_end end = {all[i], 0x1800};
		uint64_t addr;
		size_t n;

		ck_assert_int_eq(prf_gmon_layout_addr(layout, &end, &addr), 0);
		prf_gmon_layout_ends(layout, all[i], &n);
		ck_assert_uint_eq(n, 2 * EACH);
	}
	prf_gmon_layout_free(layout);
	free(all);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_layout");
	TCase *run = tcase_create("run"), *tcase = tcase_create("profile");

	tcase_add_checked_fixture(run, make_files, made_end);
	tcase_add_test(run, the_program_keeps_its_own_addresses);
	tcase_add_test(run, the_others_are_above_it_and_share_no_block);
	tcase_add_loop_test(run, they_come_by_kind_and_path, 0, 4);
	tcase_add_loop_test(
		run, neither_order_nor_where_ticks_fell_moves_anything, 1, 4);
	tcase_add_loop_test(run, what_has_no_ticks_has_no_place_but_the_program,
			    0, 2);
	tcase_add_loop_test(
		run, a_program_without_ticks_has_a_place_all_the_same, 0, 2);
	tcase_add_loop_test(
		run, without_a_program_there_is_a_layout_all_the_same, 0, 2);
	tcase_add_test(run, a_binary_alone_is_at_its_own_addresses);
	tcase_add_loop_test(run, the_machine_is_the_programs, 0, 4);
	suite_add_tcase(suite, run);

	tcase_add_checked_fixture(tcase, begin_profile, end_profile);
	tcase_add_loop_test(tcase, which_program_keeps_its_addresses, 0,
			    sizeof choices / sizeof *choices);
	tcase_add_loop_test(
		tcase, what_fits_the_pointers_of_the_program_has_a_place, 0, 2);
	tcase_add_loop_test(tcase,
			    what_does_not_fit_them_is_refused_with_the_way_out,
			    0, 8);
	tcase_add_loop_test(tcase, above_a_program_at_the_end_there_is_no_room,
			    0, 2);
	tcase_add_test(tcase, names_are_in_their_order_and_16_bytes_apart);
	tcase_add_test(tcase, an_end_of_an_arc_is_where_its_binary_is);
	tcase_add_loop_test(tcase, a_binary_with_arcs_alone_has_a_place, 0, 2);
	tcase_add_test(tcase, of_very_many_binaries_each_arc_has_its_place);
	suite_add_tcase(suite, tcase);
	return suite;
}
