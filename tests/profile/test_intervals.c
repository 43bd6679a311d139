/* The profiles of a run's intervals. */
#include "profile/collector.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "profile/collected_run.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

enum { EVERY_NS = 1000, BEGUN_NS = 5000 };

static void
begin_intervals(enum prf_collect_each each)
{
	run_begin((struct prf_collector_config){.each = each,
						.call_graph = true,
						.every_ns = EVERY_NS,
						.begun_ns = BEGUN_NS});
	run.now_ns = BEGUN_NS;
}

/* The Ith that was handed out is of such an interval. */
static void
check_interval(size_t i, uint64_t number, uint64_t from_ns, uint64_t to_ns)
{
	ck_assert_uint_lt(i, run.n_seen);
	ck_assert_uint_eq(run.seen[i].interval, number);
	ck_assert_uint_eq(run.seen[i].from_ns, from_ns);
	ck_assert_uint_eq(run.seen[i].to_ns, to_ns);
}

START_TEST(intervals_adjoin_and_each_tick_is_in_one_of_them)
{
	begin_intervals(PRF_COLLECT_RUN);
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run.now_ns = BEGUN_NS + 999;
	run_ticks(10, AT, 2);
	ck_assert_uint_eq(run.n_seen, 0);
	run.now_ns = BEGUN_NS + 1000;
	run_ticks(10, AT + 0x800, 4);
	run.now_ns = BEGUN_NS + 2500;
	run_ticks(10, AT, 8);
	run.now_ns = BEGUN_NS + 2700;
	run_exit(10);
	run_finish(15);
	ck_assert_uint_eq(run.n_seen, 3);
	run_check(0, 0, "f=3 ");
	run_check(1, 0, "g=4 ");
	run_check(2, 0, "f=8 ");
	check_interval(0, 1, 5000, 6000);
	check_interval(1, 2, 6000, 7000);
	check_interval(2, 3, 7000, 7700);
	for (size_t i = 0; i < run.n_seen; i++) {
		ck_assert(run.seen[i].is_main);
		ck_assert_str_eq(run.seen[i].program, "prog");
	}
	run_end();
}
END_TEST

START_TEST(a_sample_that_comes_late_is_in_the_next_interval)
{
	begin_intervals(PRF_COLLECT_RUN);
	run_exec(10, "prog");
	run.now_ns = BEGUN_NS + 1100;
	run_ticks(10, AT, 1);
	run.now_ns = BEGUN_NS + 900;
	run_ticks(10, AT, 2);
	run_finish(3);
	ck_assert_uint_eq(run.n_seen, 2);
	run_check(0, 0, "");
	run_check(1, 0, "f=3 ");
	run_end();
}
END_TEST

START_TEST(where_nothing_is_counted_time_ends_an_interval)
{
	begin_intervals(PRF_COLLECT_RUN);
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	prf_collector_reach(run.collector, BEGUN_NS + 999);
	ck_assert_uint_eq(run.n_seen, 0);
	prf_collector_reach(run.collector, BEGUN_NS + 1001);
	prf_collector_reach(run.collector, BEGUN_NS + 1002);
	prf_collector_reach(run.collector, BEGUN_NS + 2001);
	ck_assert_uint_eq(run.n_seen, 2);
	run_check(0, 0, "f=1 ");
	run_check(1, 0, "");
	check_interval(1, 2, 6000, 7000);
	run_finish(1);
	ck_assert_uint_eq(run.n_seen, 3);
	run_end();
}
END_TEST

START_TEST(an_interval_in_which_nobody_was_there_is_a_longer_one)
{
	begin_intervals(PRF_COLLECT_RUN);
	run_exec(10, "prog");
	run.now_ns = BEGUN_NS + 4200;
	run_ticks(10, AT, 1);
	run_finish(1);
	ck_assert_uint_eq(run.n_seen, 2);
	check_interval(0, 1, 5000, 9000);
	check_interval(1, 2, 9000, 9200);
	run_end();
}
END_TEST

