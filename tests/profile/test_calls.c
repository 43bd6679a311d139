#include "profile/calls.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/random.h"
#include "core/scope.h"
#include "profile/made_calls.h"
#include "profile/stack_walk.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

/* --- How stacks end, and ticks without one */

START_TEST(a_guess_is_marked)
{
	calls_sample("a!bc", 4, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
	calls_sample("abd", 1, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
	calls_check_tree("a5(!b5(c4d1))");
	ck_assert_uint_eq(run->profile->calls->guessed_ticks, 4);
}
END_TEST

START_TEST(ticks_are_counted_by_how_their_stack_ended)
{
	calls_sample("ab", 1, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
	calls_sample("qb", 2, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	calls_sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
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
	calls_sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	ck_assert(!prf_calls_has_stacks(run->profile->calls));
	calls_add("ab", 1);
	ck_assert(prf_calls_has_stacks(run->profile->calls));
}
END_TEST

START_TEST(ticks_before_the_first_stack_are_paths_of_one_frame)
{
	calls_end();
	made_begin();
	calls_begin_with((struct prf_collector_config){.kernel_apart = true});
	calls_sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	calls_sample("b", 1, 0, PRF_STACK_NONE);
	calls_sample("?", 2, PRF_NO_SYSCALL, PRF_STACK_NONE);
	calls_sample("j", 7, PRF_NO_SYSCALL, PRF_STACK_NONE);
	ck_assert_ptr_null(run->profile->calls);
	calls_add("ab", 16);
	ck_assert_uint_eq(run->profile->calls->ended[PRF_STACK_NONE], 14);
	calls_check_tree("a16(b16)[jit]7b4[unknown]2read1");
	struct prf_call_graph graph = calls_graph_of(run->profile);
	ck_assert_double_eq(graph.nodes[0].total.squares,
			    run->profile->total.squares);
	prf_call_graph_clear(&graph);
}
END_TEST

START_TEST(ticks_without_any_stack_are_paths_of_one_frame)
{
	calls_end();
	made_begin();
	calls_begin_with((struct prf_collector_config){.kernel_apart = true});
	calls_sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	calls_sample("b", 1, 0, PRF_STACK_NONE);
	calls_sample("?", 2, PRF_NO_SYSCALL, PRF_STACK_NONE);
	calls_sample("j", 7, PRF_NO_SYSCALL, PRF_STACK_NONE);
	calls_check_tree("[jit]7b4[unknown]2read1");
	ck_assert_ptr_null(run->profile->calls);
}
END_TEST

START_TEST(what_no_counter_has_is_the_roots_own)
{
	calls_end();
	made_begin();
	calls_begin_with((struct prf_collector_config){0});
	calls_sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	run->profile->total.ticks += 5;
	struct prf_call_graph graph = calls_graph_of(run->profile);
	ck_assert_uint_eq(graph.nodes[0].self.ticks, 5);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, 9);
	prf_call_graph_clear(&graph);
}
END_TEST

START_TEST(ticks_without_stacks_are_in_a_sum_with_stacks)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *before = NULL;

	calls_sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	ck_assert_int_eq(prf_collector_snapshot(run, &before, NULL), 0);
	calls_add("ab", 1);
	made_finish(run);
	ck_assert_int_eq(prf_profile_add(sum, before, NULL), 0);
	ck_assert_int_eq(prf_profile_add(sum, run->profile, NULL), 0);
	calls_check_tree_of(sum, "b8a1(b1)");
	ck_assert_int_eq(prf_profile_add(sum, before, NULL), 0);
	calls_check_tree_of(sum, "b12a1(b1)");
	ck_assert_int_eq(prf_profile_subtract(sum, before), 0);
	ck_assert_int_eq(prf_profile_subtract(sum, before), 0);
	calls_check_tree_of(sum, "b4a1(b1)");
	ck_assert_uint_eq(sum->calls->ended[PRF_STACK_NONE], 4);
}
END_TEST

START_TEST(nothing_is_kept_that_was_not_asked_for)
{
	struct prf_collector *asked = run;

	run = made_run(NULL);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
	calls_add("ab", 1);
	ck_assert_uint_eq(run->profile->total.ticks, 1);
	ck_assert_ptr_null(run->profile->calls);
	made_run_free(run);
	run = asked;
}
END_TEST

/* --- Sums */

static const char *const expected_tree = "a15(q12(c8b4)b3(c2))";

static void
add_paths(void)
{
	calls_add("aqc", 8);
	calls_add("aqb", 4);
	calls_add("abc", 2);
	calls_add("ab", 1);
}

START_TEST(a_detached_profile_has_the_same_calls)
{
	add_paths();
	calls_check_tree(expected_tree);
	ck_assert_int_eq(prf_profile_detach(run->profile), 0);
	calls_check_tree(expected_tree);
	calls_check_functions("a=0/15 q=0/12 c=10/10 b=5/7 ");
}
END_TEST

START_TEST(a_snapshot_has_the_calls_so_far)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *before = NULL;

	add_paths();
	ck_assert_int_eq(prf_collector_snapshot(run, &before, NULL), 0);
	calls_add("abc", 100);
	calls_check_tree_of(before, expected_tree);
	made_finish(run);
	ck_assert_int_eq(prf_profile_subtract(run->profile, before), 0);
	calls_check_tree("a100(b100(c100))");
	ck_assert_int_eq(prf_profile_subtract(before, run->profile), -ERANGE);
}
END_TEST

START_TEST(a_sum_has_all_calls_of_both)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();

	calls_sample("aqc", 8, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	calls_sample("?qc", 1, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	made_finish(run);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(prf_profile_add(sum, run->profile, NULL), 0);
	calls_check_tree_of(sum, "a24(q24(c24))[unknown]3(q3(c3))");
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
	calls_begin_with((struct prf_collector_config){
		.each = PRF_COLLECT_PROGRAM, .inherit_counts = true});
	add_paths();
	ck_assert_int_eq(prf_sink_life(&run->base, &fork), 0);
	calls_add("d", 1);
	calls_check_tree("a15(q12(c8b4)b3(c2))d1");
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
	calls_add("abc", 1);
	calls_add("abd", 2);
	calls_add("ab", 4);
	calls_add("dc", 1);
	calls_add("d", 8);
	prune(4 * 4); /* with the root; others are innermost */
	calls_check_tree("d9([pruned]1(c1))a4(b4)[pruned]3(d2c1)");
	ck_assert_uint_eq(run->profile->calls->pruned_ticks, 4);
	ck_assert_uint_eq(run->profile->calls->n_pruned, 5);
	calls_check_functions("d=10/11 b=4/4 a=0/4 [pruned]=0/4 c=2/2 ");
	prune(0);
	calls_check_tree("[pruned]16");
	calls_check_functions("[pruned]=16/16 ");
}
END_TEST

START_TEST(equals_are_pruned_alike)
{
	calls_add("ab", 1);
	calls_add("ac", 1);
	calls_add("ad", 1);
	prune(4 * 3);
	calls_check_tree("a3([pruned]3(b1c1d1))");
}
END_TEST

START_TEST(the_heaviest_are_kept_however_heavy_all_are)
{
	calls_add("a", 1 << 20);
	calls_add("b", (1 << 20) + 1);
	calls_add("c", 1 << 30);
	prune(4 * 3);
	calls_check_tree("c1073741824b1048577[pruned]1048576(a1048576)");
	prune(4 * 2);
	calls_check_tree("c1073741824[pruned]2097153(b1048577a1048576)");
}
END_TEST

START_TEST(what_was_pruned_is_pruned_again)
{
	calls_add("abc", 1);
	calls_add("abd", 2);
	calls_add("aqd", 2);
	calls_add("d", 8);
	prune(4 * 3);
	calls_check_tree("d8a5([pruned]5(d4c1))");
	ck_assert_uint_eq(run->profile->calls->n_pruned, 5);
	prune(4 * 2);
	calls_check_tree("d8[pruned]5(d4c1)");
	ck_assert_uint_eq(run->profile->calls->pruned_ticks, 5);
	ck_assert_uint_eq(run->profile->calls->n_pruned, 6);
	prune(0);
	calls_check_tree("[pruned]13");
}
END_TEST

/* Seven of them have no room beside two nodes, and four beside one have. */
START_TEST(less_is_kept_so_that_innermost_frames_have_room)
{
	const char *const paths[] = {"ab", "ac", "ad", "b", "c", "d", "q"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		calls_add(paths[i], 1);
	prune(8);
	calls_check_tree("[pruned]7(b2c2d2q1)");
	calls_check_functions("[pruned]=0/7 b=2/2 c=2/2 d=2/2 q=1/1 ");
}
END_TEST

/* One node had room beside them before, and one has it now, not two. */
START_TEST(what_had_no_room_before_is_not_tried_again)
{
	const char *const paths[] = {"ab", "ac", "ad", "b", "c", "d", "q"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		calls_add(paths[i], 1);
	prune(8);
	ck_assert_uint_eq(run->profile->calls->n_whole, 1);
	prune(80);
	ck_assert_uint_eq(run->profile->calls->n_whole, 1);
	/* Nor when the tree was made anew for the names of JIT code. */
	struct prf_calls *calls = run->profile->calls;
	const struct prf_arc_end jit = {
		prf_profile_jit_of(run->profile, MADE_PID + 1), 0};
	ck_assert_ptr_nonnull(
		prf_calls_enter(calls, prf_calls_root(calls), &jit, false));
	ck_assert_int_eq(prf_profile_end_jit(run->profile, MADE_PID + 1, NULL),
			 0);
	ck_assert_int_eq(prf_profile_name_jit(run->profile), 0);
	ck_assert_ptr_ne(run->profile->calls, calls);
	ck_assert_uint_eq(run->profile->calls->n_whole, 1);
	prune(0);
	prune(0);
	ck_assert_uint_eq(run->profile->calls->n_whole, 1);
	calls_check_tree("[pruned]7");
}
END_TEST

/* Where there is no room for all of them even so, the first ones are. */
START_TEST(not_all_innermost_frames_are_kept)
{
	calls_add("ab", 1);
	calls_add("ac", 1);
	calls_add("ad", 1);
	prune(2);
	calls_check_tree("[pruned]3(b1c1)");
}
END_TEST

/* To gprof there is no [pruned]: who called it calls what is below. */
START_TEST(pieces_are_called_past_what_was_pruned)
{
	const struct prf_call_graph_way way = {.pieces = true};
	struct prf_call_graph graph;

	calls_add("ab", 1);
	calls_add("ac", 2);
	calls_add("d", 8);
	prune(4 * 3);
	ck_assert_int_eq(prf_call_graph_make(run->profile, &way, &graph), 0);
	calls_text[0] = '\0';
	calls_put_tree(&graph);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(calls_text, "d8a3(c2b1)");
}
END_TEST

START_TEST(a_tree_that_is_small_enough_stays)
{
	calls_sample("a!bc", 1, PRF_NO_SYSCALL, PRF_STACK_NO_CFI);
	prune(4 * 4);
	calls_check_tree("a1(!b1(c1))");
	ck_assert_uint_eq(run->profile->calls->ended[PRF_STACK_NO_CFI], 1);
	ck_assert_uint_eq(run->profile->calls->guessed_ticks, 1);
	ck_assert_uint_eq(run->profile->calls->n_pruned, 0);
}
END_TEST

/* Each path is another: three frames at any of 0xd00 addresses from BEGIN on. */
static void
add_random_paths(uint64_t begin)
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
				begin + 1 + random_below(&random, 0xcf0),
				j ? PRF_FRAME_RETURN : PRF_FRAME_PC,
			};
		made_sample(run, &made);
		ck_assert_uint_le(run->profile->calls->n, PRF_CALLS_MAX + 3);
	}
}

START_TEST(a_tree_that_is_too_large_is_by_function)
{
	add_random_paths(calls_addr_of('d'));
	made_finish(run);
	ck_assert(run->profile->calls->by_function);
	ck_assert_uint_eq(run->profile->calls->n, 3);
	ck_assert_uint_eq(run->profile->calls->n_pruned, 0);
	ck_assert_uint_eq(run->warnings.n, 1);
	ck_assert_ptr_nonnull(
		strstr(run->warnings.lines[0], "they are by function"));
	ck_assert_ptr_null(strstr(run->warnings.lines[0], "[pruned]"));
	calls_check_tree("d600000(d600000(d600000))");
}
END_TEST

/* JIT code has no functions before it has names. */
START_TEST(a_tree_does_not_grow_for_ever)
{
	add_random_paths(calls_addr_of('j'));
	ck_assert(run->profile->calls->by_function);
	made_finish(run);
	ck_assert_uint_gt(run->profile->calls->n_pruned, 0);
	ck_assert_uint_eq(run->warnings.n, 1);
	ck_assert_ptr_nonnull(strstr(run->warnings.lines[0], "[pruned]"));
	struct prf_call_graph graph = calls_graph_of(run->profile);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, 600000);
	ck_assert_uint_eq(graph.functions[0].total.ticks, 600000);
	ck_assert_uint_eq(graph.functions[0].self.ticks, 600000);
	ck_assert_str_eq(graph.functions[0].name, "[jit]");
	ck_assert_uint_eq(graph.functions[1].total.ticks,
			  run->profile->calls->pruned_ticks);
	prf_call_graph_clear(&graph);
}
END_TEST

