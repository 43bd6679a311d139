#include "support/suite.h"
#include "view/table/share_columns.h"

#include <stdlib.h>
#include <string.h>

static const struct prf_count all = {100, 100}, self = {10, 10},
			      total = {50, 50};

/* Headings or a line. */
static char *
print(bool has_totals, size_t width, bool headings)
{
	const struct prf_style style = {.width = width};
	const struct prf_share_columns columns = {
		.has_totals = has_totals,
		.period_ns = 10000000,
		.all = all,
		.style = &style,
	};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	if (headings)
		prf_share_columns_print_headings(&columns, out);
	else
		prf_share_columns_print(&columns, &self, &total, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_uint_eq(strlen(text), prf_share_columns_width(&columns));
	return text;
}

static const struct {
	bool has_totals;
	size_t width;
	const char *headings, *line;
} tables[] = {
	{false, 80, "  self %    95 % interval    self s",
	 "   10.00   5.16 ..  18.04     0.100"},
	{true, 80, "  self %  95 % range total %  95 % range",
	 "   10.00   5.1-18.1    50.00  39.9-60.1 "},
	{true, 99, "  self %  95 % range total %  95 % range",
	 "   10.00   5.1-18.1    50.00  39.9-60.1 "},
	{true, 100, "  self %  95 % range total %  95 % range    self s",
	 "   10.00   5.1-18.1    50.00  39.9-60.1      0.100"},
	{true, 0, "  self %  95 % range total %  95 % range    self s",
	 "   10.00   5.1-18.1    50.00  39.9-60.1      0.100"},
};

START_TEST(columns_are_as_wide_as_what_stands_above)
{
	char *headings = print(tables[_i].has_totals, tables[_i].width, true);
	char *line = print(tables[_i].has_totals, tables[_i].width, false);

	ck_assert_str_eq(headings, tables[_i].headings);
	ck_assert_str_eq(line, tables[_i].line);
	free(headings);
	free(line);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("share_columns");
	TCase *tcase = tcase_create("share_columns");

	tcase_add_loop_test(tcase, columns_are_as_wide_as_what_stands_above, 0,
			    sizeof tables / sizeof *tables);
	suite_add_tcase(suite, tcase);
	return suite;
}
