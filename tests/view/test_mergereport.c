#include "view/table/mergereport.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static struct prf_profile *profile;
static struct prf_spread spread;

static void
setup(void)
{
	profile = prf_profile_new();
	ck_assert_ptr_nonnull(profile);
	profile->unit = (struct prf_profile_unit){100, "seconds", 's'};
}

static void
teardown(void)
{
	prf_spread_clear(&spread);
	prf_profile_free(profile);
	profile = NULL;
}

static void
add_ticks(struct prf_binary *binary, const char *function, uint64_t ticks)
{
	const struct prf_count count = {ticks, (double)ticks};

	ck_assert_int_eq(prf_spread_add(&spread, binary, function, &count), 0);
	prf_count_merge(&profile->total, &count);
}

/* A file called NAME: HOT ticks in hot, 1 in cold. */
static void
add(const char *name, uint64_t hot)
{
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");

	ck_assert_ptr_nonnull(app);
	app = prf_profile_take(profile, app);
	ck_assert_int_eq(prf_spread_begin(&spread, name), 0);
	add_ticks(app, "hot", hot);
	add_ticks(app, "cold", 1);
}

static char *
print(size_t max)
{
	const struct prf_style style = {.width = 80};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(
		prf_mergereport_print(profile, &spread, max, &style, out), 0);
	fclose(out);
	return text;
}

/* What is printed of files with NAMES (NULL at the end): the first has 10 ticks
 * in hot, each that follows 10 more. */
static char *
printed(const char *const *names, size_t max)
{
	for (uint64_t hot = 10; *names; names++, hot += 10)
		add(*names, hot);
	return print(max);
}

static void
assert_has(const char *const *names, const char *wanted)
{
	char *text = printed(names, 20);

	ck_assert_msg(strstr(text, wanted), "no '%s' in %s", wanted, text);
	free(text);
	teardown();
	setup();
}

START_TEST(the_spread_of_a_function_names_its_ranks)
{
	static const char *const names[] = {"a/gmon.out.2", "a/gmon.out.0",
					    "a/gmon.out.1", NULL};

	assert_has(names, "ranks       3\n");
	assert_has(names,
		   "  self %  95 % range     min in      median     max in    "
		   "  function  binary\n"
		   "   95.24  85.8-98.8       10 rank 2      20      30 rank 1"
		   "  hot       app\n"
		   "    4.76   1.2-14.2        1 rank 2       1       1 rank 1"
		   "  cold      app\n");
	assert_has(names, "ticks       63, 0.63 seconds at rate 100\n");
}
END_TEST

START_TEST(the_median_of_two_is_between_them)
{
	static const char *const names[] = {"x", "y", NULL};

	assert_has(names, "      10 x       15      20 y   hot       app\n");
}
END_TEST

START_TEST(ranks_may_have_more_than_one_digit)
{
	static const char *const names[] = {"r08.out", "r09.out", "r10.out",
					    "r00.out", "r01.out", "r02.out",
					    "r03.out", "r04.out", "r05.out",
					    "r06.out", "r07.out", NULL};

	assert_has(names, "ranks       11\n");
	assert_has(names, " rank 8 ");
}
END_TEST

START_TEST(numbers_that_are_no_ranks_are_names)
{
	static const struct {
		const char *names[3], *says;
	} rows[] = {
		{{"gmon.out.4711", "gmon.out.4712", NULL}, " gmo...4711 "},
		{{"gmon.out.0", "gmon.out.2", NULL}, " gmon.out.2 "},
		{{"a/p.0", "b/p.0", NULL}, "files       2\n"},
	};

	assert_has(rows[_i].names, rows[_i].says);
}
END_TEST

START_TEST(where_there_is_no_room_shares_have_no_range)
{
	static const char *const names[] = {"a-long-name-of-it", "b-long-name",
					    NULL};

	assert_has(names, "  self %     min in ");
	assert_has(names, "   93.75      10 a-l...f-it      15 ");
}
END_TEST

START_TEST(a_sample_of_many_ticks_widens_the_range)
{
	struct prf_count count = {0};
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");

	ck_assert_ptr_nonnull(app);
	app = prf_profile_take(profile, app);
	for (int i = 0; i < 10; i++)
		prf_count_add(&count, 10, 0);
	ck_assert_int_eq(prf_spread_begin(&spread, "x"), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(
			prf_spread_add(&spread, app, i ? "b" : "a", &count), 0);
		prf_count_merge(&profile->total, &count);
	}
	/* Of 10 of 20, not of 100 of 200, which is 43 to 57. */
	char *text = print(20);
	ck_assert_msg(strstr(text, "   50.00  27.8-72.2 "), "%s", text);
	free(text);
}
END_TEST

