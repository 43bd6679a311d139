#include "core/hist/hist_waiting.h"

#include "core/random.h"
#include "support/suite.h"

enum { N_HISTS = 3, N_BINS = 5000 };

static const struct prf_span span = {0x1000, 0x1000 + 2 * N_BINS};

static struct prf_hist *
must_make(void)
{
	struct prf_error err = {0};
	struct prf_hist *hist = NULL;

	ck_assert_msg(!prf_hist_new(&span, 1, &hist, &err), "%s", err.text);
	return hist;
}

static uint32_t
bin_of(const struct prf_hist *hist, size_t bin)
{
	size_t n_bins;
	const uint32_t *bins = prf_hist_bins(hist, 0, &n_bins);

	ck_assert_uint_lt(bin, n_bins);
	return bins[bin];
}

/* However many wait when somebody looks. */
START_TEST(ticks_that_wait_are_there_for_those_who_read)
{
	struct prf_hist_waiting waiting = {0};
	struct prf_hist *hist = must_make();
	uint32_t counted = 0;

	prf_hist_wait_in(hist, &waiting);
	for (uint32_t n = 1; n < 4 * PRF_HIST_WAITING_BATCH; n++) {
		for (uint32_t i = 0; i < n; i++)
			ck_assert(prf_hist_count(hist, 0x1006, 2));
		counted += 2 * n;
		ck_assert_uint_eq(bin_of(hist, 3), counted);
	}
	prf_hist_free(hist);
}
END_TEST

START_TEST(histograms_that_wait_together_count_what_is_theirs)
{
	static uint32_t model[N_HISTS][N_BINS];
	struct random random = random_begin();
	struct prf_hist_waiting waiting = {0};
	struct prf_hist *hists[N_HISTS];

	for (size_t h = 0; h < N_HISTS; h++) {
		hists[h] = must_make();
		prf_hist_wait_in(hists[h], &waiting);
	}
	for (int i = 0; i < 100000; i++) {
		size_t h = (size_t)random_below(&random, N_HISTS);
		uint64_t bin = random_below(&random, N_BINS);
		uint32_t ticks = (uint32_t)random_below(&random, 1000);

		prf_hist_count(hists[h], 0x1000 + 2 * bin, ticks);
		model[h][bin] += ticks;
		if (random_below(&random, 100) == 0)
			ck_assert_uint_eq(bin_of(hists[h], bin), model[h][bin]);
	}
	for (size_t h = 0; h < N_HISTS; h++)
		for (size_t bin = 0; bin < N_BINS; bin++)
			ck_assert_msg(bin_of(hists[h], bin) == model[h][bin],
				      RANDOM_WHERE "histogram %zu, bin %zu",
				      RANDOM_IS(&random), h, bin);
	for (size_t h = 0; h < N_HISTS; h++)
		prf_hist_free(hists[h]);
}
END_TEST

START_TEST(ticks_that_wait_are_in_the_sums)
{
	struct prf_hist_waiting waiting = {0};
	struct prf_hist *hist = must_make();

	prf_hist_wait_in(hist, &waiting);
	for (int i = 0; i < 2; i++)
		ck_assert(prf_hist_count(hist, 0x1000, UINT32_MAX - 1));
	ck_assert_uint_eq(prf_hist_stats(hist).saturated, UINT32_MAX - 2);
	ck_assert(prf_hist_count(hist, 0x1800, 1));
	ck_assert_uint_eq(prf_hist_next(hist, 0), 0);
	prf_hist_free(hist);
}
END_TEST

START_TEST(what_waits_for_a_histogram_that_is_freed_waits_no_more)
{
	struct prf_hist_waiting waiting = {0};
	struct prf_hist *first = must_make(), *second = must_make();

	prf_hist_wait_in(first, &waiting);
	prf_hist_wait_in(second, &waiting);
	ck_assert(prf_hist_count(first, 0x1000, 1));
	ck_assert(prf_hist_count(second, 0x1000, 1));
	prf_hist_free(first);
	for (int i = 0; i < 3 * PRF_HIST_WAITING_BATCH; i++)
		ck_assert(prf_hist_count(second, 0x1000, 1));
	ck_assert_uint_eq(bin_of(second, 0), 3 * PRF_HIST_WAITING_BATCH + 1);
	prf_hist_free(second);
}
END_TEST

START_TEST(a_histogram_can_wait_elsewhere_or_not_at_all)
{
	struct prf_hist_waiting waiting = {0}, other = {0};
	struct prf_hist *hist = must_make();

	prf_hist_wait_in(hist, &waiting);
	ck_assert(prf_hist_count(hist, 0x1000, 1));
	prf_hist_wait_in(hist, &other);
	ck_assert(prf_hist_count(hist, 0x1000, 1));
	prf_hist_wait_in(hist, NULL);
	ck_assert(prf_hist_count(hist, 0x1000, 1));
	ck_assert_uint_eq(bin_of(hist, 0), 3);
	prf_hist_free(hist);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("hist_waiting");
	TCase *tcase = tcase_create("hist_waiting");

	tcase_add_test(tcase, ticks_that_wait_are_there_for_those_who_read);
	tcase_add_test(tcase,
		       histograms_that_wait_together_count_what_is_theirs);
	tcase_add_test(tcase, ticks_that_wait_are_in_the_sums);
	tcase_add_test(tcase,
		       what_waits_for_a_histogram_that_is_freed_waits_no_more);
	tcase_add_test(tcase, a_histogram_can_wait_elsewhere_or_not_at_all);
	suite_add_tcase(suite, tcase);
	return suite;
}
