#include "core/table.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

#define LIST(...) ((const struct prf_region[]){__VA_ARGS__})

static struct prf_region
region(uint64_t offset, uint64_t size_bytes, uint32_t scale)
{
	return (struct prf_region){
		.size_bytes = size_bytes,
		.offset = offset,
		.scale = scale,
	};
}

/* 0 or the errno of a list, as positive number. */
static int
verdict(const struct prf_region *list, long n, unsigned width_bytes,
	const struct prf_dialect *dialect)
{
	struct prf_table *table = NULL;
	struct prf_error err = {0};
	int rc = prf_table_new(list, n, width_bytes, dialect, &table, &err);

	ck_assert((rc == 0) == (table != NULL));
	ck_assert_int_eq(err.code, rc);
	ck_assert((rc == 0) == (err.text[0] == '\0'));
	prf_table_free(table);
	return -rc;
}

static int
strict(const struct prf_region *list, long n)
{
	return verdict(list, n, 4, prf_dialect_hpux());
}

static int
lenient(const struct prf_region *list, long n)
{
	return verdict(list, n, 4, prf_dialect_lenient());
}

START_TEST(flags_ask_for_exactly_one_width)
{
	const struct prf_dialect *hpux = prf_dialect_hpux();

	ck_assert_int_eq(prf_table_width(PRF_TABLE_USHORT, hpux), 2);
	ck_assert_int_eq(prf_table_width(PRF_TABLE_UINT, hpux), 4);
	ck_assert_int_eq(prf_table_width(PRF_TABLE_UINT64, hpux), 8);
	ck_assert_int_eq(
		prf_table_width(PRF_TABLE_UINT | PRF_TABLE_UINT64, hpux),
		-EINVAL);
	ck_assert_int_eq(prf_table_width(8, hpux), -EINVAL);
	ck_assert_int_eq(prf_table_width(UINT32_MAX, hpux), -EINVAL);
}
END_TEST

START_TEST(only_lenient_lists_take_the_flag_fast)
{
	unsigned flags = PRF_TABLE_UINT | PRF_TABLE_FAST;

	ck_assert_int_eq(prf_table_width(flags, prf_dialect_hpux()), -EINVAL);
	ck_assert_int_eq(prf_table_width(flags, prf_dialect_lenient()), 4);
}
END_TEST

START_TEST(a_count_below_zero_or_above_the_limit_is_too_big)
{
	const struct prf_region *list = LIST(region(0, 4, 0x10000));

	ck_assert_int_eq(strict(list, -1), E2BIG);
	ck_assert_int_eq(strict(list, LONG_MIN), E2BIG);
	ck_assert_int_eq(strict(list, PRF_TABLE_MAX + 1), E2BIG);
	ck_assert_int_eq(strict(NULL, 0), 0);
}
END_TEST

START_TEST(a_table_of_nothing_takes_nothing)
{
	struct prf_table *table;
	struct prf_region off = region(0x400000, 64, 1);

	ck_assert_int_eq(
		prf_table_new(NULL, 0, 2, prf_dialect_hpux(), &table, NULL), 0);
	ck_assert_uint_eq(prf_table_n_regions(table), 0);
	ck_assert_uint_eq(prf_table_find(table, 0).entry, PRF_TABLE_NONE);
	prf_table_free(table);

	ck_assert_int_eq(
		prf_table_new(&off, 1, 2, prf_dialect_hpux(), &table, NULL), 0);
	ck_assert_uint_eq(prf_table_n_regions(table), 0);
	ck_assert_uint_eq(prf_table_find(table, 0x400000).entry,
			  PRF_TABLE_NONE);
	prf_table_free(table);
}
END_TEST

START_TEST(a_width_that_does_not_exist_is_invalid)
{
	const struct prf_region *list = LIST(region(0, 24, 0x10000));

	ck_assert_int_eq(verdict(list, 1, 3, prf_dialect_hpux()), EINVAL);
	ck_assert_int_eq(verdict(list, 1, 0, prf_dialect_hpux()), EINVAL);
	ck_assert_int_eq(verdict(list, 1, 16, prf_dialect_hpux()), EINVAL);
}
END_TEST

START_TEST(a_size_of_zero_or_of_half_a_counter_is_invalid)
{
	ck_assert_int_eq(strict(LIST(region(64, 0, 0x10000)), 1), EINVAL);
	ck_assert_int_eq(strict(LIST(region(64, 62, 0x10000)), 1), EINVAL);
	ck_assert_int_eq(lenient(LIST(region(64, 0, 0x10000)), 1), EINVAL);
	ck_assert_int_eq(strict(LIST(region(64, 64, 0x10000)), 1), 0);
}
END_TEST

