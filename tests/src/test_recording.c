#include "src/commands/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/event_log.h"
#include "src/recorded.h"
#include "support/suite.h"

#define S UINT64_C(1000000000)

static const char *const no_children[] = {NULL};

static void
enter(void)
{
	recorded_enter();
	recorded_run("trace", "/no/such/program", 3, no_children);
	recorded_write("empty", "", 0);
	recorded_write("short", "\211pctrac", 7);
	recorded_write("magic", "\211pctrace", 8);
	recorded_write("gmon", "gmon\1\0\0\0", 8);
	ck_assert_int_eq(mkdir("directory", 0700), 0);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
}

/* --- What is opened */

static const struct {
	const char *path;
	int opens;
	bool is_trace;
	int reads; /* as a recording */
} inputs[] = {
	{"trace", 0, true, 0},
	{"empty", 0, false, -EBADMSG},
	{"short", 0, false, -EBADMSG},
	{"magic", 0, true, -EBADMSG},
	{"gmon", 0, false, -EBADMSG},
	{"directory", -EINVAL, false, -EINVAL},
	{"fifo", -EINVAL, false, -EINVAL},
	{"/dev/zero", -EINVAL, false, -EINVAL},
	{"/dev/null", -EINVAL, false, -EINVAL},
	{"nosuch", -ENOENT, false, -ENOENT},
	{"trace/x", -ENOTDIR, false, -ENOTDIR},
	{"", -ENOENT, false, -ENOENT},
};

START_TEST(what_is_no_regular_file_is_not_waited_for)
{
	struct prf_recording recording;
	struct prf_error err = {0};
	FILE *file = NULL;

	ck_assert_int_eq(prf_input_open(inputs[_i].path, &file, &err),
			 inputs[_i].opens);
	ck_assert_int_eq(!file, !!inputs[_i].opens);
	if (file)
		fclose(file);
	ck_assert_int_eq(prf_recording_is_trace(inputs[_i].path),
			 inputs[_i].is_trace);
	ck_assert_int_eq(prf_recording_open(inputs[_i].path, &recording, &err),
			 inputs[_i].reads);
	if (!inputs[_i].reads)
		prf_recording_close(&recording);
	else
		ck_assert_msg(strncmp(err.text, inputs[_i].path,
				      strlen(inputs[_i].path)) == 0 &&
				      strstr(err.text, ": "),
			      "%s", err.text);
}
END_TEST

START_TEST(a_dash_is_standard_input_and_stays_open)
{
	struct prf_recording recording;
	FILE *file = NULL;

	ck_assert_ptr_nonnull(freopen("trace", "r", stdin));
	ck_assert(!prf_recording_is_trace("-"));
	ck_assert_int_eq(prf_input_open("-", &file, NULL), 0);
	ck_assert_ptr_eq(file, stdin);
	ck_assert_int_eq(prf_recording_open("-", &recording, NULL), 0);
	prf_recording_close(&recording);
	ck_assert_ptr_null(recording.file);
	ck_assert_int_ge(fileno(stdin), 0);
}
END_TEST

/* --- What it tells of itself */

static struct prf_recording
opened(const char *path)
{
	struct prf_recording recording;
	struct prf_error err = {0};

	ck_assert_msg(!prf_recording_open(path, &recording, &err), "%s",
		      err.text);
	return recording;
}

static struct prf_recording
recording_of(const struct prf_pctrace_info *info)
{
	struct recorded recorded = recorded_begin("told", info);

	recorded_end(&recorded);
	return opened("told");
}

static const struct {
	uint64_t period_ns;
	uint32_t rate_hz;
} rates[] = {
	{0, 100}, /* not told */
	{1, 100},        {99999, 100},      {100000, 10000},
	{100004, 10000}, {100006, 9999},    {1000000, 1000},
	{3000000, 333},  {10000000, 100},   {400000000, 3}, /* 2.5 */
	{666666666, 2},  {666666667, 1},    {999999999, 1},
	{1000000000, 1}, {1000000001, 100}, {UINT64_MAX, 100},
};

START_TEST(a_rate_is_a_whole_number_that_gmon_out_can_hold)
{
	struct prf_pctrace_info info = recorded_info;

	info.period_ns = rates[_i].period_ns;
	struct prf_recording recording = recording_of(&info);
	ck_assert_uint_eq(prf_recording_rate_hz(&recording), rates[_i].rate_hz);
	prf_recording_close(&recording);
}
END_TEST

static const struct {
	const char *command, *program;
} commands[] = {
	{"program --with arguments", "program"},
	{"program", "program"},
	{"program ", "program"},
	{" program", ""},
	{"", ""},
	{NULL, ""},
	{"/bin/a\tb\nc d", "/bin/a\tb\nc"},
};

START_TEST(a_program_is_the_first_word_of_its_command)
{
	struct prf_pctrace_info info = recorded_info;

	info.command = commands[_i].command;
	struct prf_recording recording = recording_of(&info);
	char *program = prf_recording_program(&recording);
	ck_assert_str_eq(program, commands[_i].program);
	free(program);
	prf_recording_close(&recording);
}
END_TEST

