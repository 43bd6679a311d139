/* What a report says of its samples, above the table. */
#include "src/commands/report_header.h"

#include <stdlib.h>

#include "core/scope.h"
#include "support/suite.h"

/* FIGURES lead to this line of triggers. */
static void
check_line(const struct prf_figures *figures, const char *line)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	ck_assert_ptr_nonnull(out);
	prf_report_header_triggers(figures, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, line);
}

START_TEST(triggers_have_shares_of_all_ticks)
{
	check_line(&(struct prf_figures){.ticks = 8,
					 .triggers = {{"timer", 6}},
					 .n_triggers = 1,
					 .without_stop = 2},
		   "  trigger   timer 75.0 %, none 25.0 % of the ticks\n");
}
END_TEST

START_TEST(of_threads_that_never_ran_no_trigger_took_any)
{
	check_line(&(struct prf_figures){.ticks = 8, .without_stop = 8},
		   "  trigger   none 100 % of the ticks\n");
}
END_TEST

START_TEST(where_triggers_are_not_told_nothing_is_said_of_those_without_one)
{
	check_line(&(struct prf_figures){.ticks = 8, .without_stop = 2}, "");
	check_line(&(struct prf_figures){.ticks = 8,
					 .without_stop = 2,
					 .asked_trigger = "interrupt"},
		   "  trigger   interrupt\n");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("report_header");
	TCase *tcase = tcase_create("report_header");

	tcase_add_test(tcase, triggers_have_shares_of_all_ticks);
	tcase_add_test(tcase, of_threads_that_never_ran_no_trigger_took_any);
	tcase_add_test(
		tcase,
		where_triggers_are_not_told_nothing_is_said_of_those_without_one);
	suite_add_tcase(suite, tcase);
	return suite;
}
