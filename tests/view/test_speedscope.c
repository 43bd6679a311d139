#include "view/export/speedscope.h"

#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "support/suite.h"
#include "view/export/stack_table.h"
#include "view/made_stacks.h"

static const char *
written(const struct prf_export_way *way)
{
	return made_stacks_written(prf_speedscope_write, way);
}

START_TEST(each_stack_is_a_sample_with_its_time)
{
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	made_stacks_add(2, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN));
	const char *text =
		written(&(const struct prf_export_way){.command = "./prog"});

	made_stacks_has(text, "{\"$schema\":\"https://www.speedscope.app/"
			      "file-format-schema.json\"");
	made_stacks_has(text, "\"name\":\"./prog\"");
	/* The one that is in the most stacks comes first. */
	made_stacks_has(text, "\"frames\":[{\"name\":\"main\",\"file\":\"/");
	made_stacks_has(text, "\"type\":\"sampled\"");
	made_stacks_has(text, "\"unit\":\"nanoseconds\"");
	made_stacks_has(text, "\"samples\":[[0],\n[0,1]]");
	made_stacks_has(text, "\"weights\":[20000000,30000000]");
	made_stacks_has(text, "\"endValue\":50000000");
}
END_TEST

START_TEST(hostile_names_are_strings)
{
	made_stacks_add(1, PRF_NO_SYSCALL, MADE_PATH(MADE_HOSTILE));
	const char *text = written(&(const struct prf_export_way){
		.command = "\"]}\n", .full_names = true});

	made_stacks_has(text, "\"name\":\"\\u003c/script>\\u000a\\\"fn=(1) "
			      "x\\\\\\ufffd;\\u001b[2Jcalls=9 0\\u000d\\u000a"
			      "\"");
	made_stacks_has(text, "\"name\":\"\\\"]}\\u000a\"");
}
END_TEST

START_TEST(a_run_without_ticks_has_a_thread)
{
	made_stacks_has(written(&(const struct prf_export_way){0}),
			"\"samples\":[],\"weights\":[],\"endValue\":0");
}
END_TEST

/* Another thread has been where the first one was for 2 ticks, for 4. */
static int
write_of_two_threads(const struct prf_profile *profile,
		     const struct prf_export_way *way, FILE *out,
		     struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};
	struct prf_stack_table_thread thread = {.pid = 7, .tid = 8};
	struct prf_stack_table_sample sample = {.count = {.ticks = 4}};

	ck_assert_int_eq(prf_stack_table_of(profile, way, &stacks), 0);
	ck_assert_uint_eq(stacks.samples[0].count.ticks, 2);
	sample.node = stacks.samples[0].node;
	thread.program = strdup("other");
	thread.first = stacks.n_samples;
	ck_assert_int_eq(
		prf_stack_table_add_thread(&stacks, &thread, &sample.thread),
		0);
	ck_assert_int_eq(prf_stack_table_add_sample(&stacks, &sample), 0);
	return prf_speedscope_write_stacks(&stacks, way, out, err);
}

START_TEST(all_threads_together_come_before_each_alone)
{
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	made_stacks_add(2, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN));
	const char *text = made_stacks_written(
		write_of_two_threads, &(const struct prf_export_way){0});
	const char *all = strstr(text, "\"profiles\":["
				       "{\"type\":\"sampled\","
				       "\"name\":\"all threads\",");
	const char *own = strstr(text, "\"name\":\"prog\",\"unit\"");
	const char *other =
		strstr(text, "\"name\":\"other (7), thread 8\",\"unit\"");

	ck_assert_msg(all && own && other, "%s", text);
	ck_assert(all < own && own < other);
	made_stacks_has(all, "\"samples\":[[0],\n[0,1]],"
			     "\"weights\":[60000000,30000000],"
			     "\"endValue\":90000000");
	made_stacks_has(own, "\"weights\":[20000000,30000000]");
	made_stacks_has(other, "\"samples\":[[0]],\"weights\":[40000000]");
}
END_TEST

START_TEST(one_thread_is_all)
{
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	ck_assert_ptr_null(strstr(written(&(const struct prf_export_way){0}),
				  "all threads"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("speedscope");
	TCase *tcase = tcase_create("speedscope");

	tcase_add_checked_fixture(tcase, made_stacks_begin, made_stacks_end);
	tcase_add_test(tcase, each_stack_is_a_sample_with_its_time);
	tcase_add_test(tcase, hostile_names_are_strings);
	tcase_add_test(tcase, a_run_without_ticks_has_a_thread);
	tcase_add_test(tcase, all_threads_together_come_before_each_alone);
	tcase_add_test(tcase, one_thread_is_all);
	suite_add_tcase(suite, tcase);
	return suite;
}