/* --- What is played */

struct played {
	struct event_log log;
	uint64_t n_samples;
	int rc;
	struct prf_error err;
	char *said;
};

static void
played_end(struct played *played)
{
	event_log_end(&played->log);
	free(played->said);
}

/* Plays what WANTED wants of PATH. */
static struct played
play(const char *path, const struct prf_wanted *wanted)
{
	struct played played = {0};
	struct prf_reading reading = {.wanted = *wanted};
	struct prf_recording recording = opened(path);

	event_log_begin(&played.log);
	reading.messages = recorded_messages(&played.said);
	played.rc = prf_recording_play(&recording, &reading, &played.log.base,
				       NULL, &played.err);
	fclose(reading.messages.stream);
	prf_recording_close(&recording);
	for (size_t i = 0, at = 0; i < played.log.n_events;
	     at = played.log.ends[i++])
		played.n_samples +=
			strncmp(played.log.text + at, "sample", 6) == 0;
	return played;
}

/* Begun at BEGUN_NS, a second before its first sample; five of them, with half
 * a second between. */
static void
write_timed(uint64_t begun_ns)
{
	struct prf_pctrace_info info = recorded_info;

	info.monotonic_ns = begun_ns;
	struct recorded recorded = recorded_begin("timed", &info);
	recorded_exec(&recorded, 10, "/no/such/program");
	recorded_fork(&recorded, 11, 10);
	for (int i = 0; i < 5; i++)
		recorded_ticks(&recorded, i % 2 ? 11 : 10, 1 + i * 0.5, 1);
	recorded_end(&recorded);
}

static const struct {
	struct prf_wanted wanted;
	uint64_t begun_ns, n_samples;
} selections[] = {
	{{0}, RECORDED_BEGIN_NS, 5},
	{{.from_ns = S}, RECORDED_BEGIN_NS, 5},
	{{.from_ns = S + 1}, RECORDED_BEGIN_NS, 4},
	{{.to_ns = 3 * S}, RECORDED_BEGIN_NS, 4},
	{{.to_ns = 3 * S + 1}, RECORDED_BEGIN_NS, 5},
	{{.from_ns = 3 * S / 2, .to_ns = 2 * S}, RECORDED_BEGIN_NS, 1},
	{{.from_ns = 86400 * S}, RECORDED_BEGIN_NS, 0},
	{{.pid = 10}, RECORDED_BEGIN_NS, 3},
	{{.tid = 11}, RECORDED_BEGIN_NS, 2},
	{{.pid = 10, .tid = 11}, RECORDED_BEGIN_NS, 0},
	{{.pid = 12}, RECORDED_BEGIN_NS, 0},
	/* As a damaged or hostile trace has it. */
	{{.from_ns = S}, UINT64_MAX, 0},
	{{.from_ns = S}, UINT64_MAX - S + 1, 0},
	{{.to_ns = S}, UINT64_MAX, 5},
	{{.to_ns = 100 * S}, 0, 0},
	{{.to_ns = 86400 * S}, 0, 5},
};

START_TEST(times_are_since_the_begin_and_do_not_wrap)
{
	write_timed(selections[_i].begun_ns);
	struct played played = play("timed", &selections[_i].wanted);

	ck_assert_uint_eq(played.n_samples, selections[_i].n_samples);
	ck_assert_int_eq(played.rc, selections[_i].n_samples ? 0 : -ENOENT);
	if (played.rc)
		ck_assert_ptr_nonnull(strstr(played.err.text, "no samples"));
	ck_assert_str_eq(played.said, "");
	played_end(&played);
}
END_TEST

static char *
contents(const char *path, size_t *n_bytes)
{
	FILE *in = fopen(path, "r");
	char *bytes = malloc(1 << 16);

	ck_assert(in && bytes);
	*n_bytes = fread(bytes, 1, 1 << 16, in);
	fclose(in);
	return bytes;
}

START_TEST(a_trace_that_was_cut_anywhere_is_refused_or_warned_of)
{
	const struct prf_wanted all = {0};
	size_t n_bytes, n_refused = 0, n_warned = 0;
	char *bytes = contents("trace", &n_bytes);

	for (size_t n = 0; n < n_bytes; n++) {
		struct prf_recording recording;
		struct prf_error err = {0};

		recorded_write("cut", bytes, n);
		if (prf_recording_open("cut", &recording, &err)) {
			ck_assert_int_eq(strncmp(err.text, "cut: ", 5), 0);
			n_refused++;
			continue;
		}
		prf_recording_close(&recording);
		struct played played = play("cut", &all);

		ck_assert_msg(!played.rc, "%s", played.err.text);
		ck_assert_msg(strncmp(played.said,
				      "profrun: warning: cut: ", 23) == 0,
			      "%zu of %zu bytes: %s", n, n_bytes, played.said);
		played_end(&played);
		n_warned++;
	}
	ck_assert_uint_gt(n_refused, 8);
	ck_assert_uint_gt(n_warned, 0);
	free(bytes);
}
END_TEST

