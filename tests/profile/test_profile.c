#include "profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "core/random.h"
#include "core/scope.h"
#include "space/files.h"
#include "support/made_run.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_perfmap, prf_perfmap_drop);

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

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

/* --- Of a run */

/* A run of a program "prog" with "lib"; both mapped. */
static struct prf_collector *
begin(const struct prf_collector_config *config)
{
	struct prf_collector *run = made_run(config);

	made_elf("prog", fg, 2);
	made_elf("lib", hk, 2);
	made_exec(run, "prog");
	made_map(run, "prog", prog);
	made_map(run, "lib", lib);
	return run;
}

START_TEST(a_profile_of_nothing_is_a_profile)
{
	struct prf_collector *run = made_run(NULL);

	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 0);
	ck_assert_ptr_null(profile->program);
	ck_assert_uint_eq(profile->n_binaries, 0);
	made_run_free(run);
}
END_TEST

START_TEST(ticks_are_charged_to_the_function_they_fell_in)
{
	struct prf_collector *run = begin(NULL);

	made_ticks(run, prog, 1);
	made_ticks(run, prog + 0xfff, 2);
	made_ticks(run, lib + 0x7ff, 4);
	made_ticks(run, lib + 0x800, 8);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 15);
	ck_assert_ptr_eq(profile->program, made_binary(profile, "prog"));
	ck_assert_uint_eq(made_ticks_of(profile, "prog", "f"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "prog", "g"), 2);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 4);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "k"), 8);
	ck_assert_uint_eq(run->warnings.n, 0);
	made_run_free(run);
}
END_TEST

START_TEST(a_program_whose_file_is_gone_is_the_program)
{
	static const char *const ends[] = {"", " (deleted)", " deleted", "x"};
	struct prf_collector *run = made_run(NULL);
	struct prf_mapping map;
	char path[512];

	made_elf("prog", fg, 2);
	map = made_mapping("prog", prog);
	snprintf(path, sizeof path, "%s%s", map.path, ends[_i]);
	const struct prf_exec exec = {.pid = MADE_PID,
				      .command = "",
				      .path = path,
				      .inode = map.inode,
				      .addr_bytes = 8};
	made_exec_as(run, &exec);
	made_map(run, "prog", prog);
	const struct prf_profile *profile = made_finish(run);
	ck_assert_int_eq(profile->program != NULL, _i < 2);
	made_run_free(run);
}
END_TEST

START_TEST(what_is_in_nothing_is_unknown)
{
	struct prf_collector *run = begin(NULL);

	made_ticks(run, 0, 1);
	made_ticks(run, UINT64_MAX, 2);
	made_ticks(run, prog - 1, 4);
	made_ticks(run, prog + 0x1000, 8);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 15);
	ck_assert_uint_eq(made_ticks_of(profile, "[unknown]", "[unknown]"), 15);
	made_run_free(run);
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
	struct prf_collector *run = begin(NULL);

	make_far("far");
	made_map(run, "far", jit);
	struct prf_mapping map = made_mapping("far", jit + 0x100000);
	map.file_off = 0x21000;
	made_map_as(run, &map);
	made_ticks(run, jit + 0x100, 1);
	made_ticks(run, map.addr + 0x100, 2);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "far", "far"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "[unknown]", "[unknown]"), 2);
	made_run_free(run);
}
END_TEST

START_TEST(the_kernel_is_apart_or_it_is_not)
{
	const struct prf_collector_config config = {.kernel_apart = _i};
	struct prf_collector *run = begin(&config);

	made_call(run, lib, SYS_read, 1);
	made_call(run, lib, SYS_write, 2);
	made_call(run, 0x10, SYS_write, 4);
	made_call(run, lib, -100, 8);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 15);
	if (_i) {
		ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", "read"),
				  1);
		ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", "write"),
				  6);
		ck_assert_uint_eq(
			made_ticks_of(profile, "[kernel]", "syscall_-100"), 8);
	} else {
		ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 11);
		ck_assert_uint_eq(
			made_ticks_of(profile, "[unknown]", "[unknown]"), 4);
	}
	made_run_free(run);
}
END_TEST

