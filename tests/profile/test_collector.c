#include "profile/collector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/random.h"
#include "core/scope.h"
#include "profile/functions.h"
#include "support/made_run.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol hk[] = {
	{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"k", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

#define AT 0x555555555000
#define JIT 0x7f0001000000

/* --- What was handed out */

struct seen {
	pid_t pid, tid;
	unsigned n_execs;
	bool is_earlier, is_main;
	uint64_t ticks;
	uint64_t interval, from_ns, to_ns;
	char program[16]; /* the profile's; "": none */
	char text[256];   /* each function, hottest first: "name=ticks " */
};

enum { MAX_SEEN = 64 };

static struct seen all[MAX_SEEN];
static size_t n_seen;
static uint64_t ticks_seen;
static struct prf_collector *run;

static void
put_functions(char *text, size_t size, const struct prf_profile *profile)
{
	struct prf_functions functions;
	size_t used = 0;

	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	prf_functions_sort(&functions);
	for (size_t i = 0; i < functions.n && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s=%d ",
					 functions.all[i].name,
					 (int)functions.all[i].count.ticks);
	prf_functions_clear(&functions);
}

static void
see(void *arg, const struct prf_ended *ended)
{
	const struct prf_profile *profile = ended->profile;

	ck_assert_ptr_eq(arg, all);
	ck_assert_msg(!ended->failure, "%s", ended->failure->text);
	ck_assert(profile->total.ticks > 0 || ended->is_main);
	made_check_sums(profile, profile->total.ticks);
	ck_assert_uint_eq(profile->unit.rate_hz, 100);
	if (ended->program)
		ck_assert_uint_eq(profile->addr_bytes,
				  ended->program->addr_bytes);
	ticks_seen += profile->total.ticks;
	if (n_seen == MAX_SEEN)
		return;

	struct seen *seen = &all[n_seen++];
	*seen = (struct seen){
		.pid = ended->pid,
		.tid = ended->tid,
		.n_execs = ended->n_execs,
		.is_earlier = ended->is_earlier,
		.is_main = ended->is_main,
		.ticks = profile->total.ticks,
		.interval = ended->interval,
		.from_ns = ended->from_ns,
		.to_ns = ended->to_ns,
	};
	snprintf(seen->program, sizeof seen->program, "%s",
		 profile->program ? profile->program->name : "");
	put_functions(seen->text, sizeof seen->text, profile);
}

static void
check(size_t i, pid_t pid, const char *functions)
{
	ck_assert_uint_lt(i, n_seen);
	ck_assert_int_eq(all[i].pid, pid);
	ck_assert_str_eq(all[i].text, functions);
}

/* --- Events */

static uint64_t now_ns;

static void
begin(struct prf_collector_config config)
{
	config.rate_hz = 100;
	config.ended = see;
	config.arg = all;
	n_seen = 0;
	ticks_seen = 0;
	now_ns = 0;
	run = prf_collector_new(&config);
	ck_assert_ptr_nonnull(run);
	made_elf("prog", fg, 2);
	made_elf("other", hk, 2);
}

/* Each program has a profile of its own. */
static void
begin_each(void)
{
	begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM});
}

/* Wherever ticks of a run are summed up there are TICKS. */
static void
check_run(const struct prf_profile *profile, uint64_t ticks)
{
	struct prf_count in_programs = {0};

	made_check_sums(profile, ticks);
	ck_assert_uint_eq(prf_tree_sum(&profile->tree).ticks, ticks);
	for (size_t i = 0; i < profile->programs.n; i++)
		prf_count_merge(&in_programs, &profile->programs.rows[i].count);
	ck_assert_uint_eq(in_programs.ticks, ticks);
	ck_assert_double_eq_tol(in_programs.squares, profile->total.squares,
				1e-6);
}

static void
finish(uint64_t ticks)
{
	check_run(made_finish(run), ticks);
}

static void
end(void)
{
	run->base.ops->free(&run->base);
}

static int
try_exec(pid_t pid, const char *name)
{
	struct prf_mapping map = made_mapping(name, AT);
	const struct prf_exec exec = {
		.pid = pid,
		.path = map.path,
		.command = name,
		.inode = map.inode,
		.addr_bytes = 8,
		.time_ns = now_ns,
	};
	int rc = run->base.ops->exec(&run->base, &exec);

	map.pid = pid;
	return rc ? rc : run->base.ops->mapping(&run->base, &map);
}

static void
exec(pid_t pid, const char *name)
{
	ck_assert_int_eq(try_exec(pid, name), 0);
}

static int
try_life(enum prf_life_kind kind, pid_t pid, pid_t tid, pid_t parent)
{
	const struct prf_life life = {
		.kind = kind,
		.pid = pid,
		.tid = tid,
		.parent = parent,
		.time_ns = now_ns,
		.name = kind == PRF_LIFE_END ? "thread" : "",
	};

	return prf_sink_life(&run->base, &life);
}

static void
fork_of(pid_t parent, pid_t pid)
{
	ck_assert_int_eq(try_life(PRF_LIFE_FORK, pid, pid, parent), 0);
}

