#include "support/suite.h"
#include "profile/calls.h"
#include "view/made_graph.h"
#include "view/table/stack_ends.h"

#include <stdlib.h>
#include <string.h>

static struct prf_binary app = {.name = "app", .no_cfi_ticks = 1},
			 library = {.name = "libfoo.so", .no_cfi_ticks = 3},
			 third = {.name = "third\033"}, fourth = {.name = "z"};
static struct prf_binary *binaries[] = {&app, &library, &third, &fourth};
static struct prf_calls calls;
static struct prf_profile profile;
static char *text;

static void
begin(void)
{
	calls = (struct prf_calls){.ended = {[PRF_STACK_COMPLETE] = 1}};
	third.no_cfi_ticks = fourth.no_cfi_ticks = 0;
	profile = (struct prf_profile){
		.binaries = binaries,
		.n_binaries = 4,
		.calls = &calls,
	};
	text = NULL;
}

static void
end(void)
{
	free(text);
}

static const char *
print(size_t width)
{
	const struct prf_style style = {.width = width};
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_stack_ends_print(&profile, &style, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(whole_stacks_are_told_in_a_few_words)
{
	ck_assert_str_eq(print(0), "  stacks    100.0 % complete\n");
}
END_TEST

START_TEST(a_file_that_does_not_tell_which_code_has_no_cfi_names_none)
{
	calls.ended[PRF_STACK_NO_CFI] = 1;
	app.no_cfi_ticks = library.no_cfi_ticks = 0;
	ck_assert_str_eq(print(0), "  stacks    50.0 % complete, "
				   "50.0 % end in code without CFI\n");
	app.no_cfi_ticks = 1;
	library.no_cfi_ticks = 3;
}
END_TEST

/* What is told where [kernel] has 5 ticks in read and 3 in NAME, and of COMPLETE + 4
 * ticks those have no stack. */
static const char *
print_in_kernel(const char *name, uint64_t complete)
{
	struct prf_named_count names[] = {
		{(char *)"read", {.ticks = 5}},
		{(char *)name, {.ticks = 3}},
	};
	struct prf_binary kernel = {
		.kind = PRF_BINARY_KERNEL,
		.name = "[kernel]",
		.names = {.all = names, .n = 2},
	};
	struct prf_binary *only[] = {&kernel};

	profile.binaries = only;
	profile.n_binaries = 1;
	calls.ended[PRF_STACK_COMPLETE] = complete;
	calls.ended[PRF_STACK_NONE] = 4;
	return print(0);
}

START_TEST(ticks_of_threads_that_wait_for_a_processor_are_told_apart)
{
	ck_assert_str_eq(print_in_kernel("waiting_for_a_processor", 6),
			 "  stacks    60.0 % complete, 10.0 % without a stack, "
			 "30.0 % waiting for a processor\n");
}
END_TEST

/* Nothing of the program calls that. */
START_TEST(switches_and_ends_of_threads_have_no_stacks)
{
	static const char *const names[] = {"switching", "ending"};

	ck_assert_str_eq(
		print_in_kernel(names[_i], 9),
		"  stacks    90.0 % complete, 10.0 % without a stack\n");
}
END_TEST

START_TEST(much_that_is_cut_is_missed_by_its_callers)
{
	calls.ended[PRF_STACK_COMPLETE] = 98;
	calls.ended[PRF_STACK_MEMORY] = 2;
	ck_assert_str_eq(print(0),
			 "  stacks    98.0 % complete, 2.0 % cut; callers of "
			 "those that are cut have more than their total %\n");
}
END_TEST

START_TEST(each_reason_has_its_share)
{
	calls.ended[PRF_STACK_COMPLETE] = 980;
	calls.ended[PRF_STACK_NO_CFI] = 4;
	calls.ended[PRF_STACK_MEMORY] = 8;
	calls.ended[PRF_STACK_LIMIT] = 5;
	calls.ended[PRF_STACK_LOOP] = 2;
	calls.ended[PRF_STACK_NONE] = 1;
	calls.guessed_ticks = 10;
	ck_assert_str_eq(
		print(0),
		"  stacks    98.0 % complete, 0.4 % end in code without CFI "
		"(libfoo.so 0.3 %, app 0.1 %), 0.8 % cut, 0.5 % too deep, "
		"0.2 % end in a loop, 0.1 % without a stack; 1.0 % with a "
		"guess\n");
	free(text);
	text = NULL;
	for (const char *line = print(80), *next; *line; line = next) {
		next = strchr(line, '\n') + 1;
		ck_assert_int_le(next - line, 81);
		ck_assert(line == text ||
			  strncmp(line, "            ", 12) == 0);
	}
}
END_TEST

START_TEST(of_many_binaries_those_with_the_most_are_told)
{
	third.no_cfi_ticks = 2;
	fourth.no_cfi_ticks = 4;
	calls.ended[PRF_STACK_NO_CFI] = 10;
	calls.ended[PRF_STACK_COMPLETE] = 0;
	ck_assert_ptr_nonnull(
		strstr(print(0),
		       "(z 40.0 %, libfoo.so 30.0 %, third? 20.0 %, ...)\n"));
}
END_TEST

START_TEST(without_stacks_nothing_is_said)
{
	calls.ended[PRF_STACK_COMPLETE] = 0;
	calls.ended[PRF_STACK_NONE] = _i;
	ck_assert_str_eq(print(0), "");
	free(text);
	profile.calls = NULL;
	ck_assert_str_eq(print(0), "");
}
END_TEST

/* --- Cycles */

/* main calls eval, which calls call, which calls eval; or eval itself. */
static const struct made_call calls_in_cycle[] = {
	{0, "main", 10, false}, {1, "eval", 30, false}, {2, "call", 30, false},
	{3, "eval", 20, false}, {1, "eval", 5, false},  {1, "leaf", 5, false},
};

static void
print_cycle(size_t caller_of_inner, uint64_t self_of_main)
{
	const struct prf_style style = {.width = 80};
	enum { N = sizeof calls_in_cycle / sizeof *calls_in_cycle };
	struct made_call made[N];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	memcpy(made, calls_in_cycle, sizeof made);
	made[3].caller = caller_of_inner;
	made[0].self = self_of_main;
	struct prf_call_graph graph = made_graph(made, N);
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_stack_ends_print_cycle(
				 &graph, &graph.nodes[0].total, &style, out),
			 0);
	ck_assert_int_eq(fclose(out), 0);
	made_graph_free(&graph);
}

START_TEST(a_cycle_with_most_of_the_time_is_told)
{
	print_cycle(3, 10);
	ck_assert_str_eq(
		text,
		"  cycle     85.0 % of the time is in 2 functions that call "
		"each other, such as\n"
		"            eval: gprof cannot divide it among them, profrun "
		"report --tree does\n");
}
END_TEST

START_TEST(direct_recursion_and_small_cycles_are_not)
{
	print_cycle(_i ? 3 : 2, _i ? 200 : 10);
	ck_assert_str_eq(text, "");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stack_ends");
	TCase *tcase = tcase_create("stack_ends");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, whole_stacks_are_told_in_a_few_words);
	tcase_add_test(tcase, much_that_is_cut_is_missed_by_its_callers);
	tcase_add_test(tcase, each_reason_has_its_share);
	tcase_add_test(
		tcase,
		a_file_that_does_not_tell_which_code_has_no_cfi_names_none);
	tcase_add_test(
		tcase,
		ticks_of_threads_that_wait_for_a_processor_are_told_apart);
	tcase_add_loop_test(tcase, switches_and_ends_of_threads_have_no_stacks,
			    0, 2);
	tcase_add_test(tcase, of_many_binaries_those_with_the_most_are_told);
	tcase_add_loop_test(tcase, without_stacks_nothing_is_said, 0, 2);
	tcase_add_test(tcase, a_cycle_with_most_of_the_time_is_told);
	tcase_add_loop_test(tcase, direct_recursion_and_small_cycles_are_not, 0,
			    2);
	suite_add_tcase(suite, tcase);
	return suite;
}
