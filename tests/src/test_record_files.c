#include "src/output/record_files.h"

#include "core/gmon_read.h"
#include "live/proc/rank.h"
#include "support/suite.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGIN_NS (UINT64_C(100) * 1000000000)

static char work[] = "/tmp/prf-record-XXXXXX";
static char prog[] = "/bin/sort";
static char *prog_argv[] = {prog, NULL};
static struct prf_options options;
static struct prf_output output;
static struct prf_record_files files;
static struct prf_collector *collector;
static uint64_t next_ns; /* of the next snapshot */

static void
setup(void)
{
	for (const char *const *name = prf_rank_variables; *name; name++)
		unsetenv(*name);
	ck_assert_ptr_nonnull(mkdtemp(work));
	ck_assert_int_eq(chdir(work), 0);
}

static void
teardown(void)
{
	char command[64];

	collector->base.ops->free(&collector->base);
	prf_record_files_clear(&files);
	prf_output_close(&output);
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", work);
	ck_assert_int_eq(system(command), 0);
}

static uint64_t every_ns;

static void
begin(const char *pattern, bool split)
{
	const struct prf_exec exec = {.pid = 10,
				      .time_ns = BEGIN_NS,
				      .path = "/bin/sort",
				      .command = "sort -r",
				      .addr_bytes = 8,
				      .rank = -1};

	options = (struct prf_options){.output = pattern,
				       .output_given = pattern,
				       .formats = PRF_FORMAT_GMON,
				       .program = prog_argv,
				       .split = split,
				       .every_ns = every_ns,
				       .rate_hz = 100};
	ck_assert_int_eq(prf_output_open(&options, &output, NULL), 0);
	prf_record_files_init(&files, &options, &output);
	const struct prf_collector_config config = {
		.rate_hz = 100,
		.each = prf_record_files_each(&files),
		.every_ns = every_ns,
		.begun_ns = BEGIN_NS,
		.ended = prf_record_files_write,
		.arg = &files,
	};
	collector = prf_collector_new(&config);
	ck_assert_ptr_nonnull(collector);
	next_ns = BEGIN_NS + prf_record_files_every_ns(&files);
	ck_assert_int_eq(collector->base.ops->exec(&collector->base, &exec), 0);
}

/* As the queue's thread does. */
static void
pass_time(uint64_t now_ns)
{
	struct prf_profile *profile;
	struct prf_error why = {0};

	if (!prf_record_files_every_ns(&files) || now_ns < next_ns)
		return;
	ck_assert_int_eq(prf_collector_snapshot(collector, &profile, NULL), 0);
	if (prf_record_files_snapshot(&files, profile, &why))
		prf_record_files_fail_snapshot(&files, &why);
	prf_profile_free(profile);
	next_ns = now_ns + prf_record_files_every_ns(&files);
}

/* TICKS of PID, S seconds after the begin. */
static void
ticks_at(pid_t pid, uint32_t ticks, unsigned s)
{
	const struct prf_frame frame = {0x1000, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = pid,
		.time_ns = BEGIN_NS + s * UINT64_C(1000000000),
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	pass_time(sample.time_ns);
	ck_assert_int_eq(collector->base.ops->sample(&collector->base, &sample),
			 0);
}

/* A child PID of the first process, with TICKS. */
static void
child_with(pid_t pid, uint32_t ticks)
{
	struct prf_life life = {
		.kind = PRF_LIFE_FORK, .pid = pid, .parent = 10, .name = ""};

	ck_assert_int_eq(prf_sink_life(&collector->base, &life), 0);
	ticks_at(pid, ticks, 0);
	life.kind = PRF_LIFE_EXIT;
	ck_assert_int_eq(prf_sink_life(&collector->base, &life), 0);
}

static void
busy_child(pid_t pid)
{
	child_with(pid, 1);
}

static void
finish(void)
{
	ck_assert_int_eq(collector->base.ops->finish(&collector->base, NULL),
			 0);
	prf_record_files_finish(&files, collector->profile);
}

static bool
is_there(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

static int
n_files_here(void)
{
	DIR *here = opendir(".");
	int n = -2; /* . and .. */

	while (readdir(here))
		n++;
	closedir(here);
	return n;
}

static char *
printed(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_record_files_print(&files, out);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static uint64_t
complaints(char **text)
{
	size_t size;
	struct prf_messages messages = {0};

	messages.stream = open_memstream(text, &size);
	uint64_t n = prf_record_files_complain(&files, &messages);
	ck_assert_int_eq(fclose(messages.stream), 0);
	return n;
}

/* The ticks in the gmon.out called NAME, which is profrun's. */
static uint64_t
ticks_in(const char *name)
{
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	char head[20] = "";
	FILE *in = fopen(name, "r");

	ck_assert_msg(in != NULL, "%s is not there", name);
	ck_assert_uint_eq(fread(head, 1, sizeof head, in), sizeof head);
	ck_assert_str_eq(head + 8, "profrun");
	rewind(in);
	ck_assert_msg(!prf_gmon_read(in, NULL, &gmon, &err), "%s", err.text);
	fclose(in);
	uint64_t ticks = gmon->ticks;
	prf_gmon_free(gmon);
	return ticks;
}

static void
put(const char *name, const char *bytes, size_t n_bytes)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, n_bytes, file), n_bytes);
	ck_assert_int_eq(fclose(file), 0);
}

