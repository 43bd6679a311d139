#include "view/profile.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "core/random.h"
#include "support/suite.h"
#include "view/made.h"
#include "view/points.h"

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol hk[] = {
	{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"k", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

static const uint64_t prog = 0x555555555000, lib = 0x7f0000001000,
		      jit = 0x7f0001000000;

/* A profile of a program "prog" with "lib"; both mapped. */
static struct prf_profile *
begin(const struct prf_profile_config *config)
{
	struct prf_profile *profile = made_profile(config);

	made_elf("prog", fg, 2);
	made_elf("lib", hk, 2);
	made_exec(profile, "prog");
	made_map(profile, "prog", prog);
	made_map(profile, "lib", lib);
	return profile;
}

START_TEST(a_profile_of_nothing_is_a_profile)
{
	struct prf_profile *profile = made_profile(NULL);

	made_finish(profile);
	made_check_sums(profile, 0);
	ck_assert_ptr_null(profile->program);
	ck_assert_uint_eq(profile->n_objects, 0);
	made_free(profile);
}
END_TEST

START_TEST(ticks_are_charged_to_the_function_they_fell_in)
{
	struct prf_profile *profile = begin(NULL);

	made_ticks(profile, prog, 1);
	made_ticks(profile, prog + 0xfff, 2);
	made_ticks(profile, lib + 0x7ff, 4);
	made_ticks(profile, lib + 0x800, 8);
	made_finish(profile);
	made_check_sums(profile, 15);
	ck_assert_ptr_eq(profile->program, made_object(profile, "prog"));
	ck_assert_uint_eq(made_ticks_of(profile, "prog", "f"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "prog", "g"), 2);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 4);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "k"), 8);
	ck_assert_int_eq(profile->pid, 4711);
	ck_assert_uint_eq(made_warnings()->n, 0);
	made_free(profile);
}
END_TEST

START_TEST(a_program_whose_file_is_gone_is_the_program)
{
	static const char *const ends[] = {"", " (deleted)", " deleted", "x"};
	struct prf_profile *profile = made_profile(NULL);
	struct prf_mapping map;
	char path[512];

	made_elf("prog", fg, 2);
	map = made_mapping("prog", prog);
	snprintf(path, sizeof path, "%s%s", map.path, ends[_i]);
	const struct prf_exec exec = {.pid = 1,
				      .command = "",
				      .path = path,
				      .inode = map.inode,
				      .addr_bytes = 8};
	made_exec_as(profile, &exec);
	made_map(profile, "prog", prog);
	made_finish(profile);
	ck_assert_int_eq(profile->program != NULL, _i < 2);
	made_free(profile);
}
END_TEST

START_TEST(what_is_in_nothing_is_unknown)
{
	struct prf_profile *profile = begin(NULL);

	made_ticks(profile, 0, 1);
	made_ticks(profile, UINT64_MAX, 2);
	made_ticks(profile, prog - 1, 4);
	made_ticks(profile, prog + 0x1000, 8);
	made_finish(profile);
	made_check_sums(profile, 15);
	ck_assert_uint_eq(made_ticks_of(profile, "[unknown]", "[unknown]"), 15);
	made_free(profile);
}
END_TEST

/* Its text is at 0x1000 of the file and linked at 0x21000. */
static void
make_far(const char *name)
{
	static const struct elf_symbol far = {"far",      0x21000,  0x1000,
					      STB_GLOBAL, STT_FUNC, 1};
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	size_t size;

	elf_builder_section(builder, &(struct elf_section){
					     .name = ".text",
					     .flags = SHF_ALLOC | SHF_EXECINSTR,
					     .vaddr = 0x21000,
					     .size = 0x1000});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R | PF_X,
						  .p_offset = 0x1000,
						  .p_vaddr = 0x21000,
						  .p_filesz = 0x1000,
						  .p_memsz = 0x1000});
	elf_builder_symbols(builder, SHT_SYMTAB, 0, &far, 1);
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	elf_write(made_path(name), bytes, size);
	free(bytes);
}