static void
exit_of(pid_t pid)
{
	ck_assert_int_eq(try_life(PRF_LIFE_EXIT, pid, pid, 0), 0);
}

static int
try_ticks(pid_t pid, pid_t tid, uint64_t addr, uint32_t ticks)
{
	const struct prf_frame frame = {addr, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = tid,
		.time_ns = now_ns,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	return run->base.ops->sample(&run->base, &sample);
}

static void
ticks(pid_t pid, uint64_t addr, uint32_t n)
{
	ck_assert_int_eq(try_ticks(pid, pid, addr, n), 0);
}

/* --- One process */

START_TEST(the_first_process_is_handed_out_without_ticks_too)
{
	begin_each();
	exec(10, "prog");
	exit_of(10);
	ck_assert_uint_eq(n_seen, 1);
	check(0, 10, "");
	ck_assert(all[0].is_main);
	finish(0);
	ck_assert_uint_eq(n_seen, 1);
	ck_assert_uint_eq(run->profile->n_processes, 1);
	ck_assert_uint_eq(run->profile->n_idle, 1);
	end();
}
END_TEST

START_TEST(nothing_is_handed_out_of_nobody)
{
	begin_each();
	finish(0);
	ck_assert_uint_eq(n_seen, 0);
	end();
}
END_TEST

START_TEST(exec_ends_one_profile_and_begins_the_next)
{
	begin_each();
	exec(10, "prog");
	ticks(10, AT, 1);
	exec(10, "other");
	ck_assert_uint_eq(n_seen, 1);
	ticks(10, AT, 2);
	exec(10, "prog");
	exec(10, "prog");
	ticks(10, AT + 0x800, 4);
	finish(7);
	ck_assert_uint_eq(n_seen, 3);
	check(0, 10, "f=1 ");
	check(1, 10, "h=2 ");
	check(2, 10, "g=4 ");
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(all[i].n_execs, i < 2 ? i : 3);
		ck_assert_int_eq(all[i].is_earlier, i < 2);
		ck_assert_int_eq(all[i].is_main, i == 2);
	}
	ck_assert_uint_eq(run->profile->tree.n_programs, 3);
	/* The later is no child of the earlier. */
	const struct prf_tree *tree = &run->profile->tree;
	for (const struct prf_branch *branch = prf_tree_next(tree, NULL);
	     branch; branch = prf_tree_next(tree, branch))
		ck_assert_ptr_eq(branch->parent, &tree->root);
	ck_assert_uint_eq(run->profile->n_processes, 1);
	end();
}
END_TEST

START_TEST(what_was_mapped_before_exec_is_gone)
{
	begin_each();
	exec(10, "prog");
	struct prf_mapping map = made_mapping("other", JIT);
	map.pid = 10;
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), 0);
	ticks(10, JIT, 1);
	exec(10, "prog");
	ticks(10, JIT, 2);
	finish(3);
	check(0, 10, "h=1 ");
	check(1, 10, "[unknown]=2 ");
	end();
}
END_TEST

/* --- Children */

START_TEST(a_child_starts_empty_with_what_its_parent_has_mapped)
{
	begin_each();
	exec(10, "prog");
	ticks(10, AT, 1);
	fork_of(10, 11);
	ticks(11, AT + 0x800, 2);
	ticks(10, AT, 4);
	exit_of(11);
	exit_of(10);
	finish(7);
	check(0, 11, "g=2 ");
	check(1, 10, "f=5 ");
	ck_assert(!all[0].is_main);
	ck_assert(all[1].is_main);
	ck_assert_uint_eq(all[0].n_execs, 0);
	end();
}
END_TEST

START_TEST(what_a_child_maps_is_not_its_parents)
{
	begin_each();
	exec(10, "prog");
	fork_of(10, 11);
	struct prf_mapping map = made_mapping("other", AT);
	map.pid = 11;
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), 0);
	ticks(10, AT, 1);
	ticks(11, AT, 2);
	finish(3);
	ck_assert_uint_eq(n_seen, 2);
	for (size_t i = 0; i < 2; i++)
		check(i, all[i].pid, all[i].pid == 10 ? "f=1 " : "h=2 ");
	end();
}
END_TEST

START_TEST(with_inherit_counts_a_child_starts_as_its_parent_stands)
{
	begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
					    .inherit_counts = true,
					    .kernel_apart = true});
	exec(10, "prog");
	ticks(10, AT, 1);
	fork_of(10, 11);
	ticks(10, AT, 2);
	ticks(11, AT + 0x800, 4);
	fork_of(11, 12);
	fork_of(11, 13);
	fork_of(11, 14);
	exec(14, "other");
	ticks(12, 0x10, 8);
	ticks(14, AT, 16);
	exit_of(12);
	exit_of(13); /* no ticks of its own */
	exit_of(14);
	exit_of(11);
	exit_of(10);
	finish(31);
	ck_assert_uint_eq(n_seen, 4);
	check(0, 12, "[unknown]=8 g=4 f=1 ");
	check(1, 14, "h=16 ");
	check(2, 11, "g=4 f=1 ");
	check(3, 10, "f=3 ");
	end();
}
END_TEST