/* As a program leaves one that was compiled with -pg. */
static const char foreign[] = "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0of its own";

static void
put_foreign(void)
{
	put("gmon.out", foreign, sizeof foreign);
}

static void
check_foreign(void)
{
	char bytes[sizeof foreign + 1];
	FILE *in = fopen("gmon.out", "r");

	ck_assert_ptr_nonnull(in);
	ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, in), sizeof foreign);
	fclose(in);
	ck_assert_mem_eq(bytes, foreign, sizeof foreign);
}

/* No file can be begun, since all names for it are taken; or it can again. */
static void
take_all_names(bool take)
{
	char name[64];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, ".profrun.%d.%d", (int)getpid(), i);
		if (take)
			put(name, "", 0);
		else
			ck_assert_int_eq(unlink(name), 0);
	}
}

/* --- One file for the run */

START_TEST(all_processes_are_in_the_runs_file_which_comes_at_the_end)
{
	begin("gmon.out", false);
	child_with(11, 3);
	child_with(12, 4);
	ck_assert(!is_there("gmon.out"));
	ticks_at(10, 5, 1);
	finish();
	ck_assert_uint_eq(ticks_in("gmon.out"), 12);
	ck_assert(is_there("gmon.syms"));
	ck_assert_int_eq(n_files_here(), 2);
	char *text = printed();
	ck_assert_str_eq(text,
			 "\n  profrun report gmon.out    # the whole table\n"
			 "  gmon.out    # the run: no file that gprof "
			 "could be given\n");
	free(text);
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

START_TEST(a_run_that_cannot_be_written_is_an_error)
{
	char *text;

	begin("gmon.out", false);
	busy_child(11);
	take_all_names(true);
	finish();
	take_all_names(false);
	ck_assert_uint_eq(complaints(&text), 1);
	ck_assert_str_eq(text, "profrun: gmon.out: File exists\n");
	free(text);
}
END_TEST

START_TEST(a_run_has_one_file_on_a_device)
{
	ck_assert_int_eq(symlink("/dev/null", "null"), 0);
	begin("null", false);
	ck_assert_uint_eq(prf_record_files_every_ns(&files), 0);
	busy_child(11);
	finish();
	ck_assert_int_ne(access("null.11", F_OK), 0);
	ck_assert_uint_eq(files.n_left_out, 0);
	char *text;
	ck_assert_uint_eq(complaints(&text), 0);
	free(text);
}
END_TEST

START_TEST(a_run_can_be_split)
{
	begin("x", true);
	ck_assert_uint_eq(prf_record_files_every_ns(&files), 0);
	busy_child(11);
	finish();
	ck_assert_uint_eq(ticks_in("x.unknown"), 1);
	ck_assert(is_there("x.unknown.syms"));
	ck_assert(!is_there("x"));
}
END_TEST

/* --- Snapshots */

START_TEST(a_long_run_is_saved_and_the_end_replaces_that)
{
	begin("gmon.out", false);
	ticks_at(10, 1, 0);
	ticks_at(10, 2, 9);
	ck_assert(!is_there("gmon.out"));
	ticks_at(10, 4, 10);
	ck_assert_uint_eq(ticks_in("gmon.out"), 3);
	ck_assert(is_there("gmon.syms"));
	ticks_at(10, 8, 19);
	ck_assert_uint_eq(ticks_in("gmon.out"), 3);
	ticks_at(10, 16, 30);
	ck_assert_uint_eq(ticks_in("gmon.out"), 15);
	finish();
	ck_assert_uint_eq(ticks_in("gmon.out"), 31);
	ck_assert_int_eq(n_files_here(), 2);
	char *text;
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

/* How often a file was synchronized, and their directory; and the ticks that the
 * file with the name had meanwhile. */
static struct {
	bool looks;
	unsigned n_files, n_directories;
	uint64_t ticks_before, ticks_after;
} synced;

static uint64_t
ticks_there(void)
{
	return synced.looks && is_there("gmon.out") ? ticks_in("gmon.out") : 0;
}

/* In the place of the C library's. */
int
fdatasync(int fd)
{
	(void)fd;
	synced.n_files++;
	synced.ticks_before = ticks_there();
	return 0;
}

int
fsync(int fd)
{
	(void)fd;
	synced.n_directories++;
	synced.ticks_after = ticks_there();
	return 0;
}

START_TEST(a_snapshot_and_what_replaces_it_outlast_the_machine)
{
	synced.looks = true;
	begin("gmon.out", false);
	ticks_at(10, 3, 0);
	ticks_at(10, 4, 10);
	ck_assert_uint_eq(synced.n_files, 2);
	ck_assert_uint_eq(synced.ticks_before, 0);
	ck_assert_uint_eq(synced.n_directories, 1);
	ck_assert_uint_eq(synced.ticks_after, 3);
	finish();
	ck_assert_uint_eq(synced.n_files, 4);
	ck_assert_uint_eq(synced.ticks_before, 3);
	ck_assert_uint_eq(synced.n_directories, 2);
	ck_assert_uint_eq(synced.ticks_after, 7);
}
END_TEST

START_TEST(the_end_of_a_short_run_does_not_wait_for_the_disk)
{
	begin("gmon.out", false);
	ticks_at(10, 1, 9);
	finish();
	ck_assert_uint_eq(ticks_in("gmon.out"), 1);
	ck_assert_uint_eq(synced.n_files, 0);
	ck_assert_uint_eq(synced.n_directories, 0);
}
END_TEST

START_TEST(a_snapshot_that_fails_is_one_warning_and_the_run_goes_on)
{
	char *text;

	begin("gmon.out", false);
	take_all_names(true);
	for (unsigned s = 0; s < 60; s++)
		ticks_at(10, 1, s);
	/* As of a disk that was full for a while. */
	take_all_names(false);
	for (unsigned s = 60; s < 120; s++)
		ticks_at(10, 1, s);
	ck_assert_uint_gt(ticks_in("gmon.out"), 60);
	finish();
	ck_assert_uint_eq(ticks_in("gmon.out"), 120);
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, "profrun: warning: the profile could not be "
			       "saved each time while the program ran: "
			       "gmon.out: File exists\n");
	free(text);
}
END_TEST

/* A snapshot without its list would be taken for a whole profile. */
START_TEST(a_list_that_is_no_file_any_more_moves_both)
{
	char *text;

	begin("gmon.out", false);
	for (unsigned s = 0; s < 20; s++)
		ticks_at(10, 1, s);
	ck_assert(is_there("gmon.out"));
	ck_assert_int_eq(unlink("gmon.syms"), 0);
	ck_assert_int_eq(mkfifo("gmon.syms", 0600), 0);
	for (unsigned s = 20; s < 40; s++)
		ticks_at(10, 1, s);
	finish();
	ck_assert_uint_eq(ticks_in("gmon.out.profrun"), 40);
	ck_assert(is_there("gmon.out.profrun.syms"));
	ck_assert(!is_there("gmon.out"));
	ck_assert_int_eq(n_files_here(), 3);
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, "profrun: warning: gmon.syms: is no file any "
			       "more, and is left alone; the profile is "
			       "gmon.out.profrun\n");
	free(text);
}
END_TEST

