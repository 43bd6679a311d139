/* What gmon_read.c does with files that are not as they should be. */
#include "core/gmon_file.h"
#include "core/gmon_read.h"
#include "support/guard.h"
#include "support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct prf_gmon_reading pc = {8, false};
static const uint16_t bins[4] = {1, 0, 65535, 4};

/* A file with one good record, which ends at 69. */
static struct gmon_file
one_record(void)
{
	struct gmon_file file = gmon_file_magic(pc);

	gmon_file_hist(&file, 0x1000, 0x1008, 4, bins);
	ck_assert_uint_eq(file.n_bytes, 69);
	return file;
}

START_TEST(a_tag_that_nobody_knows_is_refused)
{
	struct gmon_file file = one_record();

	gmon_file_put(&file, 7, 1);
	gmon_file_refuse(&file, -EBADMSG, "offset 69: 7 is no tag of a record");
}
END_TEST

START_TEST(a_stray_nul_is_a_record_that_is_cut)
{
	struct gmon_file file = one_record();

	gmon_file_put(&file, 0, 1);
	gmon_file_refuse(
		&file, -EBADMSG,
		"offset 69: a histogram record is cut: the file has 0 of "
		"the 40 bytes that follow offset 70");
}
END_TEST

START_TEST(a_record_without_bins_is_refused)
{
	struct gmon_file file = gmon_file_magic(pc);

	gmon_file_hist(&file, 0x1000, 0x1008, 0, bins);
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 20: a histogram of 0 counters cannot cover 8 "
			 "bytes");
}
END_TEST

START_TEST(more_bins_than_bytes_of_text_are_refused)
{
	struct gmon_file file = gmon_file_magic(pc);

	gmon_file_hist(&file, 0x1000, 0x1003, 4, bins);
	gmon_file_refuse(
		&file, -EBADMSG,
		"offset 20: a histogram of 4 counters cannot cover 3 ");
}
END_TEST

START_TEST(a_range_of_no_text_is_refused)
{
	struct gmon_file file = gmon_file_magic(pc);

	gmon_file_hist(&file, 0x1008, _i ? 0x1008 : 0x1000, 4, bins);
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 20: a histogram from 0x1008 to 0x100");
}
END_TEST

START_TEST(more_bins_than_the_file_has_are_refused_before_memory_is_asked_for)
{
	struct gmon_file file = gmon_file_magic(pc);

	gmon_file_hist_head(
		&file, &(struct gmon_file_hist_head){0, UINT64_MAX, UINT32_MAX,
						     100, "seconds", "s"});
	gmon_file_put(&file, 1, 2);
	gmon_file_refuse(
		&file, -EBADMSG,
		"offset 20: a histogram record is cut: the file has 2 of "
		"the 8589934590 bytes that follow offset 61");
}
END_TEST

START_TEST(more_blocks_than_the_file_has_are_refused)
{
	struct gmon_file file = gmon_file_magic(pc);

	gmon_file_put(&file, 2, 1);
	gmon_file_put(&file, UINT32_MAX, 4);
	gmon_file_refuse(
		&file, -EBADMSG,
		"offset 20: a basic-block record is cut: the file has 0 "
		"of the 68719476720 bytes that follow offset 25");
}
END_TEST

START_TEST(records_that_overlap_without_being_equal_are_refused)
{
	/* inside, around, from below, from above, the same start, end */
	static const uint64_t spans[][2] = {{0x1002, 0x1006}, {0xffe, 0x100a},
					    {0xffc, 0x1002},  {0x1006, 0x100a},
					    {0x1000, 0x1006}, {0x1002, 0x1008}};
	uint64_t lo = spans[_i][0], hi = spans[_i][1];
	struct gmon_file file = one_record();
	uint16_t none[16] = {0};

	gmon_file_hist(&file, 0x9000, 0x9008, 4, bins);
	gmon_file_hist(&file, lo, hi, (uint32_t)(hi - lo) / 2, none);
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 118: overlapping histogram records: ");
}
END_TEST

START_TEST(records_that_touch_are_fine)
{
	struct gmon_file file = one_record();
	struct prf_gmon *gmon = NULL;

	gmon_file_hist(&file, 0x1008, 0x1010, 4, bins);
	gmon_file_hist(&file, 0xff8, 0x1000, 4, bins);
	ck_assert_int_eq(
		prf_gmon_parse(file.bytes, file.n_bytes, NULL, &gmon, NULL), 0);
	ck_assert_uint_eq(gmon->n_hists, 3);
	gmon_file_check(gmon);
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(records_of_another_scale_are_refused)
{
	struct gmon_file file = one_record();

	gmon_file_hist(&file, 0x2000, 0x2010, 4, bins);
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 69: different scales in histogram records: 4 "
			 "bytes for a counter, 2 at offset 20");
}
END_TEST

