#include "core/pctrace/crc32.h"

#include <string.h>

#include "core/random.h"
#include "support/suite.h"

START_TEST(the_checksum_is_that_of_others)
{
	static const struct {
		const char *text;
		uint32_t sum;
	} known[] = {
		{"", 0},
		{"a", 0xe8b7be43},
		{"123456789", 0xcbf43926},
		{"The quick brown fox jumps over the lazy dog", 0x414fa339},
	};
	struct prf_crc32 crc;

	prf_crc32_init(&crc);
	ck_assert_uint_eq(
		prf_crc32_of(&crc, known[_i].text, strlen(known[_i].text)),
		known[_i].sum);
}
END_TEST

/* A bit at a time, as it is defined. */
static uint32_t
slow_crc32(const uint8_t *bytes, size_t n_bytes)
{
	uint32_t sum = UINT32_MAX;

	for (size_t i = 0; i < 8 * n_bytes; i++) {
		uint32_t bit = (bytes[i / 8] >> i % 8 ^ sum) & 1;

		sum = sum >> 1 ^ (bit ? UINT32_C(0xedb88320) : 0);
	}
	return ~sum;
}

START_TEST(any_bytes_at_any_place_have_the_checksum_of_the_definition)
{
	struct random random = random_begin();
	struct prf_crc32 crc;
	uint8_t bytes[80];

	prf_crc32_init(&crc);
	for (int round = 0; round < 5000; round++) {
		size_t from = random_below(&random, 9);
		size_t n_bytes = random_below(&random, sizeof bytes - from);

		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)random_next(&random);
		ck_assert_msg(prf_crc32_of(&crc, bytes + from, n_bytes) ==
				      slow_crc32(bytes + from, n_bytes),
			      RANDOM_WHERE "%zu bytes", RANDOM_IS(&random),
			      n_bytes);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("crc32");
	TCase *tcase = tcase_create("crc32");

	tcase_add_loop_test(tcase, the_checksum_is_that_of_others, 0, 4);
	tcase_add_test(
		tcase,
		any_bytes_at_any_place_have_the_checksum_of_the_definition);
	suite_add_tcase(suite, tcase);
	return suite;
}
