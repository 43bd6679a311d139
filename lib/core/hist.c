#include "core/hist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/scope.h"
#include "core/search.h"

#define COUNTER_BYTES sizeof(uint32_t)

/* Where the latest tick was counted: a program stays where it is for a while,
 * and is looked for there first. */
struct latest {
	uint64_t lo, size; /* the span; 0: none yet */
	uint32_t *bins;    /* its counters */
	size_t span;
};

/* The counters of a span. */
struct span_bins {
	size_t first, n;
};

/* Where spans and their counters lie: what histograms over the same spans
 * share. */
struct shape {
	unsigned n_users;
	struct prf_search search;
	struct span_bins *spans;
	size_t n_spans, n_bins;
};

/* Counters lie by address: the one of a pc is known from its place (see
 * search.h), which takes one wait for memory, its own.  Those in the gaps
 * between the spans of a group, and one at the end for all that is in no
 * group, are counted in by those who do not look for the span, and their
 * ticks are outside. */
struct prf_hist {
	struct latest latest;
	uint64_t ticks_in, saturated;
	uint64_t outside;         /* but for those in counters */
	struct prf_search search; /* the shape's, nearer */
	uint32_t *bins;
	struct shape *shape;
	bool counts_outside; /* something may be in the counters of gaps */
};

PRF_DEFINE_AUTO(prf_hist, prf_hist_free);

static void
drop_shape(struct shape *shape)
{
	if (!shape || __atomic_sub_fetch(&shape->n_users, 1, __ATOMIC_ACQ_REL))
		return;
	prf_search_fini(&shape->search);
	free(shape->spans);
	free(shape);
}
PRF_DEFINE_AUTO(shape, drop_shape);

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

/* The counter of a place; also, of those of a span, the one for a pc this far
 * into it.  It is what a region of scale 2.0 and counters of 4 bytes does. */
static uint64_t
bin_at(uint64_t place)
{
	return place / PRF_HIST_BIN_BYTES;
}

static int
make_search(struct shape *shape, const struct prf_span *spans,
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
lay_out(struct shape *shape, const struct prf_span *spans,
	struct prf_error *err)
{
	size_t n = shape->n_spans;

	shape->n_bins = bin_at(shape->search.n_places) + 1;
	if (shape->n_bins > PTRDIFF_MAX / COUNTER_BYTES)
		return prf_error_set(err, -EOVERFLOW,
				     "%zu spans are too much text", n);

	shape->spans = calloc(n + 1, sizeof *shape->spans);
	if (!shape->spans)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);
	for (size_t i = 0; i < n; i++) {
		uint64_t place = prf_search_place(&shape->search, spans[i].lo);

		shape->spans[i].first = bin_at(place);
		shape->spans[i].n = bin_at(spans[i].hi - spans[i].lo);
	}
	return 0;
}

/* Zeros that exist once they are touched.  Without the reserve, a huge text
 * of which little is run is not refused for the memory it will not use. */
static int
map_bins(struct prf_hist *hist, struct prf_error *err)
{
	size_t n_bins = hist->shape->n_bins;
	void *bins = mmap(NULL, n_bins * COUNTER_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bins == MAP_FAILED)
		return prf_error_set(err, -ENOMEM, "%zu counters: %m", n_bins);
	hist->bins = bins;
	return 0;
}

/* A histogram that becomes a user of SHAPE, of which it has a copy near. */
static int
new_of(struct shape *shape, struct prf_hist **out, struct prf_error *err)
{
	PRF_AUTO(prf_hist_auto) struct prf_hist *hist = calloc(1, sizeof *hist);
	if (!hist)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m",
				     shape->n_spans);

	__atomic_add_fetch(&shape->n_users, 1, __ATOMIC_RELAXED);
	hist->shape = shape;
	hist->search = shape->search;
	int rc = map_bins(hist, err);
	if (rc < 0)
		return rc;
	*out = PRF_TAKE(hist);
	return 0;
}

int
prf_hist_new(const struct prf_span *spans, size_t n, struct prf_hist **out,
	     struct prf_error *err)
{
	PRF_AUTO(shape_auto) struct shape *shape = calloc(1, sizeof *shape);
	if (!shape)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m", n);

	shape->n_users = 1;
	shape->n_spans = n;
	int rc = make_search(shape, spans, err);
	if (rc < 0)
		return rc;
	rc = lay_out(shape, spans, err);
	return rc < 0 ? rc : new_of(shape, out, err);
}