/* gprof's tolerance is absolute, so that big records can differ by a bin. */
START_TEST(equal_ranges_with_a_bin_more_are_refused)
{
	enum { N_BINS = 2000000, HEAD = 41, SIZE = 20 + 2 * HEAD + 4 * N_BINS };
	static uint8_t bytes[SIZE + 2];
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	size_t off = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct gmon_file file = gmon_file_magic(pc);
		size_t skip = i ? 20 : 0;

		gmon_file_hist_head(&file, &(struct gmon_file_hist_head){
						   0, 2 * N_BINS, N_BINS + i,
						   100, "seconds", "s"});
		memcpy(bytes + off, file.bytes + skip, file.n_bytes - skip);
		off += file.n_bytes - skip + 2 * (N_BINS + i);
	}
	ck_assert_int_eq(prf_gmon_parse(bytes, sizeof bytes, NULL, &gmon, &err),
			 -EBADMSG);
	ck_assert_msg(strstr(err.text, ": different scales in histogram records"
				       ": 2000001 counters from 0x0 "),
		      "%s", err.text);
}
END_TEST

START_TEST(records_of_another_dimension_are_refused)
{
	struct gmon_file file = one_record();
	static const struct gmon_file_hist_head heads[] = {
		{0x1000, 0x1002, 1, 100, "samples", "s"},
		{0x1000, 0x1002, 1, 100, "seconds", "t"}};

	gmon_file_hist_head(&file, &heads[_i]);
	gmon_file_put(&file, 1, 2);
	gmon_file_refuse(
		&file, -EBADMSG,
		"offset 69: dimension changed between histogram records, "
		"from \"seconds\" (\"s\") to \"");
}
END_TEST

/* Of the four readings that all fail, the one that understood most speaks. */
START_TEST(a_cut_is_described_in_the_reading_of_the_file)
{
	struct gmon_file file = gmon_file_sample(0, gmon_file_readings[_i]);
	char reading[80];
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};

	gmon_file_put(&file, 1, 1);
	ck_assert_int_eq(
		prf_gmon_parse(file.bytes, file.n_bytes, NULL, &gmon, &err),
		-EBADMSG);
	snprintf(reading, sizeof reading,
		 " an arc record is cut: the file has 0 of the %d bytes",
		 2 * file.reading.addr_bytes + 4);
	ck_assert_msg(strstr(err.text, reading), "%s", err.text);
	snprintf(reading, sizeof reading,
		 " (read with %d-byte %s-endian addresses)",
		 file.reading.addr_bytes,
		 file.reading.big_endian ? "big" : "little");
	ck_assert_msg(strstr(err.text, reading), "%s", err.text);
}
END_TEST

START_TEST(a_version_that_nobody_knows_is_refused)
{
	struct gmon_file file = gmon_file_magic(pc);

	file.bytes[4] = 2;
	gmon_file_refuse(&file, -EBADMSG, "offset 4: version 2 is not known");
}
END_TEST

START_TEST(a_profile_of_the_dynamic_linker_is_named)
{
	struct gmon_file file = gmon_file_magic(pc);

	memcpy(file.bytes + 4, "\xff\xff\x01\x00", 4);
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 4: a profile of the dynamic linker");
}
END_TEST

START_TEST(what_is_no_profile_at_all_is_refused)
{
	static const char *const texts[] = {
		"", "g", "gmo", "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0",
		"The quick brown fox jumps over the lazy dog, twice a day.\n"};
	struct gmon_file file = {.reading = pc};

	gmon_file_put_text(&file, texts[_i], strlen(texts[_i]));
	gmon_file_refuse(&file, -EBADMSG,
			 "offset 0: neither \"gmon\" nor a BSD header");
}
END_TEST

START_TEST(nothing_but_nul_is_no_profile)
{
	struct gmon_file file = {.reading = pc};

	for (file.n_bytes = 0; file.n_bytes < 50; file.n_bytes++)
		gmon_file_refuse(&file, -EBADMSG,
				 "offset 0: neither \"gmon\" nor a BSD header");
}
END_TEST

/* Parses a copy of N_BYTES under GUARD; whatever they are, the promises
 * hold. */
static int
try(struct prf_guard *guard, const uint8_t *bytes, size_t n_bytes,
    const struct prf_gmon_hint *hint)
{
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	const uint8_t *copy = prf_guard_copy(guard, bytes, n_bytes);
	int status = prf_gmon_parse(copy, n_bytes, hint, &gmon, &err);

	if (status == 0) {
		gmon_file_check(gmon);
		prf_gmon_free(gmon);
		return 0;
	}
	/* One assertion for all: each is a write to Check's own pipe. */
	if (gmon || (status != -EBADMSG && status != -EOVERFLOW) ||
	    err.code != status || !*err.text)
		ck_abort_msg("status %d, error %d: %s", status, err.code,
			     err.text);
	return status;
}

