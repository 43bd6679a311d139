#include "support/suite.h"
#include "support/made_run.h"
#include "view/gmon/gmon_source.h"
#include "view/made_graph.h"
#include "view/table/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Tables of what a run has counted */

static struct prf_collector *run;
static struct prf_rows rows;
static const struct prf_style whole;

static void
begin(void)
{
	static const struct elf_symbol symbols[] = {
		{"_ZN5space5firstEv", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"second", 0x1100, 0x40, STB_GLOBAL, STT_FUNC, 1},
	};
	const struct prf_collector_config config = {.rate_hz = 100,
						    .threads = true};

	made_begin();
	made_elf("prog", symbols, 2);
	run = prf_collector_new(&config);
	ck_assert_ptr_nonnull(run);
}

static void
end(void)
{
	prf_rows_clear(&rows);
	run->base.ops->free(&run->base);
	made_end();
}

static void
exec(pid_t pid, const char *command)
{
	const struct prf_exec exec = {.pid = pid,
				      .path = made_path("prog"),
				      .command = command,
				      .addr_bytes = sizeof(void *)};
	struct prf_mapping map = made_mapping("prog", 0x7f0000001000);

	map.pid = pid;
	ck_assert_int_eq(run->base.ops->exec(&run->base, &exec), 0);
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &map), 0);
}

