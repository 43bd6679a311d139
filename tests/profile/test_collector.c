#include "profile/collector.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "profile/collected_run.h"
#include "space/perfmapfile.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

/* Kinds of profiles besides that of the run. */
enum { N_EACH = 3 };

/* --- One process */

START_TEST(the_first_process_is_handed_out_without_ticks_too)
{
	run_begin_each();
	run_exec(10, "prog");
	run_exit(10);
	ck_assert_uint_eq(run.n_seen, 1);
	run_check(0, 10, "");
	ck_assert(run.seen[0].is_main);
	run_finish(0);
	ck_assert_uint_eq(run.n_seen, 1);
	ck_assert_uint_eq(run.collector->profile->n_processes, 1);
	ck_assert_uint_eq(run.collector->profile->n_idle, 1);
	run_end();
}
END_TEST

START_TEST(nothing_is_handed_out_of_nobody)
{
	run_begin_each();
	run_finish(0);
	ck_assert_uint_eq(run.n_seen, 0);
	run_end();
}
END_TEST

START_TEST(exec_ends_one_profile_and_begins_the_next)
{
	run_begin_each();
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run_exec(10, "other");
	ck_assert_uint_eq(run.n_seen, 1);
	run_ticks(10, AT, 2);
	run_exec(10, "prog");
	run_exec(10, "prog");
	run_ticks(10, AT + 0x800, 4);
	run_finish(7);
	ck_assert_uint_eq(run.n_seen, 3);
	run_check(0, 10, "f=1 ");
	run_check(1, 10, "h=2 ");
	run_check(2, 10, "g=4 ");
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(run.seen[i].n_execs, i < 2 ? i : 3);
		ck_assert_int_eq(run.seen[i].is_earlier, i < 2);
		ck_assert_int_eq(run.seen[i].is_main, i == 2);
	}
	ck_assert_uint_eq(run.collector->profile->tree.n_programs, 3);
	/* The later is no child of the earlier. */
	const struct prf_tree *tree = &run.collector->profile->tree;
	for (const struct prf_branch *branch = prf_tree_next(tree, NULL);
	     branch; branch = prf_tree_next(tree, branch))
		ck_assert_ptr_eq(branch->parent, &tree->root);
	ck_assert_uint_eq(run.collector->profile->n_processes, 1);
	run_end();
}
END_TEST

START_TEST(what_was_mapped_before_exec_is_gone)
{
	run_begin_each();
	run_exec(10, "prog");
	run_map(10, made_mapping("other", JIT));
	run_ticks(10, JIT, 1);
	run_exec(10, "prog");
	run_ticks(10, JIT, 2);
	run_finish(3);
	run_check(0, 10, "h=1 ");
	run_check(1, 10, "[unknown]=2 ");
	run_end();
}
END_TEST

/* --- Children */

START_TEST(a_child_starts_empty_with_what_its_parent_has_mapped)
{
	run_begin_each();
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run_fork(10, 11);
	run_ticks(11, AT + 0x800, 2);
	run_ticks(10, AT, 4);
	run_exit(11);
	run_exit(10);
	run_finish(7);
	run_check(0, 11, "g=2 ");
	run_check(1, 10, "f=5 ");
	ck_assert(!run.seen[0].is_main);
	ck_assert(run.seen[1].is_main);
	ck_assert_uint_eq(run.seen[0].n_execs, 0);
	run_end();
}
END_TEST

START_TEST(what_a_child_maps_is_not_its_parents)
{
	run_begin_each();
	run_exec(10, "prog");
	run_fork(10, 11);
	run_map(11, made_mapping("other", AT));
	run_ticks(10, AT, 1);
	run_ticks(11, AT, 2);
	run_finish(3);
	ck_assert_uint_eq(run.n_seen, 2);
	for (size_t i = 0; i < 2; i++)
		run_check(i, run.seen[i].pid,
			  run.seen[i].pid == 10 ? "f=1 " : "h=2 ");
	run_end();
}
END_TEST

