#include "view/table/share.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static void
check_doubted(uint64_t ticks, uint64_t all, double doubt, bool has_colours,
	      const char *expected)
{
	const struct prf_count count = {ticks, (double)ticks},
			       total = {all, (double)all};
	const struct prf_style style = {.has_colours = has_colours};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_share_print(&count, &total, doubt, &style, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, expected);
	free(text);
}

static void
check(uint64_t ticks, uint64_t all, bool has_colours, const char *expected)
{
	check_doubted(ticks, all, 0, has_colours, expected);
}

START_TEST(a_share_has_its_interval)
{
	check(1, 1, false, "  100.00   5.46 .. 100.00");
	check(4, 4, false, "  100.00  39.57 .. 100.00");
	check(1, 6, false, "   16.67   0.87 ..  63.52");
	check(190, 1000, false, "   19.00  16.64 ..  21.61");
	check(1, 1000000, false, "    0.00   0.00 ..   0.01");
	check(999999, 1000000, false, "  100.00  99.99 .. 100.00");
}
END_TEST

START_TEST(what_may_be_anything_widens_it)
{
	check_doubted(190, 1000, 0.1, false, "   19.00   6.64 ..  31.61");
	check_doubted(190, 1000, 1, false, "   19.00   0.00 .. 100.00");
	check_doubted(1000, 1000, 0.25, false, "  100.00  74.52 .. 100.00");
}
END_TEST

START_TEST(headings_are_as_wide_as_what_stands_below)
{
	const struct prf_count all = {100, 100};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	check(1, 1, false, "  100.00   5.46 .. 100.00");
	ck_assert_uint_eq(strlen("  100.00   5.46 .. 100.00"), PRF_SHARE_WIDTH);
	prf_share_print_rest(33, &all, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_uint_eq(strlen(text), PRF_SHARE_WIDTH);
	ck_assert_ptr_eq(strstr(text, "   33.00 "), text);
	free(text);
}
END_TEST

START_TEST(a_hot_share_is_red_and_a_warm_one_green)
{
	check(50, 1000, true, "  \033[31m  5.00\033[m   3.76 ..   6.59");
	check(49, 1000, true, "  \033[32m  4.90\033[m   3.68 ..   6.48");
	check(5, 1000, true, "  \033[32m  0.50\033[m   0.18 ..   1.24");
	check(4, 1000, true, "    0.40   0.12 ..   1.10");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("share");
	TCase *tcase = tcase_create("share");

	tcase_add_test(tcase, a_share_has_its_interval);
	tcase_add_test(tcase, what_may_be_anything_widens_it);
	tcase_add_test(tcase, headings_are_as_wide_as_what_stands_below);
	tcase_add_test(tcase, a_hot_share_is_red_and_a_warm_one_green);
	suite_add_tcase(suite, tcase);
	return suite;
}