START_TEST(a_byte_that_changed_anywhere_is_no_harm)
{
	const struct prf_wanted all = {0};
	size_t n_bytes, n_warned = 0;
	char *bytes = contents("trace", &n_bytes);

	for (size_t i = 0; i < n_bytes; i++) {
		struct prf_recording recording;

		bytes[i] ^= 0x55;
		recorded_write("changed", bytes, n_bytes);
		bytes[i] ^= 0x55;
		if (prf_recording_open("changed", &recording, NULL))
			continue;
		prf_recording_close(&recording);
		struct played played = play("changed", &all);

		ck_assert_msg(!played.rc, "%s", played.err.text);
		n_warned += strstr(played.said, "warning: changed: ") != NULL;
		played_end(&played);
	}
	ck_assert_uint_gt(n_warned, 0);
	free(bytes);
}
END_TEST

/* A sink that takes nothing, and yet ends well. */
static int
take_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	(void)sink;
	(void)exec;
	return 0;
}

static int
refuse_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	(void)map;
	return -ENOSPC;
}

static int
refuse_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	(void)sample;
	return -ENOSPC;
}

static int
finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	(void)err;
	return 0;
}

static void
leave_alone(struct prf_sink *sink)
{
	(void)sink;
}

static const struct prf_sink_ops refusing_ops = {
	.exec = take_exec,
	.mapping = refuse_mapping,
	.sample = refuse_sample,
	.finish = finish,
	.free = leave_alone,
};

static const struct {
	int verbosity;
	const char *said;
} volumes[] = {
	{0, "profrun: warning: trace: 3 ticks and 1 other event could not be "
	    "used: No space left on device\n"},
	{-1, ""},
};

START_TEST(what_the_sink_refuses_is_a_warning_unless_quiet)
{
	struct prf_sink refusing = {&refusing_ops};
	struct prf_recording recording = opened("trace");
	char *said = NULL;
	struct prf_reading reading = {.messages = recorded_messages(&said)};

	reading.messages.verbosity = volumes[_i].verbosity;
	ck_assert_int_eq(
		prf_recording_play(&recording, &reading, &refusing, NULL, NULL),
		0);
	fclose(reading.messages.stream);
	prf_recording_close(&recording);
	ck_assert_str_eq(said, volumes[_i].said);
	free(said);
}
END_TEST

START_TEST(a_sink_that_does_not_end_well_is_a_failure)
{
	struct prf_reading reading = {.messages.verbosity = -1};
	struct prf_recording recording = opened("trace");
	struct prf_error err = {0};
	struct prf_sink *kept = NULL;
	struct event_log log;
	bool freed = false;

	event_log_begin(&log);
	log.answer = -ENOBUFS;
	log.freed = &freed;
	ck_assert_int_eq(prf_recording_play(&recording, &reading, &log.base,
					    &kept, &err),
			 -ENOBUFS);
	ck_assert_int_eq(err.code, -ENOBUFS);
	/* Nobody else could. */
	ck_assert(freed && !kept);
	prf_recording_close(&recording);
	event_log_end(&log);
}
END_TEST

START_TEST(a_sink_is_freed_unless_it_is_kept)
{
	struct prf_reading reading = {.messages.verbosity = -1};
	struct prf_recording recording = opened("trace");
	struct event_log log;
	struct prf_sink *kept = NULL;
	bool finished = false, freed = false;

	event_log_begin(&log);
	log.finished = &finished;
	log.freed = &freed;
	ck_assert_int_eq(prf_recording_play(&recording, &reading, &log.base,
					    &kept, NULL),
			 0);
	ck_assert(finished && !freed && kept);
	kept->ops->free(kept);
	ck_assert(freed);
	prf_recording_close(&recording);
	event_log_end(&log);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("recording");
	TCase *tcase = tcase_create("recording");

	/* Some read many files. */
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, enter, recorded_leave);
	tcase_add_loop_test(tcase, what_is_no_regular_file_is_not_waited_for, 0,
			    sizeof inputs / sizeof *inputs);
	tcase_add_test(tcase, a_dash_is_standard_input_and_stays_open);
	tcase_add_loop_test(tcase,
			    a_rate_is_a_whole_number_that_gmon_out_can_hold, 0,
			    sizeof rates / sizeof *rates);
	tcase_add_loop_test(tcase, a_program_is_the_first_word_of_its_command,
			    0, sizeof commands / sizeof *commands);
	tcase_add_loop_test(tcase, times_are_since_the_begin_and_do_not_wrap, 0,
			    sizeof selections / sizeof *selections);
	tcase_add_test(tcase,
		       a_trace_that_was_cut_anywhere_is_refused_or_warned_of);
	tcase_add_test(tcase, a_byte_that_changed_anywhere_is_no_harm);
	tcase_add_loop_test(tcase,
			    what_the_sink_refuses_is_a_warning_unless_quiet, 0,
			    sizeof volumes / sizeof *volumes);
	tcase_add_test(tcase, a_sink_that_does_not_end_well_is_a_failure);
	tcase_add_test(tcase, a_sink_is_freed_unless_it_is_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