/* --- By function */

static void
fold_functions(void)
{
	ck_assert_int_eq(prf_calls_fold_functions(run->profile->calls), 0);
}

/* In each path a function is at another address. */
START_TEST(nodes_of_one_function_become_one)
{
	calls_add("abc", 1);
	calls_add("ab", 2);
	calls_add("a!b", 4);
	calls_sample("ab", 8, 0, PRF_STACK_COMPLETE);
	ck_assert_uint_eq(run->profile->calls->n, 6);
	fold_functions();
	ck_assert_uint_eq(run->profile->calls->n, 4);
	ck_assert_uint_eq(run->profile->calls->guessed_ticks, 4);
	calls_check_functions("b=14/15 a=0/15 c=1/1 ");
	calls_check_tree("a15(!b15(c1))");
	for (size_t i = 1; i <= run->profile->calls->n; i++)
		ck_assert_uint_eq(
			prf_calls_at(run->profile->calls, i)->vaddr % 0x100, 0);
}
END_TEST

START_TEST(samples_that_come_later_are_by_function)
{
	calls_add("abc", 1);
	fold_functions();
	calls_add("abc", 2);
	calls_add("ab", 4);
	calls_add("abd", 8);
	calls_add("jab", 16);
	ck_assert_uint_eq(run->profile->calls->n, 7);
	made_finish(run);
	calls_check_tree("[jit]16(a16(b16))a15(b15(d8c3))");
}
END_TEST