START_TEST(what_has_files_of_its_own_is_not_saved_before)
{
	begin(_i ? "gmon.%p" : "gmon.%t", false);
	ck_assert_uint_eq(prf_record_files_every_ns(&files), 0);
	ticks_at(10, 1, 0);
	ticks_at(10, 1, 30);
	ck_assert(!is_there("gmon.10"));
	finish();
	ck_assert_uint_eq(ticks_in("gmon.10"), 2);
}
END_TEST

/* --- A gmon.out of something else */

#define LEFT_ALONE(name)                                                       \
	"profrun: warning: " name ": was written by something else, and is "   \
	"left alone; the profile is " name ".profrun\n"

START_TEST(a_gmon_out_of_something_else_is_left_alone)
{
	char *text;

	put_foreign();
	put("gmon.syms", "its", 3);
	begin("gmon.out", false);
	busy_child(11);
	finish();
	check_foreign();
	ck_assert(is_there("gmon.syms"));
	ck_assert_uint_eq(ticks_in("gmon.out.profrun"), 1);
	ck_assert(is_there("gmon.out.profrun.syms"));
	ck_assert_int_eq(n_files_here(), 4);
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, LEFT_ALONE("gmon.out"));
	free(text);
	text = printed();
	ck_assert_ptr_nonnull(strstr(text, "gmon.out.profrun "));
	free(text);
}
END_TEST

