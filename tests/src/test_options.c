#include "src/options/format.h"
#include "src/options/options.h"
#include "support/suite.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One command line: profrun, then WORDS up to a NULL. */
static char *argv[16];

static int
parse(struct prf_options *options, struct prf_error *err,
      const char *const *words)
{
	static char self[] = "profrun";
	int argc = 0;

	argv[argc++] = self;
	while (*words)
		argv[argc++] =
			(char *)*words++; /* getopt does not write to them */
	argv[argc] = NULL;
	return prf_options_parse(argc, argv, options, err);
}

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

#define PARSE(options, ...)                                                    \
	do {                                                                   \
		struct prf_error err_ = {0};                                   \
		int rc_ = parse(options, &err_, WORDS(__VA_ARGS__));           \
		ck_assert_msg(rc_ == 0, "%d: %s", rc_, err_.text);             \
	} while (0)

#define REFUSED(expected, ...)                                                 \
	do {                                                                   \
		struct prf_options options_;                                   \
		struct prf_error err_ = {0};                                   \
		ck_assert_int_eq(parse(&options_, &err_, WORDS(__VA_ARGS__)),  \
				 -EINVAL);                                     \
		ck_assert_str_eq(err_.text, expected);                         \
	} while (0)

START_TEST(a_program_alone_gets_the_defaults)
{
	struct prf_options options;

	PARSE(&options, "prog");
	ck_assert_int_eq(options.action, PRF_ACTION_RUN);
	ck_assert_uint_eq(options.rate_hz, 100);
	ck_assert_ptr_null(options.rounded_from);
	ck_assert_int_eq(options.clock, PRF_CLOCK_CPU);
	ck_assert_ptr_null(options.trigger);
	ck_assert_str_eq(options.output, "gmon.out");
	ck_assert_uint_eq(options.formats, PRF_FORMAT_GMON);
	ck_assert(!options.split);
	ck_assert_int_eq(options.verbosity, 0);
	ck_assert(!options.no_command);
	ck_assert_ptr_eq(options.program, argv + 1);
}
END_TEST

START_TEST(formats_are_those_of_the_list_and_name_the_file)
{
	struct prf_options options;

	PARSE(&options, "-f", "raw,gmon", "--samples=7", "prog");
	ck_assert_uint_eq(options.formats, PRF_FORMAT_GMON | PRF_FORMAT_RAW);
	ck_assert_int_eq(options.max_samples, 7);
	ck_assert_str_eq(options.output, "gmon.out");
	PARSE(&options, "-fpcsample", "prog");
	ck_assert_str_eq(options.output, "profrun.trace");
	REFUSED("-f gmon,: unknown; give gmon, pcsample, raw, folded, "
		"flame, pprof, speedscope, firefox, callgrind, perf-script or "
		"json, or several with commas between them",
		"-f", "gmon,", "prog");
	REFUSED("--samples=-1: not a number of samples", "--samples=-1",
		"prog");
	REFUSED("--all-symbols: concerns gmon.out alone; add gmon to -f",
		"--all-symbols", "-f", "pcsample", "prog");
	REFUSED("--split: concerns gmon.out alone; add gmon to -f", "--split",
		"-fraw", "prog");
}
END_TEST

START_TEST(every_option_reaches_its_member)
{
	struct prf_options options;

	PARSE(&options, "-F", "250", "--clock=user", "--trigger", "interrupt",
	      "-o", "x.%p", "--split", "--all-symbols", "--inherit-counts",
	      "-t", "-vv", "prog");
	ck_assert_uint_eq(options.rate_hz, 250);
	ck_assert_int_eq(options.clock, PRF_CLOCK_USER);
	ck_assert_str_eq(options.trigger, "interrupt");
	ck_assert_str_eq(options.output, "x.%p");
	ck_assert(options.split);
	ck_assert(options.inherit_counts);
	ck_assert(options.threads);
	ck_assert(options.all_symbols);
	ck_assert_int_eq(options.verbosity, 2);
}
END_TEST

