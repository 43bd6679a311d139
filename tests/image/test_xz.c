#include "image/xz.h"
#include "support/suite.h"
#include "support/xz_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 1 << 20, DICT = 1 << 16 };

/* What unpacking SIZE bytes of STREAM answers; what it gives is freed. */
static int
unpack(const uint8_t *stream, size_t size)
{
	struct prf_error err = {0};
	void *bytes = NULL;
	size_t n = 0;
	int rc = prf_xz_unpack(stream, size, MAX, &bytes, &n, &err);

	ck_assert_int_eq(err.code, rc);
	ck_assert((rc == 0) == (bytes != NULL));
	free(bytes);
	return rc;
}

START_TEST(what_was_packed_is_there_again)
{
	static const size_t sizes[] = {0, 1, 4097, MAX};
	char *bytes = malloc(MAX);
	size_t stream_size, n;
	void *unpacked;

	for (size_t i = 0; i < MAX; i++)
		bytes[i] = (char)(i * i >> 7);
	uint8_t *stream = xz_stream(bytes, sizes[_i], &stream_size);
	ck_assert_int_eq(
		prf_xz_unpack(stream, stream_size, MAX, &unpacked, &n, NULL),
		0);
	ck_assert_uint_eq(n, sizes[_i]);
	ck_assert_mem_eq(unpacked, bytes, n);
	free(unpacked);
	free(stream);
	free(bytes);
}
END_TEST

START_TEST(a_stream_that_is_cut_short_is_refused)
{
	size_t size;
	uint8_t *stream = xz_stream("hello, hello, hello", 19, &size);

	for (size_t cut = 0; cut < size; cut++) {
		uint8_t *copy = malloc(cut ? cut : 1);

		memcpy(copy, stream, cut);
		ck_assert_int_eq(unpack(copy, cut), -EINVAL);
		free(copy);
	}
	ck_assert_int_eq(unpack(stream, size), 0);
	free(stream);
}
END_TEST

START_TEST(no_byte_of_a_stream_can_be_another)
{
	size_t size;
	uint8_t *stream = xz_stream("hello, hello, hello", 19, &size);

	for (size_t at = 0; at < size; at++) {
		stream[at] ^= 0x55;
		ck_assert_int_lt(unpack(stream, size), 0);
		stream[at] ^= 0x55;
	}
	free(stream);
}
END_TEST

START_TEST(more_than_the_limit_is_refused)
{
	size_t size;
	uint8_t *zeros = calloc(1, MAX + 1);
	uint8_t *stream = xz_stream(zeros, MAX + 1, &size);

	ck_assert_int_eq(unpack(stream, size), -EFBIG);
	free(stream);
	free(zeros);
}
END_TEST

START_TEST(a_size_without_bounds_is_refused_unread)
{
	size_t size;
	uint8_t *stream = xz_stream_claiming(UINT64_C(1) << 62, DICT, &size);

	ck_assert_int_eq(unpack(stream, size), -EFBIG);
	free(stream);
}
END_TEST

START_TEST(a_size_that_is_not_the_blocks_is_refused)
{
	size_t size;
	uint8_t *stream = xz_stream_claiming(1000, DICT, &size);

	ck_assert_int_eq(unpack(stream, size), -EINVAL);
	free(stream);
	stream = xz_stream_claiming(0, DICT, &size);
	ck_assert_int_eq(unpack(stream, size), 0);
	free(stream);
}
END_TEST

START_TEST(no_more_is_written_than_the_index_says)
{
	size_t large_size, small_size;
	uint8_t *zeros = calloc(1, MAX);
	uint8_t *large = xz_stream(zeros, MAX, &large_size);
	uint8_t *small = xz_stream(zeros, 10, &small_size);
	uint8_t *both = malloc(large_size + small_size);

	memcpy(both, large, large_size);
	memcpy(both + large_size, small, small_size);
	ck_assert_int_eq(unpack(both, large_size + small_size), -EINVAL);
	free(both);
	free(small);
	free(large);
	free(zeros);
}
END_TEST

START_TEST(a_dictionary_that_would_fill_all_memory_is_refused)
{
	size_t size;
	uint8_t *stream = xz_stream_claiming(1000, UINT32_MAX, &size);

	ck_assert_int_eq(unpack(stream, size), -EFBIG);
	free(stream);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("xz");
	TCase *tcase = tcase_create("xz");

	tcase_add_loop_test(tcase, what_was_packed_is_there_again, 0, 4);
	tcase_add_test(tcase, a_stream_that_is_cut_short_is_refused);
	tcase_add_test(tcase, no_byte_of_a_stream_can_be_another);
	tcase_add_test(tcase, more_than_the_limit_is_refused);
	tcase_add_test(tcase, a_size_without_bounds_is_refused_unread);
	tcase_add_test(tcase, a_size_that_is_not_the_blocks_is_refused);
	tcase_add_test(tcase, no_more_is_written_than_the_index_says);
	tcase_add_test(tcase,
		       a_dictionary_that_would_fill_all_memory_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
