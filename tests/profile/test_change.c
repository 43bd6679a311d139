#include "profile/change.h"

#include <math.h>
#include <string.h>

#include "profile/made_runs.h"
#include "support/suite.h"

enum { FUNCTIONS = 60, MOST_RUNS = 10, SAMPLES = 5000 };

/* Runs that are compared, with room for all. */
struct made {
	struct random random;
	double old_shares[FUNCTIONS], new_shares[FUNCTIONS];
	struct prf_count counts[FUNCTIONS * MOST_RUNS], totals[MOST_RUNS];
	double tick_s[MOST_RUNS];
	struct prf_change_runs runs;
	struct prf_changes changes;
};

static struct made made;

static void
begin(void)
{
	memset(&made, 0, sizeof made);
	made.random = random_begin();
	for (int i = 0; i < FUNCTIONS; i++)
		made.old_shares[i] = made.new_shares[i] = 1.0 / (i + 4);
	for (int i = 0; i < MOST_RUNS; i++)
		made.tick_s[i] = 0.001;
}

static void
end(void)
{
	prf_changes_clear(&made.changes);
}

static double
sum(const double *shares)
{
	double all = 0;

	for (int i = 0; i < FUNCTIONS; i++)
		all += shares[i];
	return all;
}

/* Function NUMBER takes PART of the whole old run more, and before it had a
 * share of BEFORE. */
static void
slow_down(int number, double before, double part)
{
	double rest = sum(made.old_shares) - made.old_shares[number];

	made.old_shares[number] = made.new_shares[number] =
		rest * before / (1 - before);
	made.new_shares[number] += part * sum(made.old_shares);
}

/* RUNS runs on each side, whose length goes by what their functions take. */
static void
compare(size_t runs, double spread, size_t samples, unsigned weight)
{
	double longer = sum(made.new_shares) / sum(made.old_shares);

	prf_changes_clear(&made.changes);
	for (size_t run = 0; run < 2 * runs; run++) {
		struct prf_count counts[FUNCTIONS];
		double n = (double)samples * (run < runs ? 1 : longer);

		made.totals[run] =
			made_run(&made.random,
				 run < runs ? made.old_shares : made.new_shares,
				 FUNCTIONS, spread, (size_t)n, weight, counts);
		for (size_t i = 0; i < FUNCTIONS; i++)
			made.counts[i * 2 * runs + run] = counts[i];
	}
	made.runs = (struct prf_change_runs){
		.n_old = runs,
		.n_new = runs,
		.totals = made.totals,
		.tick_s = made.tick_s,
		.n_keys = FUNCTIONS,
		.counts = made.counts,
	};
	ck_assert_int_eq(prf_changes_find(&made.runs, &made.changes), 0);
}

/* --- The two figures that this is about */

enum { PAIRS = 200 };

/* How programs are run: how often, what varies, what a sample stands for. */
static const struct {
	size_t runs;
	double spread;
	size_t samples;
	unsigned weight;
} equal[] = {
	{1, 0, SAMPLES, 1},    {1, 0.03, SAMPLES, 1}, {1, 0.05, SAMPLES, 1},
	{1, 0, 200, 1},        {1, 0.03, SAMPLES, 7}, {3, 0, SAMPLES, 1},
	{3, 0.05, SAMPLES, 1}, {2, 0.1, SAMPLES, 1},
};

START_TEST(runs_of_one_program_have_not_changed)
{
	int n_changed = 0;

	for (int i = 0; i < PAIRS; i++) {
		compare(equal[_i].runs, equal[_i].spread, equal[_i].samples,
			equal[_i].weight);
		n_changed += made.changes.n_certain > 0;
	}
	ck_assert_msg(n_changed <= PAIRS / 20, RANDOM_WHERE "%d of %d",
		      RANDOM_IS(&made.random), n_changed, PAIRS);
}
END_TEST

/* A function that takes 4 % of the run more: what share it had, and by which
 * runs it is found in how many of 100. */
static const struct {
	size_t runs;
	double spread, before;
	int of_100;
} slower[] = {
	{1, 0, 0, 95},    {1, 0, 0.01, 95},    {1, 0, 0.03, 95},
	{1, 0, 0.05, 85}, {1, 0.03, 0.03, 95}, {3, 0, 0.05, 95},
	{3, 0, 0.1, 95},  {5, 0, 0.2, 95},     {3, 0.03, 0.1, 95},
};

