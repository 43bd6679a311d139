#include "profile/owners.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/scope.h"
#include "profile/call_graph.h"
#include "profile/stack_walk.h"
#include "support/made_run.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

#define AT 0x555555555000

static const struct elf_symbol abc[] = {
	{"a", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"b", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"c", 0x1200, 0xe00, STB_GLOBAL, STT_FUNC, 1},
};

/* --- The numbers */

static struct prf_owners owners;

static void
end_numbers(void)
{
	prf_owners_clear(&owners);
}

static uint32_t
number_of(pid_t pid, pid_t tid, const char *program, int32_t rank)
{
	const struct prf_owner like = {
		.pid = pid, .tid = tid, .program = program, .rank = rank};
	uint32_t number;

	ck_assert_int_eq(prf_owners_intern(&owners, &like, &number), 0);
	return number;
}

START_TEST(an_owner_is_a_thread_of_a_program_of_a_rank)
{
	uint32_t first = number_of(1, 1, "/bin/a", -1);

	ck_assert_uint_eq(first, 1);
	ck_assert_uint_eq(number_of(1, 2, "/bin/a", -1), 2);
	ck_assert_uint_eq(number_of(2, 1, "/bin/a", -1), 3);
	ck_assert_uint_eq(number_of(1, 1, "/bin/b", -1), 4);
	ck_assert_uint_eq(number_of(1, 1, "/bin/a", 0), 5);
	ck_assert_uint_eq(number_of(1, 1, "/bin/a", -1), first);
	ck_assert_str_eq(prf_owners_at(&owners, 4)->program, "/bin/b");
	ck_assert_ptr_null(prf_owners_at(&owners, PRF_OWNERS_NOBODY));
	ck_assert_uint_eq(owners.n, 5);
}
END_TEST

START_TEST(states_of_a_thread_are_owners_of_one_thread)
{
	struct prf_owner like = {.pid = 1, .tid = 2, .program = "/bin/a"};
	uint32_t running = number_of(1, 2, "/bin/a", 0), blocked;

	number_of(1, 3, "/bin/a", 0);
	like.state = PRF_SAMPLE_BLOCKED;
	ck_assert_int_eq(prf_owners_intern(&owners, &like, &blocked), 0);
	ck_assert_uint_ne(running, blocked);
	ck_assert_uint_eq(owners.all[running - 1].thread,
			  owners.all[blocked - 1].thread);
	ck_assert_uint_ne(owners.all[1].thread, owners.all[0].thread);
	like.state = PRF_SAMPLE_RUNNING;
	memcpy(like.name, "worker", sizeof "worker");
	prf_owners_name(&owners, &like);
	ck_assert_str_eq(owners.all[running - 1].name, "worker");
	ck_assert_str_eq(owners.all[blocked - 1].name, "worker");
	ck_assert_str_eq(owners.all[1].name, "");
}
END_TEST

START_TEST(only_an_owner_that_is_there_gets_a_name)
{
	struct prf_owner like = {.pid = 1,
				 .tid = 2,
				 .program = "/bin/a",
				 .rank = -1,
				 .name = "worker"};

	prf_owners_name(&owners, &like);
	ck_assert_uint_eq(owners.n, 0);
	number_of(1, 2, "/bin/a", -1);
	prf_owners_name(&owners, &like);
	ck_assert_str_eq(owners.all[0].name, "worker");
	like.tid = 3;
	prf_owners_name(&owners, &like);
	ck_assert_uint_eq(owners.n, 1);
}
END_TEST

START_TEST(a_thread_that_is_kept_is_so_in_all_its_states)
{
	struct prf_owner like = {
		.pid = 1,
		.tid = 1,
		.program = "/bin/a",
		.rank = -1,
		.state = PRF_SAMPLE_BLOCKED,
	};
	uint32_t running = number_of(1, 1, "/bin/a", -1), blocked, others;

	owners.is_full = true;
	ck_assert_int_eq(prf_owners_intern(&owners, &like, &blocked), 0);
	ck_assert_uint_ne(blocked, running);
	ck_assert_int_eq(prf_owners_at(&owners, blocked)->tid, 1);
	ck_assert_uint_eq(owners.n_threads, 1);
	like.tid = 2;
	ck_assert_int_eq(prf_owners_intern(&owners, &like, &others), 0);
	ck_assert_int_eq(prf_owners_at(&owners, others)->tid, 0);
	ck_assert_int_eq(prf_owners_at(&owners, others)->state,
			 PRF_SAMPLE_BLOCKED);
}
END_TEST