int
prf_hist_new_like(const struct prf_hist *model, struct prf_hist **out,
		  struct prf_error *err)
{
	return new_of(model->shape, out, err);
}

void
prf_hist_free(struct prf_hist *hist)
{
	if (!hist)
		return;
	if (hist->bins)
		munmap(hist->bins, hist->shape->n_bins * COUNTER_BYTES);
	drop_shape(hist->shape);
	free(hist);
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

/* As prf_hist_add(), when PC is not in the latest span.  The counter is known
 * without the extent, so the waiting for both overlaps. */
static size_t __attribute__((noinline))
add_elsewhere(struct prf_hist *hist, uint64_t pc, uint32_t ticks)
{
	struct prf_search_hit hit = prf_search_find(&hist->search, pc);
	if (hit.extent == PRF_SEARCH_NONE) {
		hist->outside += ticks;
		return PRF_HIST_OUTSIDE;
	}

	uint32_t *bin = &hist->bins[bin_at(hit.place)];
	hist->latest = (struct latest){
		.lo = pc - hit.distance,
		.size = hit.reach + 1,
		.bins = bin - bin_at(hit.distance),
		.span = hit.extent,
	};
	bump(hist, bin, ticks);
	return hit.extent;
}

size_t
prf_hist_add(struct prf_hist *hist, uint64_t pc, uint32_t ticks)
{
	const struct latest *latest = &hist->latest;
	uint64_t distance = pc - latest->lo;

	hist->ticks_in += ticks;
	if (distance >= latest->size)
		return add_elsewhere(hist, pc, ticks);

	size_t span = latest->span;
	bump(hist, &latest->bins[bin_at(distance)], ticks);
	return span;
}

/* The tick at PC that made its counter wrap: the counter is full. */
static void __attribute__((cold, noinline))
undo_wrap(struct prf_hist *hist, uint32_t *bin, uint64_t pc)
{
	*bin = UINT32_MAX;
	if (prf_search_find(&hist->search, pc).extent == PRF_SEARCH_NONE)
		hist->outside++;
	else
		hist->saturated++;
}

/* The counter of PC, which memory is asked for. */
static uint32_t *
ask_for(const struct prf_hist *hist, uint64_t pc)
{
	uint64_t place = prf_search_place(&hist->search, pc);
	uint32_t *bin = &hist->bins[bin_at(place)];

	__builtin_prefetch(bin, 1);
	return bin;
}

/* How many ticks ahead memory is asked for: as much as a processor can wait
 * for, and some. */
#define N_AHEAD 32

void
prf_hist_add_many(struct prf_hist *hist, const uint64_t *pcs, size_t n)
{
	uint32_t *bins[N_AHEAD];

	hist->counts_outside = true;
	hist->ticks_in += n;
	for (size_t i = 0; i < n && i < N_AHEAD; i++)
		bins[i] = ask_for(hist, pcs[i]);
	for (size_t i = 0; i < n; i++) {
		uint32_t *bin = bins[i % N_AHEAD];

		if (n - i > N_AHEAD)
			bins[i % N_AHEAD] = ask_for(hist, pcs[i + N_AHEAD]);
		if (++*bin == 0)
			undo_wrap(hist, bin, pcs[i]);
	}
}

const uint32_t *
prf_hist_bins(const struct prf_hist *hist, size_t span, size_t *n_bins)
{
	const struct span_bins *bins = &hist->shape->spans[span];

	*n_bins = bins->n;
	return &hist->bins[bins->first];
}

/* The ticks in counters that are no span's. */
static uint64_t
sum_between(const struct prf_hist *hist)
{
	uint64_t sum = 0;
	size_t at = 0;

	for (size_t i = 0; i < hist->shape->n_spans; i++) {
		const struct span_bins *span = &hist->shape->spans[i];

		for (; at < span->first; at++)
			sum += hist->bins[at];
		at += span->n;
	}
	return sum + hist->bins[at];
}

struct prf_hist_stats
prf_hist_stats(const struct prf_hist *hist)
{
	uint64_t between = hist->counts_outside ? sum_between(hist) : 0;
	uint64_t outside = hist->outside + between;

	return (struct prf_hist_stats){
		.ticks_in = hist->ticks_in,
		.binned = hist->ticks_in - outside - hist->saturated,
		.outside = outside,
		.saturated = hist->saturated,
	};
}