START_TEST(fork_and_exec_at_once_leave_one_profile)
{
	begin_each();
	exec(10, "prog");
	fork_of(10, 11);
	exec(11, "other");
	ticks(11, AT, 3);
	exit_of(11);
	fork_of(10, 12);
	exec(12, "other");
	exit_of(12);
	exit_of(10);
	finish(3);
	ck_assert_uint_eq(n_seen, 2);
	check(0, 11, "h=3 ");
	ck_assert_uint_eq(all[0].n_execs, 1);
	ck_assert(!all[0].is_earlier);
	check(1, 10, "");
	ck_assert_uint_eq(run->profile->n_processes, 3);
	ck_assert_uint_eq(run->profile->n_idle, 2);
	end();
}
END_TEST

START_TEST(children_outlive_their_parents)
{
	begin_each();
	exec(10, "prog");
	ticks(10, AT, 1);
	fork_of(10, 11);
	fork_of(11, 12);
	exit_of(10);
	exit_of(11);
	ticks(12, AT, 2);
	fork_of(12, 13);
	ticks(13, AT, 4);
	finish(7);
	ck_assert_uint_eq(n_seen, 3);
	const struct prf_branch *first =
		prf_tree_next(&run->profile->tree, NULL);
	const struct prf_branch *second =
		prf_tree_next(&run->profile->tree, first);
	const struct prf_branch *third =
		prf_tree_next(&run->profile->tree, second);
	ck_assert_int_eq(second->pid, 12);
	ck_assert_ptr_eq(second->parent, first);
	ck_assert_int_eq(third->pid, 13);
	ck_assert_ptr_eq(third->parent, second);
	end();
}
END_TEST

START_TEST(a_number_that_comes_again_is_another_process)
{
	begin_each();
	exec(10, "prog");
	fork_of(10, 11);
	ticks(11, AT, 1);
	if (_i == 0)
		exit_of(11); /* else its end was not told */
	fork_of(10, 11);
	ticks(11, AT, 2);
	exit_of(11);
	finish(3);
	ck_assert_uint_eq(n_seen, 3);
	check(0, 11, "f=1 ");
	check(1, 11, "f=2 ");
	ck_assert_uint_eq(run->profile->n_processes, 3);
	end();
}
END_TEST

START_TEST(what_is_told_of_nobody_is_refused)
{
	struct prf_mapping map = {.pid = 99, .size = 1, .path = ""};

	begin_each();
	exec(10, "prog");
	exit_of(10);
	ck_assert_int_eq(try_ticks(10, 10, AT, 1), -ESRCH);
	ck_assert_int_eq(try_ticks(99, 99, AT, 1), -ESRCH);
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), -ESRCH);
	ck_assert_int_eq(try_life(PRF_LIFE_EXIT, 99, 99, 0), -ESRCH);
	ck_assert_int_eq(try_life(PRF_LIFE_LEAVE, 99, 99, 0), -ESRCH);
	ck_assert_int_eq(try_life(PRF_LIFE_END, 99, 99, 0), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_THREAD, 99, 98, 0), 0);
	finish(0);
	end();
}
END_TEST

START_TEST(a_child_of_nobody_is_counted)
{
	begin_each();
	exec(10, "prog");
	fork_of(_i ? 12 : 0, 12);
	ticks(12, AT, 2);
	exit_of(12);
	check(0, 12, "[unknown]=2 ");
	exec(12, "prog"); /* it is new */
	ticks(12, AT, 4);
	finish(6);
	ck_assert_uint_eq(n_seen, 3);
	end();
}
END_TEST

START_TEST(processes_that_were_attached_are_all_counted)
{
	begin_each();
	exec(20, "prog");
	exec(21, "other");
	ck_assert_int_eq(try_life(PRF_LIFE_THREAD, 20, 22, 0), 0);
	ck_assert_int_eq(try_ticks(20, 22, AT, 1), 0);
	ticks(21, AT, 2);
	ck_assert_int_eq(try_life(PRF_LIFE_LEAVE, 21, 21, 0), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_LEAVE, 20, 20, 0), 0);
	finish(3);
	check(0, 21, "h=2 ");
	check(1, 20, "f=1 ");
	ck_assert(!all[0].is_main);
	ck_assert(all[1].is_main);
	end();
}
END_TEST

/* --- Files */

START_TEST(files_without_ticks_are_not_read)
{
	begin_each();
	exec(10, "prog");
	elf_write(made_path("blob"), "no ELF at all", 13);
	struct prf_mapping map = made_mapping("blob", JIT);
	map.pid = 10;
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), 0);
	ticks(10, AT, 1);
	if (_i)
		ticks(10, JIT, 1);
	finish((uint64_t)_i + 1);
	ck_assert_uint_eq(run->warnings.n, (size_t)_i);
	end();
}
END_TEST

START_TEST(a_program_that_is_removed_while_it_runs_has_its_names)
{
	begin_each();
	exec(10, "prog");
	fork_of(10, 11);
	exec(11, "other");
	ck_assert_int_eq(unlink(made_path("other")), 0);
	ticks(11, AT, 1);
	exit_of(11);
	check(0, 11, "h=1 ");
	ck_assert_uint_eq(run->warnings.n, 0);
	finish(1);
	end();
}
END_TEST

