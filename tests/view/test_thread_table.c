#include "view/table/thread_table.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static struct prf_thread_doing threads[] = {
	{
		.pid = 7,
		.tid = 7,
		.program = "/bin/server",
		.name = "server",
		.rank = -1,
		.all = {60, 60},
		.process_ticks = 90,
		.process_threads = 2,
	},
	{
		.pid = 7,
		.tid = 8,
		.program = "/bin/server",
		.name = "",
		.rank = -1,
		.all = {30, 30},
		.process_ticks = 90,
		.process_threads = 2,
	},
	{
		.pid = 9,
		.tid = 9,
		.program = "/bin/client",
		.name = "client",
		.rank = 3,
		.all = {6, 6},
		.process_ticks = 6,
		.process_threads = 1,
	},
	{
		.program = "/bin/client",
		.name = "",
		.rank = -1,
		.all = {4, 4},
		.process_ticks = 4,
		.process_threads = 1,
	},
};

static char *text;

static void
print(size_t n, size_t n_more)
{
	const struct prf_thread_states states = {
		.threads = threads, .n = n, .all = {100, 100}};
	const struct prf_style style = {.width = 80};
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(
		prf_thread_table_print(&states, 10000000, n_more, &style, out),
		0);
	ck_assert_int_eq(fclose(out), 0);
}

static void
end(void)
{
	free(text);
	text = NULL;
}

static void
has(const char *line)
{
	ck_assert_msg(strstr(text, line) != NULL, "no \"%s\":\n%s", line, text);
}

START_TEST(each_process_is_told_before_its_threads)
{
	print(4, 0);
	has("\n  process   7 server: 2 threads, 0.900 s\n");
	has("\n  process   9 client, rank 3: 1 thread, 0.060 s\n");
	ck_assert_ptr_null(strstr(text, "more"));
}
END_TEST

START_TEST(how_many_the_others_are_is_not_told)
{
	print(4, 0);
	has("\n  process   client: 0.040 s\n");
	has("  others\n");
}
END_TEST

START_TEST(one_process_is_not_told_apart)
{
	print(2, 1);
	ck_assert_ptr_null(strstr(text, "process"));
	has("        7  server\n");
	has("        8  server\n");
	has("\n  1 more thread\n");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("thread_table");
	TCase *tcase = tcase_create("thread_table");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, each_process_is_told_before_its_threads);
	tcase_add_test(tcase, how_many_the_others_are_is_not_told);
	tcase_add_test(tcase, one_process_is_not_told_apart);
	suite_add_tcase(suite, tcase);
	return suite;
}
