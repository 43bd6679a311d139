/* What pprof_write.c writes, pprof_read.c reads. */
#include "view/pprof/pprof_write.h"

#include <stdio.h>
#include <string.h>

#include "core/scope.h"
#include "profile/calls.h"
#include "support/made_run.h"
#include "support/suite.h"
#include "view/made_pprof.h"
#include "view/pprof/pprof_read.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

#define AT 0x555555555000
#define LIB 0x7f0000000000
#define JIT 0x7f0001000000

static struct prf_collector *run;
static char command[] = "./prog 'a b'";

static void
begin_run(bool has_stacks)
{
	static const struct elf_symbol program[] = {
		{"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"_ZN1a1bEv", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
	};
	static const struct elf_symbol library[] = {
		{"sort", 0x1000, 0x1000, STB_GLOBAL, STT_FUNC, 1},
	};

	made_begin();
	run = made_run(&(struct prf_collector_config){
		.kernel_apart = true,
		.call_graph = has_stacks,
		.origin = {.command = command, .is_told = true}});
	made_elf("prog", program, 2);
	made_elf("lib\xff", library, 1);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
	made_map(run, "lib\xff", LIB);
	made_map_kind(run, PRF_MAPPING_ANON, JIT, 0x10000);
}

static void
end_run(void)
{
	made_run_free(run);
	made_end();
}

/* A stack of the N ADDRS, the outermost first. */
static void
sample(uint32_t ticks, int32_t syscall, enum prf_stack_end end, size_t n,
       const uint64_t *addrs)
{
	struct prf_frame frames[8];
	const struct prf_sample made_up = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = syscall,
		.end = end,
		.n_frames = (uint32_t)n,
		.frames = frames,
	};

	for (size_t i = 0; i < n; i++)
		frames[i] = (struct prf_frame){
			addrs[n - 1 - i], i ? PRF_FRAME_RETURN : PRF_FRAME_PC};
	made_sample(run, &made_up);
}

#define SAMPLE(ticks, syscall, end, ...)                                       \
	sample(ticks, syscall, end,                                            \
	       sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),           \
	       (uint64_t[]){__VA_ARGS__})

static void
add_samples(void)
{
	SAMPLE(1, PRF_NO_SYSCALL, PRF_STACK_COMPLETE, AT + 0x10, AT + 0x110,
	       LIB + 0x20);
	SAMPLE(2, PRF_NO_SYSCALL, PRF_STACK_COMPLETE, AT + 0x10, AT + 0x120,
	       AT + 0x13, AT + 0x130);
	SAMPLE(4, 0, PRF_STACK_COMPLETE, AT + 0x10, LIB + 0x40);
	SAMPLE(8, PRF_NO_SYSCALL, PRF_STACK_NO_CFI, JIT + 0x10, 0x1234,
	       AT + 0x1f1);
	SAMPLE(16, PRF_NO_SYSCALL, PRF_STACK_NONE, LIB + 0x21);
	SAMPLE(32, PRF_NO_SYSCALL, PRF_STACK_COMPLETE, AT + 0x10, JIT + 0x20);
}

static struct prf_profile *
write_and_read(const struct prf_profile *profile)
{
	const struct prf_export_way way = {.begin_ns = 1700000000999999999};
	struct prf_profile *again = NULL;
	struct prf_error err = {0};
	PRF_AUTO(prf_auto_free) char *file = NULL;
	size_t n;
	FILE *out = open_memstream(&file, &n);

	ck_assert_int_eq(prf_pprof_write(profile, &way, out, &err), 0);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert(prf_pprof_read_is_it(file, n));
	ck_assert_msg(!prf_pprof_read(file, n, &made_no_files, &again, &err),
		      "%s", err.text);
	return again;
}

