/* Where lines are looked up.  Calls that are by function lead to where functions begin:
 * what line that is, and what is inlined there, is no place of a tick, and is told by
 * none who writes.  Ticks without stacks lead to counters, of which the instruction
 * that begins last has the ticks; so does a function that begins there. */
#include <stdio.h>
#include <string.h>

#include "core/scope.h"
#include "profile/call_graph.h"
#include "profile/calls.h"
#include "support/made_run.h"
#include "support/suite.h"
#include "view/export/stack_table.h"
#include "view/pprof/pprof_message.h"
#include "view/pprof/pprof_read.h"
#include "view/pprof/pprof_write.h"
#include "view/pprof/profile.pb-c.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

/* Its first instruction is of the other. */
static inline __attribute__((always_inline)) unsigned
inlined_function(const volatile unsigned *n)
{
	return *n + 1;
}

static unsigned __attribute__((noinline, used))
outer_function(const volatile unsigned *n)
{
	return inlined_function(n);
}

/* On x86 the function begins at an odd address; in its counter is the end of one from
 * another file. */
void odd_function(void);

static void __attribute__((noinline, used)) before_odd_function(void)
{
#line 1 "before.c"
	__asm__ volatile(".balign 2\n\tnop");
#line 43 "test_by_function.c"
	__asm__ volatile(".globl odd_function\n\t"
			 ".type odd_function, %function\n"
			 "odd_function:\n\tnop\n\t"
			 ".size odd_function, . - odd_function");
}

/* The same of what is inlined, and what is not. */
extern const char behind_inlined[];

static inline __attribute__((always_inline)) void
inlined_before(void)
{
	__asm__ volatile(".balign 2\n\tnop");
}

static void __attribute__((noinline, used)) function_around(void)
{
	inlined_before();
	__asm__ volatile(".globl behind_inlined\nbehind_inlined:\n\tnop");
}

static struct prf_collector *run;
static struct prf_binary_lines lines;
static struct prf_stack_table stacks;

static void
begin(void)
{
	made_begin();
	run = made_run(&(struct prf_collector_config){.call_graph = true});
	made_map_own_text(run, (const void *)outer_function);
}

static void
end(void)
{
	prf_stack_table_clear(&stacks);
	prf_binary_lines_clear(&lines);
	made_run_free(run);
	made_end();
}

/* TICKS at ADDR, and what called it. */
static void
add_stack(uintptr_t addr, uint32_t ticks)
{
	struct prf_frame frames[] = {
		{addr, PRF_FRAME_PC},
		{(uintptr_t)begin + 1, PRF_FRAME_RETURN},
	};
	const struct prf_sample made = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.end = PRF_STACK_COMPLETE,
		.n_frames = 2,
		.frames = frames,
	};

	made_sample(run, &made);
}

/* Ticks in the function, 3 of them where it begins. */
static void
add_samples(void)
{
	add_stack((uintptr_t)outer_function, 3);
	add_stack((uintptr_t)outer_function + 1, 4);
	made_finish(run);
}

static void
fold(void)
{
	ck_assert_int_eq(prf_calls_fold_functions(run->profile->calls), 0);
}

/* Of the frames, and of what is inlined in them. */
static size_t
n_lines_of_stacks(void)
{
	const struct prf_export_way way = {.lines = &lines};
	size_t n = 0;

	prf_stack_table_clear(&stacks);
	stacks = (struct prf_stack_table){0};
	ck_assert_int_eq(prf_stack_table_of(run->profile, &way, &stacks), 0);
	for (size_t i = 0; i < stacks.n_frames; i++)
		n += stacks.frames[i].line != 0;
	return n + stacks.n_inlined;
}

START_TEST(no_line_is_told_in_a_table_of_stacks)
{
	add_samples();
	ck_assert_uint_gt(n_lines_of_stacks(), 0);
	ck_assert(!stacks.by_function);
	fold();
	ck_assert_uint_eq(n_lines_of_stacks(), 0);
	ck_assert(stacks.by_function);
	ck_assert_uint_eq(stacks.n_samples, 1);
	ck_assert_uint_eq(stacks.samples[0].count.ticks, 7);
}
END_TEST

/* The file of a function is where it is, whatever was ticked. */
START_TEST(the_file_of_a_function_is_still_told)
{
	add_samples();
	fold();
	n_lines_of_stacks();
	uint32_t function =
		prf_stack_table_function_of(&stacks, stacks.samples[0].node);
	ck_assert_uint_ne(stacks.files[function], 0);
}
END_TEST

START_TEST(the_file_of_a_function_in_the_middle_of_a_counter_is_its_own)
{
	add_stack((uintptr_t)odd_function, 3);
	made_finish(run);
	fold();
	n_lines_of_stacks();
	const char *path = prf_stack_table_path(
		&stacks, stacks.files[prf_stack_table_function_of(
				 &stacks, stacks.samples[0].node)]);
	ck_assert_ptr_nonnull(path);
	ck_assert_ptr_nonnull(strstr(path, "test_by_function.c"));
}
END_TEST

/* Ticks behind what is inlined, without stacks. */
static void
add_ticks_behind_inlined(void)
{
	made_ticks(run, (uintptr_t)behind_inlined, 5);
	made_finish(run);
}

START_TEST(ticks_behind_what_is_inlined_are_not_of_that)
{
	add_ticks_behind_inlined();
	ck_assert_uint_eq(n_lines_of_stacks(), 1);
	ck_assert_uint_eq(stacks.n_inlined, 0);
	ck_assert_uint_eq(stacks.samples[0].count.ticks, 5);
}
END_TEST