START_TEST(who_comes_when_it_is_full_is_one_of_others)
{
	uint32_t first = number_of(1, 1, "/bin/a", -1);

	owners.is_full = true;
	uint32_t others = number_of(1, 2, "/bin/a", -1);
	ck_assert_uint_eq(number_of(1, 3, "/bin/a", -1), others);
	ck_assert_uint_ne(number_of(1, 3, "/bin/b", -1), others);
	ck_assert_uint_eq(number_of(1, 1, "/bin/a", -1), first);
	ck_assert_int_eq(prf_owners_at(&owners, others)->tid, 0);
	ck_assert_str_eq(prf_owners_at(&owners, others)->program, "/bin/a");
	ck_assert_uint_eq(owners.n_threads, 1);
}
END_TEST

/* --- The calls of a run by them */

static struct prf_collector *run;

static void
begin(void)
{
	const struct prf_collector_config config = {.call_graph = true,
						    .by_thread = true};

	made_begin();
	run = made_run(&config);
	made_elf("prog", abc, 3);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
}

static void
end(void)
{
	made_run_free(run);
	made_end();
}

/* A sample of thread TID in STATE: PATH, the outermost first. */
static void
add_in(enum prf_sample_state state, pid_t tid, const char *path, uint32_t ticks)
{
	struct prf_frame frames[8];
	struct prf_sample made = {
		.pid = MADE_PID,
		.tid = tid,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.state = state,
		.end = PRF_STACK_COMPLETE,
		.n_frames = (uint32_t)strlen(path),
		.frames = frames,
	};

	for (uint32_t i = 0; i < made.n_frames; i++) {
		char letter = path[made.n_frames - 1 - i];

		frames[i] = (struct prf_frame){
			.addr = AT + 0x100 * (uint64_t)(letter - 'a') + 0x10,
			.kind = i ? PRF_FRAME_RETURN : PRF_FRAME_PC,
		};
	}
	made_sample(run, &made);
}

static void
add(pid_t tid, const char *path, uint32_t ticks)
{
	add_in(PRF_SAMPLE_RUNNING, tid, path, ticks);
}

static void
end_thread(pid_t tid, const char *name)
{
	const struct prf_life life = {.kind = PRF_LIFE_END,
				      .pid = MADE_PID,
				      .tid = tid,
				      .name = name};

	ck_assert_int_eq(run->base.ops->life(&run->base, &life), 0);
}

static char text[1024];

static int
put_owner(void *arg, const struct prf_owner *owner)
{
	size_t used = strlen(text);

	(void)arg;
	snprintf(text + used, sizeof text - used,
		 "%d%s: ", owner ? owner->tid : -1, owner ? owner->name : "");
	return 0;
}

static int
put_frame(void *arg, size_t depth, const struct prf_arc_end *frame,
	  bool guessed)
{
	(void)arg;
	(void)depth;
	(void)frame;
	(void)guessed;
	return 0;
}

static int
put_stack(void *arg, size_t n, const struct prf_count *count)
{
	size_t used = strlen(text);

	(void)arg;
	snprintf(text + used, sizeof text - used, "%zu=%d ", n,
		 (int)count->ticks);
	return 0;
}

static void
check_stacks(const struct prf_profile *profile, const char *expected)
{
	static const struct prf_stack_visit ops = {put_frame, put_stack,
						   put_owner};

	text[0] = '\0';
	ck_assert_int_eq(prf_stack_walk(profile, &ops, NULL), 0);
	ck_assert_str_eq(text, expected);
}

START_TEST(stacks_of_one_thread_come_together)
{
	add(10, "ab", 1);
	add(11, "ab", 2);
	add(10, "abc", 4);
	end_thread(11, "worker");
	check_stacks(made_finish(run), "10: 3=4 2=1 11worker: 2=2 -1: ");
}
END_TEST