START_TEST(the_wall_clock_has_three_names)
{
	struct prf_options options;

	PARSE(&options, "--clock=wall", "prog");
	ck_assert_int_eq(options.clock, PRF_CLOCK_WALL);
	PARSE(&options, "--clock=user", "--wall", "prog");
	ck_assert_int_eq(options.clock, PRF_CLOCK_WALL);
	PARSE(&options, "-w", "--clock=user", "prog");
	ck_assert_int_eq(options.clock, PRF_CLOCK_USER);
}
END_TEST

START_TEST(stacks_are_taken_when_asked_for)
{
	struct prf_options options;

	PARSE(&options, "prog");
	ck_assert(!options.call_graph);
	PARSE(&options, "-g", "prog");
	ck_assert(options.call_graph);
	ck_assert_int_eq(options.stacks_by, PRF_STACKS_BY_AUTO);
	ck_assert_str_eq(options.program[0], "prog");
	PARSE(&options, "-gfp", "prog");
	ck_assert(options.call_graph);
	ck_assert_int_eq(options.stacks_by, PRF_STACKS_BY_FP);
	PARSE(&options, "--call-graph=cfi", "--call-graph", "prog");
	ck_assert_int_eq(options.stacks_by, PRF_STACKS_BY_AUTO);
	PARSE(&options, "-g", "--call-graph=none", "prog");
	ck_assert(!options.call_graph);
}
END_TEST

START_TEST(the_first_word_that_is_no_option_ends_them)
{
	struct prf_options options;

	PARSE(&options, "-v", "prog", "-F", "bad", "--", "--nonsense");
	ck_assert_uint_eq(options.rate_hz, 100);
	ck_assert_ptr_eq(options.program, argv + 2);
	ck_assert_str_eq(options.program[1], "-F");
	ck_assert_str_eq(options.program[4], "--nonsense");
	ck_assert_ptr_null(options.program[5]);
	ck_assert(!options.no_command);
}
END_TEST

START_TEST(what_follows_two_dashes_is_the_program)
{
	struct prf_options options;

	PARSE(&options, "-v", "--", "-F", "--");
	ck_assert_ptr_eq(options.program, argv + 3);
	ck_assert_str_eq(options.program[0], "-F");
	ck_assert_str_eq(options.program[1], "--");
	ck_assert(options.no_command);
	ck_assert_uint_eq(options.rate_hz, 100);
}
END_TEST

START_TEST(a_dash_alone_is_a_program)
{
	struct prf_options options;

	PARSE(&options, "-");
	ck_assert_str_eq(options.program[0], "-");
}
END_TEST

START_TEST(of_frequency_and_interval_the_last_wins)
{
	struct prf_options options;

	PARSE(&options, "-F", "50", "-i", "1ms", "prog");
	ck_assert_uint_eq(options.rate_hz, 1000);
	PARSE(&options, "-i", "3ms", "-F", "50", "prog");
	ck_assert_uint_eq(options.rate_hz, 50);
	ck_assert_ptr_null(options.rounded_from);
}
END_TEST

static const struct {
	const char *interval;
	unsigned rate_hz;
	bool exact;
} intervals[] = {
	{"100us", 10000, true}, {"1s", 1, true},      {"10ms", 100, true},
	{"4ms", 250, true},     {"0.01s", 100, true}, {"3ms", 333, false},
	{"700ms", 1, false},    {"0.6s", 2, false},   {"101us", 9901, false},
};

START_TEST(an_interval_is_the_nearest_whole_rate)
{
	struct prf_options options;
	char interval[16];

	strcpy(interval, intervals[_i].interval);
	PARSE(&options, "-i", interval, "prog");
	ck_assert_uint_eq(options.rate_hz, intervals[_i].rate_hz);
	if (intervals[_i].exact)
		ck_assert_ptr_null(options.rounded_from);
	else
		ck_assert_str_eq(options.rounded_from, interval);
}
END_TEST

START_TEST(the_range_of_rates_has_its_ends_in_it)
{
	struct prf_options options;

	PARSE(&options, "-F1", "prog");
	ck_assert_uint_eq(options.rate_hz, 1);
	PARSE(&options, "--frequency=10000", "prog");
	ck_assert_uint_eq(options.rate_hz, 10000);
	REFUSED("-F 0: not a rate; give a whole number of Hz, 1 to 10000", "-F",
		"0", "prog");
	REFUSED("-F 10001: not a rate; give a whole number of Hz, 1 to 10000",
		"-F", "10001", "prog");
	REFUSED("-i 99us: out of range; give 100us to 1s", "-i", "99us",
		"prog");
	REFUSED("-i 1.000000001s: out of range; give 100us to 1s", "-i",
		"1.000000001s", "prog");
}
END_TEST

