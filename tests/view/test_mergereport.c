#include "view/mergereport.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static const char list[] = "# gmon.syms 1\n"
			   "# object 0 800 0 - /bin/app\n"
			   "0000000000000000 T hot\n"
			   "0000000000000400 T cold\n"
			   "0000000000000800 T [end]\n";

/* A file called NAME: HOT ticks in hot, 1 in cold. */
static void
add(struct prf_merge *merge, const char *name, uint64_t hot)
{
	uint64_t counts[2 * PRF_BLOCK_BINS] = {hot};
	struct prf_gmon_hist hist = {
		.hi_vaddr = sizeof counts / 4,
		.counts = counts,
		.n_bins = 2 * PRF_BLOCK_BINS,
	};
	const struct prf_gmon gmon = {
		.reading = {8, false},
		.rate_hz = 100,
		.dimension = "seconds",
		.hists = &hist,
		.n_hists = 1,
		.ticks = hot + 1,
	};
	struct prf_error err = {0};

	counts[PRF_BLOCK_BINS] = 1;
	ck_assert_msg(
		!prf_merge_add(merge, name, &gmon, list, strlen(list), &err),
		"%s", err.text);
}

/* What is printed of files with NAMES (NULL at the end): the first has 10 ticks
 * in hot, each that follows 10 more. */
static char *
printed(const char *const *names, size_t max)
{
	struct prf_merge *merge = prf_merge_new();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (uint64_t hot = 10; *names; names++, hot += 10)
		add(merge, *names, hot);
	ck_assert_int_eq(prf_mergereport_print(merge, max, out), 0);
	prf_merge_free(merge);
	fclose(out);
	return text;
}

static void
assert_has(const char *const *names, const char *wanted)
{
	char *text = printed(names, 20);

	ck_assert_msg(strstr(text, wanted), "no '%s' in %s", wanted, text);
	free(text);
}

START_TEST(the_spread_of_a_function_names_its_ranks)
{
	static const char *const names[] = {"a/gmon.out.2", "a/gmon.out.0",
					    "a/gmon.out.1", NULL};

	assert_has(names, "ranks       3\n");
	assert_has(names, "60         10 rank 2                 20         30 "
			  "rank 1          hot  app\n");
	assert_has(names, "ticks       63, 0.63 seconds at rate 100\n");
}
END_TEST

START_TEST(the_median_of_two_is_between_them)
{
	static const char *const names[] = {"x", "y", NULL};

	assert_has(names,
		   "30         10 x                      15         20 y");
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
	static const char *const pids[] = {"gmon.out.4711", "gmon.out.4712",
					   NULL};
	static const char *const gap[] = {"gmon.out.0", "gmon.out.2", NULL};
	static const char *const twice[] = {"a/p.0", "b/p.0", NULL};

	assert_has(pids, " gmon.out.4711 ");
	assert_has(gap, " gmon.out.2 ");
	assert_has(twice, "files       2\n");
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

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("mergereport");
	TCase *tcase = tcase_create("mergereport");

	tcase_add_test(tcase, the_spread_of_a_function_names_its_ranks);
	tcase_add_test(tcase, the_median_of_two_is_between_them);
	tcase_add_test(tcase, ranks_may_have_more_than_one_digit);
	tcase_add_test(tcase, numbers_that_are_no_ranks_are_names);
	tcase_add_test(tcase, no_more_than_was_asked_for_is_shown);
	suite_add_tcase(suite, tcase);
	return suite;
}
