#include "support/suite.h"
#include "view/export/folded.h"
#include "view/made_graph.h"

#include <stdlib.h>
#include <string.h>

static struct prf_call_graph graph;
static char *text;

static void
end(void)
{
	free(text);
	made_graph_free(&graph);
}

static void
print(const char *program, bool full_names)
{
	const struct prf_export_way way = {.full_names = full_names};
	const struct prf_folded_root root = {.program = program, .thread = ""};
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_folded_print(&graph, &root, &way, out), 0);
	ck_assert_int_eq(fclose(out), 0);
}

#define GRAPH(calls) (graph = made_graph(calls, sizeof calls / sizeof *calls))

START_TEST(a_line_is_a_path_with_its_own_ticks)
{
	static const struct made_call calls[] = {
		{0, "main", 0, false}, {1, "f", 2, false},
		{2, "f", 3, false},    {3, "libx:g h", 4, true},
		{1, "g", 5, false},    {0, "start", 6, false},
	};

	GRAPH(calls);
	print("prog", false);
	ck_assert_str_eq(text, "prog;main;f 2\n"
			       "prog;main;f;f 3\n"
			       "prog;main;f;f;g h 4\n"
			       "prog;main;g 5\n"
			       "prog;start 6\n");
}
END_TEST

START_TEST(what_is_in_no_function_is_the_programs_own)
{
	static const struct made_call calls[] = {{0, "main", 1, false}};

	GRAPH(calls);
	graph.nodes[0].self.ticks = 3;
	print("prog", false);
	ck_assert_str_eq(text, "prog 3\n"
			       "prog;main 1\n");
}
END_TEST

START_TEST(names_are_short_unless_they_are_wanted_whole)
{
	static const struct made_call calls[] = {
		{0, "_ZN5space5firstIiEEvc", 1, false}};

	GRAPH(calls);
	print("prog", _i);
	ck_assert_str_eq(text, _i ? "prog;void space::first<int>(char) 1\n"
				  : "prog;space::first 1\n");
}
END_TEST

START_TEST(the_kernel_and_jit_code_are_told_by_suffixes)
{
	static const struct made_call calls[] = {
		{0, "main", 1, false},
		{1, "kernel:read", 1, false},
		{1, "jit:LazyCompile:~f x.js", 1, false},
	};

	GRAPH(calls);
	((struct prf_binary *)graph.functions[1].binary)->kind =
		PRF_BINARY_KERNEL;
	((struct prf_binary *)graph.functions[2].binary)->kind = PRF_BINARY_JIT;
	print("node", false);
	ck_assert_str_eq(text, "node;main 1\n"
			       "node;main;read_[k] 1\n"
			       "node;main;LazyCompile:~f x.js_[j] 1\n");
}
END_TEST

START_TEST(a_hostile_name_stays_one_frame_of_one_line)
{
	static const struct made_call calls[] = {
		{0, "a;b\nc 7\r", 1, false},
		{1, "", 1, false},
		{1, "\xff\033[2J<\u00e4>", 1, false},
	};

	GRAPH(calls);
	print("x;y\n", false);
	ck_assert_str_eq(text, "x:y?;a:b?c 7? 1\n"
			       "x:y?;a:b?c 7?;[unknown] 1\n"
			       "x:y?;a:b?c 7?;??[2J<\u00e4> 1\n");
}
END_TEST

START_TEST(an_empty_graph_has_no_lines)
{
	graph = made_graph(NULL, 0);
	print("prog", false);
	ck_assert_str_eq(text, "");
	free(text);
	made_graph_free(&graph);
	print("prog", false);
	ck_assert_str_eq(text, "");
	graph = made_graph(NULL, 0);
}
END_TEST

START_TEST(long_names_and_deep_stacks_are_whole)
{
	enum { DEPTH = 1024, LENGTH = 1000 };
	static char names[2][LENGTH + 1];
	static struct made_call calls[DEPTH];

	for (size_t i = 0; i < 2; i++)
		memset(names[i], 'a' + (int)i, LENGTH);
	for (size_t i = 0; i < DEPTH; i++)
		calls[i] = (struct made_call){i, names[i % 2], i == DEPTH - 1,
					      false};
	graph = made_graph(calls, DEPTH);
	print("prog", false);
	ck_assert_uint_eq(strlen(text), strlen("prog") + DEPTH * (LENGTH + 1) +
						strlen(" 1\n"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("folded");
	TCase *tcase = tcase_create("folded");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, a_line_is_a_path_with_its_own_ticks);
	tcase_add_test(tcase, what_is_in_no_function_is_the_programs_own);
	tcase_add_loop_test(tcase, names_are_short_unless_they_are_wanted_whole,
			    0, 2);
	tcase_add_test(tcase, the_kernel_and_jit_code_are_told_by_suffixes);
	tcase_add_test(tcase, a_hostile_name_stays_one_frame_of_one_line);
	tcase_add_test(tcase, an_empty_graph_has_no_lines);
	tcase_add_test(tcase, long_names_and_deep_stacks_are_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
