/* The profile of a run while it goes on, and what random events come to. */
#include "profile/collector.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/scope.h"
#include "profile/call_graph.h"
#include "profile/collected_run.h"
#include "profile/functions.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

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

/* The functions of its calls, by name. */
static void
put_calls(FILE *out, const struct prf_profile *profile)
{
	struct prf_call_graph graph;
	const char *last = "", *next;

	ck_assert_int_eq(prf_call_graph_of(profile, &graph), 0);
	for (; *last != '~'; last = next) {
		next = "~";
		for (size_t i = 0; i < graph.n_functions; i++)
			if (strcmp(graph.functions[i].name, last) > 0 &&
			    strcmp(graph.functions[i].name, next) < 0)
				next = graph.functions[i].name;
		for (size_t i = 0; i < graph.n_functions; i++)
			if (strcmp(graph.functions[i].name, next) == 0)
				fprintf(out, "calls of %s %" PRIu64 "\n", next,
					graph.functions[i].total.ticks);
	}
	prf_call_graph_clear(&graph);
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
	put_calls(out, profile);
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

	return run.collector->base.ops->mapping(&run.collector->base, &map);
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
		run_try_exec(pid, names[random_below(random, 3)]);
		return 0;
	case 1:
	case 2:
		run_try_life(PRF_LIFE_FORK, other, other, pid);
		return 0;
	case 3:
		run_try_life(random_below(random, 2) ? PRF_LIFE_EXIT
						     : PRF_LIFE_LEAVE,
			     pid, pid, 0);
		return 0;
	case 4:
		run_try_life(PRF_LIFE_END, pid, other, 0);
		return 0;
	case 5:
		try_map_jit(pid);
		return 0;
	default:
		return run_try_ticks(pid, other, addr, n) ? 0 : n;
	}
}

/* A map for every other process: the names of many are the same. */
static void
leave_maps(void)
{
	char name[32], text[64];

	for (int pid = 100; pid < 100 + N_PIDS; pid += 2) {
		snprintf(name, sizeof name, "perf-%d.map", pid);
		snprintf(text, sizeof text, "%llx 100 jit%d\n",
			 (unsigned long long)AT + 0xd00, pid % 4);
		elf_write(made_path(name), text, strlen(text));
	}
}

/* A run of each kind, with (odd) and without rows of threads and calls. */
static void
begin_random(int kind)
{
	static char directory[512];

	snprintf(directory, sizeof directory, "%s", made_path("."));
	run_begin((struct prf_collector_config){
		.each = (enum prf_collect_each)(kind / 2),
		.threads = kind % 2,
		.call_graph = kind % 2,
		.flat_calls = kind % 2,
		.perfmap_dir = directory,
	});
	elf_write(made_path("blob"), "blob", 4);
	leave_maps();
}

START_TEST(every_tick_is_in_one_program_and_handed_out_once)
{
	struct random random = random_begin();
	uint64_t taken = 0, by_thread;

	begin_random(_i);
	for (int i = 0; i < 20000; i++)
		taken += random_event(&random);
	run_finish(taken);
	ck_assert_uint_gt(taken, 10000);
	ck_assert_uint_eq(run.ticks_seen, _i / 2 ? taken : 0);
	by_thread = run.collector->profile->threads.folded.ticks;
	for (size_t i = 0; i < run.collector->profile->threads.n; i++)
		by_thread +=
			run.collector->profile->threads.rows[i].count.ticks;
	ck_assert_uint_eq(by_thread, _i == 0 || _i == 2 ? 0 : taken);
	run_end();
}
END_TEST

/* --- Snapshots */

START_TEST(a_snapshot_of_nobody_is_empty)
{
	run_begin((struct prf_collector_config){0});
	PRF_AUTO(prf_profile_auto) struct prf_profile *profile = run_snapshot();
	run_check_sums(profile, 0);
	ck_assert_uint_eq(profile->n_processes, 0);
	ck_assert_ptr_null(profile->program);
	prf_profile_free(PRF_TAKE(profile));
	run_end();
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
		struct prf_profile *profile = run_snapshot();
		run_check_sums(profile, taken);
		PRF_AUTO(prf_auto_free) char *then = text_of(profile);
		run_finish(taken);
		PRF_AUTO(prf_auto_free)
		char *now = text_of(run.collector->profile);
		ck_assert_str_eq(then, now);
		prf_profile_free(PRF_TAKE(profile));
		run_end();
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
			prf_profile_free(run_snapshot());
	}
	run_finish(taken);
	char *text = text_of(run.collector->profile);
	run_end();
	return text;
}

