#include "profile/binary_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"
#include "profile/call_graph.h"
#include "support/made_run.h"
#include "support/suite.h"

/* --- What is asked for: this program */

static inline __attribute__((always_inline)) void *
inner_function(void)
{
	return __builtin_return_address(0);
}

static inline __attribute__((always_inline)) void *
middle_function(void)
{
	void *pc = inner_function();

	__asm__ volatile("" : : "r"(pc) : "memory");
	return pc;
}

static __attribute__((noinline)) void *
outer_function(void)
{
	void *pc = middle_function();

	__asm__ volatile("" : : "r"(pc) : "memory");
	return pc;
}

static struct prf_collector *run;
static struct prf_binary_lines lines;

static void
begin(void)
{
	const struct prf_collector_config config = {.call_graph = true};

	made_begin();
	run = made_run(&config);
	made_map_own_text(run, (const void *)outer_function);
}

static void
end(void)
{
	prf_binary_lines_clear(&lines);
	made_run_free(run);
	made_end();
}

/* TICKS at PC, called from CALLER. */
static void
add(uint64_t pc, uint64_t caller, uint32_t ticks)
{
	const struct prf_frame frames[] = {
		{.addr = pc, .kind = PRF_FRAME_PC},
		{.addr = caller, .kind = PRF_FRAME_PC},
	};
	const struct prf_sample made = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.end = PRF_STACK_COMPLETE,
		.n_frames = 2,
		.frames = frames,
	};

	made_sample(run, &made);
}

/* The binary of this program, once something was counted. */
static const struct prf_binary *
own_binary(void)
{
	const struct prf_profile *profile = run->profile;

	for (size_t i = 0; i < profile->n_binaries; i++)
		if (strcmp(profile->binaries[i]->path, made_own_path()) == 0)
			return profile->binaries[i];
	ck_abort_msg("no binary");
	return NULL;
}

/* The address of an instruction with N functions: of outer_function() and what
 * is inlined into it; 0: there is none. */
static uint64_t
address_of(size_t n)
{
	uint64_t begin_addr = (uintptr_t)outer_function;
	const struct prf_binary *binary = own_binary();
	struct prf_lines *own = prf_binary_lines_of(&lines, binary);
	uint64_t bias = begin_addr;

	for (size_t i = 0; i < binary->file->n_functions; i++)
		if (strcmp(binary->file->functions[i].name, "outer_function") ==
		    0)
			bias = begin_addr - binary->file->functions[i].lo;
	for (uint64_t addr = begin_addr; own && addr < begin_addr + 64;
	     addr++) {
		const struct prf_line *at;

		if (prf_lines_at(own, addr - bias, &at) == n &&
		    strcmp(at[n - 1].function, "outer_function") == 0)
			return addr;
	}
	return 0;
}

START_TEST(a_binary_that_is_there_has_lines)
{
	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	ck_assert_ptr_nonnull(prf_binary_lines_of(&lines, own_binary()));
	ck_assert_ptr_eq(prf_binary_lines_of(&lines, own_binary()),
			 prf_binary_lines_of(&lines, own_binary()));
	ck_assert_uint_ne(address_of(3), 0);
	prf_binary_lines_warn(&lines);
	ck_assert_uint_eq(lines.warnings.n, 0);
}
END_TEST

/* As in the next look at a run that goes on. */
START_TEST(lines_stay_open_for_the_same_binary_of_another_profile)
{
	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	struct prf_binary same = *own_binary(), other = same;
	struct prf_lines *own = prf_binary_lines_of(&lines, own_binary());

	other.build_id_bytes = same.build_id_bytes ? 0 : 1;
	ck_assert_ptr_nonnull(own);
	ck_assert_ptr_ne(prf_binary_lines_of(&lines, &same), own);
	ck_assert_uint_eq(lines.n, 2);
	for (int look = 0; look < 2; look++) {
		prf_binary_lines_let_go(&lines);
		ck_assert_ptr_eq(prf_binary_lines_of(&lines, &same), own);
		ck_assert_uint_eq(lines.n, 2);
	}
	ck_assert_ptr_ne(prf_binary_lines_of(&lines, &other), own);
	ck_assert_uint_eq(lines.n, 3);
}
END_TEST