/* With a system call and without one, as in an interrupt. */
START_TEST(the_kernels_own_functions_are_counted_where_they_are_known)
{
	const struct prf_collector_config config = {.kernel_apart = true,
						    .call_graph = true};
	static const int32_t numbers[] = {SYS_read, PRF_NO_SYSCALL};
	const char *const names[] = {"copy_page", "vfs_read"};
	const struct prf_kernel_functions kernel = {2, names};
	const struct prf_frame frame = {lib, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = 3,
		.syscall = numbers[_i],
		.end = PRF_STACK_COMPLETE,
		.n_frames = 1,
		.frames = &frame,
		.kernel = &kernel,
	};
	struct prf_collector *run = begin(&config);

	made_sample(run, &sample);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", "copy_page"), 3);
	ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", "vfs_read"), 0);
	ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", "read"), 0);
	/* The PC, the call, and the two of them. */
	ck_assert_uint_eq(profile->calls->n, numbers[_i] == SYS_read ? 4 : 3);
	made_run_free(run);
}
END_TEST

START_TEST(a_file_mapped_twice_is_one_binary)
{
	struct prf_collector *run = begin(NULL);

	made_map(run, "lib", lib + 0x10000);
	made_ticks(run, lib, 1);
	made_ticks(run, lib + 0x10000, 2);
	made_ticks(run, lib + 0x10800, 4);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 7);
	ck_assert_uint_eq(profile->n_binaries, 2);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 3);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "k"), 4);
	made_run_free(run);
}
END_TEST

START_TEST(another_library_at_the_same_address_has_its_own_ticks)
{
	struct prf_collector *run = begin(NULL);

	made_elf("other", fg, 2);
	made_ticks(run, lib, 1);
	if (_i)
		made_map_kind(run, PRF_MAPPING_NONE, lib, 0x1000);
	made_map(run, "other", lib);
	made_ticks(run, lib, 2);
	made_map(run, "lib", lib);
	made_ticks(run, lib, 4);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 7);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 5);
	ck_assert_uint_eq(made_ticks_of(profile, "other", "f"), 2);
	made_run_free(run);
}
END_TEST

/* As a compiler does that writes its output while it is run. */
START_TEST(a_library_built_anew_under_its_name_is_another)
{
	struct prf_collector *run = begin(NULL);

	made_ticks(run, lib, 1);
	made_elf("new", fg, 2);
	ck_assert_int_eq(rename(made_path("new"), made_path("lib")), 0);
	made_map(run, "lib", lib);
	made_ticks(run, lib, 2);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "f"), 2);
	made_run_free(run);
}
END_TEST

START_TEST(what_is_unmapped_is_unknown)
{
	struct prf_collector *run = begin(NULL);

	made_map_kind(run, PRF_MAPPING_NONE, lib + 0x400, 0x100);
	made_ticks(run, lib + 0x3ff, 1);
	made_ticks(run, lib + 0x400, 2);
	made_ticks(run, lib + 0x500, 4);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 7);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 5);
	ck_assert_uint_eq(made_ticks_of(profile, "[unknown]", "[unknown]"), 2);
	made_run_free(run);
}
END_TEST

START_TEST(a_mapping_of_no_bytes_changes_nothing)
{
	struct prf_collector *run = begin(NULL);

	made_map_kind(run, PRF_MAPPING_NONE, 0, 0);
	made_map_kind(run, PRF_MAPPING_ANON, lib, 0);
	made_ticks(run, lib, 1);
	const struct prf_profile *profile = made_finish(run);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 1);
	made_run_free(run);
}
END_TEST

START_TEST(a_file_that_is_gone_is_counted_and_warned_of_once)
{
	struct prf_collector *run = begin(NULL);
	struct prf_mapping map;

	made_elf("gone", fg, 2);
	map = made_mapping("gone", lib + 0x10000);
	ck_assert_int_eq(remove(map.path), 0);
	for (int i = 0; i < 2; i++)
		made_map_as(run, &map);
	made_ticks(run, map.addr + 0x10, 5);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 5);
	ck_assert_uint_eq(made_ticks_of(profile, "gone", "[gone]"), 5);
	ck_assert_uint_eq(run->warnings.n, 1);
	ck_assert_ptr_nonnull(strstr(run->warnings.lines[0], map.path));
	made_run_free(run);
}
END_TEST