START_TEST(a_plain_number_is_no_interval)
{
	REFUSED("-i 10: a time without its unit; give it as 10ms, 500us or "
		"0.01s (a rate in Hz goes with -F)",
		"-i", "10", "prog");
}
END_TEST

START_TEST(only_what_works_is_a_choice)
{
	REFUSED("--clock=real: unknown; give cpu, user or wall", "--clock=real",
		"prog");
	REFUSED("--trigger=timers: unknown; give auto, ring, timer or "
		"interrupt",
		"--trigger=timers", "prog");
	REFUSED("--call-graph=lbr: unknown; give auto, cfi, fp or none",
		"-glbr", "prog");
	REFUSED("--trigger=: unknown; give auto, ring, timer or "
		"interrupt",
		"--trigger=", "prog");
}
END_TEST

START_TEST(auto_takes_an_earlier_trigger_back)
{
	struct prf_options options;

	PARSE(&options, "--trigger=timer", "--trigger=auto", "prog");
	ck_assert_ptr_null(options.trigger);
}
END_TEST

START_TEST(a_bad_pattern_is_refused_before_anything_runs)
{
	REFUSED("-o 'a.%x': unknown %x; use %p, %t, %n, %h, %r, %i, %q{VAR}, "
		"or "
		"%% for a per cent sign",
		"-o", "a.%x", "prog");
	REFUSED("-o -: is no name; give one, ./- or /dev/stdout", "-o", "-",
		"prog");
}
END_TEST

START_TEST(intervals_need_a_number_in_the_name_and_a_number_intervals)
{
	struct prf_options options;

	PARSE(&options, "--every=60", "-f", "pprof", "-o", "p.%i", "prog");
	ck_assert_uint_eq(options.every_ns, UINT64_C(60000000000));
	PARSE(&options, "prog");
	ck_assert_uint_eq(options.every_ns, 0);
	REFUSED("--every: each interval has a file; put %i, its number, into "
		"-o",
		"--every=60s", "-f", "pprof", "prog");
	REFUSED("-o 'p.%i': %i numbers the files of --every; give that, too",
		"-f", "pprof", "-o", "p.%i", "prog");
	REFUSED("--every: a trace and raw samples are one file of the whole "
		"run; give -f another format, such as pprof",
		"--every=60s", "-f", "pprof,pcsample", "-o", "p.%i", "prog");
}
END_TEST

START_TEST(the_kernel_is_only_seen_by_what_does_not_stop_it)
{
	struct prf_options options;

	PARSE(&options, "prog");
	ck_assert(!options.kernel);
	PARSE(&options, "--kernel", "-g", "--trigger=ring", "prog");
	ck_assert(options.kernel);
	REFUSED("--kernel: user time has none of the kernel's; leave out "
		"--clock=user",
		"--kernel", "--clock=user", "prog");
	REFUSED("--kernel: --split has the kernel's time where it was called; "
		"leave out one of them",
		"--kernel", "--split", "prog");
	REFUSED("--kernel: a thread that is stopped is not in the kernel any "
		"more; leave out --trigger=timer",
		"--kernel", "--trigger=timer", "prog");
}
END_TEST

START_TEST(what_is_inherited_needs_a_file_for_each_process)
{
	struct prf_options options;

	PARSE(&options, "--inherit-counts", "-o", "x.%p", "prog");
	ck_assert(options.inherit_counts);
	PARSE(&options, "-o", "x.%p", "--inherit-counts", "prog");
	ck_assert(options.inherit_counts);
	REFUSED("--inherit-counts: needs a file for each process; put %p into "
		"-o",
		"--inherit-counts", "prog");
	REFUSED("--inherit-counts: needs a file for each process; put %p into "
		"-o",
		"--inherit-counts", "-o", "x.%p", "-o", "x.%%p", "prog");
	REFUSED("--inherit-counts: a thread inherits nothing; leave %t out of "
		"-o",
		"--inherit-counts", "-o", "x.%t", "prog");
	REFUSED("--inherit-counts: a thread inherits nothing; leave %t out of "
		"-o",
		"--inherit-counts", "-o", "x.%p.%t", "prog");
}
END_TEST

