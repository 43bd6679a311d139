#include "view/family.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/random.h"
#include "support/suite.h"
#include "view/made.h"

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
	char text[256]; /* each function with ticks: "name=ticks " */
};

enum { MAX_SEEN = 64 };

static struct seen all[MAX_SEEN];
static size_t n_seen;
static uint64_t ticks_seen;
static struct prf_family *family;

static void
put_functions(struct seen *seen, const struct prf_object *object)
{
	size_t used = strlen(seen->text);

	for (size_t f = 0; f < object->n_functions; f++)
		if (object->functions[f].count.ticks)
			used += (size_t)snprintf(
				seen->text + used, sizeof seen->text - used,
				"%s=%d ", object->functions[f].name,
				(int)object->functions[f].count.ticks);
}

static void
see(void *arg, const struct prf_ended *ended)
{
	ck_assert_ptr_eq(arg, all);
	ck_assert_msg(!ended->failure, "%s", ended->failure->text);
	ck_assert(ended->profile->total.ticks > 0 || ended->is_main);
	ck_assert_int_eq(ended->profile->pid, ended->pid);
	made_check_sums(ended->profile, ended->profile->total.ticks);
	ticks_seen += ended->profile->total.ticks;
	if (n_seen == MAX_SEEN)
		return;

	struct seen *seen = &all[n_seen++];
	*seen = (struct seen){
		.pid = ended->pid,
		.tid = ended->tid,
		.n_execs = ended->n_execs,
		.is_earlier = ended->is_earlier,
		.is_main = ended->is_main,
		.ticks = ended->profile->total.ticks,
	};
	for (size_t i = 0; i < ended->profile->n_objects; i++)
		put_functions(seen, ended->profile->objects[i]);
}

static void
check(size_t i, pid_t pid, const char *functions)
{
	ck_assert_uint_lt(i, n_seen);
	ck_assert_int_eq(all[i].pid, pid);
	ck_assert_str_eq(all[i].text, functions);
}

/* --- Events */

static void
begin(struct prf_family_config config)
{
	config.ended = see;
	config.arg = all;
	n_seen = 0;
	ticks_seen = 0;
	family = prf_family_new(&config);
	ck_assert_ptr_nonnull(family);
	made_elf("prog", fg, 2);
	made_elf("other", hk, 2);
}

/* In all the places where ticks are summed up there are TICKS. */
static void
finish(uint64_t ticks)
{
	uint64_t functions = 0;

	ck_assert_int_eq(family->base.ops->finish(&family->base, NULL), 0);
	ck_assert_uint_eq(prf_tree_sum(&family->tree).ticks, ticks);
	ck_assert_uint_eq(family->totals.count.ticks, ticks);
	const struct prf_total **sorted = prf_totals_sorted(&family->totals);
	for (size_t i = 0; i < family->totals.n_functions; i++)
		functions += sorted[i]->count.ticks;
	ck_assert_uint_eq(functions, ticks);
	free(sorted);
}

static void
end(void)
{
	family->base.ops->free(&family->base);
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
	};
	int rc = family->base.ops->exec(&family->base, &exec);

	map.pid = pid;
	return rc ? rc : family->base.ops->mapping(&family->base, &map);
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
		.name = kind == PRF_LIFE_END ? "thread" : "",
	};

	return prf_sink_life(&family->base, &life);
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
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	return family->base.ops->sample(&family->base, &sample);
}

static void
ticks(pid_t pid, uint64_t addr, uint32_t n)
{
	ck_assert_int_eq(try_ticks(pid, pid, addr, n), 0);
}

/* --- One process */

START_TEST(the_first_process_is_handed_out_without_ticks_too)
{
	begin((struct prf_family_config){0});
	exec(10, "prog");
	exit_of(10);
	ck_assert_uint_eq(n_seen, 1);
	check(0, 10, "");
	ck_assert(all[0].is_main);
	finish(0);
	ck_assert_uint_eq(n_seen, 1);
	ck_assert_uint_eq(family->n_processes, 1);
	ck_assert_uint_eq(family->n_idle, 1);
	end();
}
END_TEST

START_TEST(nothing_is_handed_out_of_nobody)
{
	begin((struct prf_family_config){0});
	finish(0);
	ck_assert_uint_eq(n_seen, 0);
	end();
}
END_TEST