START_TEST(nor_are_they_in_a_call_graph)
{
	struct prf_call_graph graph;

	add_ticks_behind_inlined();
	ck_assert_int_eq(prf_call_graph_make(run->profile,
					     &(struct prf_call_graph_way){
						     .inlines = &lines},
					     &graph),
			 0);
	ck_assert_uint_eq(graph.n_functions, 1);
	ck_assert_str_eq(graph.functions[0].name, "function_around");
	ck_assert_uint_eq(graph.functions[0].self.ticks, 5);
	prf_call_graph_clear(&graph);
}
END_TEST

/* --- In a pprof file */

static char *
write_pprof(size_t *n)
{
	const struct prf_export_way way = {.lines = &lines};
	struct prf_error err = {0};
	char *file = NULL;
	FILE *out = open_memstream(&file, n);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_pprof_write(run->profile, &way, out, &err), 0);
	ck_assert_int_eq(fclose(out), 0);
	return file;
}

/* As it is read; to be freed by protobuf-c. */
static PrfPprof__Profile *
pprof_of_run(void)
{
	PRF_AUTO(prf_pprof_message_clear) struct prf_pprof_message message;
	struct prf_error err = {0};
	size_t n;
	PRF_AUTO(prf_auto_free) char *file = write_pprof(&n);

	ck_assert_int_eq(prf_pprof_message_read(&message, file, n, &err), 0);
	PrfPprof__Profile *profile = prf_pprof__profile__unpack(
		NULL, message.n_bytes, message.message);
	ck_assert_ptr_nonnull(profile);
	return profile;
}

/* Lines that have a number, and those below the first of their location. */
static size_t
n_lines_of_pprof(void)
{
	PrfPprof__Profile *profile = pprof_of_run();
	size_t n_lines = 0;

	ck_assert_uint_ge(profile->n_location, 1);
	for (size_t i = 0; i < profile->n_location; i++) {
		const PrfPprof__Location *location = profile->location[i];

		ck_assert_uint_ge(location->n_line, 1);
		n_lines += location->n_line - 1;
		for (size_t j = 0; j < location->n_line; j++)
			n_lines += location->line[j]->line != 0;
	}
	prf_pprof__profile__free_unpacked(profile, NULL);
	return n_lines;
}

START_TEST(a_pprof_file_has_the_file_of_a_function_in_the_middle_of_a_counter)
{
	bool is_told = false;

	add_stack((uintptr_t)odd_function, 3);
	made_finish(run);
	fold();
	PrfPprof__Profile *profile = pprof_of_run();
	for (size_t i = 0; i < profile->n_function; i++) {
		const PrfPprof__Function *function = profile->function[i];

		if (strcmp(profile->string_table[function->name],
			   "odd_function") == 0)
			is_told = strstr(
				profile->string_table[function->filename],
				"test_by_function.c");
	}
	ck_assert(is_told);
	prf_pprof__profile__free_unpacked(profile, NULL);
}
END_TEST

START_TEST(nor_are_they_in_a_pprof_file)
{
	add_ticks_behind_inlined();
	ck_assert_uint_eq(n_lines_of_pprof(), 1);
}
END_TEST

START_TEST(no_line_is_told_in_a_pprof_file)
{
	add_samples();
	ck_assert_uint_gt(n_lines_of_pprof(), 0);
	fold();
	ck_assert_uint_eq(n_lines_of_pprof(), 0);
}
END_TEST

/* And no tick is where its address is. */
START_TEST(a_pprof_file_is_read_as_by_function)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *again = NULL;
	struct prf_error err = {0};
	size_t n;

	add_samples();
	fold();
	PRF_AUTO(prf_auto_free) char *file = write_pprof(&n);
	ck_assert_int_eq(prf_pprof_read(file, n,
					&(struct prf_objectfile_way){0}, &again,
					&err),
			 0);
	ck_assert(again->calls->by_function);
	ck_assert_uint_eq(again->total.ticks, 7);
	ck_assert_uint_eq(
		made_ticks_of(again, "test_by_function", "outer_function"), 7);
	for (size_t i = 0; i < again->n_binaries; i++) {
		ck_assert(again->binaries[i]->by_function);
		ck_assert_ptr_null(
			prf_binary_lines_of(&lines, again->binaries[i]));
	}
}
END_TEST

START_TEST(a_pprof_file_by_address_is_read_as_that)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *again = NULL;
	struct prf_error err = {0};
	size_t n;

	add_samples();
	PRF_AUTO(prf_auto_free) char *file = write_pprof(&n);
	ck_assert_int_eq(prf_pprof_read(file, n,
					&(struct prf_objectfile_way){0}, &again,
					&err),
			 0);
	ck_assert(!again->calls->by_function);
	for (size_t i = 0; i < again->n_binaries; i++)
		ck_assert(!again->binaries[i]->by_function);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("by_function");
	TCase *tcase = tcase_create("by_function");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, no_line_is_told_in_a_table_of_stacks);
	tcase_add_test(tcase, the_file_of_a_function_is_still_told);
	tcase_add_test(
		tcase,
		the_file_of_a_function_in_the_middle_of_a_counter_is_its_own);
	tcase_add_test(tcase, ticks_behind_what_is_inlined_are_not_of_that);
	tcase_add_test(tcase, nor_are_they_in_a_call_graph);
	tcase_add_test(tcase, no_line_is_told_in_a_pprof_file);
	tcase_add_test(
		tcase,
		a_pprof_file_has_the_file_of_a_function_in_the_middle_of_a_counter);
	tcase_add_test(tcase, nor_are_they_in_a_pprof_file);
	tcase_add_test(tcase, a_pprof_file_is_read_as_by_function);
	tcase_add_test(tcase, a_pprof_file_by_address_is_read_as_that);
	suite_add_tcase(suite, tcase);
	return suite;
}