START_TEST(without_being_asked_for_nobody_is_told)
{
	run->profile->by_thread = false;
	add(10, "ab", 1);
	add(11, "ab", 2);
	check_stacks(made_finish(run), "2=3 ");
}
END_TEST

START_TEST(what_a_process_becomes_has_other_owners)
{
	made_elf("other", abc, 3);
	add(MADE_PID, "ab", 1);
	made_exec(run, "other");
	made_map(run, "other", AT);
	add(MADE_PID, "ab", 2);
	const struct prf_owners *all = &made_finish(run)->calls->owners;
	ck_assert_uint_eq(all->n, 2);
	ck_assert_str_ne(all->all[0].program, all->all[1].program);
}
END_TEST

START_TEST(a_graph_is_of_all_or_without_others)
{
	bool others[3] = {false, true, false};
	const struct prf_call_graph_way way = {.others = others};
	struct prf_call_graph graph;

	add(10, "ab", 1);
	add(11, "ac", 2);
	const struct prf_profile *profile = made_finish(run);
	ck_assert_int_eq(prf_call_graph_of(profile, &graph), 0);
	ck_assert_uint_eq(graph.n_functions, 3);
	ck_assert_uint_eq(graph.n_nodes, 4); /* a is one, whoever called it */
	ck_assert_uint_eq(graph.functions[0].total.ticks, 3);
	prf_call_graph_clear(&graph);
	ck_assert_int_eq(prf_call_graph_make(profile, &way, &graph), 0);
	ck_assert_uint_eq(graph.n_functions, 2);
	ck_assert_uint_eq(graph.functions[0].total.ticks, 2);
	prf_call_graph_clear(&graph);
}
END_TEST

START_TEST(half_of_the_threads_are_folded_into_their_program)
{
	for (pid_t i = 1; i <= 5; i++)
		add(10 + i, "ab", (uint32_t)i);
	ck_assert_int_eq(prf_calls_fold_owners(&run->profile->calls), 0);
	add(11, "ac", 100); /* it was folded, and stays so */
	check_stacks(made_finish(run), "15: 2=5 14: 2=4 13: 2=3 0: 2=100 2=3 "
				       "-1: ");
}
END_TEST

/* The tree is made anew when JIT code gets its names. */
START_TEST(who_was_folded_stays_so_when_jit_code_is_named)
{
	struct prf_profile *profile = run->profile;

	for (pid_t i = 1; i <= 3; i++)
		add(10 + i, "ab", (uint32_t)i);
	ck_assert_int_eq(prf_calls_fold_owners(&profile->calls), 0);
	struct prf_calls *calls = profile->calls;
	const struct prf_arc_end jit = {
		prf_profile_jit_of(profile, MADE_PID + 1), 0};
	ck_assert_ptr_nonnull(
		prf_calls_enter(calls, prf_calls_root(calls), &jit, false));
	ck_assert_int_eq(prf_profile_end_jit(profile, MADE_PID + 1, NULL), 0);
	ck_assert_int_eq(prf_profile_name_jit(profile), 0);
	ck_assert_ptr_ne(profile->calls, calls);
	add(11, "ac", 100);
	add(13, "ac", 10);
	check_stacks(made_finish(run),
		     "13: 2=10 2=3 12: 2=2 0: 2=100 2=1 -1: ");
}
END_TEST

START_TEST(a_thread_is_folded_in_all_its_states_or_in_none)
{
	/* In no state the first has the most ticks, but in sum it does. */
	add_in(PRF_SAMPLE_RUNNING, 11, "ab", 4);
	add_in(PRF_SAMPLE_BLOCKED, 11, "ab", 4);
	add_in(PRF_SAMPLE_RUNNABLE, 11, "ab", 4);
	add_in(PRF_SAMPLE_RUNNING, 12, "ab", 5);
	add_in(PRF_SAMPLE_BLOCKED, 12, "ab", 1);
	add_in(PRF_SAMPLE_BLOCKED, 13, "ab", 6);
	ck_assert_int_eq(prf_calls_fold_owners(&run->profile->calls), 0);
	ck_assert_uint_eq(run->profile->calls->owners.n_threads, 2);
	/* Of equal ones the first that came stays. */
	check_stacks(made_finish(run),
		     "11: 2=4 11: 2=4 11: 2=4 12: 2=5 12: 2=1 0: 2=6 -1: ");
}
END_TEST

