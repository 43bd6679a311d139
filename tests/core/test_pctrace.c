/* Traces as they should be: what is played is what was given. */
#include "core/pctrace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/pctrace/pctrace_format.h"
#include "core/trace_file.h"
#include "support/suite.h"

static void
check_plays_as(const struct trace_file *file, const struct event_log *given)
{
	struct event_log log;
	struct prf_pctrace_report report = {0};
	struct prf_error err = {0};

	event_log_begin(&log);
	ck_assert_msg(trace_file_play(file->bytes, file->n_bytes, &log, &report,
				      &err) == 0,
		      "%s", err.text);
	ck_assert_msg(report.n_damaged == 0, "%s", report.damage.text);
	event_log_check_same(&log, given);
	ck_assert_uint_eq(report.events, given->n_events);
	ck_assert_uint_eq(report.unchecked, 0);
	ck_assert_uint_eq(report.unknown, 0);
	ck_assert_uint_eq(report.lost_events, 0);
	ck_assert_int_eq(report.refused.code, 0);
	ck_assert(report.has_end);
	event_log_end(&log);
}

START_TEST(any_events_come_back_as_they_were_given)
{
	struct random random = random_begin();

	random.state += (uint64_t)_i;
	for (int round = 0; round < 10; round++) {
		struct event_log given;
		struct trace_file file = trace_file_of_any(
			&random, random_below(&random, 2000), &given);

		check_plays_as(&file, &given);
		event_log_end(&given);
		free(file.bytes);
	}
}
END_TEST