/* The program ends, its gmon.out is written, and then profrun's turn comes. */
START_TEST(what_the_program_writes_at_its_end_is_left_alone)
{
	char *text;

	begin("gmon.out", false);
	ticks_at(10, 1, 0);
	put_foreign();
	finish();
	check_foreign();
	ck_assert_uint_eq(ticks_in("gmon.out.profrun"), 1);
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, LEFT_ALONE("gmon.out"));
	free(text);
}
END_TEST

/* So would be that of an earlier run, whose file it replaces. */
START_TEST(what_replaces_an_older_profile_is_left_without_its_list)
{
	begin("gmon.out", false);
	ticks_at(10, 1, 0);
	finish();
	ck_assert(is_there("gmon.syms"));
	collector->base.ops->free(&collector->base);
	prf_record_files_clear(&files);
	prf_output_close(&output);
	begin("gmon.out", false);
	ticks_at(10, 2, 0);
	put_foreign();
	finish();
	check_foreign();
	ck_assert(!is_there("gmon.syms"));
	ck_assert_uint_eq(ticks_in("gmon.out.profrun"), 2);
	ck_assert(is_there("gmon.out.profrun.syms"));
}
END_TEST

/* The list of the snapshot would be taken for that of the program's file. */
START_TEST(what_replaces_a_snapshot_is_left_without_its_list)
{
	char *text;

	begin("gmon.out", false);
	ticks_at(10, 1, 0);
	ticks_at(10, 2, 10);
	ck_assert(is_there("gmon.syms"));
	ck_assert_int_eq(unlink("gmon.out"), 0);
	put_foreign();
	if (_i) {
		ticks_at(10, 4, 20);
		ck_assert_uint_eq(ticks_in("gmon.out.profrun"), 3);
		ticks_at(10, 8, 30);
		ck_assert_uint_eq(ticks_in("gmon.out.profrun"), 7);
		ticks_at(10, 16, 31);
	}
	finish();
	check_foreign();
	ck_assert(!is_there("gmon.syms"));
	ck_assert_uint_eq(ticks_in("gmon.out.profrun"), _i ? 31 : 3);
	ck_assert(is_there("gmon.out.profrun.syms"));
	ck_assert_int_eq(n_files_here(), 3);
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, LEFT_ALONE("gmon.out"));
	free(text);
}
END_TEST