START_TEST(a_region_covers_2_to_the_46th_at_most)
{
	uint64_t most = UINT64_C(1) << 46;

	ck_assert_int_eq(strict(LIST(region(64, most, 0x10000)), 1), 0);
	ck_assert_int_eq(strict(LIST(region(64, most + 4, 0x10000)), 1),
			 EINVAL);
	ck_assert_int_eq(
		strict(LIST(region(64, UINT64_MAX - 3, UINT32_MAX)), 1),
		EINVAL);
	ck_assert_int_eq(strict(LIST(region(64, 4, 2)), 1), 0);
}
END_TEST

START_TEST(a_scale_above_the_dialects_largest_is_invalid)
{
	const struct prf_region *list = LIST(region(64, 64, 0x10001));

	ck_assert_int_eq(verdict(list, 1, 2, prf_dialect_freebsd()), EINVAL);
	ck_assert_int_eq(verdict(list, 1, 2, prf_dialect_hpux()), 0);
}
END_TEST

START_TEST(an_ignored_entry_is_skipped_before_any_test)
{
	ck_assert_int_eq(
		strict(LIST(region(0x500000, 64, 0x10000),
			    region(0x400000, 3, 0), region(0x500010, 0, 1),
			    region(0x600000, 64, 0x10000)),
		       4),
		0);
}
END_TEST

START_TEST(a_strict_list_ascends)
{
	const struct prf_region *list = LIST(region(0x500000, 64, 0x10000),
					     region(0x400000, 64, 0x10000));

	ck_assert_int_eq(strict(list, 2), EINVAL);
	ck_assert_int_eq(lenient(list, 2), 0);
}
END_TEST

START_TEST(a_strict_list_does_not_overlap_by_one_byte)
{
	const struct prf_region *over = LIST(region(0x400000, 64, 0x5555),
					     region(0x4000c0, 64, 0x5555));
	const struct prf_region *touch = LIST(region(0x400000, 64, 0x5555),
					      region(0x4000c1, 64, 0x5555));

	ck_assert_int_eq(strict(over, 2), EINVAL);
	ck_assert_int_eq(lenient(over, 2), 0);
	ck_assert_int_eq(strict(touch, 2), 0);
}
END_TEST

START_TEST(nothing_is_above_a_region_that_ends_with_the_address_space)
{
	const struct prf_region *list =
		LIST(region(UINT64_MAX - 7, 64, 0x10000),
		     region(UINT64_MAX, 64, 0x10000));

	ck_assert_int_eq(strict(list, 1), 0);
	ck_assert_int_eq(strict(list, 2), EINVAL);
	ck_assert_int_eq(lenient(list, 2), 0);
}
END_TEST

START_TEST(the_overflow_entry_is_one_counter_the_only_one_and_the_last)
{
	struct prf_region a = region(0x400000, 64, 0x10000);
	struct prf_region rest = region(0, 4, 2);
	struct prf_region off = region(0, 0, 0);

	ck_assert_int_eq(strict(LIST(a, rest), 2), 0);
	ck_assert_int_eq(strict(LIST(a, rest, off), 3), 0);
	ck_assert_int_eq(strict(LIST(rest), 1), 0);
	ck_assert_int_eq(strict(LIST(rest, a), 2), EINVAL);
	ck_assert_int_eq(lenient(LIST(rest, a), 2), 0);
	ck_assert_int_eq(strict(LIST(a, rest, rest), 3), EINVAL);
	ck_assert_int_eq(lenient(LIST(a, rest, rest), 3), EINVAL);
	ck_assert_int_eq(strict(LIST(a, region(0, 8, 2)), 2), EINVAL);
	ck_assert_int_eq(lenient(LIST(a, region(0, 8, 2)), 2), EINVAL);
}
END_TEST

START_TEST(an_error_says_which_region_and_why)
{
	struct prf_error err = {0};
	struct prf_table *table = NULL;
	struct prf_region list[] = {
		region(0x400000, 64, 0x10000),
		region(0x500000, 62, 0x10000),
	};

	ck_assert_int_eq(
		prf_table_new(list, 2, 4, prf_dialect_hpux(), &table, &err),
		-EINVAL);
	ck_assert_str_eq(err.text, "region 1: 62 bytes is no multiple of 4");
}
END_TEST

