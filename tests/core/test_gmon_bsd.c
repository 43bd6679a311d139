/* The BSD formats, as gmon_read.c reads them. */
#include "core/gmon_file.h"
#include "core/gmon_read.h"
#include "support/suite.h"

#include <errno.h>
#include <string.h>

static const struct prf_gmon_reading pc = {8, false};

START_TEST(bsd44_tells_its_rate)
{
	struct gmon_file file = gmon_file_sample(1, gmon_file_readings[_i]);
	struct prf_gmon *gmon = gmon_file_parse(&file);

	ck_assert_int_eq(gmon->format, PRF_GMON_FORMAT_BSD44);
	ck_assert_uint_eq(gmon->reading.addr_bytes, file.reading.addr_bytes);
	ck_assert(gmon->reading.big_endian == file.reading.big_endian);
	ck_assert_uint_eq(gmon->rate_hz, 128);
	ck_assert_uint_eq(gmon->n_hists, 1);
	ck_assert_uint_eq(gmon->hists[0].lo_vaddr, 0x1000);
	ck_assert_uint_eq(gmon->hists[0].hi_vaddr, 0x1010);
	ck_assert_uint_eq(gmon->hists[0].n_bins, 4);
	ck_assert_uint_eq(gmon->hists[0].counts[3], 40);
	ck_assert_uint_eq(gmon->n_arcs, 2);
	ck_assert_uint_eq(gmon->arcs[1].count, 4);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(freebsd_counters_are_read_as_wide_as_the_header_says)
{
	static const int32_t types[] = {8, 16, 32, 64, -8, -16, -32, -64};
	struct gmon_file file = gmon_file_bsd44(
		gmon_file_readings[_i / 8], 0x1000, 0x1010, 4, types[_i % 8]);
	struct prf_gmon *gmon = gmon_file_parse(&file);

	ck_assert_uint_eq(gmon->ticks, 10 + 20 + 30 + 40);
	ck_assert_uint_eq(gmon->hists[0].n_bins, 4);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(a_signed_counter_below_0_is_refused)
{
	struct gmon_file file = gmon_file_bsd44(pc, 0x1000, 0x1002, 1, -32);

	memset(file.bytes + 40, 0xff, 4);
	gmon_file_refuse(&file, -EBADMSG, "offset 40: a counter is below 0");
}
END_TEST

START_TEST(a_counter_type_that_freebsd_has_not_is_refused)
{
	struct gmon_file file = gmon_file_bsd44(pc, 0x1000, 0x1010, 4, 0);

	file.bytes[28] = 24;
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 28: 24 is no type of counters");
}
END_TEST

START_TEST(counters_that_exceed_64_bits_together_are_refused)
{
	struct gmon_file file = gmon_file_bsd44(pc, 0x1000, 0x1010, 4, 64);

	memset(file.bytes + 48, 0xff, 8);
	gmon_file_refuse(&file, -EOVERFLOW, "offset 48: the counters add up ");
}
END_TEST

START_TEST(arcs_that_exceed_64_bits_together_are_refused)
{
	struct gmon_file file = gmon_file_bsd44(pc, 0x1000, 0x1010, 4, 64);

	gmon_file_bsd_arc(&file, 1, 2, UINT64_MAX);
	gmon_file_bsd_arc(&file, 1, 2, 1);
	gmon_file_refuse(&file, -EOVERFLOW, "the arcs from 0x1 to 0x2 add up ");
}
END_TEST

START_TEST(bsd44_without_counters_can_have_arcs)
{
	struct gmon_file file =
		gmon_file_bsd44(gmon_file_readings[_i], 0, 0, 0, 0);
	struct prf_gmon *gmon;

	gmon_file_bsd_arc(&file, 1, 2, 3);
	gmon = gmon_file_parse(&file);
	ck_assert_uint_eq(gmon->n_hists, 0);
	ck_assert_uint_eq(gmon->n_arcs, 1);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(old_bsd_does_not_tell_its_rate)
{
	struct gmon_file file = gmon_file_sample(3, gmon_file_readings[_i]);
	struct prf_gmon *gmon = gmon_file_parse(&file);

	ck_assert_int_eq(gmon->format, PRF_GMON_FORMAT_BSD);
	ck_assert_uint_eq(gmon->reading.addr_bytes, file.reading.addr_bytes);
	ck_assert(gmon->reading.big_endian == file.reading.big_endian);
	ck_assert_uint_eq(gmon->rate_hz, 0);
	ck_assert_uint_eq(gmon->ticks, 100);
	ck_assert_uint_eq(gmon->n_arcs, 2);
	ck_assert_uint_eq(gmon->arcs[0].from_vaddr, 0x1001);
	ck_assert_uint_eq(gmon->arcs[0].count, 3);
	prf_gmon_free(gmon);
}
END_TEST

/* 32-bit files of 4.4BSD can be read as 64-bit files of old BSD: low text,
 * and a rate that passes for a size. */
START_TEST(a_version_that_is_there_wins_over_old_bsd)
{
	struct gmon_file file = gmon_file_bsd44(
		(struct prf_gmon_reading){4, false}, 0x1000, 0x1210, 132, 0);
	struct prf_gmon *gmon;
	struct prf_gmon_hint wrong = {8, PRF_GMON_ORDER_LITTLE};

	gmon_file_bsd_arc(&file, 1, 2, 3);
	gmon_file_bsd_arc(&file, 1, 3, 3);
	ck_assert_int_eq(
		prf_gmon_parse(file.bytes, file.n_bytes, &wrong, &gmon, NULL),
		0);
	ck_assert_int_eq(gmon->format, PRF_GMON_FORMAT_BSD);
	prf_gmon_free(gmon);

	gmon = gmon_file_parse(&file);
	ck_assert_int_eq(gmon->format, PRF_GMON_FORMAT_BSD44);
	ck_assert_uint_eq(gmon->n_readings, 1);
	prf_gmon_free(gmon);
}
END_TEST

/* The other way round: the low half of an address passes for a size. */
START_TEST(a_version_that_is_there_wins_over_narrower_old_bsd)
{
	struct gmon_file file =
		gmon_file_bsd44(pc, 0x7f0000000010, 0x7f0000000050, 20, 0);
	struct prf_gmon_hint wrong = {4, PRF_GMON_ORDER_LITTLE};
	struct prf_gmon *gmon;

	gmon_file_bsd_arc(&file, 1, 2, 3);
	ck_assert_int_eq(
		prf_gmon_parse(file.bytes, file.n_bytes, &wrong, &gmon, NULL),
		0);
	ck_assert_int_eq(gmon->format, PRF_GMON_FORMAT_BSD);
	prf_gmon_free(gmon);

	gmon = gmon_file_parse(&file);
	ck_assert_int_eq(gmon->format, PRF_GMON_FORMAT_BSD44);
	ck_assert_uint_eq(gmon->n_readings, 1);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(half_a_counter_is_refused)
{
	struct gmon_file file = gmon_file_bsd44(pc, 0x1000, 0x1010, 4, 0);

	file.bytes[16]--; /* of 48 bytes of header and counters */
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 16: header and counters cannot be 47 bytes "
			 "of a file of 48");
}
END_TEST

#define N GMON_FILE_N_READINGS

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_bsd");
	TCase *tcase = tcase_create("gmon_bsd");

	tcase_add_loop_test(tcase, bsd44_tells_its_rate, 0, N);
	tcase_add_loop_test(
		tcase, freebsd_counters_are_read_as_wide_as_the_header_says, 0,
		8 * N);
	tcase_add_test(tcase, a_signed_counter_below_0_is_refused);
	tcase_add_test(tcase, a_counter_type_that_freebsd_has_not_is_refused);
	tcase_add_test(tcase,
		       counters_that_exceed_64_bits_together_are_refused);
	tcase_add_test(tcase, arcs_that_exceed_64_bits_together_are_refused);
	tcase_add_loop_test(tcase, bsd44_without_counters_can_have_arcs, 0, N);
	tcase_add_loop_test(tcase, old_bsd_does_not_tell_its_rate, 0, N);
	tcase_add_test(tcase, a_version_that_is_there_wins_over_old_bsd);
	tcase_add_test(tcase,
		       a_version_that_is_there_wins_over_narrower_old_bsd);
	tcase_add_test(tcase, half_a_counter_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
