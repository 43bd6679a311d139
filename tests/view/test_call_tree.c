#include "support/suite.h"
#include "view/made_graph.h"
#include "view/table/call_tree.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FUNCTIONS = 16 };

static struct prf_call_graph graph;
static struct prf_call_tree tree;

static void
end(void)
{
	prf_call_tree_clear(&tree);
	made_graph_free(&graph);
}

/* Flags for the functions whose names are in WORDS, with blanks around. */
static const bool *
named(const char *words, bool *flags)
{
	for (size_t i = 0; i < graph.n_functions; i++) {
		char word[64];

		snprintf(word, sizeof word, " %s ", graph.functions[i].name);
		flags[i] = strstr(words, word) != NULL;
	}
	return flags;
}

static void
make(enum prf_call_tree_kind kind, const char *meant)
{
	bool flags[MAX_FUNCTIONS];
	const struct prf_call_choice choice = {
		.kind = kind,
		.meant = named(meant, flags),
	};

	ck_assert_int_eq(prf_call_tree_of(&graph, &choice, &tree), 0);
}

/* The tree as "f 3+1 (g 1+0)": total and self, children in brackets; "!" is
 * recursive, "?" guessed. */
static void
print(size_t i, FILE *out)
{
	for (size_t child = tree.nodes[i].child; child != PRF_CALL_NONE;
	     child = tree.nodes[child].sibling) {
		const struct prf_call_tree_node *node = &tree.nodes[child];

		fprintf(out, " (%s%s%s %d+%d",
			graph.functions[node->function].name,
			node->recursive ? "!" : "", node->guessed ? "?" : "",
			(int)node->total.ticks, (int)node->self.ticks);
		print(child, out);
		fputc(')', out);
	}
}

static void
check(const char *expected)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(0, out);
	fclose(out);
	ck_assert_str_eq(text + (*text == ' '), expected);
	free(text);
}

#define GRAPH(calls) (graph = made_graph(calls, sizeof calls / sizeof *calls))

/* main calls f and g, f calls g; g calls main's f again. */
static const struct made_call usual[] = {
	{0, "main", 1, false}, /* 1 */
	{1, "f", 2, false},    /* 2 */
	{2, "g", 4, false},    /* 3 */
	{1, "g", 8, false},    /* 4 */
	{4, "f", 16, false},   /* 5 */
	{5, "g", 32, false},   /* 6 */
};

START_TEST(the_whole_tree_has_each_sample_once)
{
	GRAPH(usual);
	make(PRF_CALL_TREE_WHOLE, "");
	check("(main 63+1 (g 56+8 (f 48+16 (g 32+32))) (f 6+2 (g 4+4)))");
	ck_assert_uint_eq(tree.nodes[0].total.ticks, 63);
}
END_TEST

START_TEST(what_a_function_calls_begins_with_its_outermost_calls)
{
	GRAPH(usual);
	make(PRF_CALL_TREE_BELOW, " f ");
	check("(f 54+18 (g 36+36))");
}
END_TEST

START_TEST(mutual_recursion_stays_in_the_tree)
{
	GRAPH(usual);
	make(PRF_CALL_TREE_BELOW, " g ");
	check("(g 60+12 (f 48+16 (g 32+32)))");
	ck_assert_uint_eq(tree.nodes[0].total.ticks, 60);
}
END_TEST

START_TEST(a_sample_with_two_functions_that_are_meant_belongs_to_the_outer)
{
	GRAPH(usual);
	make(PRF_CALL_TREE_BELOW, " f g ");
	check("(g 56+8 (f 48+16 (g 32+32))) (f 6+2 (g 4+4))");
}
END_TEST

START_TEST(callers_are_those_of_the_outermost_call)
{
	GRAPH(usual);
	make(PRF_CALL_TREE_ABOVE, " g ");
	check("(g 60+0 (main 56+56) (f 4+0 (main 4+4)))");
}
END_TEST

START_TEST(direct_recursion_is_one_node)
{
	static const struct made_call calls[] = {
		{0, "main", 1, false}, {1, "f", 2, false},  {2, "f", 4, true},
		{3, "f", 8, false},    {4, "g", 16, false}, {2, "g", 32, false},
	};

	GRAPH(calls);
	make(PRF_CALL_TREE_WHOLE, "");
	check("(main 63+1 (f!? 62+14 (g 48+48)))");
	prf_call_tree_clear(&tree);
	make(PRF_CALL_TREE_BELOW, " f ");
	check("(f!? 62+14 (g 48+48))");
	prf_call_tree_clear(&tree);
	make(PRF_CALL_TREE_ABOVE, " g ");
	check("(g 48+0 (f!? 48+0 (main 48+48)))");
}
END_TEST

