#include "core/hist.h"

#include <errno.h>
#include <stdlib.h>

#include "core/hist_counters.h"
#include "core/hist_shape.h"
#include "core/scope.h"
#include "core/search.h"

/* Where the latest tick was counted: a program stays where it is for a while,
 * and is looked for there first. */
struct latest {
	uint64_t lo, size; /* the span, or the run of spans; 0: none yet */
	uint32_t *bins;    /* its counters */
	size_t number;
};

/* Ticks that wait for the memory of their counters: one batch has been asked
 * for, and may not have come yet; the other is being gathered. */
#define N_BATCH 8

struct waiting {
	uint32_t *bin; /* NULL: none */
	uint32_t ticks;
};

/* Counters of gaps (see hist_shape.h) are counted in by those who do not look
 * for the span, and their ticks are outside. */
struct prf_hist {
	struct latest run, span;
	uint64_t ticks_in;
	uint64_t outside;         /* but for those in counters */
	struct prf_search search; /* the shape's, nearer */
	struct prf_hist_counters counters;
	struct prf_hist_shape *shape;
	struct waiting waiting[2 * N_BATCH]; /* not in counters yet */
	unsigned next_waiting;
	bool counts_outside; /* something may be in the counters of gaps */
};

PRF_DEFINE_AUTO(prf_hist, prf_hist_free);
PRF_DEFINE_AUTO(prf_hist_shape, prf_hist_shape_drop);

/* A histogram that becomes a user of SHAPE, of which it has a copy near. */
static int
new_of(struct prf_hist_shape *shape, struct prf_hist **out,
       struct prf_error *err)
{
	PRF_AUTO(prf_hist_auto) struct prf_hist *hist = calloc(1, sizeof *hist);
	if (!hist)
		return prf_error_set(err, -ENOMEM, "%zu spans: %m",
				     shape->n_spans);

	prf_hist_shape_hold(shape);
	hist->shape = shape;
	hist->search = shape->search;
	int rc = prf_hist_counters_init(&hist->counters, shape->n_bins, err);
	if (rc < 0)
		return rc;
	*out = PRF_TAKE(hist);
	return 0;
}

int
prf_hist_new(const struct prf_span *spans, size_t n, struct prf_hist **out,
	     struct prf_error *err)
{
	PRF_AUTO(prf_hist_shape_auto) struct prf_hist_shape *shape = NULL;
	int rc = prf_hist_shape_new(spans, n, &shape, err);

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
	prf_hist_counters_fini(&hist->counters);
	prf_hist_shape_drop(hist->shape);
	free(hist);
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

	uint32_t *bin = &hist->counters.bins[prf_hist_shape_bin(hit.place)];
	hist->span = (struct latest){
		.lo = pc - hit.distance,
		.size = hit.reach + 1,
		.bins = bin - prf_hist_shape_bin(hit.distance),
		.number = hit.extent,
	};
	prf_hist_counters_bump(&hist->counters, bin, ticks);
	return hit.extent;
}

size_t
prf_hist_add(struct prf_hist *hist, uint64_t pc, uint32_t ticks)
{
	const struct latest *latest = &hist->span;
	uint64_t distance = pc - latest->lo;

	hist->ticks_in += ticks;
	if (distance >= latest->size)
		return add_elsewhere(hist, pc, ticks);

	size_t span = latest->number;
	prf_hist_counters_bump(&hist->counters,
			       &latest->bins[prf_hist_shape_bin(distance)],
			       ticks);
	return span;
}

static void
bump_waiting(struct prf_hist *hist, struct waiting *waiting, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (waiting[i].bin)
			prf_hist_counters_bump(&hist->counters, waiting[i].bin,
					       waiting[i].ticks);
		waiting[i].bin = NULL;
	}
}

/* BATCH has been gathered.  All its memory is asked for at once: a processor
 * stops at a page whose address it does not know, and looks up several together
 * in the time of one. */
