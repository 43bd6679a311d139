#include "view/export/thread_export.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* Of 100 ticks one thread has 60, of which it was blocked for 40, in two calls; the
 * other ran. */
static struct prf_binary binary = {.name = "server"};
static struct prf_call_function functions[] = {
	{.name = "futex"},
	{.name = "_ZN4pool4waitEv", .binary = &binary},
	{.name = "read"},
};
static struct prf_thread_wait waits[] = {
	{.call = 0, .from = 1, .count = {30, 30}},
	{.call = 2, .from = PRF_CALL_NONE, .count = {10, 10}},
};
static struct prf_thread_doing threads[] = {
	{
		.pid = 7,
		.tid = 8,
		.program = "/bin/server",
		.name = "worker",
		.rank = -1,
		.all = {60, 60},
		.states = {[PRF_SAMPLE_RUNNING] = {20, 20},
			   [PRF_SAMPLE_BLOCKED] = {40, 40}},
		.waits = waits,
		.n_waits = 2,
	},
	{
		.pid = 7,
		.tid = 7,
		.program = "/bin/server",
		.name = "server",
		.rank = -1,
		.all = {40, 40},
		.states = {[PRF_SAMPLE_RUNNING] = {40, 40}},
	},
};
static const struct prf_thread_states states = {
	.threads = threads,
	.n = 2,
	.all = {100, 100},
	.functions = {.all = functions, .n = 3},
};
enum { PERIOD_NS = 10000000 };

static char *text;

static void
end(void)
{
	free(text);
	text = NULL;
}

static void
export_csv(void)
{
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_thread_export_csv(&states, PERIOD_NS, out), 0);
	ck_assert_int_eq(fclose(out), 0);
}

/* Line NUMBER of TEXT, of which LINE_END is the end and TICKS the beginning. */
static void
check_line(unsigned number, const char *ticks, const char *line_end)
{
	const char *at = text;

	while (number--)
		at = strchr(at, '\n') + 1;
	size_t n = strcspn(at, "\n"), n_end = strlen(line_end);
	ck_assert_msg(strncmp(at, ticks, strlen(ticks)) == 0 && n >= n_end &&
			      memcmp(at + n - n_end, line_end, n_end) == 0,
		      "%.*s", (int)n, at);
}

START_TEST(csv_has_all_threads_and_then_where_they_were_blocked)
{
	export_csv();
	check_line(
		0, "ticks,percent,low,high,seconds,thread,pid,tid,program,",
		",rank,running_s,runnable_s,blocked_s,kind,call,from,binary");
	check_line(1, "60,60.0000,",
		   ",0.600000,\"worker\",7,8,\"/bin/server\",-1,0.200000,"
		   "0.000000,0.400000,thread,,,");
	check_line(2, "40,40.0000,", ",0.000000,0.000000,thread,,,");
	check_line(3, "30,30.0000,",
		   ",0.300000,\"worker\",7,8,\"/bin/server\",-1,0.000000,"
		   "0.000000,0.300000,wait,\"futex\",\"pool::wait()\","
		   "\"server\"");
	check_line(4, "10,10.0000,", ",wait,\"read\",,");
	check_line(5, "", "");
}
END_TEST

START_TEST(json_has_them_in_their_threads)
{
	size_t size;
	struct prf_json json = {.out = open_memstream(&text, &size)};

	ck_assert_ptr_nonnull(json.out);
	prf_json_object(&json, NULL);
	ck_assert_int_eq(prf_thread_export_json(&states, PERIOD_NS, 3, &json),
			 0);
	prf_json_end(&json);
	ck_assert_int_eq(fclose(json.out), 0);
	ck_assert_ptr_nonnull(
		strstr(text, "{\"call\":\"futex\",\"from\":\"pool::wait()\","
			     "\"binary\":\"server\",\"seconds\":0.3"));
	ck_assert_ptr_nonnull(strstr(text, "{\"call\":\"read\",\"from\":null,"
					   "\"binary\":null,\"seconds\":0.1"));
	ck_assert_ptr_nonnull(strstr(text, "\"waits\":[]"));
	ck_assert_ptr_nonnull(strstr(text, "\"more\":3"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("thread_export");
	TCase *tcase = tcase_create("thread_export");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase,
		       csv_has_all_threads_and_then_where_they_were_blocked);
	tcase_add_test(tcase, json_has_them_in_their_threads);
	suite_add_tcase(suite, tcase);
	return suite;
}
