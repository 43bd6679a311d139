#include "core/hist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/random.h"
#include "core/region.h"
#include "support/suite.h"

#define SPANS(...) ((const struct prf_span[]){__VA_ARGS__})

static struct prf_hist *
must_make(const struct prf_span *spans, size_t n)
{
	struct prf_error err = {0};
	struct prf_hist *hist = NULL;
	int rc = prf_hist_new(spans, n, &hist, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	return hist;
}

static int
verdict(const struct prf_span *spans, size_t n)
{
	struct prf_error err = {0};
	struct prf_hist *hist = NULL;
	int rc = prf_hist_new(spans, n, &hist, &err);

	ck_assert_int_eq(rc, err.code);
	ck_assert((rc == 0) == (hist != NULL));
	prf_hist_free(hist);
	return rc;
}

static uint32_t
bin(const struct prf_hist *hist, size_t span, size_t i)
{
	size_t n_bins;
	const uint32_t *bins = prf_hist_bins(hist, span, &n_bins);

	ck_assert_uint_lt(i, n_bins);
	return bins[i];
}

START_TEST(a_tick_is_counted_in_the_2_bytes_it_fell_in)
{
	struct prf_hist *hist =
		must_make(SPANS({0x1000, 0x1008}, {0x2000, 0x2002}), 2);

	ck_assert_uint_eq(prf_hist_add(hist, 0x1000, 1), 0);
	ck_assert_uint_eq(prf_hist_add(hist, 0x1001, 2), 0);
	ck_assert_uint_eq(prf_hist_add(hist, 0x1007, 4), 0);
	ck_assert_uint_eq(prf_hist_add(hist, 0x2001, 8), 1);
	ck_assert_uint_eq(bin(hist, 0, 0), 3);
	ck_assert_uint_eq(bin(hist, 0, 1), 0);
	ck_assert_uint_eq(bin(hist, 0, 3), 4);
	ck_assert_uint_eq(bin(hist, 1, 0), 8);
	prf_hist_free(hist);
}
END_TEST

START_TEST(a_tick_in_no_span_is_outside)
{
	struct prf_hist *hist =
		must_make(SPANS({0x1000, 0x1008}, {0x2000, 0x2002}), 2);
	const uint64_t pcs[] = {0, 0xfff, 0x1008, 0x1fff, 0x2002, UINT64_MAX};

	for (int i = 0; i < 6; i++)
		ck_assert_uint_eq(prf_hist_add(hist, pcs[i], 10),
				  PRF_HIST_OUTSIDE);
	ck_assert_uint_eq(prf_hist_stats(hist).outside, 60);
	ck_assert_uint_eq(prf_hist_stats(hist).ticks_in, 60);
	prf_hist_free(hist);
}
END_TEST

START_TEST(a_change_of_span_is_counted_where_it_fell)
{
	struct prf_hist *hist =
		must_make(SPANS({0x1000, 0x1010}, {0x1010, 0x1020}), 2);

	for (int i = 0; i < 100; i++)
		prf_hist_add(hist, i % 2 ? 0x1010 : 0x100f, 1);
	ck_assert_uint_eq(bin(hist, 0, 7), 50);
	ck_assert_uint_eq(bin(hist, 1, 0), 50);
	prf_hist_free(hist);
}
END_TEST

START_TEST(a_full_counter_stays_and_the_rest_is_saturated)
{
	struct prf_hist *hist = must_make(SPANS({0, 2}), 1);

	prf_hist_add(hist, 0, UINT32_MAX - 1);
	ck_assert_uint_eq(prf_hist_stats(hist).saturated, 0);
	ck_assert_uint_eq(prf_hist_add(hist, 1, 5), 0);
	prf_hist_add(hist, 0, UINT32_MAX);
	prf_hist_add_many(hist, (const uint64_t[]){0, 1}, 2);

	struct prf_hist_stats stats = prf_hist_stats(hist);
	ck_assert_uint_eq(bin(hist, 0, 0), UINT32_MAX);
	ck_assert_uint_eq(stats.saturated, 4 + (uint64_t)UINT32_MAX + 2);
	ck_assert_uint_eq(stats.binned, UINT32_MAX);
	prf_hist_free(hist);
}
END_TEST

START_TEST(spans_that_are_empty_odd_or_out_of_order_are_refused)
{
	ck_assert_int_eq(verdict(SPANS({2, 2}), 1), -EINVAL);
	ck_assert_int_eq(verdict(SPANS({4, 2}), 1), -EINVAL);
	ck_assert_int_eq(verdict(SPANS({1, 4}), 1), -EINVAL);
	ck_assert_int_eq(verdict(SPANS({2, 5}), 1), -EINVAL);
	ck_assert_int_eq(verdict(SPANS({8, 12}, {2, 4}), 2), -EINVAL);
	ck_assert_int_eq(verdict(SPANS({2, 12}, {10, 14}), 2), -EINVAL);
	ck_assert_int_eq(verdict(SPANS({2, 12}, {2, 12}), 2), -EINVAL);
	ck_assert_int_eq(verdict(SPANS({2, 12}, {12, 14}), 2), 0);
}
END_TEST

START_TEST(more_counters_than_can_be_are_refused)
{
	ck_assert_int_eq(verdict(SPANS({0, UINT64_MAX - 1}), 1), -EOVERFLOW);
	ck_assert_int_eq(verdict(SPANS({0, UINT64_C(1) << 62},
				       {UINT64_C(1) << 62, UINT64_MAX - 1}),
				 2),
			 -EOVERFLOW);
	/* Less than could be written, more than any machine maps. */
	ck_assert_int_eq(verdict(SPANS({0, UINT64_C(1) << 60}), 1), -ENOMEM);
}
END_TEST

START_TEST(no_spans_count_everything_outside)
{
	struct prf_hist *hist = must_make(NULL, 0);

	ck_assert_uint_eq(prf_hist_add(hist, 0, 3), PRF_HIST_OUTSIDE);
	prf_hist_add_many(hist, (const uint64_t[]){0, UINT64_MAX}, 2);
	ck_assert_uint_eq(prf_hist_stats(hist).outside, 5);
	prf_hist_free(hist);
}
END_TEST

START_TEST(histograms_alike_share_their_spans_and_not_their_counters)
{
	struct prf_hist *model =
		must_make(SPANS({0x1000, 0x1008}, {0x2000, 0x2002}), 2);
	struct prf_hist *like = NULL, *third = NULL;

	prf_hist_add(model, 0x1002, 5);
	ck_assert_int_eq(prf_hist_new_like(model, &like, NULL), 0);
	ck_assert_uint_eq(prf_hist_stats(like).ticks_in, 0);
	ck_assert_uint_eq(bin(like, 0, 1), 0);
	ck_assert_uint_eq(prf_hist_add(like, 0x2000, 2), 1);
	ck_assert_uint_eq(bin(model, 1, 0), 0);
	prf_hist_free(model);
	ck_assert_int_eq(prf_hist_new_like(like, &third, NULL), 0);
	prf_hist_free(like);
	ck_assert_uint_eq(prf_hist_add(third, 0x1007, 4), 0);
	ck_assert_uint_eq(prf_hist_add(third, 0x1008, 4), PRF_HIST_OUTSIDE);
	ck_assert_uint_eq(bin(third, 0, 3), 4);
	prf_hist_free(third);
}
END_TEST

START_TEST(free_takes_null)
{
	prf_hist_free(NULL);
}
END_TEST

static long
resident_pages(void)
{
	long total, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%ld %ld", &total, &resident), 2);
	fclose(file);
	return resident;
}

START_TEST(text_that_is_not_run_costs_no_memory)
{
	const uint64_t size = UINT64_C(16) << 30;
	long before = resident_pages();
	struct prf_hist *hist = must_make(SPANS({0, size}), 1);

	for (int i = 0; i < 100; i++)
		prf_hist_add(hist, size / 100 * (uint64_t)i, 1);
	ck_assert_int_lt(resident_pages() - before, 2000);
	ck_assert_uint_eq(prf_hist_stats(hist).binned, 100);
	prf_hist_free(hist);
}
END_TEST

/* --- Against the engine, and against itself. */

#define MAX_SPANS 200

static size_t
random_spans(struct random *random, struct prf_span *spans, size_t max)
{
	uint64_t at = 0x400000;

	for (size_t i = 0; i < max; i++) {
		if (random_below(random, 20) == 0)
			at += random_below(random, 1u << 30) & ~UINT64_C(1);
		if (random_below(random, 3) == 0)
			at += random_below(random, 64) & ~UINT64_C(1);
		spans[i].lo = at;
		at += 2 + (random_below(random, 500) & ~UINT64_C(1));
		spans[i].hi = at;
	}
	return max;
}

static uint64_t
random_pc(struct random *random, const struct prf_span *spans, size_t n)
{
	const struct prf_span *span = &spans[random_below(random, n)];

	if (random_below(random, 20) == 0)
		return random_of_any_size(random);
	return span->lo - 10 + random_below(random, span->hi - span->lo + 20);
}

START_TEST(it_counts_where_regions_of_scale_2_and_width_4_do)
{
	static struct prf_span spans[MAX_SPANS];
	struct random random = random_begin();
	size_t n = random_spans(&random, spans, MAX_SPANS);

	for (int round = 0; round < 20000; round++) {
		struct prf_hist *hist = must_make(spans, 1 + (size_t)round % 2);
		uint64_t pc = random_pc(&random, spans, 1);
		size_t span = prf_hist_add(hist, pc, 1);
		struct prf_region region = {
			.size_bytes = 2 * (spans[0].hi - spans[0].lo),
			.offset = spans[0].lo,
			.scale = 0x20000,
		};
		struct prf_hit hit =
			prf_region_map(region, 4, prf_dialect_hpux(), pc);

		ck_assert_msg((span == 0) == (hit.kind == PRF_HIT),
			      RANDOM_WHERE "pc %" PRIx64, RANDOM_IS(&random),
			      pc);
		if (span == 0)
			ck_assert_uint_eq(bin(hist, 0, hit.index), 1);
		prf_hist_free(hist);
	}
	ck_assert_uint_eq(n, MAX_SPANS);
}
END_TEST

static uint64_t
sum_of_bins(const struct prf_hist *hist, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		size_t n_bins;
		const uint32_t *bins = prf_hist_bins(hist, i, &n_bins);

		for (size_t j = 0; j < n_bins; j++)
			sum += bins[j];
	}
	return sum;
}