static void
name_of(pid_t pid, pid_t tid, char name[PRF_THREAD_NAME_BYTES])
{
	snprintf(name, PRF_THREAD_NAME_BYTES, "%d/%d", (int)pid, (int)tid);
}

static const enum prf_collect_each by_run_or_program[] = {PRF_COLLECT_RUN,
							  PRF_COLLECT_PROGRAM};

/* Not by what its number is called now is a thread called that was in another
 * program. */
START_TEST(threads_that_go_on_have_their_names_in_each_interval)
{
	run_begin((struct prf_collector_config){.each = by_run_or_program[_i],
						.call_graph = true,
						.by_thread = true,
						.flat_calls = true,
						.thread_name = name_of,
						.every_ns = EVERY_NS,
						.begun_ns = BEGUN_NS});
	run.now_ns = BEGUN_NS;
	run_exec(10, "prog");
	ck_assert_int_eq(run_try_ticks(10, 11, AT, 1), 0);
	ck_assert_int_eq(run_try_ticks(10, 12, AT, 1), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_END, 10, 12, 0), 0);
	run.now_ns = BEGUN_NS + 1500;
	run_ticks(10, AT, 2);
	run_exec(10, "other");
	run.now_ns = BEGUN_NS + 2500;
	run_finish(4);
	ck_assert_str_eq(run.seen[0].owners, "11:10/11 12:thread ");
	ck_assert_str_eq(run.seen[1].owners, "10: ");
	run_end();
}
END_TEST

START_TEST(each_process_has_its_intervals)
{
	begin_intervals(PRF_COLLECT_PROGRAM);
	run_exec(10, "prog");
	run_fork(10, 11);
	run_fork(10, 12);
	run_ticks(11, AT, 1);
	run.now_ns = BEGUN_NS + 500;
	run_ticks(12, AT, 2);
	run_exit(12);
	run.now_ns = BEGUN_NS + 1500;
	run_ticks(10, AT, 4);
	run_ticks(11, AT + 0x800, 8);
	run_finish(15);
	ck_assert_uint_eq(run.n_seen, 5);
	run_check(0, 12, "f=2 ");
	check_interval(0, 1, 5000, 5500);
	for (size_t i = 1; i < 5; i++) {
		bool first = i < 3;

		run_check(i, run.seen[i].pid,
			  run.seen[i].pid == 10 ? (first ? "" : "f=4 ")
						: (first ? "f=1 " : "g=8 "));
		ck_assert_int_eq(run.seen[i].is_main, run.seen[i].pid == 10);
		ck_assert_uint_eq(run.seen[i].interval, first ? 1 : 2);
	}
	run_end();
}
END_TEST

START_TEST(each_thread_has_its_intervals)
{
	begin_intervals(PRF_COLLECT_THREAD);
	run_exec(10, "prog");
	ck_assert_int_eq(run_try_ticks(10, 11, AT, 1), 0);
	run.now_ns = BEGUN_NS + 1500;
	ck_assert_int_eq(run_try_ticks(10, 11, AT, 2), 0);
	ck_assert_int_eq(run_try_ticks(10, 10, AT, 4), 0);
	run_finish(7);
	ck_assert_uint_eq(run.n_seen, 4);
	for (size_t i = 0; i < 4; i++) {
		bool first = i < 2;

		run_check(i, 10,
			  run.seen[i].tid == 10 ? (first ? "" : "f=4 ")
						: (first ? "f=1 " : "f=2 "));
		ck_assert_int_eq(run.seen[i].is_main, run.seen[i].tid == 10);
	}
	run_end();
}
END_TEST

START_TEST(a_snapshot_has_the_interval_that_goes_on)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *snapshot = NULL;
	struct prf_error err;

	begin_intervals(PRF_COLLECT_RUN);
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run.now_ns = BEGUN_NS + 1500;
	run_ticks(10, AT, 2);
	ck_assert_int_eq(prf_collector_snapshot(run.collector, &snapshot, &err),
			 0);
	run_check_sums(snapshot, 3);
	run_finish(3);
	ck_assert_uint_eq(run.n_seen, 2);
	run_check(1, 0, "f=2 ");
	prf_profile_free(PRF_TAKE(snapshot));
	run_end();
}
END_TEST

