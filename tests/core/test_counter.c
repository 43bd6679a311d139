#include "core/counter.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "core/random.h"
#include "core/vectors.h"
#include "support/suite.h"

static const enum prf_full_rule rules[] = {
	PRF_FULL_STAY,
	PRF_FULL_WRAP,
	PRF_FULL_STOP_AT_HALF,
	PRF_FULL_STOP_PAST_HALF,
};

static const unsigned widths[] = {2, 4, 8};

static uint64_t
largest(unsigned width_bytes)
{
	return UINT64_MAX >> (64 - 8 * width_bytes);
}

START_TEST(a_counter_with_room_takes_all_ticks_by_every_rule)
{
	for (int r = 0; r < 4; r++) {
		for (int w = 0; w < 3; w++) {
			struct prf_counter_result result =
				prf_counter_add(40, 2, widths[w], rules[r]);

			ck_assert_uint_eq(result.counter, 42);
			ck_assert_uint_eq(result.lost, 0);
			ck_assert(!result.stop);
		}
	}
}
END_TEST

START_TEST(no_ticks_change_nothing_even_on_a_full_counter)
{
	for (int r = 0; r < 4; r++) {
		struct prf_counter_result result =
			prf_counter_add(65535, 0, 2, rules[r]);

		ck_assert_uint_eq(result.counter, 65535);
		ck_assert_uint_eq(result.lost, 0);
		ck_assert(!result.stop);
	}
}
END_TEST

START_TEST(a_staying_counter_loses_what_it_has_no_room_for)
{
	for (int w = 0; w < 3; w++) {
		uint64_t max = largest(widths[w]);
		struct prf_counter_result result = prf_counter_add(
			max - 3, UINT64_MAX, widths[w], PRF_FULL_STAY);

		ck_assert_uint_eq(result.counter, max);
		ck_assert_uint_eq(result.lost, UINT64_MAX - 3);
		ck_assert(!result.stop);
	}
}
END_TEST

START_TEST(the_stop_rules_follow_the_width)
{
	for (int w = 0; w < 3; w++) {
		uint64_t half = largest(widths[w]) / 2;
		struct prf_counter_result at = prf_counter_add(
			half - 1, 3, widths[w], PRF_FULL_STOP_AT_HALF);
		struct prf_counter_result past = prf_counter_add(
			half - 1, 3, widths[w], PRF_FULL_STOP_PAST_HALF);

		ck_assert_uint_eq(at.counter, half);
		ck_assert_uint_eq(at.lost, 2);
		ck_assert(at.stop);
		ck_assert_uint_eq(past.counter, half - 1);
		ck_assert_uint_eq(past.lost, 3);
		ck_assert(past.stop);
	}
}
END_TEST

START_TEST(a_counter_that_begins_above_half_stops_uncounted)
{
	struct prf_counter_result result =
		prf_counter_add(40000, 1, 2, PRF_FULL_STOP_AT_HALF);

	ck_assert_uint_eq(result.counter, 40000);
	ck_assert_uint_eq(result.lost, 1);
	ck_assert(result.stop);
}
END_TEST

START_TEST(a_width_or_counter_that_cannot_be_loses_the_ticks)
{
	struct prf_counter_result width =
		prf_counter_add(7, 5, 3, PRF_FULL_WRAP);
	struct prf_counter_result counter =
		prf_counter_add(65536, 5, 2, PRF_FULL_WRAP);

	ck_assert_uint_eq(width.counter, 7);
	ck_assert_uint_eq(width.lost, 5);
	ck_assert_uint_eq(counter.counter, 65536);
	ck_assert_uint_eq(counter.lost, 5);
}
END_TEST

/* N ticks, one after the other, until profiling stops. */
static struct prf_counter_result
one_by_one(uint64_t counter, uint64_t ticks, enum prf_full_rule rule)
{
	struct prf_counter_result all = {.counter = counter};

	for (uint64_t i = 0; i < ticks; i++) {
		if (all.stop) {
			all.lost++;
			continue;
		}
		struct prf_counter_result one =
			prf_counter_add(all.counter, 1, 2, rule);

		all.counter = one.counter;
		all.lost += one.lost;
		all.stop = one.stop;
	}
	return all;
}