START_TEST(a_sum_is_by_function_if_one_of_both_is)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	PRF_AUTO(prf_profile_auto) struct prf_profile *exact = NULL;

	add_paths();
	ck_assert_int_eq(prf_collector_snapshot(run, &exact, NULL), 0);
	fold_functions();
	made_finish(run);
	ck_assert_int_eq(prf_profile_add(sum, exact, NULL), 0);
	ck_assert_int_eq(prf_profile_add(sum, exact, NULL), 0);
	ck_assert(!sum->calls->by_function);
	size_t n = sum->calls->n;
	ck_assert_int_eq(prf_profile_add(sum, run->profile, NULL), 0);
	ck_assert(sum->calls->by_function);
	ck_assert_uint_lt(sum->calls->n, n);
	ck_assert_int_eq(prf_profile_add(sum, exact, NULL), 0);
	ck_assert_uint_eq(sum->calls->n, run->profile->calls->n);
	calls_check_tree_of(sum, "a60(q48(c32b16)b12(c8))");
}
END_TEST

START_TEST(a_snapshot_from_before_can_be_taken_out)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *before = NULL;

	calls_sample("b", 4, PRF_NO_SYSCALL, PRF_STACK_NONE);
	add_paths();
	ck_assert_int_eq(prf_collector_snapshot(run, &before, NULL), 0);
	fold_functions();
	calls_add("abc", 100);
	made_finish(run);
	ck_assert_int_eq(prf_profile_subtract(run->profile, before), 0);
	calls_check_tree("a100(b100(c100))");
}
END_TEST

