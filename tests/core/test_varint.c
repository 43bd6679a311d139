#include "core/pctrace/varint.h"

#include <string.h>

#include "core/random.h"
#include "support/guard.h"
#include "support/suite.h"

START_TEST(numbers_of_any_size_come_back_whatever_follows)
{
	struct random random = random_begin();
	uint8_t bytes[2 * PRF_VARINT_MAX_BYTES];

	for (int round = 0; round < 100000; round++) {
		uint64_t value = random_of_any_size(&random);
		size_t n_more = random_below(&random, PRF_VARINT_MAX_BYTES + 1);

		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)random_next(&random);
		const uint8_t *end = prf_varint_put(bytes, value);
		struct prf_varint_in in = {bytes, end + n_more, false};

		if (prf_varint_take(&in) != value || in.bad || in.at != end)
			ck_abort_msg(RANDOM_WHERE "%llx", RANDOM_IS(&random),
				     (unsigned long long)value);
	}
}
END_TEST

START_TEST(numbers_take_a_byte_for_seven_bits)
{
	uint8_t bytes[PRF_VARINT_MAX_BYTES];

	for (unsigned bits = 1; bits <= 64; bits++) {
		uint64_t most = UINT64_MAX >> (64 - bits);

		ck_assert_int_eq(prf_varint_put(bytes, most) - bytes,
				 (bits + 6) / 7);
	}
	ck_assert_int_eq(prf_varint_put(bytes, 0) - bytes, 1);
}
END_TEST

START_TEST(small_differences_either_way_are_small_numbers)
{
	ck_assert_uint_eq(prf_varint_fold(0), 0);
	ck_assert_uint_eq(prf_varint_fold((uint64_t)-1), 1);
	ck_assert_uint_eq(prf_varint_fold(1), 2);
	ck_assert_uint_eq(prf_varint_fold((uint64_t)INT64_MIN), UINT64_MAX);
	ck_assert_uint_eq(prf_varint_fold(INT64_MAX), UINT64_MAX - 1);
}
END_TEST

START_TEST(any_difference_comes_back)
{
	struct random random = random_begin();

	for (int round = 0; round < 1000; round++) {
		uint64_t value = random_of_any_size(&random);

		if (round & 1)
			value = 0 - value;
		ck_assert_uint_eq(prf_varint_unfold(prf_varint_fold(value)),
				  value);
	}
}
END_TEST

START_TEST(what_is_no_number_is_bad_and_nothing_behind_it_is_read)
{
	static const struct {
		size_t n_bytes;
		const char *bytes;
	} none[] = {
		{0, ""},
		{1, "\x80"},
		{9, "\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
		{10, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"},
		{10, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"},
	};
	struct prf_guard guard = prf_guard_new(16);
	const uint8_t *bytes =
		prf_guard_copy(&guard, none[_i].bytes, none[_i].n_bytes);
	struct prf_varint_in in = {bytes, guard.end, false};

	ck_assert_uint_eq(prf_varint_take(&in), 0);
	ck_assert(in.bad);
	prf_guard_free(&guard);
}
END_TEST

START_TEST(a_number_above_its_bound_is_bad)
{
	static const uint8_t bytes[] = {0x80, 0x02, 0x80, 0x02};
	struct prf_varint_in in = {bytes, bytes + sizeof bytes, false};

	ck_assert_uint_eq(prf_varint_take_max(&in, 256), 256);
	ck_assert(!in.bad);
	ck_assert_uint_eq(prf_varint_take_max(&in, 255), 0);
	ck_assert(in.bad);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("varint");
	TCase *tcase = tcase_create("varint");

	tcase_add_test(tcase, numbers_of_any_size_come_back_whatever_follows);
	tcase_add_test(tcase, numbers_take_a_byte_for_seven_bits);
	tcase_add_test(tcase, small_differences_either_way_are_small_numbers);
	tcase_add_test(tcase, any_difference_comes_back);
	tcase_add_loop_test(
		tcase, what_is_no_number_is_bad_and_nothing_behind_it_is_read,
		0, 5);
	tcase_add_test(tcase, a_number_above_its_bound_is_bad);
	suite_add_tcase(suite, tcase);
	return suite;
}