/* Few bytes of a trace could ask for very much memory. */
START_TEST(what_there_is_no_room_to_count_is_unknown)
{
	struct prf_collector *run = begin(NULL);
	struct prf_profile *profile = run->profile;
	uint64_t unknown_ticks = 0;
	struct prf_mapping map;

	made_elf("gone", fg, 2);
	map = made_mapping("gone", lib + 0x10000);
	ck_assert_int_eq(remove(map.path), 0);
	made_map_as(run, &map);
	ck_assert_int_eq(prf_profile_begin_calls(profile), 0);
	profile->n_blocks = PRF_BLOCKS_MAX - 1;
	made_ticks(run, map.addr + 0x10, 5);
	made_ticks(run, map.addr + PRF_GMON_BLOCK_BYTES, 3);
	made_ticks(run, map.addr + 0x20, 1);
	made_finish(run);
	made_check_sums(profile, 9);
	ck_assert_uint_eq(profile->n_blocks, PRF_BLOCKS_MAX);
	ck_assert_uint_eq(made_ticks_of(profile, "gone", "[gone]"), 6);
	ck_assert_uint_eq(made_ticks_of(profile, "[unknown]", "[unknown]"), 3);
	ck_assert_uint_eq(run->warnings.n, 2);
	ck_assert_ptr_nonnull(strstr(run->warnings.lines[1], "3 ticks "));
	/* The tree has them where the counters have them. */
	for (size_t i = 1; i <= profile->calls->n; i++) {
		const struct prf_call *call = prf_calls_at(profile->calls, i);

		if (call->binary->kind == PRF_BINARY_UNKNOWN)
			unknown_ticks += call->self.ticks;
	}
	ck_assert_uint_eq(unknown_ticks, 3);
	made_run_free(run);
}
END_TEST

START_TEST(jit_code_is_called_as_its_map_says)
{
	static const char map[] = "7f0001000000 100 compiled\n";
	struct prf_collector_config config = {0};
	struct prf_collector *run;
	char directory[512];

	elf_write(made_path("perf-4711.map"), map, strlen(map));
	snprintf(directory, sizeof directory, "%s", made_path("."));
	config.perfmap_dir = directory;
	run = begin(&config);
	made_map_kind(run, PRF_MAPPING_ANON, jit, 0x10000);
	made_ticks(run, jit, 1);
	made_ticks(run, jit + 0x200, 2);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "compiled"), 1);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 2);
	made_run_free(run);
}
END_TEST

START_TEST(a_return_address_is_in_the_function_that_called)
{
	const struct prf_frame frame = {lib + 0x800, PRF_FRAME_RETURN};
	const struct prf_sample sample = {.pid = MADE_PID,
					  .tid = MADE_PID,
					  .ticks = 1,
					  .syscall = PRF_NO_SYSCALL,
					  .n_frames = 1,
					  .frames = &frame};
	struct prf_collector *run = begin(NULL);

	made_sample(run, &sample);
	const struct prf_profile *profile = made_finish(run);
	ck_assert_uint_eq(made_ticks_of(profile, "lib", "h"), 1);
	made_run_free(run);
}
END_TEST

/* --- The invariant, against events of every kind */

static void
random_event(struct prf_collector *run, struct random *random, uint64_t *ticks)
{
	static const char *const files[] = {"prog", "lib", "blob"};
	uint64_t addr = lib + 0x400 * random_below(random, 64);
	uint32_t n = 1 + (uint32_t)random_below(random, 5);

	switch (random_below(random, 11)) {
	case 0:
		made_map(run, files[random_below(random, 3)], addr & ~0xfffULL);
		return;
	case 1:
		made_map_kind(run, PRF_MAPPING_NONE, addr, 0x800);
		return;
	case 2:
		made_map_kind(run, PRF_MAPPING_ANON, addr, 0x1000);
		return;
	case 3:
		made_call(run, addr, (int32_t)random_next(random), n);
		break;
	default:
		made_ticks(run, addr + random_below(random, 0x400), n);
		break;
	}
	*ticks += n;
}

START_TEST(every_tick_is_in_one_binary)
{
	const struct prf_collector_config config = {.kernel_apart = _i};
	struct random random = random_begin();
	struct prf_collector *run = begin(&config);
	uint64_t ticks = 0;

	elf_write(made_path("blob"), "blob", 4);
	for (int i = 0; i < 5000; i++)
		random_event(run, &random, &ticks);
	const struct prf_profile *profile = made_finish(run);
	made_check_sums(profile, ticks);
	made_run_free(run);
}
END_TEST

