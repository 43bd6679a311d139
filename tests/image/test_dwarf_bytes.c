#include "image/dwarf_bytes.h"
#include "support/suite.h"

/* N BYTES, to be read. */
static struct prf_dwarf_bytes
over(const uint8_t *bytes, size_t n)
{
	return (struct prf_dwarf_bytes){.at = bytes, .end = bytes + n};
}

static const struct {
	uint8_t bytes[12];
	size_t n;
	uint64_t number;
	int64_t with_sign;
} numbers[] = {
	{{0x00}, 1, 0, 0},
	{{0x02}, 1, 2, 2},
	{{0x7f}, 1, 127, -1},
	{{0x40}, 1, 64, -64},
	{{0x80, 0x01}, 2, 128, 128},
	{{0x80, 0x7f}, 2, 16256, -128},
	{{0xff, 0x00}, 2, 127, 127},
	{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	 10,
	 UINT64_MAX,
	 -1},
	{{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f},
	 10,
	 (uint64_t)1 << 63,
	 INT64_MIN},
	/* Longer than any number is. */
	{{0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	  0x00},
	 12,
	 1,
	 1},
};

START_TEST(leb128_is_a_number)
{
	struct prf_dwarf_bytes bytes = over(numbers[_i].bytes, numbers[_i].n);

	ck_assert_uint_eq(prf_dwarf_uleb(&bytes), numbers[_i].number);
	ck_assert(!bytes.failed && prf_dwarf_at_end(&bytes));
	bytes = over(numbers[_i].bytes, numbers[_i].n);
	ck_assert_int_eq(prf_dwarf_sleb(&bytes), numbers[_i].with_sign);
	ck_assert(!bytes.failed && prf_dwarf_at_end(&bytes));
}
END_TEST

START_TEST(what_is_cut_off_is_0_and_has_failed)
{
	for (size_t n = 0; n < numbers[_i].n; n++) {
		struct prf_dwarf_bytes bytes = over(numbers[_i].bytes, n);

		ck_assert_uint_eq(prf_dwarf_uleb(&bytes), 0);
		ck_assert(bytes.failed && prf_dwarf_at_end(&bytes));
		bytes = over(numbers[_i].bytes, n);
		ck_assert_int_eq(prf_dwarf_sleb(&bytes), 0);
		ck_assert(bytes.failed);
	}
}
END_TEST

START_TEST(fixed_numbers_have_an_order_and_a_sign)
{
	static const uint8_t two[] = {0x01, 0xfe};
	struct prf_dwarf_bytes bytes = over(two, 2);

	ck_assert_uint_eq(prf_dwarf_number(&bytes, 2), 0xfe01);
	bytes = over(two, 2);
	ck_assert_int_eq(prf_dwarf_signed(&bytes, 2), -0x1ff);
	bytes = over(two, 2);
	bytes.big_endian = true;
	ck_assert_uint_eq(prf_dwarf_number(&bytes, 2), 0x01fe);
}
END_TEST

START_TEST(nothing_is_skipped_that_is_not_there)
{
	static const uint8_t two[2];
	struct prf_dwarf_bytes bytes = over(two, 2);

	prf_dwarf_skip(&bytes, 2);
	ck_assert(!bytes.failed && prf_dwarf_at_end(&bytes));
	bytes = over(two, 2);
	prf_dwarf_skip(&bytes, UINT64_MAX);
	ck_assert(bytes.failed && bytes.at == two + 2);
	ck_assert_uint_eq(prf_dwarf_number(&bytes, 1), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("dwarf_bytes");
	TCase *tcase = tcase_create("dwarf_bytes");
	int n = sizeof numbers / sizeof *numbers;

	tcase_add_loop_test(tcase, leb128_is_a_number, 0, n);
	tcase_add_loop_test(tcase, what_is_cut_off_is_0_and_has_failed, 0, n);
	tcase_add_test(tcase, fixed_numbers_have_an_order_and_a_sign);
	tcase_add_test(tcase, nothing_is_skipped_that_is_not_there);
	suite_add_tcase(suite, tcase);
	return suite;
}
