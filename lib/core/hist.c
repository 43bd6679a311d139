#include "core/hist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/scope.h"
#include "core/search.h"

#define COUNTER_BYTES sizeof(uint32_t)

/* Counters that have ticks are found by the block they are in, a page of
 * memory. */
#define BLOCK_BINS 1024

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
 * share.  Spans mostly touch each other, so that a search of the few runs of
 * them finds a counter sooner than one of all spans. */
struct shape {
	unsigned n_users;
	struct prf_search search, runs;
	struct span_bins *spans;
	size_t *run_bins; /* the first counter of each run */
	size_t n_spans, n_bins;
};

/* Ticks whose counter memory has been asked for, and may not have come yet. */
#define N_WAITING 8

struct waiting {
	uint32_t *bin; /* NULL: none */
	uint32_t ticks;
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
	uint8_t *touched; /* for each block: has it been counted in? */
	struct shape *shape;
	struct waiting waiting[N_WAITING]; /* not in counters yet */
	unsigned next_waiting;             /* the one that waits longest */
	bool counts_outside; /* something may be in the counters of gaps */
};

PRF_DEFINE_AUTO(prf_hist, prf_hist_free);

static void
drop_shape(struct shape *shape)
{
	if (!shape || __atomic_sub_fetch(&shape->n_users, 1, __ATOMIC_ACQ_REL))
		return;
	prf_search_fini(&shape->search);
	prf_search_fini(&shape->runs);
	free(shape->spans);
	free(shape->run_bins);
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

static size_t
n_blocks(const struct shape *shape)
{
	return shape->n_bins / BLOCK_BINS + 1;
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
find_runs(struct shape *shape, const struct prf_span *spans,
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
	hist->touched = calloc(n_blocks(hist->shape), sizeof *hist->touched);
	return hist->touched ? 0
			     : prf_error_set(err, -ENOMEM, "%zu counters: %m",
					     n_bins);
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
	if (rc == 0)
		rc = find_runs(shape, spans, err);
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
	free(hist->touched);
	drop_shape(hist->shape);
	free(hist);
}

static void
touch(struct prf_hist *hist, const uint32_t *bin)
{
	hist->touched[(size_t)(bin - hist->bins) / BLOCK_BINS] = true;
}

static void
bump(struct prf_hist *hist, uint32_t *bin, uint32_t ticks)
{
	uint32_t room = UINT32_MAX - *bin;

	touch(hist, bin);
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

/* A tick waits for the memory of its counter, and the next is not to wait for
 * that. */
static void
bump_later(struct prf_hist *hist, uint32_t *bin, uint32_t ticks)
{
	struct waiting *waiting =
		&hist->waiting[hist->next_waiting++ % N_WAITING];

	if (waiting->bin)
		bump(hist, waiting->bin, waiting->ticks);
	__builtin_prefetch(bin, 1);
	*waiting = (struct waiting){bin, ticks};
}

/* Before counters are read.  To those who read a histogram that is no change:
 * its ticks have been counted. */
static void
bump_all(const struct prf_hist *hist)
{
	struct prf_hist *own = (struct prf_hist *)hist;

	for (size_t i = 0; i < N_WAITING; i++) {
		struct waiting *waiting = &own->waiting[i];

		if (waiting->bin)
			bump(own, waiting->bin, waiting->ticks);
		waiting->bin = NULL;
	}
}

bool
prf_hist_count(struct prf_hist *hist, uint64_t pc, uint32_t ticks)
{
	const struct shape *shape = hist->shape;
	struct prf_search_hit hit = prf_search_find(&shape->runs, pc);

	hist->ticks_in += ticks;
	if (hit.extent == PRF_SEARCH_NONE) {
		hist->outside += ticks;
		return false;
	}
	bump_later(
		hist,
		&hist->bins[shape->run_bins[hit.extent] + bin_at(hit.distance)],
		ticks);
	return true;
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
		touch(hist, bin);
		if (++*bin == 0)
			undo_wrap(hist, bin, pcs[i]);
	}
}

const uint32_t *
prf_hist_bins(const struct prf_hist *hist, size_t span, size_t *n_bins)
{
	const struct span_bins *bins = &hist->shape->spans[span];

	bump_all(hist);
	*n_bins = bins->n;
	return &hist->bins[bins->first];
}

/* The first counter from AT on whose block has been counted in; as many as
 * there are: there is none. */
static size_t
next_touched(const struct prf_hist *hist, size_t at)
{
	size_t block = at / BLOCK_BINS;
	const uint8_t *touched = memchr(hist->touched + block, true,
					n_blocks(hist->shape) - block);

	if (!touched)
		return hist->shape->n_bins;
	size_t first = (size_t)(touched - hist->touched) * BLOCK_BINS;
	return first > at ? first : at;
}

/* The first span from LO on that ends behind counter AT. */
static size_t
span_behind(const struct shape *shape, size_t lo, size_t at)
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

size_t
prf_hist_next(const struct prf_hist *hist, size_t span)
{
	const struct shape *shape = hist->shape;

	bump_all(hist);
	while (span < shape->n_spans) {
		const struct span_bins *bins = &shape->spans[span];
		size_t at = next_touched(hist, bins->first);

		if (at < bins->first + bins->n)
			return span;
		span = span_behind(shape, span + 1, at);
	}
	return PRF_HIST_OUTSIDE;
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
	bump_all(hist);
	uint64_t between = hist->counts_outside ? sum_between(hist) : 0;
	uint64_t outside = hist->outside + between;

	return (struct prf_hist_stats){
		.ticks_in = hist->ticks_in,
		.binned = hist->ticks_in - outside - hist->saturated,
		.outside = outside,
		.saturated = hist->saturated,
	};
}
