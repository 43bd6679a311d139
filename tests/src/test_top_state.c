#include "src/top/top_state.h"

#include <string.h>

#include "support/suite.h"

enum { ROWS = 30, IN_SIGHT = 10 };

static struct prf_top_state state;

static enum prf_top_action
press(int key)
{
	return prf_top_state_press(&state, key, ROWS, IN_SIGHT);
}

static void
begin(void)
{
	state = (struct prf_top_state){0};
}

START_TEST(the_selected_row_stays_in_sight)
{
	ck_assert_int_eq(press(PRF_TOP_KEY_UP), PRF_TOP_DRAW);
	ck_assert_uint_eq(state.selected, 0);
	for (int i = 0; i < 12; i++)
		press(PRF_TOP_KEY_DOWN);
	ck_assert_uint_eq(state.selected, 12);
	ck_assert_uint_eq(state.first, 3);
	press(PRF_TOP_KEY_PAGE_UP);
	ck_assert_uint_eq(state.selected, 2);
	ck_assert_uint_eq(state.first, 2);
	press(PRF_TOP_KEY_END);
	ck_assert_uint_eq(state.selected, ROWS - 1);
	ck_assert_uint_eq(state.first, ROWS - IN_SIGHT);
	press(PRF_TOP_KEY_PAGE_DOWN);
	ck_assert_uint_eq(state.selected, ROWS - 1);
	press(PRF_TOP_KEY_HOME);
	ck_assert_uint_eq(state.selected, 0);
	ck_assert_uint_eq(state.first, 0);
}
END_TEST

START_TEST(rows_that_are_gone_are_not_selected)
{
	press(PRF_TOP_KEY_END);
	prf_top_state_settle(&state, 3, IN_SIGHT);
	ck_assert_uint_eq(state.selected, 2);
	ck_assert_uint_eq(state.first, 0);
	prf_top_state_settle(&state, 0, IN_SIGHT);
	ck_assert_uint_eq(state.selected, 0);
	ck_assert_int_eq(prf_top_state_press(&state, PRF_TOP_KEY_DOWN, 0, 0),
			 PRF_TOP_DRAW);
	ck_assert_uint_eq(state.selected, 0);
}
END_TEST

static void
type(const char *text)
{
	while (*text)
		ck_assert_int_eq(press(*text++), PRF_TOP_DRAW);
}

/* Keys that mean something else are letters then. */
START_TEST(a_filter_is_typed)
{
	type("/qzp1");
	ck_assert(state.is_typing);
	ck_assert_str_eq(state.filter, "qzp1");
	press(PRF_TOP_KEY_BACKSPACE);
	press(PRF_TOP_KEY_ENTER);
	ck_assert(!state.is_typing);
	ck_assert_str_eq(state.filter, "qzp");
	ck_assert(prf_top_state_passes(&state, "xQZPx", "libc"));
	ck_assert(prf_top_state_passes(&state, "x", "aqzp"));
	ck_assert(!prf_top_state_passes(&state, "qz", "p"));
	press(PRF_TOP_KEY_ESCAPE);
	ck_assert(prf_top_state_passes(&state, "qz", "p"));
}
END_TEST

START_TEST(a_filter_has_an_end)
{
	press('/');
	for (int i = 0; i < 3 * PRF_TOP_FILTER_BYTES; i++)
		press('x');
	ck_assert_uint_eq(strlen(state.filter), PRF_TOP_FILTER_BYTES - 1);
	for (int i = 0; i < 3 * PRF_TOP_FILTER_BYTES; i++)
		press(PRF_TOP_KEY_BACKSPACE);
	ck_assert_str_eq(state.filter, "");
}
END_TEST

/* Its bytes come one by one. */
START_TEST(a_filter_has_characters_of_other_languages)
{
	static const char typed[] = "/z\303\244\344\270\255";

	for (size_t i = 0; typed[i]; i++)
		press((unsigned char)typed[i]);
	ck_assert_str_eq(state.filter, typed + 1);
	ck_assert(prf_top_state_passes(&state, "z\303\244\344\270\255hle", ""));
	press(PRF_TOP_KEY_BACKSPACE);
	ck_assert_str_eq(state.filter, "z\303\244");
	press(PRF_TOP_KEY_BACKSPACE);
	ck_assert_str_eq(state.filter, "z");
	press(PRF_TOP_KEY_BACKSPACE);
	ck_assert_str_eq(state.filter, "");
}
END_TEST

static const struct {
	int key;
	enum prf_top_action action;
} actions[] = {
	{'q', PRF_TOP_QUIT},
	{'p', PRF_TOP_COUNT},
	{'z', PRF_TOP_RESET},
	{'s', PRF_TOP_DRAW},
	{' ', PRF_TOP_DRAW},
	{'?', PRF_TOP_DRAW},
	{'%', PRF_TOP_NOTHING},
	{0x20ac, PRF_TOP_NOTHING},
	{PRF_TOP_KEY_INTERRUPT, PRF_TOP_QUIT},
	{PRF_TOP_KEY_SUSPEND, PRF_TOP_SUSPEND},
};

START_TEST(a_key_has_its_action)
{
	ck_assert_int_eq(press(actions[_i].key), actions[_i].action);
}
END_TEST

/* Also while a filter is typed. */
START_TEST(one_can_always_leave)
{
	press('/');
	ck_assert_int_eq(press(PRF_TOP_KEY_INTERRUPT), PRF_TOP_QUIT);
	ck_assert_int_eq(press(PRF_TOP_KEY_SUSPEND), PRF_TOP_SUSPEND);
}
END_TEST

START_TEST(views_are_chosen)
{
	press(PRF_TOP_KEY_END);
	press('3');
	ck_assert_int_eq(state.by, PRF_ROWS_BY_THREAD);
	ck_assert_uint_eq(state.selected, 0);
	press(PRF_TOP_KEY_TAB);
	ck_assert_int_eq(state.by, PRF_ROWS_BY_LINE);
	press('5');
	press(PRF_TOP_KEY_TAB);
	ck_assert_int_eq(state.by, PRF_ROWS_BY_FUNCTION);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("top_state");
	TCase *tcase = tcase_create("top_state");

	tcase_add_checked_fixture(tcase, begin, NULL);
	tcase_add_test(tcase, the_selected_row_stays_in_sight);
	tcase_add_test(tcase, rows_that_are_gone_are_not_selected);
	tcase_add_test(tcase, a_filter_is_typed);
	tcase_add_test(tcase, a_filter_has_an_end);
	tcase_add_test(tcase, a_filter_has_characters_of_other_languages);
	tcase_add_loop_test(tcase, a_key_has_its_action, 0,
			    sizeof actions / sizeof *actions);
	tcase_add_test(tcase, one_can_always_leave);
	tcase_add_test(tcase, views_are_chosen);
	suite_add_tcase(suite, tcase);
	return suite;
}