START_TEST(every_tick_is_binned_outside_or_saturated)
{
	static struct prf_span spans[MAX_SPANS];
	struct random random = random_begin();
	size_t n = random_spans(&random, spans, MAX_SPANS);
	struct prf_hist *hist = must_make(spans, n);
	uint64_t ticks_in = 0;

	for (int i = 0; i < 200000; i++) {
		uint32_t ticks = (uint32_t)random_of_any_size(&random);

		prf_hist_add(hist, random_pc(&random, spans, n), ticks);
		ticks_in += ticks;
	}
	struct prf_hist_stats stats = prf_hist_stats(hist);
	ck_assert_uint_eq(stats.ticks_in, ticks_in);
	ck_assert_uint_eq(stats.binned + stats.outside + stats.saturated,
			  ticks_in);
	ck_assert_uint_eq(stats.binned, sum_of_bins(hist, n));
	ck_assert_uint_gt(stats.outside, 0);
	ck_assert_uint_gt(stats.saturated, 0);
	prf_hist_free(hist);
}
END_TEST

static void
check_same(const struct prf_hist *a, const struct prf_hist *b, size_t n)
{
	struct prf_hist_stats x = prf_hist_stats(a), y = prf_hist_stats(b);

	ck_assert_uint_eq(x.ticks_in, y.ticks_in);
	ck_assert_uint_eq(x.outside, y.outside);
	ck_assert_uint_eq(x.saturated, y.saturated);
	for (size_t i = 0; i < n; i++) {
		size_t n_bins;

		prf_hist_bins(a, i, &n_bins);
		for (size_t j = 0; j < n_bins; j++)
			ck_assert_uint_eq(bin(a, i, j), bin(b, i, j));
	}
}

