/* hist_shape.h - where spans of text and their counters lie.  Not installed.
 *
 * Counters are ordered by address: the counter of a pc is known from the pc's
 * position in the groups of spans (its place, see search.h), so that counting
 * waits for one access to memory, that to the counter.  For this, there are
 * counters in the gaps between the spans of a group, too, and one at the end
 * for all that is in no group. */
#ifndef PRF_CORE_HIST_HIST_SHAPE_H
#define PRF_CORE_HIST_HIST_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/hist.h"
#include "search.h"

/* The counters of a span. */
struct prf_hist_shape_bins {
	size_t first, n;
};

/* What histograms over the same spans share.  Spans mostly touch each other,
 * so that a search of the few runs of them finds a counter sooner than one of
 * all spans. */
struct prf_hist_shape {
	unsigned n_users;
	struct prf_search search, runs;
	struct prf_hist_shape_bins *spans;
	size_t *run_bins; /* the first counter of each run */
	size_t n_spans, n_bins;
};

/* Makes the shape of N spans, with one user; errors as of prf_hist_new(). */
int prf_hist_shape_new(const struct prf_span *spans, size_t n,
		       struct prf_hist_shape **out,
		       struct prf_error *err) PRF_MUST_CHECK;
/* Adds a user. */
void prf_hist_shape_hold(struct prf_hist_shape *shape);
/* Removes a user; the last one frees the shape.  Takes NULL. */
void prf_hist_shape_drop(struct prf_hist_shape *shape);

/* The first span from LO on that ends behind counter AT; the number of spans if
 * there is none. */
size_t prf_hist_shape_span_behind(const struct prf_hist_shape *shape, size_t lo,
				  size_t at);

/* The counter of a place; also, within a span or a run, the counter for a pc
 * this far from its start.  A region of scale 2.0 with counters of 4 bytes has
 * the same arithmetic. */
static inline uint64_t
prf_hist_shape_bin(uint64_t place)
{
	return place / PRF_HIST_BIN_BYTES;
}

#endif
