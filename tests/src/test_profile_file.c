#include "src/commands/profile_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/gmon.h"
#include "core/scope.h"
#include "src/recorded.h"
#include "support/suite.h"

#define APP "/no/such/app"
#define OTHER "/no/such/other"
#define LIST_OF(path)                                                          \
	"# gmon.syms 1\n# object 1000 2000 0 - " path                          \
	"\n0000000000001000 T main\n0000000000002000 T [end]\n"

static struct prf_profile_sum sum;
static struct prf_spread spread;

/* A gmon.out with TICKS at 0x1100, where those of a recorded run are. */
static void
write_gmon(const char *path, uint64_t ticks, const char *syms_path,
	   const char *list)
{
	const struct prf_gmon_target target = {.addr_bytes = 8, .rate_hz = 100};
	struct prf_gmon_writer *writer;
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_gmon_writer_new(out, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_ticks(writer, 0x1100, ticks, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(out);
	if (list)
		recorded_write(syms_path, list, strlen(list));
}

static const char *const no_children[] = {NULL};

static void
begin_sum(void)
{
	ck_assert_int_eq(prf_profile_sum_init(&sum, &spread, NULL), 0);
}

static void
end_sum(void)
{
	prf_profile_sum_clear(&sum);
	prf_spread_clear(&spread);
}

static void
enter(void)
{
	recorded_enter();
	begin_sum();
}

static void
leave(void)
{
	end_sum();
	recorded_leave();
}

static void
enter_files(void)
{
	enter();
	write_gmon("gmon.out", 1, "gmon.syms", LIST_OF(APP));
	write_gmon("listed", 10, "listed.syms", LIST_OF(APP));
	write_gmon("other", 100, "other.syms", LIST_OF(OTHER));
	write_gmon("plain", 1000, NULL, NULL);
	write_gmon("cut", 1, "cut.syms", "# gmon.syms 1\n");
	write_gmon("barred", 1, NULL, NULL);
	ck_assert_int_eq(symlink(".", "barred.syms"), 0);
	write_gmon("waiting", 1, NULL, NULL);
	ck_assert_int_eq(mkfifo("waiting.syms", 0600), 0);
	recorded_run("trace", APP, 10000, no_children);
	recorded_run("another", OTHER, 100000, no_children);
	recorded_write("empty", "", 0);
	recorded_write("noise", "no profile at all", 17);
}

static int
add_all(const char *const *paths, struct prf_error *err)
{
	const struct prf_reading quiet = {.messages.verbosity = -1};
	int rc = 0;

	for (; !rc && *paths; paths++)
		rc = prf_profile_sum_add(&sum, *paths, &quiet, err);
	return rc;
}

/* The ticks of all binaries at PATH. */
static uint64_t
ticks_of(const char *path)
{
	const struct prf_profile *profile = prf_profile_sum_whole(&sum);
	uint64_t ticks = 0;

	for (size_t i = 0; i < profile->n_binaries; i++)
		if (strcmp(profile->binaries[i]->path, path) == 0)
			ticks += profile->binaries[i]->total.ticks;
	return ticks;
}

/* --- Which files */

static const struct {
	const char *paths[5];
	uint64_t app, other, nameless;
} sums[] = {
	{{NULL}, 0, 0, 0},
	{{"gmon.out", NULL}, 1, 0, 0},
	{{"./gmon.out", "listed", NULL}, 11, 0, 0},
	{{"listed", "listed", "gmon.out", "listed", NULL}, 31, 0, 0},
	{{"plain", "plain", NULL}, 0, 0, 2000},
	{{"trace", NULL}, 10000, 0, 0},
	{{"trace", "gmon.out", NULL}, 10001, 0, 0},
	{{"gmon.out", "trace", "listed", NULL}, 10011, 0, 0},
	{{"other", NULL}, 0, 100, 0},
	/* Of different programs. */
	{{"gmon.out", "listed", "other", NULL}, 11, 100, 0},
	{{"trace", "other", NULL}, 10000, 100, 0},
	{{"other", "trace", "another", NULL}, 10000, 100100, 0},
	{{"another", "trace", "trace", NULL}, 20000, 100000, 0},
};

START_TEST(all_that_is_named_is_added)
{
	struct prf_error err = {0};
	size_t n = 0;

	while (sums[_i].paths[n])
		n++;
	ck_assert_msg(!add_all(sums[_i].paths, &err), "%s", err.text);
	ck_assert_uint_eq(ticks_of(APP), sums[_i].app);
	ck_assert_uint_eq(ticks_of(OTHER), sums[_i].other);
	ck_assert_uint_eq(ticks_of(""), sums[_i].nameless);
	ck_assert_uint_eq(prf_profile_sum_whole(&sum)->total.ticks,
			  sums[_i].app + sums[_i].other + sums[_i].nameless);
	ck_assert_uint_eq(spread.n_files, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(spread.files[i], sums[_i].paths[i]);
}
END_TEST

START_TEST(what_each_file_has_is_kept)
{
	const char *const paths[] = {"listed", "trace", "gmon.out", NULL};
	uint64_t ticks[3] = {0};

	ck_assert_int_eq(add_all(paths, NULL), 0);
	for (size_t i = 0; i < spread.n_shares; i++) {
		ck_assert_uint_lt(spread.shares[i].file, 3);
		ticks[spread.shares[i].file] += spread.shares[i].ticks;
	}
	ck_assert_uint_eq(ticks[0], 10);
	ck_assert_uint_eq(ticks[1], 10000);
	ck_assert_uint_eq(ticks[2], 1);
}
END_TEST

START_TEST(nobody_need_ask_what_each_file_has)
{
	const char *const paths[] = {"listed", "trace", NULL};

	end_sum();
	ck_assert_int_eq(prf_profile_sum_init(&sum, NULL, NULL), 0);
	ck_assert_int_eq(add_all(paths, NULL), 0);
	ck_assert_uint_eq(prf_profile_sum_whole(&sum)->total.ticks, 10010);
}
END_TEST

START_TEST(a_list_can_stand_elsewhere)
{
	struct prf_error err = {0};

	ck_assert_int_eq(
		prf_profile_sum_add_gmon(&sum, "plain", "listed.syms", &err),
		0);
	ck_assert_uint_eq(ticks_of(APP), 1000);
	/* One that is named must be there. */
	ck_assert_int_eq(
		prf_profile_sum_add_gmon(&sum, "plain", "no.syms", &err),
		-ENOENT);
	ck_assert_int_eq(strncmp(err.text, "no.syms: ", 9), 0);
}
END_TEST

static const struct {
	const char *paths[4];
	int rc;
	const char *error; /* how it begins */
} refused[] = {
	{{"nosuch", NULL}, -ENOENT, "nosuch: "},
	{{"", NULL}, -ENOENT, ": "},
	{{"/dev/zero", NULL}, -EINVAL, "/dev/zero: "},
	{{"waiting.syms", NULL}, -EINVAL, "waiting.syms: "},
	{{".", NULL}, -EISDIR, ".: "},
	{{"empty", NULL}, -EBADMSG, "empty: "},
	{{"noise", NULL}, -EBADMSG, "noise: "},
	{{"gmon.syms", NULL}, -EBADMSG, "gmon.syms: "},
	{{"gmon.out", "noise", "listed", NULL}, -EBADMSG, "noise: "},
	/* Lists. */
	{{"cut", NULL}, -EBADMSG, "cut: its list of symbols: line 1: cut"},
	{{"barred", NULL}, -EISDIR, "barred.syms: "},
	{{"waiting", NULL}, -EINVAL, "waiting.syms: "},
	{{"gmon.out", "plain", NULL}, -EINVAL, "plain: no list of symbols "},
	{{"plain", "gmon.out", NULL}, -EINVAL, "gmon.out: a list of symbols "},
	{{"plain", "trace", NULL}, -EINVAL, "trace: a list of symbols "},
	{{"trace", "plain", NULL}, -EINVAL, "plain: no list of symbols "},
};

START_TEST(what_cannot_be_added_is_refused_with_its_name)
{
	const char *begin = refused[_i].error;
	struct prf_error err = {0};

	ck_assert_int_eq(add_all(refused[_i].paths, &err), refused[_i].rc);
	ck_assert_msg(strncmp(err.text, begin, strlen(begin)) == 0, "%s",
		      err.text);
}
END_TEST

START_TEST(a_gmon_out_that_was_cut_anywhere_is_refused)
{
	const char *const paths[] = {"half", NULL};
	char bytes[4096];
	FILE *in = fopen("plain", "r");
	size_t n_bytes = fread(bytes, 1, sizeof bytes, in);

	fclose(in);
	ck_assert_uint_gt(n_bytes, 20);
	/* In the heads, everywhere; among the counters, here and there.  A header
	 * alone is a profile of nothing. */
	for (size_t n = 0; n < n_bytes; n += n < 80 ? 1 : 97) {
		struct prf_error err = {0};

		if (n == 20)
			continue;
		end_sum();
		begin_sum();
		recorded_write("half", bytes, n);
		ck_assert_msg(add_all(paths, &err) == -EBADMSG, "%zu: %s", n,
			      err.text);
		ck_assert_int_eq(strncmp(err.text, "half: ", 6), 0);
	}
}
END_TEST

/* --- Traces */

/* Adds PATH; what was said in *SAID, to be free()d. */
static int
add_trace(const char *path, const struct prf_wanted *wanted, char **said,
	  struct prf_error *err)
{
	struct prf_reading reading = {.wanted = *wanted,
				      .messages = recorded_messages(said)};
	int rc = prf_profile_sum_add_trace(&sum, path, &reading, err);

	fclose(reading.messages.stream);
	return rc;
}

/* All of PATH, and nobody listens. */
static void
add_whole(const char *path)
{
	const struct prf_wanted all = {0};
	struct prf_error err = {0};
	char *said = NULL;

	ck_assert_msg(!add_trace(path, &all, &said, &err), "%s", err.text);
	free(said);
}

static uint64_t
processes_of(const char *path)
{
	const struct prf_programs *programs =
		&prf_profile_sum_whole(&sum)->programs;

	for (size_t i = 0; i < programs->n; i++)
		if (strcmp(programs->rows[i].path, path) == 0)
			return programs->rows[i].n_processes;
	return 0;
}

/* Each process has 7 ticks. */
static const struct {
	const char *children[4];
	struct prf_wanted wanted;
	uint64_t app, n_app, other, n_other;
} runs[] = {
	{{NULL}, {0}, 7, 1, 0, 0},
	{{"", NULL}, {0}, 14, 2, 0, 0},
	{{"", "", APP, NULL}, {0}, 28, 4, 0, 0},
	{{OTHER, NULL}, {0}, 7, 1, 7, 1},
	{{OTHER, "", OTHER, NULL}, {0}, 14, 2, 14, 2},
	{{"", NULL}, {.pid = 1000}, 7, 1, 0, 0},
	{{"", NULL}, {.pid = 1001}, 7, 1, 0, 0},
	{{OTHER, NULL}, {.pid = 1001}, 0, 0, 7, 1},
	/* Children end after half a second, the first process after one. */
	{{OTHER, NULL}, {.to_ns = 600000000}, 0, 0, 7, 1},
};

START_TEST(a_trace_without_what_is_wanted_is_refused)
{
	const struct prf_wanted wanted = {.pid = 4};
	struct prf_error err = {0};
	char *said = NULL;

	recorded_run("trace", APP, 7, runs[0].children);
	ck_assert_int_eq(add_trace("trace", &wanted, &said, &err), -ENOENT);
	ck_assert_str_eq(err.text,
			 "trace: no samples of process 4; the trace has 1");
	free(said);
}
END_TEST

START_TEST(all_processes_are_added_whatever_their_program)
{
	struct prf_error err = {0};
	char *said = NULL;

	recorded_run("trace", APP, 7, runs[_i].children);
	ck_assert_msg(!add_trace("trace", &runs[_i].wanted, &said, &err), "%s",
		      err.text);
	ck_assert_uint_eq(prf_profile_sum_whole(&sum)->total.ticks,
			  runs[_i].app + runs[_i].other);
	ck_assert_uint_eq(ticks_of(APP), runs[_i].app);
	ck_assert_uint_eq(ticks_of(OTHER), runs[_i].other);
	ck_assert_uint_eq(processes_of(APP), runs[_i].n_app);
	ck_assert_uint_eq(processes_of(OTHER), runs[_i].n_other);
	/* That the files are gone, and nothing else. */
	ck_assert_msg(!strstr(said, "ticks"), "%s", said);
	free(said);
	ck_assert_uint_eq(spread.n_files, 1);
	ck_assert_str_eq(spread.files[0], "trace");
}
END_TEST

static void
check_program(const char *path)
{
	const struct prf_binary *program = prf_profile_sum_whole(&sum)->program;

	ck_assert_ptr_nonnull(program);
	ck_assert_str_eq(program->path, path);
}

/* A shell that becomes what it was told to run. */
START_TEST(the_program_is_what_the_first_process_was_in_the_end)
{
	struct recorded recorded = recorded_begin("trace", &recorded_info);

	recorded_exec(&recorded, 10, OTHER);
	recorded_ticks(&recorded, 10, 0.25, 3);
	recorded_exec(&recorded, 10, APP);
	recorded_ticks(&recorded, 10, 0.5, 5);
	recorded_end(&recorded);
	add_whole("trace");
	check_program(APP);
	ck_assert_uint_eq(ticks_of(APP), 5);
	ck_assert_uint_eq(ticks_of(OTHER), 3);
}
END_TEST

START_TEST(a_number_that_comes_again_is_another_process)
{
	struct recorded recorded = recorded_begin("trace", &recorded_info);

	recorded_exec(&recorded, 10, APP);
	recorded_ticks(&recorded, 10, 0.25, 3);
	recorded_fork(&recorded, 11, 10);
	recorded_exit(&recorded, 10);
	recorded_fork(&recorded, 10, 11);
	recorded_exec(&recorded, 10, OTHER);
	recorded_ticks(&recorded, 10, 0.5, 5);
	recorded_exit(&recorded, 10);
	recorded_exit(&recorded, 11);
	recorded_end(&recorded);
	add_whole("trace");
	check_program(APP);
}
END_TEST

/* As a trace has it that was begun by a fork alone, or is damaged. */
START_TEST(a_program_that_was_never_told_is_the_unknown_one)
{
	struct recorded recorded = recorded_begin("trace", &recorded_info);

	recorded_fork(&recorded, 10, 0);
	recorded_exec(&recorded, 11, OTHER);
	recorded_ticks(&recorded, 11, 0.5, 5);
	recorded_end(&recorded);
	add_whole("trace");
	ck_assert_ptr_null(prf_profile_sum_whole(&sum)->program);
	ck_assert_uint_eq(ticks_of(OTHER), 5);
}
END_TEST

START_TEST(traces_of_two_rates_are_refused)
{
	const struct prf_wanted all = {0};
	struct prf_pctrace_info info = recorded_info;
	struct prf_error err = {0};
	char *said = NULL;

	recorded_run("one", APP, 1, no_children);
	info.period_ns = 1000000;
	struct recorded recorded = recorded_begin("two", &info);
	recorded_exec(&recorded, 10, APP);
	recorded_ticks(&recorded, 10, 0.5, 1);
	recorded_end(&recorded);
	add_whole("one");
	ck_assert_int_eq(add_trace("two", &all, &said, &err), -EINVAL);
	free(said);
	ck_assert_str_eq(err.text, "two: rate 1000, 100 before: ticks of two "
				   "lengths do not add");
}
END_TEST

static const struct {
	const char *path;
	int rc;
} hostile[] = {
	{"nosuch", -ENOENT}, {"/dev/zero", -EINVAL}, {".", -EINVAL},
	{"empty", -EBADMSG}, {"magic", -EBADMSG},
};

START_TEST(what_is_no_trace_is_refused_with_its_name)
{
	const struct prf_wanted all = {0};
	const char *path = hostile[_i].path;
	struct prf_error err = {0};
	char *said = NULL;

	recorded_write("empty", "", 0);
	recorded_write("magic", "\211pctrace", 8);
	ck_assert_int_eq(add_trace(path, &all, &said, &err), hostile[_i].rc);
	ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0 &&
			      err.text[strlen(path)] == ':',
		      "%s", err.text);
	ck_assert_str_eq(said, "");
	free(said);
}
END_TEST

/* Samples, and nothing of what they are of. */
START_TEST(a_trace_without_a_program_adds_nothing_or_says_why)
{
	const struct prf_wanted all = {0};
	struct recorded recorded = recorded_begin("trace", &recorded_info);
	struct prf_error err = {0};
	char *said = NULL;

	recorded_ticks(&recorded, 10, 0.5, 5);
	recorded_end(&recorded);
	ck_assert_int_eq(add_trace("trace", &all, &said, &err), 0);
	ck_assert_uint_eq(prf_profile_sum_whole(&sum)->total.ticks, 0);
	ck_assert_msg(strstr(said, "5 ticks and "), "%s", said);
	free(said);
}
END_TEST

static TCase *
files_case(void)
{
	TCase *tcase = tcase_create("files");

	/* Some read many files. */
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, enter_files, leave);
	tcase_add_loop_test(tcase, all_that_is_named_is_added, 0,
			    sizeof sums / sizeof *sums);
	tcase_add_test(tcase, what_each_file_has_is_kept);
	tcase_add_test(tcase, nobody_need_ask_what_each_file_has);
	tcase_add_test(tcase, a_list_can_stand_elsewhere);
	tcase_add_loop_test(tcase,
			    what_cannot_be_added_is_refused_with_its_name, 0,
			    sizeof refused / sizeof *refused);
	tcase_add_test(tcase, a_gmon_out_that_was_cut_anywhere_is_refused);
	return tcase;
}

static TCase *
traces_case(void)
{
	TCase *tcase = tcase_create("traces");

	tcase_add_checked_fixture(tcase, enter, leave);
	tcase_add_test(tcase, a_trace_without_what_is_wanted_is_refused);
	tcase_add_loop_test(tcase,
			    all_processes_are_added_whatever_their_program, 0,
			    sizeof runs / sizeof *runs);
	tcase_add_test(tcase,
		       the_program_is_what_the_first_process_was_in_the_end);
	tcase_add_test(tcase, a_number_that_comes_again_is_another_process);
	tcase_add_test(tcase, a_program_that_was_never_told_is_the_unknown_one);
	tcase_add_test(tcase, traces_of_two_rates_are_refused);
	tcase_add_loop_test(tcase, what_is_no_trace_is_refused_with_its_name, 0,
			    sizeof hostile / sizeof *hostile);
	tcase_add_test(tcase,
		       a_trace_without_a_program_adds_nothing_or_says_why);
	return tcase;
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("profile_file");

	suite_add_tcase(suite, files_case());
	suite_add_tcase(suite, traces_case());
	return suite;
}
