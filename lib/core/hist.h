/* hist.h - ticks counted over spans of text, with memory of its own.
 *
 * What profil(2) and sprofil(2) do with a caller's buffers, done for the
 * runner: one counter of 32 bits for each 2 bytes of text, in regions that
 * partition (parts of) an object.  Every tick added is in exactly one of: a
 * counter, "outside" every span, or "saturated" (its counter was full). */
#ifndef PRF_CORE_HIST_H
#define PRF_CORE_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"

PRF_BEGIN_DECLS

/* Bytes of text for one counter; 2 is the finest that gprof reads rightly. */
#define PRF_HIST_BIN_BYTES 2

/* [lo, hi) of text; both even, lo < hi. */
struct prf_span {
	uint64_t lo, hi;
};

#define PRF_HIST_OUTSIDE ((size_t)-1)

struct prf_hist_stats {
	uint64_t ticks_in; /* = binned + outside + saturated */
	uint64_t binned;
	uint64_t outside;
	uint64_t saturated;
	uint64_t later[2]; /* all 0 */
};

struct prf_hist;

/* A histogram over N spans, ascending and not overlapping.  The counters start
 * at 0, and memory that is never counted in is never touched.  Address space is
 * taken for the spans, and for gaps between near ones: at most four times as
 * much again.  -EINVAL: a span is empty, odd, out of order or overlaps another;
 * -ENOMEM; -EOVERFLOW: more counters than an address space can hold. */
int prf_hist_new(const struct prf_span *spans, size_t n, struct prf_hist **out,
		 struct prf_error *err) PRF_MUST_CHECK;
/* An empty histogram over the spans of MODEL, which the two share from then on:
 * only its counters are its own.  Either may be freed first.  -ENOMEM. */
int prf_hist_new_like(const struct prf_hist *model, struct prf_hist **out,
		      struct prf_error *err) PRF_MUST_CHECK;
/* Frees the histogram and its counters; takes NULL. */
void prf_hist_free(struct prf_hist *hist);

/* Adds TICKS at PC.  Returns the number of the span that holds PC, or
 * PRF_HIST_OUTSIDE.  Never fails, allocates or blocks. */
size_t prf_hist_add(struct prf_hist *hist, uint64_t pc, uint32_t ticks);

/* As prf_hist_add(), but it tells only whether a span holds PC, which is known
 * sooner than the number of that span. */
bool prf_hist_count(struct prf_hist *hist, uint64_t pc, uint32_t ticks);

/* Does what prf_hist_add() does, with one tick for each of N pcs, but does not
 * search for their spans: a tick waits for the memory of its counter and for
 * nothing else, and many wait together.  For pcs in no order over much text
 * this is some five times as fast. */
void prf_hist_add_many(struct prf_hist *hist, const uint64_t *pcs, size_t n);

/* The counters of span number SPAN (< n), (hi - lo) / 2 of them: the
 * histogram's own, and as of now. */
const uint32_t *prf_hist_bins(const struct prf_hist *hist, size_t span,
			      size_t *n_bins);

/* The first span from number SPAN on that may have ticks.  The spans before it
 * have none, which is known without reading their counters.  PRF_HIST_OUTSIDE:
 * there is no such span. */
size_t prf_hist_next(const struct prf_hist *hist, size_t span);

/* After prf_hist_add_many() this reads all counters of the gaps. */
struct prf_hist_stats prf_hist_stats(const struct prf_hist *hist);

PRF_END_DECLS

#endif
