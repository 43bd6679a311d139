#include "profile/blocks.h"

#include <errno.h>
#include <stdlib.h>

#include "support/suite.h"

START_TEST(blocks_are_found_again_and_ascend)
{
	enum { N = 1000 };
	struct prf_blocks blocks = {0};

	/* From the top down, and each of them twice. */
	for (uint64_t i = 2 * N; i-- > 0;) {
		uint64_t number = i % N * 977;
		struct prf_block *block = prf_blocks_at(
			&blocks, number * PRF_GMON_BLOCK_BYTES + i % 1024);

		ck_assert_uint_eq(block->vaddr, number * PRF_GMON_BLOCK_BYTES);
		block->counts[0]++;
	}
	ck_assert_uint_eq(blocks.n, N);
	const struct prf_block **sorted = prf_blocks_sorted(&blocks);
	for (size_t i = 0; i < N; i++) {
		ck_assert_uint_eq(sorted[i]->vaddr,
				  i * 977 * PRF_GMON_BLOCK_BYTES);
		ck_assert_uint_eq(sorted[i]->counts[0], 2);
	}
	free(sorted);
	prf_blocks_clear(&blocks);
}
END_TEST

START_TEST(the_last_block_of_all_addresses_is_one_too)
{
	struct prf_blocks blocks = {0};
	struct prf_block *block = prf_blocks_at(&blocks, UINT64_MAX);

	ck_assert_uint_eq(block->vaddr, UINT64_MAX - 1023);
	ck_assert_ptr_eq(block, prf_blocks_at(&blocks, UINT64_MAX - 1023));
	prf_blocks_clear(&blocks);
}
END_TEST

static void
count(struct prf_blocks *blocks, uint64_t vaddr, uint64_t ticks)
{
	struct prf_block *block = prf_blocks_at(blocks, vaddr);

	block->counts[(vaddr - block->vaddr) / 2] += ticks;
}

START_TEST(merged_blocks_have_the_ticks_of_both)
{
	struct prf_blocks blocks = {0}, other = {0}, none = {0};

	for (uint64_t i = 0; i < 100; i++) {
		count(&blocks, i * 1024, 1);
		count(&other, (i + 50) * 1024, UINT32_MAX);
		count(&other, (i + 50) * 1024 + 1022, 2);
	}
	ck_assert_int_eq(prf_blocks_merge(&blocks, &other), 0);
	ck_assert_int_eq(prf_blocks_merge(&blocks, &none), 0);
	ck_assert_uint_eq(blocks.n, 150);
	ck_assert_uint_eq(other.n, 100); /* as it was */
	for (uint64_t i = 0; i < 150; i++) {
		const uint64_t *counts =
			prf_blocks_at(&blocks, i * 1024)->counts;
		uint64_t of_other = i >= 50;

		ck_assert_uint_eq(counts[0], (i < 100) + of_other * UINT32_MAX);
		ck_assert_uint_eq(counts[1], 0);
		ck_assert_uint_eq(counts[PRF_BLOCK_BINS - 1], 2 * of_other);
	}
	ck_assert_int_eq(prf_blocks_merge(&none, &blocks), 0);
	ck_assert_uint_eq(none.n, 150);
	prf_blocks_clear(&blocks);
	prf_blocks_clear(&other);
	prf_blocks_clear(&none);
}
END_TEST

START_TEST(there_is_room_where_a_block_is_already)
{
	size_t n_all = PRF_BLOCKS_MAX - 1;
	struct prf_blocks blocks = {.n_all = &n_all};

	ck_assert(prf_blocks_have_room(&blocks, 0x1000));
	ck_assert_ptr_nonnull(prf_blocks_at(&blocks, 0x1000));
	ck_assert_uint_eq(n_all, PRF_BLOCKS_MAX);
	ck_assert_int_eq(prf_blocks_check(n_all, NULL), 0);
	ck_assert(prf_blocks_have_room(&blocks, 0x13ff));
	ck_assert(!prf_blocks_have_room(&blocks, 0x1400));
	prf_blocks_clear(&blocks);
	ck_assert_uint_eq(n_all, PRF_BLOCKS_MAX - 1);
	/* Others may have all of them. */
	n_all = PRF_BLOCKS_MAX;
	blocks.n_all = &n_all;
	ck_assert(!prf_blocks_have_room(&blocks, 0x1000));
	ck_assert_int_eq(prf_blocks_check(n_all + 1, NULL), -EFBIG);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("blocks");
	TCase *tcase = tcase_create("blocks");

	tcase_add_test(tcase, blocks_are_found_again_and_ascend);
	tcase_add_test(tcase, the_last_block_of_all_addresses_is_one_too);
	tcase_add_test(tcase, merged_blocks_have_the_ticks_of_both);
	tcase_add_test(tcase, there_is_room_where_a_block_is_already);
	suite_add_tcase(suite, tcase);
	return suite;
}