START_TEST(who_has_no_time_left_knows_no_lines)
{
	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	prf_binary_lines_hurry(&lines, 0);
	ck_assert_ptr_null(prf_binary_lines_of(&lines, own_binary()));
	prf_binary_lines_hurry(&lines, UINT64_C(1000000000000));
	ck_assert_ptr_nonnull(prf_binary_lines_of(&lines, own_binary()));
}
END_TEST

START_TEST(a_binary_that_is_gone_has_none_and_is_warned_of_once)
{
	struct prf_binary gone = {.kind = PRF_BINARY_FILE,
				  .path = (char *)"/nowhere/gone"};

	ck_assert_ptr_null(prf_binary_lines_of(&lines, &gone));
	ck_assert_ptr_null(prf_binary_lines_of(&lines, &gone));
	ck_assert_uint_eq(lines.warnings.n, 1);
	ck_assert_ptr_nonnull(strstr(lines.warnings.lines[0], "/nowhere/gone"));
	ck_assert_int_eq(prf_binary_lines_open(&lines, &gone), -ENOENT);
}
END_TEST

START_TEST(another_file_under_its_name_is_not_it)
{
	struct prf_binary other = {.kind = PRF_BINARY_FILE,
				   .path = (char *)made_own_path(),
				   .build_id = {1, 2, 3, 4},
				   .build_id_bytes = 4,
				   .inode = 1};

	ck_assert_ptr_null(prf_binary_lines_of(&lines, &other));
	ck_assert_uint_eq(lines.warnings.n, 1);
	ck_assert_ptr_nonnull(
		strstr(lines.warnings.lines[0], "is another file by now"));
}
END_TEST

START_TEST(one_whose_names_could_not_be_read_is_not_warned_of_again)
{
	struct prf_binary other = {.kind = PRF_BINARY_FILE,
				   .path = (char *)made_own_path(),
				   .is_offsets = true,
				   .inode = 1};

	ck_assert_ptr_null(prf_binary_lines_of(&lines, &other));
	ck_assert_uint_eq(lines.warnings.n, 0);
}
END_TEST

START_TEST(what_is_no_file_has_no_lines_and_no_warning)
{
	const struct prf_binary kernel = {.kind = PRF_BINARY_KERNEL,
					  .path = (char *)""};

	ck_assert_ptr_null(prf_binary_lines_of(&lines, &kernel));
	ck_assert_uint_eq(lines.warnings.n, 0);
	ck_assert_int_eq(prf_binary_lines_open(&lines, &kernel), -ENOENT);
}
END_TEST

START_TEST(the_function_of_an_address_is_known_without_lines)
{
	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	const struct prf_binary *binary = own_binary();
	const struct prf_named *named = binary->file->functions;

	while (strcmp(named->name, "outer_function") != 0)
		named++;
	ck_assert_str_eq(prf_binary_lines_function(binary, named->lo),
			 "outer_function");
}
END_TEST

/* --- Calls of what is inlined */

static const struct prf_call_function *
function_of(const struct prf_call_graph *graph, const char *name)
{
	for (size_t i = 0; i < graph->n_functions; i++)
		if (strcmp(graph->functions[i].name, name) == 0)
			return &graph->functions[i];
	ck_abort_msg("no %s", name);
	return NULL;
}

