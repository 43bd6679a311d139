#include "core/gmon/gmon_writer.h"

#include <errno.h>
#include <stdlib.h>

#include "support/suite.h"

static const struct prf_gmon_target target = {
	.addr_bytes = 4,
	.big_endian = true,
	.rate_hz = 250,
	.dimension = "samples",
	.abbreviation = ' ',
};

/* 3 counters of 6 bytes each: no range that the writer would choose. */
static const uint64_t counts[] = {0, 200000, 65535};
static const struct prf_gmon_hist hist = {
	.lo_vaddr = 0x1002,
	.hi_vaddr = 0x1014,
	.counts = counts,
	.n_bins = 3,
};

static struct prf_gmon_writer *
begin(FILE *out)
{
	struct prf_gmon_writer *writer = NULL;

	ck_assert_int_eq(prf_gmon_writer_new(out, &target, &writer, NULL), 0);
	return writer;
}

START_TEST(a_histogram_is_written_as_it_is)
{
	char *bytes = NULL;
	size_t n_bytes = 0;
	FILE *out = open_memstream(&bytes, &n_bytes);
	struct prf_gmon_writer *writer = begin(out);
	struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(prf_gmon_writer_hist(writer, &hist, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_arc(writer, 0x1002, 0x1008, 7, NULL),
			 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(out);
	ck_assert_int_eq(prf_gmon_parse(bytes, n_bytes, NULL, &gmon, NULL), 0);
	ck_assert_uint_eq(gmon->reading.addr_bytes, 4);
	ck_assert(gmon->reading.big_endian);
	ck_assert_uint_eq(gmon->rate_hz, 250);
	ck_assert_str_eq(gmon->dimension, "samples");
	ck_assert_str_eq(gmon->abbreviation, " ");
	ck_assert_uint_eq(gmon->n_hists, 1);
	ck_assert_uint_eq(gmon->hists[0].lo_vaddr, hist.lo_vaddr);
	ck_assert_uint_eq(gmon->hists[0].hi_vaddr, hist.hi_vaddr);
	ck_assert_uint_eq(gmon->hists[0].n_bins, hist.n_bins);
	ck_assert_uint_eq(gmon->hists[0].n_records, 4);
	ck_assert_mem_eq(gmon->hists[0].counts, counts, sizeof counts);
	ck_assert_uint_eq(gmon->arcs[0].count, 7);
	prf_gmon_free(gmon);
	free(bytes);
}
END_TEST

START_TEST(what_does_not_fit_is_refused_and_writes_nothing)
{
	static const uint64_t too_many[] = {1, UINT64_C(1) << 32};
	static const struct prf_gmon_hist refused[] = {
		{.lo_vaddr = 0, .hi_vaddr = 4, .counts = too_many, .n_bins = 2},
		{.lo_vaddr = UINT32_MAX,
		 .hi_vaddr = UINT64_C(1) << 32,
		 .counts = counts,
		 .n_bins = 1},
	};
	char *bytes = NULL;
	size_t n_bytes = 0;
	FILE *out = open_memstream(&bytes, &n_bytes);
	struct prf_gmon_writer *writer = begin(out);

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		ck_assert_int_eq(
			prf_gmon_writer_hist(writer, &refused[i], NULL),
			-EOVERFLOW);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_hist(writer, &hist, NULL), -EINVAL);
	prf_gmon_writer_free(writer);
	fclose(out);
	ck_assert_uint_eq(n_bytes, 20);
	free(bytes);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_write_hist");
	TCase *tcase = tcase_create("gmon_write_hist");

	tcase_add_test(tcase, a_histogram_is_written_as_it_is);
	tcase_add_test(tcase, what_does_not_fit_is_refused_and_writes_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