START_TEST(with_inherit_counts_a_child_starts_as_its_parent_stands)
{
	run_begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
						.inherit_counts = true,
						.kernel_apart = true});
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run_fork(10, 11);
	run_ticks(10, AT, 2);
	run_ticks(11, AT + 0x800, 4);
	run_fork(11, 12);
	run_fork(11, 13);
	run_fork(11, 14);
	run_exec(14, "other");
	run_ticks(12, 0x10, 8);
	run_ticks(14, AT, 16);
	run_exit(12);
	run_exit(13); /* no ticks of its own */
	run_exit(14);
	run_exit(11);
	run_exit(10);
	run_finish(31);
	ck_assert_uint_eq(run.n_seen, 4);
	run_check(0, 12, "[unknown]=8 g=4 f=1 ");
	run_check(1, 14, "h=16 ");
	run_check(2, 11, "g=4 f=1 ");
	run_check(3, 10, "f=3 ");
	run_end();
}
END_TEST

START_TEST(fork_and_exec_at_once_leave_one_profile)
{
	run_begin_each();
	run_exec(10, "prog");
	run_fork(10, 11);
	run_exec(11, "other");
	run_ticks(11, AT, 3);
	run_exit(11);
	run_fork(10, 12);
	run_exec(12, "other");
	run_exit(12);
	run_exit(10);
	run_finish(3);
	ck_assert_uint_eq(run.n_seen, 2);
	run_check(0, 11, "h=3 ");
	ck_assert_uint_eq(run.seen[0].n_execs, 1);
	ck_assert(!run.seen[0].is_earlier);
	run_check(1, 10, "");
	ck_assert_uint_eq(run.collector->profile->n_processes, 3);
	ck_assert_uint_eq(run.collector->profile->n_idle, 2);
	run_end();
}
END_TEST

START_TEST(children_outlive_their_parents)
{
	run_begin_each();
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run_fork(10, 11);
	run_fork(11, 12);
	run_exit(10);
	run_exit(11);
	run_ticks(12, AT, 2);
	run_fork(12, 13);
	run_ticks(13, AT, 4);
	run_finish(7);
	ck_assert_uint_eq(run.n_seen, 3);
	const struct prf_branch *first =
		prf_tree_next(&run.collector->profile->tree, NULL);
	const struct prf_branch *second =
		prf_tree_next(&run.collector->profile->tree, first);
	const struct prf_branch *third =
		prf_tree_next(&run.collector->profile->tree, second);
	ck_assert_int_eq(second->pid, 12);
	ck_assert_ptr_eq(second->parent, first);
	ck_assert_int_eq(third->pid, 13);
	ck_assert_ptr_eq(third->parent, second);
	run_end();
}
END_TEST

START_TEST(a_number_that_comes_again_is_another_process)
{
	run_begin_each();
	run_exec(10, "prog");
	run_fork(10, 11);
	run_ticks(11, AT, 1);
	if (_i == 0)
		run_exit(11); /* else its end was not told */
	run_fork(10, 11);
	run_ticks(11, AT, 2);
	run_exit(11);
	run_finish(3);
	ck_assert_uint_eq(run.n_seen, 3);
	run_check(0, 11, "f=1 ");
	run_check(1, 11, "f=2 ");
	ck_assert_uint_eq(run.collector->profile->n_processes, 3);
	run_end();
}
END_TEST

START_TEST(what_is_told_of_nobody_is_refused)
{
	struct prf_mapping map = {.pid = 99, .size = 1, .path = ""};

	run_begin_each();
	run_exec(10, "prog");
	run_exit(10);
	ck_assert_int_eq(run_try_ticks(10, 10, AT, 1), -ESRCH);
	ck_assert_int_eq(run_try_ticks(99, 99, AT, 1), -ESRCH);
	ck_assert_int_eq(
		run.collector->base.ops->mapping(&run.collector->base, &map),
		-ESRCH);
	ck_assert_int_eq(run_try_life(PRF_LIFE_EXIT, 99, 99, 0), -ESRCH);
	ck_assert_int_eq(run_try_life(PRF_LIFE_LEAVE, 99, 99, 0), -ESRCH);
	ck_assert_int_eq(run_try_life(PRF_LIFE_END, 99, 99, 0), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_THREAD, 99, 98, 0), 0);
	run_finish(0);
	run_end();
}
END_TEST

