#include "view/table/report.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "support/suite.h"
#include "support/made_run.h"

static char *const argv[] = {(char *)"./prog", (char *)"-x", (char *)"file",
			     NULL};
static const struct prf_loss no_losses[] = {{NULL, 0}};
static const struct prf_loss losses[] = {{"of threads that were gone", 3},
					 {"refused, the queue was full", 0},
					 {"in the kernel", 1},
					 {NULL, 0}};
static const struct prf_source_share timer_only[] = {{"timer", 250, 1},
						     {NULL, 0, 0}};
static const struct prf_source_share both[] = {
	{"timer", 200, 2}, {"interrupt", 1, 1}, {"ring", 0, 0}, {NULL, 0, 0}};

static const struct prf_summary usual = {
	.argv = argv,
	.wall_ns = 2600000000,
	.cpu_ns = 2500000000,
	.user_us = 2400000,
	.system_us = 90000,
	.threads = 1,
	.own_cpu_ns = 12000000,
	.rate_hz = 100,
	.period_ns = 10000000,
	.ticks = 250,
	.samples = 240,
	.late = 10,
	.losses = no_losses,
	.sources = timer_only,
	.fallback_reason = "",
};

static const struct prf_style usual_style = {.width = 80};

static char *
run_text(const struct prf_summary *summary)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_report_run(summary, &usual_style, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static void
check_run(const struct prf_summary *summary, const char *text)
{
	char *written = run_text(summary);

	ck_assert_str_eq(written, text);
	free(written);
}

/* GRAPH may be NULL. */
static char *
graph_text(const struct prf_profile *profile,
	   const struct prf_call_graph *graph, size_t max,
	   const struct prf_style *style)
{
	struct prf_functions functions;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	prf_functions_sort(&functions);
	ck_assert_int_eq(prf_report_functions(&functions, graph, 10000000, 0,
					      max, style, out),
			 0);
	ck_assert_int_eq(fclose(out), 0);
	prf_functions_clear(&functions);
	return text;
}

static char *
styled_text(const struct prf_profile *profile, size_t max,
	    const struct prf_style *style)
{
	return graph_text(profile, NULL, max, style);
}

static char *
functions_text(const struct prf_profile *profile, size_t max)
{
	return styled_text(profile, max, &usual_style);
}

static void
check_functions(const struct prf_profile *profile, size_t max, const char *text)
{
	char *written = functions_text(profile, max);

	ck_assert_str_eq(written, text);
	free(written);
}

/* --- The run */

START_TEST(a_usual_run_is_told_in_four_lines)
{
	check_run(&usual,
		  "\n"
		  "  command   ./prog -x file\n"
		  "  time      wall 2.600 s, CPU 2.500 s (user 2.40, system "
		  "0.09); profrun 0.012 s\n"
		  "  samples   240 at 100 Hz (96.0 per CPU second), 10 late, 0 "
		  "lost\n"
		  "  coverage  100.0 % of the CPU time is in the profile "
		  "(2.500 s of 2.500 s)\n");
}
END_TEST

START_TEST(what_was_counted_of_a_run_is_told)
{
	struct prf_summary summary = usual;

	summary.paused_ns = 100000000;
	char *text = run_text(&summary);
	ck_assert_ptr_null(strstr(text, "counted"));
	free(text);
	summary.delay_ns = summary.paused_ns = 2000000000;
	text = run_text(&summary);
	ck_assert_ptr_nonnull(
		strstr(text, "\n  counted   0.600 s of the wall time\n"));
	free(text);
	summary.ticks = summary.samples = 0;
	summary.delay_ns = summary.wall_ns;
	text = run_text(&summary);
	ck_assert_ptr_nonnull(strstr(text, "the run ended before -D"));
	free(text);
}
END_TEST

START_TEST(whose_time_is_unseen_is_told)
{
	static const struct prf_unseen_share unseen[] = {
		{"s\033h", 250000000, 312}, {"", 100000000, 1}};
	struct prf_summary summary = usual;

	summary.ticks = summary.samples = 215;
	summary.unseen = unseen;
	summary.n_unseen = 2;
	check_run(&summary,
		  "\n"
		  "  command   ./prog -x file\n"
		  "  time      wall 2.600 s, CPU 2.500 s (user 2.40, system "
		  "0.09); profrun 0.012 s\n"
		  "  samples   215 at 100 Hz (86.0 per CPU second), 10 late, 0 "
		  "lost\n"
		  "  coverage  86.0 % of the CPU time is in the profile "
		  "(2.150 s of 2.500 s)\n"
		  "  unseen    0.250 s of s?h (312 processes), 0.100 s of "
		  "others (1 process)\n");
}
END_TEST

START_TEST(losses_and_other_sources_are_told_with_their_reasons)
{
	struct prf_summary summary = usual;

	summary.threads = 3;
	summary.processes = 2;
	summary.losses = losses;
	summary.sources = both;
	summary.fallback_reason = "the timer\033[2J is refused";
	check_run(&summary,
		  "\n"
		  "  command   ./prog -x file\n"
		  "  time      wall 2.600 s, CPU 2.500 s (user 2.40, system "
		  "0.09); profrun 0.012 s\n"
		  "  processes 2, with 3 threads\n"
		  "  samples   240 at 100 Hz (96.0 per CPU second), 10 late, 4 "
		  "lost (3 of threads\n"
		  "            that were gone, 1 in the kernel)\n"
		  "  trigger   timer: 200 ticks, 2 threads\n"
		  "  trigger   interrupt: 1 tick, 1 thread\n"
		  "  trigger   a thread could not have the first: "
		  "the timer?[2J is refused\n"
		  "  coverage  100.0 % of the CPU time is in the profile "
		  "(2.500 s of 2.500 s)\n");
}
END_TEST

START_TEST(a_source_without_ticks_is_not_told)
{
	static const struct prf_source_share sources[] = {
		{"timer", 250, 4}, {"interrupt", 0, 1}, {NULL, 0, 0}};
	struct prf_summary summary = usual;

	summary.threads = 4;
	summary.sources = sources;
	char *text = run_text(&summary);
	ck_assert_ptr_null(strstr(text, "trigger"));
	ck_assert_ptr_nonnull(strstr(text, "\n  threads   4\n"));
	free(text);
}
END_TEST

START_TEST(wall_time_is_compared_with_the_lives_of_threads)
{
	struct prf_summary summary = usual;

	summary.threads = 4;
	summary.ticks = 990;
	summary.samples = 980;
	summary.threads_ns = 10000000000;
	summary.blocked = 700;
	summary.waiting = 40;
	check_run(&summary,
		  "\n"
		  "  command   ./prog -x file\n"
		  "  time      wall 2.600 s, CPU 2.500 s (user 2.40, system "
		  "0.09); profrun 0.012 s\n"
		  "  threads   4\n"
		  "  samples   980 at 100 Hz of wall time, 10 late, 0 lost\n"
		  "  ticks     990: 250 running, 700 blocked, 40 waiting for a "
		  "processor\n"
		  "  clock     wall: 4 threads, 2.500 s each in the mean, make "
		  "10.000 s\n"
		  "  coverage  99.0 % of the wall time is in the profile "
		  "(9.900 s of 10.000 s)\n");
}
END_TEST

/* Of a thread with ticks of 10 ms. */
static const struct {
	uint64_t ticks, cpu_ns;
	const char *says, *says_not;
} coverages[] = {
	{1, 1700000, "samples", "coverage"}, /* 588 % */
	{21, 199999999, "samples", "coverage"},
	{19, 200000000, "  coverage  95.0 % of", "more than"},
	{21, 200000000, "  coverage  100.0 % of", "more than"},
	{29, 200000000, "  coverage  100.0 % of", "more than"},
	{32, 200000000,
	 "  coverage  160.0 % of the CPU time is in the profile (0.320 s of "
	 "0.200 s)\n            this is more than chance explains",
	 "100.0 %"},
};

START_TEST(a_coverage_is_told_where_it_means_something)
{
	struct prf_summary summary = usual;

	summary.ticks = coverages[_i].ticks;
	summary.cpu_ns = coverages[_i].cpu_ns;
	char *text = run_text(&summary);
	ck_assert_msg(strstr(text, coverages[_i].says), "%s", text);
	ck_assert_msg(!strstr(text, coverages[_i].says_not), "%s", text);
	free(text);
}
END_TEST

static char *
advice_text(const struct prf_summary *summary)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(prf_report_advice(summary, &usual_style, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static const struct {
	uint64_t samples;
	uint32_t rate_hz;
	uint64_t threads_ns;
	const char *says;
} advices[] = {
	{12, 100, 0,
	 "\n  few       12 samples are too few to tell functions apart: -F "
	 "1000 takes more,\n            -w shows where it waits, or run it "
	 "longer\n"},
	{1, 1000, 0,
	 "\n  few       1 sample is too few to tell functions apart: -w shows "
	 "where it\n            waits, or run it longer\n"},
	{19, 1000, 1,
	 "\n  few       19 ticks are too few to tell functions apart: run it "
	 "longer\n"},
	{20, 100, 0, ""},
	{0, 100, 0, ""}, /* which has been said already */
};

START_TEST(too_few_samples_are_told_with_what_to_do)
{
	struct prf_summary summary = usual;

	summary.samples = advices[_i].samples;
	summary.ticks = summary.samples ? 100 : 0;
	summary.rate_hz = advices[_i].rate_hz;
	summary.threads_ns = advices[_i].threads_ns;
	if (summary.threads_ns) {
		summary.ticks = summary.samples;
		summary.samples = 1;
	}
	char *text = advice_text(&summary);
	ck_assert_str_eq(text, advices[_i].says);
	free(text);
}
END_TEST

static const struct {
	uint64_t cpu_ns;
	const struct prf_loss *losses;
	const char *says;
	uint64_t unwatched;
} without_ticks[] = {
	{49999999, no_losses, "used too little CPU time to say anything\n", 0},
	{50000000, no_losses, "other programs had the processors", 0},
	{50000000, no_losses, ": its threads could not be watched\n", 1},
	{49999999, losses, "  every tick that fell in this run was lost\n", 0},
	{50000000, losses, "  every tick that fell in this run was lost\n", 0},
};

START_TEST(a_run_without_ticks_says_what_that_means)
{
	struct prf_summary summary = usual;

	summary.ticks = summary.samples = summary.late = 0;
	summary.cpu_ns = without_ticks[_i].cpu_ns;
	summary.losses = without_ticks[_i].losses;
	summary.unwatched = without_ticks[_i].unwatched;
	char *text = run_text(&summary);
	ck_assert_ptr_nonnull(strstr(text, without_ticks[_i].says));
	free(text);
}
END_TEST

START_TEST(a_run_without_cpu_time_divides_by_nothing)
{
	struct prf_summary summary = usual;

	summary.ticks = summary.samples = summary.late = 0;
	summary.cpu_ns = 0;
	char *text = run_text(&summary);
	ck_assert_ptr_null(strstr(text, "coverage"));
	ck_assert_ptr_null(strstr(text, "nan"));
	ck_assert_ptr_null(strstr(text, "inf"));
	free(text);
}
END_TEST

START_TEST(a_long_command_is_cut_and_its_lines_are_not_too_long)
{
	char word[] = "12345678901234567890123456789";
	char *words[20];
	struct prf_summary summary = usual;

	for (size_t i = 0; i < 19; i++)
		words[i] = word;
	words[19] = NULL;
	summary.argv = words;
	char *text = run_text(&summary);
	ck_assert_ptr_nonnull(strstr(text, "6789 ...\n"));
	size_t n = 0;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		ck_assert_uint_le(strlen(line), 80);
		n++;
	}
	ck_assert_uint_eq(n, 3 + 3);
	free(text);
}
END_TEST

START_TEST(a_hostile_command_cannot_steer_a_terminal)
{
	char *words[] = {(char *)"\033]0;title\a",
			 (char *)"\302\233"
				 "2J",
			 NULL};
	struct prf_summary summary = usual;

	summary.argv = words;
	char *text = run_text(&summary);
	ck_assert_ptr_nonnull(strstr(text, "  command   ?]0;title? ??2J\n"));
	free(text);
}
END_TEST

/* --- The functions */

static struct prf_collector *
begin(const struct elf_symbol *symbols, size_t n)
{
	const struct prf_collector_config config = {.kernel_apart = true};
	struct prf_collector *run = made_run(&config);

	made_elf("prog", symbols, n);
	made_exec(run, "prog");
	made_map(run, "prog", 0x555555555000);
	return run;
}

static const struct elf_symbol fgh[] = {
	{"_ZN3fooC2Ei", 0x1000, 0x400, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1400, 0x400, STB_GLOBAL, STT_FUNC, 1},
	{"h", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_collector *
three(void)
{
	struct prf_collector *run = begin(fgh, 3);

	for (int i = 0; i < 60; i++)
		made_ticks(run, 0x555555555000, 1);
	for (int i = 0; i < 30; i++)
		made_call(run, 0, SYS_read, 1);
	made_ticks(run, 0x555555555400, 10);
	made_finish(run);
	return run;
}

START_TEST(the_table_has_names_shares_intervals_and_binaries)
{
	struct prf_collector *run = three();

	check_functions(
		run->profile, 10,
		"\n"
		"  self %    95 % interval    self s  function  binary\n"
		"   60.00  40.99 ..  76.59     0.600  foo::foo  prog\n"
		"   30.00  17.57 ..  45.91     0.300  read      [kernel]\n"
		"   10.00   0.52 ..  45.89     0.100  g         prog\n");
	made_run_free(run);
}
END_TEST

START_TEST(with_stacks_there_are_totals)
{
	struct prf_collector *run = three();
	const struct prf_profile *profile = run->profile;
	struct prf_functions functions;
	struct prf_call_function called;
	struct prf_call_graph graph = {&called, 1, NULL, 0, NULL, 0};

	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	prf_functions_sort(&functions);
	const struct prf_function *g = &functions.all[2];
	called = (struct prf_call_function){
		.name = g->name,
		.binary = g->binary,
		.lo = g->lo,
		.total = profile->total,
	};
	char *text = graph_text(profile, &graph, 10, &usual_style);
	ck_assert_str_eq(
		text,
		"\n"
		"  self %  95 % range total %  95 % range  function  binary\n"
		"   60.00  40.9-76.6    60.00  40.9-76.6   foo::foo  prog\n"
		"   30.00  17.5-46.0    30.00  17.5-46.0   read      [kernel]\n"
		"   10.00   0.5-45.9   100.00  91.5-100.0  g         prog\n");
	free(text);
	prf_functions_clear(&functions);
	made_run_free(run);
}
END_TEST

START_TEST(hot_functions_have_colours_where_these_are_wanted)
{
	const struct prf_style style = {.width = 80, .has_colours = true};
	struct prf_collector *run = three();
	char *text = styled_text(run->profile, 10, &style);

	ck_assert_ptr_nonnull(strstr(text, "\n  \033[31m 60.00\033[m  40"));
	free(text);
	made_run_free(run);
}
END_TEST

START_TEST(a_long_name_leaves_its_binary_in_sight)
{
	static const struct elf_symbol symbols[] = {
		{"a_name_which_is_longer_than_a_line_because_it_has_been_"
		 "generated_by_some_tool",
		 0x1000, 0x400, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_collector *run = begin(symbols, 1);

	made_ticks(run, 0x555555555000, 1);
	made_finish(run);
	char *text = functions_text(run->profile, 10);
	ck_assert_msg(
		strstr(text,
		       " 0.010  a_name_whic...enerated_by_some_tool  prog\n"),
		"%s", text);
	free(text);
	made_run_free(run);
}
END_TEST

START_TEST(what_is_not_shown_is_summed_up)
{
	struct prf_collector *run = three();
	static const char *const says[] = {
		"   40.00  in 2 more functions\n",
		"   10.00  in 1 more function\n",
	};
	char *text = functions_text(run->profile, (size_t)_i + 1);

	ck_assert_ptr_nonnull(strstr(text, says[_i]));
	free(text);
	made_run_free(run);
}
END_TEST

START_TEST(without_ticks_there_is_no_table)
{
	struct prf_collector *run = begin(fgh, 3);

	made_finish(run);
	check_functions(run->profile, 10, "");
	made_run_free(run);
}
END_TEST

START_TEST(hostile_names_cannot_steer_a_terminal)
{
	static const struct elf_symbol symbols[] = {
		{"\033[2Jf\n", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
		{"g\342\200\256\302\205\377", 0x1800, 0x800, STB_GLOBAL,
		 STT_FUNC, 1},
	};
	struct prf_collector *run = begin(symbols, 2);

	made_ticks(run, 0x555555555000, 1);
	made_ticks(run, 0x555555555800, 1);
	made_finish(run);
	char *text = functions_text(run->profile, 10);
	ck_assert_ptr_nonnull(strstr(text, "?[2Jf?    prog\n"));
	ck_assert_ptr_nonnull(strstr(text, "g??????   prog\n"));
	free(text);
	made_run_free(run);
}
END_TEST

START_TEST(names_that_are_not_ascii_keep_the_columns)
{
	static const struct elf_symbol symbols[] = {
		{"gr\303\266\303\237enordnung", 0x1000, 0x800, STB_GLOBAL,
		 STT_FUNC, 1},
		{"groessenordnu", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_collector *run = begin(symbols, 2);

	made_ticks(run, 0x555555555000, 1);
	made_ticks(run, 0x555555555800, 1);
	made_finish(run);
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	char *text = functions_text(run->profile, 10);
	ck_assert_ptr_nonnull(
		strstr(text, "gr\303\266\303\237enordnung  prog\n"));
	ck_assert_ptr_nonnull(strstr(text, "groessenordnu  prog\n"));
	free(text);
	made_run_free(run);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("report");
	TCase *run = tcase_create("run"), *table = tcase_create("table");

	tcase_add_test(run, a_usual_run_is_told_in_four_lines);
	tcase_add_test(run, what_was_counted_of_a_run_is_told);
	tcase_add_test(run, whose_time_is_unseen_is_told);
	tcase_add_test(run,
		       losses_and_other_sources_are_told_with_their_reasons);
	tcase_add_test(run, wall_time_is_compared_with_the_lives_of_threads);
	tcase_add_loop_test(run, a_run_without_ticks_says_what_that_means, 0,
			    sizeof without_ticks / sizeof *without_ticks);
	tcase_add_test(run, a_run_without_cpu_time_divides_by_nothing);
	tcase_add_test(run,
		       a_long_command_is_cut_and_its_lines_are_not_too_long);
	tcase_add_test(run, a_source_without_ticks_is_not_told);
	tcase_add_loop_test(run, a_coverage_is_told_where_it_means_something, 0,
			    sizeof coverages / sizeof *coverages);
	tcase_add_loop_test(run, too_few_samples_are_told_with_what_to_do, 0,
			    sizeof advices / sizeof *advices);
	tcase_add_test(run, a_hostile_command_cannot_steer_a_terminal);
	suite_add_tcase(suite, run);

	tcase_add_checked_fixture(table, made_begin, made_end);
	tcase_add_test(table,
		       hot_functions_have_colours_where_these_are_wanted);
	tcase_add_test(table, a_long_name_leaves_its_binary_in_sight);
	tcase_add_test(table,
		       the_table_has_names_shares_intervals_and_binaries);
	tcase_add_test(table, with_stacks_there_are_totals);
	tcase_add_loop_test(table, what_is_not_shown_is_summed_up, 0, 2);
	tcase_add_test(table, without_ticks_there_is_no_table);
	tcase_add_test(table, hostile_names_cannot_steer_a_terminal);
	tcase_add_test(table, names_that_are_not_ascii_keep_the_columns);
	suite_add_tcase(suite, table);
	return suite;
}