static void __attribute__((noinline))
ask_for_batch(struct prf_hist *hist, unsigned batch)
{
	const struct waiting *waiting = &hist->waiting[batch * N_BATCH];

	for (unsigned i = 0; i < N_BATCH; i++)
		__builtin_prefetch(waiting[i].bin, 1);
	bump_waiting(hist, &hist->waiting[!batch * N_BATCH], N_BATCH);
}

/* A tick waits for the memory of its counter, and the next is not to wait for
 * that. */
static void
bump_later(struct prf_hist *hist, uint32_t *bin, uint32_t ticks)
{
	unsigned at = hist->next_waiting++ % (2 * N_BATCH);

	hist->waiting[at] = (struct waiting){bin, ticks};
	if (at % N_BATCH == N_BATCH - 1)
		ask_for_batch(hist, at / N_BATCH);
}

/* Before counters are read.  To those who read a histogram that is no change:
 * its ticks have been counted. */
static void
bump_all(const struct prf_hist *hist)
{
	struct prf_hist *own = (struct prf_hist *)hist;

	bump_waiting(own, own->waiting, 2 * N_BATCH);
}

/* Goes to the run that holds PC; false: none does. */
static bool __attribute__((noinline))
enter_run(struct prf_hist *hist, uint64_t pc)
{
	const struct prf_hist_shape *shape = hist->shape;
	struct prf_search_hit hit = prf_search_find(&shape->runs, pc);

	if (hit.extent == PRF_SEARCH_NONE)
		return false;
	hist->run = (struct latest){
		.lo = pc - hit.distance,
		.size = hit.reach + 1,
		.bins = &hist->counters.bins[shape->run_bins[hit.extent]],
		.number = hit.extent,
	};
	return true;
}

bool
prf_hist_count(struct prf_hist *hist, uint64_t pc, uint32_t ticks)
{
	const struct latest *run = &hist->run;

	hist->ticks_in += ticks;
	if (pc - run->lo >= run->size && !enter_run(hist, pc)) {
		hist->outside += ticks;
		return false;
	}
	bump_later(hist, &run->bins[prf_hist_shape_bin(pc - run->lo)], ticks);
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
		hist->counters.saturated++;
}

/* The counter of PC, which memory is asked for. */
static inline uint32_t *
ask_for(const struct prf_hist *hist, uint64_t pc)
{
	uint64_t place = prf_search_place(&hist->search, pc);
	uint32_t *bin = &hist->counters.bins[prf_hist_shape_bin(place)];

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
		prf_hist_counters_touch(&hist->counters, bin);
		if (++*bin == 0)
			undo_wrap(hist, bin, pcs[i]);
	}
}

const uint32_t *
prf_hist_bins(const struct prf_hist *hist, size_t span, size_t *n_bins)
{
	const struct prf_hist_shape_bins *bins = &hist->shape->spans[span];

	bump_all(hist);
	*n_bins = bins->n;
	return &hist->counters.bins[bins->first];
}

size_t
prf_hist_next(const struct prf_hist *hist, size_t span)
{
	const struct prf_hist_shape *shape = hist->shape;

	bump_all(hist);
	while (span < shape->n_spans) {
		const struct prf_hist_shape_bins *bins = &shape->spans[span];
		size_t at =
			prf_hist_counters_next(&hist->counters, bins->first);

		if (at < bins->first + bins->n)
			return span;
		span = prf_hist_shape_span_behind(shape, span + 1, at);
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
		const struct prf_hist_shape_bins *span = &hist->shape->spans[i];

		for (; at < span->first; at++)
			sum += hist->counters.bins[at];
		at += span->n;
	}
	return sum + hist->counters.bins[at];
}

struct prf_hist_stats
prf_hist_stats(const struct prf_hist *hist)
{
	bump_all(hist);
	uint64_t between = hist->counts_outside ? sum_between(hist) : 0;
	uint64_t outside = hist->outside + between;

	return (struct prf_hist_stats){
		.ticks_in = hist->ticks_in,
		.binned = hist->ticks_in - outside - hist->counters.saturated,
		.outside = outside,
		.saturated = hist->counters.saturated,
	};
}