START_TEST(a_child_of_nobody_is_counted)
{
	run_begin_each();
	run_exec(10, "prog");
	run_fork(_i ? 12 : 0, 12);
	run_ticks(12, AT, 2);
	run_exit(12);
	run_check(0, 12, "[unknown]=2 ");
	run_exec(12, "prog"); /* it is new */
	run_ticks(12, AT, 4);
	run_finish(6);
	ck_assert_uint_eq(run.n_seen, 3);
	run_end();
}
END_TEST

START_TEST(processes_that_were_attached_are_all_counted)
{
	run_begin_each();
	run_exec(20, "prog");
	run_exec(21, "other");
	ck_assert_int_eq(run_try_life(PRF_LIFE_THREAD, 20, 22, 0), 0);
	ck_assert_int_eq(run_try_ticks(20, 22, AT, 1), 0);
	run_ticks(21, AT, 2);
	ck_assert_int_eq(run_try_life(PRF_LIFE_LEAVE, 21, 21, 0), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_LEAVE, 20, 20, 0), 0);
	run_finish(3);
	run_check(0, 21, "h=2 ");
	run_check(1, 20, "f=1 ");
	ck_assert(!run.seen[0].is_main);
	ck_assert(run.seen[1].is_main);
	run_end();
}
END_TEST

/* --- Files */

START_TEST(files_without_ticks_are_not_read)
{
	run_begin_each();
	run_exec(10, "prog");
	elf_write(made_path("blob"), "no ELF at all", 13);
	run_map(10, made_mapping("blob", JIT));
	run_ticks(10, AT, 1);
	if (_i)
		run_ticks(10, JIT, 1);
	run_finish((uint64_t)_i + 1);
	ck_assert_uint_eq(run.collector->warnings.n, (size_t)_i);
	run_end();
}
END_TEST

START_TEST(a_program_that_is_removed_while_it_runs_has_its_names)
{
	run_begin_each();
	run_exec(10, "prog");
	run_fork(10, 11);
	run_exec(11, "other");
	ck_assert_int_eq(unlink(made_path("other")), 0);
	run_ticks(11, AT, 1);
	run_exit(11);
	run_check(0, 11, "h=1 ");
	ck_assert_uint_eq(run.collector->warnings.n, 0);
	run_finish(1);
	run_end();
}
END_TEST

START_TEST(each_process_has_its_own_map_of_jit_code)
{
	static const char *const maps[] = {"7f0001000000 100 parents\n",
					   "7f0001000000 100 childs\n"};
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	run_begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
						.perfmap_dir = directory});
	run_exec(10, "prog");
	run_map_jit(10);
	run_ticks(10, JIT, 1);
	run_fork(10, 11);
	run_fork(10, 12);
	run_ticks(11, JIT, 2);
	run_ticks(12, JIT, 4);
	elf_write(made_path("perf-10.map"), maps[0], strlen(maps[0]));
	elf_write(made_path("perf-11.map"), maps[1], strlen(maps[1]));
	run_exit(11);
	run_exit(12);
	run_exit(10);
	run_finish(7);
	run_check(0, 11, "childs=2 ");
	run_check(1, 12, "parents=4 "); /* it has left none, and what it runs is
				     * as old as the fork */
	run_check(2, 10, "parents=1 ");
	run_end();
}
END_TEST

/* --- Threads */

