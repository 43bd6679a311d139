#include "view/export/timeline.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/made.h"
#include "support/suite.h"
#include "view/export/export_format.h"

#define AT 0x555555555000

enum { PID = 4711, BEGIN_NS = 1000, JIT_AT = 0x1000 };

static const struct elf_symbol symbols[] = {
	{"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"f", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1200, 0xe00, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_timeline *timeline;
static char maps[64];

static void
life(enum prf_life_kind kind, pid_t pid, pid_t tid, uint64_t time_ns,
     const char *name)
{
	const struct prf_life event = {
		.kind = kind,
		.pid = pid,
		.tid = tid,
		.time_ns = time_ns,
		.name = name,
	};

	ck_assert_int_eq(prf_sink_life(&timeline->base, &event), 0);
}

static void
begin_as(size_t n_max, uint64_t skipped_ns)
{
	struct prf_mapping map = made_mapping("prog", AT);
	struct prf_mapping jit = {
		.pid = PID,
		.kind = PRF_MAPPING_ANON,
		.addr = JIT_AT,
		.size = 0x1000,
		.path = "",
	};
	const struct prf_exec exec = {
		.pid = PID,
		.time_ns = BEGIN_NS + 5,
		.path = map.path,
		.command = "./prog 'x'",
		.inode = map.inode,
		.addr_bytes = 8,
		.uid = PRF_NO_USER,
	};

	snprintf(maps, sizeof maps, "%s", made_path(""));
	timeline = prf_timeline_new(&(struct prf_timeline_config){
		.perfmap_dir = maps,
		.rate_hz = 100,
		.begin_ns = BEGIN_NS + skipped_ns,
		.skipped_ns = skipped_ns,
		.n_max = n_max,
	});
	ck_assert_ptr_nonnull(timeline);
	life(PRF_LIFE_FORK, PID, PID, BEGIN_NS + 1, "");
	ck_assert_int_eq(timeline->base.ops->exec(&timeline->base, &exec), 0);
	map.pid = PID;
	ck_assert_int_eq(timeline->base.ops->mapping(&timeline->base, &map), 0);
	ck_assert_int_eq(timeline->base.ops->mapping(&timeline->base, &jit), 0);
}

static void
begin(void)
{
	made_begin();
	made_elf("prog", symbols, 3);
	begin_as(0, 0);
}

static void
end(void)
{
	timeline->base.ops->free(&timeline->base);
	made_end();
}

/* A sample of TID at N addresses, the innermost first. */
static void
add(pid_t tid, uint64_t time_ns, uint32_t ticks, uint32_t n,
    const uint64_t *addrs)
{
	struct prf_frame frames[8];

	for (uint32_t i = 0; i < n; i++)
		frames[i] = (struct prf_frame){addrs[i], i ? PRF_FRAME_RETURN
							   : PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = PID,
		.tid = tid,
		.time_ns = time_ns,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.end = PRF_STACK_COMPLETE,
		.n_frames = n,
		.frames = frames,
	};
	ck_assert_int_eq(timeline->base.ops->sample(&timeline->base, &sample),
			 0);
}

static const struct prf_stack_table *
finish(void)
{
	struct prf_error err;

	ck_assert_int_eq(timeline->base.ops->finish(&timeline->base, &err), 0);
	ck_assert_int_eq(
		prf_stack_table_finish(&timeline->stacks,
				       &(const struct prf_export_way){0}),
		0);
	return &timeline->stacks;
}

/* "main;f", of sample NUMBER. */
static const char *
path_of(const struct prf_stack_table *stacks, size_t number)
{
	static char path[200];
	char *at = path + sizeof path - 1;

	for (uint32_t node = stacks->samples[number].node; node;
	     node = stacks->nodes[node].parent) {
		const char *name = stacks->names[prf_stack_table_function_of(
			stacks, node)];

		if (*at)
			*--at = ';';
		at -= strlen(name);
		memcpy(at, name, strlen(name));
	}
	return at;
}

START_TEST(samples_keep_threads_times_and_stacks)
{
	add(PID, 100, 1, 2, (const uint64_t[]){AT + 0x108, AT + 0x8});
	life(PRF_LIFE_THREAD, PID, PID + 1, 150, "");
	add(PID + 1, 200, 2, 1, (const uint64_t[]){AT + 0x208});
	add(PID, 300, 1, 2, (const uint64_t[]){AT + 0x208, AT + 0x8});
	life(PRF_LIFE_END, PID, PID + 1, 400, "worker");
	const struct prf_stack_table *stacks = finish();

	ck_assert_uint_eq(stacks->n_threads, 2);
	ck_assert_uint_eq(stacks->n_samples, 3);
	/* By thread, then time. */
	ck_assert_uint_eq(stacks->samples[1].time_ns, 300);
	ck_assert_uint_eq(stacks->samples[2].count.ticks, 2);
	ck_assert_uint_eq(stacks->threads[1].first, 2);
	ck_assert_str_eq(path_of(stacks, 0), "main;f");
	ck_assert_str_eq(path_of(stacks, 1), "main;g");
	ck_assert_str_eq(path_of(stacks, 2), "g");
	ck_assert_str_eq(stacks->threads[0].program, "prog");
	ck_assert_str_eq(stacks->threads[1].name, "worker");
	ck_assert_uint_eq(stacks->threads[1].begin_ns, 150);
	ck_assert_uint_eq(stacks->threads[1].end_ns, 400);
}
END_TEST

START_TEST(execs_and_ends_are_events)
{
	life(PRF_LIFE_END, PID, PID, 400, "prog");
	const struct prf_stack_table *stacks = finish();

	ck_assert_uint_eq(stacks->n_events, 2);
	ck_assert(stacks->events[0].is_exec || stacks->events[1].is_exec);
	ck_assert_str_eq(stacks->events[stacks->events[1].is_exec].text,
			 "./prog 'x'");
}
END_TEST

START_TEST(jit_code_has_the_names_that_were_left_for_it)
{
	char path[100];

	snprintf(path, sizeof path, "%s/perf-%d.map", maps, PID);
	FILE *map = fopen(path, "w");
	ck_assert_ptr_nonnull(map);
	fprintf(map, "%x 100 LazyCompile:f\n", JIT_AT);
	fclose(map);
	add(PID, 100, 1, 2, (const uint64_t[]){JIT_AT + 8, AT + 8});
	add(PID, 200, 1, 2, (const uint64_t[]){JIT_AT + 0x800, AT + 8});
	const struct prf_stack_table *stacks = finish();

	ck_assert_str_eq(path_of(stacks, 0), "main;LazyCompile:f");
	ck_assert_str_eq(path_of(stacks, 1), "main;[jit]");
}
END_TEST

START_TEST(too_many_samples_become_fewer_with_all_ticks)
{
	enum { N = 1000, N_MAX = 16 };
	uint64_t ticks = 0, of_main = 0;

	end();
	made_begin();
	made_elf("prog", symbols, 3);
	begin_as(N_MAX, 0);
	for (uint64_t i = 0; i < N; i++)
		add(PID + (pid_t)(i % 3), 100 + i, 1 + i % 2, 1,
		    (const uint64_t[]){AT + (i % 2 ? 0x8 : 0x108)});
	const struct prf_stack_table *stacks = finish();

	ck_assert_uint_le(stacks->n_samples, N_MAX);
	ck_assert_uint_ge(stacks->n_samples, N_MAX / 2 - 3);
	for (size_t i = 0; i < stacks->n_samples; i++) {
		const struct prf_stack_table_sample *sample =
			&stacks->samples[i];

		ticks += sample->count.ticks;
		of_main += strcmp(path_of(stacks, i), "main") == 0;
		if (i && sample->thread == sample[-1].thread)
			ck_assert_uint_gt(sample->time_ns, sample[-1].time_ns);
	}
	ck_assert_uint_eq(ticks, N / 2 * 3);
	ck_assert_uint_gt(of_main, 0);
	ck_assert_uint_eq(timeline->warnings.n, 1);
}
END_TEST

/* STACKS in FORMAT have EXPECTED in them. */
static void
check_written(const struct prf_stack_table *stacks, const char *format,
	      const char *expected)
{
	static const struct prf_export_way way;
	struct prf_error err;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(prf_export_format_find(format)->write_stacks(
				 stacks, &way, out, &err),
			 0);
	fclose(out);
	ck_assert_msg(strstr(text, expected) != NULL, "no %s in %.2000s",
		      expected, text);
	free(text);
}

/* Firefox Profiler and speedscope show the first thread, so there is one. */
START_TEST(of_threads_without_samples_the_first_is_written)
{
	life(PRF_LIFE_THREAD, PID, PID + 1, BEGIN_NS + 10, "");
	const struct prf_stack_table *stacks = finish();

	ck_assert_uint_gt(stacks->n_threads, 1);
	check_written(stacks, "speedscope",
		      "\"profiles\":[{\"type\":\"sampled\"");
	check_written(stacks, "firefox", "\"threads\":[{\"name\":");
}
END_TEST

START_TEST(of_a_part_the_time_since_the_start_is_told)
{
	const uint64_t skipped_ns = UINT64_C(3600000000000);

	end();
	made_begin();
	made_elf("prog", symbols, 3);
	begin_as(0, skipped_ns);
	add(PID, BEGIN_NS + skipped_ns + 30000000, 1, 1,
	    (const uint64_t[]){AT + 0x8});
	life(PRF_LIFE_THREAD, PID, PID + 1, BEGIN_NS + skipped_ns, "");
	life(PRF_LIFE_END, PID, PID + 1, BEGIN_NS + skipped_ns + 20000000, "");
	const struct prf_stack_table *stacks = finish();

	/* Not the exec, which was before. */
	ck_assert_uint_eq(stacks->n_events, 1);
	check_written(stacks, "speedscope", "\"startValue\":3600000000000,");
	check_written(stacks, "speedscope",
		      "\"weights\":[20000000,10000000],"
		      "\"endValue\":3600030000000");
	check_written(stacks, "firefox", "\"time\":[3600020,3600030,3600030]");
	check_written(stacks, "flame", "\"units\":301,");
	check_written(stacks, "flame", "\"skipped_ns\":3600000000000,");
}
END_TEST

START_TEST(what_is_told_of_an_unknown_process_is_refused)
{
	const struct prf_frame frame = {AT, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = 1,
		.tid = 1,
		.ticks = 1,
		.n_frames = 1,
		.frames = &frame,
	};

	ck_assert_int_lt(timeline->base.ops->sample(&timeline->base, &sample),
			 0);
	ck_assert_uint_eq(finish()->n_samples, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("timeline");
	TCase *tcase = tcase_create("timeline");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, samples_keep_threads_times_and_stacks);
	tcase_add_test(tcase, execs_and_ends_are_events);
	tcase_add_test(tcase, jit_code_has_the_names_that_were_left_for_it);
	tcase_add_test(tcase, too_many_samples_become_fewer_with_all_ticks);
	tcase_add_test(tcase, of_threads_without_samples_the_first_is_written);
	tcase_add_test(tcase, of_a_part_the_time_since_the_start_is_told);
	tcase_add_test(tcase, what_is_told_of_an_unknown_process_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
