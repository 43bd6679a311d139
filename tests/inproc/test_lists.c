/* Random lists, through the calls and the handler, against sums of many digits
 * that are done by hand. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/region.h"
#include "core/table.h"
#include "inproc/counters.h"
#include "inproc/profil.h"
#include "inproc/tick.h"
#include "support/scaled.h"
#include "support/suite.h"

#define N_LISTS 2000
#define N_PCS 500
#define MAX_LIST 6
#define MAX_COUNTERS 64
#define COUNTERS_BYTES (MAX_LIST * MAX_COUNTERS * 8)

static _Alignas(uint64_t) char all_counters[COUNTERS_BYTES];

/* UINT64_MAX: further than any buffer. */
static uint64_t
byte_of(uint64_t distance, uint32_t scale)
{
	uint64_t byte;

	return prf_scaled(distance, scale, &byte) ? byte : UINT64_MAX;
}

struct random_list {
	struct prf_region region[MAX_LIST];
	int n;
	unsigned width;
};

static bool
is_ignored(const struct prf_region *region)
{
	return region->scale < 2;
}

static bool
is_overflow(const struct prf_region *region)
{
	return region->offset == 0 && region->scale == 2;
}

static bool
holds(const struct prf_region *region, uint64_t pc)
{
	return pc >= region->offset &&
	       byte_of(pc - region->offset, region->scale) < region->size_bytes;
}

/* The entry that takes PC; -1 if none does. */
static int
find_slowly(const struct random_list *list, uint64_t pc)
{
	int best = -1, overflow = -1;

	for (int i = 0; i < list->n; i++) {
		const struct prf_region *region = &list->region[i];

		if (is_ignored(region))
			continue;
		if (is_overflow(region))
			overflow = i;
		else if (holds(region, pc) &&
			 (best < 0 ||
			  region->offset > list->region[best].offset))
			best = i;
	}
	return best >= 0 ? best : overflow;
}

static bool
is_too_long(const struct prf_region *region)
{
	return region->size_bytes > byte_of(PRF_TABLE_MAX_SPAN, region->scale);
}

/* Would the list be refused, and by the rule for strict ones? */
static bool
is_refused(const struct random_list *list, bool is_strict)
{
	const struct prf_region *before = NULL;

	for (int i = 0; i < list->n; i++) {
		const struct prf_region *region = &list->region[i];

		if (is_ignored(region) || is_overflow(region))
			continue;
		if (is_too_long(region))
			return true;
		if (is_strict && before &&
		    (region->offset < before->offset ||
		     holds(before, region->offset)))
			return true;
		before = region;
	}
	return false;
}

static struct prf_region
random_region(struct random *random, unsigned width, int i, uint64_t offset)
{
	uint64_t scale = random_below(random, 3) ? random_below(random, 0x20001)
						 : random_of_any_size(random);

	return (struct prf_region){
		.base = all_counters + i * MAX_COUNTERS * 8,
		.size_bytes = (1 + random_below(random, MAX_COUNTERS)) * width,
		.offset = offset,
		.scale = random_below(random, 20) ? (uint32_t)scale
						  : (uint32_t)(scale & 1),
	};
}

static void
make_lenient(struct random *random, struct random_list *list)
{
	uint64_t about = random_of_any_size(random);

	for (int i = 0; i < list->n; i++)
		list->region[i] = random_region(
			random, list->width, i,
			1 + about / 2 + random_below(random, 4096));
}

/* One after the other, with gaps, without, or one byte too near. */
static void
make_strict(struct random *random, struct random_list *list)
{
	uint64_t at = 2 + random_of_any_size(random) / 2;

	for (int i = 0; i < list->n; i++) {
		struct prf_region *region = &list->region[i];

		*region = random_region(random, list->width, i, at);
		if (is_ignored(region))
			continue;
		at += (region->size_bytes * 65536 + region->scale - 1) /
		      region->scale;
		if (random_below(random, 2))
			at += random_below(random, 100);
		else if (random_below(random, 20) == 0)
			at--;
	}
}

static struct random_list
random_list(struct random *random, bool is_strict)
{
	struct random_list list = {
		.n = 1 + (int)random_below(random, MAX_LIST),
		.width = 2u << random_below(random, 3),
	};
	struct prf_region *last = &list.region[list.n - 1];

	(is_strict ? make_strict : make_lenient)(random, &list);
	if (random_below(random, 4) == 0) {
		last->offset = 0;
		last->scale = 2;
		last->size_bytes = list.width;
	}
	return list;
}