START_TEST(the_first_mistake_is_the_one_told)
{
	REFUSED("-F 0: not a rate; give a whole number of Hz, 1 to 10000", "-F",
		"0", "--nonsense", "prog");
	REFUSED("", "--nonsense", "-F", "0", "prog");
}
END_TEST

START_TEST(a_long_option_can_be_cut_short)
{
	struct prf_options options;

	PARSE(&options, "--freq=7", "--out", "x", "prog");
	ck_assert_uint_eq(options.rate_hz, 7);
	ck_assert_str_eq(options.output, "x");
}
END_TEST

START_TEST(without_a_program_there_is_nothing_to_run)
{
	REFUSED("no program to run; use profrun [OPTION...] PROGRAM [ARG...], "
		"or --help",
		"-v");
	REFUSED("no program to run; use profrun [OPTION...] PROGRAM [ARG...], "
		"or --help",
		"--");
}
END_TEST

START_TEST(to_be_informed_needs_no_program)
{
	struct prf_options options;

	PARSE(&options, "--help");
	ck_assert_int_eq(options.action, PRF_ACTION_HELP);
	PARSE(&options, "--usage", "--nonsense");
	ck_assert_int_eq(options.action, PRF_ACTION_USAGE);
	PARSE(&options, "-V", "prog");
	ck_assert_int_eq(options.action, PRF_ACTION_VERSION);
	ck_assert_ptr_null(options.program);
}
END_TEST

START_TEST(of_quiet_and_verbose_the_last_wins)
{
	struct prf_options options;

	PARSE(&options, "-vvq", "prog");
	ck_assert_int_eq(options.verbosity, -1);
	PARSE(&options, "-qv", "prog");
	ck_assert_int_eq(options.verbosity, 1);
}
END_TEST

/* argp prints by itself unless it is kept from it; getopt may. */
START_TEST(the_parser_itself_prints_nothing)
{
	char printed[64] = "";
	FILE *real = stderr, *real_out = stdout;
	FILE *file = fmemopen(printed, sizeof printed, "w");

	ck_assert_ptr_nonnull(file);
	stderr = stdout = file;
	struct prf_options options;
	struct prf_error err;
	static const char *const lines[] = {"--help", "--usage", "--version",
					    "-F0",    "-ox/",    "prog"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		(void)!parse(&options, &err, WORDS(lines[i]));
	stderr = real;
	stdout = real_out;
	fclose(file);
	ck_assert_str_eq(printed, "");
}
END_TEST

START_TEST(what_to_look_at_and_when_reaches_its_member)
{
	struct prf_options options;

	PARSE(&options, "prog");
	ck_assert_int_eq(options.follow, PRF_FOLLOW_ALL);
	ck_assert_uint_eq(options.delay_ns + options.duration_ns, 0);
	ck_assert_int_eq(options.toggle_signal, 0);
	ck_assert_uint_eq(options.n_pids, 0);
	PARSE(&options, "--follow=none", "-d", "2.5", "-D", "0.25",
	      "--toggle-signal=sigusr1", "prog");
	ck_assert_int_eq(options.action, PRF_ACTION_RUN);
	ck_assert_int_eq(options.follow, PRF_FOLLOW_NONE);
	ck_assert_uint_eq(options.duration_ns, 2500000000);
	ck_assert_uint_eq(options.delay_ns, 250000);
	ck_assert_int_eq(options.toggle_signal, SIGUSR1);
	PARSE(&options, "--follow=exec", "--duration=86400", "--delay=0",
	      "prog");
	ck_assert_int_eq(options.follow, PRF_FOLLOW_EXEC);
	ck_assert_uint_eq(options.duration_ns, 86400 * UINT64_C(1000000000));
	ck_assert_uint_eq(options.delay_ns, 0);
}
END_TEST

START_TEST(a_time_has_a_unit_or_the_one_that_its_option_had_before)
{
	struct prf_options options;

	PARSE(&options, "-d", "500ms", "-D", "2s", "prog");
	ck_assert_uint_eq(options.duration_ns, 500000000);
	ck_assert_uint_eq(options.delay_ns, 2000000000);
	PARSE(&options, "-d", "500", "-D", "2", "prog");
	ck_assert_uint_eq(options.duration_ns, 500000000000);
	ck_assert_uint_eq(options.delay_ns, 2000000);
}
END_TEST

START_TEST(a_limit_has_a_unit_or_is_of_bytes)
{
	static const struct {
		const char *word;
		uint64_t n_bytes;
	} sizes[] = {
		{"64k", 64 << 10},         {"64K", 64 << 10},
		{"65536", 65536},          {"100M", 100 << 20},
		{"1G", 1 << 30},           {"2T", UINT64_C(2) << 40},
		{"3g", UINT64_C(3) << 30},
	};
	struct prf_options options;

	PARSE(&options, "prog");
	ck_assert_uint_eq(options.max_trace_bytes, 0);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		PARSE(&options, "-f", "pcsample", "--max-size", sizes[i].word,
		      "prog");
		ck_assert_uint_eq(options.max_trace_bytes, sizes[i].n_bytes);
	}
	REFUSED("--max-size=63k: not a size; give 100M or 1G, at least 64k",
		"-f", "pcsample", "--max-size=63k", "prog");
	REFUSED("--max-size=1P: not a size; give 100M or 1G, at least 64k",
		"-f", "pcsample", "--max-size=1P", "prog");
}
END_TEST