/* --- JIT code */

static void
add_jit(struct prf_profile *profile, pid_t pid, uint64_t addr, uint32_t ticks)
{
	const struct prf_location location = {PRF_MAPPING_ANON, NULL, addr};
	const struct prf_sample sample = {
		.pid = pid, .ticks = ticks, .syscall = PRF_NO_SYSCALL};

	ck_assert_int_eq(prf_profile_count(profile, &location, &sample), 0);
}

static void
name_jit(struct prf_profile *profile, pid_t pid, const char *text)
{
	PRF_AUTO(prf_perfmap_auto) struct prf_perfmap *map = NULL;

	if (text)
		ck_assert_int_eq(prf_perfmap_parse(strdup(text), strlen(text),
						   &map, NULL),
				 0);
	ck_assert_int_eq(prf_profile_end_jit(profile, pid, map), 0);
	ck_assert(!prf_profile_has_jit(profile, pid));
	made_check_sums(profile, profile->total.ticks);
	ck_assert_int_eq(prf_profile_name_jit(profile), 0);
	made_check_sums(profile, profile->total.ticks);
}

static const char jit_map[] = "1000 100 Script:~zebra\n"
			      "2000 100 LazyCompile:*apple x.js:1\n"
			      "3000 100 Script:~zebra\n"
			      "not a line\n"
			      "4000 100 never\n";

START_TEST(jit_code_has_the_names_of_its_map)
{
	static const uint64_t addrs[] = {0x1000, 0x10ff, 0x2080, 0x3000,
					 0x5000};
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	for (int i = 0; i < 5; i++)
		add_jit(profile, 7, addrs[i], 2);
	ck_assert(prf_profile_has_jit(profile, 7));
	ck_assert(!prf_profile_has_jit(profile, 8));
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 10);
	name_jit(profile, 7, jit_map);
	ck_assert_uint_eq(profile->n_binaries, 1);
	ck_assert_uint_eq(made_binary(profile, "[jit]")->names.n, 3);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "Script:~zebra"), 6);
	ck_assert_uint_eq(
		made_ticks_of(profile, "[jit]", "LazyCompile:*apple x.js:1"),
		2);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 2);
}
END_TEST

START_TEST(jit_code_without_a_map_or_with_an_empty_one_is_one)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	add_jit(profile, 7, 0x1000, 1);
	add_jit(profile, 7, 0x2000, 1);
	name_jit(profile, 7, _i ? "" : NULL);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 2);
}
END_TEST

START_TEST(jit_code_that_was_not_hit_needs_no_map)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	name_jit(profile, 7, jit_map);
	ck_assert_uint_eq(profile->n_binaries, 0);
}
END_TEST

/* Where JIT code was put depends on what else was. */
START_TEST(jit_code_of_all_processes_is_one_by_its_names)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	add_jit(profile, 7, 0x1000, 3);
	add_jit(profile, 8, 0x1000, 1);
	add_jit(profile, 7, 0x1001, 3);
	add_jit(profile, 8, 0x1200, 3);
	ck_assert_uint_eq(profile->n_binaries, 2);
	name_jit(profile, 7, "1000 100 same\n");
	ck_assert(prf_profile_has_jit(profile, 8));
	name_jit(profile, 8, "1000 100 before\n1200 100 same\n");
	ck_assert_uint_eq(profile->n_binaries, 1);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "same"), 9);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "before"), 1);
	ck_assert_double_eq(profile->binaries[0]->total.squares, 28);
	/* What comes later is another process's. */
	add_jit(profile, 7, 0x1000, 5);
	name_jit(profile, 7, "1000 100 later\n");
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "later"), 5);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "same"), 9);
}
END_TEST

/* What is counted at the same addresses of the same number is another's. */
START_TEST(jit_code_that_waits_for_its_names_is_left_alone)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	char text[64];

	for (uint32_t i = 1; i <= 4; i++) {
		PRF_AUTO(prf_perfmap_auto) struct prf_perfmap *map = NULL;

		add_jit(profile, 7, 0x1000, i);
		snprintf(text, sizeof text, "1000 100 name%u\n", i);
		ck_assert_int_eq(prf_perfmap_parse(strdup(text), strlen(text),
						   &map, NULL),
				 0);
		ck_assert_int_eq(prf_profile_end_jit(profile, 7, map), 0);
	}
	ck_assert_uint_eq(profile->n_binaries, 4);
	made_check_sums(profile, 10);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 10);
	add_jit(profile, 7, 0x1000, 5);
	ck_assert_int_eq(prf_profile_name_jit(profile), 0);
	ck_assert_uint_eq(profile->n_binaries, 2);
	made_check_sums(profile, 15);
	for (uint32_t i = 1; i <= 4; i++) {
		snprintf(text, sizeof text, "name%u", i);
		ck_assert_uint_eq(made_ticks_of(profile, "[jit]", text), i);
	}
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 5);
}
END_TEST