START_TEST(many_at_once_are_counted_like_one_after_the_other)
{
	static struct prf_span spans[MAX_SPANS];
	static uint64_t pcs[100];
	struct random random = random_begin();
	size_t n = random_spans(&random, spans, MAX_SPANS);
	struct prf_hist *many = must_make(spans, n);
	struct prf_hist *single = must_make(spans, n);

	for (int round = 0; round < 2000; round++) {
		size_t n_pcs = random_below(&random, 101);

		for (size_t i = 0; i < n_pcs; i++) {
			pcs[i] = random_pc(&random, spans, n);
			prf_hist_add(single, pcs[i], 1);
		}
		prf_hist_add_many(many, pcs, n_pcs);
	}
	check_same(many, single, n);
	prf_hist_free(many);
	prf_hist_free(single);
}
END_TEST

/* --- Against a model that looks at each span. */

/* How text may lie: sizes and gaps up to these, as powers of two; and at the
 * end of the address space, or anywhere. */
static const struct lie {
	unsigned log2_size, log2_gap;
	unsigned one_gap_in; /* spans that follow one another otherwise */
	bool at_top;
} lies[] = {
	{6, 1, 1, false},   {4, 4, 2, false},  {4, 6, 1, true},
	{6, 12, 20, true},  {6, 12, 1, false}, {3, 17, 30, false},
	{8, 34, 10, false}, {2, 56, 1, true},  {10, 3, 100, true},
	{6, 1, 1, true},    {9, 5, 1, false},  {1, 20, 4, true},
};

