#include "profile/call_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/scope.h"
#include "profile/call_cycles.h"
#include "profile/made_calls.h"

/* Each arc: "caller>callee=ticks ". */
static void
check_arcs_of(const struct prf_profile *profile, const char *expected)
{
	struct prf_call_graph graph = calls_graph_of(profile);

	for (size_t i = 0; i < graph.n_arcs; i++)
		calls_put("%s>%s=%" PRIu64 " ",
			  graph.functions[graph.arcs[i].caller].name,
			  graph.functions[graph.arcs[i].callee].name,
			  graph.arcs[i].total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(calls_text, expected);
}

START_TEST(a_profile_of_nothing_has_a_root)
{
	struct prf_call_graph graph = calls_graph_of(run->profile);

	ck_assert_uint_eq(graph.n_nodes, 1);
	ck_assert_uint_eq(graph.n_functions, 0);
	ck_assert_uint_eq(graph.n_arcs, 0);
	ck_assert_uint_eq(graph.nodes[0].function, PRF_CALL_NONE);
	ck_assert_uint_eq(graph.nodes[0].parent, PRF_CALL_NONE);
	ck_assert_uint_eq(graph.nodes[0].child, PRF_CALL_NONE);
	prf_call_graph_clear(&graph);
}
END_TEST

START_TEST(each_frame_is_below_the_one_that_called_it)
{
	calls_add("abc", 1);
	calls_add("ab", 2);
	calls_add("abd", 4);
	calls_add("ac", 8);
	calls_add("d", 16);
	calls_check_tree("d16a15(c8b7(d4c1))");
	calls_check_functions("d=20/20 a=0/15 c=9/9 b=2/7 ");
	check_arcs_of(run->profile, "a>c=8 a>b=7 b>d=4 b>c=1 ");
}
END_TEST

START_TEST(a_tree_alone_has_what_each_node_has_itself)
{
	const struct prf_call_graph_way way = {.is_tree = true};
	struct prf_call_graph graph;

	calls_add("ab", 2);
	calls_add("abd", 4);
	ck_assert_int_eq(prf_call_graph_make(made_finish(run), &way, &graph),
			 0);
	ck_assert_uint_eq(graph.n_nodes, 4);
	calls_text[0] = '\0';
	for (size_t at = graph.nodes[0].child; at != PRF_CALL_NONE;
	     at = graph.nodes[at].child)
		calls_put("%s=%" PRIu64 " ",
			  graph.functions[graph.nodes[at].function].name,
			  graph.nodes[at].self.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(calls_text, "a=0 b=2 d=4 ");
}
END_TEST

START_TEST(a_sample_counts_once_under_recursion)
{
	calls_add("aabab", 1);
	calls_check_functions("b=1/1 a=0/1 ");
	check_arcs_of(run->profile, "b>a=1 a>b=1 a>a=1 ");
}
END_TEST

START_TEST(a_call_is_counted_where_the_call_is)
{
	/* A return address of the first byte of b is a call at the end of a. */
	const struct prf_frame frames[] = {
		{AT + FUNCTION('c'), PRF_FRAME_PC},
		{AT + FUNCTION('b'), PRF_FRAME_RETURN},
	};
	const struct prf_sample made = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = 3,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 2,
		.frames = frames,
	};

	made_sample(run, &made);
	calls_check_tree("a3(c3)");
}
END_TEST

START_TEST(what_is_not_mapped_is_unknown)
{
	calls_add("a?q?", 5);
	calls_check_tree("a5([unknown]5(q5([unknown]5)))");
	ck_assert_uint_eq(prf_profile_unknown(run->profile), 5);
}
END_TEST

START_TEST(a_system_call_is_called_by_who_made_it)
{
	calls_end();
	made_begin();
	calls_begin_with((struct prf_collector_config){.kernel_apart = true});
	calls_sample("ab", 4, 0, PRF_STACK_COMPLETE);
	calls_sample("a", 2, PRF_NO_PROCESSOR, PRF_STACK_NONE);
	calls_check_tree("a6(b4(read4)waiting_for_a_processor2)");
	calls_check_functions(
		"a=0/6 read=4/4 b=0/4 waiting_for_a_processor=2/2 ");
}
END_TEST

START_TEST(without_the_kernel_a_system_call_is_its_callers)
{
	calls_sample("ab", 4, 0, PRF_STACK_COMPLETE);
	calls_check_tree("a4(b4)");
}
END_TEST

START_TEST(what_is_mapped_anew_is_not_what_was_there)
{
	calls_add("qb", 1);
	made_map(run, "prog", LIB);
	calls_add("qb", 2);
	calls_check_tree("a2(b2)q1(b1)");
}
END_TEST

START_TEST(code_of_a_jit_has_its_names_in_the_end)
{
	FILE *map = fopen(made_path("perf-4711.map"), "w");
	const struct prf_collector_config config = {
		.perfmap_dir = made_path("."),
	};

	ck_assert_ptr_nonnull(map);
	fprintf(map, "%llx 40 hot\n%llx 1000 hot\n", (long long)JIT,
		(long long)JIT + 0x40);
	fclose(map);
	made_run_free(run);
	calls_begin_with(config);
	calls_add("ajb", 1);
	calls_add("akb", 2);
	calls_add("akc", 4);
	calls_add("aj", 8);
	calls_check_tree_of(run->profile,
			    "a15([jit]15(c4b3))"); /* as one without names */
	calls_check_tree("a15(hot15(c4b3))");
	calls_check_functions("hot=8/15 a=0/15 c=4/4 b=3/3 ");
}
END_TEST

/* --- Cycles */

/* The largest: "first: functions, self/total". */
static void
check_cycle(const char *expected)
{
	struct prf_call_graph graph = calls_graph_of(made_finish(run));
	struct prf_call_cycle cycle;

	ck_assert_int_eq(prf_call_cycle_largest(&graph, &cycle), 0);
	if (cycle.n_functions)
		calls_put("%s: %zu, %" PRIu64 "/%" PRIu64,
			  graph.functions[cycle.first].name, cycle.n_functions,
			  cycle.self.ticks, cycle.total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(calls_text, expected);
}

START_TEST(without_mutual_calls_there_is_no_cycle)
{
	calls_add("aaabbc", 1);
	calls_add("ac", 1);
	calls_add("bbcd", 1);
	check_cycle("");
}
END_TEST

START_TEST(a_cycle_has_each_sample_once)
{
	calls_add("abab", 1);
	calls_add("abcd", 2);
	calls_add("b", 4);
	calls_add("cd", 8);
	check_cycle("b: 2, 5/7");
}
END_TEST

START_TEST(a_cycle_by_way_of_others_is_one)
{
	calls_add("abc", 1);
	calls_add("ca", 1);
	calls_add("dab", 4);
	check_cycle("a: 3, 6/6");
}
END_TEST

START_TEST(of_two_cycles_the_larger_is_told)
{
	calls_add("aba", 1);
	calls_add("cdc", 3);
	check_cycle("c: 2, 3/3");
}
END_TEST

/* --- Any paths */

enum { N_LETTERS = 4, MAX_DEPTH = 12 };

/* What each function, each pair of them, should have. */
struct truth {
	uint64_t self[N_LETTERS], total[N_LETTERS];
	uint64_t arcs[N_LETTERS][N_LETTERS];
};

static void
add_truth(struct truth *truth, const char *path, uint32_t ticks)
{
	bool met[N_LETTERS] = {false}, crossed[N_LETTERS][N_LETTERS] = {{0}};

	truth->self[path[strlen(path) - 1] - 'a'] += ticks;
	for (size_t i = 0; path[i]; i++) {
		met[path[i] - 'a'] = true;
		if (i)
			crossed[path[i - 1] - 'a'][path[i] - 'a'] = true;
	}
	for (int f = 0; f < N_LETTERS; f++) {
		truth->total[f] += met[f] ? ticks : 0;
		for (int g = 0; g < N_LETTERS; g++)
			truth->arcs[f][g] += crossed[f][g] ? ticks : 0;
	}
}

static void
add_any(struct truth *truth, struct random *random)
{
	char path[MAX_DEPTH + 1] = "";
	size_t n = 1 + (size_t)random_below(random, MAX_DEPTH);
	uint32_t ticks = 1 + (uint32_t)random_below(random, 3);

	for (size_t i = 0; i < n; i++)
		path[i] = (char)('a' + random_below(random, N_LETTERS));
	calls_add(path, ticks);
	add_truth(truth, path, ticks);
}

static size_t
count_nonzero(const uint64_t *all, size_t n)
{
	size_t n_nonzero = 0;

	for (size_t i = 0; i < n; i++)
		n_nonzero += all[i] != 0;
	return n_nonzero;
}

static void
compare(const struct truth *truth)
{
	struct prf_call_graph graph = calls_graph_of(made_finish(run));

	ck_assert_uint_eq(graph.n_functions,
			  count_nonzero(truth->total, N_LETTERS));
	ck_assert_uint_eq(graph.n_arcs, count_nonzero(&truth->arcs[0][0],
						      N_LETTERS * N_LETTERS));
	for (size_t i = 0; i < graph.n_functions; i++) {
		int f = graph.functions[i].name[0] - 'a';

		ck_assert_uint_eq(graph.functions[i].self.ticks,
				  truth->self[f]);
		ck_assert_uint_eq(graph.functions[i].total.ticks,
				  truth->total[f]);
	}
	for (size_t i = 0; i < graph.n_arcs; i++)
		ck_assert_uint_eq(
			graph.arcs[i].total.ticks,
			truth->arcs
				[graph.functions[graph.arcs[i].caller].name[0] -
				 'a']
				[graph.functions[graph.arcs[i].callee].name[0] -
				 'a']);
	prf_call_graph_clear(&graph);
}

START_TEST(any_paths_are_counted_right)
{
	struct random random = random_begin();
	struct truth truth = {0};

	random.state += (uint64_t)_i;
	for (int i = 0; i < 400; i++)
		add_any(&truth, &random);
	compare(&truth);
}
END_TEST

START_TEST(a_path_of_any_depth_is_no_danger)
{
	enum { DEPTH = 60000 };
	PRF_AUTO(prf_auto_free)
	struct prf_frame *frames = calloc(DEPTH, sizeof *frames);
	const struct prf_sample made = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = 1,
		.syscall = PRF_NO_SYSCALL,
		.end = PRF_STACK_LIMIT,
		.n_frames = DEPTH,
		.frames = frames,
	};

	for (int i = 0; i < DEPTH; i++)
		frames[i] = (struct prf_frame){
			AT + 0x10,
			i ? PRF_FRAME_RETURN : PRF_FRAME_PC,
		};
	made_sample(run, &made);
	made_sample(run, &made);
	calls_check_functions("a=2/2 ");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("call_graph");
	TCase *tcase = tcase_create("call_graph");

	tcase_add_checked_fixture(tcase, calls_begin, calls_end);
	tcase_add_test(tcase, a_profile_of_nothing_has_a_root);
	tcase_add_test(tcase, each_frame_is_below_the_one_that_called_it);
	tcase_add_test(tcase, a_tree_alone_has_what_each_node_has_itself);
	tcase_add_test(tcase, a_sample_counts_once_under_recursion);
	tcase_add_test(tcase, a_call_is_counted_where_the_call_is);
	tcase_add_test(tcase, what_is_not_mapped_is_unknown);
	tcase_add_test(tcase, a_system_call_is_called_by_who_made_it);
	tcase_add_test(tcase, without_the_kernel_a_system_call_is_its_callers);
	tcase_add_test(tcase, what_is_mapped_anew_is_not_what_was_there);
	tcase_add_test(tcase, code_of_a_jit_has_its_names_in_the_end);
	tcase_add_test(tcase, without_mutual_calls_there_is_no_cycle);
	tcase_add_test(tcase, a_cycle_has_each_sample_once);
	tcase_add_test(tcase, a_cycle_by_way_of_others_is_one);
	tcase_add_test(tcase, of_two_cycles_the_larger_is_told);
	tcase_add_loop_test(tcase, any_paths_are_counted_right, 0, 5);
	tcase_add_test(tcase, a_path_of_any_depth_is_no_danger);
	suite_add_tcase(suite, tcase);
	return suite;
}