START_TEST(an_older_profile_of_ours_is_replaced)
{
	char *text;

	begin("gmon.out", false);
	busy_child(11);
	finish();
	collector->base.ops->free(&collector->base);
	prf_record_files_clear(&files);
	prf_output_close(&output);
	begin("gmon.out", false);
	child_with(11, 2);
	finish();
	ck_assert_uint_eq(ticks_in("gmon.out"), 2);
	ck_assert_int_eq(n_files_here(), 2);
	ck_assert_uint_eq(complaints(&text), 0);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

/* --- A file for each process or thread */

START_TEST(a_program_has_its_files_as_soon_as_it_has_ended)
{
	begin("gmon.%p.out", false);
	child_with(11, 7);
	ck_assert_uint_eq(ticks_in("gmon.11.out"), 7);
	ck_assert(is_there("gmon.11.syms"));
	ck_assert(!is_there("gmon.10.out"));
	ticks_at(10, 3, 1);
	finish();
	ck_assert_uint_eq(ticks_in("gmon.10.out"), 3);
	ck_assert(is_there("gmon.10.syms"));
	ck_assert_int_eq(n_files_here(), 4);
	char *text = printed();
	ck_assert_str_eq(text,
			 "\n  profrun report gmon.10.out    # the whole table\n"
			 "  gmon.10.out    # the run: no file that gprof "
			 "could be given\n\n  gmon.11.out    # sort -r\n");
	free(text);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_does_not_lose_the_others)
{
	char *text;

	begin("gmon.out.%p", false);
	busy_child(11);
	take_all_names(true);
	busy_child(12);
	take_all_names(false);
	busy_child(13);
	finish();
	ck_assert(is_there("gmon.out.11"));
	ck_assert(is_there("gmon.out.13"));
	ck_assert(is_there("gmon.out.10"));
	ck_assert_uint_eq(complaints(&text), 1);
	ck_assert_str_eq(text, "profrun: gmon.out.12: File exists\n");
	free(text);
}
END_TEST

START_TEST(of_many_files_and_many_failures_the_first_are_told)
{
	enum { N = 30 };
	char *text;

	begin("gmon.out.%p", false);
	for (pid_t pid = 100; pid < 100 + N; pid++) {
		if (pid % 2)
			take_all_names(true);
		busy_child(pid);
		if (pid % 2)
			take_all_names(false);
	}
	finish();
	text = printed();
	ck_assert_ptr_nonnull(strstr(text, "  gmon.out.100  "));
	ck_assert_ptr_nonnull(strstr(text, "  gmon.out.114  "));
	ck_assert_ptr_null(strstr(text, "  gmon.out.116  "));
	ck_assert_ptr_nonnull(strstr(text, "  and 7 more\n"));
	free(text);
	ck_assert_uint_eq(complaints(&text), N / 2);
	ck_assert_ptr_nonnull(strstr(text, "gmon.out.115: "));
	ck_assert_ptr_null(strstr(text, "gmon.out.117: "));
	ck_assert_ptr_nonnull(
		strstr(text, "profrun: 7 more files could not be written\n"));
	free(text);
}
END_TEST

START_TEST(of_many_files_those_with_the_most_ticks_are_told_in_line)
{
	char *text;

	begin("gmon.out.%p", false);
	for (uint32_t i = 0; i < 40; i++)
		child_with(80 + (pid_t)i, i == 5 ? 1000 : i + 1);
	finish();
	text = printed();
	ck_assert_str_eq(text, "\n  gmon.out.85     # sort -r\n"
			       "  gmon.out.113    # sort -r\n"
			       "  gmon.out.114    # sort -r\n"
			       "  gmon.out.115    # sort -r\n"
			       "  gmon.out.116    # sort -r\n"
			       "  gmon.out.117    # sort -r\n"
			       "  gmon.out.118    # sort -r\n"
			       "  gmon.out.119    # sort -r\n"
			       "  and 32 more\n");
	free(text);
}
END_TEST

START_TEST(beyond_a_thousand_files_the_rest_have_one)
{
	char *text;

	begin("gmon.%p.out", false);
	for (pid_t pid = 1000; pid < 1000 + PRF_RECORD_MOST_FILES; pid++)
		busy_child(pid);
	ck_assert(is_there("gmon.1999.out"));
	child_with(3000, 4);
	child_with(3001, 5);
	ck_assert(!is_there("gmon.3000.out"));
	ck_assert(!is_there("gmon.rest.out"));
	finish();
	ck_assert_uint_eq(ticks_in("gmon.rest.out"), 9);
	ck_assert(!is_there("gmon.3001.out"));
	ck_assert(is_there("gmon.10.out"));
	text = printed();
	ck_assert_ptr_nonnull(
		strstr(text, "gmon.rest.out    # 2 beyond the first 1000"));
	free(text);
}
END_TEST

START_TEST(the_rest_of_each_interval_has_a_file_of_its_own)
{
	every_ns = 10 * UINT64_C(1000000000);
	begin("gmon.%i.%p.out", false);
	for (pid_t pid = 1000; pid < 1000 + PRF_RECORD_MOST_FILES; pid++)
		busy_child(pid);
	child_with(3000, 4);
	child_with(3001, 5);
	ticks_at(10, 1, 15);
	child_with(3002, 6);
	ck_assert_uint_eq(ticks_in("gmon.1.rest.out"), 9);
	ck_assert(is_there("gmon.2.3002.out"));
	finish();
	ck_assert(!is_there("gmon.2.rest.out"));
}
END_TEST

START_TEST(each_program_can_be_split)
{
	begin("x.%p", true);
	busy_child(11);
	finish();
	ck_assert(is_there("x.11.unknown"));
	ck_assert(is_there("x.11.unknown.syms"));
	ck_assert(!is_there("x.11"));
	char *text = printed();
	ck_assert_str_eq(text, "\n  x.11.*    # sort -r\n");
	free(text);
}
END_TEST

/* A thread TID of the first process, with TICKS. */
static void
thread_with(pid_t tid, uint32_t ticks)
{
	const struct prf_frame frame = {0x1000, PRF_FRAME_PC};
	const struct prf_sample sample = {.pid = 10,
					  .tid = tid,
					  .ticks = ticks,
					  .syscall = PRF_NO_SYSCALL,
					  .n_frames = 1,
					  .frames = &frame};
	const struct prf_life life = {
		.kind = PRF_LIFE_END, .pid = 10, .tid = tid, .name = "busy"};

	ck_assert_int_eq(collector->base.ops->sample(&collector->base, &sample),
			 0);
	ck_assert_int_eq(prf_sink_life(&collector->base, &life), 0);
}

START_TEST(each_thread_has_a_file_where_the_pattern_has_one)
{
	begin("x.%t", false);
	ticks_at(10, 1, 0);
	thread_with(20, 2);
	ck_assert_uint_eq(ticks_in("x.20"), 2);
	thread_with(21, 4);
	child_with(11, 8);
	finish();
	ck_assert_uint_eq(ticks_in("x.10"), 1);
	ck_assert_uint_eq(ticks_in("x.11"), 8);
	ck_assert_uint_eq(ticks_in("x.21"), 4);
	ck_assert_int_eq(n_files_here(), 8);
	char *text = printed();
	ck_assert_ptr_nonnull(
		strstr(text, "  x.20    # thread 20 of sort -r\n"));
	free(text);
}
END_TEST

/* A process PID, of RANK, with TICKS. */
static void
rank_with(pid_t pid, int32_t rank, uint32_t ticks)
{
	const struct prf_life life = {
		.kind = PRF_LIFE_EXIT, .pid = pid, .tid = pid, .name = ""};
	const struct prf_exec exec = {.pid = pid,
				      .time_ns = BEGIN_NS,
				      .path = "/bin/sort",
				      .command = "sort -r",
				      .addr_bytes = 8,
				      .rank = rank};

	ck_assert_int_eq(collector->base.ops->exec(&collector->base, &exec), 0);
	ticks_at(pid, ticks, 1);
	ck_assert_int_eq(prf_sink_life(&collector->base, &life), 0);
}

START_TEST(each_rank_has_a_file_where_the_pattern_has_one)
{
	begin("x.%r", false);
	ck_assert_uint_eq(prf_record_files_every_ns(&files), 0);
	rank_with(11, 0, 1);
	rank_with(12, 1, 2);
	rank_with(13, 1, 4);
	ck_assert(!is_there("x.1"));
	finish();
	ck_assert_uint_eq(ticks_in("x.0"), 1);
	ck_assert_uint_eq(ticks_in("x.1"), 6);
	/* What has started them had no tick. */
	ck_assert_int_eq(n_files_here(), 4);
}
END_TEST

START_TEST(what_is_no_rank_has_the_rest)
{
	begin("x.%r", false);
	rank_with(11, 3, 1);
	ticks_at(10, 2, 1);
	child_with(12, 4);
	finish();
	ck_assert_uint_eq(ticks_in("x.3"), 1);
	ck_assert_uint_eq(ticks_in("x.none"), 6);
	ck_assert_int_eq(n_files_here(), 4);
}
END_TEST

START_TEST(outside_of_mpi_all_is_rank_0)
{
	begin("x.%r", false);
	child_with(12, 4);
	finish();
	ck_assert_uint_eq(ticks_in("x.0"), 4);
	ck_assert_int_eq(n_files_here(), 2);
}
END_TEST

/* Where profrun is a rank itself, all that it runs is of it. */
START_TEST(a_rank_of_our_own_is_that_of_all)
{
	setenv("PMI_RANK", "9", 1);
	begin("x.%r", false);
	ck_assert_uint_gt(prf_record_files_every_ns(&files), 0);
	rank_with(11, 0, 1);
	rank_with(12, 1, 2);
	finish();
	ck_assert_uint_eq(ticks_in("x.9"), 3);
	ck_assert_int_eq(n_files_here(), 2);
}
END_TEST

static TCase *
run_case(void)
{
	TCase *tcase = tcase_create("run");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(
		tcase,
		all_processes_are_in_the_runs_file_which_comes_at_the_end);
	tcase_add_test(tcase, a_run_that_cannot_be_written_is_an_error);
	tcase_add_test(tcase, a_run_has_one_file_on_a_device);
	tcase_add_test(tcase, a_run_can_be_split);
	tcase_add_test(tcase, a_long_run_is_saved_and_the_end_replaces_that);
	tcase_add_test(tcase,
		       a_snapshot_and_what_replaces_it_outlast_the_machine);
	tcase_add_test(tcase,
		       the_end_of_a_short_run_does_not_wait_for_the_disk);
	tcase_add_test(
		tcase,
		a_snapshot_that_fails_is_one_warning_and_the_run_goes_on);
	tcase_add_test(tcase, a_list_that_is_no_file_any_more_moves_both);
	tcase_add_loop_test(
		tcase, what_has_files_of_its_own_is_not_saved_before, 0, 2);
	return tcase;
}

static TCase *
foreign_case(void)
{
	TCase *tcase = tcase_create("foreign");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_gmon_out_of_something_else_is_left_alone);
	tcase_add_test(tcase, what_the_program_writes_at_its_end_is_left_alone);
	tcase_add_loop_test(
		tcase, what_replaces_a_snapshot_is_left_without_its_list, 0, 2);
	tcase_add_test(tcase, an_older_profile_of_ours_is_replaced);
	tcase_add_test(tcase,
		       what_replaces_an_older_profile_is_left_without_its_list);
	return tcase;
}