static void
name_of(pid_t pid, pid_t tid, char name[PRF_THREAD_NAME_BYTES])
{
	snprintf(name, PRF_THREAD_NAME_BYTES, "%d/%d", (int)pid, (int)tid);
}

START_TEST(threads_that_live_have_their_names_in_a_snapshot)
{
	run_begin((struct prf_collector_config){.threads = true,
						.call_graph = true,
						.by_thread = true,
						.flat_calls = true,
						.thread_name = name_of});
	run_exec(10, "prog");
	ck_assert_int_eq(run_try_ticks(10, 11, AT, 1), 0);
	/* It lends from the collector. */
	struct prf_profile *now = run_snapshot();
	ck_assert_uint_eq(now->threads.n, 1);
	ck_assert_str_eq(now->threads.rows[0].name, "10/11");
	const struct prf_owners *owners = &now->calls->owners;
	ck_assert_uint_gt(owners->n, 0);
	ck_assert_str_eq(owners->all[owners->n - 1].name, "10/11");
	prf_profile_free(now);
	run_finish(1);
	run_end();
}
END_TEST

START_TEST(a_run_ends_the_same_after_snapshots)
{
	PRF_AUTO(prf_auto_free) char *without = end_of_random(_i, 0);
	uint64_t handed_out = run.ticks_seen;
	PRF_AUTO(prf_auto_free) char *with = end_of_random(_i, 50);

	ck_assert_str_eq(with, without);
	ck_assert_uint_eq(run.ticks_seen, handed_out);
}
END_TEST

/* A JIT goes on to write its map. */
START_TEST(jit_code_has_the_names_that_its_map_has_by_then)
{
	static const char *const maps[] = {
		"555555555c00 100 first\n",
		"555555555c00 100 first\n555555555d00 100 second\n"};

	begin_random(0);
	run_exec(100, "prog");
	ck_assert_int_eq(try_map_jit(100), 0);
	run_ticks(100, AT + 0xc00, 1);
	run_ticks(100, AT + 0xd00, 2);
	for (int i = 0; i < 2; i++) {
		elf_write(made_path("perf-100.map"), maps[i], strlen(maps[i]));
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *profile = run_snapshot();
		run_check_sums(profile, 3);
		ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "first"), 1);
		ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "second"),
				  i ? 2 : 0);
		ck_assert_uint_eq(made_ticks_of(profile, "[jit]", "[jit]"),
				  i ? 0 : 2);
	}
	run_ticks(100, AT + 0xd00, 4);
	run_finish(7);
	ck_assert_uint_eq(
		made_ticks_of(run.collector->profile, "[jit]", "second"), 6);
	ck_assert_uint_eq(run.collector->profile->n_binaries, 2);
	run_end();
}
END_TEST

static void
add_event_cases(TCase *tcase)
{
	tcase_add_loop_test(tcase,
			    every_tick_is_in_one_program_and_handed_out_once, 0,
			    2 * N_EACH);
}

static void
add_snapshot_cases(TCase *tcase)
{
	tcase_add_test(tcase, a_snapshot_of_nobody_is_empty);
	tcase_add_test(tcase, threads_that_live_have_their_names_in_a_snapshot);
	tcase_add_loop_test(tcase, a_snapshot_is_as_if_the_run_ended_now, 0,
			    2 * N_EACH);
	tcase_add_loop_test(tcase, a_run_ends_the_same_after_snapshots, 0,
			    2 * N_EACH);
	tcase_add_test(tcase, jit_code_has_the_names_that_its_map_has_by_then);
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("snapshots");

	run_add_case(suite, "events", add_event_cases);
	run_add_case(suite, "snapshots", add_snapshot_cases);
	return suite;
}