START_TEST(a_run_comes_back_as_it_was_given)
{
	static const unsigned n_threads[] = {1, 2, 7, 100, 5000, 20000};
	struct random random = random_begin();
	struct event_log given;
	struct trace_file file =
		trace_file_of_run(&random, 40000, n_threads[_i], &given);

	check_plays_as(&file, &given);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(a_sample_takes_few_bytes)
{
	enum { N = 20000 };
	static const struct {
		unsigned n_threads;
		double max_bytes;
	} cases[] = {{1, 9}, {8, 9}};
	struct random random = random_begin();
	struct event_log given;
	struct trace_file file =
		trace_file_of_run(&random, N, cases[_i].n_threads, &given);

	ck_assert_double_le((double)file.n_bytes / N, cases[_i].max_bytes);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(what_was_said_of_the_trace_is_there_before_it_is_played)
{
	const struct prf_pctrace_info *want = &trace_file_info;
	struct trace_file file = trace_file_begin();
	struct prf_pctrace *trace;
	struct prf_error err;

	trace_file_finish(&file);
	FILE *in = fmemopen(file.bytes, file.n_bytes, "r");
	ck_assert_int_eq(prf_pctrace_open(in, &trace, &err), 0);
	const struct prf_pctrace_info *info = prf_pctrace_info(trace);
	ck_assert_str_eq(info->recorder, want->recorder);
	ck_assert_str_eq(info->host, want->host);
	ck_assert_str_eq(info->command, want->command);
	ck_assert_str_eq(info->machine, want->machine);
	ck_assert_str_eq(info->order, want->order);
	ck_assert_str_eq(info->clock, want->clock);
	ck_assert_str_eq(info->trigger, want->trigger);
	ck_assert_uint_eq(info->period_ns, want->period_ns);
	ck_assert_uint_eq(info->jitter_ns, 0);
	ck_assert_uint_eq(info->realtime_ns, want->realtime_ns);
	ck_assert_uint_eq(info->monotonic_ns, want->monotonic_ns);
	prf_pctrace_close(trace);
	fclose(in);
	free(file.bytes);
}
END_TEST

START_TEST(what_was_not_said_is_empty_text)
{
	const struct prf_pctrace_info nothing = {.host = ""};
	struct prf_sink *sink;
	struct prf_pctrace *trace;
	struct prf_error err;
	FILE *file = tmpfile();

	ck_assert_int_eq(prf_pctrace_sink_new(file, &nothing, &sink, &err), 0);
	sink->ops->free(sink);
	rewind(file);
	ck_assert_int_eq(prf_pctrace_open(file, &trace, &err), 0);
	ck_assert_str_eq(prf_pctrace_info(trace)->host, "");
	ck_assert_str_eq(prf_pctrace_info(trace)->command, "");
	ck_assert_uint_eq(prf_pctrace_info(trace)->period_ns, 0);
	prf_pctrace_close(trace);
	fclose(file);
}
END_TEST

/* --- The bytes */

static int
give_sample(struct prf_sink *sink, uint64_t time_ns, uint64_t addr,
	    uint32_t ticks)
{
	const struct prf_frame pc = {addr, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = 300,
		.tid = 301,
		.time_ns = time_ns,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &pc,
	};

	return sink->ops->sample(sink, &sample);
}

/* The example of pctrace(5). */
START_TEST(the_bytes_are_those_of_the_manual)
{
	static const uint8_t want[] = {
		/* the file's header */
		0x89, 'p', 'c', 't', 'r', 'a', 'c', 'e', 3, 0, 0, 0, 0xdc, 0x17,
		0xb5, 0xe1,
		/* a block */
		0xb5, 'P', 'C', 'B', 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x56, 0xdb, 0x33,
		0x37, 0x19, 0x51, 0x13, 0x7b,
		/* info */
		1, 15, 9, 'p', 'e', 'r', 'i', 'o', 'd', '_', 'n', 's', 4, '1',
		'0', '0', '0',
		/* a block */
		0xb5, 0x50, 0x43, 0x42, 0x22, 0x00, 0x00, 0x00, 0xe8, 0x03,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x32, 0x02, 0x27, 0xba, 0xf5, 0x03, 0x59, 0x21,
		/* info, again */
		1, 15, 9, 'p', 'e', 'r', 'i', 'o', 'd', '_', 'n', 's', 4, '1',
		'0', '0', '0',
		/* a sample */
		0x90, 0, 0xac, 2, 0xad, 2, 0, 0x80, 0x80, 2,
		/* another */
		0xa0, 0xe8, 0xf, 7, 3,
		/* the end */
		6, 0};
	const struct prf_pctrace_info info = {.period_ns = 1000};
	struct prf_sink *sink;
	struct prf_error err;
	uint8_t got[sizeof want + 1];
	FILE *file = tmpfile();

	ck_assert_int_eq(prf_pctrace_sink_new(file, &info, &sink, &err), 0);
	ck_assert_int_eq(give_sample(sink, 1000, 0x4000, 1), 0);
	ck_assert_int_eq(give_sample(sink, 2012, 0x3ffc, 3), 0);
	ck_assert_int_eq(sink->ops->finish(sink, &err), 0);
	rewind(file);
	ck_assert_uint_eq(fread(got, 1, sizeof got, file), sizeof want);
	for (size_t i = 0; i < sizeof want; i++)
		ck_assert_msg(got[i] == want[i], "byte %zu is 0x%02x", i,
			      got[i]);
	sink->ops->free(sink);
	fclose(file);
}
END_TEST

/* --- Version 1 */

/* As it was written then: a 32-bit program, its file and its vDSO, a second
 * thread, a sample of it in a system call with a stack, and one without, and a
 * figure. */
static const char version_1[] =
	"89706374726163650100000057dfbc4bb5504342260000000000000000000000"
	"00000000000000000000000000000000d788a7ab7121e633010f076d61636869"
	"6e65067838365f3634011309706572696f645f6e73083130303030303030b550"
	"434278000000e8030000000000000000000000000000000000000000000001f8"
	"6475578df6180213ac02000581100704062f62696e2f6103612062031a00ac02"
	"02808092408020804081100700062f62696e2f6102abcd031102ac02028080c0"
	"bf0f8040000000000000040a01ac02ad020002000000f300ac02ad02ca0fa080"
	"a48001020b030301e0030180040001a00600010507057469636b73030600";

START_TEST(a_trace_of_version_1_is_read)
{
	char bytes[sizeof version_1 / 2];
	struct event_log log;
	struct prf_pctrace_report report;
	struct prf_error err = {0};

	for (size_t i = 0; i < sizeof bytes; i++) {
		const char digits[] = {version_1[2 * i], version_1[2 * i + 1],
				       '\0'};

		bytes[i] = (char)strtoul(digits, NULL, 16);
	}
	event_log_begin(&log);
	ck_assert_msg(
		!trace_file_play(bytes, sizeof bytes, &log, &report, &err),
		"%s", err.text);
	ck_assert_msg(report.n_damaged == 0, "%s", report.damage.text);
	ck_assert(report.has_end);
	ck_assert_uint_eq(report.unknown, 0);
	ck_assert_str_eq(
		log.text,
		"exec 300 1000 5 2049 7 4 /bin/a|a b 0 -1\n"
		"mapping 0 300 1001 8048000 1000 2000 2049 7 0 /bin/a|abcd\n"
		"mapping 2 300 1002 f7f00000 2000 0 0 0 0 |\n"
		"life 1 300 301 0 1003 | 0 0\n"
		"sample 300 301 2000 2 1 3 0 0 0:8048010 1:8048100 0:8048200\n"
		"sample 300 301 3000 1 0 -1 0 0 0:8048010\n"
		"figure ticks 3\n");
	event_log_end(&log);
}
END_TEST

/* --- While it is written */

static uint64_t
n_events_in(FILE *file)
{
	struct event_log log;
	struct prf_pctrace_report report;
	struct prf_pctrace *trace;
	struct prf_error err;

	event_log_begin(&log);
	rewind(file);
	ck_assert_int_eq(prf_pctrace_open(file, &trace, &err), 0);
	ck_assert_int_eq(prf_pctrace_play(trace, &log.base, &report, &err), 0);
	ck_assert(!report.has_end);
	ck_assert_uint_eq(report.n_damaged, 0);
	prf_pctrace_close(trace);
	event_log_end(&log);
	return report.events;
}

START_TEST(no_event_waits_for_more_than_a_second)
{
	char path[] = "/tmp/test_pctrace.XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w"), *in = fopen(path, "r");
	struct prf_sink *sink;
	struct prf_error err;

	remove(path);
	ck_assert_int_eq(
		prf_pctrace_sink_new(out, &trace_file_info, &sink, &err), 0);
	for (uint64_t i = 0; i < 35; i++) {
		ck_assert_int_eq(
			give_sample(sink, 5000 + i * 100000000, 0x1000, 1), 0);
		ck_assert_uint_eq(n_events_in(in), i / 10 * 10);
	}
	sink->ops->free(sink);
	fclose(out);
	fclose(in);
}
END_TEST

START_TEST(a_disk_that_is_full_is_said_and_stays_so)
{
	FILE *full = fopen("/dev/full", "w");
	struct prf_sink *sink = NULL;
	struct prf_error err;

	ck_assert_int_eq(
		prf_pctrace_sink_new(full, &trace_file_info, &sink, &err),
		-ENOSPC);
	ck_assert_ptr_nonnull(strstr(err.text, "No space"));
	fclose(full);
}
END_TEST

static ssize_t
write_so_much(void *cookie, const char *bytes, size_t n)
{
	size_t *room = cookie;

	(void)bytes;
	if (*room < n) {
		errno = ENOSPC;
		return 0;
	}
	*room -= n;
	return (ssize_t)n;
}

START_TEST(a_disk_that_becomes_full_ends_the_trace)
{
	size_t room = 4000;
	FILE *file = fopencookie(
		&room, "w", (cookie_io_functions_t){.write = write_so_much});
	struct prf_sink *sink;
	struct prf_error err;
	uint64_t time_ns = 0;
	int rc = 0;

	ck_assert_int_eq(
		prf_pctrace_sink_new(file, &trace_file_info, &sink, &err), 0);
	while (!rc && time_ns < UINT64_C(1) << 45)
		rc = give_sample(sink, time_ns += 500000000, 0x1000, 1);
	ck_assert_int_eq(rc, -ENOSPC);
	room = 1 << 20;
	ck_assert_int_eq(give_sample(sink, time_ns, 0x1000, 1), -ENOSPC);
	ck_assert_int_eq(sink->ops->finish(sink, &err), -ENOSPC);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot write the trace"));
	sink->ops->free(sink);
	fclose(file);
}
END_TEST

/* --- What cannot be told */

START_TEST(samples_that_are_none_are_refused)
{
	static struct prf_frame many[PRF_PCTRACE_MAX_FRAMES + 1];
	struct trace_file file = trace_file_begin();
	struct prf_sink *sink = file.sink;
	struct prf_sample sample = {.ticks = 0, .n_frames = 1, .frames = many};

	ck_assert_int_eq(sink->ops->sample(sink, &sample), -EINVAL);
	sample = (struct prf_sample){.ticks = 1, .frames = many};
	ck_assert_int_eq(sink->ops->sample(sink, &sample), -EINVAL);
	sample = (struct prf_sample){
		.ticks = 1, .certain = 2, .n_frames = 1, .frames = many};
	ck_assert_int_eq(sink->ops->sample(sink, &sample), -EINVAL);
	sample.certain = 0;
	sample.n_frames = PRF_PCTRACE_MAX_FRAMES + 1;
	ck_assert_int_eq(sink->ops->sample(sink, &sample), -E2BIG);
	sample.n_frames = 1;
	sample.end = PRF_N_STACK_ENDS;
	ck_assert_int_eq(sink->ops->sample(sink, &sample), -EINVAL);
	sample.end = PRF_STACK_NONE;
	many[0].kind = PRF_FRAME_RETURN;
	ck_assert_int_eq(sink->ops->sample(sink, &sample), -EINVAL);
	trace_file_finish(&file);
	free(file.bytes);
}
END_TEST

START_TEST(a_mapping_that_wraps_is_refused)
{
	struct trace_file file = trace_file_begin();
	struct prf_sink *sink = file.sink;
	struct prf_mapping map = {.addr = UINT64_MAX, .size = 2, .path = ""};

	ck_assert_int_eq(sink->ops->mapping(sink, &map), -EINVAL);
	map.size = 0;
	ck_assert_int_eq(sink->ops->mapping(sink, &map), -EINVAL);
	map.size = 1;
	ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
	trace_file_finish(&file);
	free(file.bytes);
}
END_TEST

/* What is refused costs nothing of what was given before and after. */
START_TEST(what_the_reader_would_not_know_is_refused)
{
	struct prf_frame frames[] = {{1, PRF_FRAME_PC},
				     {2, PRF_FRAME_GUESSED + 1}};
	struct prf_sample sample = {
		.ticks = 1, .n_frames = 2, .frames = frames};
	struct prf_exec exec = {.path = "", .command = "", .addr_bytes = 8};
	struct prf_mapping map = {
		.size = 1, .path = "", .kind = PRF_MAPPING_NONE + 1};
	struct prf_life life = {.name = "", .kind = PRF_N_LIFE_KINDS};
	struct trace_file file = trace_file_begin();
	struct prf_sink *sink = file.sink;
	struct prf_pctrace_report report;
	struct prf_error err;
	struct event_log log;

	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
	exec.addr_bytes = 0;
	ck_assert_int_eq(sink->ops->exec(sink, &exec), -EINVAL);
	exec.addr_bytes = 4;
	exec.rank = INT32_MAX;
	ck_assert_int_eq(sink->ops->exec(sink, &exec), -EINVAL);
	exec.rank = INT32_MAX - 1;
	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
	ck_assert_int_eq(sink->ops->mapping(sink, &map), -EINVAL);
	ck_assert_int_eq(prf_sink_life(sink, &life), -EINVAL);
	ck_assert_int_eq(sink->ops->sample(sink, &sample), -EINVAL);
	trace_file_finish(&file);
	event_log_begin(&log);
	ck_assert_int_eq(
		trace_file_play(file.bytes, file.n_bytes, &log, &report, &err),
		0);
	ck_assert_uint_eq(report.events, 2);
	ck_assert_uint_eq(report.n_damaged + report.unknown, 0);
	event_log_end(&log);
	free(file.bytes);
}
END_TEST

START_TEST(the_deepest_stacks_come_back)
{
	enum { N = PRF_PCTRACE_MAX_FRAMES };
	struct prf_frame *frames = calloc(N, sizeof *frames);
	struct random random = random_begin();
	struct trace_file file = trace_file_begin();
	struct event_log given;

	event_log_begin(&given);
	for (uint32_t n = N; n >= N - 3; n--) {
		struct prf_sample sample = {
			.pid = 1,
			.tid = 1,
			.ticks = 1,
			.syscall = 4,
			.n_frames = n,
			.frames = frames,
		};

		for (uint32_t i = 0; i < n; i++)
			frames[i] = (struct prf_frame){random_next(&random),
						       i % 3 == 1};
		ck_assert_int_eq(file.sink->ops->sample(file.sink, &sample), 0);
		given.base.ops->sample(&given.base, &sample);
	}
	trace_file_finish(&file);
	check_plays_as(&file, &given);
	event_log_end(&given);
	free(file.bytes);
	free(frames);
}
END_TEST

START_TEST(outer_frames_that_stay_cost_nothing)
{
	enum { DEPTH = 100, N = 500 };
	struct random random = random_begin();
	struct trace_file file = trace_file_begin();
	struct prf_frame frames[DEPTH];

	for (unsigned i = 0; i < DEPTH; i++)
		frames[i] =
			(struct prf_frame){random_next(&random),
					   i ? PRF_FRAME_RETURN : PRF_FRAME_PC};
	for (unsigned i = 0; i < N; i++) {
		const struct prf_sample sample = {
			.ticks = 1,
			.syscall = PRF_NO_SYSCALL,
			.n_frames = DEPTH,
			.frames = frames,
		};

		frames[0].addr += random_below(&random, 30);
		ck_assert_int_eq(file.sink->ops->sample(file.sink, &sample), 0);
	}
	trace_file_finish(&file);
	ck_assert_uint_le(file.n_bytes, N * 7 + DEPTH * 11 + 400);
	free(file.bytes);
}
END_TEST

/* More threads than stacks that are kept. */
START_TEST(threads_by_turns_keep_their_outer_frames)
{
	enum { DEPTH = 100, N = 1000, N_THREADS = PRF_PCTRACE_N_STACKS + 2 };
	static struct prf_frame frames[N_THREADS][DEPTH];
	struct random random = random_begin();
	struct trace_file file = trace_file_begin();
	struct event_log given;

	event_log_begin(&given);
	for (unsigned i = 0; i < N_THREADS * DEPTH; i++)
		frames[i / DEPTH][i % DEPTH] = (struct prf_frame){
			random_next(&random),
			i % DEPTH ? PRF_FRAME_RETURN : PRF_FRAME_PC};
	for (unsigned i = 0; i < N; i++) {
		unsigned thread = i % N_THREADS;
		const struct prf_sample sample = {
			.pid = 1,
			.tid = 1 + (pid_t)thread,
			.ticks = 1,
			.syscall = PRF_NO_SYSCALL,
			.n_frames = DEPTH,
			.frames = frames[thread],
		};

		frames[thread][0].addr += random_below(&random, 30);
		frames[thread][1].addr += 16;
		ck_assert_int_eq(file.sink->ops->sample(file.sink, &sample), 0);
		given.base.ops->sample(&given.base, &sample);
	}
	trace_file_finish(&file);
	check_plays_as(&file, &given);
	/* Whole stacks would take ten bytes for each frame. */
	ck_assert_uint_le(file.n_bytes, N * DEPTH * 10 / 2);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(long_strings_are_cut_and_the_trace_goes_on)
{
	static char command[200000];
	struct trace_file file = trace_file_begin();
	const struct prf_exec exec = {
		.addr_bytes = 8,
		.path = "/bin/x",
		.command = command,
	};
	struct event_log given;

	memset(command, 'c', sizeof command - 1);
	event_log_begin(&given);
	ck_assert_int_eq(file.sink->ops->exec(file.sink, &exec), 0);
	ck_assert_int_eq(give_sample(file.sink, 1, 2, 3), 0);
	trace_file_finish(&file);

	command[PRF_PCTRACE_MAX_STRING_BYTES] = '\0';
	given.base.ops->exec(&given.base, &exec);
	give_sample(&given.base, 1, 2, 3);
	check_plays_as(&file, &given);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(what_the_sink_refuses_is_counted)
{
	struct random random = random_begin();
	struct event_log given, deaf;
	struct trace_file file = trace_file_of_run(&random, 100, 1, &given);
	struct prf_pctrace_report report;
	struct prf_error err;

	event_log_begin(&deaf);
	deaf.answer = -ENOBUFS;
	ck_assert_int_eq(
		trace_file_play(file.bytes, file.n_bytes, &deaf, &report, &err),
		0);
	ck_assert_uint_eq(report.samples, 100);
	ck_assert_uint_eq(report.refused.samples, 100);
	ck_assert_uint_eq(report.refused.ticks, report.ticks);
	ck_assert_uint_eq(report.refused.others, given.n_events - 100);
	ck_assert_int_eq(report.refused.code, -ENOBUFS);
	event_log_end(&given);
	event_log_end(&deaf);
	free(file.bytes);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pctrace");
	TCase *tcase = tcase_create("pctrace");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, any_events_come_back_as_they_were_given, 0,
			    10);
	tcase_add_loop_test(tcase, a_run_comes_back_as_it_was_given, 0, 6);
	tcase_add_loop_test(tcase, a_sample_takes_few_bytes, 0, 2);
	tcase_add_test(tcase,
		       what_was_said_of_the_trace_is_there_before_it_is_played);
	tcase_add_test(tcase, what_was_not_said_is_empty_text);
	tcase_add_test(tcase, the_bytes_are_those_of_the_manual);
	tcase_add_test(tcase, a_trace_of_version_1_is_read);
	tcase_add_test(tcase, no_event_waits_for_more_than_a_second);
	tcase_add_test(tcase, a_disk_that_is_full_is_said_and_stays_so);
	tcase_add_test(tcase, a_disk_that_becomes_full_ends_the_trace);
	tcase_add_test(tcase, samples_that_are_none_are_refused);
	tcase_add_test(tcase, a_mapping_that_wraps_is_refused);
	tcase_add_test(tcase, what_the_reader_would_not_know_is_refused);
	tcase_add_test(tcase, the_deepest_stacks_come_back);
	tcase_add_test(tcase, outer_frames_that_stay_cost_nothing);
	tcase_add_test(tcase, threads_by_turns_keep_their_outer_frames);
	tcase_add_test(tcase, long_strings_are_cut_and_the_trace_goes_on);
	tcase_add_test(tcase, what_the_sink_refuses_is_counted);
	suite_add_tcase(suite, tcase);
	return suite;
}