static uint64_t
even_below(struct random *random, unsigned log2_bound)
{
	return random_below(random, UINT64_C(1) << log2_bound) & ~UINT64_C(1);
}

/* From the last to the first, downwards. */
static void
lay_down(struct random *random, const struct lie *lie, struct prf_span *spans,
	 size_t n)
{
	uint64_t at = UINT64_MAX - 1;

	if (!lie->at_top)
		at = UINT64_C(1) << 62 | even_below(random, 62);
	for (size_t i = n; i-- > 0;) {
		if (random_below(random, lie->one_gap_in) == 0 && i + 1 < n)
			at -= even_below(random, lie->log2_gap);
		spans[i].hi = at;
		at -= 2 + even_below(random, lie->log2_size);
		spans[i].lo = at;
	}
}

struct model {
	const struct prf_span *spans;
	size_t n;
	uint64_t **ticks; /* of each counter of each span */
	uint64_t ticks_in, outside;
};

static struct model
model_of(const struct prf_span *spans, size_t n)
{
	struct model model = {.spans = spans, .n = n};

	model.ticks = calloc(n, sizeof *model.ticks);
	for (size_t i = 0; i < n; i++)
		model.ticks[i] = calloc((spans[i].hi - spans[i].lo) / 2,
					sizeof **model.ticks);
	return model;
}

static void
model_free(struct model *model)
{
	for (size_t i = 0; i < model->n; i++)
		free(model->ticks[i]);
	free(model->ticks);
}

static size_t
model_add(struct model *model, uint64_t pc, uint32_t ticks)
{
	model->ticks_in += ticks;
	for (size_t i = 0; i < model->n; i++) {
		const struct prf_span *span = &model->spans[i];

		if (span->lo <= pc && pc < span->hi) {
			model->ticks[i][(pc - span->lo) / 2] += ticks;
			return i;
		}
	}
	model->outside += ticks;
	return PRF_HIST_OUTSIDE;
}

static void
check_against(const struct model *model, const struct prf_hist *hist,
	      const struct random *random)
{
	struct prf_hist_stats stats = prf_hist_stats(hist);
	uint64_t saturated = 0;

	for (size_t i = 0; i < model->n; i++) {
		const struct prf_span *span = &model->spans[i];
		size_t n_bins;
		const uint32_t *bins = prf_hist_bins(hist, i, &n_bins);

		ck_assert_uint_eq(n_bins, (span->hi - span->lo) / 2);
		for (size_t j = 0; j < n_bins; j++) {
			uint64_t ticks = model->ticks[i][j];
			uint64_t full = ticks < UINT32_MAX ? ticks : UINT32_MAX;

			/* Too many for a check each. */
			if (bins[j] != full)
				ck_abort_msg(RANDOM_WHERE "span %zu bin %zu",
					     RANDOM_IS(random), i, j);
			saturated += ticks - full;
		}
	}
	ck_assert_uint_eq(stats.ticks_in, model->ticks_in);
	ck_assert_msg(stats.outside == model->outside,
		      RANDOM_WHERE "%" PRIu64 " outside, not %" PRIu64,
		      RANDOM_IS(random), stats.outside, model->outside);
	ck_assert_uint_eq(stats.saturated, saturated);
	ck_assert_uint_eq(stats.binned + stats.outside + stats.saturated,
			  stats.ticks_in);
}

static bool
has_ticks(const struct model *model, size_t i)
{
	size_t n_bins = (model->spans[i].hi - model->spans[i].lo) / 2;

	for (size_t j = 0; j < n_bins; j++)
		if (model->ticks[i][j])
			return true;
	return false;
}

