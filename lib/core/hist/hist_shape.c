#include "core/hist/hist_shape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/hist/hist_counters.h"
#include "core/scope.h"

void
prf_hist_shape_hold(struct prf_hist_shape *shape)
{
	__atomic_add_fetch(&shape->n_users, 1, __ATOMIC_RELAXED);
}

void
prf_hist_shape_drop(struct prf_hist_shape *shape)
{
	if (!shape || __atomic_sub_fetch(&shape->n_users, 1, __ATOMIC_ACQ_REL))
		return;
	prf_search_fini(&shape->search);
	prf_search_fini(&shape->runs);
	free(shape->spans);
	free(shape->run_bins);
	free(shape);
}
PRF_DEFINE_AUTO(prf_hist_shape, prf_hist_shape_drop);

static int
check_span(const struct prf_span *spans, size_t i, struct prf_error *err)
{
	const struct prf_span *span = &spans[i];

	if (span->lo >= span->hi)
		return prf_error_set(err, -EINVAL,
				     "span %zu is empty: 0x%" PRIx64
				     " to 0x%" PRIx64,
				     i, span->lo, span->hi);
	if (span->lo % PRF_HIST_BIN_BYTES || span->hi % PRF_HIST_BIN_BYTES)
		return prf_error_set(err, -EINVAL,
				     "span %zu is odd: 0x%" PRIx64
				     " to 0x%" PRIx64,
				     i, span->lo, span->hi);
	if (i > 0 && span->lo < spans[i - 1].hi)
		return prf_error_set(err, -EINVAL,
				     "span %zu at 0x%" PRIx64
				     " begins before span %zu ends",
				     i, span->lo, i - 1);
	return 0;
}

static int
make_search(struct prf_hist_shape *shape, const struct prf_span *spans,
	    struct prf_error *err)
{
	size_t n = shape->n_spans;
	PRF_AUTO(prf_auto_free)
	struct prf_extent *extents = calloc(n + 1, sizeof *extents);

	if (!extents)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);
	for (size_t i = 0; i < n; i++) {
		int rc = check_span(spans, i, err);
		if (rc < 0)
			return rc;
		extents[i] = (struct prf_extent){
			.first = spans[i].lo,
			.last = spans[i].hi - 1,
		};
	}
	int rc = prf_search_init(&shape->search, extents, n);
	if (rc < 0)
		return prf_error_set(err, rc, "%zu spans", n);
	return 0;
}

static int
lay_out(struct prf_hist_shape *shape, const struct prf_span *spans,
	struct prf_error *err)
{
	size_t n = shape->n_spans;

	shape->n_bins = prf_hist_shape_bin(shape->search.n_places) + 1;
	if (shape->n_bins > PRF_HIST_COUNTERS_MAX)
		return prf_error_set(err, -EOVERFLOW,
				     "%zu spans are too much text", n);

	shape->spans = calloc(n + 1, sizeof *shape->spans);
	if (!shape->spans)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);
	for (size_t i = 0; i < n; i++) {
		uint64_t place = prf_search_place(&shape->search, spans[i].lo);

		shape->spans[i].first = prf_hist_shape_bin(place);
		shape->spans[i].n =
			prf_hist_shape_bin(spans[i].hi - spans[i].lo);
	}
	return 0;
}

/* Where the run of spans ends that begins with number LO. */
static size_t
run_end(const struct prf_span *spans, size_t lo, size_t n)
{
	size_t i = lo + 1;

	while (i < n && spans[i].lo == spans[i - 1].hi)
		i++;
	return i;
}

/* Spans without a gap between them have counters without a gap. */
static int
find_runs(struct prf_hist_shape *shape, const struct prf_span *spans,
	  struct prf_error *err)
{
	size_t n = shape->n_spans, n_runs = 0;
	PRF_AUTO(prf_auto_free)
	struct prf_extent *extents = calloc(n + 1, sizeof *extents);

	shape->run_bins = calloc(n + 1, sizeof *shape->run_bins);
	if (!extents || !shape->run_bins)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);
	for (size_t lo = 0, hi; lo < n; lo = hi) {
		hi = run_end(spans, lo, n);
		extents[n_runs] = (struct prf_extent){
			.first = spans[lo].lo,
			.last = spans[hi - 1].hi - 1,
		};
		shape->run_bins[n_runs++] = shape->spans[lo].first;
	}
	int rc = prf_search_init(&shape->runs, extents, n_runs);
	return rc < 0 ? prf_error_set(err, rc, "%zu spans", n) : 0;
}

int
prf_hist_shape_new(const struct prf_span *spans, size_t n,
		   struct prf_hist_shape **out, struct prf_error *err)
{
	PRF_AUTO(prf_hist_shape_auto)
	struct prf_hist_shape *shape = calloc(1, sizeof *shape);
	if (!shape)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);

	shape->n_users = 1;
	shape->n_spans = n;
	int rc = make_search(shape, spans, err);
	if (rc == 0)
		rc = lay_out(shape, spans, err);
	if (rc == 0)
		rc = find_runs(shape, spans, err);
	if (rc == 0)
		*out = PRF_TAKE(shape);
	return rc;
}

size_t
prf_hist_shape_span_behind(const struct prf_hist_shape *shape, size_t lo,
			   size_t at)
{
	size_t hi = shape->n_spans;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (shape->spans[mid].first + shape->spans[mid].n <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
