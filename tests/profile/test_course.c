#include "profile/course.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "profile/made_runs.h"
#include "support/suite.h"

/* A run is STEPS steps of the same length. */
enum { KEYS = 6, STEPS = 200, IN_STEP = 25 };

/* How the shares of keys go on in a run. */
struct plan {
	double slower;  /* how much longer key 0 takes */
	bool in_phases; /* each key has its time, one after the other */
	/* Key 0 is slower by this for a tenth of the run, which is another one
	 * in each. */
	double swing;
};

struct made {
	struct random random;
	struct prf_course courses[2];
	struct prf_sampled pairs[2 * KEYS];
	struct prf_varying varying[KEYS];
};

static struct made made;

static void
begin(void)
{
	memset(&made, 0, sizeof made);
	made.random = random_begin();
}

static void
end(void)
{
	prf_course_clear(&made.courses[0]);
	prf_course_clear(&made.courses[1]);
}

static double
share_of(const struct plan *plan, int key, double place, double slow_from)
{
	double share = plan->in_phases ? (int)(place * KEYS) == key : 1;

	if (key)
		return share;
	share *= 1 + plan->slower;
	return place >= slow_from && place < slow_from + 0.1
		       ? share * (1 + plan->swing)
		       : share;
}

/* Fills one run, by PLAN. */
static void
make_run(int side, const struct plan *plan)
{
	struct prf_course *course = &made.courses[side];
	double slow_from = 0.9 * made_uniform(&made.random);
	double all = 0;

	prf_course_clear(course);
	for (int i = 0; i < KEYS; i++)
		made.pairs[2 * i + side] = (struct prf_sampled){0};
	for (int step = 0; step < STEPS; step++) {
		prf_course_step(course);
		for (int key = 0; key < KEYS; key++) {
			double mean =
				share_of(plan, key, (step + 0.5) / STEPS,
					 slow_from) *
				(plan->in_phases ? IN_STEP : IN_STEP / KEYS);
			double ticks = round(
				mean + sqrt(mean) * made_normal(&made.random));

			if (ticks <= 0)
				continue;
			ck_assert_int_eq(prf_course_add(course, (uint32_t)key,
							(uint64_t)ticks),
					 0);
			made.pairs[2 * key + side].k += ticks;
			all += ticks;
		}
	}
	for (int i = 0; i < KEYS; i++)
		made.pairs[2 * i + side].n = all;
}

static void
compare(const struct plan *old, const struct plan *new)
{
	make_run(0, old);
	make_run(1, new);
	ck_assert_int_eq(prf_course_variation(made.courses, made.pairs, KEYS,
					      made.varying),
			 0);
}

/* The difference of the shares of key 0, squared, by what its variance is said
 * to be. */
static double
square_of_0(void)
{
	const struct prf_sampled *pair = made.pairs;
	double old = pair[0].k / pair[0].n, new = pair[1].k / pair[1].n;
	double p = (old + new) / 2;

	return (new - old) * (new - old) /
	       (fmax(1, made.varying[0].times) * p * (1 - p) *
		(1 / pair[0].n + 1 / pair[1].n));
}

enum { ROUNDS = 300 };

static double
mean_square(const struct plan *plan)
{
	double sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		compare(plan, plan);
		sum += square_of_0() / ROUNDS;
	}
	return sum;
}

/* --- What varies */

START_TEST(what_varies_by_chance_varies_as_its_samples_do)
{
	const struct plan plan = {0};
	double sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		compare(&plan, &plan);
		for (int key = 0; key < KEYS; key++) {
			sum += made.varying[key].times / ROUNDS / KEYS;
			ck_assert_double_ge(made.varying[key].df, 10);
			ck_assert_double_le(made.varying[key].df, 12);
		}
	}
	ck_assert_double_eq_tol(sum, 1, 0.15);
}
END_TEST

START_TEST(what_swings_varies_by_more)
{
	const struct plan plan = {.swing = 10};
	double square = mean_square(&plan);

	/* By its samples alone it would be some thirty. */
	ck_assert_double_le(square, 3);
	ck_assert_double_gt(made.varying[0].times, 3);
}
END_TEST