START_TEST(samples_are_chosen_by_what_is_in_their_path)
{
	bool f[MAX_FUNCTIONS], g[MAX_FUNCTIONS];

	GRAPH(usual);
	struct prf_call_choice choice = {.focus = named(" f ", f)};
	ck_assert_int_eq(prf_call_tree_of(&graph, &choice, &tree), 0);
	ck_assert_uint_eq(tree.nodes[0].total.ticks, 2 + 4 + 16 + 32);
	prf_call_tree_clear(&tree);
	choice = (struct prf_call_choice){.ignore = named(" g ", g)};
	ck_assert_int_eq(prf_call_tree_of(&graph, &choice, &tree), 0);
	ck_assert_uint_eq(tree.nodes[0].total.ticks, 1 + 2);
	prf_call_tree_clear(&tree);
	choice.focus = f;
	ck_assert_int_eq(prf_call_tree_of(&graph, &choice, &tree), 0);
	ck_assert_uint_eq(tree.nodes[0].total.ticks, 2);
}
END_TEST

START_TEST(an_empty_graph_and_one_node_are_trees)
{
	static const struct made_call one[] = {{0, "f", 1, false}};

	graph = made_graph(NULL, 0);
	make((enum prf_call_tree_kind)_i, " f ");
	check("");
	end();
	GRAPH(one);
	make((enum prf_call_tree_kind)_i, " f ");
	check(_i == PRF_CALL_TREE_ABOVE ? "(f 1+1)" : "(f 1+1)");
}
END_TEST

START_TEST(a_function_that_nobody_calls_has_no_tree)
{
	GRAPH(usual);
	make(_i ? PRF_CALL_TREE_ABOVE : PRF_CALL_TREE_BELOW, " other ");
	check("");
	ck_assert_uint_eq(tree.nodes[0].total.ticks, 0);
}
END_TEST

/* Every path of a deep and wide graph is a node of its own. */
START_TEST(many_nodes_are_told_apart)
{
	enum { WIDTH = 10, N = 10000 };
	static const char *const names[WIDTH] = {"0", "1", "2", "3", "4",
						 "5", "6", "7", "8", "9"};
	struct made_call *calls = calloc(N, sizeof *calls);

	ck_assert_ptr_nonnull(calls);
	/* No function calls itself, so that nothing is folded. */
	for (size_t i = 0; i < N; i++) {
		size_t caller = i < WIDTH ? 0 : i / WIDTH;
		size_t name = i % WIDTH;

		if (caller &&
		    strcmp(names[name], calls[caller - 1].function) == 0)
			caller = calls[caller - 1].caller;
		calls[i] = (struct made_call){caller, names[name], 1, false};
	}
	graph = made_graph(calls, N);
	make(PRF_CALL_TREE_WHOLE, "");
	ck_assert_uint_eq(tree.nodes[0].total.ticks, N);
	for (size_t i = 1; i < tree.n; i++)
		ck_assert_uint_ge(tree.nodes[i].total.ticks,
				  tree.nodes[i].self.ticks);
	ck_assert_uint_gt(tree.n, N / 2);
	free(calls);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("call_tree");
	TCase *tcase = tcase_create("call_tree");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, the_whole_tree_has_each_sample_once);
	tcase_add_test(tcase,
		       what_a_function_calls_begins_with_its_outermost_calls);
	tcase_add_test(tcase, mutual_recursion_stays_in_the_tree);
	tcase_add_test(
		tcase,
		a_sample_with_two_functions_that_are_meant_belongs_to_the_outer);
	tcase_add_test(tcase, callers_are_those_of_the_outermost_call);
	tcase_add_test(tcase, direct_recursion_is_one_node);
	tcase_add_test(tcase, samples_are_chosen_by_what_is_in_their_path);
	tcase_add_loop_test(tcase, an_empty_graph_and_one_node_are_trees, 0, 3);
	tcase_add_loop_test(tcase, a_function_that_nobody_calls_has_no_tree, 0,
			    2);
	tcase_add_test(tcase, many_nodes_are_told_apart);
	suite_add_tcase(suite, tcase);
	return suite;
}