START_TEST(a_function_that_is_slower_is_found)
{
	enum { NUMBER = 11 };
	int n_found = 0;

	slow_down(NUMBER, slower[_i].before, 0.04);
	for (int i = 0; i < PAIRS; i++) {
		compare(slower[_i].runs, slower[_i].spread, SAMPLES, 1);
		n_found +=
			made.changes.all[NUMBER].verdict == PRF_CHANGE_SLOWER;
	}
	ck_assert_msg(n_found * 100 >= slower[_i].of_100 * PAIRS,
		      RANDOM_WHERE "%d of %d", RANDOM_IS(&made.random), n_found,
		      PAIRS);
}
END_TEST

/* --- What a change is */

START_TEST(the_others_only_lose_share_to_one_that_is_slower)
{
	enum { NUMBER = 20 };
	int n_wrong = 0;

	/* Half of the time is new. */
	slow_down(NUMBER, 0.1, 1);
	compare(1, 0, 20 * SAMPLES, 1);
	ck_assert_int_eq(made.changes.all[NUMBER].verdict, PRF_CHANGE_SLOWER);
	ck_assert_int_eq(made.changes.all[0].verdict, PRF_CHANGE_SHARE);
	for (int i = 0; i < FUNCTIONS; i++)
		n_wrong += i != NUMBER &&
			   made.changes.all[i].verdict == PRF_CHANGE_FASTER;
	ck_assert_int_le(n_wrong, 1);
	/* Neither is it in what did not change. */
	ck_assert_uint_lt(made.changes.rest[1].ticks,
			  made.totals[1].ticks -
				  made.counts[NUMBER * 2 + 1].ticks + 1);
}
END_TEST

START_TEST(a_function_that_is_gone_is_faster)
{
	made.new_shares[2] = 0;
	compare(1, 0, SAMPLES, 1);
	ck_assert_int_eq(made.changes.all[2].verdict, PRF_CHANGE_FASTER);
	ck_assert_double_eq(made.changes.all[2].new_share, 0);
	ck_assert_double_lt(made.changes.all[2].change.hi, 0);
	ck_assert_uint_le(made.changes.n_certain, 2);
}
END_TEST

START_TEST(several_that_have_changed_are_all_found)
{
	/* Each is clearer than any limit, but less so without the other. */
	made.new_shares[2] = 0;
	made.old_shares[3] = 0;
	compare(1, 0, SAMPLES, 1);
	ck_assert_int_eq(made.changes.all[2].verdict, PRF_CHANGE_FASTER);
	ck_assert_int_eq(made.changes.all[3].verdict, PRF_CHANGE_SLOWER);
}
END_TEST

START_TEST(a_machine_that_is_slower_changes_nothing)
{
	for (int i = 0; i < FUNCTIONS; i++)
		made.new_shares[i] *= 1.5;
	compare(1, 0, SAMPLES, 1);
	ck_assert_uint_eq(made.changes.n_certain, 0);
	ck_assert_double_gt(made.changes.all[0].new_s,
			    1.3 * made.changes.all[0].old_s);
}
END_TEST

/* The share alone does not tell which of two has changed; the time does. */
START_TEST(of_two_functions_the_one_whose_time_has_changed_is_found)
{
	const struct prf_count totals[] = {{8000, 8000}, {12000, 12000}};
	const double tick_s[] = {0.001, 0.001};
	const struct prf_count counts[] = {
		{4000, 4000}, {8010, 8010}, {4000, 4000}, {3990, 3990}};
	const struct prf_change_runs runs = {.n_old = 1,
					     .n_new = 1,
					     .totals = totals,
					     .tick_s = tick_s,
					     .n_keys = 2,
					     .counts = counts};

	ck_assert_int_eq(prf_changes_find(&runs, &made.changes), 0);
	ck_assert_int_eq(made.changes.all[0].verdict, PRF_CHANGE_SLOWER);
	ck_assert_int_eq(made.changes.all[1].verdict, PRF_CHANGE_SHARE);
}
END_TEST

START_TEST(a_larger_share_of_less_time_is_not_slower)
{
	for (int i = 1; i < FUNCTIONS; i++)
		made.new_shares[i] /= 4;
	made.new_shares[0] /= 1.2;
	compare(1, 0, 4 * SAMPLES, 1);
	ck_assert_double_gt(made.changes.all[0].new_share,
			    2 * made.changes.all[0].old_share);
	ck_assert_int_eq(made.changes.all[0].verdict, PRF_CHANGE_SHARE);
}
END_TEST

/* 0 calls all others: main.  What calls a slower one is slower, too; others are
 * as they were. */