START_TEST(a_call_tree_without_the_jit_code_stays)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	ck_assert_int_eq(prf_profile_begin_calls(profile), 0);
	add_jit(profile, 7, 0x1000, 1);
	const struct prf_calls *calls = profile->calls;
	name_jit(profile, 7, jit_map);
	ck_assert_ptr_eq(profile->calls, calls);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "Script:~zebra"), 1);
}
END_TEST

/* A map of N names, each at an address of its own. */
static struct prf_perfmap *
many_names(int n)
{
	struct prf_perfmap *map = NULL;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int i = 0; i < n; i++)
		fprintf(out, "%x 10 function%d\n", 0x1000 + 0x10 * i, i);
	fclose(out);
	ck_assert_int_eq(prf_perfmap_parse(text, size, &map, NULL), 0);
	return map;
}

/* Memory that is free already, in pieces of which each begins with the next. */
static void *
hoard(void)
{
	enum { PIECE_BYTES = 32768 };
	void **pieces = NULL, **next;

	while ((next = malloc(PIECE_BYTES))) {
		*next = pieces;
		pieces = next;
	}
	return pieces;
}

static void
free_hoard(void **pieces)
{
	while (pieces) {
		void **next = *pieces;

		free(pieces);
		pieces = next;
	}
}

/* (0) a tree has no room; (1) so many names have none. */
START_TEST(where_memory_is_short_jit_code_goes_on_to_wait)
{
	enum { N = 200000 };
	struct rlimit none = {0, RLIM_INFINITY}, before;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	PRF_AUTO(prf_perfmap_auto) struct prf_perfmap *map = many_names(N);

	for (int i = 0; i < (_i ? N : 1); i++)
		add_jit(profile, 7, 0x1000 + 0x10 * (uint64_t)i, 1);
	add_jit(profile, 8, 0x1000, 1);
	if (_i == 0)
		ck_assert_int_eq(prf_profile_begin_calls(profile), 0);
	const struct prf_calls *calls = profile->calls;
	ck_assert_int_eq(prf_profile_end_jit(profile, 8, map), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
	none.rlim_max = before.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
	void *hoarded = hoard();
	int ended = prf_profile_end_jit(profile, 7, map);
	int rc = prf_profile_name_jit(profile);
	free_hoard(hoarded);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
	ck_assert_int_eq(ended, 0);
	ck_assert_int_eq(rc, -ENOMEM);
	ck_assert_ptr_eq(profile->calls, calls);
	made_check_sums(profile, profile->total.ticks);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"),
			  profile->total.ticks);
	ck_assert_int_eq(prf_profile_name_jit(profile), 0);
	made_check_sums(profile, profile->total.ticks);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "function0"), 2);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"), 0);
}
END_TEST

/* --- The kernel */

static void
add_call(struct prf_profile *profile, int32_t number, uint32_t ticks)
{
	const struct prf_sample sample = {.ticks = ticks, .syscall = number};

	ck_assert_int_eq(prf_profile_count_call(profile, 0, &sample), 0);
}

START_TEST(system_calls_have_their_names_or_their_numbers)
{
	static const struct {
		int32_t number;
		const char *name;
	} calls[] = {
		{SYS_read, "read"},
		{SYS_futex, "futex"},
		{100000, "syscall_100000"},
		{0x40000000, "syscall_1073741824"},
		{INT32_MAX, "syscall_2147483647"},
		{-100, "syscall_-100"},
		{INT32_MIN, "syscall_-2147483648"},
		{PRF_NO_PROCESSOR, "waiting_for_a_processor"},
		{PRF_PAGE_FAULT, "page_fault"},
		{PRF_ENDING, "ending"},
	};
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	add_call(profile, SYS_write, 1);
	add_call(profile, calls[_i].number, 3);
	add_call(profile, calls[_i].number, 4);
	made_check_sums(profile, 8);
	ck_assert_uint_eq(profile->n_binaries, 1);
	ck_assert_uint_eq(made_ticks_of(profile, "[kernel]", calls[_i].name),
			  7);
	ck_assert_double_eq(profile->total.squares, 26);
}
END_TEST