START_TEST(the_list_is_not_needed_once_compiled)
{
	struct prf_region list[] = {region(0x400000, 64, 0x10000)};
	struct prf_dialect dialect = *prf_dialect_hpux();
	struct prf_table *table;

	ck_assert_int_eq(prf_table_new(list, 1, 4, &dialect, &table, NULL), 0);
	memset(list, 0xff, sizeof list);
	memset(&dialect, 0xff, sizeof dialect);
	ck_assert_uint_eq(prf_table_find(table, 0x400004).index, 1);
	ck_assert_uint_eq(prf_table_region(table, 0).offset, 0x400000);
	prf_table_free(table);
}
END_TEST

/* --- Random lists. */

#define MAX_LIST 12

struct random_list {
	struct prf_region region[MAX_LIST];
	long n;
	unsigned width_bytes;
};

/* Crowded, at the end of the address space or at 4 MiB. */
static struct random_list
random_list(struct random *random, bool ordered)
{
	static const uint32_t scales[] = {0,       1,       2,       3,
					  0x4000,  0x5555,  0xffff,  0x10000,
					  0x10000, 0x20000, 0x12345, 0x10000};
	struct random_list list = {
		.n = (long)random_below(random, MAX_LIST + 1),
		.width_bytes = 2u << random_below(random, 3),
	};
	uint64_t low = random_below(random, 2) ? UINT64_MAX - 1500 : 0x400000;
	uint64_t at = low;

	for (long i = 0; i < list.n; i++) {
		uint64_t counters = 1 + random_below(random, 30);
		uint32_t scale = scales[random_below(random, 12)];

		list.region[i] = region(at, counters * list.width_bytes, scale);
		if (scale >= 2 && ordered)
			at += prf_region_span(list.region[i].size_bytes,
					      scale) +
			      random_below(random, 3) * 50;
		if (!ordered)
			at = low + random_below(random, 1500);
	}
	if (random_below(random, 2) && list.n > 0)
		list.region[ordered ? list.n - 1
				    : (long)random_below(random,
							 (uint64_t)list.n)] =
			region(0, list.width_bytes, 2);
	return list;
}

/* The rule in words, over the whole list. */
static struct prf_table_hit
look(const struct random_list *list, const struct prf_dialect *dialect,
     uint64_t pc)
{
	struct prf_table_hit best = {.entry = PRF_TABLE_NONE};

	for (long i = 0; i < list->n; i++) {
		const struct prf_region *entry = &list->region[i];
		struct prf_hit hit =
			prf_region_map(*entry, list->width_bytes, dialect, pc);

		if (entry->offset == 0 || hit.kind != PRF_HIT)
			continue;
		if (best.entry == PRF_TABLE_NONE ||
		    entry->offset > list->region[best.entry].offset)
			best = (struct prf_table_hit){(size_t)i, hit.index,
						      hit.byte};
	}
	for (long i = 0; i < list->n; i++)
		if (list->region[i].offset == 0 && best.entry == PRF_TABLE_NONE)
			best.entry = (size_t)i;
	return best;
}

static void
check_pc(const struct prf_table *table, struct prf_table_hit should,
	 uint64_t pc, const struct random *random)
{
	struct prf_table_hit hit = prf_table_find(table, pc);

	ck_assert_msg(hit.entry == should.entry && hit.index == should.index &&
			      hit.byte == should.byte,
		      RANDOM_WHERE "pc %" PRIx64 " is %zd/%" PRIu64
				   ", should be %zd/%" PRIu64,
		      RANDOM_IS(random), pc, (ssize_t)hit.entry, hit.index,
		      (ssize_t)should.entry, should.index);
}

/* All around the regions of the list. */
static uint64_t
random_pc(struct random *random, const struct random_list *list)
{
	const struct prf_region *entry =
		&list->region[random_below(random, (uint64_t)list->n)];
	uint64_t span = prf_region_span(entry->size_bytes, entry->scale);
	uint64_t near = random_below(random, 5) - 2;

	if (random_below(random, 2))
		return entry->offset + near + (near % 2 ? span : 0);
	return entry->offset + random_below(random, span + 100);
}