static void
ticks(pid_t pid, pid_t tid, uint64_t off, uint32_t ticks)
{
	const struct prf_frame frame = {0x7f0000001000 + off, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = tid,
		.ticks = ticks,
		.certain = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	ck_assert_int_eq(run->base.ops->sample(&run->base, &sample), 0);
}

static void
finish(enum prf_rows_by by)
{
	ck_assert_int_eq(run->base.ops->finish(&run->base, NULL), 0);
	ck_assert_int_eq(prf_rows_add(&rows, run->profile, by), 0);
	prf_rows_sort(&rows);
}

static void
check_row(size_t i, const char *name, const char *binary, uint64_t n_ticks)
{
	ck_assert_uint_lt(i, rows.n);
	ck_assert_str_eq(rows.rows[i].name, name);
	ck_assert_str_eq(rows.rows[i].binary, binary);
	ck_assert_uint_eq(rows.rows[i].count.ticks, n_ticks);
}

static void
two_processes(void)
{
	exec(getpid(), "sort -r");
	exec(getpid() + 1, "cat");
	ticks(getpid(), getpid(), 0x10, 6);
	ticks(getpid(), getpid() + 9, 0x110, 1);
	ticks(getpid() + 1, getpid() + 1, 0x20, 2);
	ticks(getpid() + 1, getpid() + 1, 0x9000, 3);
}

START_TEST(functions_of_all_processes_are_one_table)
{
	two_processes();
	finish(PRF_ROWS_BY_FUNCTION);
	ck_assert_uint_eq(rows.n, 3);
	check_row(0, "space::first()", "prog", 8);
	check_row(1, "[unknown]", "[unknown]", 3);
	check_row(2, "second", "prog", 1);
	ck_assert_uint_eq(rows.all.ticks, 12);
}
END_TEST

START_TEST(binaries_go_by_their_paths)
{
	two_processes();
	finish(PRF_ROWS_BY_BINARY);
	ck_assert_uint_eq(rows.n, 2);
	check_row(0, made_path("prog"), "", 9);
	check_row(1, "[unknown]", "", 3);
}
END_TEST

START_TEST(processes_and_threads_have_a_line_each)
{
	char name[64];

	two_processes();
	finish(_i ? PRF_ROWS_BY_THREAD : PRF_ROWS_BY_PROCESS);
	ck_assert_uint_eq(rows.n, _i ? 3 : 2);
	ck_assert_uint_eq(rows.all.ticks, 12);
	snprintf(name, sizeof name, "%d %s", (int)getpid(),
		 _i ? "prog" : "sort -r");
	check_row(0, name, "", _i ? 6 : 7);
}
END_TEST

START_TEST(a_program_has_a_line_for_all_its_processes)
{
	two_processes();
	finish(PRF_ROWS_BY_PROGRAM);
	ck_assert_uint_eq(rows.n, 1);
	check_row(0, "prog", "", 12);
	ck_assert_uint_eq(rows.all.ticks, 12);
}
END_TEST

START_TEST(a_run_without_ticks_is_an_empty_table)
{
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	exec(getpid(), "sleep");
	finish((enum prf_rows_by)_i);
	ck_assert_uint_eq(rows.n, 0);
	ck_assert_int_eq(
		prf_rows_print(&rows, (enum prf_rows_by)_i, 1, &whole, out), 0);
	prf_rows_print_csv(&rows, (enum prf_rows_by)_i, 1, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_ptr_null(strstr(text, "nan"));
	ck_assert_ptr_null(strstr(text, "sleep"));
	free(text);
}
END_TEST

/* --- Tables of a gmon.out */

#define LIST                                                                   \
	"# gmon.syms 1\n"                                                      \
	"# object 1000 3000 0 - /bin/app\n"                                    \
	"# object 100000 101000 0 - [vdso]\n"                                  \
	"0000000000001000 T first\n"                                           \
	"0000000000002000 T second\n"                                          \
	"0000000000100000 T time\n"                                            \
	"0000000000101000 T [end]\n"

static void
add_gmon(uint64_t lo_vaddr, enum prf_rows_by by)
{
	static const uint64_t counts[4] = {1, 0, 2, UINT64_C(1) << 40};
	struct prf_gmon_hist hist = {
		.lo_vaddr = lo_vaddr,
		.hi_vaddr = lo_vaddr + 8,
		.counts = counts,
		.n_bins = 4,
	};
	const struct prf_gmon gmon = {
		.reading = {8, false},
		.rate_hz = 100,
		.dimension = "seconds",
		.abbreviation = "s",
		.hists = &hist,
		.n_hists = 1,
		.ticks = (UINT64_C(1) << 40) + 3,
	};
	struct prf_profile *profile = prf_profile_new();
	struct prf_gmon_source *source =
		prf_gmon_source_new(profile, NULL, NULL);
	struct prf_error err = {0};

	ck_assert_msg(
		!prf_gmon_source_add(source, &gmon, LIST, strlen(LIST), &err),
		"%s", err.text);
	ck_assert_int_eq(prf_rows_add(&rows, profile, by), 0);
	prf_gmon_source_free(source);
	prf_profile_free(profile);
	prf_rows_sort(&rows);
}

/* Where four counters begin, the last of which is of the second row. */
static const struct {
	uint64_t lo_vaddr;
	const char *name, *last_name, *binary;
} bins[] = {
	{0x1000, "first", "first", "app"},
	{0x1ffc, "first", "second", "app"},
	{0x1ffa, "first", "second", "app"},
	{0x2000, "second", "second", "app"},
	{0x100000, "time", "time", "[vdso]"},
};

START_TEST(a_counter_belongs_where_it_begins)
{
	bool is_one = strcmp(bins[_i].name, bins[_i].last_name) == 0;
	uint64_t with_last =
		(UINT64_C(1) << 40) + (bins[_i].lo_vaddr == 0x1ffc ? 2 : 0);

	add_gmon(bins[_i].lo_vaddr, PRF_ROWS_BY_FUNCTION);
	ck_assert_uint_eq(rows.n, is_one ? 1 : 2);
	ck_assert_uint_eq(rows.all.ticks, (UINT64_C(1) << 40) + 3);
	check_row(0, bins[_i].last_name, bins[_i].binary,
		  is_one ? rows.all.ticks : with_last);
	if (!is_one)
		check_row(1, bins[_i].name, bins[_i].binary,
			  rows.all.ticks - with_last);
}
END_TEST

START_TEST(binaries_of_a_gmon_go_by_their_paths)
{
	add_gmon(0x1ffc, PRF_ROWS_BY_BINARY);
	ck_assert_uint_eq(rows.n, 1);
	check_row(0, "/bin/app", "", (UINT64_C(1) << 40) + 3);
}
END_TEST

START_TEST(a_gmon_knows_no_programs_processes_or_threads)
{
	static const enum prf_rows_by unknown[] = {
		PRF_ROWS_BY_PROGRAM, PRF_ROWS_BY_PROCESS, PRF_ROWS_BY_THREAD};

	add_gmon(0x1000, unknown[_i]);
	ck_assert_uint_eq(rows.n, 0);
}
END_TEST

/* --- As text */

static char *
printed(bool csv, enum prf_rows_by by, uint64_t period_ns,
	const struct prf_style *style)
{
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (csv)
		prf_rows_print_csv(&rows, by, period_ns, out);
	else
		ck_assert_int_eq(
			prf_rows_print(&rows, by, period_ns, style, out), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(shares_and_seconds_are_of_all_ticks)
{
	exec(getpid(), "sort");
	ticks(getpid(), getpid(), 0x110, 1);
	ticks(getpid(), getpid(), 0x10, 3);
	finish(PRF_ROWS_BY_FUNCTION);
	char *text = printed(true, PRF_ROWS_BY_FUNCTION, 10000000, &whole);
	ck_assert_str_eq(
		text,
		"ticks,percent,low,high,seconds,function,binary\n"
		"3,75.0000,21.9427,98.6809,0.030000,\"space::first()\","
		"\"prog\"\n"
		"1,25.0000,1.3191,78.0573,0.010000,\"second\",\"prog\"\n");
	free(text);
	text = printed(false, PRF_ROWS_BY_FUNCTION, 10000000, &whole);
	ck_assert_str_eq(
		text,
		"  self %    95 % interval    self s  function      binary\n"
		"   75.00  21.94 ..  98.69     0.030  space::first  prog\n"
		"   25.00   1.31 ..  78.06     0.010  second        prog\n");
	free(text);
}
END_TEST

START_TEST(whole_names_are_printed_for_who_wants_them)
{
	const struct prf_style full = {.full_names = true};

	exec(getpid(), "sort");
	ticks(getpid(), getpid(), 0x10, 1);
	finish(PRF_ROWS_BY_FUNCTION);
	char *text = printed(false, PRF_ROWS_BY_FUNCTION, 1, &full);
	ck_assert_ptr_nonnull(strstr(text, "  space::first()  prog\n"));
	free(text);
}
END_TEST

START_TEST(a_command_is_no_name_of_a_function)
{
	exec(getpid(), "f<int>(char) x");
	ticks(getpid(), getpid(), 0x10, 1);
	finish(PRF_ROWS_BY_PROCESS);
	char *text = printed(false, PRF_ROWS_BY_PROCESS, 1, &whole);
	ck_assert_ptr_nonnull(strstr(text, " f<int>(char) x\n"));
	free(text);
}
END_TEST

START_TEST(a_hostile_name_stays_in_its_field)
{
	exec(getpid(), "a\"b\",c\n\033[2Jd");
	ticks(getpid(), getpid(), 0x10, 1);
	finish(PRF_ROWS_BY_PROCESS);
	char *csv = printed(true, PRF_ROWS_BY_PROCESS, 10000000, &whole);
	char *text = printed(false, PRF_ROWS_BY_PROCESS, 10000000, &whole);

	ck_assert_ptr_nonnull(strstr(csv, " a\"\"b\"\",c"));
	ck_assert_str_eq(strchr(strchr(csv, '\n') + 1, '\n'), "\n");
	ck_assert_str_eq(strchr(strchr(text, '\n') + 1, '\n'), "\n");
	ck_assert_ptr_null(strchr(csv, '\033'));
	ck_assert_ptr_null(strchr(text, '\033'));
	free(csv);
	free(text);
}
END_TEST

START_TEST(equal_ticks_come_in_the_order_of_names)
{
	exec(getpid(), "sort");
	for (uint64_t i = 0; i < 2; i++)
		ticks(getpid(), getpid(), 0x110 - 0x100 * i, 1);
	finish(PRF_ROWS_BY_FUNCTION);
	check_row(0, "second", "prog", 1);
	check_row(1, "space::first()", "prog", 1);
}
END_TEST

/* --- Totals */

/* main calls first, which calls second, which calls first, and second twice. */
static const struct made_call calls[] = {
	{0, "main", 0, false},              /* 1 */
	{1, "_ZN5space5firstEv", 1, false}, /* 2 */
	{2, "second", 2, false},            /* 3 */
	{3, "_ZN5space5firstEv", 4, false}, /* 4 */
	{4, "second", 8, false},            /* 5 */
	{5, "second", 16, false},           /* 6 */
	{1, "libx:second", 32, false},      /* 7 */
};

/* The self counts that go with it. */
static void
count_selves(void)
{
	exec(getpid(), "sort");
	ticks(getpid(), getpid(), 0x10, 1 + 4);
	ticks(getpid(), getpid(), 0x110, 2 + 8 + 16);
	ticks(getpid(), getpid(), 0x9000, 32);
	finish(PRF_ROWS_BY_FUNCTION);
}

static void
add_totals(void)
{
	struct prf_call_graph graph =
		made_graph(calls, sizeof calls / sizeof *calls);

	ck_assert_int_eq(prf_rows_add_totals(&rows, &graph), 0);
	made_graph_free(&graph);
}

static uint64_t
total_of(const char *name, const char *binary)
{
	for (size_t i = 0; i < rows.n; i++)
		if (strcmp(rows.rows[i].name, name) == 0 &&
		    strcmp(rows.rows[i].binary, binary) == 0)
			return rows.rows[i].total.ticks;
	return 0;
}

START_TEST(a_total_has_each_sample_once)
{
	count_selves();
	add_totals();
	prf_rows_sort(&rows);
	ck_assert_uint_eq(rows.n, 5);
	check_row(0, "[unknown]", "[unknown]", 32);
	check_row(1, "second", "prog", 26);
	ck_assert_uint_eq(total_of("main", "prog"), 63);
	ck_assert_uint_eq(total_of("space::first()", "prog"), 31);
	ck_assert_uint_eq(total_of("second", "prog"), 30);
	ck_assert_uint_eq(total_of("second", "libx"), 32);
	ck_assert_uint_eq(total_of("[unknown]", "[unknown]"), 0);
	ck_assert_uint_eq(rows.all.ticks, 63);
}
END_TEST

START_TEST(callers_come_first_where_totals_count)
{
	count_selves();
	add_totals();
	prf_rows_sort(&rows);
	prf_rows_sort_by_total(&rows);
	check_row(0, "main", "prog", 0);
	check_row(1, "second", "libx", 0);
	check_row(2, "space::first()", "prog", 5);
	check_row(3, "second", "prog", 26);
}
END_TEST

START_TEST(totals_are_columns_of_their_own)
{
	const struct prf_style narrow = {.width = 80};

	count_selves();
	add_totals();
	prf_rows_sort(&rows);
	prf_rows_sort_by_total(&rows);
	char *text = printed(true, PRF_ROWS_BY_FUNCTION, 10000000, &whole);
	ck_assert_ptr_nonnull(
		strstr(text, "ticks,percent,low,high,seconds,function,binary,"
			     "total_ticks,total_percent,total_low,total_high\n"
			     "0,0.0000,0.0000,"));
	ck_assert_ptr_nonnull(
		strstr(text, ",0.000000,\"main\",\"prog\",63,100.0000,"));
	free(text);
	text = printed(false, PRF_ROWS_BY_FUNCTION, 10000000, &whole);
	ck_assert_ptr_nonnull(strstr(text,
				     "  self %  95 % range total %  95 % range"
				     "    self s  function      binary\n"));
	ck_assert_ptr_nonnull(strstr(text, "     0.050  space::first  prog\n"));
	free(text);
	text = printed(false, PRF_ROWS_BY_FUNCTION, 10000000, &narrow);
	ck_assert_ptr_null(strstr(text, "self s"));
	free(text);
}
END_TEST

START_TEST(a_graph_without_calls_changes_nothing)
{
	struct prf_call_graph none = made_graph(NULL, 0);

	count_selves();
	ck_assert_int_eq(prf_rows_add_totals(&rows, &none), 0);
	prf_rows_sort(&rows);
	check_row(0, "[unknown]", "[unknown]", 32);
	ck_assert_uint_eq(rows.n, 3);
	made_graph_free(&none);
	prf_rows_clear(&rows);
	none = (struct prf_call_graph){0};
	ck_assert_int_eq(prf_rows_add_totals(&rows, &none), 0);
}
END_TEST

/* --- Calls */

/* A program whose function "hot" has 3 ticks and, of two callers, N_CALLS and 2
 * calls, and "quick" has one call from itself; one call is in nothing. */
static void
add_called_program(uint64_t n_calls)
{
	static const struct prf_count three = {3, 3};
	struct prf_profile *profile = prf_profile_new();
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");
	const struct prf_arc arcs[] = {
		{{app, 0x1000}, {app, 0x1008}, n_calls},
		{{app, 0x2010}, {app, 0x1008}, 2},
		{{app, 0x2010}, {app, 0x2000}, 1},
		{{app, 0x2010}, {app, 0x10}, 9},
	};

	ck_assert(profile && app);
	ck_assert_ptr_eq(prf_profile_take(profile, app), app);
	ck_assert_int_eq(prf_symbol_list_append(&app->symbols, 0x1000, "hot"),
			 0);
	ck_assert_int_eq(prf_symbol_list_append(&app->symbols, 0x2000, "quick"),
			 0);
	for (size_t i = 0; i < sizeof arcs / sizeof *arcs; i++)
		ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arcs[i]), 0);
	struct prf_block *block = prf_blocks_at(&app->blocks, 0x1000);
	ck_assert_ptr_nonnull(block);
	block->counts[(0x1004 - block->vaddr) / 2] = 3;
	app->total = profile->total = three;
	ck_assert_int_eq(prf_rows_add(&rows, profile, PRF_ROWS_BY_FUNCTION), 0);
	ck_assert_int_eq(prf_rows_add_calls(&rows, profile), 0);
	prf_profile_free(profile);
	prf_rows_sort(&rows);
}

START_TEST(calls_are_a_column_of_their_own)
{
	const struct prf_style narrow = {.width = 80};

	add_called_program(100000);
	char *text = printed(false, PRF_ROWS_BY_FUNCTION, 10000000, &narrow);
	ck_assert_msg(
		strstr(text, "    self s   calls  function  binary\n") &&
			strstr(text, "     0.030  100002  hot       app\n") &&
			strstr(text, "     0.000       1  quick     app\n"),
		"%s", text);
	free(text);
	text = printed(true, PRF_ROWS_BY_FUNCTION, 10000000, &whole);
	ck_assert_msg(strstr(text, ",binary,calls\n") &&
			      strstr(text, ",\"hot\",\"app\",100002\n") &&
			      strstr(text, "\"quick\",\"app\",1\n"),
		      "%s", text);
	free(text);
}
END_TEST

START_TEST(more_calls_than_64_bits_hold_are_as_many_as_they_hold)
{
	add_called_program(UINT64_MAX - 1);
	ck_assert_uint_eq(rows.n, 2);
	ck_assert_uint_eq(rows.rows[0].calls, UINT64_MAX);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("rows");
	TCase *tcase = tcase_create("rows");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, functions_of_all_processes_are_one_table);
	tcase_add_test(tcase, binaries_go_by_their_paths);
	tcase_add_loop_test(tcase, processes_and_threads_have_a_line_each, 0,
			    2);
	tcase_add_test(tcase, a_program_has_a_line_for_all_its_processes);
	tcase_add_loop_test(tcase, a_run_without_ticks_is_an_empty_table, 0,
			    PRF_N_ROWS_BY);
	tcase_add_loop_test(tcase, a_counter_belongs_where_it_begins, 0,
			    sizeof bins / sizeof *bins);
	tcase_add_test(tcase, binaries_of_a_gmon_go_by_their_paths);
	tcase_add_loop_test(
		tcase, a_gmon_knows_no_programs_processes_or_threads, 0, 3);
	tcase_add_test(tcase, shares_and_seconds_are_of_all_ticks);
	tcase_add_test(tcase, whole_names_are_printed_for_who_wants_them);
	tcase_add_test(tcase, a_command_is_no_name_of_a_function);
	tcase_add_test(tcase, a_hostile_name_stays_in_its_field);
	tcase_add_test(tcase, equal_ticks_come_in_the_order_of_names);
	tcase_add_test(tcase, a_total_has_each_sample_once);
	tcase_add_test(tcase, callers_come_first_where_totals_count);
	tcase_add_test(tcase, totals_are_columns_of_their_own);
	tcase_add_test(tcase, a_graph_without_calls_changes_nothing);
	tcase_add_test(tcase, calls_are_a_column_of_their_own);
	tcase_add_test(tcase,
		       more_calls_than_64_bits_hold_are_as_many_as_they_hold);
	suite_add_tcase(suite, tcase);
	return suite;
}