/* --- Binaries */

static struct prf_binary *
take_listed(struct prf_profile *profile, const char *path, uint64_t vaddr,
	    uint32_t ticks)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_FILE, path);

	binary->lo = 0x1000;
	binary->hi = 0x2000;
	ck_assert_int_eq(prf_binary_count(binary, vaddr, ticks, 0), 0);
	prf_count_add(&profile->total, ticks, 0);
	binary = prf_profile_take(profile, binary);
	ck_assert_ptr_nonnull(binary);
	return binary;
}

START_TEST(a_binary_that_is_there_is_added_to)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	const struct prf_binary *one = take_listed(profile, "/a", 0x1000, 1);

	ck_assert_ptr_ne(take_listed(profile, "/b", 0x1000, 2), one);
	ck_assert_ptr_eq(take_listed(profile, "/a", 0x1000, 4), one);
	ck_assert_uint_eq(profile->n_binaries, 2);
	ck_assert_uint_eq(one->total.ticks, 5);
	made_check_sums(profile, 7);
}
END_TEST

START_TEST(a_file_has_one_binary_whatever_its_number)
{
	enum { N = 40 };
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	struct prf_file *files[N];
	char name[16];

	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof name, "lib%d", i);
		made_elf(name, fg, 2);
		files[i] = made_file(name);
	}
	for (int i = N; i-- > 0;)
		ck_assert_ptr_eq(prf_profile_binary_of(profile, files[i])->file,
				 files[i]);
	for (int i = 0; i < N; i++) {
		struct prf_binary *binary =
			prf_profile_binary_of(profile, files[i]);

		ck_assert_ptr_eq(binary->file, files[i]);
		prf_files_drop(files[i]);
	}
	ck_assert_uint_eq(profile->n_binaries, N);
}
END_TEST

START_TEST(a_kind_without_a_file_has_one_binary)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();

	for (int kind = PRF_BINARY_VDSO; kind < PRF_N_BINARY_KINDS; kind++)
		for (int i = 0; i < 2; i++)
			ck_assert_int_eq(
				prf_profile_binary(profile,
						   (enum prf_binary_kind)kind)
					->kind,
				kind);
	ck_assert_uint_eq(profile->n_binaries,
			  PRF_N_BINARY_KINDS - PRF_BINARY_VDSO);
}
END_TEST

START_TEST(a_profile_without_its_files_is_the_same_and_can_go_on)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	const struct prf_sample sample = {.ticks = 3,
					  .syscall = PRF_NO_SYSCALL};

	made_elf("lib", hk, 2);
	struct prf_file *file = made_file("lib");
	const struct prf_location location = {PRF_MAPPING_FILE, file, 0x1800};
	for (uint32_t i = 1; i < 3; i++) {
		ck_assert_int_eq(prf_profile_count(profile, &location, &sample),
				 0);
		ck_assert_int_eq(prf_profile_detach(profile), 0);
		ck_assert_uint_eq(file->n_users, 1);
		made_check_sums(profile, 3 * i);
		ck_assert_uint_eq(made_ticks_of(profile, "lib", "k"), 3 * i);
	}
	ck_assert_uint_eq(profile->n_binaries, 1);
	prf_files_drop(file);
}
END_TEST

