#include "view/page/diff_page.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "view/made_diff.h"

static const struct made_row rows[] = {
	{"main", "prog", 10, 10, 150, 190},
	{"hot", "prog", 100, 100, 100, 100},
	{"cold", "prog", 40, 80, 40, 80},
};

/* Main, and below it hot and colds, of which each calls the next. */
enum { N_COLD = 40, N_NODES = 3 + N_COLD };

static void
add_nodes(struct prf_diff_run *run, uint64_t cold_ticks)
{
	run->nodes = calloc(N_NODES, sizeof *run->nodes);
	ck_assert_ptr_nonnull(run->nodes);
	run->n_nodes = N_NODES;
	run->nodes[1] = (struct prf_diff_node){.row = 0, .self = 10};
	run->nodes[2] =
		(struct prf_diff_node){.parent = 1, .row = 1, .self = 100};
	for (size_t i = 3; i < N_NODES; i++)
		run->nodes[i] = (struct prf_diff_node){
			.parent = i == 3 ? 1 : i - 1,
			.row = 2,
			.self = cold_ticks,
		};
}

/* The page with N_MAX nodes, the caller's. */
static char *
written(size_t n_max)
{
	struct prf_diff diff = made_diff(rows, 3);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	diff.by = PRF_ROWS_BY_FUNCTION;
	diff.has_nodes = true;
	add_nodes(&diff.runs[0], 1);
	add_nodes(&diff.runs[1], 2);
	ck_assert_int_eq(prf_diff_make(&diff), 0);
	ck_assert_int_eq(prf_diff_page_write(&diff, false, n_max, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	prf_diff_clear(&diff);
	return text;
}

/* What stands in TEXT between NAME and the end of its list. */
static const char *
list_of(const char *text, const char *name)
{
	static char list[2000];
	const char *begin = strstr(text, name), *end;

	ck_assert_msg(begin != NULL, "no %s in %s", name, text);
	begin += strlen(name);
	end = strchr(begin, ']');
	ck_assert(end && (size_t)(end - begin) < sizeof list);
	memcpy(list, begin, (size_t)(end - begin));
	list[end - begin] = '\0';
	return list;
}

START_TEST(what_is_small_is_pruned_where_there_is_too_much)
{
	char *text = written(8);
	size_t n = 1;

	ck_assert_ptr_nonnull(strstr(text, "[\"[pruned]\","));
	for (const char *at = list_of(text, "\"up\":["); *at; at++)
		n += *at == ',';
	ck_assert_uint_gt(n, 3);
	ck_assert_uint_le(n, 8);
	/* All ticks are there. */
	uint64_t sum = 0;
	for (const char *at = list_of(text, "\"self\":["); at;
	     at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		sum += strtoull(at, NULL, 10);
	ck_assert_uint_eq(sum, 110 + 2 * N_COLD);
	sum = 0;
	for (const char *at = list_of(text, "\"old\":["); at;
	     at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		sum += strtoull(at, NULL, 10);
	ck_assert_uint_eq(sum, 110 + N_COLD);
	free(text);
}
END_TEST

START_TEST(nothing_is_pruned_where_there_is_room)
{
	char *text = written(N_NODES);
	size_t n = 1;

	ck_assert_ptr_null(strstr(text, "[\"[pruned]\","));
	for (const char *at = list_of(text, "\"up\":["); *at; at++)
		n += *at == ',';
	ck_assert_uint_eq(n, N_NODES);
	free(text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("diff_page");
	TCase *tcase = tcase_create("diff_page");

	tcase_add_test(tcase, what_is_small_is_pruned_where_there_is_too_much);
	tcase_add_test(tcase, nothing_is_pruned_where_there_is_room);
	suite_add_tcase(suite, tcase);
	return suite;
}