START_TEST(each_process_has_its_own_map_of_jit_code)
{
	static const char *const maps[] = {"7f0001000000 100 parents\n",
					   "7f0001000000 100 childs\n"};
	const struct prf_mapping map = {.pid = 10,
					.kind = PRF_MAPPING_ANON,
					.addr = JIT,
					.size = 0x1000,
					.path = ""};
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
					    .perfmap_dir = directory});
	exec(10, "prog");
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), 0);
	ticks(10, JIT, 1);
	fork_of(10, 11);
	fork_of(10, 12);
	ticks(11, JIT, 2);
	ticks(12, JIT, 4);
	elf_write(made_path("perf-10.map"), maps[0], strlen(maps[0]));
	elf_write(made_path("perf-11.map"), maps[1], strlen(maps[1]));
	exit_of(11);
	exit_of(12);
	exit_of(10);
	finish(7);
	check(0, 11, "childs=2 ");
	check(1, 12, "parents=4 "); /* it has left none, and what it runs is
				     * as old as the fork */
	check(2, 10, "parents=1 ");
	end();
}
END_TEST

/* --- Threads */

START_TEST(threads_have_rows_with_their_names)
{
	begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
					    .threads = true});
	exec(10, "prog");
	ck_assert_int_eq(try_life(PRF_LIFE_THREAD, 10, 11, 0), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_THREAD, 10, 12, 0), 0);
	ticks(10, AT, 1);
	ck_assert_int_eq(try_ticks(10, 11, AT, 3), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_END, 99, 11, 0), 0); /* not its */
	ck_assert_int_eq(try_ticks(10, 11, AT, 1), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_END, 10, 11, 0), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_END, 10, 12, 0), 0);
	fork_of(10, 11); /* the number comes again */
	ck_assert_int_eq(try_ticks(11, 11, AT, 2), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_END, 10, 10, 0), 0);
	exit_of(10);
	finish(7);
	ck_assert_uint_eq(n_seen, 2);
	ck_assert_int_eq(all[0].tid, 0);
	ck_assert(all[0].is_main);
	ck_assert_uint_eq(run->profile->threads.n, 3);
	ck_assert_int_eq(run->profile->threads.rows[0].pid, 10);
	ck_assert_int_eq(run->profile->threads.rows[0].tid, 11);
	ck_assert_str_eq(run->profile->threads.rows[0].name, "thread");
	ck_assert_int_eq(run->profile->threads.rows[1].pid, 11);
	ck_assert_str_eq(run->profile->threads.rows[1].name, "prog");
	ck_assert_uint_eq(run->profile->threads.rows[2].count.ticks, 1);
	end();
}
END_TEST

START_TEST(each_thread_can_have_a_profile)
{
	begin((struct prf_collector_config){.each = PRF_COLLECT_THREAD});
	exec(10, "prog");
	ck_assert_int_eq(try_ticks(10, 11, AT, 1), 0);
	ck_assert_int_eq(try_ticks(10, 12, AT + 0x800, 2), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_END, 10, 11, 0), 0);
	check(0, 10, "f=1 ");
	ck_assert_int_eq(all[0].tid, 11);
	if (_i)
		ticks(10, AT, 4);
	exit_of(10);
	finish(_i ? 7 : 3);
	ck_assert_uint_eq(n_seen, 3);
	for (size_t i = 1; i < 3; i++) {
		ck_assert_int_eq(all[i].is_main, all[i].tid == 10);
		ck_assert_uint_eq(all[i].ticks, all[i].tid == 12 ? 2
						: _i             ? 4
								 : 0);
	}
	end();
}
END_TEST

/* --- Of the run */

START_TEST(without_profiles_of_programs_all_is_in_the_runs)
{
	begin((struct prf_collector_config){0});
	exec(10, "prog");
	ticks(10, AT, 1);
	fork_of(10, 11);
	exec(11, "other");
	ticks(11, AT, 2);
	exec(10, "prog");
	ticks(10, AT + 0x800, 4);
	made_check_sums(run->profile, 7); /* at once */
	exit_of(11);
	exit_of(10);
	finish(7);
	ck_assert_uint_eq(n_seen, 0);
	ck_assert_uint_eq(made_ticks_of(run->profile, "prog", "f"), 1);
	ck_assert_uint_eq(made_ticks_of(run->profile, "other", "h"), 2);
	ck_assert_uint_eq(made_ticks_of(run->profile, "prog", "g"), 4);
	ck_assert_uint_eq(run->profile->unit.rate_hz, 100);
	ck_assert_str_eq(run->profile->unit.dimension, "seconds");
	end();
}
END_TEST

START_TEST(nobody_needs_to_be_told_what_has_ended)
{
	const struct prf_collector_config config = {
		.each = PRF_COLLECT_PROGRAM};

	begin_each();
	end();
	run = prf_collector_new(&config);
	exec(10, "prog");
	ticks(10, AT, 1);
	finish(1);
	end();
}
END_TEST

