#include "view/blocks.h"

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

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("blocks");
	TCase *tcase = tcase_create("blocks");

	tcase_add_test(tcase, blocks_are_found_again_and_ascend);
	tcase_add_test(tcase, the_last_block_of_all_addresses_is_one_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
