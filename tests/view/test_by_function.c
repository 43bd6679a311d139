/* Calls that are by function lead to where functions begin: what line that is, and
 * what is inlined there, is no place of a tick, and is told by none who writes. */
#include <stdio.h>
#include <string.h>

#include "core/scope.h"
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

/* Ticks in the function, 3 of them where it begins, and what called it. */
static void
add_samples(void)
{
	struct prf_frame frames[] = {
		{(uintptr_t)outer_function, PRF_FRAME_PC},
		{(uintptr_t)begin + 1, PRF_FRAME_RETURN},
	};
	struct prf_sample made = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = 3,
		.syscall = PRF_NO_SYSCALL,
		.end = PRF_STACK_COMPLETE,
		.n_frames = 2,
		.frames = frames,
	};

	made_sample(run, &made);
	frames[0].addr++;
	made.ticks = 4;
	made_sample(run, &made);
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

/* Lines that have a number, and those below the first of their location. */
static size_t
n_lines_of_pprof(void)
{
	PRF_AUTO(prf_pprof_message_clear) struct prf_pprof_message message;
	struct prf_error err = {0};
	size_t n, n_lines = 0;
	PRF_AUTO(prf_auto_free) char *file = write_pprof(&n);

	ck_assert_int_eq(prf_pprof_message_read(&message, file, n, &err), 0);
	PrfPprof__Profile *profile = prf_pprof__profile__unpack(
		NULL, message.n_bytes, message.message);
	ck_assert_ptr_nonnull(profile);
	ck_assert_uint_ge(profile->n_location, 2);
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
	tcase_add_test(tcase, no_line_is_told_in_a_pprof_file);
	tcase_add_test(tcase, a_pprof_file_is_read_as_by_function);
	tcase_add_test(tcase, a_pprof_file_by_address_is_read_as_that);
	suite_add_tcase(suite, tcase);
	return suite;
}