/* What was executed, if it had ticks or was the first process's last. */
START_TEST(programs_are_marked_and_the_main_one_is_known)
{
	begin((struct prf_collector_config){.each = (enum prf_collect_each)_i});
	exec(10, "prog");
	struct prf_mapping map = made_mapping("other", JIT);
	map.pid = 10;
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), 0);
	ticks(10, JIT, 1);
	exec(10, "prog");
	fork_of(10, 11);
	made_elf("third", hk, 2);
	exec(11, "third");
	ticks(11, AT, 2);
	fork_of(10, 12);
	made_elf("idle", hk, 2);
	exec(12, "idle");
	finish(3);
	ck_assert_ptr_eq(run->profile->program,
			 made_binary(run->profile, "prog"));
	ck_assert_uint_eq(run->profile->addr_bytes, 8);
	ck_assert(made_binary(run->profile, "prog")->is_program);
	ck_assert(made_binary(run->profile, "third")->is_program);
	ck_assert(!made_binary(run->profile, "other")->is_program);
	ck_assert_uint_eq(run->profile->n_binaries, 3);
	ck_assert_uint_eq(n_seen, _i ? 3 : 0);
	for (size_t i = 0; i < n_seen; i++)
		ck_assert_str_eq(all[i].program,
				 all[i].pid == 11 ? "third" : "prog");
	end();
}
END_TEST

START_TEST(each_program_is_one_row_for_all_its_processes)
{
	begin((struct prf_collector_config){.each = (enum prf_collect_each)_i});
	exec(10, "prog");
	for (pid_t pid = 11; pid < 15; pid++) {
		fork_of(10, pid);
		exec(pid, "other");
		if (pid > 11) /* one is idle */
			ticks(pid, AT, 2);
	}
	ticks(10, AT, 5);
	finish(11);
	ck_assert_uint_eq(run->profile->programs.n, 2);
	ck_assert_str_eq(run->profile->programs.rows[0].path,
			 made_path("other"));
	ck_assert_uint_eq(run->profile->programs.rows[0].n_processes, 3);
	ck_assert_uint_eq(run->profile->programs.rows[0].count.ticks, 6);
	ck_assert_uint_eq(run->profile->programs.rows[1].n_processes, 1);
	ck_assert_uint_eq(run->profile->n_processes, 5);
	ck_assert_uint_eq(run->profile->n_idle, 1);
	end();
}
END_TEST

/* --- A run as text */

static void
put_rows(FILE *out, const struct prf_profile *profile)
{
	for (size_t i = 0; i < profile->programs.n; i++)
		fprintf(out, "program %s %" PRIu64 " %" PRIu64 "\n",
			profile->programs.rows[i].path,
			profile->programs.rows[i].n_processes,
			profile->programs.rows[i].count.ticks);
	for (size_t i = 0; i < profile->threads.n; i++)
		fprintf(out, "thread %d %d %s %" PRIu64 "\n",
			(int)profile->threads.rows[i].pid,
			(int)profile->threads.rows[i].tid,
			profile->threads.rows[i].name,
			profile->threads.rows[i].count.ticks);
	for (const struct prf_branch *branch =
		     prf_tree_next(&profile->tree, NULL);
	     branch; branch = prf_tree_next(&profile->tree, branch))
		fprintf(out, "branch %d of %d %s %" PRIu64 "\n",
			(int)branch->pid, (int)branch->parent->pid,
			branch->program->path, branch->count.ticks);
}

/* All of it, in an order of its own; to be free()d. */
static char *
text_of(const struct prf_profile *profile)
{
	struct prf_functions functions;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	prf_functions_sort(&functions);
	for (size_t i = 0; i < functions.n; i++)
		fprintf(out, "%s%s %s %d %" PRIu64 " %.0f\n",
			functions.all[i].binary->name,
			functions.all[i].binary->path, functions.all[i].name,
			functions.all[i].binary->is_program,
			functions.all[i].count.ticks,
			functions.all[i].count.squares);
	prf_functions_clear(&functions);
	put_rows(out, profile);
	fprintf(out,
		"%s %u %" PRIu32 " Hz %" PRIu64 " processes %" PRIu64
		" idle %" PRIu64 " programs\n",
		profile->program ? profile->program->path : "",
		profile->addr_bytes, profile->unit.rate_hz,
		profile->n_processes, profile->n_idle,
		profile->tree.n_programs);
	fclose(out);
	return text;
}

static struct prf_profile *
snapshot(void)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};

	ck_assert_msg(!prf_collector_snapshot(run, &profile, &err), "%s",
		      err.text);
	return profile;
}

/* --- Maps of JIT code */

static void
map_jit(pid_t pid)
{
	const struct prf_mapping map = {.pid = pid,
					.kind = PRF_MAPPING_ANON,
					.addr = JIT,
					.size = 0x1000,
					.path = ""};

	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), 0);
}

START_TEST(inherited_jit_code_has_the_names_of_the_childs_map)
{
	static const char map[] = "7f0001000000 100 childs\n";
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	elf_write(made_path("perf-11.map"), map, strlen(map));
	elf_write(made_path("perf-12.map"), map, strlen(map));
	begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM,
					    .inherit_counts = true,
					    .perfmap_dir = directory});
	exec(10, "prog");
	map_jit(10);
	ticks(10, JIT, 1);
	fork_of(10, 11);
	ticks(11, JIT, 2);
	fork_of(11, 12);
	ticks(12, AT, 4);
	exit_of(12);
	exit_of(11);
	exit_of(10);
	finish(7);
	check(0, 12, "f=4 childs=3 ");
	check(1, 11, "childs=3 ");
	check(2, 10, "[jit]=1 ");
	end();
}
END_TEST

