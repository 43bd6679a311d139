#include "core/hist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/scale.h"
#include "core/scope.h"
#include "core/search.h"

/* As a region: 4-byte counters, each for 2 bytes of text, so 2.0. */
#define COUNTER_BYTES sizeof(uint32_t)
#define HIST_SCALE (COUNTER_BYTES * PRF_SCALE_ONE / PRF_HIST_BIN_BYTES)

/* Where the latest tick was counted: a program stays where it is for a while,
 * and is looked for there first. */
struct latest {
	uint64_t first, reach; /* the span's first pc; from there to its last */
	uint32_t *bins;        /* its counters; NULL: none yet */
	size_t span;
};

struct prf_hist {
	struct latest latest;
	uint64_t ticks_in, outside, saturated;
	struct prf_search search; /* an extent's tag: its first counter */
	uint32_t *bins;
	size_t n_bins;
	size_t n_spans;
	size_t *first_bin; /* of each span, and n_bins at the end */
};

PRF_DEFINE_AUTO(prf_hist, prf_hist_free);

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

/* The spans as extents, their counters one behind the other. */
static int
lay_out(struct prf_hist *hist, const struct prf_span *spans,
	struct prf_extent *extents, struct prf_error *err)
{
	for (size_t i = 0; i < hist->n_spans; i++) {
		int rc = check_span(spans, i, err);
		if (rc < 0)
			return rc;

		extents[i] = (struct prf_extent){
			.first = spans[i].lo,
			.last = spans[i].hi - 1,
			.tag = hist->n_bins,
		};
		hist->first_bin[i] = hist->n_bins;
		hist->n_bins +=
			(spans[i].hi - spans[i].lo) / PRF_HIST_BIN_BYTES;
		if (hist->n_bins > PTRDIFF_MAX / COUNTER_BYTES)
			return prf_error_set(err, -EOVERFLOW,
					     "%zu spans are too much text",
					     hist->n_spans);
	}
	hist->first_bin[hist->n_spans] = hist->n_bins;
	return 0;
}

/* Zeros that exist once they are touched.  Without the reserve, a huge text
 * of which little is run is not refused for the memory it will not use. */
static int
map_bins(struct prf_hist *hist, struct prf_error *err)
{
	if (hist->n_bins == 0)
		return 0;

	void *bins =
		mmap(NULL, hist->n_bins * COUNTER_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bins == MAP_FAILED)
		return prf_error_set(err, -ENOMEM, "%zu counters: %m",
				     hist->n_bins);
	hist->bins = bins;
	return 0;
}

int
prf_hist_new(const struct prf_span *spans, size_t n, struct prf_hist **out,
	     struct prf_error *err)
{
	PRF_AUTO(prf_hist_auto) struct prf_hist *hist = calloc(1, sizeof *hist);
	PRF_AUTO(prf_auto_free)
	struct prf_extent *extents = calloc(n + 1, sizeof *extents);
	if (!hist || !extents)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);

	hist->n_spans = n;
	hist->first_bin = calloc(n + 1, sizeof *hist->first_bin);
	if (!hist->first_bin)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);
	int rc = lay_out(hist, spans, extents, err);
	if (rc < 0)
		return rc;
	rc = prf_search_init(&hist->search, extents, n);
	if (rc < 0)
		return prf_error_set(err, rc, "%zu spans", n);
	rc = map_bins(hist, err);
	if (rc < 0)
		return rc;
	*out = PRF_TAKE(hist);
	return 0;
}

void
prf_hist_free(struct prf_hist *hist)
{
	if (!hist)
		return;
	prf_search_fini(&hist->search);
	if (hist->bins)
		munmap(hist->bins, hist->n_bins * COUNTER_BYTES);
	free(hist->first_bin);
	free(hist);
}

/* The counter, of those of a span, for a pc this far into it. */
static uint64_t
bin_at(uint64_t distance)
{
	return (uint64_t)prf_scale_down(distance, HIST_SCALE) / COUNTER_BYTES;
}

static void
bump(struct prf_hist *hist, uint32_t *bin, uint32_t ticks)
{
	uint32_t room = UINT32_MAX - *bin;

	if (ticks > room) {
		hist->saturated += ticks - room;
		ticks = room;
	}
	*bin += ticks;
}

/* Makes the span that holds PC the latest; false if none does. */
static bool
move_to(struct prf_hist *hist, uint64_t pc)
{
	struct prf_search_hit hit = prf_search_find(&hist->search, pc);
	if (hit.extent == PRF_SEARCH_NONE)
		return false;

	hist->latest = (struct latest){
		.first = pc - hit.distance,
		.reach = hit.reach,
		.bins = &hist->bins[hit.tag],
		.span = hit.extent,
	};
	return true;
}

size_t
prf_hist_add(struct prf_hist *hist, uint64_t pc, uint32_t ticks)
{
	struct latest *latest = &hist->latest;

	hist->ticks_in += ticks;
	if (pc - latest->first > latest->reach || !latest->bins) {
		if (!move_to(hist, pc)) {
			hist->outside += ticks;
			return PRF_HIST_OUTSIDE;
		}
	}
	bump(hist, &latest->bins[bin_at(pc - latest->first)], ticks);
	return latest->span;
}

/* Pcs whose waiting for memory is made to overlap; as many as a processor can
 * wait for, and some. */
#define N_AT_ONCE 32

/* For each step of the way its memory is asked for, for all of them, before
 * the first one takes it. */
static void
add_at_once(struct prf_hist *hist, const uint64_t *pcs, size_t n)
{
	const struct prf_search *search = &hist->search;
	struct prf_search_probe probes[N_AT_ONCE];
	uint32_t *bins[N_AT_ONCE];
	size_t n_bins = 0;

	for (size_t i = 0; i < n; i++) {
		probes[i] = prf_search_begin(search, pcs[i]);
		__builtin_prefetch(probes[i].bucket);
	}
	for (size_t i = 0; i < n; i++)
		if (probes[i].bucket)
			__builtin_prefetch(&search->extents[*probes[i].bucket]);
	for (size_t i = 0; i < n; i++) {
		struct prf_search_hit hit = prf_search_end(search, probes[i]);

		if (hit.extent == PRF_SEARCH_NONE)
			continue;
		bins[n_bins] = &hist->bins[hit.tag + bin_at(hit.distance)];
		__builtin_prefetch(bins[n_bins++], 1);
	}
	for (size_t i = 0; i < n_bins; i++)
		bump(hist, bins[i], 1);
	hist->ticks_in += n;
	hist->outside += n - n_bins;
}

void
prf_hist_add_many(struct prf_hist *hist, const uint64_t *pcs, size_t n)
{
	for (; n > N_AT_ONCE; pcs += N_AT_ONCE, n -= N_AT_ONCE)
		add_at_once(hist, pcs, N_AT_ONCE);
	add_at_once(hist, pcs, n);
}

const uint32_t *
prf_hist_bins(const struct prf_hist *hist, size_t span, size_t *n_bins)
{
	const size_t *first_bin = &hist->first_bin[span];

	*n_bins = first_bin[1] - first_bin[0];
	return &hist->bins[first_bin[0]];
}

struct prf_hist_stats
prf_hist_stats(const struct prf_hist *hist)
{
	return (struct prf_hist_stats){
		.ticks_in = hist->ticks_in,
		.binned = hist->ticks_in - hist->outside - hist->saturated,
		.outside = hist->outside,
		.saturated = hist->saturated,
	};
}