START_TEST(many_ticks_are_as_many_single_ones)
{
	struct random random = random_begin();

	for (int round = 0; round < 20000; round++) {
		enum prf_full_rule rule = rules[random_below(&random, 3)];
		uint64_t near = random_below(&random, 2) ? 32767 : 65535;
		uint64_t counter = near - random_below(&random, 20);
		uint64_t ticks = random_below(&random, 30);
		struct prf_counter_result all =
			prf_counter_add(counter, ticks, 2, rule);
		struct prf_counter_result each =
			one_by_one(counter, ticks, rule);

		ck_assert_msg(all.counter == each.counter &&
				      all.lost == each.lost &&
				      all.stop == each.stop,
			      RANDOM_WHERE "rule %d, %" PRIu64 " + %" PRIu64,
			      RANDOM_IS(&random), (int)rule, counter, ticks);
	}
}
END_TEST

START_TEST(what_is_not_lost_is_in_the_counter_unless_it_wraps)
{
	struct random random = random_begin();

	for (int round = 0; round < 100000; round++) {
		enum prf_full_rule rule = rules[random_below(&random, 4)];
		unsigned width_bytes = widths[random_below(&random, 3)];
		uint64_t max = largest(width_bytes);
		uint64_t counter = random_of_any_size(&random) & max;
		uint64_t ticks = random_of_any_size(&random);
		struct prf_counter_result result =
			prf_counter_add(counter, ticks, width_bytes, rule);
		uint64_t counted = ticks - result.lost;

		ck_assert_msg(result.lost <= ticks && result.counter <= max &&
				      result.counter ==
					      ((counter + counted) & max) &&
				      (rule == PRF_FULL_WRAP ||
				       counted <= max - counter),
			      RANDOM_WHERE "rule %d, width %u, %" PRIu64
					   " + %" PRIu64,
			      RANDOM_IS(&random), (int)rule, width_bytes,
			      counter, ticks);
	}
}
END_TEST

/* --- The rows of vectors.csv about counts. */

static const struct counting {
	const char *follows;
	const struct prf_dialect *(*dialect)(void);
} countings[] = {
	{"svr4", prf_dialect_svr4},
	{"aix", prf_dialect_svr4}, /* the same rule */
	{"solaris10", prf_dialect_solaris},
	{"solaris kernel", prf_dialect_solaris_kernel},
	{"freebsd", prf_dialect_freebsd},
	{"hpux", prf_dialect_hpux},
	{"hpux overflow bin", prf_dialect_hpux},
	{"glibc profil", prf_dialect_glibc},
	{"glibc sprofil", prf_dialect_lenient},
	{"glibc sprofil overflow bin", prf_dialect_lenient},
};

static enum prf_full_rule
rule_of_row(const struct vector *row)
{
	for (size_t i = 0; i < sizeof countings / sizeof *countings; i++)
		if (strcmp(countings[i].follows, row->field[COL_follows]) == 0)
			return countings[i].dialect()->full;
	ck_abort_msg("%s follows nobody", row->field[COL_id]);
	return PRF_FULL_STAY;
}

static void
check_count(const struct vector *row)
{
	const char *id = row->field[COL_id];
	uint64_t after = vectors_count_after(row);
	bool stop = strcmp(row->field[COL_state], "off") == 0;
	struct prf_counter_result result =
		prf_counter_add(vectors_number(row->field[COL_before]),
				vectors_number(row->field[COL_ticks]),
				(unsigned)vectors_number(row->field[COL_width]),
				rule_of_row(row));

	ck_assert_msg(result.counter == after,
		      "%s: the counter is %" PRIu64 ", should be %" PRIu64, id,
		      result.counter, after);
	ck_assert_msg(result.stop == stop, "%s: profiling is %s", id,
		      result.stop ? "off" : "on");
}

START_TEST(a_row_of_a_count_gives_its_counter_and_state)
{
	ck_assert_int_eq(vectors_for_each("count", check_count), N_COUNT_ROWS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("result");
	TCase *tcase = tcase_create("result");

	tcase_add_test(tcase,
		       a_counter_with_room_takes_all_ticks_by_every_rule);
	tcase_add_test(tcase, no_ticks_change_nothing_even_on_a_full_counter);
	tcase_add_test(tcase, a_staying_counter_loses_what_it_has_no_room_for);
	tcase_add_test(tcase, the_stop_rules_follow_the_width);
	tcase_add_test(tcase, a_counter_that_begins_above_half_stops_uncounted);
	tcase_add_test(tcase,
		       a_width_or_counter_that_cannot_be_loses_the_ticks);
	tcase_add_test(tcase, many_ticks_are_as_many_single_ones);
	tcase_add_test(tcase,
		       what_is_not_lost_is_in_the_counter_unless_it_wraps);
	tcase_add_test(tcase, a_row_of_a_count_gives_its_counter_and_state);
	suite_add_tcase(suite, tcase);
	return suite;
}
