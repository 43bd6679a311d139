#include "core/gmon_read.h"
#include "core/gmon_file.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct prf_gmon_reading pc = {8, false};
static const uint16_t bins[4] = {1, 0, 65535, 4};

START_TEST(records_of_one_range_add_and_ranges_are_sorted)
{
	struct gmon_file file = gmon_file_sample(0, gmon_file_readings[_i]);
	struct prf_gmon *gmon = gmon_file_parse(&file);

	ck_assert_int_eq(gmon->format, PRF_GMON_FORMAT_MAGIC);
	ck_assert_uint_eq(gmon->reading.addr_bytes, file.reading.addr_bytes);
	ck_assert(gmon->reading.big_endian == file.reading.big_endian);
	ck_assert_uint_eq(gmon->n_readings, 1);
	ck_assert_uint_eq(gmon->rate_hz, 100);
	ck_assert(!gmon->rates_differ);
	ck_assert_str_eq(gmon->dimension, "seconds");
	ck_assert_str_eq(gmon->abbreviation, "s");

	ck_assert_uint_eq(gmon->n_hists, 2);
	ck_assert_uint_eq(gmon->n_hist_records, 3);
	ck_assert_uint_eq(gmon->hists[0].lo_vaddr, 0x1000);
	ck_assert_uint_eq(gmon->hists[0].counts[2], 65535);
	ck_assert_uint_eq(gmon->hists[1].lo_vaddr, 0x2000);
	ck_assert_uint_eq(gmon->hists[1].hi_vaddr, 0x2008);
	ck_assert_uint_eq(gmon->hists[1].n_records, 2);
	ck_assert_uint_eq(gmon->hists[1].off, 20);
	ck_assert_uint_eq(gmon->hists[1].counts[0], 2);
	ck_assert_uint_eq(gmon->hists[1].counts[2], 2 * 65535);
	ck_assert_uint_eq(gmon->ticks, 3 * 65540);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(arcs_with_the_same_ends_add)
{
	struct gmon_file file = gmon_file_sample(0, gmon_file_readings[_i]);
	struct prf_gmon *gmon = gmon_file_parse(&file);

	ck_assert_uint_eq(gmon->n_arc_records, 3);
	ck_assert_uint_eq(gmon->n_arcs, 2);
	ck_assert_uint_eq(gmon->arcs[0].from_vaddr, 0x1001);
	ck_assert_uint_eq(gmon->arcs[0].count, 5);
	ck_assert_uint_eq(gmon->arcs[1].from_vaddr, 0x2001);
	ck_assert_uint_eq(gmon->arcs[1].to_vaddr, 0x2004);
	ck_assert_uint_eq(gmon->arcs[1].count, 7);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(basic_blocks_are_counted_and_skipped)
{
	struct gmon_file file = gmon_file_sample(0, gmon_file_readings[_i]);
	struct prf_gmon *gmon = gmon_file_parse(&file);

	ck_assert_uint_eq(gmon->n_bb_records, 1);
	ck_assert_uint_eq(gmon->n_bbs, 2);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(a_header_alone_is_a_profile_of_nothing_in_two_widths)
{
	struct gmon_file file = gmon_file_magic(gmon_file_readings[_i]);
	struct prf_gmon *gmon = gmon_file_parse(&file);

	ck_assert_uint_eq(gmon->n_readings, 2);
	ck_assert_uint_eq(gmon->reading.addr_bytes, 8);
	ck_assert(gmon->reading.big_endian == file.reading.big_endian);
	ck_assert_uint_eq(gmon->n_hists + gmon->n_arcs, 0);
	ck_assert_uint_eq(gmon->rate_hz, 0);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(version_0_is_read_too)
{
	struct gmon_file file = gmon_file_sample(0, gmon_file_readings[_i]);
	struct prf_gmon *gmon;

	memset(file.bytes + 4, 0, 4);
	gmon = gmon_file_parse(&file);
	ck_assert_uint_eq(gmon->n_readings, 1);
	ck_assert(gmon->reading.big_endian == file.reading.big_endian);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(another_reading_than_the_image_has_is_refused_and_named)
{
	const int is_at = _i / 3, said_at = (is_at + 1 + _i % 3) % 4;
	const struct prf_gmon_reading is = gmon_file_readings[is_at],
				      said = gmon_file_readings[said_at];
	struct gmon_file file = gmon_file_sample(0, is);
	struct prf_gmon_hint hint = gmon_file_hint(said);
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	char fact[80];

	ck_assert_int_eq(
		prf_gmon_parse(file.bytes, file.n_bytes, &hint, &gmon, &err),
		-EBADMSG);
	snprintf(fact, sizeof fact,
		 "it is a gmon.out with %u-byte %s-endian addresses",
		 is.addr_bytes, is.big_endian ? "big" : "little");
	ck_assert_msg(strstr(err.text, fact), "%s", err.text);
}
END_TEST

START_TEST(half_a_hint_is_enough)
{
	struct gmon_file file =
		gmon_file_magic((struct prf_gmon_reading){4, 1});
	struct prf_gmon_hint hint = {.addr_bytes = 4};
	struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(file.bytes, file.n_bytes, &hint, &gmon, NULL),
		0);
	ck_assert_uint_eq(gmon->reading.addr_bytes, 4);
	ck_assert(gmon->reading.big_endian);
	ck_assert_uint_eq(gmon->n_readings, 1);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(a_hint_that_no_machine_has_is_refused)
{
	struct gmon_file file = gmon_file_magic(pc);
	struct prf_gmon_hint hint = {.addr_bytes = 2};
	struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(file.bytes, file.n_bytes, &hint, &gmon, NULL),
		-EINVAL);
}
END_TEST

START_TEST(other_rates_are_told_and_the_first_one_holds)
{
	struct gmon_file file = gmon_file_magic(pc);
	struct prf_gmon *gmon;

	gmon_file_hist(&file, 0x1000, 0x1008, 4, bins);
	gmon_file_hist_head(
		&file, &(struct gmon_file_hist_head){0x1008, 0x100a, 1, 1000,
						     "seconds", "s"});
	gmon_file_put(&file, 3, 2);
	gmon = gmon_file_parse(&file);
	ck_assert_uint_eq(gmon->rate_hz, 100);
	ck_assert(gmon->rates_differ);
	ck_assert_uint_eq(gmon->rates_differ_off, file.ends[1]);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(a_dimension_can_be_anything_but_a_control_character)
{
	struct gmon_file file = gmon_file_magic(pc);
	struct prf_gmon *gmon;

	gmon_file_hist_head(&file, &(struct gmon_file_hist_head){
					   0x1000, 0x1002, 1, 1,
					   "cache\033[31misses", "\n"});
	gmon_file_put(&file, 3, 2);
	gmon = gmon_file_parse(&file);
	ck_assert_str_eq(gmon->dimension, "cache?[31misses");
	ck_assert_str_eq(gmon->abbreviation, "?");
	ck_assert_uint_eq(gmon->rate_hz, 1);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(a_bin_begins_where_its_share_of_the_range_does)
{
	const struct prf_gmon_hist even = {.lo_vaddr = 0xfffffffffffff000,
					   .hi_vaddr = 0xfffffffffffff800,
					   .n_bins = 512},
				   odd = {.lo_vaddr = 0x1000,
					  .hi_vaddr = 0x1007,
					  .n_bins = 3};

	ck_assert_uint_eq(prf_gmon_bin_vaddr(&even, 0), even.lo_vaddr);
	ck_assert_uint_eq(prf_gmon_bin_vaddr(&even, 511),
			  even.lo_vaddr + 511 * 4);
	ck_assert_uint_eq(prf_gmon_bin_vaddr(&even, 512), even.hi_vaddr);
	ck_assert_uint_eq(prf_gmon_bin_vaddr(&odd, 1), 0x1002);
	ck_assert_uint_eq(prf_gmon_bin_vaddr(&odd, 2), 0x1004);
	ck_assert_uint_eq(prf_gmon_bin_vaddr(&odd, 3), 0x1007);
}
END_TEST

START_TEST(a_stream_is_read_to_its_end)
{
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	FILE *stream = tmpfile();
	struct gmon_file file = gmon_file_magic(pc);
	const size_t n_times = 10000;

	ck_assert_ptr_nonnull(stream);
	fwrite(file.bytes, file.n_bytes, 1, stream);
	file.n_bytes = 0;
	gmon_file_arc(&file, 1, 2, 3);
	for (size_t i = 0; i < n_times; i++)
		fwrite(file.bytes, file.n_bytes, 1, stream);
	rewind(stream);
	ck_assert_msg(prf_gmon_read(stream, NULL, &gmon, &err) == 0, "%s",
		      err.text);
	ck_assert_uint_eq(gmon->n_arc_records, n_times);
	ck_assert_uint_eq(gmon->arcs[0].count, 3 * n_times);
	prf_gmon_free(gmon);
	fclose(stream);
}
END_TEST

START_TEST(a_stream_that_cannot_be_read_says_why)
{
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	FILE *stream = fopen("/", "r");

	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(prf_gmon_read(stream, NULL, &gmon, &err), -EISDIR);
	ck_assert_str_eq(err.text, "cannot read gmon.out: Is a directory");
	fclose(stream);
}
END_TEST

#define N GMON_FILE_N_READINGS

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_read");
	TCase *tcase = tcase_create("gmon_read");

	tcase_add_loop_test(
		tcase, records_of_one_range_add_and_ranges_are_sorted, 0, N);
	tcase_add_loop_test(tcase, arcs_with_the_same_ends_add, 0, N);
	tcase_add_loop_test(tcase, basic_blocks_are_counted_and_skipped, 0, N);
	tcase_add_loop_test(
		tcase, a_header_alone_is_a_profile_of_nothing_in_two_widths, 0,
		N);
	tcase_add_loop_test(tcase, version_0_is_read_too, 0, N);
	tcase_add_loop_test(
		tcase, another_reading_than_the_image_has_is_refused_and_named,
		0, 3 * N);
	tcase_add_test(tcase, half_a_hint_is_enough);
	tcase_add_test(tcase, a_hint_that_no_machine_has_is_refused);
	tcase_add_test(tcase, other_rates_are_told_and_the_first_one_holds);
	tcase_add_test(tcase,
		       a_dimension_can_be_anything_but_a_control_character);
	tcase_add_test(tcase, a_bin_begins_where_its_share_of_the_range_does);
	tcase_add_test(tcase, a_stream_is_read_to_its_end);
	tcase_add_test(tcase, a_stream_that_cannot_be_read_says_why);
	suite_add_tcase(suite, tcase);
	return suite;
}
