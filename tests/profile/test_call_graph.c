#include "profile/call_graph.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/scope.h"
#include "profile/call_cycles.h"
#include "support/made_run.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

#define AT 0x555555555000
#define LIB 0x7f0000000000
#define JIT 0x7f0001000000

/* Functions of 0x100 bytes from MADE_TEXT on: a, b, c... */
#define FUNCTION(i) (0x100 * (uint64_t)((i) - 'a'))

static const struct elf_symbol abc[] = {
	{"a", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"b", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"c", 0x1200, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"d", 0x1300, 0xd00, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol qsort_symbols[] = {
	{"q", 0x1000, 0x1000, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_collector *run;

static void
begin_with(struct prf_collector_config config)
{
	config.call_graph = true;
	run = made_run(&config);
	made_elf("prog", abc, 4);
	made_elf("lib", qsort_symbols, 1);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
	made_map(run, "lib", LIB);
	made_map_kind(run, PRF_MAPPING_ANON, JIT, 0x10000);
}

static void
begin(void)
{
	made_begin();
	begin_with((struct prf_collector_config){0});
}

static void
end(void)
{
	made_run_free(run);
	made_end();
}

/* Functions by letters: of prog, "q" of the library, "j" and "k" JIT code, "?"
 * nothing that is mapped. */
static uint64_t
addr_of(char letter)
{
	switch (letter) {
	case 'q':
		return LIB;
	case 'j':
		return JIT;
	case 'k':
		return JIT + 0x100;
	case '?':
		return 0x1234;
	default:
		return AT + FUNCTION(letter);
	}
}

/* A sample of the path PATH, the outermost first, of which "!" makes the next a
 * guess; each frame is at another address than that before it. */
static void
sample(const char *path, uint32_t ticks, int32_t syscall,
       enum prf_stack_end stack_end)
{
	struct prf_frame frames[64];
	uint32_t n = 0;
	struct prf_sample made = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = syscall,
		.end = stack_end,
		.frames = frames,
	};

	for (size_t i = strlen(path); i-- > 0;) {
		if (path[i] == '!') {
			frames[n - 1].kind = PRF_FRAME_GUESSED;
			continue;
		}
		frames[n].addr = addr_of(path[i]) + 0x10 + n;
		frames[n].kind = n ? PRF_FRAME_RETURN : PRF_FRAME_PC;
		n++;
	}
	made.n_frames = n;
	made_sample(run, &made);
}

static void
add(const char *path, uint32_t ticks)
{
	sample(path, ticks, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
}

/* --- What is there */

static char text[4096];

static __attribute__((format(printf, 1, 2))) void
put(const char *format, ...)
{
	va_list args;
	size_t used = strlen(text);

	va_start(args, format);
	vsnprintf(text + used, sizeof text - used, format, args);
	va_end(args);
}

static struct prf_call_graph
graph_of(const struct prf_profile *profile)
{
	struct prf_call_graph graph;

	ck_assert_int_eq(prf_call_graph_of(profile, &graph), 0);
	text[0] = '\0';
	return graph;
}

/* Each function: "name=self/total ". */
static void
check_functions_of(const struct prf_profile *profile, const char *expected)
{
	struct prf_call_graph graph = graph_of(profile);

	for (size_t i = 0; i < graph.n_functions; i++)
		put("%s=%" PRIu64 "/%" PRIu64 " ", graph.functions[i].name,
		    graph.functions[i].self.ticks,
		    graph.functions[i].total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(text, expected);
}

/* Each arc: "caller>callee=ticks ". */
static void
check_arcs_of(const struct prf_profile *profile, const char *expected)
{
	struct prf_call_graph graph = graph_of(profile);

	for (size_t i = 0; i < graph.n_arcs; i++)
		put("%s>%s=%" PRIu64 " ",
		    graph.functions[graph.arcs[i].caller].name,
		    graph.functions[graph.arcs[i].callee].name,
		    graph.arcs[i].total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(text, expected);
}

static void
put_node(const struct prf_call_graph *graph, size_t at)
{
	const struct prf_call_node *node = &graph->nodes[at];

	put("%s%s%" PRIu64, node->guessed ? "!" : "",
	    graph->functions[node->function].name, node->total.ticks);
	if (node->child == PRF_CALL_NONE)
		return;
	put("(");
	for (at = node->child; at != PRF_CALL_NONE;
	     at = graph->nodes[at].sibling)
		put_node(graph, at);
	put(")");
}

static void
put_tree(const struct prf_call_graph *graph)
{
	for (size_t at = graph->nodes[0].child; at != PRF_CALL_NONE;
	     at = graph->nodes[at].sibling)
		put_node(graph, at);
}

/* The tree: "name total(children)". */
static void
check_tree_of(const struct prf_profile *profile, const char *expected)
{
	struct prf_call_graph graph = graph_of(profile);

	put_tree(&graph);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, profile->total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(text, expected);
}

static void
check_functions(const char *expected)
{
	check_functions_of(made_finish(run), expected);
}

static void
check_tree(const char *expected)
{
	check_tree_of(made_finish(run), expected);
}

START_TEST(a_profile_of_nothing_has_a_root)
{
	struct prf_call_graph graph = graph_of(run->profile);

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
	add("abc", 1);
	add("ab", 2);
	add("abd", 4);
	add("ac", 8);
	add("d", 16);
	check_tree("d16a15(c8b7(d4c1))");
	check_functions("d=20/20 a=0/15 c=9/9 b=2/7 ");
	check_arcs_of(run->profile, "a>c=8 a>b=7 b>d=4 b>c=1 ");
}
END_TEST

START_TEST(a_tree_alone_has_what_each_node_has_itself)
{
	const struct prf_call_graph_way way = {.is_tree = true};
	struct prf_call_graph graph;

	add("ab", 2);
	add("abd", 4);
	ck_assert_int_eq(prf_call_graph_make(made_finish(run), &way, &graph),
			 0);
	ck_assert_uint_eq(graph.n_nodes, 4);
	text[0] = '\0';
	for (size_t at = graph.nodes[0].child; at != PRF_CALL_NONE;
	     at = graph.nodes[at].child)
		put("%s=%" PRIu64 " ",
		    graph.functions[graph.nodes[at].function].name,
		    graph.nodes[at].self.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(text, "a=0 b=2 d=4 ");
}
END_TEST

START_TEST(a_sample_counts_once_under_recursion)
{
	add("aabab", 1);
	check_functions("b=1/1 a=0/1 ");
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
	check_tree("a3(c3)");
}
END_TEST

START_TEST(what_is_not_mapped_is_unknown)
{
	add("a?q?", 5);
	check_tree("a5([unknown]5(q5([unknown]5)))");
	ck_assert_uint_eq(prf_profile_unknown(run->profile), 5);
}
END_TEST

START_TEST(a_system_call_is_called_by_who_made_it)
{
	end();
	made_begin();
	begin_with((struct prf_collector_config){.kernel_apart = true});
	sample("ab", 4, 0, PRF_STACK_COMPLETE);
	sample("a", 2, PRF_NO_PROCESSOR, PRF_STACK_NONE);
	check_tree("a6(b4(read4)waiting_for_a_processor2)");
	check_functions("a=0/6 read=4/4 b=0/4 waiting_for_a_processor=2/2 ");
}
END_TEST

START_TEST(without_the_kernel_a_system_call_is_its_callers)
{
	sample("ab", 4, 0, PRF_STACK_COMPLETE);
	check_tree("a4(b4)");
}
END_TEST

START_TEST(a_guess_is_marked)
{
	sample("a!bc", 4, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
	sample("abd", 1, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
	check_tree("a5(!b5(c4d1))");
	ck_assert_uint_eq(run->profile->calls->guessed_ticks, 4);
}
END_TEST

START_TEST(ticks_are_counted_by_how_their_stack_ended)
{
	sample("ab", 1, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
	sample("qb", 2, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	made_finish(run);
	ck_assert_uint_eq(run->profile->calls->ended[PRF_STACK_COMPLETE], 1);
	ck_assert_uint_eq(run->profile->calls->ended[PRF_STACK_NO_CFI], 2);
	ck_assert_uint_eq(run->profile->calls->ended[PRF_STACK_NONE], 4);
	ck_assert_uint_eq(made_binary(run->profile, "lib")->no_cfi_ticks, 2);
	ck_assert_uint_eq(made_binary(run->profile, "prog")->no_cfi_ticks, 0);
}
END_TEST

START_TEST(samples_without_frames_are_no_stacks)
{
	ck_assert(!prf_calls_has_stacks(NULL));
	sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	ck_assert(!prf_calls_has_stacks(run->profile->calls));
	add("ab", 1);
	ck_assert(prf_calls_has_stacks(run->profile->calls));
}
END_TEST

START_TEST(ticks_before_the_first_stack_are_paths_of_one_frame)
{
	end();
	made_begin();
	begin_with((struct prf_collector_config){.kernel_apart = true});
	sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	sample("b", 1, 0, PRF_STACK_NONE);
	sample("?", 2, PRF_NO_SYSCALL, PRF_STACK_NONE);
	sample("j", 7, PRF_NO_SYSCALL, PRF_STACK_NONE);
	ck_assert_ptr_null(run->profile->calls);
	add("ab", 16);
	ck_assert_uint_eq(run->profile->calls->ended[PRF_STACK_NONE], 14);
	check_tree("a16(b16)[jit]7b4[unknown]2read1");
	struct prf_call_graph graph = graph_of(run->profile);
	ck_assert_double_eq(graph.nodes[0].total.squares,
			    run->profile->total.squares);
	prf_call_graph_clear(&graph);
}
END_TEST

START_TEST(ticks_without_any_stack_are_paths_of_one_frame)
{
	end();
	made_begin();
	begin_with((struct prf_collector_config){.kernel_apart = true});
	sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	sample("b", 1, 0, PRF_STACK_NONE);
	sample("?", 2, PRF_NO_SYSCALL, PRF_STACK_NONE);
	sample("j", 7, PRF_NO_SYSCALL, PRF_STACK_NONE);
	check_tree("[jit]7b4[unknown]2read1");
	ck_assert_ptr_null(run->profile->calls);
}
END_TEST

START_TEST(what_no_counter_has_is_the_roots_own)
{
	end();
	made_begin();
	begin_with((struct prf_collector_config){0});
	sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	run->profile->total.ticks += 5;
	struct prf_call_graph graph = graph_of(run->profile);
	ck_assert_uint_eq(graph.nodes[0].self.ticks, 5);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, 9);
	prf_call_graph_clear(&graph);
}
END_TEST

START_TEST(ticks_without_stacks_are_in_a_sum_with_stacks)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *before = NULL;

	sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	ck_assert_int_eq(prf_collector_snapshot(run, &before, NULL), 0);
	add("ab", 1);
	made_finish(run);
	ck_assert_int_eq(prf_profile_add(sum, before, NULL), 0);
	ck_assert_int_eq(prf_profile_add(sum, run->profile, NULL), 0);
	check_tree_of(sum, "b8a1(b1)");
	ck_assert_int_eq(prf_profile_add(sum, before, NULL), 0);
	check_tree_of(sum, "b12a1(b1)");
	ck_assert_int_eq(prf_profile_subtract(sum, before), 0);
	ck_assert_int_eq(prf_profile_subtract(sum, before), 0);
	check_tree_of(sum, "b4a1(b1)");
	ck_assert_uint_eq(sum->calls->ended[PRF_STACK_NONE], 4);
}
END_TEST

START_TEST(nothing_is_kept_that_was_not_asked_for)
{
	struct prf_collector *flat = made_run(NULL);

	ck_assert_ptr_null(flat->profile->calls);
	made_run_free(flat);
}
END_TEST

START_TEST(what_is_mapped_anew_is_not_what_was_there)
{
	add("qb", 1);
	made_map(run, "prog", LIB);
	add("qb", 2);
	check_tree("a2(b2)q1(b1)");
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
	begin_with(config);
	add("ajb", 1);
	add("akb", 2);
	add("akc", 4);
	add("aj", 8);
	check_tree_of(run->profile,
		      "a15([jit]15(c4b3))"); /* as one without names */
	check_tree("a15(hot15(c4b3))");
	check_functions("hot=8/15 a=0/15 c=4/4 b=3/3 ");
}
END_TEST

/* --- Sums */

static const char *const expected_tree = "a15(q12(c8b4)b3(c2))";

static void
add_paths(void)
{
	add("aqc", 8);
	add("aqb", 4);
	add("abc", 2);
	add("ab", 1);
}

START_TEST(a_detached_profile_has_the_same_calls)
{
	add_paths();
	check_tree(expected_tree);
	ck_assert_int_eq(prf_profile_detach(run->profile), 0);
	check_tree(expected_tree);
	check_functions("a=0/15 q=0/12 c=10/10 b=5/7 ");
}
END_TEST

START_TEST(a_snapshot_has_the_calls_so_far)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *before = NULL;

	add_paths();
	ck_assert_int_eq(prf_collector_snapshot(run, &before, NULL), 0);
	add("abc", 100);
	check_tree_of(before, expected_tree);
	made_finish(run);
	ck_assert_int_eq(prf_profile_subtract(run->profile, before), 0);
	check_tree("a100(b100(c100))");
	ck_assert_int_eq(prf_profile_subtract(before, run->profile), -ERANGE);
}
END_TEST

START_TEST(a_sum_has_all_calls_of_both)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();

	sample("aqc", 8, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	sample("?qc", 1, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	made_finish(run);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(prf_profile_add(sum, run->profile, NULL), 0);
	check_tree_of(sum, "a24(q24(c24))[unknown]3(q3(c3))");
	ck_assert_uint_eq(sum->calls->ended[PRF_STACK_NO_CFI], 27);
	ck_assert_uint_eq(made_binary(sum, "prog")->no_cfi_ticks, 24);
}
END_TEST

START_TEST(profiles_of_programs_have_calls_of_their_own)
{
	const struct prf_life fork = {
		.kind = PRF_LIFE_FORK,
		.pid = MADE_PID + 1,
		.tid = MADE_PID + 1,
		.parent = MADE_PID,
		.name = "",
	};

	made_run_free(run);
	begin_with((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
						 .inherit_counts = true});
	add_paths();
	ck_assert_int_eq(prf_sink_life(&run->base, &fork), 0);
	add("d", 1);
	check_tree("a15(q12(c8b4)b3(c2))d1");
}
END_TEST

/* --- What is too much */

static void
prune(size_t n_kept)
{
	made_finish(run);
	ck_assert_int_eq(prf_calls_prune(&run->profile->calls, n_kept), 0);
}

START_TEST(what_is_pruned_stays_below_its_caller)
{
	add("abc", 1);
	add("abd", 2);
	add("ab", 4);
	add("dc", 1);
	add("d", 8);
	prune(4); /* with the root */
	check_tree("d9([pruned]1(c1))a4(b4)[pruned]3(d2c1)");
	ck_assert_uint_eq(run->profile->calls->pruned_ticks, 4);
	ck_assert_uint_eq(run->profile->calls->n_pruned, 5);
	check_functions("d=10/11 b=4/4 a=0/4 [pruned]=0/4 c=2/2 ");
	prune(0);
	check_tree("[pruned]16");
	check_functions("[pruned]=16/16 ");
}
END_TEST

START_TEST(equals_are_pruned_alike)
{
	add("ab", 1);
	add("ac", 1);
	add("ad", 1);
	prune(3);
	check_tree("a3([pruned]3(b1c1d1))");
}
END_TEST

START_TEST(what_was_pruned_is_pruned_again)
{
	add("abc", 1);
	add("abd", 2);
	add("aqd", 2);
	add("d", 8);
	prune(3);
	check_tree("d8a5([pruned]5(d4c1))");
	ck_assert_uint_eq(run->profile->calls->n_pruned, 5);
	prune(2);
	check_tree("d8[pruned]5(d4c1)");
	ck_assert_uint_eq(run->profile->calls->pruned_ticks, 5);
	ck_assert_uint_eq(run->profile->calls->n_pruned, 6);
	prune(0);
	check_tree("[pruned]13");
}
END_TEST

/* Innermost frames are kept while there is room: the first ones. */
START_TEST(not_all_innermost_frames_are_kept)
{
	add("ab", 1);
	add("ac", 1);
	add("ad", 1);
	prune(2);
	check_tree("a3([pruned]3(b1c1))");
}
END_TEST

/* To gprof there is no [pruned]: who called it calls what is below. */
START_TEST(pieces_are_called_past_what_was_pruned)
{
	const struct prf_call_graph_way way = {.pieces = true};
	struct prf_call_graph graph;

	add("ab", 1);
	add("ac", 2);
	add("d", 8);
	prune(3);
	ck_assert_int_eq(prf_call_graph_make(run->profile, &way, &graph), 0);
	text[0] = '\0';
	put_tree(&graph);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(text, "d8a3(c2b1)");
}
END_TEST

START_TEST(a_tree_that_is_small_enough_stays)
{
	sample("a!bc", 1, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	prune(4);
	check_tree("a1(!b1(c1))");
	ck_assert_uint_eq(run->profile->calls->ended[PRF_STACK_NO_CFI], 1);
	ck_assert_uint_eq(run->profile->calls->guessed_ticks, 1);
	ck_assert_uint_eq(run->profile->calls->n_pruned, 0);
}
END_TEST

/* Each path is another: three frames at any of 0xd00 addresses. */
START_TEST(a_tree_does_not_grow_for_ever)
{
	struct random random = random_begin();

	for (int i = 0; i < 600000; i++) {
		struct prf_frame frames[3];
		const struct prf_sample made = {
			.pid = MADE_PID,
			.tid = MADE_PID,
			.ticks = 1,
			.syscall = PRF_NO_SYSCALL,
			.end = PRF_STACK_COMPLETE,
			.n_frames = 3,
			.frames = frames,
		};

		for (int j = 0; j < 3; j++)
			frames[j] = (struct prf_frame){
				addr_of('d') + 1 + random_below(&random, 0xcf0),
				j ? PRF_FRAME_RETURN : PRF_FRAME_PC,
			};
		made_sample(run, &made);
		ck_assert_uint_le(run->profile->calls->n, PRF_CALLS_MAX + 3);
	}
	made_finish(run);
	ck_assert_uint_gt(run->profile->calls->n_pruned, 0);
	ck_assert_uint_eq(run->warnings.n, 1);
	struct prf_call_graph graph = graph_of(run->profile);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, 600000);
	ck_assert_uint_eq(graph.functions[0].total.ticks, 600000);
	ck_assert_str_eq(graph.functions[0].name, "d");
	ck_assert_uint_eq(graph.functions[1].total.ticks,
			  run->profile->calls->pruned_ticks);
	prf_call_graph_clear(&graph);
}
END_TEST

/* --- Cycles */

/* The largest: "first: functions, self/total". */
static void
check_cycle(const char *expected)
{
	struct prf_call_graph graph = graph_of(made_finish(run));
	struct prf_call_cycle cycle;

	ck_assert_int_eq(prf_call_cycle_largest(&graph, &cycle), 0);
	if (cycle.n_functions)
		put("%s: %zu, %" PRIu64 "/%" PRIu64,
		    graph.functions[cycle.first].name, cycle.n_functions,
		    cycle.self.ticks, cycle.total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(text, expected);
}

START_TEST(without_mutual_calls_there_is_no_cycle)
{
	add("aaabbc", 1);
	add("ac", 1);
	add("bbcd", 1);
	check_cycle("");
}
END_TEST

START_TEST(a_cycle_has_each_sample_once)
{
	add("abab", 1);
	add("abcd", 2);
	add("b", 4);
	add("cd", 8);
	check_cycle("b: 2, 5/7");
}
END_TEST

START_TEST(a_cycle_by_way_of_others_is_one)
{
	add("abc", 1);
	add("ca", 1);
	add("dab", 4);
	check_cycle("a: 3, 6/6");
}
END_TEST

START_TEST(of_two_cycles_the_larger_is_told)
{
	add("aba", 1);
	add("cdc", 3);
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
	add(path, ticks);
	add_truth(truth, path, ticks);
}

static void
compare(const struct truth *truth)
{
	struct prf_call_graph graph = graph_of(made_finish(run));

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
	check_functions("a=2/2 ");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("call_graph");
	TCase *tcase = tcase_create("call_graph");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, a_profile_of_nothing_has_a_root);
	tcase_add_test(tcase, each_frame_is_below_the_one_that_called_it);
	tcase_add_test(tcase, a_tree_alone_has_what_each_node_has_itself);
	tcase_add_test(tcase, a_sample_counts_once_under_recursion);
	tcase_add_test(tcase, a_call_is_counted_where_the_call_is);
	tcase_add_test(tcase, what_is_not_mapped_is_unknown);
	tcase_add_test(tcase, a_system_call_is_called_by_who_made_it);
	tcase_add_test(tcase, without_the_kernel_a_system_call_is_its_callers);
	tcase_add_test(tcase, a_guess_is_marked);
	tcase_add_test(tcase, ticks_are_counted_by_how_their_stack_ended);
	tcase_add_test(tcase, samples_without_frames_are_no_stacks);
	tcase_add_test(tcase,
		       ticks_before_the_first_stack_are_paths_of_one_frame);
	tcase_add_test(tcase, ticks_without_any_stack_are_paths_of_one_frame);
	tcase_add_test(tcase, what_no_counter_has_is_the_roots_own);
	tcase_add_test(tcase, ticks_without_stacks_are_in_a_sum_with_stacks);
	tcase_add_test(tcase, nothing_is_kept_that_was_not_asked_for);
	tcase_add_test(tcase, what_is_mapped_anew_is_not_what_was_there);
	tcase_add_test(tcase, code_of_a_jit_has_its_names_in_the_end);
	tcase_add_test(tcase, a_detached_profile_has_the_same_calls);
	tcase_add_test(tcase, a_snapshot_has_the_calls_so_far);
	tcase_add_test(tcase, a_sum_has_all_calls_of_both);
	tcase_add_test(tcase, profiles_of_programs_have_calls_of_their_own);
	tcase_add_test(tcase, what_is_pruned_stays_below_its_caller);
	tcase_add_test(tcase, equals_are_pruned_alike);
	tcase_add_test(tcase, what_was_pruned_is_pruned_again);
	tcase_add_test(tcase, not_all_innermost_frames_are_kept);
	tcase_add_test(tcase, pieces_are_called_past_what_was_pruned);
	tcase_add_test(tcase, a_tree_that_is_small_enough_stays);
	tcase_add_test(tcase, a_tree_does_not_grow_for_ever);
	tcase_add_test(tcase, without_mutual_calls_there_is_no_cycle);
	tcase_add_test(tcase, a_cycle_has_each_sample_once);
	tcase_add_test(tcase, a_cycle_by_way_of_others_is_one);
	tcase_add_test(tcase, of_two_cycles_the_larger_is_told);
	tcase_add_loop_test(tcase, any_paths_are_counted_right, 0, 5);
	tcase_add_test(tcase, a_path_of_any_depth_is_no_danger);
	suite_add_tcase(suite, tcase);
	return suite;
}