/* What prf_hist_next() passes over has no ticks. */
static void
check_passed_over(const struct model *model, const struct prf_hist *hist)
{
	size_t at = 0;

	while (at < model->n) {
		size_t next = prf_hist_next(hist, at);

		ck_assert(next >= at);
		for (; at < next && at < model->n; at++)
			ck_assert(!has_ticks(model, at));
		at++;
	}
	ck_assert_uint_eq(prf_hist_next(hist, model->n), PRF_HIST_OUTSIDE);
}

/* In the gap before span I; if there is none, where it begins. */
static uint64_t
in_gap(struct random *random, const struct prf_span *spans, size_t i)
{
	uint64_t gap = i > 0 ? spans[i].lo - spans[i - 1].hi : 0;

	return spans[i].lo - (gap ? 1 + random_below(random, gap) : 0);
}

/* In a span, at an edge, in the gap before a span, or anywhere. */
static uint64_t
any_pc(struct random *random, const struct prf_span *spans, size_t n)
{
	size_t i = random_below(random, n);
	const struct prf_span *span = &spans[i];

	switch (random_below(random, 8)) {
	case 0:
		return random_of_any_size(random);
	case 1:
		return span->lo - 3 + random_below(random, 6);
	case 2:
		return span->hi - 3 + random_below(random, 6);
	case 3:
		return in_gap(random, spans, i);
	default:
		return span->lo + random_below(random, span->hi - span->lo);
	}
}

#define MAX_PCS 100

static void
check_lie(struct random *random, const struct lie *lie)
{
	static struct prf_span spans[MAX_SPANS];
	size_t n = 1 + random_below(random, MAX_SPANS);

	lay_down(random, lie, spans, n);
	struct prf_hist *hist = must_make(spans, n);
	struct model model = model_of(spans, n);

	for (int round = 0; round < 10; round++) {
		uint64_t pcs[MAX_PCS];
		size_t n_pcs = random_below(random, MAX_PCS + 1);

		for (size_t i = 0; i < n_pcs; i++) {
			uint64_t pc = any_pc(random, spans, n);
			uint32_t ticks = (uint32_t)random_of_any_size(random);

			pcs[i] = any_pc(random, spans, n);
			model_add(&model, pcs[i], 1);
			ck_assert_uint_eq(prf_hist_add(hist, pc, ticks),
					  model_add(&model, pc, ticks));
			pc = any_pc(random, spans, n);
			ck_assert_int_eq(prf_hist_count(hist, pc, ticks),
					 model_add(&model, pc, ticks) !=
						 PRF_HIST_OUTSIDE);
		}
		prf_hist_add_many(hist, pcs, n_pcs);
		check_passed_over(&model, hist);
		check_against(&model, hist, random);
	}
	model_free(&model);
	prf_hist_free(hist);
}

START_TEST(spans_that_lie_in_any_way_are_counted_as_the_model_does)
{
	struct random random = random_begin();

	for (int i = 0; i < 120; i++)
		check_lie(&random,
			  &lies[(size_t)i % (sizeof lies / sizeof *lies)]);
}
END_TEST

START_TEST(a_tick_in_a_gap_is_outside_however_it_is_added)
{
	struct prf_hist *hist =
		must_make(SPANS({0x1000, 0x1100}, {0x1110, 0x1200}), 2);
	uint64_t pcs[1000];

	for (uint64_t i = 0; i < 1000; i++)
		pcs[i] = 0x1100 + i % 16;
	prf_hist_add_many(hist, pcs, 1000);
	for (uint64_t pc = 0x1100; pc < 0x1110; pc++)
		ck_assert_uint_eq(prf_hist_add(hist, pc, UINT32_MAX),
				  PRF_HIST_OUTSIDE);
	ck_assert_uint_eq(prf_hist_stats(hist).outside,
			  1000 + UINT64_C(16) * UINT32_MAX);
	ck_assert_uint_eq(prf_hist_stats(hist).binned, 0);
	ck_assert_uint_eq(prf_hist_stats(hist).saturated, 0);
	prf_hist_free(hist);
}
END_TEST

