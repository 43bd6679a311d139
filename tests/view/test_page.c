#include "view/page/page.h"

#include <stdlib.h>
#include <string.h>

#include "support/made_run.h"
#include "support/suite.h"
#include "view/page/page_samples.h"
#include "view/page/page_tree.h"

#define AT 0x555555555000

static const struct elf_symbol symbols[] = {
	{"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"</script><b>", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"_ZN1a1bIiEEvT_", 0x1200, 0xe00, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_collector *run;
static char *page;
static size_t page_bytes;

static void
begin(void)
{
	made_begin();
	run = made_run(&(struct prf_collector_config){.call_graph = true,
						      .by_thread = true});
	made_elf("prog", symbols, 3);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
}

static void
end(void)
{
	free(page);
	page = NULL;
	made_run_free(run);
	made_end();
}

/* TICKS of thread TID in the innermost of N functions, which are numbers of
 * symbols; the outermost comes first. */
static void
add_of(pid_t tid, uint32_t ticks, uint32_t n, const int *path,
       enum prf_frame_kind kind)
{
	struct prf_frame frames[8];

	for (uint32_t i = 0; i < n; i++)
		frames[i] = (struct prf_frame){
			AT + 0x100 * (uint64_t)path[n - 1 - i] + 8,
			i ? kind : PRF_FRAME_PC,
		};
	made_sample(run, &(const struct prf_sample){
				 .pid = MADE_PID,
				 .tid = tid,
				 .ticks = ticks,
				 .syscall = PRF_NO_SYSCALL,
				 .end = PRF_STACK_COMPLETE,
				 .n_frames = n,
				 .frames = frames,
			 });
}

static void
add(uint32_t ticks, uint32_t n, const int *path, enum prf_frame_kind kind)
{
	add_of(MADE_PID, ticks, n, path, kind);
}

static void
write_page(const struct prf_export_way *way)
{
	struct prf_error err;
	FILE *out = open_memstream(&page, &page_bytes);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_page_write(made_finish(run), way, out, &err), 0);
	fclose(out);
}

/* What stands in the page between BEGIN and END, which is cut off. */
static char *
part(const char *begin_text, const char *end_text)
{
	char *first = strstr(page, begin_text);

	ck_assert_msg(first, "there is no %s", begin_text);
	first += strlen(begin_text);
	char *last = strstr(first, end_text);
	ck_assert_ptr_nonnull(last);
	*last = '\0';
	return first;
}

static char *
profile_part(void)
{
	return part("<script type=\"application/json\" id=\"profile\">",
		    "</script>");
}

static void
check_has(const char *text, const char *expected)
{
	ck_assert_msg(strstr(text, expected), "no %s in %s", expected, text);
}

START_TEST(it_has_every_frame_and_its_ticks)
{
	add(3, 2, (const int[]){0, 2}, PRF_FRAME_RETURN);
	add(1, 1, (const int[]){0}, PRF_FRAME_RETURN);
	write_page(&(const struct prf_export_way){.command = "./prog 'a b'"});
	ck_assert_int_eq(strncmp(page, "<!DOCTYPE html>", 15), 0);
	ck_assert_str_eq(page + page_bytes - 8, "</html>\n");

	const char *json = profile_part();
	check_has(json, "\"title\":\"./prog 'a b'\"");
	check_has(json, "4 ticks at 100 Hz: 0.04 s; 100.0 % of the stacks are "
			"complete");
	/* Functions: the name, the binary, self, total; the larger total comes
	 * first. */
	check_has(json, "[[\"main\",0,1,4,");
	check_has(json, "[\"a::b\",0,3,3,");
	check_has(json, ",\"void a::b\\u003cint>(int)\"]");
	check_has(json, "\"up\":[0,1,1]");
	check_has(json, "\"fn\":[-1,0,1]");
	check_has(json, "\"self\":[0,1,3]");
	check_has(json, "\"guessed\":[]");
}
END_TEST

START_TEST(a_guess_is_marked)
{
	add(1, 2, (const int[]){0, 2}, PRF_FRAME_GUESSED);
	write_page(&(const struct prf_export_way){0});
	const char *json = profile_part();
	check_has(json, "\"title\":\"prog\"");
	check_has(json, "\"guessed\":[1]");
}
END_TEST

START_TEST(whole_names_are_shown_if_they_are_asked_for)
{
	add(1, 1, (const int[]){2}, PRF_FRAME_RETURN);
	write_page(&(const struct prf_export_way){.full_names = true});
	check_has(profile_part(), "[[\"void a::b\\u003cint>(int)\",0,1,1,");
}
END_TEST

START_TEST(a_name_does_not_end_the_script)
{
	add(2, 1, (const int[]){1}, PRF_FRAME_RETURN);
	write_page(&(const struct prf_export_way){.command = "</script>"});
	const char *json = profile_part();
	ck_assert_ptr_null(strchr(json, '<'));
	check_has(json, "\\u003c/script>\\u003cb>");
}
END_TEST

START_TEST(without_ticks_there_is_a_page_as_well)
{
	write_page(&(const struct prf_export_way){0});
	check_has(profile_part(), "\"up\":[0]");
}
END_TEST

START_TEST(threads_are_told_apart)
{
	add_of(MADE_PID, 2, 1, (const int[]){0}, PRF_FRAME_RETURN);
	add_of(MADE_PID + 1, 5, 2, (const int[]){0, 2}, PRF_FRAME_RETURN);
	write_page(&(const struct prf_export_way){0});
	const char *json = profile_part();
	char owners[200];

	snprintf(owners, sizeof owners,
		 "\"owners\":[[0,%d,%d,\"\",1,0,0],\n"
		 "[0,%d,%d,\"\",1,0,0]]",
		 MADE_PID, MADE_PID + 1, MADE_PID, MADE_PID);
	check_has(json, owners);
	check_has(json, "\"sums\":{\"n\":[1,1]");
	check_has(json, "\"node\":[2,1]");
	check_has(json, "\"ticks\":[5,2]");
}
END_TEST

/* --- The parts that it is made of */

static struct prf_stack_table stacks;
static struct prf_page_tree tree;
static struct prf_page_samples samples;

static void
take_apart(size_t n_max)
{
	static const struct prf_export_way way;

	ck_assert_int_eq(prf_stack_table_of(made_finish(run), &way, &stacks),
			 0);
	ck_assert_int_eq(prf_page_tree_of(&stacks, n_max, &tree), 0);
}

static void
clear_parts(void)
{
	prf_page_samples_clear(&samples);
	prf_page_tree_clear(&tree);
	prf_stack_table_clear(&stacks);
}

START_TEST(calls_from_several_places_are_one_node)
{
	add(1, 2, (const int[]){0, 2}, PRF_FRAME_RETURN);
	add(2, 3, (const int[]){0, 2, 2}, PRF_FRAME_RETURN);
	take_apart(100);
	ck_assert_uint_eq(tree.n_nodes, 4);
	ck_assert_uint_eq(tree.nodes[1].total, 3);
	ck_assert_uint_eq(tree.nodes[3].self, 2);
	/* Recursion counts once. */
	ck_assert_uint_eq(tree.functions[0].total.ticks, 3);
	ck_assert_uint_eq(tree.functions[1].total.ticks, 3);
	ck_assert_uint_eq(tree.functions[1].self.ticks, 3);
	clear_parts();
}
END_TEST

/* main has more ticks where it includes another file. */
START_TEST(a_line_is_in_the_file_of_its_function)
{
	enum { OWN_LINE = 7, INCLUDED_LINE = 900 };
	size_t number;

	add(5, 1, (const int[]){0}, PRF_FRAME_RETURN);
	add(1, 2, (const int[]){0, 2}, PRF_FRAME_RETURN);
	take_apart(100);
	prf_page_tree_clear(&tree);
	ck_assert_int_eq(prf_named_counts_intern(&stacks.paths, "a.c", &number),
			 0);
	ck_assert_int_eq(prf_named_counts_intern(&stacks.paths, "b.h", &number),
			 0);
	for (size_t i = 0; i < stacks.n_frames; i++) {
		struct prf_stack_table_frame *frame = &stacks.frames[i];
		bool is_included = frame->end.vaddr == 0x1008;

		frame->file = is_included ? 2 : 1;
		frame->line = is_included ? INCLUDED_LINE : OWN_LINE;
		stacks.files[frame->function] = 1;
	}
	ck_assert_int_eq(prf_page_tree_of(&stacks, 100, &tree), 0);
	ck_assert_uint_eq(tree.nodes[1].total, 6);
	ck_assert_uint_eq(tree.nodes[1].line, OWN_LINE);
	clear_parts();
}
END_TEST

START_TEST(what_is_small_is_pruned_where_there_is_too_much)
{
	add(8, 1, (const int[]){0}, PRF_FRAME_RETURN);
	add(1, 2, (const int[]){0, 1}, PRF_FRAME_RETURN);
	add(1, 3, (const int[]){0, 2, 1}, PRF_FRAME_RETURN);
	add(1, 3, (const int[]){0, 2, 2}, PRF_FRAME_RETURN);
	take_apart(4);
	/* The root, main, and all that it calls. */
	ck_assert_uint_eq(tree.n_nodes, 3);
	ck_assert_uint_eq(tree.nodes[2].self, 3);
	ck_assert_uint_eq(tree.nodes[1].total, 11);
	ck_assert_uint_eq(tree.functions[tree.nodes[2].function].number,
			  PRF_PAGE_PRUNED);
	for (size_t i = 0; i < stacks.n_nodes; i++)
		ck_assert_uint_lt(tree.node_of[i], tree.n_nodes);
	/* The table knows all the same. */
	ck_assert_uint_eq(tree.functions[0].total.ticks, 11);
	ck_assert_uint_eq(tree.functions[tree.nodes[2].function].total.ticks,
			  3);
	uint64_t self = 0;
	for (size_t i = 0; i < tree.n_functions; i++)
		self += tree.functions[i].self.ticks;
	ck_assert_uint_eq(self, 11);
	clear_parts();
}
END_TEST

START_TEST(of_many_threads_the_smallest_are_others_of_their_process)
{
	enum { N_OTHERS = 7 };
	uint64_t ticks = 0;

	for (int i = 0; i < PRF_PAGE_THREADS_MAX + N_OTHERS; i++)
		add_of(MADE_PID + i, i < N_OTHERS ? 1 : 2, 1, (const int[]){0},
		       PRF_FRAME_RETURN);
	take_apart(100);
	ck_assert_int_eq(prf_page_samples_of(&stacks, &tree, &samples), 0);
	ck_assert_uint_eq(samples.n_owners, PRF_PAGE_THREADS_MAX + 1);
	const struct prf_page_owner *others =
		&samples.owners[samples.n_owners - 1];
	ck_assert_int_eq(others->pid, MADE_PID);
	ck_assert_int_eq(others->tid, 0);
	ck_assert_uint_eq(others->n_threads, N_OTHERS);
	ck_assert_uint_eq(others->count.ticks, N_OTHERS);
	for (size_t i = 0; i < samples.n_sums; i++)
		ck_assert_uint_lt(samples.sums[i].owner, samples.n_owners);
	for (size_t i = 0; i < samples.n_sums; i++)
		ticks += samples.sums[i].ticks;
	ck_assert_uint_eq(ticks, tree.total.ticks);
	clear_parts();
}
END_TEST

START_TEST(of_many_samples_those_that_follow_each_other_are_one)
{
	enum { N_THREADS = 8, N = N_THREADS * PRF_PAGE_UNITS_MAX };
	uint64_t ticks = 0;

	add(1, 1, (const int[]){0}, PRF_FRAME_RETURN);
	take_apart(100);
	stacks.has_times = true;
	stacks.end_ns = UINT64_C(1000000) * N / N_THREADS;
	for (uint32_t i = 1; i < N_THREADS; i++) {
		struct prf_stack_table_thread thread = {
			.pid = MADE_PID,
			.tid = MADE_PID + (pid_t)i,
			.program = strdup("prog"),
		};

		ck_assert_int_eq(
			prf_stack_table_add_thread(&stacks, &thread, &i), 0);
	}
	for (uint32_t i = 1; i < N; i++) {
		struct prf_stack_table_sample sample = {
			.time_ns = i / N_THREADS * UINT64_C(1000000),
			.count = {.ticks = i % 2 + 1},
			.node = stacks.samples[0].node,
			.thread = i % N_THREADS,
		};

		ck_assert_int_eq(prf_stack_table_add_sample(&stacks, &sample),
				 0);
	}
	ck_assert_int_eq(prf_page_samples_of(&stacks, &tree, &samples), 0);
	ck_assert_uint_le(samples.n_units, PRF_PAGE_UNITS_MAX);
	ck_assert_uint_le(samples.n_times, PRF_PAGE_TIMES_MAX);
	ck_assert_uint_eq(samples.n_in_one, 2);
	for (size_t i = 0; i < samples.n_times; i++) {
		ck_assert_uint_lt(samples.times[i].at, samples.n_units);
		if (i && samples.times[i].owner == samples.times[i - 1].owner)
			ck_assert_uint_ge(samples.times[i].at,
					  samples.times[i - 1].at);
		ticks += samples.times[i].ticks;
	}
	ck_assert_uint_eq(ticks, N + N / 2);
	clear_parts();
}
END_TEST

START_TEST(it_asks_for_nothing_from_elsewhere)
{
	write_page(&(const struct prf_export_way){0});
	ck_assert_ptr_null(strstr(page, "http:"));
	ck_assert_ptr_null(strstr(page, "https:"));
	ck_assert_ptr_null(strstr(page, " src="));
	ck_assert_ptr_null(strstr(page, "@STYLE@"));
	ck_assert_ptr_null(strstr(page, "@SCRIPT@"));
	ck_assert_uint_lt(page_bytes, 300 << 10);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("page");
	TCase *tcase = tcase_create("page");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, it_has_every_frame_and_its_ticks);
	tcase_add_test(tcase, a_guess_is_marked);
	tcase_add_test(tcase, whole_names_are_shown_if_they_are_asked_for);
	tcase_add_test(tcase, a_name_does_not_end_the_script);
	tcase_add_test(tcase, without_ticks_there_is_a_page_as_well);
	tcase_add_test(tcase, threads_are_told_apart);
	tcase_add_test(tcase, calls_from_several_places_are_one_node);
	tcase_add_test(tcase, a_line_is_in_the_file_of_its_function);
	tcase_add_test(tcase, what_is_small_is_pruned_where_there_is_too_much);
	tcase_add_test(
		tcase,
		of_many_threads_the_smallest_are_others_of_their_process);
	tcase_add_test(tcase,
		       of_many_samples_those_that_follow_each_other_are_one);
	tcase_add_test(tcase, it_asks_for_nothing_from_elsewhere);
	suite_add_tcase(suite, tcase);
	return suite;
}