START_TEST(keys_may_hold_one_another)
{
	enum { LEAF = 5, CALLER = 6, OTHER = 0 };
	struct prf_count inclusive[FUNCTIONS * 2];

	slow_down(LEAF, 0.05, 0.5);
	compare(1, 0, 4 * SAMPLES, 1);
	memcpy(inclusive, made.counts, sizeof inclusive);
	for (int run = 0; run < 2; run++)
		prf_count_merge(&inclusive[CALLER * 2 + run],
				&inclusive[LEAF * 2 + run]);
	struct prf_changes self = made.changes;
	made.changes = (struct prf_changes){0};
	made.runs.counts = inclusive;
	made.runs.rest = self.rest;
	ck_assert_int_eq(prf_changes_find(&made.runs, &made.changes), 0);
	ck_assert_int_ne(self.all[CALLER].verdict, PRF_CHANGE_SLOWER);
	ck_assert_int_eq(made.changes.all[LEAF].verdict, PRF_CHANGE_SLOWER);
	ck_assert_int_eq(made.changes.all[CALLER].verdict, PRF_CHANGE_SLOWER);
	ck_assert_int_ne(made.changes.all[OTHER].verdict, PRF_CHANGE_FASTER);
	prf_changes_clear(&self);
}
END_TEST

START_TEST(ticks_of_other_lengths_are_compared_by_time)
{
	made.tick_s[0] = 0.01;
	compare(1, 0, SAMPLES, 1);
	ck_assert_double_gt(made.changes.all[0].old_s,
			    8 * made.changes.all[0].new_s);
	ck_assert_uint_eq(made.changes.n_certain, 0);
}
END_TEST

START_TEST(what_is_said_to_be_visible_is_seen)
{
	enum { NUMBER = 30, ROUNDS = 100 };
	int n_found = 0;

	slow_down(NUMBER, 0.02, 0);
	compare(1, 0, SAMPLES, 1);
	double visible = prf_changes_visible(&made.changes, 0.02);
	ck_assert_double_gt(visible, 0.002);
	ck_assert_double_lt(visible, 0.03);
	/* A change of the share by somewhat more than that. */
	slow_down(NUMBER, 0.02, 1.3 * visible / (1 - 0.02 - 1.3 * visible));
	for (int i = 0; i < ROUNDS; i++) {
		compare(1, 0, SAMPLES, 1);
		n_found +=
			made.changes.all[NUMBER].verdict == PRF_CHANGE_SLOWER;
	}
	ck_assert_int_ge(n_found, 60);
	slow_down(NUMBER, 0.02, 0.3 * visible);
	n_found = 0;
	for (int i = 0; i < ROUNDS; i++) {
		compare(1, 0, SAMPLES, 1);
		n_found +=
			made.changes.all[NUMBER].verdict == PRF_CHANGE_SLOWER;
	}
	ck_assert_int_le(n_found, 20);
}
END_TEST

START_TEST(nothing_at_all_can_be_compared)
{
	const struct prf_count totals[2] = {{0}};
	const double tick_s[] = {0.01, 0.01};
	const struct prf_change_runs runs = {
		.n_old = 1, .n_new = 1, .totals = totals, .tick_s = tick_s};

	ck_assert_int_eq(prf_changes_find(&runs, &made.changes), 0);
	ck_assert_uint_eq(made.changes.n_asked, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("change");
	TCase *tcase = tcase_create("change");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_loop_test(tcase, runs_of_one_program_have_not_changed, 0,
			    sizeof equal / sizeof *equal);
	tcase_add_loop_test(tcase, a_function_that_is_slower_is_found, 0,
			    sizeof slower / sizeof *slower);
	tcase_add_test(tcase, the_others_only_lose_share_to_one_that_is_slower);
	tcase_add_test(tcase, a_function_that_is_gone_is_faster);
	tcase_add_test(tcase, several_that_have_changed_are_all_found);
	tcase_add_test(tcase, a_machine_that_is_slower_changes_nothing);
	tcase_add_test(
		tcase,
		of_two_functions_the_one_whose_time_has_changed_is_found);
	tcase_add_test(tcase, a_larger_share_of_less_time_is_not_slower);
	tcase_add_test(tcase, keys_may_hold_one_another);
	tcase_add_test(tcase, ticks_of_other_lengths_are_compared_by_time);
	tcase_add_test(tcase, what_is_said_to_be_visible_is_seen);
	tcase_add_test(tcase, nothing_at_all_can_be_compared);
	suite_add_tcase(suite, tcase);
	return suite;
}