START_TEST(exec_ends_one_profile_and_begins_the_next)
{
	begin((struct prf_family_config){0});
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
	ck_assert_uint_eq(family->tree.n_programs, 3);
	ck_assert_uint_eq(family->n_processes, 1);
	end();
}
END_TEST

START_TEST(what_was_mapped_before_exec_is_gone)
{
	begin((struct prf_family_config){0});
	exec(10, "prog");
	struct prf_mapping map = made_mapping("other", JIT);
	map.pid = 10;
	ck_assert_int_eq(family->base.ops->mapping(&family->base, &map), 0);
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
	begin((struct prf_family_config){0});
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
	begin((struct prf_family_config){0});
	exec(10, "prog");
	fork_of(10, 11);
	struct prf_mapping map = made_mapping("other", AT);
	map.pid = 11;
	ck_assert_int_eq(family->base.ops->mapping(&family->base, &map), 0);
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
	begin((struct prf_family_config){.inherit_counts = true,
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
	check(0, 12, "f=1 g=4 [unknown]=8 ");
	check(1, 14, "h=16 ");
	check(2, 11, "f=1 g=4 ");
	check(3, 10, "f=3 ");
	end();
}
END_TEST

START_TEST(fork_and_exec_at_once_leave_one_profile)
{
	begin((struct prf_family_config){0});
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
	ck_assert_uint_eq(family->n_processes, 3);
	ck_assert_uint_eq(family->n_idle, 2);
	end();
}
END_TEST

START_TEST(children_outlive_their_parents)
{
	begin((struct prf_family_config){0});
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
	const struct prf_branch *first = prf_tree_next(&family->tree, NULL);
	const struct prf_branch *second = prf_tree_next(&family->tree, first);
	const struct prf_branch *third = prf_tree_next(&family->tree, second);
	ck_assert_int_eq(second->pid, 12);
	ck_assert_ptr_eq(second->parent, first);
	ck_assert_int_eq(third->pid, 13);
	ck_assert_ptr_eq(third->parent, second);
	end();
}
END_TEST

START_TEST(a_number_that_comes_again_is_another_process)
{
	begin((struct prf_family_config){0});
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
	ck_assert_uint_eq(family->n_processes, 3);
	end();
}
END_TEST

START_TEST(whoever_is_not_known_is_refused)
{
	struct prf_mapping map = {.pid = 99, .size = 1, .path = ""};

	begin((struct prf_family_config){0});
	exec(10, "prog");
	exit_of(10);
	ck_assert_int_eq(try_ticks(10, 10, AT, 1), -ESRCH);
	ck_assert_int_eq(try_ticks(99, 99, AT, 1), -ESRCH);
	ck_assert_int_eq(family->base.ops->mapping(&family->base, &map),
			 -ESRCH);
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
	begin((struct prf_family_config){0});
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
	begin((struct prf_family_config){0});
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
	begin((struct prf_family_config){0});
	exec(10, "prog");
	elf_write(made_path("blob"), "no ELF at all", 13);
	struct prf_mapping map = made_mapping("blob", JIT);
	map.pid = 10;
	ck_assert_int_eq(family->base.ops->mapping(&family->base, &map), 0);
	ticks(10, AT, 1);
	if (_i)
		ticks(10, JIT, 1);
	finish((uint64_t)_i + 1);
	ck_assert_uint_eq(family->warnings.n, (size_t)_i);
	end();
}
END_TEST

START_TEST(a_program_that_is_removed_while_it_runs_has_its_names)
{
	begin((struct prf_family_config){0});
	exec(10, "prog");
	fork_of(10, 11);
	exec(11, "other");
	ck_assert_int_eq(unlink(made_path("other")), 0);
	ticks(11, AT, 1);
	exit_of(11);
	check(0, 11, "h=1 ");
	ck_assert_uint_eq(family->warnings.n, 0);
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
	begin((struct prf_family_config){.perfmap_dir = directory});
	exec(10, "prog");
	ck_assert_int_eq(family->base.ops->mapping(&family->base, &map), 0);
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
	begin((struct prf_family_config){.threads = true});
	exec(10, "prog");
	ck_assert_int_eq(try_life(PRF_LIFE_THREAD, 10, 11, 0), 0);
	ck_assert_int_eq(try_life(PRF_LIFE_THREAD, 10, 12, 0), 0);
	ticks(10, AT, 1);
	ck_assert_int_eq(try_ticks(10, 11, AT, 4), 0);
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
	ck_assert_uint_eq(family->threads.n, 3);
	ck_assert_int_eq(family->threads.rows[0].pid, 10);
	ck_assert_int_eq(family->threads.rows[0].tid, 11);
	ck_assert_str_eq(family->threads.rows[0].name, "thread");
	ck_assert_int_eq(family->threads.rows[1].pid, 11);
	ck_assert_str_eq(family->threads.rows[1].name, "prog");
	ck_assert_uint_eq(family->threads.rows[2].count.ticks, 1);
	end();
}
END_TEST

START_TEST(each_thread_can_have_a_profile)
{
	begin((struct prf_family_config){.each_thread = true});
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

/* --- The invariant, against events of every kind */

enum { N_PIDS = 12 };

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
	default:
		return try_ticks(pid, other, addr, n) ? 0 : n;
	}
}

START_TEST(every_tick_is_in_one_program_and_handed_out_once)
{
	struct random random = random_begin();
	uint64_t taken = 0, by_thread;

	begin((struct prf_family_config){.threads = _i == 1,
					 .each_thread = _i == 2});
	elf_write(made_path("blob"), "blob", 4);
	for (int i = 0; i < 20000; i++)
		taken += random_event(&random);
	finish(taken);
	ck_assert_uint_gt(taken, 10000);
	ck_assert_uint_eq(ticks_seen, taken);
	by_thread = family->threads.folded.ticks;
	for (size_t i = 0; i < family->threads.n; i++)
		by_thread += family->threads.rows[i].count.ticks;
	ck_assert_uint_eq(by_thread, _i ? taken : 0);
	end();
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("family");
	TCase *one = tcase_create("one"), *children = tcase_create("children");
	TCase *files = tcase_create("files");
	TCase *threads = tcase_create("threads");

	tcase_add_checked_fixture(one, made_begin, made_end);
	tcase_add_test(one, the_first_process_is_handed_out_without_ticks_too);
	tcase_add_test(one, nothing_is_handed_out_of_nobody);
	tcase_add_test(one, exec_ends_one_profile_and_begins_the_next);
	tcase_add_test(one, what_was_mapped_before_exec_is_gone);
	suite_add_tcase(suite, one);

	tcase_add_checked_fixture(children, made_begin, made_end);
	tcase_add_test(children,
		       a_child_starts_empty_with_what_its_parent_has_mapped);
	tcase_add_test(children, what_a_child_maps_is_not_its_parents);
	tcase_add_test(children,
		       with_inherit_counts_a_child_starts_as_its_parent_stands);
	tcase_add_test(children, fork_and_exec_at_once_leave_one_profile);
	tcase_add_test(children, children_outlive_their_parents);
	tcase_add_loop_test(children,
			    a_number_that_comes_again_is_another_process, 0, 2);
	tcase_add_test(children, whoever_is_not_known_is_refused);
	tcase_add_loop_test(children, a_child_of_nobody_is_counted, 0, 2);
	tcase_add_test(children, processes_that_were_attached_are_all_counted);
	suite_add_tcase(suite, children);

	tcase_add_checked_fixture(files, made_begin, made_end);
	tcase_add_loop_test(files, files_without_ticks_are_not_read, 0, 2);
	tcase_add_test(files,
		       a_program_that_is_removed_while_it_runs_has_its_names);
	tcase_add_test(files, each_process_has_its_own_map_of_jit_code);
	suite_add_tcase(suite, files);

	tcase_set_timeout(threads, 120);
	tcase_add_checked_fixture(threads, made_begin, made_end);
	tcase_add_test(threads, threads_have_rows_with_their_names);
	tcase_add_loop_test(threads, each_thread_can_have_a_profile, 0, 2);
	tcase_add_loop_test(threads,
			    every_tick_is_in_one_program_and_handed_out_once, 0,
			    3);
	suite_add_tcase(suite, threads);
	return suite;
}