/* Its offsets, taken for vaddrs, would be in the function. */
START_TEST(mapped_data_is_unknown_and_not_some_function)
{
	struct prf_profile *profile = begin(NULL);

	make_far("far");
	made_map(profile, "far", jit);
	struct prf_mapping map = made_mapping("far", jit + 0x100000);
	map.file_off = 0x21000;
	made_map_as(profile, &map);
	made_ticks(profile, jit + 0x100, 1);
	made_ticks(profile, map.addr + 0x100, 2);
	made_finish(profile);
	made_check_sums(profile, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "far", "far"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "[unknown]", "[unknown]"), 2);
	made_free(profile);
}
END_TEST

START_TEST(the_kernel_is_apart_or_it_is_not)
{
	const struct prf_profile_config config = {.kernel_apart = _i};
	struct prf_profile *profile = begin(&config);

	made_call(profile, lib, SYS_read, 1);
	made_call(profile, lib, SYS_write, 2);
	made_call(profile, 0x10, SYS_write, 4);
	made_call(profile, lib, -5, 8);
	made_finish(profile);
	made_check_sums(profile, 15);
	if (_i) {
		ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", "read"),
				  1);
		ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", "write"),
				  6);
		ck_assert_uint_eq(
			made_ticks_of(profile, "[kernel]", "syscall_-5"), 8);
	} else {
		ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 11);
		ck_assert_uint_eq(
			made_ticks_of(profile, "[unknown]", "[unknown]"), 4);
	}
	made_free(profile);
}
END_TEST

START_TEST(a_file_mapped_twice_is_one_object)
{
	struct prf_profile *profile = begin(NULL);

	made_map(profile, "lib", lib + 0x10000);
	made_ticks(profile, lib, 1);
	made_ticks(profile, lib + 0x10000, 2);
	made_ticks(profile, lib + 0x10800, 4);
	made_finish(profile);
	made_check_sums(profile, 7);
	ck_assert_uint_eq(profile->n_objects, 2);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 3);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "k"), 4);
	made_free(profile);
}
END_TEST

START_TEST(another_library_at_the_same_address_has_its_own_ticks)
{
	struct prf_profile *profile = begin(NULL);

	made_elf("other", fg, 2);
	made_ticks(profile, lib, 1);
	if (_i)
		made_map_kind(profile, PRF_MAPPING_NONE, lib, 0x1000);
	made_map(profile, "other", lib);
	made_ticks(profile, lib, 2);
	made_map(profile, "lib", lib);
	made_ticks(profile, lib, 4);
	made_finish(profile);
	made_check_sums(profile, 7);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 5);
	ck_assert_uint_eq(made_ticks_of(profile, "other", "f"), 2);
	made_free(profile);
}
END_TEST

/* As a compiler does that writes its output while it is run. */
START_TEST(a_library_built_anew_under_its_name_is_another)
{
	struct prf_profile *profile = begin(NULL);

	made_ticks(profile, lib, 1);
	made_elf("new", fg, 2);
	ck_assert_int_eq(rename(made_path("new"), made_path("lib")), 0);
	made_map(profile, "lib", lib);
	made_ticks(profile, lib, 2);
	made_finish(profile);
	made_check_sums(profile, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "f"), 2);
	made_free(profile);
}
END_TEST

START_TEST(what_is_unmapped_is_unknown)
{
	struct prf_profile *profile = begin(NULL);

	made_map_kind(profile, PRF_MAPPING_NONE, lib + 0x400, 0x100);
	made_ticks(profile, lib + 0x3ff, 1);
	made_ticks(profile, lib + 0x400, 2);
	made_ticks(profile, lib + 0x500, 4);
	made_finish(profile);
	made_check_sums(profile, 7);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 5);
	ck_assert_uint_eq(made_ticks_of(profile, "[unknown]", "[unknown]"), 2);
	made_free(profile);
}
END_TEST