START_TEST(ticks_that_are_few_are_found_without_a_look_at_each_span)
{
	enum { N = 100000 };
	struct prf_span *spans = calloc(N, sizeof *spans);
	size_t n_seen = 0;

	for (size_t i = 0; i < N; i++)
		spans[i] = (struct prf_span){0x1000 + i * 64,
					     0x1000 + (i + 1) * 64};
	struct prf_hist *hist = must_make(spans, N);
	ck_assert_uint_eq(prf_hist_next(hist, 0), PRF_HIST_OUTSIDE);
	ck_assert(prf_hist_count(hist, spans[0].lo, 1));
	ck_assert_uint_eq(prf_hist_add(hist, spans[N / 2].lo, 1), N / 2);
	prf_hist_add_many(hist, &spans[N - 1].lo, 1);
	for (size_t i = prf_hist_next(hist, 0); i != PRF_HIST_OUTSIDE;
	     i = prf_hist_next(hist, i + 1))
		n_seen++;
	ck_assert_uint_lt(n_seen, 200);
	ck_assert_uint_eq(sum_of_bins(hist, N), 3);
	prf_hist_free(hist);
	free(spans);
}
END_TEST

/* As many ticks as fill a counter are not counted in a test's time, so they
 * are written there: behind the counters of a span are those of its gap. */
START_TEST(ticks_in_a_gap_whose_counter_is_full_are_outside_not_saturated)
{
	struct prf_hist *hist =
		must_make(SPANS({0x1000, 0x1100}, {0x1110, 0x1200}), 2);
	size_t n_bins;
	const uint32_t *bins = prf_hist_bins(hist, 0, &n_bins);
	uint32_t *gap = (uint32_t *)(uintptr_t)&bins[n_bins];

	*gap = UINT32_MAX;
	prf_hist_add_many(hist, (const uint64_t[]){0x1100, 0x1101, 0x1102}, 3);
	ck_assert_uint_eq(*gap, UINT32_MAX);
	ck_assert_uint_eq(prf_hist_stats(hist).outside,
			  (uint64_t)UINT32_MAX + 3);
	ck_assert_uint_eq(prf_hist_stats(hist).saturated, 0);
	prf_hist_free(hist);
}
END_TEST

START_TEST(two_hundred_thousand_spans_are_each_counted)
{
	const size_t n = 200000;
	struct random random = random_begin();
	struct prf_span *spans = calloc(n, sizeof *spans);

	ck_assert_uint_eq(random_spans(&random, spans, n), n);
	struct prf_hist *hist = must_make(spans, n);
	for (size_t i = 0; i < n; i++) {
		size_t back = n - 1 - i, n_bins;

		ck_assert_uint_eq(prf_hist_add(hist, spans[back].lo, 1), back);
		ck_assert_uint_eq(prf_hist_add(hist, spans[i].hi - 1, 1), i);
		prf_hist_bins(hist, i, &n_bins);
		ck_assert_uint_eq(n_bins, (spans[i].hi - spans[i].lo) / 2);
	}
	ck_assert_uint_eq(sum_of_bins(hist, n), 2 * n);
	prf_hist_free(hist);
	free(spans);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("hist");
	TCase *tcase = tcase_create("hist");

	tcase_set_timeout(tcase, 120); /* under sanitizers */
	tcase_add_test(tcase, a_tick_is_counted_in_the_2_bytes_it_fell_in);
	tcase_add_test(tcase, a_tick_in_no_span_is_outside);
	tcase_add_test(tcase, a_change_of_span_is_counted_where_it_fell);
	tcase_add_test(tcase, a_full_counter_stays_and_the_rest_is_saturated);
	tcase_add_test(tcase,
		       spans_that_are_empty_odd_or_out_of_order_are_refused);
	tcase_add_test(tcase, more_counters_than_can_be_are_refused);
	tcase_add_test(tcase, no_spans_count_everything_outside);
	tcase_add_test(
		tcase,
		histograms_alike_share_their_spans_and_not_their_counters);
	tcase_add_test(tcase, free_takes_null);
	tcase_add_test(tcase, text_that_is_not_run_costs_no_memory);
	tcase_add_test(tcase,
		       it_counts_where_regions_of_scale_2_and_width_4_do);
	tcase_add_test(tcase, every_tick_is_binned_outside_or_saturated);
	tcase_add_test(tcase,
		       many_at_once_are_counted_like_one_after_the_other);
	tcase_add_test(tcase,
		       spans_that_lie_in_any_way_are_counted_as_the_model_does);
	tcase_add_test(tcase, a_tick_in_a_gap_is_outside_however_it_is_added);
	tcase_add_test(
		tcase,
		ticks_in_a_gap_whose_counter_is_full_are_outside_not_saturated);
	tcase_add_test(
		tcase,
		ticks_that_are_few_are_found_without_a_look_at_each_span);
	tcase_add_test(tcase, two_hundred_thousand_spans_are_each_counted);
	suite_add_tcase(suite, tcase);
	return suite;
}
