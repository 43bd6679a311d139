#include "src/trace_addends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/recorded.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_merge, prf_merge_free);

#define APP "/no/such/app"
#define OTHER "/no/such/other"

/* Adds PATH; what was said in *SAID, to be free()d. */
static int
add(struct prf_merge *merge, const char *path, const struct prf_wanted *wanted,
    char **said, struct prf_error *err)
{
	struct prf_reading reading = {.wanted = *wanted,
				      .messages = recorded_messages(said)};
	int rc = prf_trace_addends_add(merge, path, &reading, err);

	fclose(reading.messages.stream);
	return rc;
}

/* Each process has 7 ticks. */
static const struct {
	const char *children[4];
	struct prf_wanted wanted;
	uint64_t ticks;
	size_t n_files;
	const char *left_out; /* NULL: nothing */
} runs[] = {
	{{NULL}, {0}, 7, 1, NULL},
	{{"", NULL}, {0}, 14, 2, NULL},
	{{"", "", APP, NULL}, {0}, 28, 4, NULL},
	{{OTHER, NULL}, {0}, 7, 1, "7 ticks of 1 other program,"},
	{{OTHER, "", OTHER, NULL}, {0}, 14, 2, "14 ticks of 2 other programs,"},
	/* The first process is there even without ticks; others are not. */
	{{"", NULL}, {.pid = 1000}, 7, 1, NULL},
	{{"", NULL}, {.pid = 1001}, 7, 2, NULL},
	{{OTHER, NULL}, {.pid = 4}, 0, 1, NULL},
};

START_TEST(processes_of_the_first_ones_program_are_added_and_others_told)
{
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct prf_error err = {0};
	char *said = NULL;

	recorded_run("trace", APP, 7, runs[_i].children);
	ck_assert_msg(!add(merge, "trace", &runs[_i].wanted, &said, &err), "%s",
		      err.text);
	ck_assert_uint_eq(merge->ticks, runs[_i].ticks);
	ck_assert_uint_eq(merge->n_files, runs[_i].n_files);
	ck_assert(merge->has_lists);
	if (runs[_i].left_out)
		ck_assert_msg(strstr(said, runs[_i].left_out), "%s", said);
	else
		ck_assert_msg(!strstr(said, "other program"), "%s", said);
	free(said);
}
END_TEST

static bool
has_file(const struct prf_merge *merge, const char *name)
{
	for (size_t i = 0; i < merge->n_files; i++)
		if (strcmp(merge->files[i].name, name) == 0)
			return true;
	return false;
}

START_TEST(the_first_process_goes_by_the_traces_name)
{
	static const char *const children[] = {"", NULL};
	const struct prf_wanted all = {0};
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	char *said = NULL;

	recorded_run("trace", APP, 1, children);
	ck_assert_int_eq(add(merge, "trace", &all, &said, NULL), 0);
	ck_assert(has_file(merge, "trace"));
	ck_assert(has_file(merge, "trace:1001"));
	free(said);
}
END_TEST

/* A shell that becomes what it was told to run. */
START_TEST(the_program_is_what_the_first_process_was_in_the_end)
{
	const struct prf_wanted all = {0};
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct recorded recorded = recorded_begin("trace", &recorded_info);
	char *said = NULL;

	recorded_exec(&recorded, 10, OTHER);
	recorded_ticks(&recorded, 10, 0.25, 3);
	recorded_exec(&recorded, 10, APP);
	recorded_ticks(&recorded, 10, 0.5, 5);
	recorded_end(&recorded);
	ck_assert_int_eq(add(merge, "trace", &all, &said, NULL), 0);
	ck_assert_uint_eq(merge->ticks, 5);
	ck_assert_str_eq(merge->objects[0]->path, APP);
	ck_assert_msg(strstr(said, "3 ticks of 1 other program,"), "%s", said);
	free(said);
}
END_TEST

static const char *const no_children[] = {NULL};

START_TEST(traces_of_two_programs_are_refused_with_both_names)
{
	const struct prf_wanted all = {0};
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct prf_error err = {0};
	char *said = NULL;

	recorded_run("one", APP, 1, no_children);
	recorded_run("two", OTHER, 1, no_children);
	ck_assert_int_eq(add(merge, "one", &all, &said, &err), 0);
	free(said);
	ck_assert_int_eq(add(merge, "two", &all, &said, &err), -EINVAL);
	free(said);
	ck_assert_int_eq(
		strncmp(err.text, "two: of another program than one: " OTHER,
			sizeof "two: of another program than one: " OTHER - 1),
		0);
	ck_assert_ptr_nonnull(strstr(err.text, ", not " APP " ("));
}
END_TEST

START_TEST(traces_of_two_rates_are_refused)
{
	const struct prf_wanted all = {0};
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct prf_pctrace_info info = recorded_info;
	struct prf_error err = {0};
	char *said = NULL;

	recorded_run("one", APP, 1, no_children);
	info.period_ns = 1000000;
	struct recorded recorded = recorded_begin("two", &info);
	recorded_exec(&recorded, 10, APP);
	recorded_ticks(&recorded, 10, 0.5, 1);
	recorded_end(&recorded);
	ck_assert_int_eq(add(merge, "one", &all, &said, &err), 0);
	free(said);
	ck_assert_int_eq(add(merge, "two", &all, &said, &err), -EINVAL);
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
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	const char *path = hostile[_i].path;
	struct prf_error err = {0};
	char *said = NULL;

	recorded_write("empty", "", 0);
	recorded_write("magic", "\211pctrace", 8);
	ck_assert_int_eq(add(merge, path, &all, &said, &err), hostile[_i].rc);
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
	PRF_AUTO(prf_merge_auto) struct prf_merge *merge = prf_merge_new();
	struct recorded recorded = recorded_begin("trace", &recorded_info);
	struct prf_error err = {0};
	char *said = NULL;

	recorded_ticks(&recorded, 10, 0.5, 5);
	recorded_end(&recorded);
	ck_assert_int_eq(add(merge, "trace", &all, &said, &err), 0);
	ck_assert_uint_eq(merge->ticks, 0);
	ck_assert_msg(strstr(said, "5 ticks and "), "%s", said);
	free(said);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("trace_addends");
	TCase *tcase = tcase_create("trace_addends");

	tcase_add_checked_fixture(tcase, recorded_enter, recorded_leave);
	tcase_add_loop_test(
		tcase,
		processes_of_the_first_ones_program_are_added_and_others_told,
		0, sizeof runs / sizeof *runs);
	tcase_add_test(tcase, the_first_process_goes_by_the_traces_name);
	tcase_add_test(tcase,
		       the_program_is_what_the_first_process_was_in_the_end);
	tcase_add_test(tcase,
		       traces_of_two_programs_are_refused_with_both_names);
	tcase_add_test(tcase, traces_of_two_rates_are_refused);
	tcase_add_loop_test(tcase, what_is_no_trace_is_refused_with_its_name, 0,
			    sizeof hostile / sizeof *hostile);
	tcase_add_test(tcase,
		       a_trace_without_a_program_adds_nothing_or_says_why);
	suite_add_tcase(suite, tcase);
	return suite;
}