START_TEST(a_mapping_of_no_bytes_changes_nothing)
{
	struct prf_profile *profile = begin(NULL);

	made_map_kind(profile, PRF_MAPPING_NONE, 0, 0);
	made_map_kind(profile, PRF_MAPPING_ANON, lib, 0);
	made_ticks(profile, lib, 1);
	made_finish(profile);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 1);
	made_free(profile);
}
END_TEST

START_TEST(a_file_that_is_gone_is_counted_and_warned_of_once)
{
	struct prf_profile *profile = begin(NULL);
	struct prf_mapping map;

	made_elf("gone", fg, 2);
	map = made_mapping("gone", lib + 0x10000);
	ck_assert_int_eq(remove(map.path), 0);
	for (int i = 0; i < 2; i++)
		made_map_as(profile, &map);
	made_ticks(profile, map.addr + 0x10, 5);
	made_finish(profile);
	made_check_sums(profile, 5);
	ck_assert_uint_eq(made_ticks_of(profile, "gone", "[gone]"), 5);
	ck_assert_uint_eq(made_warnings()->n, 1);
	ck_assert_ptr_nonnull(strstr(made_warnings()->lines[0], map.path));
	made_free(profile);
}
END_TEST

START_TEST(jit_code_is_called_as_its_map_says)
{
	static const char map[] = "7f0001000000 100 compiled\n";
	struct prf_profile_config config = {0};
	struct prf_profile *profile;
	char directory[512];

	elf_write(made_path("perf-4711.map"), map, strlen(map));
	snprintf(directory, sizeof directory, "%s", made_path("."));
	config.perfmap_dir = directory;
	profile = begin(&config);
	made_map_kind(profile, PRF_MAPPING_ANON, jit, 0x10000);
	made_ticks(profile, jit, 1);
	made_ticks(profile, jit + 0x200, 2);
	made_finish(profile);
	made_check_sums(profile, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "compiled"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 2);
	made_free(profile);
}
END_TEST

START_TEST(a_return_address_is_in_the_function_that_called)
{
	const struct prf_frame frame = {lib + 0x800, PRF_FRAME_RETURN};
	const struct prf_sample sample = {.ticks = 1,
					  .syscall = PRF_NO_SYSCALL,
					  .n_frames = 1,
					  .frames = &frame};
	struct prf_profile *profile = begin(NULL);

	made_sample(profile, &sample);
	made_finish(profile);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 1);
	made_free(profile);
}
END_TEST

/* --- The invariant, against events of every kind */

static void
random_event(struct prf_profile *profile, struct random *random,
	     uint64_t *ticks)
{
	static const char *const files[] = {"prog", "lib", "blob"};
	uint64_t addr = lib + 0x400 * random_below(random, 64);
	uint32_t n = 1 + (uint32_t)random_below(random, 5);

	switch (random_below(random, 11)) {
	case 0:
		made_map(profile, files[random_below(random, 3)],
			 addr & ~0xfffULL);
		return;
	case 1:
		made_map_kind(profile, PRF_MAPPING_NONE, addr, 0x800);
		return;
	case 2:
		made_map_kind(profile, PRF_MAPPING_ANON, addr, 0x1000);
		return;
	case 3:
		made_call(profile, addr, (int32_t)random_next(random), n);
		break;
	default:
		made_ticks(profile, addr + random_below(random, 0x400), n);
		break;
	}
	*ticks += n;
}

START_TEST(every_tick_is_in_one_object)
{
	const struct prf_profile_config config = {.kernel_apart = _i};
	struct random random = random_begin();
	struct prf_profile *profile = begin(&config);
	uint64_t ticks = 0;

	elf_write(made_path("blob"), "blob", 4);
	for (int i = 0; i < 5000; i++)
		random_event(profile, &random, &ticks);
	made_finish(profile);
	made_check_sums(profile, ticks);
	made_free(profile);
}
END_TEST