START_TEST(one_that_is_slower_all_the_time_does_not_vary)
{
	const struct plan old = {0}, new = {.slower = 0.5};
	double sum = 0, times = 0;

	for (int i = 0; i < ROUNDS; i++) {
		compare(&old, &new);
		sum += square_of_0() / ROUNDS;
		times += made.varying[0].times / ROUNDS;
	}
	ck_assert_double_le(times, 1.3);
	ck_assert_double_ge(sum, 25);
}
END_TEST

/* All that comes after it comes later, and is where it was. */
START_TEST(phases_of_which_one_is_slower_do_not_vary)
{
	const struct plan old = {.in_phases = true},
			  new = {.in_phases = true, .slower = 0.5};
	double sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		compare(&old, &new);
		for (int key = 0; key < KEYS; key++)
			sum += made.varying[key].times / ROUNDS / KEYS;
		ck_assert_double_ge(square_of_0(), 9);
	}
	ck_assert_double_le(sum, 1.5);
}
END_TEST

START_TEST(what_has_its_time_in_one_place_is_little_known)
{
	const struct plan plan = {.in_phases = true};

	compare(&plan, &plan);
	for (int key = 0; key < KEYS; key++)
		ck_assert_double_ge(made.varying[key].df, 2);
	/* All of key 0 in one step. */
	prf_course_clear(&made.courses[0]);
	prf_course_clear(&made.courses[1]);
	for (int side = 0; side < 2; side++)
		for (int step = 0; step < STEPS; step++) {
			prf_course_step(&made.courses[side]);
			ck_assert_int_eq(prf_course_add(&made.courses[side],
							step != 50, 20),
					 0);
		}
	ck_assert_int_eq(prf_course_variation(made.courses, made.pairs, KEYS,
					      made.varying),
			 0);
	ck_assert_double_eq(made.varying[0].df, 2);
	ck_assert_double_ge(made.varying[1].df, 10);
}
END_TEST

/* --- What is not known */

START_TEST(runs_without_a_course_vary_as_their_samples_do)
{
	const struct prf_course none[2] = {{0}};

	ck_assert_int_eq(
		prf_course_variation(none, made.pairs, KEYS, made.varying), 0);
	for (int key = 0; key < KEYS; key++) {
		ck_assert_double_eq(made.varying[key].times, 1);
		ck_assert(isinf(made.varying[key].df));
	}
}
END_TEST

START_TEST(runs_with_nothing_in_common_have_no_common_course)
{
	for (int side = 0; side < 2; side++)
		for (int step = 0; step < STEPS; step++) {
			prf_course_step(&made.courses[side]);
			ck_assert_int_eq(prf_course_add(&made.courses[side],
							(uint32_t)side, 20),
					 0);
		}
	ck_assert_int_eq(prf_course_variation(made.courses, made.pairs, KEYS,
					      made.varying),
			 0);
	ck_assert(isinf(made.varying[0].df));
	ck_assert_double_eq(made.varying[1].times, 1);
}
END_TEST

START_TEST(a_key_of_one_run_alone_varies_as_its_samples_do)
{
	const struct plan plan = {0};

	make_run(0, &plan);
	make_run(1, &plan);
	for (size_t i = 0; i < made.courses[0].n; i++)
		if (!made.courses[0].parts[i].key)
			made.courses[0].parts[i].ticks = 0;
	ck_assert_int_eq(prf_course_variation(made.courses, made.pairs, KEYS,
					      made.varying),
			 0);
	ck_assert_double_eq(made.varying[0].times, 1);
	ck_assert_double_ge(made.varying[0].df, 10);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("course");
	TCase *tcase = tcase_create("course");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, what_varies_by_chance_varies_as_its_samples_do);
	tcase_add_test(tcase, what_swings_varies_by_more);
	tcase_add_test(tcase, one_that_is_slower_all_the_time_does_not_vary);
	tcase_add_test(tcase, phases_of_which_one_is_slower_do_not_vary);
	tcase_add_test(tcase, what_has_its_time_in_one_place_is_little_known);
	tcase_add_test(tcase, runs_without_a_course_vary_as_their_samples_do);
	tcase_add_test(tcase,
		       runs_with_nothing_in_common_have_no_common_course);
	tcase_add_test(tcase, a_key_of_one_run_alone_varies_as_its_samples_do);
	suite_add_tcase(suite, tcase);
	return suite;
}