static bool
could_end_at(const struct gmon_file *file, size_t n_bytes)
{
	for (size_t i = 0; i < file->n_ends; i++)
		if (file->ends[i] == n_bytes)
			return true;
	return false;
}

START_TEST(a_file_that_is_cut_is_refused_but_between_records)
{
	const struct prf_gmon_reading reading = gmon_file_readings[_i / 4];
	const struct gmon_file file = gmon_file_sample(_i % 4, reading);
	const struct prf_gmon_hint hint = gmon_file_hint(reading);
	struct prf_guard guard = prf_guard_new(file.n_bytes);

	for (size_t n = 0; n <= file.n_bytes; n++) {
		int status = try(&guard, file.bytes, n, &hint);

		ck_assert_msg((status == 0) == could_end_at(&file, n),
			      "%zu of %zu bytes: %d", n, file.n_bytes, status);
		try(&guard, file.bytes, n, NULL);
	}
	prf_guard_free(&guard);
}
END_TEST

START_TEST(any_byte_can_be_another_without_harm)
{
	static const uint8_t flips[] = {0x01, 0x02, 0x04, 0x08, 0x10,
					0x20, 0x40, 0x80, 0x55, 0xff};
	const struct prf_gmon_reading reading = gmon_file_readings[_i / 4];
	struct gmon_file file = gmon_file_sample(_i % 4, reading);
	const struct prf_gmon_hint hint = gmon_file_hint(reading);
	struct prf_guard guard = prf_guard_new(file.n_bytes);

	for (size_t off = 0; off < file.n_bytes; off++)
		for (size_t i = 0; i < sizeof flips; i++) {
			file.bytes[off] ^= flips[i];
			try(&guard, file.bytes, file.n_bytes, &hint);
			try(&guard, file.bytes, file.n_bytes, NULL);
			file.bytes[off] ^= flips[i];
		}
	prf_guard_free(&guard);
}
END_TEST

static uint32_t
next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Small numbers, so that tags, sizes and ranges make sense now and then. */
START_TEST(bytes_of_no_meaning_do_no_harm)
{
	struct prf_guard guard = prf_guard_new(256);
	uint32_t state = 0x9e3779b9;

	for (int round = 0; round < 20000; round++) {
		struct gmon_file file =
			gmon_file_magic(gmon_file_readings[round % 4]);
		size_t n_bytes = next_random(&state) % 230;

		if (round % 8 >= 4)
			file.n_bytes = 0;
		for (size_t i = 0; i < n_bytes; i++)
			gmon_file_put(&file,
				      next_random(&state) >> 24 >>
					      next_random(&state) % 16,
				      1);
		try(&guard, file.bytes, file.n_bytes, NULL);
	}
	prf_guard_free(&guard);
}
END_TEST

#define N_SAMPLES (GMON_FILE_N_READINGS * GMON_FILE_N_KINDS)

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_damage");
	TCase *tcase = tcase_create("gmon_damage");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, a_tag_that_nobody_knows_is_refused);
	tcase_add_test(tcase, a_stray_nul_is_a_record_that_is_cut);
	tcase_add_test(tcase, a_record_without_bins_is_refused);
	tcase_add_test(tcase, more_bins_than_bytes_of_text_are_refused);
	tcase_add_loop_test(tcase, a_range_of_no_text_is_refused, 0, 2);
	tcase_add_test(
		tcase,
		more_bins_than_the_file_has_are_refused_before_memory_is_asked_for);
	tcase_add_test(tcase, more_blocks_than_the_file_has_are_refused);
	tcase_add_loop_test(
		tcase, records_that_overlap_without_being_equal_are_refused, 0,
		6);
	tcase_add_test(tcase, records_that_touch_are_fine);
	tcase_add_test(tcase, records_of_another_scale_are_refused);
	tcase_add_test(tcase, equal_ranges_with_a_bin_more_are_refused);
	tcase_add_loop_test(tcase, records_of_another_dimension_are_refused, 0,
			    2);
	tcase_add_loop_test(tcase,
			    a_cut_is_described_in_the_reading_of_the_file, 0,
			    GMON_FILE_N_READINGS);
	tcase_add_test(tcase, a_version_that_nobody_knows_is_refused);
	tcase_add_test(tcase, a_profile_of_the_dynamic_linker_is_named);
	tcase_add_loop_test(tcase, what_is_no_profile_at_all_is_refused, 0, 5);
	tcase_add_test(tcase, nothing_but_nul_is_no_profile);
	tcase_add_loop_test(tcase,
			    a_file_that_is_cut_is_refused_but_between_records,
			    0, N_SAMPLES);
	tcase_add_loop_test(tcase, any_byte_can_be_another_without_harm, 0,
			    N_SAMPLES);
	tcase_add_test(tcase, bytes_of_no_meaning_do_no_harm);
	suite_add_tcase(suite, tcase);
	return suite;
}