START_TEST(a_map_of_jit_code_that_is_refused_is_one_warning)
{
	char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	ck_assert_int_eq(mkdir(made_path("perf-10.map"), 0700), 0);
	begin((struct prf_collector_config){.perfmap_dir = directory});
	exec(10, "prog");
	map_jit(10);
	ticks(10, JIT, 1);
	prf_profile_free(snapshot());
	finish(1);
	ck_assert_uint_eq(made_ticks_of(run->profile, "[jit]", "[jit]"), 1);
	ck_assert_uint_eq(run->warnings.n, 1);
	ck_assert_ptr_nonnull(strstr(run->warnings.lines[0], "perf-10.map"));
	end();
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
	begin((struct prf_collector_config){
		.perfmap_dir = directory,
		.realtime_offset_ns =
			_i * (int64_t)(time(NULL) + 3600) * 1000000000});
	exec(10, "prog");
	map_jit(10);
	ticks(10, JIT, 1);
	finish(1);
	ck_assert_uint_eq(made_ticks_of(run->profile, "[jit]", "named"),
			  _i ? 0 : 1);
	ck_assert_uint_eq(run->warnings.n, (size_t)_i);
	end();
}
END_TEST

/* --- Events of every kind */

enum { N_PIDS = 12, N_EACH = 3 };

static int
try_map_jit(pid_t pid)
{
	const struct prf_mapping map = {
		.pid = pid,
		.kind = PRF_MAPPING_ANON,
		.addr = AT + 0xc00,
		.size = 0x600,
		.path = "",
	};

	return run->base.ops->mapping(&run->base, &map);
}

static uint64_t
random_event(struct random *random)
{
	static const char *const names[] = {"prog", "other", "blob"};
	pid_t pid = 100 + (pid_t)random_below(random, N_PIDS);
	pid_t other = 100 + (pid_t)random_below(random, N_PIDS);
	uint64_t addr = AT + random_below(random, 0x1400);
	uint32_t n = 1 + (uint32_t)random_below(random, 5);

	switch (random_below(random, 16)) {
	case 0:
		try_exec(pid, names[random_below(random, 3)]);
		return 0;
	case 1:
	case 2:
		try_life(PRF_LIFE_FORK, other, other, pid);
		return 0;
	case 3:
		try_life(random_below(random, 2) ? PRF_LIFE_EXIT
						 : PRF_LIFE_LEAVE,
			 pid, pid, 0);
		return 0;
	case 4:
		try_life(PRF_LIFE_END, pid, other, 0);
		return 0;
	case 5:
		try_map_jit(pid);
		return 0;
	default:
		return try_ticks(pid, other, addr, n) ? 0 : n;
	}
}

/* A run of each kind, with (odd) and without rows of threads. */
static void
begin_random(int kind)
{
	static char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	begin((struct prf_collector_config){
		.each = (enum prf_collect_each)(kind / 2),
		.threads = kind % 2,
		.perfmap_dir = directory,
	});
	elf_write(made_path("blob"), "blob", 4);
}

START_TEST(every_tick_is_in_one_program_and_handed_out_once)
{
	struct random random = random_begin();
	uint64_t taken = 0, by_thread;

	begin_random(_i);
	for (int i = 0; i < 20000; i++)
		taken += random_event(&random);
	finish(taken);
	ck_assert_uint_gt(taken, 10000);
	ck_assert_uint_eq(ticks_seen, _i / 2 ? taken : 0);
	by_thread = run->profile->threads.folded.ticks;
	for (size_t i = 0; i < run->profile->threads.n; i++)
		by_thread += run->profile->threads.rows[i].count.ticks;
	ck_assert_uint_eq(by_thread, _i == 0 || _i == 2 ? 0 : taken);
	end();
}
END_TEST

/* --- Snapshots */

START_TEST(a_snapshot_of_nobody_is_empty)
{
	begin((struct prf_collector_config){0});
	PRF_AUTO(prf_profile_auto) struct prf_profile *profile = snapshot();
	check_run(profile, 0);
	ck_assert_uint_eq(profile->n_processes, 0);
	ck_assert_ptr_null(profile->program);
	prf_profile_free(PRF_TAKE(profile));
	end();
}
END_TEST

START_TEST(a_snapshot_is_as_if_the_run_ended_now)
{
	struct random random = random_begin();
	uint64_t taken = 0;

	for (int round = 0; round < 20; round++, taken = 0) {
		begin_random(_i);
		for (int i = 0; i < 100 * round; i++)
			taken += random_event(&random);
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *profile = snapshot();
		check_run(profile, taken);
		PRF_AUTO(prf_auto_free) char *then = text_of(profile);
		finish(taken);
		PRF_AUTO(prf_auto_free) char *now = text_of(run->profile);
		ck_assert_str_eq(then, now);
		prf_profile_free(PRF_TAKE(profile));
		end();
	}
}
END_TEST