static TCase *
each_case(void)
{
	TCase *tcase = tcase_create("each");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_program_has_its_files_as_soon_as_it_has_ended);
	tcase_add_test(tcase,
		       a_file_that_cannot_be_written_does_not_lose_the_others);
	tcase_add_test(tcase,
		       of_many_files_and_many_failures_the_first_are_told);
	tcase_add_test(
		tcase,
		of_many_files_those_with_the_most_ticks_are_told_in_line);
	tcase_add_test(tcase, beyond_a_thousand_files_the_rest_have_one);
	tcase_add_test(tcase, the_rest_of_each_interval_has_a_file_of_its_own);
	tcase_add_test(tcase, each_program_can_be_split);
	tcase_add_test(tcase, each_thread_has_a_file_where_the_pattern_has_one);
	tcase_add_test(tcase, each_rank_has_a_file_where_the_pattern_has_one);
	tcase_add_test(tcase, what_is_no_rank_has_the_rest);
	tcase_add_test(tcase, outside_of_mpi_all_is_rank_0);
	tcase_add_test(tcase, a_rank_of_our_own_is_that_of_all);
	return tcase;
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("record_files");

	suite_add_tcase(suite, run_case());
	suite_add_tcase(suite, foreign_case());
	suite_add_tcase(suite, each_case());
	return suite;
}