START_TEST(an_inlined_function_is_called_by_the_one_that_it_is_in)
{
	const struct prf_call_graph_way way = {.inlines = &lines};
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};

	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	uint64_t inlined = address_of(3);
	ck_assert_uint_ne(inlined, 0);
	add(inlined, (uintptr_t)begin, 10);
	made_finish(run);
	ck_assert_int_eq(prf_call_graph_make(run->profile, &way, &graph), 0);
	const struct prf_call_function *outer =
		function_of(&graph, "outer_function");
	const struct prf_call_function *inner =
		function_of(&graph, "inner_function");
	ck_assert(inner->inlined && !outer->inlined);
	ck_assert(function_of(&graph, "middle_function")->inlined);
	/* The first instruction may be of it, too. */
	ck_assert_uint_ge(inner->self.ticks, 10);
	ck_assert_uint_eq(inner->self.ticks, inner->total.ticks);
	ck_assert_uint_eq(outer->total.ticks, 11);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, 11);
	uint64_t self = 0;
	for (size_t i = 0; i < graph.n_functions; i++)
		self += graph.functions[i].self.ticks;
	ck_assert_uint_eq(self, 11);
}
END_TEST

START_TEST(of_calls_by_function_nothing_is_inlined)
{
	const struct prf_call_graph_way way = {.inlines = &lines};
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};

	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	add(address_of(3), (uintptr_t)begin, 10);
	made_finish(run);
	ck_assert_int_eq(prf_calls_fold_functions(run->profile->calls), 0);
	ck_assert_int_eq(prf_call_graph_make(run->profile, &way, &graph), 0);
	ck_assert_uint_eq(graph.n_functions, 2);
	ck_assert_uint_eq(function_of(&graph, "outer_function")->self.ticks,
			  11);
}
END_TEST

START_TEST(counters_have_inlined_functions_without_any_calls)
{
	const struct prf_call_graph_way way = {.inlines = &lines,
					       .is_flat = true};
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};

	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	add(address_of(3), (uintptr_t)begin, 10);
	made_finish(run);
	ck_assert_int_eq(prf_calls_prune(&run->profile->calls, 1), 0);
	ck_assert_int_eq(prf_call_graph_make(run->profile, &way, &graph), 0);
	ck_assert_uint_ge(function_of(&graph, "inner_function")->self.ticks,
			  10);
	ck_assert_uint_eq(function_of(&graph, "outer_function")->total.ticks,
			  11);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, 11);
	ck_assert_uint_eq(graph.n_arcs, 2); /* of what is inlined */
}
END_TEST

START_TEST(it_is_its_callers_unless_that_is_asked_for)
{
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};

	add((uintptr_t)outer_function, (uintptr_t)begin, 1);
	add(address_of(3), (uintptr_t)begin, 10);
	made_finish(run);
	ck_assert_int_eq(prf_call_graph_of(run->profile, &graph), 0);
	ck_assert_uint_eq(graph.n_functions, 2);
	ck_assert_uint_eq(function_of(&graph, "outer_function")->self.ticks,
			  11);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profile/binary_lines");
	TCase *tcase = tcase_create("core");

	/* It is there only if somebody calls it. */
	if (!outer_function())
		abort();
	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, a_binary_that_is_there_has_lines);
	tcase_add_test(tcase,
		       lines_stay_open_for_the_same_binary_of_another_profile);
	tcase_add_test(tcase, who_has_no_time_left_knows_no_lines);
	tcase_add_test(tcase,
		       a_binary_that_is_gone_has_none_and_is_warned_of_once);
	tcase_add_test(tcase, another_file_under_its_name_is_not_it);
	tcase_add_test(
		tcase,
		one_whose_names_could_not_be_read_is_not_warned_of_again);
	tcase_add_test(tcase, what_is_no_file_has_no_lines_and_no_warning);
	tcase_add_test(tcase,
		       the_function_of_an_address_is_known_without_lines);
	tcase_add_test(tcase,
		       an_inlined_function_is_called_by_the_one_that_it_is_in);
	tcase_add_test(tcase, of_calls_by_function_nothing_is_inlined);
	tcase_add_test(tcase,
		       counters_have_inlined_functions_without_any_calls);
	tcase_add_test(tcase, it_is_its_callers_unless_that_is_asked_for);
	suite_add_tcase(suite, tcase);
	return suite;
}