START_TEST(threads_have_rows_with_their_names)
{
	run_begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
						.threads = true});
	run_exec(10, "prog");
	ck_assert_int_eq(run_try_life(PRF_LIFE_THREAD, 10, 11, 0), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_THREAD, 10, 12, 0), 0);
	run_ticks(10, AT, 1);
	ck_assert_int_eq(run_try_ticks(10, 11, AT, 3), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_END, 99, 11, 0),
			 0); /* not its */
	ck_assert_int_eq(run_try_ticks(10, 11, AT, 1), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_END, 10, 11, 0), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_END, 10, 12, 0), 0);
	run_fork(10, 11); /* the number comes again */
	ck_assert_int_eq(run_try_ticks(11, 11, AT, 2), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_END, 10, 10, 0), 0);
	run_exit(10);
	run_finish(7);
	ck_assert_uint_eq(run.n_seen, 2);
	ck_assert_int_eq(run.seen[0].tid, 0);
	ck_assert(run.seen[0].is_main);
	ck_assert_uint_eq(run.collector->profile->threads.n, 3);
	ck_assert_int_eq(run.collector->profile->threads.rows[0].pid, 10);
	ck_assert_int_eq(run.collector->profile->threads.rows[0].tid, 11);
	ck_assert_str_eq(run.collector->profile->threads.rows[0].name,
			 "thread");
	ck_assert_int_eq(run.collector->profile->threads.rows[1].pid, 11);
	ck_assert_str_eq(run.collector->profile->threads.rows[1].name, "prog");
	ck_assert_uint_eq(run.collector->profile->threads.rows[2].count.ticks,
			  1);
	run_end();
}
END_TEST

START_TEST(each_thread_can_have_a_profile)
{
	run_begin((struct prf_collector_config){.each = PRF_COLLECT_THREAD});
	run_exec(10, "prog");
	ck_assert_int_eq(run_try_ticks(10, 11, AT, 1), 0);
	ck_assert_int_eq(run_try_ticks(10, 12, AT + 0x800, 2), 0);
	ck_assert_int_eq(run_try_life(PRF_LIFE_END, 10, 11, 0), 0);
	run_check(0, 10, "f=1 ");
	ck_assert_int_eq(run.seen[0].tid, 11);
	if (_i)
		run_ticks(10, AT, 4);
	run_exit(10);
	run_finish(_i ? 7 : 3);
	ck_assert_uint_eq(run.n_seen, 3);
	for (size_t i = 1; i < 3; i++) {
		ck_assert_int_eq(run.seen[i].is_main, run.seen[i].tid == 10);
		ck_assert_uint_eq(run.seen[i].ticks, run.seen[i].tid == 12 ? 2
						     : _i                  ? 4
									   : 0);
	}
	run_end();
}
END_TEST

/* --- Of the run */

START_TEST(without_profiles_of_programs_all_is_in_the_runs)
{
	run_begin((struct prf_collector_config){0});
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run_fork(10, 11);
	run_exec(11, "other");
	run_ticks(11, AT, 2);
	run_exec(10, "prog");
	run_ticks(10, AT + 0x800, 4);
	made_check_sums(run.collector->profile, 7); /* at once */
	run_exit(11);
	run_exit(10);
	run_finish(7);
	ck_assert_uint_eq(run.n_seen, 0);
	ck_assert_uint_eq(made_ticks_of(run.collector->profile, "prog", "f"),
			  1);
	ck_assert_uint_eq(made_ticks_of(run.collector->profile, "other", "h"),
			  2);
	ck_assert_uint_eq(made_ticks_of(run.collector->profile, "prog", "g"),
			  4);
	ck_assert_uint_eq(run.collector->profile->unit.rate_hz, 100);
	ck_assert_str_eq(run.collector->profile->unit.dimension, "seconds");
	run_end();
}
END_TEST

START_TEST(nobody_needs_to_be_told_what_has_ended)
{
	const struct prf_collector_config config = {
		.each = PRF_COLLECT_PROGRAM};

	run_begin_each();
	run_end();
	run.collector = prf_collector_new(&config);
	run_exec(10, "prog");
	run_ticks(10, AT, 1);
	run_finish(1);
	run_end();
}
END_TEST