START_TEST(record_takes_options_and_a_program_of_any_name)
{
	struct prf_options options;

	PARSE(&options, "-v", "record", "-F", "50", "report", "-F");
	ck_assert_int_eq(options.verbosity, 1);
	ck_assert_uint_eq(options.rate_hz, 50);
	ck_assert_str_eq(options.program[0], "report");
	ck_assert_str_eq(options.program[1], "-F");
	ck_assert(options.no_command);
	PARSE(&options, "record", "-p", "1");
	ck_assert_int_eq(options.action, PRF_ACTION_ATTACH);
	ck_assert_ptr_null(options.program);
	PARSE(&options, "record", "-h");
	ck_assert_int_eq(options.action, PRF_ACTION_HELP);
	/* A program of that name. */
	PARSE(&options, "--", "record", "-v");
	ck_assert_str_eq(options.program[0], "record");
	ck_assert_int_eq(options.verbosity, 0);
	PARSE(&options, "./record", "-v");
	ck_assert_str_eq(options.program[0], "./record");
	ck_assert_int_eq(options.verbosity, 0);
	PARSE(&options, "record", "record", "-v");
	ck_assert_str_eq(options.program[0], "record");
	ck_assert_int_eq(options.verbosity, 0);
}
END_TEST

START_TEST(processes_are_listed_by_commas_or_again)
{
	struct prf_options options;

	PARSE(&options, "-p", "12,34,12", "--pid=56", "-p34", "-v");
	ck_assert_int_eq(options.action, PRF_ACTION_ATTACH);
	ck_assert_uint_eq(options.n_pids, 3);
	ck_assert_int_eq(options.pids[0], 12);
	ck_assert_int_eq(options.pids[1], 34);
	ck_assert_int_eq(options.pids[2], 56);
	ck_assert_ptr_null(options.program);
}
END_TEST

static const char *const bad_pids[] = {"",   "0",   "-1", " 1",
				       "1,", "1;2", "x",  "4294967297"};

START_TEST(what_is_no_process_id_is_refused)
{
	struct prf_options options;
	struct prf_error err = {0};

	ck_assert_int_eq(parse(&options, &err, WORDS("-p", bad_pids[_i])),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, ": not a process id; give"));
}
END_TEST

START_TEST(more_processes_than_there_is_room_for_are_refused)
{
	struct prf_options options;
	struct prf_error err = {0};
	char list[8 * PRF_MAX_PIDS + 16] = "1000";

	for (int i = 1; i < PRF_MAX_PIDS; i++)
		sprintf(list + strlen(list), ",%d", 1000 + i);
	PARSE(&options, "-p", list);
	ck_assert_uint_eq(options.n_pids, PRF_MAX_PIDS);
	strcat(list, ",1000");
	PARSE(&options, "-p", list);
	strcat(list, ",1");
	ck_assert_int_eq(parse(&options, &err, WORDS("-p", list)), -EINVAL);
}
END_TEST