/* A run that is over, and cut in parts. */
START_TEST(parts_have_the_names_of_jit_code_that_the_whole_has)
{
	static const char map[] = "7f0001000000 100 one\n"
				  "7f0001000100 100 two\n";
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	elf_write(made_path("perf-10.map"), map, strlen(map));
	run_begin((struct prf_collector_config){
		.call_graph = true, .n_parts = 128, .perfmap_dir = directory});
	run_exec(10, "prog");
	run_map_jit(10);
	run_ticks(10, JIT, 10);
	run_ticks(10, JIT + 0x100, 6);
	ck_assert_uint_eq(run.n_seen, 1);
	/* It was read, and stays as it was for all parts. */
	ck_assert_int_eq(unlink(made_path("perf-10.map")), 0);
	run_ticks(10, JIT + 0x100, 15);
	run_ticks(10, JIT + 0x200, 1);
	run_ticks(10, JIT, 2);
	run_exit(10);
	run_finish(34);
	ck_assert_uint_eq(run.n_seen, 3);
	run_check(0, 0, "one=10 two=6 ");
	run_check(1, 0, "two=15 [jit]=1 ");
	run_check(2, 0, "one=2 ");
	ck_assert_uint_eq(made_ticks_of(run.collector->profile, "[jit]", "two"),
			  21);
	run_end();
}
END_TEST

/* (1) it has ended in the interval. */
START_TEST(each_interval_has_the_names_of_jit_code_of_then)
{
	static const char *const maps[] = {"7f0001000000 100 one\n",
					   "7f0001000000 100 two\n"};
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	run_begin((struct prf_collector_config){.call_graph = true,
						.flat_calls = true,
						.perfmap_dir = directory,
						.every_ns = EVERY_NS,
						.begun_ns = BEGUN_NS});
	run.now_ns = BEGUN_NS;
	run_exec(10, "prog");
	run_map_jit(10);
	run_fork(10, 11);
	run_ticks(10, JIT, 1);
	run_ticks(11, JIT, 2);
	elf_write(made_path("perf-10.map"), maps[0], strlen(maps[0]));
	elf_write(made_path("perf-11.map"), maps[1], strlen(maps[1]));
	if (_i)
		run_exit(11);
	run.now_ns = BEGUN_NS + 1500;
	run_ticks(10, JIT, 4);
	elf_write(made_path("perf-10.map"), maps[1], strlen(maps[1]));
	run_finish(7);
	ck_assert_uint_eq(run.n_seen, 2);
	run_check(0, 0, "two=2 one=1 ");
	run_check(1, 0, "two=4 ");
	ck_assert_uint_eq(run.collector->profile->calls->n, 2);
	run_end();
}
END_TEST

static void
add_interval_cases(TCase *tcase)
{
	tcase_add_test(tcase, intervals_adjoin_and_each_tick_is_in_one_of_them);
	tcase_add_test(tcase, a_sample_that_comes_late_is_in_the_next_interval);
	tcase_add_test(tcase, where_nothing_is_counted_time_ends_an_interval);
	tcase_add_loop_test(
		tcase, threads_that_go_on_have_their_names_in_each_interval, 0,
		2);
	tcase_add_test(tcase,
		       an_interval_in_which_nobody_was_there_is_a_longer_one);
	tcase_add_test(tcase, each_process_has_its_intervals);
	tcase_add_test(tcase, each_thread_has_its_intervals);
	tcase_add_test(tcase, a_snapshot_has_the_interval_that_goes_on);
	tcase_add_test(tcase,
		       parts_have_the_names_of_jit_code_that_the_whole_has);
	tcase_add_loop_test(
		tcase, each_interval_has_the_names_of_jit_code_of_then, 0, 2);
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("intervals");

	run_add_case(suite, "intervals", add_interval_cases);
	return suite;
}