/* What was executed, if it had ticks or was the first process's last. */
START_TEST(programs_are_marked_and_the_main_one_is_known)
{
	run_begin((struct prf_collector_config){
		.each = (enum prf_collect_each)_i});
	run_exec(10, "prog");
	run_map(10, made_mapping("other", JIT));
	run_ticks(10, JIT, 1);
	run_exec(10, "prog");
	run_fork(10, 11);
	run_make_other("third");
	run_exec(11, "third");
	run_ticks(11, AT, 2);
	run_fork(10, 12);
	run_make_other("idle");
	run_exec(12, "idle");
	run_finish(3);
	ck_assert_ptr_eq(run.collector->profile->program,
			 made_binary(run.collector->profile, "prog"));
	ck_assert_uint_eq(run.collector->profile->addr_bytes, 8);
	ck_assert(made_binary(run.collector->profile, "prog")->is_program);
	ck_assert(made_binary(run.collector->profile, "third")->is_program);
	ck_assert(!made_binary(run.collector->profile, "other")->is_program);
	ck_assert_uint_eq(run.collector->profile->n_binaries, 3);
	ck_assert_uint_eq(run.n_seen, _i ? 3 : 0);
	for (size_t i = 0; i < run.n_seen; i++)
		ck_assert_str_eq(run.seen[i].program,
				 run.seen[i].pid == 11 ? "third" : "prog");
	run_end();
}
END_TEST

START_TEST(each_program_is_one_row_for_all_its_processes)
{
	run_begin((struct prf_collector_config){
		.each = (enum prf_collect_each)_i});
	run_exec(10, "prog");
	for (pid_t pid = 11; pid < 15; pid++) {
		run_fork(10, pid);
		run_exec(pid, "other");
		if (pid > 11) /* one is idle */
			run_ticks(pid, AT, 2);
	}
	run_ticks(10, AT, 5);
	run_finish(11);
	ck_assert_uint_eq(run.collector->profile->programs.n, 2);
	ck_assert_str_eq(run.collector->profile->programs.rows[0].path,
			 made_path("other"));
	ck_assert_uint_eq(run.collector->profile->programs.rows[0].n_processes,
			  3);
	ck_assert_uint_eq(run.collector->profile->programs.rows[0].count.ticks,
			  6);
	ck_assert_uint_eq(run.collector->profile->programs.rows[1].n_processes,
			  1);
	ck_assert_uint_eq(run.collector->profile->n_processes, 5);
	ck_assert_uint_eq(run.collector->profile->n_idle, 1);
	run_end();
}
END_TEST

/* --- Maps of JIT code */

START_TEST(inherited_jit_code_has_the_names_of_the_childs_map)
{
	static const char map[] = "7f0001000000 100 childs\n";
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	elf_write(made_path("perf-11.map"), map, strlen(map));
	elf_write(made_path("perf-12.map"), map, strlen(map));
	run_begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
						.inherit_counts = true,
						.perfmap_dir = directory});
	run_exec(10, "prog");
	run_map_jit(10);
	run_ticks(10, JIT, 1);
	run_fork(10, 11);
	run_ticks(11, JIT, 2);
	run_fork(11, 12);
	run_ticks(12, AT, 4);
	run_exit(12);
	run_exit(11);
	run_exit(10);
	run_finish(7);
	run_check(0, 12, "f=4 childs=3 ");
	run_check(1, 11, "childs=3 ");
	run_check(2, 10, "[jit]=1 ");
	run_end();
}
END_TEST