START_TEST(a_process_and_a_program_exclude_each_other)
{
	REFUSED("-p and a program to run exclude each other; give one of them",
		"-p", "1", "prog");
}
END_TEST

START_TEST(bad_times_and_signals_say_what_would_be_good)
{
	REFUSED("-d 0: not a time; give 10s, 500ms, or a number of seconds, "
		"more than 0 and up to a day",
		"-d", "0", "prog");
	REFUSED("-d 1h: not a time; give 10s, 500ms, or a number of seconds, "
		"more than 0 and up to a day",
		"-d", "1h", "prog");
	REFUSED("-D -1: not a time; give 2s, 500ms, or a number of "
		"milliseconds, up to a day",
		"-D", "-1", "prog");
	REFUSED("--follow=some: unknown; give all, exec or none",
		"--follow=some", "prog");
	REFUSED("--toggle-signal=X: unknown; give a name or a number, such as "
		"USR2",
		"--toggle-signal=X", "prog");
	REFUSED("--toggle-signal=INT: cannot be caught, or profrun needs it "
		"itself; give another, such as USR2",
		"--toggle-signal=INT", "prog");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("options");
	TCase *tcase = tcase_create("options");

	tcase_add_test(tcase, a_program_alone_gets_the_defaults);
	tcase_add_test(tcase, formats_are_those_of_the_list_and_name_the_file);
	tcase_add_test(tcase, every_option_reaches_its_member);
	tcase_add_test(tcase, the_kernel_is_only_seen_by_what_does_not_stop_it);
	tcase_add_test(tcase, the_wall_clock_has_three_names);
	tcase_add_test(tcase, stacks_are_taken_when_asked_for);
	tcase_add_test(tcase, the_first_word_that_is_no_option_ends_them);
	tcase_add_test(tcase, what_follows_two_dashes_is_the_program);
	tcase_add_test(tcase, a_dash_alone_is_a_program);
	tcase_add_test(tcase, of_frequency_and_interval_the_last_wins);
	tcase_add_loop_test(tcase, an_interval_is_the_nearest_whole_rate, 0,
			    (int)(sizeof intervals / sizeof *intervals));
	tcase_add_test(tcase, the_range_of_rates_has_its_ends_in_it);
	tcase_add_test(tcase, a_plain_number_is_no_interval);
	tcase_add_test(tcase, only_what_works_is_a_choice);
	tcase_add_test(tcase, auto_takes_an_earlier_trigger_back);
	tcase_add_test(tcase, a_bad_pattern_is_refused_before_anything_runs);
	tcase_add_test(
		tcase,
		intervals_need_a_number_in_the_name_and_a_number_intervals);
	tcase_add_test(tcase, what_is_inherited_needs_a_file_for_each_process);
	tcase_add_test(tcase, the_first_mistake_is_the_one_told);
	tcase_add_test(tcase, a_long_option_can_be_cut_short);
	tcase_add_test(tcase, without_a_program_there_is_nothing_to_run);
	tcase_add_test(tcase, to_be_informed_needs_no_program);
	tcase_add_test(tcase, of_quiet_and_verbose_the_last_wins);
	tcase_add_test(tcase, the_parser_itself_prints_nothing);
	tcase_add_test(tcase, what_to_look_at_and_when_reaches_its_member);
	tcase_add_test(tcase,
		       a_time_has_a_unit_or_the_one_that_its_option_had_before);
	tcase_add_test(tcase, a_limit_has_a_unit_or_is_of_bytes);
	tcase_add_test(tcase, record_takes_options_and_a_program_of_any_name);
	tcase_add_test(tcase, processes_are_listed_by_commas_or_again);
	tcase_add_loop_test(tcase, what_is_no_process_id_is_refused, 0,
			    (int)(sizeof bad_pids / sizeof *bad_pids));
	tcase_add_test(tcase,
		       more_processes_than_there_is_room_for_are_refused);
	tcase_add_test(tcase, a_process_and_a_program_exclude_each_other);
	tcase_add_test(tcase, bad_times_and_signals_say_what_would_be_good);
	suite_add_tcase(suite, tcase);
	return suite;
}