START_TEST(a_lenient_table_finds_what_looking_at_each_entry_finds)
{
	struct random random = random_begin();
	int n_tables = 0;

	for (int round = 0; round < 5000; round++) {
		struct random_list list = random_list(&random, round % 4 == 0);
		const struct prf_dialect *dialect =
			round % 2 ? prf_dialect_glibc() : prf_dialect_lenient();
		struct prf_table *table;

		if (prf_table_new(list.region, list.n, list.width_bytes,
				  dialect, &table, NULL) < 0)
			continue;
		for (int i = 0; i < 60 && list.n > 0; i++) {
			uint64_t pc = random_pc(&random, &list);

			check_pc(table, look(&list, dialect, pc), pc, &random);
		}
		prf_table_free(table);
		n_tables++;
	}
	ck_assert_int_gt(n_tables, 3000);
}
END_TEST

START_TEST(what_a_strict_list_takes_a_lenient_one_takes_alike)
{
	struct random random = random_begin();
	int n_tables = 0;

	for (int round = 0; round < 5000; round++) {
		struct random_list list = random_list(&random, true);
		struct prf_table *table, *other;

		if (prf_table_new(list.region, list.n, list.width_bytes,
				  prf_dialect_hpux(), &table, NULL) < 0)
			continue;
		ck_assert_msg(
			prf_table_new(list.region, list.n, list.width_bytes,
				      prf_dialect_lenient(), &other, NULL) == 0,
			RANDOM_WHERE "refused", RANDOM_IS(&random));
		for (int i = 0; i < 60 && list.n > 0; i++) {
			uint64_t pc = random_pc(&random, &list);

			check_pc(table, prf_table_find(other, pc), pc, &random);
		}
		prf_table_free(table);
		prf_table_free(other);
		n_tables++;
	}
	ck_assert_int_gt(n_tables, 1000);
	ck_assert_int_lt(n_tables, 5000);
}
END_TEST

START_TEST(a_deep_nest_of_regions_is_told_apart)
{
	enum { DEPTH = 3000 };
	struct prf_region *list = calloc(DEPTH, sizeof *list);
	struct prf_table *table;

	/* [i, 2 * DEPTH - i): each inside the one before it. */
	for (uint64_t i = 0; i < DEPTH; i++)
		list[i] = region(0x400000 + 2 * i, 4 * (DEPTH - i), 0x10000);
	ck_assert_int_eq(prf_table_new(list, DEPTH, 2, prf_dialect_lenient(),
				       &table, NULL),
			 0);
	for (uint64_t i = 0; i < 2 * DEPTH; i++) {
		uint64_t inner = i < DEPTH ? i : 2 * DEPTH - 1 - i;

		ck_assert_uint_eq(prf_table_find(table, 0x400000 + 2 * i).entry,
				  inner);
	}
	prf_table_free(table);
	free(list);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("table");
	TCase *tcase = tcase_create("table");

	tcase_set_timeout(tcase, 120); /* under sanitizers */
	tcase_add_test(tcase, flags_ask_for_exactly_one_width);
	tcase_add_test(tcase, only_lenient_lists_take_the_flag_fast);
	tcase_add_test(tcase, a_count_below_zero_or_above_the_limit_is_too_big);
	tcase_add_test(tcase, a_table_of_nothing_takes_nothing);
	tcase_add_test(tcase, a_width_that_does_not_exist_is_invalid);
	tcase_add_test(tcase, a_size_of_zero_or_of_half_a_counter_is_invalid);
	tcase_add_test(tcase, a_region_covers_2_to_the_46th_at_most);
	tcase_add_test(tcase, a_scale_above_the_dialects_largest_is_invalid);
	tcase_add_test(tcase, an_ignored_entry_is_skipped_before_any_test);
	tcase_add_test(tcase, a_strict_list_ascends);
	tcase_add_test(tcase, a_strict_list_does_not_overlap_by_one_byte);
	tcase_add_test(
		tcase,
		nothing_is_above_a_region_that_ends_with_the_address_space);
	tcase_add_test(
		tcase,
		the_overflow_entry_is_one_counter_the_only_one_and_the_last);
	tcase_add_test(tcase, an_error_says_which_region_and_why);
	tcase_add_test(tcase, the_list_is_not_needed_once_compiled);
	tcase_add_test(tcase,
		       a_lenient_table_finds_what_looking_at_each_entry_finds);
	tcase_add_test(tcase,
		       what_a_strict_list_takes_a_lenient_one_takes_alike);
	tcase_add_test(tcase, a_deep_nest_of_regions_is_told_apart);
	suite_add_tcase(suite, tcase);
	return suite;
}
