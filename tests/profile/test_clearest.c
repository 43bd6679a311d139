#include "profile/clearest.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/made_runs.h"
#include "support/suite.h"

enum { MOST_KEYS = 4000, MOST_RUNS = 5 };

/* Keys of runs, of which those before N_CANDIDATES are. */
struct made {
	struct prf_count counts[MOST_KEYS * MOST_RUNS];
	struct prf_sides sides[MOST_KEYS];
	double seconds[MOST_KEYS];
	size_t numbers[MOST_KEYS], n_keys, n_candidates;
	struct prf_count rest[MOST_RUNS];
	struct prf_clearest_keys keys;
	struct prf_clearest clearest;
	bool is_taken[MOST_KEYS];
};

static struct made made;
static struct random random_numbers;

static void
begin(void)
{
	memset(&made, 0, sizeof made);
	random_numbers = random_begin();
}

static void
end(void)
{
	prf_clearest_clear(&made.clearest);
}

/* How the runs are. */
static const struct way {
	size_t n_old, n_new;
	bool is_heavy; /* samples stand for several ticks */
	bool is_even;  /* no key is large */
} ways[] = {
	{1, 1, false, true}, {1, 1, false, false}, {1, 1, true, false},
	{3, 2, false, true}, {2, 3, true, false},
};

static uint64_t
below(uint64_t bound)
{
	return random_below(&random_numbers, bound);
}

/* Some are large, many small; what they have in new runs is more or less. */
static void
make_key(const struct way *way, size_t key)
{
	double usual = 20 + (double)below(200);
	double change = exp(made_normal(&random_numbers) / 3);
	double weight =
		way->is_heavy ? 1 + 5 * made_uniform(&random_numbers) : 1;

	if (!way->is_even && below(20) == 0)
		usual *= 40;
	for (size_t run = 0; run < made.keys.n_runs; run++) {
		struct prf_count *count =
			&made.counts[key * made.keys.n_runs + run];

		count->ticks =
			(uint64_t)(run < way->n_old ? usual : usual * change) +
			below(20);
		count->squares = (double)count->ticks * weight;
	}
	made.sides[key].old.times = 1 + made_uniform(&random_numbers);
	made.sides[key].new.times = 1 + 2 * made_uniform(&random_numbers);
	made.seconds[key] = (double)below(3);
}

/* KEY is as the one before it, but for its time. */
static void
copy_key(size_t key)
{
	size_t n = made.keys.n_runs;

	memcpy(&made.counts[key * n], &made.counts[(key - 1) * n],
	       n * sizeof *made.counts);
	made.sides[key] = made.sides[key - 1];
}

static void
make(const struct way *way, size_t n_keys, size_t n_candidates)
{
	made.n_keys = n_keys;
	made.n_candidates = n_candidates;
	made.keys = (struct prf_clearest_keys){
		.n_old = way->n_old,
		.n_runs = way->n_old + way->n_new,
		.counts = made.counts,
		.sides = made.sides,
		.seconds = made.seconds,
	};
	for (size_t key = 0; key < n_keys; key++) {
		made.numbers[key] = key;
		make_key(way, key);
		if (key && below(10) == 0)
			copy_key(key);
		for (size_t run = 0; run < made.keys.n_runs; run++)
			prf_count_merge(
				&made.rest[run],
				&made.counts[key * made.keys.n_runs + run]);
	}
	ck_assert_int_eq(prf_clearest_init(&made.clearest, &made.keys,
					   made.numbers, n_candidates),
			 0);
}

static double
deviation_of(size_t key)
{
	const struct prf_sides_runs runs = {
		.n_old = made.keys.n_old,
		.n = made.keys.n_runs,
		.totals = made.rest,
	};
	const struct prf_sides sides = prf_sides_in(
		&made.sides[key], &made.counts[key * runs.n], &runs);

	return fabs(prf_sides_deviation(&sides));
}

/* What it is about, without any art: all that are left are looked at. */
static size_t
clearest_of_all(void)
{
	size_t found = PRF_CLEAREST_NONE;
	double most = 0;

	for (size_t key = 0; key < made.n_candidates; key++) {
		if (made.is_taken[key])
			continue;
		double deviation = deviation_of(key);
		bool is_as_clear = fabs(deviation - most) <= 1e-6 * deviation;

		if (found != PRF_CLEAREST_NONE &&
		    (is_as_clear ? made.seconds[key] <= made.seconds[found]
				 : deviation < most))
			continue;
		found = key;
		most = deviation;
	}
	return found;
}

static size_t
take(void)
{
	size_t key = prf_clearest_take(&made.clearest, made.rest);

	if (key == PRF_CLEAREST_NONE)
		return key;
	ck_assert(!made.is_taken[key]);
	made.is_taken[key] = true;
	for (size_t run = 0; run < made.keys.n_runs; run++)
		prf_count_subtract(&made.rest[run],
				   &made.counts[key * made.keys.n_runs + run]);
	return key;
}

START_TEST(it_is_what_differs_most_of_all_that_are_left)
{
	make(&ways[_i], 500, 400);
	for (size_t i = 0; i < made.n_candidates; i++) {
		size_t expected = clearest_of_all();

		ck_assert_uint_eq(take(), expected);
	}
	ck_assert_uint_eq(take(), PRF_CLEAREST_NONE);
}
END_TEST

/* All would be 8 million. */
START_TEST(few_are_looked_at)
{
	make(&ways[_i], MOST_KEYS, MOST_KEYS);
	while (take() != PRF_CLEAREST_NONE)
		;
	ck_assert_uint_lt(made.clearest.n_measured, 800000);
}
END_TEST

/* The rest is nothing then. */
START_TEST(all_of_a_run_can_be_taken)
{
	make(&ways[0], 5, 5);
	for (int i = 0; i < 5; i++)
		ck_assert_uint_lt(take(), 5);
	ck_assert_uint_eq(take(), PRF_CLEAREST_NONE);
}
END_TEST

START_TEST(there_may_be_no_candidate)
{
	make(&ways[0], 5, 0);
	ck_assert_uint_eq(take(), PRF_CLEAREST_NONE);
}
END_TEST

Suite *
prf_suite(void)
{
	const int n_ways = sizeof ways / sizeof *ways;
	Suite *suite = suite_create("clearest");
	TCase *tcase = tcase_create("clearest");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_loop_test(tcase, it_is_what_differs_most_of_all_that_are_left,
			    0, n_ways);
	tcase_add_loop_test(tcase, few_are_looked_at, 0, n_ways);
	tcase_add_test(tcase, all_of_a_run_can_be_taken);
	tcase_add_test(tcase, there_may_be_no_candidate);
	suite_add_tcase(suite, tcase);
	return suite;
}