START_TEST(a_map_of_jit_code_that_is_refused_is_one_warning)
{
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	ck_assert_int_eq(mkdir(made_path("perf-10.map"), 0700), 0);
	run_begin((struct prf_collector_config){.perfmap_dir = directory});
	run_exec(10, "prog");
	run_map_jit(10);
	run_ticks(10, JIT, 1);
	prf_profile_free(run_snapshot());
	run_finish(1);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "[jit]"), 1);
	ck_assert_uint_eq(run.collector->warnings.n, 1);
	ck_assert_ptr_nonnull(
		strstr(run.collector->warnings.lines[0], "perf-10.map"));
	run_end();
}
END_TEST

/* What PID leaves is that JIT code is called NAME. */
static void
leave_map(pid_t pid, const char *name)
{
	char file[32], text[64];

	snprintf(file, sizeof file, "perf-%d.map", (int)pid);
	snprintf(text, sizeof text, "%llx 100 %s\n", (unsigned long long)JIT,
		 name);
	elf_write(made_path(file), text, strlen(text));
}

/* A run of process 10, with calls, whose maps are left in the directory. */
static void
begin_with_jit(void)
{
	static char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	run_begin((struct prf_collector_config){.call_graph = true,
						.flat_calls = true,
						.perfmap_dir = directory});
	run_exec(10, "prog");
	run_map_jit(10);
}

/* So that many that end cost no more than their ticks. */
START_TEST(the_call_tree_is_made_anew_for_many_processes_at_once)
{
	const struct prf_calls *calls;
	int n_made = 0;
	char name[16];

	begin_with_jit();
	run_ticks(10, AT, 1);
	for (pid_t pid = 11; pid < 211; pid++) {
		run_fork(10, pid);
		run_ticks(pid, JIT, 1);
		snprintf(name, sizeof name, "name%d", (int)pid % 2);
		leave_map(pid, name);
		calls = run.collector->profile->calls;
		run_exit(pid);
		n_made += run.collector->profile->calls != calls;
	}
	ck_assert_int_le(n_made, 200 / 50);
	run_finish(201);
	const struct prf_profile *profile = run.collector->profile;
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "name0"), 100);
	ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "name1"), 100);
	ck_assert_uint_eq(profile->n_binaries, 2);
	ck_assert_uint_eq(profile->calls->n, 3);
	run_end();
}
END_TEST

START_TEST(large_maps_of_jit_code_are_not_kept)
{
	begin_with_jit();
	run_fork(10, 11);
	run_ticks(11, JIT, 1);
	leave_map(11, "small");
	run_exit(11);
	run_check_sums(run.collector->profile, 1);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "[jit]"), 1);
	run_fork(10, 12);
	run_ticks(12, JIT, 2);
	leave_map(12, "large");
	ck_assert_int_eq(
		truncate(made_path("perf-12.map"), PRF_PERFMAP_BYTES_MAX), 0);
	run_exit(12);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "small"), 1);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "large"), 2);
	run_finish(3);
	run_end();
}
END_TEST

/* (0) of another process; (1) of what it has become; (2) its end was not
 * told. */
START_TEST(a_number_that_comes_again_has_its_own_names_of_jit_code)
{
	begin_with_jit();
	run_fork(10, 11);
	run_ticks(11, JIT, 1);
	leave_map(11, "first");
	if (_i == 0)
		run_exit(11);
	if (_i == 1)
		run_exec(11, "prog");
	else
		run_fork(10, 11);
	run_map_jit(11);
	run_ticks(11, JIT, 2);
	leave_map(11, "second");
	for (int end = 0; end < 2; end++) {
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *now = run_snapshot();

		ck_assert_uint_eq(made_ticks_of(now, "[jit]", "first"), 1);
		ck_assert_uint_eq(made_ticks_of(now, "[jit]", "second"), 2);
		ck_assert_uint_eq(now->calls->n, 2);
		prf_profile_free(PRF_TAKE(now));
		if (end == 0)
			run_exit(11);
	}
	run_finish(3);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "first"), 1);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "second"), 2);
	run_end();
}
END_TEST

/* A map is of the program if it is no older; (1) it was recorded as if it were
 * to begin in an hour. */
