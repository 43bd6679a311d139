#include "view/export/spread_export.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* Of 100 ticks rank 0 has 40, rank 1 the others, all but 10 in one function. */
static struct prf_row rows[] = {
	{.name = (char *)"rank 1", .count = {60, 60}},
	{.name = (char *)"rank 0", .count = {40, 40}},
};
static const struct prf_rows ranks = {.rows = rows, .n = 2, .all = {100, 100}};
enum { PERIOD_NS = 10000000 };

static struct prf_spread spread;
static char *text;

static void
add(struct prf_binary *binary, const char *name, uint64_t ticks)
{
	const struct prf_count count = {ticks, (double)ticks};

	ck_assert_int_eq(prf_spread_add(&spread, binary, name, &count), 0);
}

static void
begin(void)
{
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");

	ck_assert_ptr_nonnull(app);
	ck_assert_int_eq(prf_spread_begin(&spread, "rank 0"), 0);
	add(app, "_Z4workv", 30);
	add(app, "main", 10);
	ck_assert_int_eq(prf_spread_begin(&spread, "rank 1"), 0);
	add(app, "_Z4workv", 60);
	prf_binary_free(app);
}

static void
end(void)
{
	prf_spread_clear(&spread);
	free(text);
	text = NULL;
}

static void
has(const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in\n%s", part, text);
}

static void
export_csv(size_t max)
{
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(
		prf_spread_export_csv(&spread, &ranks, PERIOD_NS, max, out), 0);
	ck_assert_int_eq(fclose(out), 0);
}

START_TEST(csv_has_what_each_rank_has_of_each_function)
{
	export_csv(10);
	has("ticks,percent,low,high,seconds,rank,kind,function,binary\n60,");
	has(",0.600000,\"rank 1\",rank,,\n40,");
	has(",0.300000,\"rank 0\",function,\"work()\",\"/bin/app\"\n60,");
	has(",0.600000,\"rank 1\",function,\"work()\",\"/bin/app\"\n10,");
	has(",\"rank 0\",function,\"main\",\"/bin/app\"\n0,0.0000,0.0000,");
	has(",0.000000,\"rank 1\",function,\"main\",\"/bin/app\"\n");
}
END_TEST

START_TEST(no_more_functions_are_told_than_are_wanted)
{
	export_csv(1);
	has("work()");
	ck_assert_ptr_null(strstr(text, "main"));
}
END_TEST

START_TEST(json_has_a_list_for_each_function)
{
	const struct prf_share_export of = {ranks.all, 0, PERIOD_NS};
	size_t size;
	struct prf_json json = {.out = open_memstream(&text, &size)};

	ck_assert_ptr_nonnull(json.out);
	prf_json_object(&json, NULL);
	ck_assert_int_eq(prf_spread_export_json(&spread, &of, 1, &json), 0);
	prf_json_end(&json);
	ck_assert_int_eq(fclose(json.out), 0);
	has("{\"name\":\"work()\",\"binary\":\"/bin/app\",\"self\":{");
	has("\"ticks\":[30,60]}");
	has("\"more\":1}");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("spread_export");
	TCase *tcase = tcase_create("spread_export");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, csv_has_what_each_rank_has_of_each_function);
	tcase_add_test(tcase, no_more_functions_are_told_than_are_wanted);
	tcase_add_test(tcase, json_has_a_list_for_each_function);
	suite_add_tcase(suite, tcase);
	return suite;
}