/* What a run of the same events has in the end. */
static char *
end_of_random(int kind, int n_snapshots)
{
	struct random random = random_begin();
	uint64_t taken = 0;

	begin_random(kind);
	for (int i = 0; i < 2000; i++) {
		taken += random_event(&random);
		if (n_snapshots && i % (2000 / n_snapshots) == 0)
			prf_profile_free(snapshot());
	}
	finish(taken);
	char *text = text_of(run->profile);
	end();
	return text;
}

START_TEST(a_run_ends_the_same_after_snapshots)
{
	PRF_AUTO(prf_auto_free) char *without = end_of_random(_i, 0);
	uint64_t handed_out = ticks_seen;
	PRF_AUTO(prf_auto_free) char *with = end_of_random(_i, 50);

	ck_assert_str_eq(with, without);
	ck_assert_uint_eq(ticks_seen, handed_out);
}
END_TEST

/* A JIT goes on to write its map. */
START_TEST(jit_code_has_the_names_that_its_map_has_by_then)
{
	static const char *const maps[] = {
		"555555555c00 100 first\n",
		"555555555c00 100 first\n555555555d00 100 second\n"};

	begin_random(0);
	exec(100, "prog");
	ck_assert_int_eq(try_map_jit(100), 0);
	ticks(100, AT + 0xc00, 1);
	ticks(100, AT + 0xd00, 2);
	for (int i = 0; i < 2; i++) {
		elf_write(made_path("perf-100.map"), maps[i], strlen(maps[i]));
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *profile = snapshot();
		check_run(profile, 3);
		ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "first"), 1);
		ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "second"),
				  i ? 2 : 0);
		ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"),
				  i ? 0 : 2);
	}
	ticks(100, AT + 0xd00, 4);
	finish(7);
	ck_assert_uint_eq(made_ticks_of(run->profile, "[jit]", "second"), 6);
	ck_assert_uint_eq(run->profile->n_binaries, 2);
	end();
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
	tcase_add_loop_test(tcase,
			    every_tick_is_in_one_program_and_handed_out_once, 0,
			    2 * N_EACH);
}

static void
add_snapshot_cases(TCase *tcase)
{
	tcase_add_test(tcase, a_snapshot_of_nobody_is_empty);
	tcase_add_loop_test(tcase, a_snapshot_is_as_if_the_run_ended_now, 0,
			    2 * N_EACH);
	tcase_add_loop_test(tcase, a_run_ends_the_same_after_snapshots, 0,
			    2 * N_EACH);
	tcase_add_test(tcase, jit_code_has_the_names_that_its_map_has_by_then);
}

/* --- Intervals */

enum { EVERY_NS = 1000, BEGUN_NS = 5000 };

static void
begin_intervals(enum prf_collect_each each)
{
	begin((struct prf_collector_config){.each = each,
					    .call_graph = true,
					    .every_ns = EVERY_NS,
					    .begun_ns = BEGUN_NS});
	now_ns = BEGUN_NS;
}

/* The Ith that was handed out is of such an interval. */
static void
check_interval(size_t i, uint64_t number, uint64_t from_ns, uint64_t to_ns)
{
	ck_assert_uint_lt(i, n_seen);
	ck_assert_uint_eq(all[i].interval, number);
	ck_assert_uint_eq(all[i].from_ns, from_ns);
	ck_assert_uint_eq(all[i].to_ns, to_ns);
}

START_TEST(intervals_adjoin_and_each_tick_is_in_one_of_them)
{
	begin_intervals(PRF_COLLECT_RUN);
	exec(10, "prog");
	ticks(10, AT, 1);
	now_ns = BEGUN_NS + 999;
	ticks(10, AT, 2);
	ck_assert_uint_eq(n_seen, 0);
	now_ns = BEGUN_NS + 1000;
	ticks(10, AT + 0x800, 4);
	now_ns = BEGUN_NS + 2500;
	ticks(10, AT, 8);
	now_ns = BEGUN_NS + 2700;
	exit_of(10);
	finish(15);
	ck_assert_uint_eq(n_seen, 3);
	check(0, 0, "f=3 ");
	check(1, 0, "g=4 ");
	check(2, 0, "f=8 ");
	check_interval(0, 1, 5000, 6000);
	check_interval(1, 2, 6000, 7000);
	check_interval(2, 3, 7000, 7700);
	for (size_t i = 0; i < n_seen; i++) {
		ck_assert(all[i].is_main);
		ck_assert_str_eq(all[i].program, "prog");
	}
	end();
}
END_TEST

START_TEST(a_sample_that_comes_late_is_in_the_next_interval)
{
	begin_intervals(PRF_COLLECT_RUN);
	exec(10, "prog");
	now_ns = BEGUN_NS + 1100;
	ticks(10, AT, 1);
	now_ns = BEGUN_NS + 900;
	ticks(10, AT, 2);
	finish(3);
	ck_assert_uint_eq(n_seen, 2);
	check(0, 0, "");
	check(1, 0, "f=3 ");
	end();
}
END_TEST