START_TEST(of_very_many_threads_all_ticks_are_kept)
{
	for (pid_t i = 0; i < 3 * PRF_OWNERS_MAX; i++)
		add(10 + i, "ab", 1);
	const struct prf_calls *calls = made_finish(run)->calls;
	uint64_t ticks = 0;
	ck_assert_uint_le(calls->owners.n, PRF_OWNERS_MAX);
	ck_assert_uint_gt(calls->owners.n, PRF_OWNERS_MAX / 4);
	for (size_t i = 1; i <= calls->n; i++)
		ticks += prf_calls_at(calls, i)->self.ticks;
	ck_assert_uint_eq(ticks, 3 * PRF_OWNERS_MAX);
}
END_TEST

START_TEST(a_snapshot_from_before_they_were_folded_can_be_taken_out)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *before = NULL;

	for (pid_t i = 1; i <= 4; i++)
		add(10 + i, "ab", (uint32_t)i);
	ck_assert_int_eq(prf_collector_snapshot(run, &before, NULL), 0);
	ck_assert_int_eq(prf_calls_fold_owners(&run->profile->calls), 0);
	add(11, "ab", 10);
	add(14, "ab", 20);
	struct prf_profile *profile = made_finish(run);
	ck_assert_int_eq(prf_profile_subtract(profile, before), 0);
	check_stacks(profile, "14: 2=20 13: 0: 2=10 -1: ");
}
END_TEST

START_TEST(a_sum_has_the_owners_of_both)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();

	add(10, "ab", 1);
	add(11, "ab", 2);
	end_thread(11, "worker");
	made_finish(run);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(prf_profile_add(sum, run->profile, NULL), 0);
	check_stacks(sum, "10: 2=2 11worker: 2=4 -1: ");
}
END_TEST

START_TEST(a_pruned_tree_still_knows_whose_it_is)
{
	add(10, "ab", 5);
	add(11, "ab", 2);
	add(11, "ac", 1);
	ck_assert_int_eq(prf_calls_prune(&run->profile->calls, 12), 0);
	check_stacks(made_finish(run), "10: 2=5 11: 2=1 2=2 -1: ");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profile/owners");
	TCase *numbers = tcase_create("numbers");
	TCase *calls = tcase_create("calls");

	tcase_add_checked_fixture(numbers, NULL, end_numbers);
	tcase_add_test(numbers, an_owner_is_a_thread_of_a_program_of_a_rank);
	tcase_add_test(numbers, states_of_a_thread_are_owners_of_one_thread);
	tcase_add_test(numbers, only_an_owner_that_is_there_gets_a_name);
	tcase_add_test(numbers, a_thread_that_is_kept_is_so_in_all_its_states);
	tcase_add_test(numbers, who_comes_when_it_is_full_is_one_of_others);
	tcase_add_checked_fixture(calls, begin, end);
	tcase_add_test(calls, stacks_of_one_thread_come_together);
	tcase_add_test(calls, without_being_asked_for_nobody_is_told);
	tcase_add_test(calls, what_a_process_becomes_has_other_owners);
	tcase_add_test(calls, a_graph_is_of_all_or_without_others);
	tcase_add_test(calls,
		       half_of_the_threads_are_folded_into_their_program);
	tcase_add_test(calls, who_was_folded_stays_so_when_jit_code_is_named);
	tcase_add_test(calls, a_thread_is_folded_in_all_its_states_or_in_none);
	tcase_add_test(calls, of_very_many_threads_all_ticks_are_kept);
	tcase_add_test(
		calls,
		a_snapshot_from_before_they_were_folded_can_be_taken_out);
	tcase_add_test(calls, a_sum_has_the_owners_of_both);
	tcase_add_test(calls, a_pruned_tree_still_knows_whose_it_is);
	suite_add_tcase(suite, numbers);
	suite_add_tcase(suite, calls);
	return suite;
}