/* --- Two in one */

static void
check_same_points(const struct prf_object *left, const struct prf_object *right)
{
	struct prf_points lefts = {.object = left}, rights = {.object = right};
	struct prf_point point, other;

	while (prf_points_next(&lefts, &point)) {
		ck_assert(prf_points_next(&rights, &other));
		ck_assert_uint_eq(point.vaddr, other.vaddr);
		ck_assert_uint_eq(point.ticks, other.ticks);
	}
	ck_assert(!prf_points_next(&rights, &other));
}

/* What was counted in one and merged is as if it had been counted in two. */
START_TEST(merged_profiles_are_as_if_all_had_been_counted_in_one)
{
	const struct prf_profile_config config = {.kernel_apart = true};
	struct prf_profile *both = begin(&config);
	struct prf_profile *parts[2] = {made_profile(&config),
					made_profile(&config)};

	made_exec(parts[1], "prog");
	made_map(parts[1], "prog", prog);
	made_map(parts[1], "lib", lib);
	made_map_kind(parts[1], PRF_MAPPING_ANON, jit, 0x1000);
	for (uint32_t i = 0; i < 40; i++) {
		struct prf_profile *part = parts[i % 2];
		uint64_t addr = (i % 3 ? prog : lib) + i * 0x40;

		made_ticks(both, addr, i + 1);
		made_ticks(part, addr, i + 1);
		made_ticks(both, jit + i, 1);
		made_ticks(part, jit + i, 1);
		made_call(both, 0, (int32_t)i % 4, 2);
		made_call(part, 0, (int32_t)i % 4, 2);
	}
	ck_assert_int_eq(prf_profile_merge(parts[0], parts[1]), 0);
	made_finish(both);
	made_finish(parts[0]);
	made_check_sums(both, 940);
	made_check_sums(parts[0], 940);
	for (size_t o = 0; o < both->n_objects; o++) {
		const struct prf_object *left = both->objects[o];
		const struct prf_object *right = parts[0]->objects[o];

		ck_assert_str_eq(left->path, right->path);
		check_same_points(left, right);
	}
	made_free(both);
	made_free(parts[0]);
	made_free(parts[1]);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profile");
	TCase *events = tcase_create("events");

	tcase_set_timeout(events, 120);
	tcase_add_checked_fixture(events, made_begin, made_end);
	tcase_add_test(events, a_profile_of_nothing_is_a_profile);
	tcase_add_test(events, ticks_are_charged_to_the_function_they_fell_in);
	tcase_add_loop_test(events, a_program_whose_file_is_gone_is_the_program,
			    0, 4);
	tcase_add_test(events, what_is_in_nothing_is_unknown);
	tcase_add_test(events, mapped_data_is_unknown_and_not_some_function);
	tcase_add_loop_test(events, the_kernel_is_apart_or_it_is_not, 0, 2);
	tcase_add_test(events, a_file_mapped_twice_is_one_object);
	tcase_add_loop_test(
		events, another_library_at_the_same_address_has_its_own_ticks,
		0, 2);
	tcase_add_test(events, a_library_built_anew_under_its_name_is_another);
	tcase_add_test(events, what_is_unmapped_is_unknown);
	tcase_add_test(events, a_mapping_of_no_bytes_changes_nothing);
	tcase_add_test(events,
		       a_file_that_is_gone_is_counted_and_warned_of_once);
	tcase_add_test(events, jit_code_is_called_as_its_map_says);
	tcase_add_test(events, a_return_address_is_in_the_function_that_called);
	tcase_add_loop_test(events, every_tick_is_in_one_object, 0, 2);
	tcase_add_test(events,
		       merged_profiles_are_as_if_all_had_been_counted_in_one);
	suite_add_tcase(suite, events);

	return suite;
}