START_TEST(where_nothing_is_counted_time_ends_an_interval)
{
	begin_intervals(PRF_COLLECT_RUN);
	exec(10, "prog");
	ticks(10, AT, 1);
	prf_collector_reach(run, BEGUN_NS + 999);
	ck_assert_uint_eq(n_seen, 0);
	prf_collector_reach(run, BEGUN_NS + 1001);
	prf_collector_reach(run, BEGUN_NS + 1002);
	prf_collector_reach(run, BEGUN_NS + 2001);
	ck_assert_uint_eq(n_seen, 2);
	check(0, 0, "f=1 ");
	check(1, 0, "");
	check_interval(1, 2, 6000, 7000);
	finish(1);
	ck_assert_uint_eq(n_seen, 3);
	end();
}
END_TEST

START_TEST(an_interval_in_which_nobody_was_there_is_a_longer_one)
{
	begin_intervals(PRF_COLLECT_RUN);
	exec(10, "prog");
	now_ns = BEGUN_NS + 4200;
	ticks(10, AT, 1);
	finish(1);
	ck_assert_uint_eq(n_seen, 2);
	check_interval(0, 1, 5000, 9000);
	check_interval(1, 2, 9000, 9200);
	end();
}
END_TEST

START_TEST(each_process_has_its_intervals)
{
	begin_intervals(PRF_COLLECT_PROGRAM);
	exec(10, "prog");
	fork_of(10, 11);
	fork_of(10, 12);
	ticks(11, AT, 1);
	now_ns = BEGUN_NS + 500;
	ticks(12, AT, 2);
	exit_of(12);
	now_ns = BEGUN_NS + 1500;
	ticks(10, AT, 4);
	ticks(11, AT + 0x800, 8);
	finish(15);
	ck_assert_uint_eq(n_seen, 5);
	check(0, 12, "f=2 ");
	check_interval(0, 1, 5000, 5500);
	for (size_t i = 1; i < 5; i++) {
		bool first = i < 3;

		check(i, all[i].pid,
		      all[i].pid == 10 ? (first ? "" : "f=4 ")
				       : (first ? "f=1 " : "g=8 "));
		ck_assert_int_eq(all[i].is_main, all[i].pid == 10);
		ck_assert_uint_eq(all[i].interval, first ? 1 : 2);
	}
	end();
}
END_TEST

START_TEST(each_thread_has_its_intervals)
{
	begin_intervals(PRF_COLLECT_THREAD);
	exec(10, "prog");
	ck_assert_int_eq(try_ticks(10, 11, AT, 1), 0);
	now_ns = BEGUN_NS + 1500;
	ck_assert_int_eq(try_ticks(10, 11, AT, 2), 0);
	ck_assert_int_eq(try_ticks(10, 10, AT, 4), 0);
	finish(7);
	ck_assert_uint_eq(n_seen, 4);
	for (size_t i = 0; i < 4; i++) {
		bool first = i < 2;

		check(i, 10,
		      all[i].tid == 10 ? (first ? "" : "f=4 ")
				       : (first ? "f=1 " : "f=2 "));
		ck_assert_int_eq(all[i].is_main, all[i].tid == 10);
	}
	end();
}
END_TEST

START_TEST(a_snapshot_has_the_interval_that_goes_on)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *snapshot = NULL;
	struct prf_error err;

	begin_intervals(PRF_COLLECT_RUN);
	exec(10, "prog");
	ticks(10, AT, 1);
	now_ns = BEGUN_NS + 1500;
	ticks(10, AT, 2);
	ck_assert_int_eq(prf_collector_snapshot(run, &snapshot, &err), 0);
	check_run(snapshot, 3);
	finish(3);
	ck_assert_uint_eq(n_seen, 2);
	check(1, 0, "f=2 ");
	prf_profile_free(PRF_TAKE(snapshot));
	end();
}
END_TEST

static void
add_interval_cases(TCase *tcase)
{
	tcase_add_test(tcase, intervals_adjoin_and_each_tick_is_in_one_of_them);
	tcase_add_test(tcase, a_sample_that_comes_late_is_in_the_next_interval);
	tcase_add_test(tcase, where_nothing_is_counted_time_ends_an_interval);
	tcase_add_test(tcase,
		       an_interval_in_which_nobody_was_there_is_a_longer_one);
	tcase_add_test(tcase, each_process_has_its_intervals);
	tcase_add_test(tcase, each_thread_has_its_intervals);
	tcase_add_test(tcase, a_snapshot_has_the_interval_that_goes_on);
}

Suite *
prf_suite(void)
{
	static const struct {
		const char *name;
		void (*add)(TCase *tcase);
	} cases[] = {
		{"programs", add_program_cases},
		{"children", add_child_cases},
		{"files", add_file_cases},
		{"threads", add_thread_cases},
		{"run", add_run_cases},
		{"snapshots", add_snapshot_cases},
		{"intervals", add_interval_cases},
	};
	Suite *suite = suite_create("collector");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_set_timeout(tcase, 120);
		tcase_add_checked_fixture(tcase, made_begin, made_end);
		cases[i].add(tcase);
		suite_add_tcase(suite, tcase);
	}
	return suite;
}
