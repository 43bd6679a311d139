#include "core/hist.h"

#include <errno.h>
#include <stdlib.h>

#include "core/hist/hist_counters.h"
#include "core/hist/hist_shape.h"
#include "core/hist/hist_waiting.h"
#include "core/scope.h"
#include "core/hist/search.h"

/* Where the latest tick was counted: a program stays in the same text for a
 * while, so that this is searched first. */
struct latest {
	uint64_t lo, size; /* the span, or the run of spans; 0: none yet */
	uint32_t *bins;    /* its counters */
	size_t number;
};

/* Counters of gaps (see hist_shape.h) are used by functions that do not search
 * for the span; their ticks are outside. */
struct prf_hist {
	struct latest run, span;
	uint64_t ticks_in;
	uint64_t outside;         /* without those in counters of gaps */
	struct prf_search search; /* a copy of the shape's, near */
	struct prf_hist_counters counters;
	struct prf_hist_shape *shape;
	struct prf_hist_waiting *waiting; /* what is not in counters yet; NULL:
					   * nothing ever waits */
	bool counts_outside; /* something may be in the counters of gaps */
};

PRF_DEFINE_AUTO(prf_hist, prf_hist_free);
PRF_DEFINE_AUTO(prf_hist_shape, prf_hist_shape_drop);

/* A histogram that uses SHAPE, of which it has a copy near. */
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

/* To be called before counters are read or freed.  To those who read a
 * histogram that is no change: its ticks have been counted. */
static void
end_waiting(const struct prf_hist *hist)
{
	if (hist->waiting)
		prf_hist_waiting_end(hist->waiting);
}

void
prf_hist_free(struct prf_hist *hist)
{
	if (!hist)
		return;
	end_waiting(hist);
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
	prf_hist_counters_add(&hist->counters, bin, ticks);
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
	prf_hist_counters_add(&hist->counters,
			      &latest->bins[prf_hist_shape_bin(distance)],
			      ticks);
	return span;
}

void
prf_hist_wait_in(struct prf_hist *hist, struct prf_hist_waiting *waiting)
{
	end_waiting(hist);
	hist->waiting = waiting;
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
	uint32_t *bin = &run->bins[prf_hist_shape_bin(pc - run->lo)];
	if (hist->waiting)
		prf_hist_waiting_add(hist->waiting, &hist->counters, bin,
				     ticks);
	else
		prf_hist_counters_add(&hist->counters, bin, ticks);
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

/* Finds the counter of PC, and requests its memory. */
static inline uint32_t *
ask_for(const struct prf_hist *hist, uint64_t pc)
{
	uint64_t place = prf_search_place(&hist->search, pc);
	uint32_t *bin = &hist->counters.bins[prf_hist_shape_bin(place)];

	__builtin_prefetch(bin, 1);
	return bin;
}

/* How many ticks ahead memory is requested: as many as a processor can wait
 * for, and some more. */
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

	end_waiting(hist);
	*n_bins = bins->n;
	return &hist->counters.bins[bins->first];
}

size_t
prf_hist_next(const struct prf_hist *hist, size_t span)
{
	const struct prf_hist_shape *shape = hist->shape;

	end_waiting(hist);
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

/* The ticks in counters of gaps. */
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
	end_waiting(hist);
	uint64_t between = hist->counts_outside ? sum_between(hist) : 0;
	uint64_t outside = hist->outside + between;

	return (struct prf_hist_stats){
		.ticks_in = hist->ticks_in,
		.binned = hist->ticks_in - outside - hist->counters.saturated,
		.outside = outside,
		.saturated = hist->counters.saturated,
	};
}