START_TEST(what_is_lost_and_what_is_unknown_is_told)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	const struct prf_location nowhere = {PRF_MAPPING_NONE, NULL, 1};
	const struct prf_sample most = {.ticks = UINT32_MAX,
					.syscall = PRF_NO_SYSCALL};

	ck_assert_uint_eq(prf_profile_unknown(profile), 0);
	made_elf("lib", hk, 2);
	struct prf_file *file = made_file("lib");
	const struct prf_location in = {PRF_MAPPING_FILE, file, 0x1800};
	const struct prf_location out = {PRF_MAPPING_FILE, file, 0x2000};
	ck_assert_int_eq(prf_profile_count(profile, &in, &most), 0);
	ck_assert_uint_eq(prf_profile_saturated(profile), 0);
	ck_assert_int_eq(prf_profile_count(profile, &in, &most), 0);
	ck_assert_int_eq(prf_profile_count(profile, &out, &most), 0);
	ck_assert_int_eq(prf_profile_count(profile, &nowhere, &most), 0);
	prf_files_drop(file);
	ck_assert_int_eq(prf_profile_add(sum, profile, NULL), 0);
	for (int i = 0; i < 2; i++) {
		const struct prf_profile *told = i ? sum : profile;

		ck_assert_uint_eq(told->total.ticks, UINT64_C(4) * UINT32_MAX);
		ck_assert_uint_eq(prf_profile_saturated(told), UINT32_MAX);
		ck_assert_uint_eq(prf_profile_unknown(told),
				  UINT64_C(2) * UINT32_MAX);
	}
}
END_TEST

static void
add_run_cases(TCase *tcase)
{
	tcase_add_test(tcase, a_profile_of_nothing_is_a_profile);
	tcase_add_test(tcase, ticks_are_charged_to_the_function_they_fell_in);
	tcase_add_loop_test(tcase, a_program_whose_file_is_gone_is_the_program,
			    0, 4);
	tcase_add_test(tcase, what_is_in_nothing_is_unknown);
	tcase_add_test(tcase, mapped_data_is_unknown_and_not_some_function);
	tcase_add_loop_test(tcase, the_kernel_is_apart_or_it_is_not, 0, 2);
	tcase_add_loop_test(
		tcase,
		the_kernels_own_functions_are_counted_where_they_are_known, 0,
		2);
	tcase_add_test(tcase, a_file_mapped_twice_is_one_binary);
	tcase_add_loop_test(
		tcase, another_library_at_the_same_address_has_its_own_ticks, 0,
		2);
	tcase_add_test(tcase, a_library_built_anew_under_its_name_is_another);
	tcase_add_test(tcase, what_is_unmapped_is_unknown);
	tcase_add_test(tcase, a_mapping_of_no_bytes_changes_nothing);
	tcase_add_test(tcase,
		       a_file_that_is_gone_is_counted_and_warned_of_once);
	tcase_add_test(tcase, what_there_is_no_room_to_count_is_unknown);
	tcase_add_test(tcase, jit_code_is_called_as_its_map_says);
	tcase_add_test(tcase, a_return_address_is_in_the_function_that_called);
	tcase_add_loop_test(tcase, every_tick_is_in_one_binary, 0, 2);
}

static void
add_counting_cases(TCase *tcase)
{
	tcase_add_test(tcase, jit_code_has_the_names_of_its_map);
	tcase_add_loop_test(tcase,
			    jit_code_without_a_map_or_with_an_empty_one_is_one,
			    0, 2);
	tcase_add_test(tcase, jit_code_that_was_not_hit_needs_no_map);
	tcase_add_test(tcase, jit_code_of_all_processes_is_one_by_its_names);
	tcase_add_test(tcase, jit_code_that_waits_for_its_names_is_left_alone);
	tcase_add_test(tcase, a_call_tree_without_the_jit_code_stays);
	if (!IS_SANITIZED)
		tcase_add_loop_test(
			tcase, where_memory_is_short_jit_code_goes_on_to_wait,
			0, 2);
	tcase_add_loop_test(
		tcase, system_calls_have_their_names_or_their_numbers, 0, 10);
	tcase_add_test(tcase, a_binary_that_is_there_is_added_to);
	tcase_add_test(tcase, a_file_has_one_binary_whatever_its_number);
	tcase_add_test(tcase, a_kind_without_a_file_has_one_binary);
	tcase_add_test(tcase,
		       a_profile_without_its_files_is_the_same_and_can_go_on);
	tcase_add_test(tcase, what_is_lost_and_what_is_unknown_is_told);
}

Suite *
prf_suite(void)
{
	static const struct {
		const char *name;
		void (*add)(TCase *tcase);
	} cases[] = {
		{"run", add_run_cases},
		{"counting", add_counting_cases},
	};
	Suite *suite = suite_create("profile");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_set_timeout(tcase, 120);
		tcase_add_checked_fixture(tcase, made_begin, made_end);
		cases[i].add(tcase);
		suite_add_tcase(suite, tcase);
	}
	return suite;
}
