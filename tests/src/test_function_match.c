#include "src/commands/function_match.h"

#include <errno.h>
#include <string.h>

#include "support/suite.h"
#include "view/made_graph.h"

static const struct made_call calls[] = {
	{0, "_ZN5space5firstIiEEvc", 1, false},
	{0, "first", 1, false},
	{0, "libx.so:second.cold", 1, false},
	{0, "second", 1, false},
	/* v<int>::push() and v<pair<int, int> >::push(). */
	{0, "_ZN1vIiE4pushEv", 1, false},
	{0, "_ZN1vI4pairIiiEE4pushEv", 1, false},
	/* As DWARF has them. */
	{0, "work<int>", 1, false},
	{0, "work<long>", 1, false},
};

enum { N = sizeof calls / sizeof *calls };

static struct prf_call_graph graph;

static void
begin(void)
{
	graph = made_graph(calls, N);
	for (size_t i = 0; i < N; i++)
		graph.functions[i].inlined =
			strncmp(graph.functions[i].name, "work", 4) == 0;
}

static void
end(void)
{
	made_graph_free(&graph);
}

/* The flags as a text: "x..x". */
static void
check_flags(const bool *flags, const char *expected)
{
	char text[N + 1] = "";

	for (size_t i = 0; i < N; i++)
		text[i] = flags[i] ? 'x' : '.';
	ck_assert_str_eq(text, expected);
}

static const struct {
	const char *word, *flags;
} words[] = {
	{"first", ".x......"},
	{"space::first", "x......."},
	{"void space::first<int>(char)", "x......."},
	{"_ZN5space5firstIiEEvc", "x......."},
	{"second", "...x...."},
	{"fir", "xx......"},
	{"^fir", ".x......"},
	{"libx", "..x....."},
	{"^(first|second)$", ".x.x...."},
	/* Both have int in their arguments: it is the one that is shown so. */
	{"v::push", "....xx.."},
	{"v::push [int]", "....x..."},
	{"v::push [pair]", ".....x.."},
	{"v::push [pair..int]", ".....x.."},
	{"work", "......xx"},
	{"work [int]", "......x."},
	{"work (inlined)", "......xx"},
	{"work (inlined) [long]", ".......x"},
	{"work [long] (inlined)", ".......x"},
	{"work<long> (inlined)", ".......x"},
};

START_TEST(a_name_goes_before_an_expression)
{
	bool flags[N] = {false};
	struct prf_error err = {0};

	ck_assert_int_eq(
		prf_function_match_word(&graph, words[_i].word, flags, &err),
		0);
	check_flags(flags, words[_i].flags);
}
END_TEST

START_TEST(what_nobody_is_called_is_told)
{
	bool flags[N] = {false};
	struct prf_error err = {0};

	ck_assert_int_eq(prf_function_match_word(&graph, "third", flags, &err),
			 -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "'third'"));
	ck_assert_int_eq(prf_function_match_word(&graph, "(", flags, &err),
			 -EINVAL);
	/* It is not inlined. */
	ck_assert_int_eq(prf_function_match_word(&graph, "second (inlined)",
						 flags, &err),
			 -ENOENT);
}
END_TEST

START_TEST(focus_and_ignore_are_told_apart)
{
	bool focus[N] = {false}, ignore[N] = {false};
	struct prf_matching matching = {0};
	struct prf_error err;

	ck_assert_int_eq(prf_matching_focus(&matching, "first", &err), 0);
	ck_assert_int_eq(prf_matching_ignore(&matching, "<int>|libx", &err), 0);
	ck_assert_int_eq(
		prf_function_match_choice(&graph, &matching, focus, ignore), 0);
	check_flags(focus, "xx......");
	check_flags(ignore, "x.x.x.x.");
	prf_matching_clear(&matching);
	ck_assert_int_eq(
		prf_function_match_choice(&graph, &matching, focus, ignore), 0);
	check_flags(focus, "xxxxxxxx");
	check_flags(ignore, "........");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("function_match");
	TCase *tcase = tcase_create("function_match");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_loop_test(tcase, a_name_goes_before_an_expression, 0,
			    sizeof words / sizeof *words);
	tcase_add_test(tcase, what_nobody_is_called_is_told);
	tcase_add_test(tcase, focus_and_ignore_are_told_apart);
	suite_add_tcase(suite, tcase);
	return suite;
}