START_TEST(no_line_is_too_long)
{
	struct prf_binary *library = prf_binary_new(
		PRF_BINARY_FILE, "/lib/libwith-a-name-of-its-own.so.12.1.6");

	add("a-very-long-name-of-a-file", UINT64_C(1) << 30);
	add("another-very-long-name-of-a-file", 7);
	ck_assert_ptr_nonnull(library);
	library = prf_profile_take(profile, library);
	add_ticks(library,
		  "_ZN9namespace8classname8functionEPKc.constprop.0.isra.7",
		  1000);
	char *text = print(20);
	ck_assert_ptr_nonnull(strstr(text, ".6\n"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_msg(strlen(line) <= 80, "%s", line);
	free(text);
}
END_TEST

START_TEST(no_more_than_was_asked_for_is_shown)
{
	static const char *const names[] = {"x", NULL};
	char *text = printed(names, 1);

	ck_assert_ptr_nonnull(strstr(text, "hot"));
	ck_assert_ptr_null(strstr(text, "cold"));
	free(text);
}
END_TEST

START_TEST(a_file_without_a_function_has_no_ticks_in_it)
{
	add("x", 10);
	ck_assert_int_eq(prf_spread_begin(&spread, "y"), 0);
	add("z", 30);
	char *text = print(20);
	ck_assert_ptr_nonnull(
		strstr(text, "       0 y       10      30 z   hot  "));
	free(text);
}
END_TEST

START_TEST(files_and_names_cannot_steer_a_terminal)
{
	static const char *const names[] = {"\033[2Jx", "y\n", NULL};

	char *text = printed(names, 20);
	ck_assert_ptr_null(strchr(text, '\033'));
	ck_assert_ptr_nonnull(strstr(text, " ?[2Jx "));
	ck_assert_ptr_nonnull(strstr(text, " y? "));
	free(text);
}
END_TEST

START_TEST(overloads_are_told_apart)
{
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");

	ck_assert_ptr_nonnull(app);
	app = prf_profile_take(profile, app);
	ck_assert_int_eq(prf_spread_begin(&spread, "one"), 0);
	add_ticks(app, "_Z4workIiEvv", 3);
	add_ticks(app, "_Z4workIlEvv", 2);
	char *text = print(20);
	ck_assert_msg(strstr(text, "work [int]   app\n"), "%s", text);
	ck_assert_msg(strstr(text, "work [long]  app\n"), "%s", text);
	free(text);
}
END_TEST

START_TEST(arcs_and_what_is_left_out_are_counted)
{
	const struct prf_arc arc = {.count = 3};

	add("x", 10);
	ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arc), 0);
	profile->n_bbs = 17;
	char *text = print(20);
	ck_assert_ptr_nonnull(strstr(text, "  arcs        1\n"));
	ck_assert_ptr_nonnull(strstr(
		text,
		"  left out    17 counts of basic blocks are left out\n"));
	free(text);
}
END_TEST

START_TEST(without_files_there_is_nothing_and_without_ticks_no_table)
{
	char *text = print(20);

	ck_assert_str_eq(text, "");
	free(text);
	ck_assert_int_eq(prf_spread_begin(&spread, "x"), 0);
	text = print(20);
	ck_assert_str_eq(text, "\n  files       1\n"
			       "  ticks       0, 0.00 seconds at rate 100\n");
	free(text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("mergereport");
	TCase *tcase = tcase_create("mergereport");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_spread_of_a_function_names_its_ranks);
	tcase_add_test(tcase, the_median_of_two_is_between_them);
	tcase_add_test(tcase, ranks_may_have_more_than_one_digit);
	tcase_add_loop_test(tcase, numbers_that_are_no_ranks_are_names, 0, 3);
	tcase_add_test(tcase, where_there_is_no_room_shares_have_no_range);
	tcase_add_test(tcase, a_sample_of_many_ticks_widens_the_range);
	tcase_add_test(tcase, no_line_is_too_long);
	tcase_add_test(tcase, no_more_than_was_asked_for_is_shown);
	tcase_add_test(tcase, a_file_without_a_function_has_no_ticks_in_it);
	tcase_add_test(tcase, files_and_names_cannot_steer_a_terminal);
	tcase_add_test(tcase, overloads_are_told_apart);
	tcase_add_test(tcase, arcs_and_what_is_left_out_are_counted);
	tcase_add_test(
		tcase,
		without_files_there_is_nothing_and_without_ticks_no_table);
	suite_add_tcase(suite, tcase);
	return suite;
}