START_TEST(what_is_written_is_read_the_same)
{
	begin_run(true);
	add_samples();
	const struct prf_profile *profile = made_finish(run);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(profile);
	PRF_AUTO(prf_auto_free) char *before = strdup(made_describe(profile));

	ck_assert_str_eq(made_describe(again), before);
	ck_assert_uint_eq(again->total.ticks, 63);
	ck_assert_uint_eq(again->unit.rate_hz, profile->unit.rate_hz);
	ck_assert_str_eq(again->program->path, made_path("prog"));
	ck_assert_str_eq(again->origin.command, command);
	ck_assert_uint_eq(again->origin.begun_s, 1700000000);
	for (int end = 0; end < PRF_N_STACK_ENDS; end++)
		ck_assert_uint_eq(again->calls->ended[end],
				  profile->calls->ended[end]);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *twice = write_and_read(again);
	ck_assert_str_eq(made_describe(twice), before);
	end_run();
}
END_TEST

START_TEST(what_is_by_function_is_read_the_same)
{
	begin_run(true);
	add_samples();
	const struct prf_profile *profile = made_finish(run);
	PRF_AUTO(prf_auto_free) char *before = strdup(made_describe(profile));

	ck_assert_int_eq(prf_calls_fold_functions(run->profile->calls), 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(profile);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *twice = write_and_read(again);
	ck_assert(again->calls->by_function);
	ck_assert_str_eq(made_describe(again), before);
	ck_assert(twice->calls->by_function);
	ck_assert_str_eq(made_describe(twice), before);
	end_run();
}
END_TEST

START_TEST(what_is_read_can_be_added_to_its_run)
{
	struct prf_error err = {0};

	begin_run(true);
	add_samples();
	struct prf_profile *profile = made_finish(run);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(profile);
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	size_t n = 0;

	ck_assert_int_eq(prf_profile_add(sum, profile, &err), 0);
	n = sum->n_binaries;
	ck_assert_int_eq(prf_profile_add(sum, again, &err), 0);
	ck_assert_uint_eq(sum->total.ticks, 126);
	/* A name that was no UTF-8 is another binary's now. */
	ck_assert_uint_eq(sum->n_binaries, n + 1);
	ck_assert_uint_eq(made_ticks_of(sum, "prog", "_ZN1a1bEv"), 20);
	ck_assert_uint_eq(made_ticks_of(sum, "[kernel]", "read"), 8);
	ck_assert_int_eq(prf_profile_detach(sum), 0);
	end_run();
}
END_TEST

START_TEST(ticks_without_stacks_are_stacks_of_one_frame)
{
	struct prf_error err = {0};

	begin_run(false);
	add_samples();
	struct prf_profile *profile = made_finish(run);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(profile);
	ck_assert_str_eq(made_describe(again),
			 "[jit] 32/32 _ZN1a1bEv 10/10 read 4/4 sort 17/17 "
			 "= 63");

	/* Half of them have stacks. */
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	end_run();
	begin_run(true);
	add_samples();
	ck_assert_int_eq(prf_profile_add(sum, made_finish(run), &err), 0);
	ck_assert_int_eq(prf_profile_add(sum, again, &err), 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *mixed = write_and_read(sum);
	ck_assert_uint_eq(mixed->total.ticks, 126);
	ck_assert_uint_eq(made_ticks_of(mixed, "prog", "_ZN1a1bEv"), 20);
	ck_assert_uint_eq(made_ticks_of(mixed, "prog", "main"), 0);
	ck_assert_uint_eq(made_ticks_of(mixed, "[jit]", "[jit]"), 64);
	ck_assert_int_eq(prf_profile_detach(sum), 0);
	end_run();
}
END_TEST

START_TEST(a_profile_of_nothing_is_a_file)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *nothing = prf_profile_new();
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *again = write_and_read(nothing);

	ck_assert_str_eq(made_describe(again), "= 0");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pprof_round_trip");
	TCase *tcase = tcase_create("pprof_round_trip");

	tcase_add_test(tcase, what_is_written_is_read_the_same);
	tcase_add_test(tcase, what_is_by_function_is_read_the_same);
	tcase_add_test(tcase, what_is_read_can_be_added_to_its_run);
	tcase_add_test(tcase, ticks_without_stacks_are_stacks_of_one_frame);
	tcase_add_test(tcase, a_profile_of_nothing_is_a_file);
	suite_add_tcase(suite, tcase);
	return suite;
}
