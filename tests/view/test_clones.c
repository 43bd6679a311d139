#include "view/table/clones.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "view/made_graph.h"
#include "view/table/rows.h"

static void
check_name(const char *name, const char *without)
{
	ck_assert_uint_eq(prf_clones_name_bytes(name), strlen(without));
	ck_assert_int_eq(strncmp(name, without, strlen(without)), 0);
}

START_TEST(a_clone_has_the_name_of_its_function)
{
	check_name("f", "f");
	check_name("f.cold", "f");
	check_name("f.isra.0.constprop.1", "f");
	check_name("g(int) [clone .part.0]", "g(int)");
	check_name(".cold", ".cold");
	check_name("", "");
}
END_TEST

static const struct prf_row *
row_called(const struct prf_rows *rows, const char *name)
{
	size_t i = 0;

	while (i < rows->n && strcmp(rows->rows[i].name, name) != 0)
		i++;
	ck_assert_uint_lt(i, rows->n);
	return &rows->rows[i];
}

static struct prf_rows
rows_of(const struct made_call *calls, size_t n, bool joins_clones)
{
	struct prf_call_graph graph = made_graph(calls, n);
	struct prf_rows rows = {.joins_clones = joins_clones};

	ck_assert_int_eq(prf_rows_add_totals(&rows, &graph), 0);
	made_graph_free(&graph);
	return rows;
}

static uint64_t
total_of(const struct prf_rows *rows, const char *name)
{
	return row_called(rows, name)->total.ticks;
}

START_TEST(a_sample_in_several_clones_counts_once)
{
	static const struct made_call calls[] = {
		{0, "main", 0, false},           /* 1 */
		{1, "f", 1, false},              /* 2 */
		{2, "leaf", 2, false},           /* 3 */
		{2, "f.cold", 4, false},         /* 4 */
		{4, "leaf", 8, false},           /* 5 */
		{1, "f.constprop.0", 16, false}, /* 6 */
		{6, "leaf", 32, false},          /* 7 */
		{1, "libx:f.cold", 64, false},   /* 8 */
	};
	const size_t n = sizeof calls / sizeof *calls;
	struct prf_rows apart = rows_of(calls, n, false),
			joint = rows_of(calls, n, true);

	ck_assert_uint_eq(total_of(&apart, "f"), 1 + 2 + 4 + 8);
	ck_assert_uint_eq(total_of(&joint, "f"), 1 + 2 + 4 + 8);
	ck_assert_uint_eq(total_of(&apart, "f.constprop.0"), 16 + 32);
	ck_assert_uint_eq(total_of(&joint, "f.constprop.0"), 16 + 32);
	ck_assert_uint_eq(total_of(&joint, "leaf"), 2 + 8 + 32);
	ck_assert_uint_eq(total_of(&joint, "main"), 127);
	/* By name, then by binary. */
	ck_assert_uint_eq(row_called(&apart, "f.cold")[0].total.ticks, 64);
	ck_assert_uint_eq(row_called(&apart, "f.cold")[1].total.ticks, 4 + 8);
	ck_assert_uint_eq(row_called(&joint, "f.cold")[0].total.ticks, 64);
	ck_assert_uint_eq(row_called(&joint, "f.cold")[1].total.ticks, 0);
	prf_rows_clear(&apart);
	prf_rows_clear(&joint);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("clones");
	TCase *tcase = tcase_create("clones");

	tcase_add_test(tcase, a_clone_has_the_name_of_its_function);
	tcase_add_test(tcase, a_sample_in_several_clones_counts_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
