#include "support/suite.h"
#include "view/made_graph.h"
#include "view/table/call_tree_print.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static struct prf_call_graph graph;
static struct prf_call_tree tree;
static char *text;

static void
end(void)
{
	free(text);
	prf_call_tree_clear(&tree);
	made_graph_free(&graph);
}

static void
print(const struct prf_call_choice *choice, double min_percent,
      size_t max_lines, const struct prf_style *style)
{
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct prf_call_tree_look look = {
		.kind = choice->kind,
		.all = graph.nodes[0].total,
		.min_percent = min_percent,
		.max_lines = max_lines,
	};

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_call_tree_of(&graph, choice, &tree), 0);
	ck_assert_int_eq(prf_call_tree_print(&tree, &graph, &look, style, out),
			 0);
	ck_assert_int_eq(fclose(out), 0);
}

static void
print_whole(double min_percent, const struct prf_style *style)
{
	static const struct prf_call_choice whole = {
		.kind = PRF_CALL_TREE_WHOLE};

	print(&whole, min_percent, 0, style);
}

/* TEXT without the columns of shares, of which the tests of share tell. */
static char *
without_shares(size_t width)
{
	char *at = text;

	for (char *line = text, *next; *line; line = next) {
		next = strchr(line, '\n') + 1;
		bool has_share = strncmp(line + 6, ".", 1) == 0 ||
				 strncmp(line + 5, ".", 1) == 0;
		size_t cut = line == text || has_share ? width : 0;

		memmove(at, line + cut, (size_t)(next - line) - cut);
		at += (size_t)(next - line) - cut;
	}
	*at = '\0';
	return text;
}

enum { SHARES = 30 }; /* the columns before a name */

#define GRAPH(calls) (graph = made_graph(calls, sizeof calls / sizeof *calls))

static const struct made_call usual[] = {
	{0, "_start", 0, false},            /* 1 */
	{1, "main", 10, false},             /* 2 */
	{2, "parse", 0, false},             /* 3 */
	{3, "lex", 100, false},             /* 4 */
	{4, "libc.so.6:read", 300, false},  /* 5 */
	{5, "[kernel]:read", 90, false},    /* 6 */
	{4, "skip", 200, true},             /* 7 */
	{2, "print", 0, false},             /* 8 */
	{8, "print", 0, false},             /* 9 */
	{9, "libc.so.6:write", 297, false}, /* 10 */
	{2, "rare", 3, false},              /* 11 */
};

START_TEST(only_branches_move_to_the_right)
{
	static const struct prf_style whole;

	GRAPH(usual);
	print_whole(1, &whole);
	ck_assert_str_eq(without_shares(SHARES),
			 "function\n"
			 "_start [prog]\n"
			 "main\n"
			 "|- parse\n"
			 "|  lex\n"
			 "|  |- read [libc.so.6]\n"
			 "|  |  read [kernel]\n"
			 "|  `- skip ?\n"
			 "`- print (recursive)\n"
			 "   write [libc.so.6]\n"
			 "  1 more line below 1 % of this tree\n"
			 "  ? was found without unwind information, and may "
			 "not belong there\n");
}
END_TEST

START_TEST(a_terminal_that_can_has_lines)
{
	static const struct prf_style lines = {.width = 80, .has_lines = true};

	GRAPH(usual);
	print_whole(1, &lines);
	ck_assert_ptr_nonnull(strstr(text, "  \u251c\u2500 parse\n"));
	ck_assert_ptr_nonnull(strstr(text, "  \u2502  lex\n"));
	ck_assert_ptr_nonnull(strstr(text, "  \u2514\u2500 print"));
}
END_TEST