/* Near the list, mostly. */
static uint64_t
random_pc(struct random *random, const struct random_list *list)
{
	const struct prf_region *region =
		&list->region[random_below(random, (uint64_t)list->n)];

	if (random_below(random, 8) == 0)
		return random_of_any_size(random);
	uint64_t span = prf_region_span(region->size_bytes, region->scale);
	return region->offset - 2 + random_below(random, span / 4 * 5 + 8);
}

/* --- What is counted, by hand, in a copy of the counters. */

struct by_hand {
	char counters[COUNTERS_BYTES];
	uint64_t ticks, counted;
};

/* A list of ignored entries alone has no ticks at all. */
static bool
is_off(const struct random_list *list)
{
	for (int i = 0; i < list->n; i++)
		if (!is_ignored(&list->region[i]))
			return false;
	return true;
}

static void
count_by_hand(struct by_hand *hand, const struct random_list *list, uint64_t pc)
{
	int entry = find_slowly(list, pc);
	uint64_t byte = 0, count;

	hand->ticks += !is_off(list);
	if (entry < 0)
		return;
	const struct prf_region *region = &list->region[entry];
	if (!is_overflow(region))
		byte = byte_of(pc - region->offset, region->scale);
	char *counter = hand->counters + ((char *)region->base - all_counters) +
			byte - byte % list->width;
	count = counter_at(counter, list->width) + 1;
	memcpy(counter, &count, list->width);
	hand->counted++;
}

/* All counters are as they should be; as are those that are in no region. */
static void
check_counters(const struct random *random, const struct random_list *list,
	       const struct by_hand *hand)
{
	struct prf_profil_state state;
	uint64_t sum_of_counters = 0;

	prf_profil_state(&state);
	for (size_t at = 0; at < COUNTERS_BYTES; at += list->width) {
		uint64_t counter = counter_at(all_counters + at, list->width);
		uint64_t expected =
			counter_at(hand->counters + at, list->width);

		ck_assert_msg(counter == expected,
			      RANDOM_WHERE "entry %zu, byte %zu: %" PRIu64
					   ", should be %" PRIu64,
			      RANDOM_IS(random), at / (MAX_COUNTERS * 8),
			      at % (MAX_COUNTERS * 8), counter, expected);
		sum_of_counters += counter;
	}
	ck_assert_uint_eq(sum_of_counters, hand->counted);
	ck_assert_uint_eq(state.counted, hand->counted);
	ck_assert_uint_eq(state.outside, hand->ticks - hand->counted);
	ck_assert_uint_eq(state.ticks, hand->ticks);
	ck_assert_uint_eq(state.on, hand->ticks > 0);
}

static void
check_million(bool is_strict)
{
	struct random random = random_begin();
	unsigned lenient = is_strict ? 0 : PRF_SPROFIL_LENIENT;
	int n_lists = 0, n_refused = 0;

	while (n_lists < N_LISTS) {
		struct random_list list = random_list(&random, is_strict);
		struct by_hand hand = {.ticks = 0};
		bool is_bad = is_refused(&list, is_strict);
		int rc = prf_sprofil(list.region, list.n, NULL,
				     counter_flags(list.width) | lenient);

		ck_assert_msg(is_bad ? rc < 0 && errno == EINVAL : rc == 0,
			      RANDOM_WHERE "after %d lists: returned %d",
			      RANDOM_IS(&random), n_lists + n_refused, rc);
		n_refused += is_bad;
		if (is_bad)
			continue;
		memset(all_counters, 0, COUNTERS_BYTES);
		for (int i = 0; i < N_PCS; i++) {
			uint64_t pc = random_pc(&random, &list);

			tick_at(pc, 1);
			count_by_hand(&hand, &list, pc);
		}
		check_counters(&random, &list, &hand);
		n_lists++;
	}
	ck_assert(n_refused > 0 || !is_strict);
	ck_assert_int_eq(prf_sprofil(NULL, 0, NULL, 0), 0);
}

START_TEST(a_million_ticks_of_lenient_lists_are_where_a_sum_by_hand_has_them)
{
	check_million(false);
}
END_TEST

START_TEST(a_million_ticks_of_strict_lists_are_where_a_sum_by_hand_has_them)
{
	check_million(true);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("lists");
	TCase *tcase = tcase_create("lists");

	tcase_set_timeout(tcase, 600);
	tcase_add_checked_fixture(tcase, tick_block, NULL);
	tcase_add_test(
		tcase,
		a_million_ticks_of_lenient_lists_are_where_a_sum_by_hand_has_them);
	tcase_add_test(
		tcase,
		a_million_ticks_of_strict_lists_are_where_a_sum_by_hand_has_them);
	suite_add_tcase(suite, tcase);
	return suite;
}