START_TEST(a_recorded_program_is_as_old_as_its_recording)
{
	static const char map[] = "7f0001000000 100 named\n";
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	elf_write(made_path("perf-10.map"), map, strlen(map));
	run_begin((struct prf_collector_config){
		.perfmap_dir = directory,
		.realtime_offset_ns =
			_i * (int64_t)(time(NULL) + 3600) * 1000000000});
	run_exec(10, "prog");
	run_map_jit(10);
	run_ticks(10, JIT, 1);
	run_finish(1);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "named"),
		_i ? 0 : 1);
	ck_assert_uint_eq(run.collector->warnings.n, (size_t)_i);
	run_end();
}
END_TEST

static void
add_program_cases(TCase *tcase)
{
	tcase_add_test(tcase,
		       the_first_process_is_handed_out_without_ticks_too);
	tcase_add_test(tcase, nothing_is_handed_out_of_nobody);
	tcase_add_test(tcase, exec_ends_one_profile_and_begins_the_next);
	tcase_add_test(tcase, what_was_mapped_before_exec_is_gone);
}

static void
add_child_cases(TCase *tcase)
{
	tcase_add_test(tcase,
		       a_child_starts_empty_with_what_its_parent_has_mapped);
	tcase_add_test(tcase, what_a_child_maps_is_not_its_parents);
	tcase_add_test(tcase,
		       with_inherit_counts_a_child_starts_as_its_parent_stands);
	tcase_add_test(tcase, fork_and_exec_at_once_leave_one_profile);
	tcase_add_test(tcase, children_outlive_their_parents);
	tcase_add_loop_test(tcase, a_number_that_comes_again_is_another_process,
			    0, 2);
	tcase_add_test(tcase, what_is_told_of_nobody_is_refused);
	tcase_add_loop_test(tcase, a_child_of_nobody_is_counted, 0, 2);
	tcase_add_test(tcase, processes_that_were_attached_are_all_counted);
}

static void
add_file_cases(TCase *tcase)
{
	tcase_add_loop_test(tcase, files_without_ticks_are_not_read, 0, 2);
	tcase_add_test(tcase,
		       a_program_that_is_removed_while_it_runs_has_its_names);
	tcase_add_test(tcase, each_process_has_its_own_map_of_jit_code);
	tcase_add_test(tcase,
		       inherited_jit_code_has_the_names_of_the_childs_map);
	tcase_add_test(tcase, a_map_of_jit_code_that_is_refused_is_one_warning);
	tcase_add_test(tcase,
		       the_call_tree_is_made_anew_for_many_processes_at_once);
	tcase_add_test(tcase, large_maps_of_jit_code_are_not_kept);
	tcase_add_loop_test(
		tcase, a_number_that_comes_again_has_its_own_names_of_jit_code,
		0, 3);
	tcase_add_loop_test(
		tcase, a_recorded_program_is_as_old_as_its_recording, 0, 2);
}

static void
add_thread_cases(TCase *tcase)
{
	tcase_add_test(tcase, threads_have_rows_with_their_names);
	tcase_add_loop_test(tcase, each_thread_can_have_a_profile, 0, 2);
}

static void
add_run_cases(TCase *tcase)
{
	tcase_add_test(tcase, without_profiles_of_programs_all_is_in_the_runs);
	tcase_add_test(tcase, nobody_needs_to_be_told_what_has_ended);
	tcase_add_loop_test(tcase,
			    programs_are_marked_and_the_main_one_is_known, 0,
			    N_EACH);
	tcase_add_loop_test(tcase,
			    each_program_is_one_row_for_all_its_processes, 0,
			    N_EACH);
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("collector");

	run_add_case(suite, "programs", add_program_cases);
	run_add_case(suite, "children", add_child_cases);
	run_add_case(suite, "files", add_file_cases);
	run_add_case(suite, "threads", add_thread_cases);
	run_add_case(suite, "run", add_run_cases);
	return suite;
}