START_TEST(shares_are_of_all_and_have_an_interval)
{
	static const struct prf_style whole;

	GRAPH(usual);
	print_whole(1, &whole);
	ck_assert_ptr_nonnull(strstr(text, " total %  95 % range  self %  "));
	ck_assert_ptr_nonnull(
		strstr(text, "\n  100.00  99.5-100.0    1.00  main\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "\n   69.00  66.0-71.9     0.00  |- parse\n"));
}
END_TEST

START_TEST(callers_have_no_share_of_their_own)
{
	static const struct prf_style whole;
	bool meant[16] = {false};

	GRAPH(usual);
	for (size_t i = 0; i < graph.n_functions; i++)
		meant[i] = strcmp(graph.functions[i].name, "write") == 0;
	const struct prf_call_choice choice = {.kind = PRF_CALL_TREE_ABOVE,
					       .meant = meant};
	print(&choice, 1, 0, &whole);
	ck_assert_str_eq(text,
			 " total %  95 % range  function, and who calls it\n"
			 "   29.70  26.9-32.7   write [libc.so.6]\n"
			 "   29.70  26.9-32.7   print (recursive) [prog]\n"
			 "   29.70  26.9-32.7   main\n"
			 "   29.70  26.9-32.7   _start\n");
}
END_TEST

START_TEST(lines_are_as_many_as_wanted)
{
	static const struct prf_style whole;
	static const struct prf_call_choice choice = {
		.kind = PRF_CALL_TREE_WHOLE};

	GRAPH(usual);
	print(&choice, 0, 3, &whole);
	ck_assert_str_eq(without_shares(SHARES), "function\n"
						 "_start [prog]\n"
						 "main\n"
						 "|- parse\n"
						 "  7 more lines\n");
}
END_TEST

/* Each function calls the next and a leaf, N deep. */
static void
make_deep(size_t n, const char *name)
{
	struct made_call *calls = calloc(2 * n, sizeof *calls);
	static char names[2][1100];

	ck_assert_ptr_nonnull(calls);
	for (size_t i = 0; i < 2; i++)
		snprintf(names[i], sizeof names[i], "%s%zu", name, i);
	for (size_t i = 0; i < n; i++) {
		size_t caller = i ? 2 * i - 1 : 0;

		calls[2 * i] =
			(struct made_call){caller, names[i % 2], 1000, false};
		calls[2 * i + 1] =
			(struct made_call){2 * i + 1, "leaf", 1000, true};
	}
	graph = made_graph(calls, 2 * n);
	free(calls);
}

START_TEST(deep_trees_stay_on_the_page)
{
	const struct prf_style narrow = {.width = _i ? 60 : 80,
					 .has_lines = false};

	make_deep(300, "libverylongnameofalibrary.so.12:a_long_function_name_");
	print_whole(0, &narrow);
	size_t n = 0;
	for (char *line = text, *next; *line; line = next, n++) {
		next = strchr(line, '\n') + 1;
		bool is_remark = line[2] == '?';

		ck_assert_msg(is_remark ||
				      (size_t)(next - line) <= narrow.width + 1,
			      "%.*s", (int)(next - line), line);
	}
	ck_assert_uint_eq(n, 2 + 600);
	ck_assert_ptr_nonnull(strstr(text, " 299: "));
	ck_assert_ptr_null(strstr(text, _i ? " 4: " : " 8: "));
}
END_TEST

START_TEST(names_of_a_thousand_characters_are_cut)
{
	char name[1001];
	static const struct prf_style narrow = {.width = 80};

	memset(name, 'x', 1000);
	name[1000] = '\0';
	make_deep(2, name);
	print_whole(0, &narrow);
	for (char *line = text, *next; *line; line = next) {
		next = strchr(line, '\n') + 1;
		ck_assert(line[2] == '?' || next - line <= 81);
	}
	ck_assert_ptr_nonnull(strstr(text, "xxx...xxx"));
}
END_TEST

START_TEST(hostile_names_stay_in_their_lines)
{
	static const struct made_call calls[] = {
		{0, "a\nb\033[2J\xff", 1, false},
		{1, "%s%n", 1, false},
		{1, "", 1, false},
	};
	static const struct prf_style narrow = {.width = 80};

	GRAPH(calls);
	print_whole(0, &narrow);
	size_t n = 0;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		n++;
	ck_assert_uint_eq(n, 4);
	ck_assert_ptr_null(strchr(text, '\033'));
	ck_assert_ptr_nonnull(strstr(text, "%s%n"));
}
END_TEST

START_TEST(an_empty_tree_is_a_heading)
{
	static const struct prf_style whole;

	graph = made_graph(NULL, 0);
	print_whole(1, &whole);
	ck_assert_str_eq(text, " total %  95 % range  self %  function\n");
}
END_TEST

START_TEST(names_of_cplusplus_are_short)
{
	static const struct made_call calls[] = {
		{0, "_ZN5space5firstIiEEvv", 1, false}};
	const struct prf_style style = {.width = 80, .full_names = _i};

	GRAPH(calls);
	print_whole(0, &style);
	ck_assert_ptr_nonnull(
		strstr(text, _i ? "  void space::first<int>() [prog]\n"
				: "  space::first [prog]\n"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("call_tree_print");
	TCase *tcase = tcase_create("call_tree_print");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, only_branches_move_to_the_right);
	tcase_add_test(tcase, a_terminal_that_can_has_lines);
	tcase_add_test(tcase, shares_are_of_all_and_have_an_interval);
	tcase_add_test(tcase, callers_have_no_share_of_their_own);
	tcase_add_test(tcase, lines_are_as_many_as_wanted);
	tcase_add_loop_test(tcase, deep_trees_stay_on_the_page, 0, 2);
	tcase_add_test(tcase, names_of_a_thousand_characters_are_cut);
	tcase_add_test(tcase, hostile_names_stay_in_their_lines);
	tcase_add_test(tcase, an_empty_tree_is_a_heading);
	tcase_add_loop_test(tcase, names_of_cplusplus_are_short, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
