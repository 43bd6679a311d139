/* Rows that were made before are found again, and take no more memory than they
 * may. */
#include "image/cfi_cache.h"
#include "support/suite.h"

#include <string.h>

enum { FILE_ONE = 1, FILE_TWO = 2, PLACES = 100000 };

/* A row whose CFA is the stack pointer and OFFSET. */
#define ROW_OF(offset_)                                                        \
	{                                                                      \
		.cfa = {.how = PRF_CFI_REGISTER,                               \
			.other = 7,                                            \
			.offset = (offset_)},                                  \
		.return_register = 16                                          \
	}

START_TEST(an_answer_is_its_files_own)
{
	struct prf_cfi_cache cache = {.max_bytes = PRF_CFI_CACHE_BYTES};
	const struct prf_cfi_row row = ROW_OF(8);

	ck_assert_ptr_null(prf_cfi_cache_find(&cache, FILE_ONE, 0x1000));
	const struct prf_cfi_row *stored =
		prf_cfi_cache_add(&cache, FILE_ONE, 0x1000, &row);
	ck_assert_ptr_ne(stored, &row);
	const struct prf_cfi_answer *answer =
		prf_cfi_cache_find(&cache, FILE_ONE, 0x1000);
	ck_assert_ptr_nonnull(answer);
	ck_assert_ptr_eq(answer->row, stored);
	ck_assert_ptr_null(prf_cfi_cache_find(&cache, FILE_TWO, 0x1000));
	ck_assert_ptr_null(prf_cfi_cache_find(&cache, FILE_ONE, 0x1001));
	prf_cfi_cache_free(&cache);
}
END_TEST

START_TEST(that_there_is_no_row_is_an_answer_too)
{
	struct prf_cfi_cache cache = {.max_bytes = PRF_CFI_CACHE_BYTES};

	ck_assert_ptr_null(prf_cfi_cache_add(&cache, FILE_ONE, 0x1000, NULL));
	const struct prf_cfi_answer *answer =
		prf_cfi_cache_find(&cache, FILE_ONE, 0x1000);
	ck_assert_ptr_nonnull(answer);
	ck_assert_ptr_null(answer->row);
	prf_cfi_cache_free(&cache);
}
END_TEST

/* The file may be closed before its rows are forgotten. */
START_TEST(expressions_are_copied)
{
	struct prf_cfi_cache cache = {.max_bytes = PRF_CFI_CACHE_BYTES};
	uint8_t expression[] = {1, 2, 3};
	struct prf_cfi_row row = {
		.cfa = {.how = PRF_CFI_IS_EXPRESSION,
			.expression_bytes = sizeof expression,
			.expression = expression},
	};
	const struct prf_cfi_row *stored =
		prf_cfi_cache_add(&cache, FILE_ONE, 0x1000, &row);

	memset(expression, 9, sizeof expression);
	ck_assert_uint_eq(stored->cfa.expression_bytes, 3);
	ck_assert_uint_eq(stored->cfa.expression[0], 1);
	ck_assert_uint_eq(stored->cfa.expression[2], 3);
	prf_cfi_cache_free(&cache);
}
END_TEST

START_TEST(most_of_what_a_large_program_asks_is_known)
{
	struct prf_cfi_cache cache = {.max_bytes = PRF_CFI_CACHE_BYTES};
	unsigned n_found = 0;

	for (unsigned pass = 0; pass < 2; pass++)
		for (uint64_t i = 0; i < 8000; i++) {
			const struct prf_cfi_row row = ROW_OF(i % 300 * 8);

			if (prf_cfi_cache_find(&cache, FILE_ONE, i * 37))
				n_found++;
			else
				prf_cfi_cache_add(&cache, FILE_ONE, i * 37,
						  &row);
		}
	ck_assert_uint_gt(n_found, 8000 / 2);
	ck_assert_uint_eq(cache.n_cleared, 0);
	prf_cfi_cache_free(&cache);
}
END_TEST

START_TEST(it_takes_no_more_memory_than_it_may)
{
	static const size_t max_bytes[] = {0, 100, 5000, 100000,
					   PRF_CFI_CACHE_BYTES};

	for (size_t i = 0; i < sizeof max_bytes / sizeof *max_bytes; i++) {
		struct prf_cfi_cache cache = {.max_bytes = max_bytes[i]};

		for (int64_t at = 0; at < PLACES; at++) {
			const struct prf_cfi_row row = ROW_OF(at);
			const struct prf_cfi_row *stored = prf_cfi_cache_add(
				&cache, FILE_ONE, (uint64_t)at, &row);

			ck_assert_int_eq(stored->cfa.offset, at);
			ck_assert_uint_le(prf_cfi_cache_bytes(&cache),
					  max_bytes[i]);
		}
		ck_assert_uint_gt(cache.n_cleared, 0);
		prf_cfi_cache_free(&cache);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("cfi_cache");
	TCase *tcase = tcase_create("cache");

	tcase_add_test(tcase, an_answer_is_its_files_own);
	tcase_add_test(tcase, that_there_is_no_row_is_an_answer_too);
	tcase_add_test(tcase, expressions_are_copied);
	tcase_add_test(tcase, most_of_what_a_large_program_asks_is_known);
	tcase_add_test(tcase, it_takes_no_more_memory_than_it_may);
	suite_add_tcase(suite, tcase);
	return suite;
}
