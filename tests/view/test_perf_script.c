#include "view/export/perf_script.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "view/export/stack_table.h"
#include "view/made_stacks.h"

static const char *
written(const struct prf_export_way *way)
{
	return made_stacks_written(prf_perf_script_write, way);
}

START_TEST(each_stack_is_a_block_with_the_innermost_frame_first)
{
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	const char *text = written(&(const struct prf_export_way){0});

	made_stacks_has(text, "prog 0/0 0.000000: 30000000 cpu-clock: \n"
			      "\t            1108 f (/");
	made_stacks_has(text, "prog)\n\t            1007 main (/");
	ck_assert_str_eq(text + strlen(text) - 2, "\n\n");
}
END_TEST

START_TEST(the_clock_is_the_event)
{
	made_stacks_add(1, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN));
	made_stacks_has(
		written(&(const struct prf_export_way){.clock = "wall"}),
		": 10000000 wall-clock: \n");
}
END_TEST

START_TEST(hostile_names_stay_in_their_line)
{
	made_stacks_add(1, PRF_NO_SYSCALL, MADE_PATH(MADE_HOSTILE));
	made_stacks_has(
		written(&(const struct prf_export_way){.full_names = true}),
		" </script>?\"fn=(1) x\\?;?[2Jcalls=9 0?? (/");
}
END_TEST

START_TEST(a_run_without_ticks_is_empty)
{
	ck_assert_str_eq(written(&(const struct prf_export_way){0}), "");
}
END_TEST

/* --- Of a recording */

static void
add_sample(struct prf_stack_table *stacks, uint32_t thread, uint64_t time_ns)
{
	ck_assert_int_eq(prf_stack_table_add_sample(
				 stacks,
				 &(const struct prf_stack_table_sample){
					 .time_ns = time_ns,
					 .count = {.ticks = 1},
					 .thread = thread,
				 }),
			 0);
}

static uint32_t
add_thread(struct prf_stack_table *stacks, pid_t tid, const char *name)
{
	struct prf_stack_table_thread thread = {
		.pid = 7, .tid = tid, .program = strdup("prog")};
	uint32_t number;

	strcpy(thread.name, name);
	ck_assert_int_eq(prf_stack_table_add_thread(stacks, &thread, &number),
			 0);
	return number;
}

START_TEST(samples_of_a_recording_are_in_the_order_of_time)
{
	static const struct prf_export_way way = {0};
	struct prf_profile profile = {0};
	struct prf_stack_table stacks = {0};
	struct prf_error err;
	char *text;
	size_t n_bytes;

	ck_assert_int_eq(prf_stack_table_init(&stacks, &profile), 0);
	uint32_t first = add_thread(&stacks, 7, "");
	uint32_t second = add_thread(&stacks, 8, "a worker");
	stacks.has_times = true;
	add_sample(&stacks, first, 1000002000);
	add_sample(&stacks, first, 3000000999);
	add_sample(&stacks, second, 2500000000);
	ck_assert_int_eq(prf_stack_table_finish(&stacks, &way), 0);

	FILE *out = open_memstream(&text, &n_bytes);
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_perf_script_write_stacks(&stacks, &way, out, &err),
			 0);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, "prog 7/7 1.000002: 1 cpu-clock: \n\n"
			       "a worker 7/8 2.500000: 1 cpu-clock: \n\n"
			       "prog 7/7 3.000000: 1 cpu-clock: \n\n");
	free(text);
	prf_stack_table_clear(&stacks);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("perf_script");
	TCase *tcase = tcase_create("perf_script");
	TCase *recording = tcase_create("recording");

	tcase_add_checked_fixture(tcase, made_stacks_begin, made_stacks_end);
	tcase_add_test(tcase,
		       each_stack_is_a_block_with_the_innermost_frame_first);
	tcase_add_test(tcase, the_clock_is_the_event);
	tcase_add_test(tcase, hostile_names_stay_in_their_line);
	tcase_add_test(tcase, a_run_without_ticks_is_empty);
	suite_add_tcase(suite, tcase);
	tcase_add_test(recording,
		       samples_of_a_recording_are_in_the_order_of_time);
	suite_add_tcase(suite, recording);
	return suite;
}