START_TEST(what_has_fewer_owners_is_still_by_function)
{
	calls_add("ab", 1);
	fold_functions();
	ck_assert_int_eq(prf_calls_fold_owners(&run->profile->calls), 0);
	ck_assert(run->profile->calls->by_function);
	prune(8);
	ck_assert(run->profile->calls->by_function);
}
END_TEST

/* Of stacks "vaddr=ticks ", and the sum of all. */
static uint64_t told;

static int
take_frame(void *arg, size_t depth, const struct prf_arc_end *end, bool guessed)
{
	uint64_t *path = arg;

	(void)guessed;
	path[depth] = end->vaddr;
	return 0;
}

static int
put_stack(void *arg, size_t n, const struct prf_count *count)
{
	const uint64_t *path = arg;

	calls_put("%zu:%" PRIx64 "=%" PRIu64 " ", n, n ? path[n - 1] : 0,
		  count->ticks);
	told += count->ticks;
	return 0;
}

/* Counters know more of b than the tree does. */
START_TEST(what_the_tree_has_of_a_function_is_taken_from_its_counters)
{
	static const struct prf_stack_visit ops = {.frame = take_frame,
						   .stack = put_stack};
	uint64_t path[8];

	calls_add("ab", 4);
	made_ticks(run, calls_addr_of('b') + 0x40, 3);
	made_ticks(run, calls_addr_of('b') + 0x44, 2);
	made_ticks(run, calls_addr_of('c'), 1);
	fold_functions();
	made_finish(run);
	for (size_t i = 1; i <= run->profile->calls->n; i++) {
		struct prf_call *call = prf_calls_at(run->profile->calls, i);

		if (!call->parent)
			call->self = (struct prf_count){0};
	}
	calls_text[0] = '\0';
	told = 0;
	ck_assert_int_eq(prf_stack_walk(run->profile, &ops, path), 0);
	ck_assert_uint_eq(told, run->profile->total.ticks);
	ck_assert_str_eq(calls_text, "2:1100=4 1:1100=5 1:1200=1 ");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("calls");
	TCase *tcase = tcase_create("calls");

	tcase_add_checked_fixture(tcase, calls_begin, calls_end);
	tcase_add_test(tcase, a_guess_is_marked);
	tcase_add_test(tcase, ticks_are_counted_by_how_their_stack_ended);
	tcase_add_test(tcase, samples_without_frames_are_no_stacks);
	tcase_add_test(tcase,
		       ticks_before_the_first_stack_are_paths_of_one_frame);
	tcase_add_test(tcase, ticks_without_any_stack_are_paths_of_one_frame);
	tcase_add_test(tcase, what_no_counter_has_is_the_roots_own);
	tcase_add_test(tcase, ticks_without_stacks_are_in_a_sum_with_stacks);
	tcase_add_test(tcase, nothing_is_kept_that_was_not_asked_for);
	tcase_add_test(tcase, a_detached_profile_has_the_same_calls);
	tcase_add_test(tcase, a_snapshot_has_the_calls_so_far);
	tcase_add_test(tcase, a_sum_has_all_calls_of_both);
	tcase_add_test(tcase, profiles_of_programs_have_calls_of_their_own);
	tcase_add_test(tcase, what_is_pruned_stays_below_its_caller);
	tcase_add_test(tcase, equals_are_pruned_alike);
	tcase_add_test(tcase, the_heaviest_are_kept_however_heavy_all_are);
	tcase_add_test(tcase, what_was_pruned_is_pruned_again);
	tcase_add_test(tcase, less_is_kept_so_that_innermost_frames_have_room);
	tcase_add_test(tcase, what_had_no_room_before_is_not_tried_again);
	tcase_add_test(tcase, not_all_innermost_frames_are_kept);
	tcase_add_test(tcase, pieces_are_called_past_what_was_pruned);
	tcase_add_test(tcase, a_tree_that_is_small_enough_stays);
	tcase_add_test(tcase, a_tree_that_is_too_large_is_by_function);
	tcase_add_test(tcase, a_tree_does_not_grow_for_ever);
	tcase_add_test(tcase, nodes_of_one_function_become_one);
	tcase_add_test(tcase, samples_that_come_later_are_by_function);
	tcase_add_test(tcase, a_sum_is_by_function_if_one_of_both_is);
	tcase_add_test(tcase, a_snapshot_from_before_can_be_taken_out);
	tcase_add_test(tcase, what_has_fewer_owners_is_still_by_function);
	tcase_add_test(
		tcase,
		what_the_tree_has_of_a_function_is_taken_from_its_counters);
	suite_add_tcase(suite, tcase);
	return suite;
}
